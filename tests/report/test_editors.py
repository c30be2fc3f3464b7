"""The patterns of docs/editors.md match what ``--format concise`` prints."""

import json
import re
from pathlib import Path

import pytest

from plugin_eval_ci import cli

PAGE = (Path(__file__).parents[2] / "docs/editors.md").read_text(encoding="utf-8")
PARTS = {"%f": r"(.+?)", "%l": r"(\d+)", "%c": r"(\d+)", "%t": r"(.)", "%m": r"(.*)"}


@pytest.fixture
def lines(repo, inside, capsys, skill_text):
    inside(
        repo({"skills/a/SKILL.md": skill_text("other", body="[x](gone.md)\n"), "skills/b c/SKILL.md": "no header\n"})
    )
    assert cli.run(["lint", "--format", "concise"]) == 1
    found = capsys.readouterr().out.splitlines()
    assert len(found) >= 3
    return found


def test_the_problem_matcher_of_vs_code(lines):
    block = PAGE.split("```json\n")[1].split("```")[0]
    pattern = json.loads(block)["tasks"][0]["problemMatcher"]["pattern"]
    for line in lines:
        match = re.fullmatch(pattern["regexp"], line)
        assert match and match[pattern["file"]].startswith("skills/") and match[pattern["line"]].isdigit()
        assert re.fullmatch("[A-Z_]+", match[pattern["code"]]) and match[pattern["message"]]
        assert match[pattern["severity"]] in ("error", "warning", None)
    assert {re.fullmatch(pattern["regexp"], line)[pattern["severity"]] for line in lines} >= {"error"}


def test_the_errorformat_of_vim(lines):
    formats = PAGE.split("set errorformat=")[1].splitlines()[0].replace("\\ ", " ").split(",")
    patterns = [re.sub("%[flctm]", lambda found: PARTS[found[0]], one) for one in formats]
    for line in lines:
        (match,) = filter(None, (re.fullmatch(pattern, line) for pattern in patterns))
        assert match[1].startswith("skills/") and match[4] in "ewn"
