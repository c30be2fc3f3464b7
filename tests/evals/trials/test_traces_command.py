"""``plugin-eval traces``, from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from plugin_eval_ci import cli
from plugin_eval_ci.config.yaml_values import compose
from plugin_eval_ci.evals.trials.catalogue import Names
from plugin_eval_ci.evals.trials.labels.file import labels_of
from tests.evals.trials.sessions import answer, command, lines, listing, load, said
from tests.evals.trials.test_redaction import KEY

Run = Callable[..., tuple[int, str, str]]
SCHEMA = json.loads((Path(cli.__file__).parents[1] / "schemas" / "traces.schema.json").read_text())
OWN = "shop:stock-report"
RECORD = lines(
    listing(OWN, "shop:price-list"),
    said(f"how many are left, my key is {KEY}"),
    answer(load(OWN)),
    answer(),
    said("what does it cost"),
    answer(load("shop:price-list")),
    said("say hello to bob@example.com"),
    answer(),
    said("use stock-report again"),
    answer(load(OWN)),
    command(OWN, "count the bolts"),
    answer(),
    command("clear"),
)


@pytest.fixture
def run(tmp_path: Path, inside: Callable[[Path], None], capsys: pytest.CaptureFixture[str]) -> Run:
    inside(tmp_path)
    (tmp_path / "a.jsonl").write_text(RECORD)

    def call(*words: str) -> tuple[int, str, str]:
        code = cli.run(["traces", *words])
        out, err = capsys.readouterr()
        return code, out, err

    return call


def test_text(run: Run) -> None:
    code, out, err = run("a.jsonl")
    assert (code, err) == (0, "")
    assert out.startswith("1 file, 1 session, 6 prompts; skills fired 4 times\n\n")
    row = next(line.split() for line in out.splitlines() if line.startswith(OWN))
    assert row[1:] == ["3", "2", "1", "6", "220", "less", "than", "$0.01"]
    assert "  how many are left, my key is [secret]" in out and KEY[:12] not in out
    assert "Not counted: 1 slash command that may or may not" in out


def test_json(run: Run) -> None:
    code, out, _ = run("a.jsonl", "--output", "json")
    document = json.loads(out)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert code == 0 and document["prompts"] == 6 and document["other_commands"] == 1
    assert [(one["skill"], one["fired"], one["by_user"]) for one in document["skills"]] == [
        (OWN, 3, 1),
        ("shop:price-list", 1, 0),
    ]
    assert document["skills"][0]["listed"] == {"sessions": 1, "prompts": 6}


def test_one_skill_by_its_short_name(run: Run) -> None:
    document = json.loads(run("a.jsonl", "--output", "json", "--skill", "price-list")[1])
    assert [one["skill"] for one in document["skills"]] == ["shop:price-list"]


def test_unknown_is_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_text(lines(said("x"), answer(load("a")), answer(model="other")))
    _, out, _ = run("b.jsonl")
    assert next(line.split() for line in out.splitlines() if line.startswith("a "))[4:] == ["unknown", "110", "unknown"]
    assert "The sessions do not record the skill listing" in out
    document = json.loads(run("b.jsonl", "--output", "json")[1])
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert document["skills"][0]["listed"] is None and document["skills"][0]["cost"] is None


@pytest.mark.parametrize("output", ["text", "markdown"])
def test_nothing_of_a_record_is_markup(run: Run, tmp_path: Path, output: str) -> None:
    bad = "x|\x1b[31m\u202e<img src=x> @alice [a](http://b)\n"
    (tmp_path / "b.jsonl").write_text(lines(said(bad + "y"), answer(load("a|b\x1b]8;;\n::error::x")), answer()))
    code, out, _ = run("b.jsonl", "--output", output)
    assert code == 0 and "\x1b" not in out and "\u202e" not in out and "\n::error" not in out
    if output == "markdown":
        assert "\\<img" in out and "[a](" not in out and "a\\|b" in out


def test_folders_and_damage(run: Run, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "c.jsonl").write_text("{broken\n" + RECORD.replace("toolu_", "toolu_c"))
    code, out, _ = run(".")
    assert code == 0 and out.startswith("2 files, 2 sessions, 12 prompts, 1 of 27 lines not read")


def test_what_is_not_there(run: Run, tmp_path: Path) -> None:
    assert run("gone.jsonl")[0] == 2
    (tmp_path / "empty").mkdir()
    assert run("empty")[0] == 2
    import os

    os.mkfifo(tmp_path / "pipe.jsonl")
    code, out, err = run("pipe.jsonl", "a.jsonl")
    assert code == 0 and "1 file not read" in out and "not a regular file" in err
    (tmp_path / "z.jsonl").write_text("")
    assert run("z.jsonl")[1].startswith("1 file, 0 sessions, 0 prompts; skills fired 0 times")


def test_labels(run: Run, tmp_path: Path) -> None:
    code, _, err = run("a.jsonl", "--skill", OWN, "--to-labels", "t.yaml")
    assert code == 0 and "wrote 5 prompts to t.yaml; read them before you commit" in err
    text = (tmp_path / "t.yaml").read_text()
    assert KEY[:12] not in text and "bob@" not in text
    names = Names(OWN, {OWN: OWN, "stock-report": OWN, "shop:price-list": "shop:price-list"})
    labels = labels_of(compose(text), "stock-report", names, "t")
    assert {(one.text, one.expect, one.kind) for one in labels.prompts} == {
        ("how many are left, my key is [secret]", (OWN,), "direct"),
        ("use stock-report again", (OWN,), "explicit"),
        ("count the bolts", (OWN,), "direct"),
        ("what does it cost", ("shop:price-list",), "near_miss"),
        ("say hello to [e-mail]", (), "unrelated"),
    }
    assert {one.source for one in labels.prompts} == {"traffic"} and not any(one.reviewed for one in labels.prompts)


def test_labels_only_of_prompts_on_which_it_could_have_fired(run: Run, tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_text(lines(said("not listed here", "other"), answer(session="other")))
    run("a.jsonl", "b.jsonl", "--skill", OWN, "--to-labels", "t.yaml")
    assert "not listed here" not in (tmp_path / "t.yaml").read_text()


def test_not_too_many_negatives(run: Run, tmp_path: Path) -> None:
    many = lines(*(entry for at in range(50) for entry in (said(f"prompt {at}"), answer())))
    (tmp_path / "a.jsonl").write_text(RECORD + many)
    _, out, err = run("a.jsonl", "--skill", OWN, "--to-labels", "-")
    assert out.count("- id:") == 11 and "44 of 52 prompts on which it did not fire are left out" in err


def test_labels_are_not_written_over(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text("mine")
    assert run("a.jsonl", "--skill", OWN, "--to-labels", "t.yaml")[0] == 2
    assert (tmp_path / "t.yaml").read_text() == "mine"
    assert run("a.jsonl", "--skill", OWN, "--to-labels", "t.yaml", "--force")[0] == 0
    assert run("a.jsonl", "--to-labels", "u.yaml")[0] == 2
    assert run("a.jsonl", "--skill", "nobody", "--to-labels", "u.yaml")[0] == 2
