"""Mode lint, event by event: what is compared with what, what is linted, and how it ends."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from action.conftest import Step, commit, git, pull_request

from plugin_eval_ci.action import main as start

Repo = Callable[..., Path]
Text = Callable[..., str]
Merged = Callable[..., Path]

DEAD = "See [x](references/gone.md)."


def add(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)


def two_skills(skill_text: Text) -> dict[str, str]:
    return {
        "skills/one/SKILL.md": skill_text("one"),
        "skills/two/SKILL.md": skill_text("two", body=DEAD),
        "docs/x.md": "x",
    }


def break_one(skill_text: Text) -> Callable[[Path], None]:
    return lambda root: add(root, "skills/one/SKILL.md", skill_text("one", body=DEAD))


def test_a_pull_request_is_compared_with_the_first_parent(step: Step, merged: Merged, skill_text: Text) -> None:
    root = merged(two_skills(skill_text), break_one(skill_text))
    ran = step(root, "pull_request", pull_request(root))
    base = git(root, "rev-parse", "--short=12", "HEAD^1")
    assert f"plugin-eval: linting 1 of 2 skills and agents, base {base}" in ran.log
    assert ran.findings == [("ORPHAN_REFERENCE", "skills/one/SKILL.md")]
    assert (ran.code, ran.conclusion) == (1, "findings")
    assert (ran.outputs["warnings"], ran.outputs["errors"], ran.outputs["new-findings"]) == ("0", "1", "1")
    assert json.loads(ran.outputs["skills"]) == ["skills/one"]
    assert "ORPHAN_REFERENCE" in ran.summary and "skills/two" not in ran.summary


def test_what_was_there_before_does_not_fail(step: Step, merged: Merged, skill_text: Text) -> None:
    root = merged(
        two_skills(skill_text), lambda root: add(root, "skills/two/SKILL.md", skill_text("two", body=DEAD + " More."))
    )
    ran = step(root, "pull_request", pull_request(root))
    assert (ran.code, ran.conclusion, ran.findings) == (0, "clean", [])
    ran = step(root, "pull_request", pull_request(root), {"only-new": "false"})
    assert (ran.code, ran.findings, ran.outputs["new-findings"]) == (
        1,
        [("ORPHAN_REFERENCE", "skills/two/SKILL.md")],
        "0",
    )


def test_nothing_is_installed_when_nothing_concerns_a_skill(step: Step, merged: Merged, skill_text: Text) -> None:
    root = merged(two_skills(skill_text), lambda root: add(root, "docs/x.md", "y"))
    ran = step(root, "pull_request", pull_request(root))
    assert (ran.code, ran.conclusion, ran.installed, ran.summary) == (0, "empty", False, "")
    assert ran.outputs["skills"] == "[]"
    ran = step(root, "pull_request", pull_request(root), {"scope": "all"})
    assert (
        ran.installed and ran.code == 0 and len(json.loads(ran.outputs["skills"])) == 2
    )  # all of it, and nothing is new


def test_scope_all_without_a_comparison_finds_everything(step: Step, merged: Merged, skill_text: Text) -> None:
    root = merged(two_skills(skill_text), break_one(skill_text))
    ran = step(root, "pull_request", pull_request(root), {"scope": "all", "only-new": "false"})
    assert sorted(ran.findings) == [("ORPHAN_REFERENCE", f"skills/{name}/SKILL.md") for name in ("one", "two")]
    ran = step(root, "pull_request", pull_request(root), {"scope": "all"})
    assert ran.findings == [("ORPHAN_REFERENCE", "skills/one/SKILL.md")]


def test_a_clone_of_depth_two_is_enough(step: Step, merged: Merged, skill_text: Text, tmp_path: Path) -> None:
    root = merged(two_skills(skill_text), break_one(skill_text))
    git(tmp_path, "clone", "-q", "--depth=2", root.as_uri(), "shallow")
    shallow = tmp_path / "shallow"
    payload = pull_request(shallow)
    git(shallow, "remote", "remove", "origin")
    ran = step(shallow, "pull_request", payload)
    assert ran.findings == [("ORPHAN_REFERENCE", "skills/one/SKILL.md")] and ran.outputs["new-findings"] == "1"


@pytest.fixture
def shallow(merged: Merged, skill_text: Text, tmp_path: Path) -> Path:
    """A clone of depth one, whose remote is at hand."""
    root = merged(two_skills(skill_text), break_one(skill_text))
    git(root, "config", "uploadpack.allowAnySHA1InWant", "true")
    git(tmp_path, "clone", "-q", "--depth=1", root.as_uri(), "shallow")
    return tmp_path / "shallow"


def test_a_clone_of_depth_one_gets_the_parent(step: Step, shallow: Path, tmp_path: Path) -> None:
    ran = step(shallow, "pull_request", pull_request(tmp_path / "repo"))
    assert ran.findings == [("ORPHAN_REFERENCE", "skills/one/SKILL.md")] and ran.outputs["new-findings"] == "1"


def test_without_any_base_everything_is_linted_and_it_is_said(step: Step, shallow: Path, tmp_path: Path) -> None:
    payload = pull_request(tmp_path / "repo")
    git(shallow, "remote", "remove", "origin")
    ran = step(shallow, "pull_request", payload)
    assert sorted(ran.findings) == [("ORPHAN_REFERENCE", f"skills/{name}/SKILL.md") for name in ("one", "two")]
    assert [level for level, place, _ in ran.commands if "file" not in place] == ["notice"]
    assert ran.code == 1 and ran.outputs["new-findings"] == ""
    ran = step(shallow, "pull_request", payload, {"base": "origin/main"})
    assert ran.code == 2 and any("input base: origin/main" in data for _, _, data in ran.commands)


def test_the_head_itself_is_compared_with_the_merge_base(step: Step, merged: Merged, skill_text: Text) -> None:
    root = merged(two_skills(skill_text), break_one(skill_text))
    payload = pull_request(root)
    git(root, "checkout", "-q", "main")
    git(root, "reset", "-q", "--hard", "HEAD^1")
    add(root, "skills/two/SKILL.md", skill_text("two", body="Better."))  # main moved on
    payload["pull_request"]["base"]["sha"] = commit(root)  # type: ignore[index]
    git(root, "checkout", "-q", "topic")
    ran = step(root, "pull_request", payload, GITHUB_SHA="f" * 40)
    assert ran.findings == [("ORPHAN_REFERENCE", "skills/one/SKILL.md")]
    assert json.loads(ran.outputs["skills"]) == ["skills/one"]


def test_merge_group(step: Step, merged: Merged, skill_text: Text) -> None:
    root = merged(two_skills(skill_text), break_one(skill_text))
    ran = step(
        root,
        "merge_group",
        {"merge_group": {"base_sha": git(root, "rev-parse", "HEAD^1"), "head_sha": git(root, "rev-parse", "HEAD")}},
    )
    assert ran.findings == [("ORPHAN_REFERENCE", "skills/one/SKILL.md")]
    ran = step(root, "merge_group", {"merge_group": {"base_sha": "a" * 40, "head_sha": "b" * 40}})
    assert len(ran.findings) == 2 and any("merge group's base" in data for _, _, data in ran.commands)


def test_push(step: Step, merged: Merged, skill_text: Text) -> None:
    root = merged(two_skills(skill_text), break_one(skill_text))
    ran = step(root, "push", {"before": git(root, "rev-parse", "HEAD^1"), "after": git(root, "rev-parse", "HEAD")})
    assert ran.findings == [("ORPHAN_REFERENCE", "skills/one/SKILL.md")]
    new_branch = step(root, "push", {"before": "0" * 40, "after": git(root, "rev-parse", "HEAD")})
    assert len(new_branch.findings) == 2
    assert all("file" in place for _, place, _ in new_branch.commands)  # a new branch is no reason to complain
    forced = step(root, "push", {"before": "e" * 40})
    assert len(forced.findings) == 2 and any("before the push" in data for _, _, data in forced.commands)


@pytest.mark.parametrize("event", ["schedule", "workflow_dispatch", "issue_comment", "release", ""])
def test_an_event_without_a_base_lints_everything(step: Step, repo: Repo, skill_text: Text, event: str) -> None:
    root = repo(two_skills(skill_text))
    commit(root)
    ran = step(root, event, {}, {"mode": "lint"})
    assert ran.findings == [("ORPHAN_REFERENCE", "skills/two/SKILL.md")] and len(ran.commands) == 1


@pytest.mark.parametrize(
    "payload", ["", "{", "[]", "null", '{"pull_request": 3}', '{"pull_request": {"number": "7"}}', "[" * 100_000]
)
def test_an_event_file_that_says_nothing(step: Step, repo: Repo, skill_text: Text, payload: str) -> None:
    root = repo({"skills/one/SKILL.md": skill_text("one")})
    commit(root)
    ran = step(root, "pull_request", payload)
    assert (ran.code, ran.conclusion) == (0, "clean")
    assert json.loads(ran.outputs["skills"]) == ["skills/one"]


def test_pull_request_target_is_refused_whatever_the_mode(step: Step, repo: Repo, skill_text: Text) -> None:
    root = repo({"skills/one/SKILL.md": skill_text("one")})
    commit(root)
    for mode in ("auto", "lint", "score", "comment"):
        ran = step(root, "pull_request_target", {}, {"mode": mode})
        assert (ran.code, ran.conclusion, ran.installed) == (2, "error", False)
        assert "checks out the base branch" in ran.commands[0][2]


def test_deleted_renamed_and_side_files(step: Step, merged: Merged, skill_text: Text) -> None:
    files = {
        "skills/alpha/SKILL.md": skill_text("alpha"),
        "skills/beta-notes/SKILL.md": skill_text("beta-notes", body="Text that stays as it is through the renaming of its folder."),
        "skills/gamma/SKILL.md": skill_text("gamma", body="See [a](references/a.md)."),
        "skills/gamma/references/a.md": "a\n",
        "skills/delta/SKILL.md": skill_text("delta", body="See [a](references/a.md)."),
        "skills/delta/references/a.md": "a\n",
        "skills/omega/SKILL.md": skill_text("omega", body="Then run `skills/beta-notes`, or skills/alpha."),
        ".claude-plugin/plugin.json": '{"name": "kit"}',
    }  # fmt: skip

    def change(root: Path) -> None:
        git(root, "rm", "-qr", "skills/alpha")
        git(root, "mv", "skills/beta-notes", "skills/beta-papers")
        text = (root / "skills/beta-papers/SKILL.md").read_text()
        add(root, "skills/beta-papers/SKILL.md", text.replace("name: beta-notes", "name: beta-papers"))
        add(root, "skills/gamma/references/a.md", "a\nmore\n")
        git(root, "rm", "-q", "skills/delta/references/a.md")
        add(root, ".claude-plugin/plugin.json", '{"name": "kit", "version": "1.0.0"}')

    root = merged(files, change)
    ran = step(root, "pull_request", pull_request(root))
    assert json.loads(ran.outputs["skills"]) == ["skills/beta-papers", "skills/delta", "skills/gamma"]
    assert ("ORPHAN_REFERENCE", "skills/delta/SKILL.md") in ran.findings
    assert ("DEAD_CROSS_REF", "skills/omega/SKILL.md") in ran.findings  # it did not change, and broke all the same
    assert not {path for _, path in ran.findings} & {"skills/gamma/SKILL.md", "skills/beta-papers/SKILL.md"}


def test_paths_narrow_the_change(step: Step, merged: Merged, skill_text: Text) -> None:
    def change(root: Path) -> None:
        break_one(skill_text)(root)
        add(root, "other/skills/three/SKILL.md", skill_text("three", body=DEAD))

    root = merged(two_skills(skill_text) | {"other/x.md": "x"}, change)
    ran = step(root, "pull_request", pull_request(root), {"paths": "other\n"})
    assert ran.findings == [("ORPHAN_REFERENCE", "other/skills/three/SKILL.md")]
    ran = step(root, "pull_request", pull_request(root), {"paths": "no, such\n other "})
    assert ran.code == 2 and "input paths: no, such" in ran.commands[0][2]


def test_a_changed_configuration_is_said(step: Step, merged: Merged, skill_text: Text) -> None:
    root = merged(two_skills(skill_text), lambda root: add(root, ".plugin-eval.yaml", "fail-on: never\n"))
    ran = step(root, "pull_request", pull_request(root))
    assert ran.code == 0
    ((level, properties, data),) = ran.commands
    assert (level, "this change alters the lint configuration (fail-on: " in data) == ("notice", True)
    assert ".plugin-eval.yaml" in str(properties)


def test_a_pull_request_does_not_approve_itself(step: Step, merged: Merged, skill_text: Text) -> None:
    key = "ghp_" + "PyhzAnar3ZLt4bnlz2MPKgcjnCqaXNv1syee"
    comment = "<!-- plugin-eval: ignore[SAFE_SECRET] it opens nothing -->"

    def alter(root: Path) -> None:
        add(root, "skills/one/SKILL.md", skill_text("one", body=f"{comment}\nUse {key} for it."))

    root = merged(two_skills(skill_text), alter)
    for scope in ("changed", "all"):
        ran = step(root, "pull_request", pull_request(root), {"scope": scope})
        assert (ran.code, ran.conclusion) == (1, "findings"), scope
        assert [level for level, _, data in ran.commands if "which counts only after the merge" in data] == ["error"]


def test_the_exit_code_follows_the_level(step: Step, repo: Repo, skill_text: Text) -> None:
    warns, errs = (
        repo({"skills/one/SKILL.md": skill_text("one", description="Writes the stock report of a shop.")}, "w"),
        repo({"skills/one/SKILL.md": "---\nname: One\n---\n\nText.\n"}, "e"),
    )
    clean = repo({"skills/one/SKILL.md": skill_text("one")}, "c")
    for root in (warns, errs, clean):
        commit(root)
    for root, level, code in (
        (errs, "error", 1), (errs, "never", 0), (errs, "", 1), (warns, "error", 0), (warns, "warning", 1), (warns, "", 0),
        (clean, "notice", 0), (clean, "error", 0),
    ):  # fmt: skip
        ran = step(root, "push", {}, {"fail-on": level})
        assert (ran.code, ran.conclusion) == (code, "findings" if code else "clean"), (root.name, level)


def test_an_empty_workspace_is_no_pass(step: Step, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ran = step(tmp_path / "empty", "push", {"before": "a" * 40}, {"paths": "skills"})
    assert ran.code == 2 and "actions/checkout" in ran.commands[0][2]
    ran = step(tmp_path / "empty", "push", {"before": "a" * 40})
    assert (ran.code, ran.conclusion) == (2, "error")


def test_what_the_runner_cannot_take_is_neither_a_finding_nor_our_fault(
    step: Step, repo: Repo, skill_text: Text, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    root = repo({"skills/a/SKILL.md": skill_text("a")})
    commit(root)
    ran = step(root, "push", {}, GITHUB_STEP_SUMMARY=str(tmp_path))
    assert (ran.code, ran.conclusion) == (3, "error") and "GITHUB_STEP_SUMMARY" in ran.commands[0][2]
    assert start.run({**os.environ, "GITHUB_STEP_SUMMARY": "", "GITHUB_OUTPUT": str(tmp_path)}) == 3
    assert "GITHUB_OUTPUT cannot be written" in capfd.readouterr().out


@pytest.mark.parametrize("count", ["²", "", "x", "-1"])
def test_a_count_that_is_none_is_no_fault_of_ours(step: Step, repo: Repo, skill_text: Text, count: str) -> None:
    root = repo({"skills/a/SKILL.md": skill_text("a")})
    commit(root)
    assert step(root, "push", {"before": git(root, "rev-parse", "HEAD")}, GIT_CONFIG_COUNT=count).code == 0


def test_a_relative_temporary_folder_is_one_place(step: Step, repo: Repo, skill_text: Text) -> None:
    root = repo({"skills/a/SKILL.md": skill_text("a")})
    commit(root)
    ran = step(root, "push", {}, RUNNER_TEMP="tmp")
    assert ran.code == 0 and os.path.isabs(ran.outputs["output-dir"])


def test_what_is_wrong_with_a_checkout_is_said_in_git_s_words(step: Step, repo: Repo, skill_text: Text) -> None:
    root = repo({"skills/a/SKILL.md": skill_text("a")})
    ran = step(root, "push", {"before": commit(root)}, GIT_CONFIG_PARAMETERS="'odd")
    assert ran.code == 0 and "git reports" in ran.commands[0][2]
    ran = step(root, "push", {"before": "f" * 40})
    assert ran.code == 0 and "git reports" not in ran.commands[0][2] and "not in this checkout" in ran.commands[0][2]
