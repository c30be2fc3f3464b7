"""What has one right answer is put right; every other byte stays; a second run changes nothing."""

import os
import subprocess
import sys

import pytest

from plugin_eval_ci.cli import run
from plugin_eval_ci.config import Config
from plugin_eval_ci.lint.evaluate import evaluate
from plugin_eval_ci.lint.fix import FIXABLE, apply_fixes

HEAD = "---\nname: cash-report\ndescription: Sums the tills of a day. Use when someone asks for the takings.\n---\n\n# Cash\n\nSum each till.\n"

CASES = {
    "bom": ("\ufeff" + HEAD, HEAD),
    "bom-crlf": ("\ufeff" + HEAD.replace("\n", "\r\n"), HEAD.replace("\n", "\r\n")),
    "colon": (
        HEAD.replace("Sums the", "Sums: the"),
        HEAD.replace(
            "Sums the tills of a day. Use when someone asks for the takings.",
            "'Sums: the tills of a day. Use when someone asks for the takings.'",
        ),
    ),
    "colon-and-apostrophe": (
        HEAD.replace("Sums the", "Day's sums: the"),
        HEAD.replace(
            "Sums the tills of a day. Use when someone asks for the takings.",
            "'Day''s sums: the tills of a day. Use when someone asks for the takings.'",
        ),
    ),
    "name": (HEAD.replace("cash-report", "cash-reports"), HEAD),
    "name-quoted": (HEAD.replace("cash-report", '"cash-reports"'), HEAD.replace("cash-report", '"cash-report"')),
    "name-comment": (
        HEAD.replace("cash-report", "cash-reports # the name"),
        HEAD.replace("cash-report", "cash-report # the name"),
    ),
    "fence": (HEAD + "\n```sh\nls\n", HEAD + "\n```sh\nls\n```\n"),
    "fence-without-newline": (HEAD + "\n~~~~\nls", HEAD + "\n~~~~\nls\n~~~~\n"),
    "fence-before-prose": (
        HEAD + "\n```sh\nls\n\n## Next\n\nMail it.\n",
        HEAD + "\n```sh\nls\n\n## Next\n\nMail it.\n",
    ),
    "fence-that-meant-to-close": (HEAD + "\nls\n```\n\n## Next\n", HEAD + "\nls\n```\n\n## Next\n"),
    "fence-style": (HEAD.replace("---\n", "--- \n", 1), HEAD),
    "link-case": (
        HEAD + "\nSee [notes](References/Notes.md#a) and ![n](./references/NOTES.md).\n",
        HEAD + "\nSee [notes](references/notes.md#a) and ![n](./references/notes.md).\n",
    ),
    "nothing": (HEAD, HEAD),
    "two-colons-already-quoted": (HEAD.replace("Sums the", '"Sums: the'), HEAD.replace("Sums the", '"Sums: the')),
    "no-header": ("# Cash\n", "# Cash\n"),
    "latin-1-left-alone": (HEAD.encode() + b"\xe4\n", HEAD.encode() + b"\xe4\n"),
}


def data(text):
    return text if isinstance(text, bytes) else text.encode()


@pytest.fixture
def skill(tmp_path):
    (tmp_path / ".git").mkdir()
    folder = tmp_path / "skills" / "cash-report"
    (folder / "references").mkdir(parents=True)
    (folder / "references" / "notes.md").write_text("# A\n")
    return folder / "SKILL.md"


@pytest.mark.parametrize("name", CASES)
def test_corrects_and_is_idempotent(name, skill):
    before, after = (data(text) for text in CASES[name])
    skill.write_bytes(before)
    run(["lint", "--fix", "--fail-on", "never", str(skill.parent)])
    assert skill.read_bytes() == after
    run(["lint", "--fix", "--fail-on", "never", str(skill.parent)])
    assert skill.read_bytes() == after


@pytest.mark.parametrize("name", CASES)
def test_diff_writes_nothing_and_shows_the_change(name, skill, capsys):
    before, after = (data(text) for text in CASES[name])
    skill.write_bytes(before)
    code = run(["lint", "--diff", str(skill.parent)])
    shown = capsys.readouterr().out
    assert skill.read_bytes() == before
    assert code == int(before != after)
    assert bool(shown) == (before != after)


def test_the_mode_of_a_file_is_kept(skill):
    skill.write_text("\ufeff" + HEAD)
    skill.chmod(0o640)
    run(["lint", "--fix", "--fail-on", "never", str(skill.parent)])
    assert skill.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in skill.parent.iterdir() if path.name.startswith(".plugin")] == []


