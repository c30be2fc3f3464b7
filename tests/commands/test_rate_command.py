"""``init``, ``certify --rate`` and ``compare`` at depth standard, from the command line to a service of our own."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from itertools import count
from pathlib import Path

import jsonschema
import pytest
from fake_messages import KEY, Fail, FakeMessages, Say, Seen

from plugin_eval_ci import cli

Repo = Callable[..., Path]
LEVELS = {"stock": 5, "till": 1, "post": 3, "ledger": 7, "payroll": 9, "mail": 4}


def check(name: str, document: object) -> None:
    text = files("plugin_eval_ci").joinpath(f"schemas/{name}.schema.json").read_text(encoding="utf-8")
    jsonschema.Draft202012Validator(json.loads(text)).validate(document)


@pytest.fixture
def shop(repo: Repo, skill_text: Callable[..., str]) -> Path:
    """A marketplace of a shop and an office; both hold skills of one size."""
    plugins = [
        {"name": "shop", "source": "./plugins/shop", "category": "trade"},
        {"name": "office", "source": "./plugins/office"},
    ]
    market = {"name": "m", "owner": {"name": "o"}, "plugins": plugins}
    content: dict[str, str] = {".claude-plugin/marketplace.json": json.dumps(market)}
    for name, level in LEVELS.items():
        plugin = "office" if name == "mail" else "shop"
        content[f"plugins/{plugin}/.claude-plugin/plugin.json"] = json.dumps({"name": plugin, "version": "1.0.0"})
        content[f"plugins/{plugin}/skills/{name}/SKILL.md"] = skill_text(name, body=f"Works at level {level}.")
    return repo(content)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("PLUGIN_EVAL_CACHE", str(tmp_path / "cache"))
    with FakeMessages() as running:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", running.url)
        running.on(answered)
        yield running


def answered(seen: Seen) -> Say:
    shown = seen.system + seen.prompt
    if seen.purpose == "rate:tasks":
        name = re.search(r"name: (\S+)", shown)[1]
        many = int(re.search(r"Write (\d+)", shown)[1])
        return Say(json.dumps({"tasks": [f"{name} task {number}" for number in range(many)]}))
    if seen.purpose == "rate:work":
        return Say(f"Work of level {re.search(r'level (.)', shown)[1]}")
    if seen.purpose == "rate:compare":
        first, second = re.findall(r"Work of level (\d)", shown)
        return Say(json.dumps({"reason": "so", "verdict": "first" if first > second else "second"}))
    if seen.schema is not None:
        return Say(json.dumps(_made(seen.schema)))
    return Say("Done. " * 100)


_NUMBERS = count()  # a list of messages must not repeat one


_LONG = {"predictions": 10, "tasks": 3, "quotes": 0}  # how many of a list are asked for in words; test messages are 15


def _made(schema: dict, name: str = "") -> object:
    if "enum" in schema:
        return schema["enum"][-1]
    kind = schema["type"]
    if kind == "object":
        return {name: _made(below, name) for name, below in schema["properties"].items()}
    if kind == "array":
        return [_made(schema["items"]) for _ in range(_LONG.get(name, 15))]
    return {"string": f"words {next(_NUMBERS)}", "number": 1, "integer": 1, "boolean": True}[kind]


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = cli.run([str(word) for word in words])
    said = capsys.readouterr()
    return code, said.out, said.err


def index_of(folder: Path) -> list[dict]:
    document = json.loads((folder / "index.json").read_text())
    check("corpus", document)
    return document["skills"]


def test_init(shop: Path, tmp_path: Path, capsys) -> None:
    code, out, _ = run(capsys, "init", shop, "--corpus-dir", tmp_path / "corpus")
    assert code == 0
    assert "6 skills" in out
    assert "6 skills in 2 categories (office, trade)" in out
    listed = index_of(tmp_path / "corpus")
    assert {row["name"]: row["category"] for row in listed} == {
        name: "office" if name == "mail" else "trade" for name in LEVELS
    }
    assert listed == sorted(listed, key=lambda row: row["path"])
    assert all((tmp_path / "corpus" / row["path"]).is_file() for row in listed)
    once = (tmp_path / "corpus" / "index.json").read_bytes()
    run(capsys, "init", shop / "plugins", shop / ".", "--corpus-dir", tmp_path / "corpus")
    assert (tmp_path / "corpus" / "index.json").read_bytes() == once


def test_init_of_nothing(tmp_path: Path, capsys, repo: Repo) -> None:
    code, _, err = run(capsys, "init", repo({"a.txt": ""}), "--corpus-dir", tmp_path / "corpus")
    assert code == 2
    assert not (tmp_path / "corpus").exists()
    code, _, err = run(capsys, "init", tmp_path / "gone", "--corpus-dir", tmp_path / "corpus")
    assert code == 2
    assert "gone" in err


def certify(capsys, shop: Path, corpus: Path, *more: object, name: str = "stock") -> tuple[int, str, str]:
    skill = shop / "plugins/shop/skills" / name
    return run(capsys, "certify", skill, "--rate", "--corpus-dir", corpus, *more)


@pytest.fixture
def corpus(shop: Path, tmp_path: Path, capsys) -> Path:
    run(capsys, "init", shop, "--corpus-dir", tmp_path / "corpus")
    return tmp_path / "corpus"


def test_certify_rates_among_its_category_and_size(shop: Path, corpus: Path, fake: FakeMessages, capsys) -> None:
    code, out, err = certify(capsys, shop, corpus, "--output", "json")
    document = json.loads(out)
    check("score", document)
    assert code == 0, err
    rating = document["rating"]
    assert document["elo"] == rating["elo"]
    names = [one["path"].split("/")[-2] for one in rating["references"]]
    assert names[:2] == ["ledger", "payroll"]  # both won everything, so their names decide
    assert set(names[2:]) == {"till", "post"}  # not itself, not the office's
    assert rating["percentile"] == 50
    assert (rating["wins"], rating["losses"], rating["tasks"]) == (16, 16, 10)
    assert rating["low"] < rating["elo"] < rating["high"]
    assert document["unrated"] is None
    purposes = [seen.purpose for seen in fake.seen if seen.purpose.startswith("rate")]
    assert [purposes.count(f"rate:{what}") for what in ("tasks", "work", "compare")] == [5, 26, 32]
    workers = {seen.model for seen in fake.seen if seen.purpose == "rate:work"}
    judges = {seen.model for seen in fake.seen if seen.purpose == "rate:compare"}
    assert not workers & judges


@pytest.mark.parametrize("output", ["text", "markdown", "html"])
def test_every_format_shows_it(shop: Path, corpus: Path, fake: FakeMessages, capsys, output: str) -> None:
    code, out, _ = certify(capsys, shop, corpus, "--output", output)
    assert code == 0
    said = " ".join(re.sub(r"<[^>]+>", " ", out).split())
    assert re.search(r"Elo \d+", said)
    assert "better than 50 % of 4 references" in said
    assert "experimental" in said


def test_the_badge_needs_both(shop: Path, corpus: Path, fake: FakeMessages, capsys) -> None:
    """A skill that loses every comparison is far below 1300, the least of any badge; without a rating its composite alone counts."""
    _, rated, _ = certify(capsys, shop, corpus, "--output", "json", name="till")
    _code, plain, _ = run(capsys, "certify", shop / "plugins/shop/skills/till", "--output", "json")
    rated, plain = json.loads(rated), json.loads(plain)
    assert rated["elo"] < 1300
    assert rated["composite"]["score"] == plain["composite"]["score"]
    assert plain["composite"]["badge"] != "no_badge"
    assert rated["composite"]["badge"] == "no_badge"
    assert "rating" not in plain


def test_estimate_counts_the_rating(shop: Path, corpus: Path, fake: FakeMessages, capsys) -> None:
    code, out, _ = certify(capsys, shop, corpus, "--estimate")
    assert code == 0
    calls = int(re.search(r"(\d+) calls", out)[1])
    assert calls == 4 + 1 + 50 + 5 + 26 + 32
    assert not [seen for seen in fake.seen if seen.path.endswith("messages")]


def test_a_second_time_costs_nothing(shop: Path, corpus: Path, fake: FakeMessages, capsys) -> None:
    _, first, _ = certify(capsys, shop, corpus, "--output", "json")
    asked = len(fake.seen)
    _, second, _ = certify(capsys, shop, corpus, "--output", "json")
    assert json.loads(first)["rating"] == json.loads(second)["rating"]
    assert not [seen for seen in fake.seen[asked:] if seen.path.endswith("messages")]


def test_no_index(shop: Path, tmp_path: Path, fake: FakeMessages, capsys) -> None:
    code, out, err = certify(capsys, shop, tmp_path / "none")
    assert (code, out) == (2, "")
    assert "plugin-eval init" in err
    assert not fake.seen  # nothing was paid before


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"schema_version": 2, "skills": []}', '{"schema_version": 1, "skills": [{"path": "SKILL.md"}]}']
)  # fmt: skip
def test_a_damaged_index(shop: Path, tmp_path: Path, fake: FakeMessages, capsys, text: str) -> None:
    (tmp_path / "index.json").write_text(text)
    code, _, err = certify(capsys, shop, tmp_path)
    assert code == 2
    assert "index.json" in err


def test_an_index_cannot_send_another_file(shop: Path, corpus: Path, fake: FakeMessages, capsys) -> None:
    document = json.loads((corpus / "index.json").read_text())
    document["skills"][0]["path"] = "../secrets.txt"
    (corpus / "index.json").write_text(json.dumps(document))
    assert certify(capsys, shop, corpus)[0] == 2


def test_a_category_without_references(shop: Path, corpus: Path, fake: FakeMessages, capsys) -> None:
    code, out, err = certify(capsys, shop, corpus, "--category", "sailing", "--output", "json")
    document = json.loads(out)
    check("score", document)
    assert code == 3
    assert document["elo"] is None
    assert "category 'sailing'" in document["unrated"]
    assert "office, trade" in document["unrated"]
    assert "not rated" in err
    assert document["composite"]["score"] is not None


def test_changed_and_copied_references_take_no_part(shop: Path, corpus: Path, fake: FakeMessages, capsys) -> None:
    place = shop / "plugins/shop/skills"
    (place / "payroll/SKILL.md").write_text((place / "payroll/SKILL.md").read_text() + "\nMore.\n")
    (place / "ledger/SKILL.md").unlink()
    _, out, err = certify(capsys, shop, corpus, "--output", "json")
    names = {one["path"].split("/")[-2] for one in json.loads(out)["rating"]["references"]}
    assert names == {"till", "post"}
    assert "2 references were deleted or changed" in err


def test_a_copy_of_itself_is_no_reference(shop: Path, corpus: Path, fake: FakeMessages, capsys, tmp_path: Path) -> None:
    for name, change in (("same", ""), ("newer", "\nA new line.\n")):
        copy = tmp_path / name / "stock"
        copy.mkdir(parents=True)
        text = (shop / "plugins/shop/skills/stock/SKILL.md").read_text() + change
        (copy / "SKILL.md").write_text(text)
        words = ("certify", copy, "--rate", "--corpus-dir", corpus, "--category", "trade", "--output", "json")
        _, out, _ = run(capsys, *words)
        assert not [one for one in json.loads(out)["rating"]["references"] if "/stock/" in one["path"]]


def test_when_comparisons_fail_it_is_not_rated(shop: Path, corpus: Path, fake: FakeMessages, capsys) -> None:
    fake.on(Fail(400), purpose="rate:compare")
    code, out, _err = certify(capsys, shop, corpus, "--output", "json")
    document = json.loads(out)
    assert code == 3
    assert document["elo"] is None and document["rating"] is None
    assert "32 of 32 comparisons are missing" in document["unrated"]


def compare(capsys, shop: Path, *more: object) -> tuple[int, str, str]:
    place = shop / "plugins/shop/skills"
    return run(capsys, "compare", place / "stock", place / "till", *more)


def test_agreement_reads_what_score_writes(shop: Path, fake: FakeMessages, capsys, tmp_path: Path) -> None:
    places = []
    for name in ("stock", "till"):
        words = ("score", shop / "plugins/shop/skills" / name, "--depth", "standard", "--judges", 3, "--output", "json")
        code, out, err = run(capsys, *words)
        assert code == 0, err
        places.append(tmp_path / f"{name}.json")
        places[-1].write_text(out)
    code, out, _ = run(capsys, "agreement", *places, "--output", "json")
    check("agreement", json.loads(out))
    rows = json.loads(out)["dimensions"]
    assert code == 0
    assert {"orchestration_fitness", "output_quality", "scope_calibration"} <= {row["dimension"] for row in rows}
    assert {(row["skills"], row["judges"], row["enough"]) for row in rows} == {(2, 3, False)}


@pytest.mark.parametrize("output", ["text", "markdown", "json"])
def test_compare_pairs_the_two(shop: Path, fake: FakeMessages, capsys, output: str) -> None:
    code, out, err = compare(capsys, shop, "--depth", "standard", "--output", output)
    assert code == 0, err
    if output == "json":
        document = json.loads(out)
        check("compare", document)
        paired = document["paired"]
        assert (paired["share"], paired["wins"], paired["tasks"], paired["consistent"]) == (1, 16, 8, 1)
        assert document["unpaired"] is None
    else:
        assert "A wins 100 % of comparisons" in " ".join(out.split())
        assert "A is better" in " ".join(out.split())


def test_compare_at_quick_asks_nobody(shop: Path, fake: FakeMessages, capsys) -> None:
    code, out, _ = compare(capsys, shop, "--output", "json")
    assert code == 0
    check("compare", json.loads(out))
    assert "paired" not in json.loads(out)
    assert not fake.seen


def test_compare_says_why_they_were_not_paired(shop: Path, fake: FakeMessages, capsys) -> None:
    fake.on(Fail(400), purpose="rate:work")
    code, out, err = compare(capsys, shop, "--depth", "standard", "--output", "json")
    document = json.loads(out)
    check("compare", document)
    assert code == 3
    assert document["paired"] is None
    assert "16 of 16 comparisons are missing" in document["unpaired"]
    assert "not compared on the same tasks" in err


@pytest.mark.parametrize(("cap", "code", "calls"), [("0.25", 3, range(5, 8)), ("9", 0, range(42, 43))])
def test_the_cap_of_compare_is_for_all_that_it_asks(
    shop: Path, fake: FakeMessages, capsys, cap: str, code: int, calls: range
) -> None:
    """At $10 a million tokens a sonnet answers 5,000 for 5 cents: three for either score fit into 25 cents, six do not."""
    fake.on(lambda seen: replace(answered(seen), usage={"input_tokens": 0, "output_tokens": 5_000}))
    assert compare(capsys, shop, "--depth", "standard", "--max-cost", cap)[0] == code
    asked = [seen.model for seen in fake.messages()]
    assert len(asked) in calls
    assert sum(0.05 if "sonnet" in model else 0.0025 for model in asked) <= float(cap)


def test_the_time_of_compare_is_for_all_that_it_asks(shop: Path, fake: FakeMessages, capsys) -> None:
    fake.on(lambda seen: replace(answered(seen), delay=1.0), purpose="judge:")
    assert compare(capsys, shop, "--depth", "standard", "--deadline", "1.5")[0] == 3
    assert not [seen for seen in fake.messages() if seen.purpose.startswith("rate:")]


@pytest.mark.parametrize("when", ["level 5", "level 1"])
def test_an_interrupted_compare_asks_nothing_more(shop: Path, fake: FakeMessages, capsys, when: str) -> None:
    def pressed(seen: Seen) -> Say:
        os.kill(os.getpid(), signal.SIGINT)
        return answered(seen)

    fake.on(pressed, answered, purpose="judge:scope", prompt=when)
    code, out, err = compare(capsys, shop, "--depth", "standard")
    assert (code, out) == (130, "") and "nothing was compared" in err
    shown = "".join(seen.system + seen.prompt for seen in fake.messages())
    assert "level 5" in shown and ("level 1" in shown) is (when == "level 1")
    assert not [seen for seen in fake.messages() if seen.purpose.startswith("rate:")]


def test_compare_estimates_all_three(shop: Path, fake: FakeMessages, capsys) -> None:
    code, out, _ = compare(capsys, shop, "--depth", "standard", "--estimate")
    assert code == 0
    assert [int(found) for found in re.findall(r"(\d+) calls", out)] == [4, 4, 34]
    assert not [seen for seen in fake.seen if seen.path.endswith("messages")]
