"""``--format`` is a format and ``--output`` a file; a bare format name after ``--output`` still means the format."""

import json

import pytest

from plugin_eval_ci import cli

A = "skills/stock-report"


@pytest.fixture(autouse=True)
def here(repo, inside, skill_text):
    return inside(repo({f"{A}/SKILL.md": skill_text("other")}))


@pytest.mark.parametrize(
    "words", [["lint", A], ["score", A, "--depth", "quick"], ["report"], ["rules"], ["compare", A, A]]
)
def test_format_alias_and_file_say_the_same(words, capsys, tmp_path):
    code = cli.run([*words, "--format", "json"])
    printed = capsys.readouterr().out
    assert json.loads(printed)
    assert cli.run([*words, "--output", "json"]) == code and capsys.readouterr().out == printed
    file = tmp_path / "out.json"
    assert cli.run([*words, "--format", "json", "-o", str(file)]) == code
    assert capsys.readouterr().out == "" and file.read_text(encoding="utf-8") == printed


def test_a_group_stands_for_its_rules(capsys):
    assert cli.run(["lint", "--select", "name", "--format", "concise", "--fail-on", "notice"]) == 1
    found = capsys.readouterr().out.splitlines()
    assert found and all(" NAME_" in line for line in found)
    assert cli.run(["lint", "--ignore", "name", "--format", "concise"]) == 0
    assert "NAME_DIR_MISMATCH" not in capsys.readouterr().out


def test_statistics_and_exit_zero(capsys):
    assert cli.run(["lint", "--statistics", "--exit-zero", "--fail-on", "error"]) == 2
    assert cli.run(["lint", "--statistics", "--exit-zero"]) == 0
    assert "1  " in capsys.readouterr().out