def test_a_file_reached_by_a_link_out_of_the_repository_is_not_written(skill, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "SKILL.md"
    outside.write_text("\ufeff" + HEAD)
    skill.symlink_to(outside)
    run(["lint", "--fix", "--fail-on", "never", str(skill.parent)])
    assert outside.read_text() == "\ufeff" + HEAD


def test_a_mended_skill_has_no_finding_of_that_kind_left(skill):
    for before, _ in CASES.values():
        skill.write_bytes(data(before))
        evaluation = evaluate((str(skill.parent),), Config())
        after, corrected = apply_fixes(skill.read_bytes(), evaluation.collection.skills[0], evaluation.checked.findings)
        assert (after != data(before)) == bool(corrected) and corrected.keys() <= FIXABLE.keys()
        assert corrected.keys() <= {finding.rule for finding in evaluation.checked.findings}
        if corrected:
            skill.write_bytes(after)
            left = {finding.rule for finding in evaluate((str(skill.parent),), Config()).checked.findings}
            assert not left & {
                "FILE_BOM",
                "FM_INVALID_YAML",
                "NAME_DIR_MISMATCH",
                "FENCE_UNCLOSED",
                "FM_FENCE_STYLE",
                "ORPHAN_REFERENCE",
            }


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_named_pipe_is_left_alone(skill, capsys):
    pipe = skill.parent.parent / "pipe" / "SKILL.md"
    pipe.parent.mkdir()
    os.mkfifo(pipe)
    assert run(["lint", "--fix", "--fail-on", "never", str(pipe.parent.parent)]) == 0
    assert "pipe/SKILL.md:1: error FILE_UNREADABLE" in capsys.readouterr().out
    baseline = skill.parent / "baseline.json"
    os.mkfifo(baseline)
    assert run(["lint", "--baseline", str(baseline), str(skill)]) == 2
    assert "not a regular file" in capsys.readouterr().err


def test_from_the_command_line(skill):
    skill.write_text(HEAD.replace("cash-report", "cash-reports"))
    command = [sys.executable, "-m", "plugin_eval_ci", "lint", "--fix", str(skill.parent)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode in (0, 1) and done.stderr.splitlines()[:2] == [
        "plugin-eval: skills/cash-report/SKILL.md: fixed NAME_DIR_MISMATCH",
        "plugin-eval: fixed 1 place in 1 file; the remaining findings follow",
    ]


def test_each_rule_is_named_with_its_count(skill, capsys):
    skill.write_text("\ufeff" + HEAD + "\n[a](References/Notes.md)\n\n[b](references/NOTES.md)\n")
    assert run(["lint", "--diff", str(skill.parent)]) == 1
    assert capsys.readouterr().err == "plugin-eval: --fix would fix 3 places in 1 file\n"
    assert run(["lint", "--fix", str(skill.parent)]) == 0
    first, second = capsys.readouterr().err.splitlines()
    assert first.endswith("SKILL.md: fixed FILE_BOM, ORPHAN_REFERENCE, REF_CASE")
    assert second == "plugin-eval: fixed 3 places in 1 file; the remaining findings follow"


@pytest.mark.parametrize("option", ["--fix", "--diff"])
def test_nothing_to_correct_is_said_but_not_by_a_hook(option, skill, capsys):
    skill.write_text(HEAD + "\n[a](references/gone.md)\n")
    assert run(["lint", option, "--fail-on", "never", str(skill.parent)]) == 0
    assert capsys.readouterr().err.startswith("plugin-eval: nothing to fix: ")
    assert run(["lint", option, "--hook", "--fail-on", "never", str(skill)]) == 0
    assert capsys.readouterr().err == ""


def test_a_file_that_cannot_be_written_is_not_counted(skill, capsys, monkeypatch):
    def refusing(*_):
        raise PermissionError(13, "Permission denied")

    skill.write_text("\ufeff" + HEAD)
    monkeypatch.setattr("plugin_eval_ci.commands.fix._replace", refusing)
    assert run(["lint", "--fix", str(skill.parent)]) == 1
    assert capsys.readouterr().err == "plugin-eval: skills/cash-report/SKILL.md: cannot be written: Permission denied\n"


def test_an_accepted_letter_case_is_left_alone(skill):
    link = "See [notes](References/Notes.md).\n"
    text = HEAD + "\n<!-- plugin-eval: ignore[REF_CASE] the old name -->\n" + link + "\nRead references/NOTES.md.\n"
    skill.write_text(text + "\n[b](references/NOTES.md)\n")
    run(["lint", "--fix", str(skill.parent)])
    assert skill.read_text() == text + "\n[b](references/notes.md)\n"


def test_the_list_and_the_page_of_a_rule_say_what_a_fix_does(capsys):
    assert run(["rules"]) == 0
    marked = {line.split()[0] for line in capsys.readouterr().out.splitlines() if line.split()[2:3] == ["fix"]}
    assert marked == set(FIXABLE)
    assert run(["explain", "FILE_BOM"]) == 0 and "lint --fix` drops the mark." in capsys.readouterr().out
    assert run(["explain", "NO_SKILLS"]) == 0 and "--fix" not in capsys.readouterr().out
