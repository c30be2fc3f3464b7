"""Our own plugin holds itself to what it tells others."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
PLUGIN = HERE / "plugin"


def run(*words: str, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "plugin_eval_ci", *words], cwd=HERE, capture_output=True, text=True
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def test_it_has_no_findings() -> None:
    assert json.loads(run("lint", "plugin", "--format", "json"))["findings"] == []


def test_it_earns_platinum() -> None:
    assert (
        json.loads(run("score", "plugin", "--depth", "quick", "--output", "json"))["composite"]["badge"] == "platinum"
    )


def test_its_skill_earns_platinum() -> None:
    path = "plugin/skills/evaluation-methodology"
    assert json.loads(run("score", path, "--depth", "quick", "--output", "json"))["composite"]["badge"] == "platinum"


def test_its_numbers_are_generated() -> None:
    subprocess.run([sys.executable, "tools/plugin_pages.py", "--check"], cwd=HERE, check=True)


def test_the_judge_returns_what_its_page_shows() -> None:
    text = (PLUGIN / "agents" / "eval-judge.md").read_text(encoding="utf-8")
    shown = json.loads(text.split("```json\n")[1].split("```")[0])
    rubrics = json.loads(
        (HERE / "plugin_eval_ci" / "evals" / "llm" / "rubrics" / "rubrics.json").read_text(encoding="utf-8")
    )
    assert shown["rubrics"] == rubrics["version"]
    assert set(rubrics["dimensions"]) <= set(shown)


def test_every_command_that_its_pages_name_exists() -> None:
    import re

    import click

    from plugin_eval_ci.cli import cli

    known = set(cli.list_commands(click.Context(cli)))
    for page in PLUGIN.rglob("*.md"):
        for name in re.findall(r"(?:`|^ *)plugin-eval ([a-z]+)", page.read_text(encoding="utf-8"), re.MULTILINE):
            assert name in known, f"{page.name}: plugin-eval {name}"
