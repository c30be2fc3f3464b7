"""A rule that fails in the Action: the step ends in 4, says which rule and file, and everything else is still there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from action.conftest import Step, pull_request

from plugin_eval_ci.lint import check
from plugin_eval_ci.model import Document, Hit
from plugin_eval_ci.scoring.static import layer as static
from plugin_eval_ci.util import faults

PATH = "skills/stock-report/SKILL.md"
DAY = {"SOURCE_DATE_EPOCH": "1796083200"}


@pytest.fixture(autouse=True)
def _expected() -> Iterator[None]:
    yield
    faults.forget()


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(document: Document) -> Iterator[Hit]:
        raise ValueError(f"\x1b[31m::error::{document.source.path}")

    rules = tuple(
        rule._replace(on_document=fails, on_skill=None) if rule.name == "BODY_TODO" else rule for rule in check.SINGLE
    )
    monkeypatch.setattr(check, "SINGLE", rules)
    monkeypatch.delenv("PLUGIN_EVAL_DEBUG", raising=False)


@pytest.fixture
def root(merged: Callable[..., Path], skill_text: Callable[..., str]) -> Path:
    def change(root: Path) -> None:
        file = root / PATH
        file.write_text(file.read_text() + "\nTODO: more.\n\n[x](references/gone.md)\n")

    return merged({PATH: skill_text("stock-report")}, change)


@pytest.mark.parametrize("inputs", [{}, {"scope": "all"}, {"annotations": "false"}])
def test_lint(root: Path, step: Step, failing: None, inputs: dict[str, str]) -> None:
    ran = step(root, "pull_request", pull_request(root), inputs)
    assert (ran.code, ran.conclusion) == (4, "error")
    said = [
        (level, place.get("file"), text) for level, place, text in ran.commands if "INTERNAL_ERROR" in place["title"]
    ]
    ((level, file, words),) = said
    assert (level, file) == ("error", PATH) and f"rule BODY_TODO failed on {PATH} (ValueError: " in words
    assert any("rule BODY_TODO failed" in line for line in ran.log)
    assert (("ORPHAN_REFERENCE", PATH) in ran.findings) is (inputs.get("annotations") != "false")
    assert "ORPHAN" in ran.summary and "INTERNAL" in ran.summary and "\x1b" not in ran.summary
    assert json.loads(Path(ran.outputs["json-file"]).read_text())["internal_errors"]
    run = json.loads(Path(ran.outputs["sarif-file"]).read_text())["runs"][0]
    assert run["invocations"][0]["executionSuccessful"] is False
    assert [one["ruleId"] for one in run["results"]] == ["ORPHAN_REFERENCE"]


def test_score(root: Path, step: Step, failing: None, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = step(root, "schedule", {"repository": {"default_branch": "main"}}, {"issue": "off"}, **DAY)
    assert (ran.code, ran.conclusion) == (4, "error") and ran.outputs["score"]
    assert [place.get("file") for level, place, _ in ran.commands if "INTERNAL_ERROR" in place["title"]] == [PATH]
    assert "failed on" in ran.summary
    report = json.loads(Path(ran.outputs["json-file"]).read_text())
    assert report["internal_errors"] and report["targets"][0]["score"] is not None

    def fails(skill: object) -> None:
        raise RecursionError("deep")

    monkeypatch.setattr(static, "token_efficiency", fails)
    ran = step(root, "schedule", {"repository": {"default_branch": "main"}}, {"issue": "off"}, **DAY)
    assert ran.code == 4 and any("scoring failed" in text for _, _, text in ran.commands)
