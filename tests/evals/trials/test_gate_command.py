"""``plugin-eval gate`` with a subject that goes by what the list says, behind a server of our own."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import jsonschema
import pytest

from plugin_eval_ci import cli
from tests.fake_messages import KEY, Fail, FakeMessages, Say, Seen

pytest.importorskip("anthropic")
GOOD = "Prints shipping labels. Use when somebody wants a shipping label printed."
VAGUE = "Does all sorts of things with paper, and more."
TALLY = "Counts stock. Use when somebody asks how much stock is left."
SCHEMA = Path(cli.__file__).parents[1] / "schemas" / "gate.schema.json"


def labels(word: str, positives: int = 26, negatives: int = 26) -> str:
    """Prompts that need the skill and prompts that need none; each is a cluster by itself."""
    rows = [{"id": f"p{n}", "prompt": f"please, {word} number {n}", "expect": "target"} for n in range(positives)]
    rows += [{"id": f"n{n}", "prompt": f"what is {n} {word[0]} {n}?", "expect": "none"} for n in range(negatives)]
    return json.dumps({"schema": 1, "prompts": rows})


def skill(name: str, description: str) -> str:
    return f"---\nname: {name}\ndescription: {description}\n---\n\n# {name}\n\nDo it.\n"


def chance(*words: object) -> float:
    return int(hashlib.sha256(repr(words).encode()).hexdigest()[:8], 16) / 16**8


def subject(noise: float = 0.0) -> Callable[[Seen], Say]:
    """Chooses a skill where prompt and description share the word that matters; now and then it does the task itself."""
    draws: dict[str, int] = {}

    def answer(seen: Seen) -> Say:
        listed = dict(re.findall(r"^- (\S+): (.*)$", seen.asked, re.M))
        prompt = seen.asked.rpartition("\n")[2]
        draws[prompt] = draws.get(prompt, 0) + 1
        for word in ("label", "stock"):
            fits = [name for name, said in listed.items() if word in said and name.startswith("shop:")]
            if word in prompt and fits and chance(prompt, draws[prompt]) >= noise:
                return Say("", calls=[("Skill", {"skill": fits[0]})])
        return Say("It is done.")

    return answer


@pytest.fixture
def fake() -> Iterator[FakeMessages]:
    with FakeMessages(KEY) as server:
        server.on(subject())
        yield server


def git(root: Path, *words: str) -> None:
    name = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *name, *words], cwd=root, check=True, capture_output=True)


def files(description: str = GOOD, **more: str) -> dict[str, str]:
    return {
        "shop/.claude-plugin/plugin.json": '{"name": "shop"}',
        "shop/skills/label-print/SKILL.md": skill("label-print", description),
        "shop/skills/label-print/evals/triggers.yaml": labels("label"),
        "shop/skills/tally/SKILL.md": skill("tally", TALLY),
        "shop/skills/tally/evals/triggers.yaml": labels("stock"),
        **more,
    }


class Shop:
    """A repository whose last commit is the base, and the command in it."""

    def __init__(self, root: Path, fake: FakeMessages, capsys: pytest.CaptureFixture[str]) -> None:
        self.root, self.fake, self._capsys = root, fake, capsys

    def write(self, name: str, text: str) -> None:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def describe(self, text: str, name: str = "label-print") -> None:
        self.write(f"shop/skills/{name}/SKILL.md", skill(name, text))

    def commit(self) -> None:
        git(self.root, "add", "-A")
        git(self.root, "commit", "-qm", "x")

    def gate(self, *words: str) -> tuple[int, str, str]:
        code = cli.run(["gate", *words])
        out, err = self._capsys.readouterr()
        return code, out, err

    def json(self, *words: str) -> tuple[int, dict]:
        code, out, _ = self.gate(*words, "--output", "json")
        found = json.loads(out)
        jsonschema.validate(found, json.loads(SCHEMA.read_text()))
        return code, found


@pytest.fixture
def shop(repo, inside, capsys, monkeypatch, tmp_path, fake) -> Shop:
    root = repo(files())
    inside(root)
    monkeypatch.setenv("PLUGIN_EVAL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.url)
    made = Shop(root, fake, capsys)
    made.commit()
    return made


def verdicts(found: dict) -> dict[str, str]:
    return {row["skill"]: row["verdict"] for row in found["skills"]}


RUN = ("--base", "HEAD", "--runs", "1")


def test_a_description_that_says_nothing_any_more_is_a_regression(shop: Shop) -> None:
    shop.describe(VAGUE)
    code, found = shop.json(*RUN)
    assert (code, found["verdict"]) == (1, "regression")
    assert verdicts(found) == {"shop:label-print": "regression", "shop:tally": "fine"}
    one = found["skills"][0]
    assert (one["base"], one["head"], one["decision"]["difference"]) == (1.0, 0.5, -0.5)
    assert found["base"] is not None and found["head"] is None
    code, out, _ = shop.gate(*RUN)
    assert (
        "Regression: 1 skill" in out and "100.0 % -> 50.0 %" in out and "in the same listing as a changed skill" in out
    )


def test_other_words_for_the_same_are_fine(shop: Shop) -> None:
    shop.describe("Makes a label for a parcel. Use when a label is wanted.")
    code, found = shop.json(*RUN)
    assert (code, verdicts(found)) == (0, {"shop:label-print": "fine", "shop:tally": "fine"})


def test_a_skill_that_takes_its_neighbours_prompts_is_told_at_the_neighbour(shop: Shop) -> None:
    shop.describe("Does everything with labels, and counts stock. Use always.", "a-first")
    shop.commit()
    shop.describe(TALLY.replace("stock", "goods"), "tally")
    code, found = shop.json(*RUN)
    assert code == 1 and verdicts(found)["shop:tally"] == "regression"


def test_what_is_not_listed_otherwise_costs_nothing(shop: Shop) -> None:
    shop.write("shop/skills/label-print/SKILL.md", skill("label-print", GOOD) + "More text.\n")
    shop.write("README.md", "x")
    code, found = shop.json(*RUN)
    assert (code, found["verdict"], shop.fake.calls, found["trials"]["made"]) == (0, "fine", 0, 0)
    assert {row["change"] for row in found["skills"]} == {"unchanged"}
    out = shop.gate(*RUN)[1]
    assert (
        "Nothing to compare" in out and "listing entry is unchanged: 2 skills." in out and "sampling error" not in out
    )
    assert "no skill with labels to test" in shop.gate(*RUN, "--estimate")[1]


def test_models_are_those_of_the_configuration_where_the_skills_are(shop: Shop) -> None:
    shop.write("shop/.plugin-eval.yaml", "models: {haiku: mine}\nprices: {mine: 0.1/0.5}\n")
    shop.describe(VAGUE)
    assert "calls to mine," in shop.gate("shop", *RUN, "--estimate")[1]
    assert "calls to mine," in shop.gate("shop/skills/label-print", "shop/skills/tally", *RUN, "--estimate")[1]
    assert "calls to claude-haiku" in shop.gate(*RUN, "--estimate")[1]


def test_nothing_is_paid_twice(shop: Shop) -> None:
    shop.describe(VAGUE)
    first = shop.json(*RUN)
    paid = shop.fake.calls
    assert paid == 2 * 2 * 52
    again = shop.json(*RUN)
    assert shop.fake.calls == paid
    assert again[1]["skills"] == first[1]["skills"]


def test_few_prompts_are_inconclusive_and_strict_says_so(shop: Shop) -> None:
    for name in ("label-print", "tally"):
        shop.write(f"shop/skills/{name}/evals/triggers.yaml", labels(name.partition("-")[0], 3, 3))
    shop.describe(VAGUE)
    code, out, err = shop.gate(*RUN)
    assert code == 0 and "6 clusters of prompts are too few" in out and "Inconclusive" in err
    assert shop.gate(*RUN, "--strict")[0] == 1


def test_without_labels_there_is_no_verdict(shop: Shop) -> None:
    shutil.rmtree(shop.root / "shop/skills/label-print/evals")
    shop.describe(VAGUE)
    code, found = shop.json(*RUN)
    assert code == 0 and verdicts(found) == {"shop:label-print": "no verdict", "shop:tally": "fine"}
    assert "triggers init" in found["skills"][0]["why"] and found["verdict"] == "inconclusive"


def test_labels_that_cannot_be_read_are_wrong_usage(shop: Shop) -> None:
    shop.write("shop/skills/label-print/evals/triggers.yaml", "schema: 1\nprompts: 3\n")
    shop.describe(VAGUE)
    code, _, err = shop.gate(*RUN)
    assert code == 2 and "shop/skills/label-print/evals/triggers.yaml:2:" in err


def test_a_new_skill_has_nothing_to_be_compared_with(shop: Shop) -> None:
    shop.write("shop/skills/pack/SKILL.md", skill("pack", "Packs parcels. Use to pack."))
    shop.write("shop/skills/pack/evals/triggers.yaml", labels("pack"))
    code, found = shop.json(*RUN)
    assert code == 0 and verdicts(found) == {
        "shop:label-print": "fine", "shop:pack": "no verdict", "shop:tally": "fine",
    }  # fmt: skip
    assert "it is new" in next(row for row in found["skills"] if row["skill"] == "shop:pack")["why"]


def test_a_skill_that_is_gone_is_named(shop: Shop) -> None:
    shutil.rmtree(shop.root / "shop/skills/tally")
    code, found = shop.json(*RUN)
    assert (code, verdicts(found)) == (0, {"shop:label-print": "fine"})
    assert found["fields"][0]["gone"] == ["shop:tally"] and "shop:tally" in " ".join(found["notes"])


def test_a_renamed_skill_is_compared_with_what_it_was(shop: Shop) -> None:
    (shop.root / "shop/skills/label-print").rename(shop.root / "shop/skills/printer")
    shop.write("shop/skills/printer/SKILL.md", skill("printer", GOOD))
    git(shop.root, "add", "-A")
    code, found = shop.json(*RUN)
    assert code == 0 and verdicts(found) == {"shop:printer": "fine", "shop:tally": "fine"}
    assert found["skills"][0]["change"] == "renamed" and found["fields"][0]["gone"] == []


def test_a_skill_that_moves_to_another_plugin_is_gone_from_the_first(shop: Shop) -> None:
    shop.write("other/.claude-plugin/plugin.json", '{"name": "other"}')
    shop.write("other/skills/pack/SKILL.md", skill("pack", "Packs parcels. Use to pack."))
    shop.commit()
    (shop.root / "shop/skills/tally").rename(shop.root / "other/skills/tally")
    git(shop.root, "add", "-A")
    _, found = shop.json(*RUN)
    fields = {one["place"]: one for one in found["fields"]}
    assert fields["shop"]["changed"] and fields["shop"]["gone"] == ["shop:tally"] and fields["other"]["gone"] == []
    assert {row["skill"]: row["change"] for row in found["skills"]} == {
        "other:pack": "sibling", "other:tally": "renamed", "shop:label-print": "sibling",
    }  # fmt: skip


def test_two_revisions_by_name(shop: Shop) -> None:
    shop.describe(VAGUE)
    shop.commit()
    shop.describe(GOOD)  # what lies in the folder does not count
    code, found = shop.json("--base", "HEAD~1", "--head", "HEAD", "--runs", "1")
    assert code == 1 and found["head"] is not None


@pytest.mark.parametrize("base", ["gone", "--x"])
def test_a_base_that_is_not_there(shop: Shop, base: str) -> None:
    assert shop.gate(f"--base={base}")[0] == 2


def test_too_many_errors_are_no_verdict(shop: Shop) -> None:
    shop.fake.on(Fail(400, "no"), prompt="number 1")
    shop.fake.on(Say("", stop="refusal"), prompt="number 2")
    shop.fake.on(Say("", stop="refusal"), prompt="what is 1")
    shop.describe(VAGUE)
    code, found = shop.json(*RUN)
    assert (code, found["verdict"]) == (3, "unmeasured")
    assert "trials failed" in found["skills"][0]["why"] and found["skills"][0]["decision"] is None


def test_without_a_key_nothing_is_measured(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.delenv("ANTHROPIC_BASE_URL")
    shop.describe(VAGUE)
    code, _, err = shop.gate(*RUN)
    assert code == 3 and "no API key" in err


def test_one_revision_twice(shop: Shop) -> None:
    shop.fake.on(subject(noise=0.2))
    code, found = shop.json("--self-test", "--runs", "3")
    assert code == 0 and "regression" not in verdicts(found).values()
    assert found["self_test"]["alarms"] <= 0.1 and 0 < found["self_test"]["flipped"] < 0.3
    assert shop.fake.calls == 2 * 2 * 3 * 52  # both sides are asked: no answer may agree with itself
    assert "Self-test" in shop.gate("--self-test", "--runs", "3")[1]


def test_one_revision_twice_without_an_answer_has_no_share_of_alarms(shop: Shop) -> None:
    shop.fake.on(Say("", stop="refusal"))
    code, found = shop.json("--self-test", "--runs", "1")
    assert (code, found["self_test"]) == (3, None)
    assert "Self-test" not in shop.gate("--self-test", "--runs", "1")[1]


def test_a_broken_description_needs_fewer_calls_with_early_stop(shop: Shop) -> None:
    shop.describe(VAGUE)
    code, found = shop.json(*RUN, "--early-stop")
    assert code == 1 and verdicts(found)["shop:label-print"] == "regression"
    assert shop.fake.calls == found["trials"]["made"] < found["trials"]["planned"] == 208
    assert any("trials were skipped" in note for note in found["notes"])


@pytest.mark.parametrize(("floor", "code", "verdict"), [("60", 0, "above the floor"), ("95", 1, "below the floor")])
def test_an_absolute_floor(shop: Shop, floor: str, code: int, verdict: str) -> None:
    shop.fake.on(subject(noise=0.6) if code else subject())
    got, found = shop.json("--floor", floor, "--runs", "3", "--early-stop")
    assert (got, set(verdicts(found).values())) == (code, {verdict})
    assert found["trials"]["made"] < found["trials"]["planned"]


def test_a_result_of_the_base_is_taken_in_place_of_paying(shop: Shop, tmp_path: Path) -> None:
    file = tmp_path / "base.json"
    file.write_text(shop.gate("--runs", "1", "--output", "json")[1])
    paid = shop.fake.calls
    shop.describe(VAGUE)
    direct = json.loads(json.dumps(shop.json(*RUN)[1]["skills"]))
    shutil.rmtree(tmp_path / "cache")
    before = shop.fake.calls
    code, found = shop.json(*RUN, "--base-result", str(file))
    assert code == 1 and shop.fake.calls - before == paid == 104
    assert [row["decision"] for row in found["skills"]] == [row["decision"] for row in direct]


def test_a_result_of_another_method_or_another_base_is_refused(shop: Shop, tmp_path: Path) -> None:
    file = tmp_path / "base.json"
    file.write_text(shop.gate("--runs", "2", "--output", "json")[1])
    shop.describe(VAGUE)
    code, _, err = shop.gate(*RUN, "--base-result", str(file))
    assert code == 2 and "the runs of each prompt differs: 2 and 1" in err
    shop.commit()
    shop.describe(GOOD)
    code, _, err = shop.gate("--base", "HEAD", "--runs", "2", "--base-result", str(file))
    assert code == 2 and "names and descriptions" in err


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"method": 3}', '{"method": {"parts": {"a": 1}}}'])
def test_a_file_that_is_no_result(shop: Shop, tmp_path: Path, text: str) -> None:
    shop.describe(VAGUE)
    file = tmp_path / "base.json"
    file.write_text(text)
    assert shop.gate(*RUN, "--base-result", str(file))[0] == 2


def test_a_result_that_lost_something_is_refused_and_not_inconclusive(shop: Shop, tmp_path: Path) -> None:
    file = tmp_path / "base.json"
    whole = shop.json("--runs", "1")[1]
    shop.describe(VAGUE)
    for lost, said in (
        ({"skills": None}, "no prompts for shop:label-print"),
        ({"skills": whole["skills"][1:]}, "no prompts for shop:label-print"),
        ({"schema_version": "2.0"}, "schema_version"),
    ):
        file.write_text(json.dumps(whole | lost))
        code, _, err = shop.gate(*RUN, "--base-result", str(file))
        assert code == 2 and said in err, (lost.keys(), err)
    file.write_text(json.dumps(whole))
    assert shop.gate(*RUN, "--base-result", str(file))[0] == 1


def test_a_skill_that_cannot_be_read_is_no_regression(shop: Shop) -> None:
    (shop.root / "shop/skills/label-print/SKILL.md").write_bytes(b"\xff\xfe\x00")
    code, out, err = shop.gate(*RUN)
    assert (code, out, shop.fake.calls) == (2, "", 0)
    assert "shop/skills/label-print/SKILL.md: the file is UTF-16" in err


def test_skills_of_one_name_get_no_verdict_and_the_others_do(shop: Shop) -> None:
    shop.write("shop/skills/a-copy/SKILL.md", skill("label-print", VAGUE))
    code, found = shop.json(*RUN)
    assert code == 0
    same = {row["path"]: row["verdict"] for row in found["skills"] if row["skill"] == "shop:label-print"}
    assert len(same) == 2 and not set(same.values()) & {"fine", "regression"}
    assert [row["verdict"] for row in found["skills"] if row["skill"] == "shop:tally"] == ["fine"]
    assert any("a-copy/SKILL.md" in note and "under the same name" in note for note in found["notes"])


def test_an_estimate_sends_nothing_and_counts_both_sides(shop: Shop) -> None:
    shop.describe(VAGUE)
    code, out, _ = shop.gate(*RUN, "--estimate")
    assert code == 0 and shop.fake.seen == [] and re.search(r"\d+ calls to claude-haiku", out)


def test_a_cassette_replays_without_a_connection(shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shop.describe(VAGUE)
    cassette = str(tmp_path / "cassette")
    first = shop.json(*RUN, "--cassette", cassette, "--record")
    paid = len(shop.fake.seen)
    again = shop.json(*RUN, "--cassette", cassette, "--replay")
    assert (again[0], again[1]["skills"], len(shop.fake.seen)) == (first[0], first[1]["skills"], paid)
    shop.describe("Another. Use never.")
    assert shop.gate(*RUN, "--cassette", cassette, "--replay")[0] == 3


def test_markdown_and_annotations(shop: Shop) -> None:
    shop.describe(VAGUE)
    _, out, _ = shop.gate(*RUN, "--output", "markdown")
    assert out.startswith("### Triggering: Regression") and "| `shop:label-print` | ❌ regression |" in out
    _, out, _ = shop.gate(*RUN, "--output", "github")
    assert "::error file=shop/skills/label-print/SKILL.md,title=triggering%3A regression::" in out


@pytest.mark.parametrize(
    "words",
    [("--self-test", "--base", "HEAD"), ("--base-result", "x"), ("--margin", "0"), ("--floor", "100"), ("gone",)],
    ids=str,
)
def test_wrong_usage(shop: Shop, words: tuple[str, ...]) -> None:
    assert shop.gate(*words)[0] == 2


def lone(shop: Shop) -> None:
    """Every trial begins by looking around, so each has a second turn."""

    def answer(seen: Seen) -> Say:
        return Say("", calls=[("Bash", {"command": "ls"})]) if seen.turn == 0 else subject()(seen)

    shop.fake.on(answer)


def test_a_gate_in_batches_needs_a_run_for_each_turn_and_says_the_same(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lone(shop)
    shop.describe(VAGUE)
    alone = shop.json(*RUN)[1]
    paid, cost = shop.fake.calls, alone["model_usage"]["cost_usd"]
    monkeypatch.setenv("PLUGIN_EVAL_CACHE", str(tmp_path / "another"))
    for turn in range(2):
        code, out, err = shop.gate(*RUN, "--batch")
        assert (code, out) == (3, "") and "submitted 208 requests" in err, turn
    code, found = shop.json(*RUN, "--batch")
    assert code == 1 and found["skills"] == alone["skills"]
    assert (shop.fake.batched, shop.fake.calls) == (paid, paid) == (416, 416)
    again = shop.json(*RUN, "--batch")[1]
    assert again["skills"] == alone["skills"] and shop.fake.batched == 416
    assert found["model_usage"]["cost_usd"] < cost


def test_a_gate_that_waits_for_its_batches(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plugin_eval_ci.evals.llm.anthropic.batches._POLL", (0.01, 0.02))
    lone(shop)
    shop.fake.batch_polls = 2
    shop.describe(VAGUE)
    code, found = shop.json(*RUN, "--batch", "--wait", "60")
    assert code == 1 and len(shop.fake.batches) == 2 and found["verdict"] == "regression"


def test_shards_of_a_gate_say_together_what_one_run_says(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lone(shop)
    shop.describe(VAGUE)
    whole = shop.json(*RUN)[1]
    paid = shop.fake.calls
    folders: list[str] = []
    for part in ("1/2", "2/2"):
        monkeypatch.setenv("PLUGIN_EVAL_CACHE", str(tmp_path / part.replace("/", "-")))
        folders += ["--cassette", str(tmp_path / f"cassette-{part[0]}")]
        code, out, err = shop.gate(*RUN, "--shard", part, *folders[-2:], "--record")
        assert (code, out) == (0, "") and f"shard {part}: " in err
    assert shop.fake.calls == 2 * paid
    code, found = shop.json(*RUN, *folders, "--replay")
    assert code == 1 and found["skills"] == whole["skills"] and shop.fake.calls == 2 * paid


@pytest.mark.parametrize(
    "words",
    [
        ("--wait", "3"),
        ("--batch", "--replay"),
        ("--shard", "0/2"),
        ("--shard", "3/2"),
        ("--shard", "two"),
        ("--batch", "--early-stop"),
        ("--cassette", "a", "--cassette", "b", "--record"),
    ],
    ids=str,
)
def test_wrong_usage_of_batches_and_shards(shop: Shop, words: tuple[str, ...]) -> None:
    shop.describe(VAGUE)
    assert shop.gate(*RUN, *words)[0] == 2
