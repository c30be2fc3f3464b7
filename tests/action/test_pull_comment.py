"""The comment: from a lint that may write, left to a second workflow where it may not, and never from what an artifact claims."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from action.conftest import Step, git, pull_request
from action.test_lint_events import add, break_one, two_skills

from plugin_eval_ci.action import pr_comment
from plugin_eval_ci.github import client
from plugin_eval_ci.github.values import ApiError, Artifact, ChangedFile, PostResult, Pull, PullFiles, ReadOnlyError

Merged = Callable[..., Path]
Text = Callable[..., str]


class FakeGitHub:
    """Remembers what it is asked; answers as its attributes say."""

    def __init__(self) -> None:
        self.asked: list[tuple[object, ...]] = []
        self.bodies: list[str] = []
        self.fails: Exception | None = None
        self.there = False
        self.files = PullFiles((), True)
        self.pull: Pull | None = Pull(7, "a" * 40, "b" * 40)
        self.artifact: bytes | None = None

    def from_environ(self, environ: object, token: str) -> FakeGitHub:
        self.asked.append(("token", token))
        return self

    def _answer(self, *words: object) -> None:
        self.asked.append(words)
        if self.fails:
            raise self.fails

    def upsert_comment(self, number: int, key: str, body: str, create: bool = True) -> PostResult:
        self._answer("comment", number, key, create)
        self.bodies.append(body)
        if not create and not self.there:
            return PostResult("skipped", None, None)
        return PostResult("updated" if self.there else "created", "https://github.example/c/1", number)

    def pull_files(self, number: int) -> PullFiles:
        self._answer("files", number)
        return self.files

    def pull_of_head(self, owner: str, branch: str, sha: str) -> Pull | None:
        self._answer("pull", owner, branch, sha)
        return self.pull

    def artifact_of_run(self, run: int, name: str) -> Artifact | None:
        self._answer("artifact", run, name)
        return None if self.artifact is None else Artifact(5, name, 9, "2026-11-30T00:00:00Z", False)

    def read_artifact(self, artifact: Artifact, names: Sequence[str], limit: int = 0) -> dict[str, bytes]:
        self._answer("read", artifact.id, *names)
        return {names[0]: self.artifact} if self.artifact else {}


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeGitHub:
    """Stands in for GitHub wherever the action asks it."""
    made = FakeGitHub()
    monkeypatch.setattr(client, "GitHub", made)
    monkeypatch.setattr(pr_comment, "GitHub", made)
    return made


@pytest.fixture
def broken(merged: Merged, skill_text: Text) -> Path:
    return merged(two_skills(skill_text), break_one(skill_text))


TOKEN = "ghs_abcdefgh"


def test_a_comment_is_posted_when_there_is_something_to_say(step: Step, broken: Path, fake: FakeGitHub) -> None:
    ran = step(broken, "pull_request", pull_request(broken), {"comment": "auto", "token": TOKEN, "comment-key": "k"})
    assert ("comment", 7, "k", True) in fake.asked and ("token", TOKEN) in fake.asked
    assert fake.bodies[0].startswith("<!-- plugin-eval-ci:comment:k -->\n") and "ORPHAN_REFERENCE" in fake.bodies[0]
    assert (ran.code, ran.outputs["comment-pending"], ran.outputs["comment-url"]) == (
        1,
        "false",
        "https://github.example/c/1",
    )


def test_a_clean_change_only_edits_what_is_there(
    step: Step, merged: Merged, skill_text: Text, fake: FakeGitHub
) -> None:
    root = merged(two_skills(skill_text), lambda root: add(root, "docs/x.md", "y"))
    ran = step(root, "pull_request", pull_request(root), {"comment": "auto", "token": TOKEN})
    assert ("comment", 7, "default", False) in fake.asked and "comment-url" not in ran.outputs
    assert (ran.code, ran.conclusion) == (0, "empty")
    fake.there = True
    ran = step(root, "pull_request", pull_request(root), {"comment": "always", "token": TOKEN})
    assert fake.asked[-1][-1] is True and "comment-url" in ran.outputs
    assert "No new findings" in fake.bodies[-1]


@pytest.mark.parametrize("event", ["push", "merge_group", "pull_request"])
def test_no_comment_unless_asked_and_only_on_a_pull_request(
    step: Step, broken: Path, fake: FakeGitHub, event: str
) -> None:
    payload = pull_request(broken) if event == "pull_request" else {"before": git(broken, "rev-parse", "HEAD^1")}
    wanted = "off" if event == "pull_request" else "always"
    ran = step(broken, event, payload, {"comment": wanted, "token": TOKEN})
    assert fake.asked == [] and ran.outputs["comment-pending"] == "false"


@pytest.mark.parametrize(
    ("fails", "annotated"),
    [(ReadOnlyError("Resource not accessible by integration", 403), 0), (ApiError("GitHub answers 500", 500), 1)],
)
def test_a_lint_never_fails_for_its_comment(
    step: Step, merged: Merged, skill_text: Text, fake: FakeGitHub, fails: Exception, annotated: int
) -> None:
    root = merged(
        two_skills(skill_text), lambda root: add(root, "skills/one/SKILL.md", skill_text("one", body="Other words."))
    )
    fake.fails = fails
    ran = step(root, "pull_request", pull_request(root), {"comment": "always", "token": TOKEN})
    assert (ran.code, ran.conclusion, ran.outputs["comment-pending"]) == (0, "clean", "true")
    assert len(ran.commands) == annotated and all(level == "warning" for level, _, _ in ran.commands)
    assert json.loads(Path(ran.outputs["json-file"]).read_text())["changed"][0]["name"] == "one"


def test_without_a_token_it_is_pending(step: Step, broken: Path, fake: FakeGitHub) -> None:
    ran = step(broken, "pull_request", pull_request(broken), {"comment": "auto"})
    assert ran.outputs["comment-pending"] == "true" and fake.asked == []


def test_the_token_is_nowhere_in_what_is_said(
    step: Step, broken: Path, fake: FakeGitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.fails = RuntimeError("boom")
    ran = step(broken, "pull_request", pull_request(broken), {"comment": "auto", "token": TOKEN}, RUNNER_DEBUG="1")
    assert ran.code == 4 and ran.conclusion == "error" and "RuntimeError: boom" in ran.commands[-1][2]
    assert any("Traceback" in line for line in ran.log)
    assert TOKEN not in repr(ran)
    ran = step(broken, "pull_request", pull_request(broken), {"comment": "auto", "token": TOKEN})
    assert not any("Traceback" in line for line in ran.log)


# --- the second workflow ---

RUN = {
    "id": 99,
    "event": "pull_request",
    "head_sha": "c" * 40,
    "head_branch": "topic",
    "head_repository": {"owner": {"login": "someone"}},
}


@pytest.fixture
def report(step: Step, broken: Path) -> bytes:
    """What the first workflow leaves."""
    ran = step(broken, "pull_request", pull_request(broken), {"comment": "auto"})
    return Path(ran.outputs["json-file"]).read_bytes()


def test_the_pull_request_is_that_of_the_head(step: Step, tmp_path: Path, fake: FakeGitHub, report: bytes) -> None:
    empty = tmp_path / "no-checkout"
    empty.mkdir()
    forged = json.loads(report) | {"number": 1, "pull_request": 1, "links": "https://evil.example"}
    fake.artifact = json.dumps(forged).encode()
    ran = step(empty, "workflow_run", {"workflow_run": RUN}, {"token": TOKEN})
    assert ("pull", "someone", "topic", "c" * 40) in fake.asked and ("artifact", 99, "plugin-eval-ci") in fake.asked
    assert ("comment", 7, "default", True) in fake.asked
    assert "evil.example" not in fake.bodies[0] and "/blob/" + "c" * 40 in fake.bodies[0]
    assert (ran.code, ran.conclusion, ran.outputs["new-findings"]) == (0, "clean", "1")


def test_nothing_to_post_is_no_failure(step: Step, tmp_path: Path, fake: FakeGitHub) -> None:
    ran = step(tmp_path, "workflow_run", {"workflow_run": RUN | {"event": "push"}}, {"token": TOKEN})
    assert (ran.code, ran.conclusion, ran.installed, fake.asked) == (0, "empty", False, [])
    ran = step(tmp_path, "workflow_run", {"workflow_run": RUN}, {"token": TOKEN})
    assert (ran.code, ran.conclusion) == (0, "empty") and any("no artifact" in line for line in ran.log)
    fake.pull = None
    ran = step(tmp_path, "workflow_run", {"workflow_run": RUN}, {"token": TOKEN})
    assert (ran.code, ran.conclusion) == (0, "empty") and fake.bodies == []


@pytest.mark.parametrize("data", [b"{", b"[]", b'{"schema_version": "1.0", "changed": 3}', b"\xff", b"[" * 99_999])
def test_a_damaged_report_is_refused(step: Step, tmp_path: Path, fake: FakeGitHub, data: bytes) -> None:
    fake.artifact = data
    ran = step(tmp_path, "workflow_run", {"workflow_run": RUN}, {"token": TOKEN})
    assert (ran.code, ran.conclusion, fake.bodies) == (2, "error", [])


def test_what_the_second_workflow_may_not_is_a_failure_with_the_permission(
    step: Step, tmp_path: Path, fake: FakeGitHub, report: bytes
) -> None:
    fake.artifact = report
    ran = step(tmp_path, "workflow_run", {"workflow_run": RUN}, {})
    assert (ran.code, ran.conclusion) == (3, "error") and "github-token" in ran.commands[0][2]
    fake.fails = ReadOnlyError("Resource not accessible by integration", 403)
    ran = step(tmp_path, "workflow_run", {"workflow_run": RUN}, {"token": TOKEN})
    assert ran.code == 3 and "pull-requests: write" in ran.commands[0][2]


# --- the changed files, where git cannot tell ---


def listed(path: str, status: str = "modified", old: str | None = None) -> ChangedFile:
    return ChangedFile(path, old, status)


@pytest.fixture
def lone(broken: Path, tmp_path: Path) -> tuple[Path, dict[str, object]]:
    """A clone of depth one without a remote, and its event."""
    payload = pull_request(broken)
    git(tmp_path, "clone", "-q", "--depth=1", broken.as_uri(), "lone")
    git(tmp_path / "lone", "remote", "remove", "origin")
    return tmp_path / "lone", payload


def test_github_lists_the_changed_files(step: Step, lone: tuple[Path, dict[str, object]], fake: FakeGitHub) -> None:
    fake.files = PullFiles((listed("skills/one/SKILL.md"), listed("README.md", "added")), True)
    ran = step(*(lone[0], "pull_request", lone[1]), {"token": TOKEN})
    assert ("files", 7) in fake.asked
    assert ran.findings == [("ORPHAN_REFERENCE", "skills/one/SKILL.md")] and json.loads(ran.outputs["skills"]) == [
        "skills/one"
    ]
    assert (ran.code, ran.outputs["new-findings"]) == (1, "")
    report = json.loads(Path(ran.outputs["json-file"]).read_text())
    assert report["base"] is None and [row["path"] for row in report["changed"]] == ["skills/one/SKILL.md"]


def test_nothing_that_github_lists_concerns_a_skill(
    step: Step, lone: tuple[Path, dict[str, object]], fake: FakeGitHub
) -> None:
    fake.files = PullFiles((listed("README.md"), listed("docs/a.md", "removed")), True)
    ran = step(lone[0], "pull_request", lone[1], {"token": TOKEN})
    assert (ran.code, ran.conclusion) == (0, "empty")


@pytest.mark.parametrize("how", ["incomplete", "fails"])
def test_everything_when_github_cannot_tell_either(
    step: Step, lone: tuple[Path, dict[str, object]], fake: FakeGitHub, how: str
) -> None:
    fake.files = PullFiles((listed("README.md"),) * 3000, how != "incomplete")
    fake.fails = ApiError("GitHub answers 502", 502) if how == "fails" else None
    ran = step(lone[0], "pull_request", lone[1], {"token": TOKEN})
    assert len(ran.findings) == 2 and any("linting everything" in data for _, _, data in ran.commands)


def test_a_deleted_side_file_is_its_skill_s_business(
    step: Step, merged: Merged, skill_text: Text, fake: FakeGitHub, tmp_path: Path
) -> None:
    files = two_skills(skill_text) | {
        "skills/three/SKILL.md": skill_text("three", body="See [a](references/a.md)."),
        "skills/three/references/a.md": "a",
    }
    root = merged(files, lambda root: git(root, "rm", "-q", "skills/three/references/a.md"))
    payload = pull_request(root)
    git(tmp_path, "clone", "-q", "--depth=1", root.as_uri(), "lone")
    git(tmp_path / "lone", "remote", "remove", "origin")
    fake.files = PullFiles((listed("skills/three/references/a.md", "removed"),), True)
    ran = step(tmp_path / "lone", "pull_request", payload, {"token": TOKEN})
    assert ran.findings == [("ORPHAN_REFERENCE", "skills/three/SKILL.md")]
