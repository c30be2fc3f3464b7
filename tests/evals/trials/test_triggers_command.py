"""``plugin-eval triggers check`` and ``import``, from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from plugin_eval_ci import cli
from plugin_eval_ci.evals.trials.values import Prompt
from tests.evals.trials.conftest import found_in
from tests.evals.trials.test_guards import good
from tests.evals.trials.test_importers import DOODLE, FORMS, QUERIES

Shop = Callable[..., Path]
Run = Callable[..., tuple[int, str, str]]
SCHEMAS = Path(cli.__file__).parents[1] / "schemas"
STOCK = "shop/skills/stock-report"
FILE = f"{STOCK}/evals/triggers.yaml"


def yaml(prompts: list[Prompt]) -> str:
    lines = [
        f"- {{id: {one.id}, prompt: {json.dumps(one.text)}, expect: {'target' if one.expect else 'none'}, kind: {one.kind}, split: {one.split}}}\n"
        for one in prompts
    ]
    return "prompts:\n" + "".join(lines)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: str) -> tuple[int, str, str]:
        code = cli.run(["triggers", *words])
        out, err = capsys.readouterr()
        return code, out, err

    return call


def test_good_labels(shop: Shop, inside: Callable[[Path], None], run: Run) -> None:
    inside(shop({"evals/triggers.yaml": yaml(good())}))
    code, out, err = run("check", STOCK)
    assert (code, err) == (0, "")
    assert out == f"shop:stock-report: 9 positives, 9 negatives, 18 reviewed; {FILE}\n"


def test_a_whole_plugin_and_json(shop: Shop, inside: Callable[[Path], None], run: Run) -> None:
    inside(shop({"evals/triggers.yaml": yaml(good())}))
    code, out, _ = run("check", "--output", "json")
    document = json.loads(out)
    jsonschema.Draft202012Validator(json.loads((SCHEMAS / "triggers-check.schema.json").read_text())).validate(document)
    assert code == 0
    assert [(one["skill"], one["usable"], one["positives"]) for one in document["skills"]] == [
        ("shop:price-list", False, 0),
        ("shop:stock-report", True, 9),
    ]


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (yaml(good()[:9]), 1, f"{FILE}:1: error: one-sided"),
        (yaml([*good(), Prompt("x", "use stock-report", "", ())]), 1, f"{FILE}:20: error: x names the skill"),
        ("prompts: [", 1, f"{FILE}:1: error: invalid YAML"),
        (yaml(good()[3:]), 0, "warning: 6 positives".replace("positives", "positive prompts")),
    ],
)
def test_what_is_said(shop: Shop, inside: Callable[[Path], None], run: Run, text: str, code: int, said: str) -> None:
    inside(shop({"evals/triggers.yaml": text}))
    got, out, _ = run("check", STOCK)
    assert got == code and said in out


def test_hostile_words_are_escaped(shop: Shop, inside: Callable[[Path], None], run: Run) -> None:
    inside(shop({"evals/triggers.yaml": 'prompts: [{prompt: a, expect: "\\e[31m\\n::error::x"}]'}))
    code, out, _ = run("check", STOCK)
    assert code == 1 and "\x1b" not in out and out.count("\n") == 2


def test_nothing_to_look_at(shop: Shop, inside: Callable[[Path], None], run: Run) -> None:
    inside(shop({}))
    code, out, err = run("check")
    assert code == 2 and "no labels found" in err
    assert "shop:stock-report: no labels" in out
    assert run("check", "gone")[0] == 2


def test_a_skill_that_cannot_be_chosen(
    repo: Callable[..., Path], skill_text: Callable[..., str], inside: Callable[[Path], None], run: Run
) -> None:
    inside(
        repo(
            {
                "skills/a/SKILL.md": skill_text("a", extra="disable-model-invocation: true"),
                "skills/a/evals/triggers.yaml": "x",
            }
        )
    )
    code, out, err = run("check")
    assert (code, out) == (2, "") and "cannot choose this skill" in err


@pytest.mark.parametrize("files", [files for _, files in FORMS], ids=range(len(FORMS)))
def test_import_says_the_same(shop: Shop, inside: Callable[[Path], None], run: Run, files: dict[str, str]) -> None:
    root = shop(files)
    inside(root)
    before = next(one for one in found_in(root).labels if one.skill == "shop:stock-report")
    code, out, err = run("import", f"{STOCK}/{next(iter(files))}")
    assert (code, out) == (0, ""), err
    after = next(one for one in found_in(root).labels if one.skill == "shop:stock-report")
    assert after.form == "" and after.file == FILE
    assert (after.digest, len(after.prompts)) == (before.digest, len(before.prompts))


def test_import_never_writes_over_a_file(shop: Shop, inside: Callable[[Path], None], run: Run) -> None:
    root = shop({"evals/triggers.yaml": "mine", "eval.yaml": DOODLE})
    inside(root)
    code, _, err = run("import", f"{STOCK}/eval.yaml")
    assert code == 2 and "already exists; use --force" in err
    assert (root / FILE).read_text() == "mine"
    code, out, _ = run("import", f"{STOCK}/eval.yaml", "--output", "-")
    assert code == 0 and "how many are left" in out and (root / FILE).read_text() == "mine"
    assert run("import", f"{STOCK}/eval.yaml", "--force")[0] == 0
    assert "how many are left" in (root / FILE).read_text()


def test_import_of_several_files_and_of_files_from_elsewhere(
    shop: Shop, inside: Callable[[Path], None], run: Run, tmp_path: Path
) -> None:
    more = tmp_path / "more.json"
    more.write_text(json.dumps([{"query": "another one", "should_trigger": True}, QUERIES[0]]))
    inside(shop({"eval.yaml": DOODLE}))
    code, out, _ = run("import", f"{STOCK}/eval.yaml", str(more), "--skill", STOCK, "--output", "-")
    assert code == 0 and out.count("prompt:") == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x: 1", "not labels in a known form"),
        ("should_fire: [", "eval.yaml:1: invalid YAML"),
        ("kind: trigger\nskill: price-list\npositive: [a]\n", "no labels of shop:stock-report"),
    ],
)
def test_what_cannot_be_imported(shop: Shop, inside: Callable[[Path], None], run: Run, text: str, said: str) -> None:
    root = shop({"eval.yaml": text})
    inside(root)
    code, _, err = run("import", f"{STOCK}/eval.yaml", "--skill", STOCK)
    assert code == 2 and said in err
    assert not (root / FILE).exists()
