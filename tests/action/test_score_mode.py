"""Mode score: the weekly report, its first time, its history, and how it is judged."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from action.conftest import Step, commit

from plugin_eval_ci.github import client
from plugin_eval_ci.github.values import ApiError, Artifact, PostResult, ReadOnlyError

Repo = Callable[..., Path]
Text = Callable[..., str]
DAY = {"SOURCE_DATE_EPOCH": "1796083200"}  # 2026-12-01
EVENT = {"repository": {"default_branch": "main"}}


class FakeGitHub:
    def __init__(self) -> None:
        self.issues: list[tuple[str, str, str, str | None, bool]] = []
        self.artifact: bytes | None = None
        self.names: list[tuple[str, str]] = []
        self.fails: Exception | None = None

    def from_environ(self, *_: object) -> FakeGitHub:
        return self

    def latest_artifact(self, name: str, branch: str) -> Artifact | None:
        self.names.append((name, branch))
        if self.fails:
            raise self.fails
        return None if self.artifact is None else Artifact(1, name, 1, "2026-11-23T00:00:00Z", False)

    def read_artifact(self, _: Artifact, names: Sequence[str], limit: int = 0) -> dict[str, bytes]:
        return {names[0]: self.artifact} if self.artifact else {}

    def upsert_issue(
        self, key: str, title: str, body: str, *, label: str = "", comment: str | None = None, create: bool = True
    ) -> PostResult:
        if self.fails:
            raise self.fails
        self.issues.append((key, title, body, comment, create))
        return PostResult("created", "https://github.example/i/4", 4) if create else PostResult("skipped", None, None)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeGitHub:
    made = FakeGitHub()
    monkeypatch.setattr(client, "GitHub", made)
    return made


@pytest.fixture
def root(repo: Repo, skill_text: Text) -> Path:
    made = repo(
        {
            "plugins/store/.claude-plugin/plugin.json": '{"name": "store"}',
            "plugins/store/skills/stock-report/SKILL.md": skill_text(),
            "plugins/store/skills/label-print/SKILL.md": skill_text("label-print", body="See [x](references/gone.md)."),
        }
    )
    commit(made)
    return made


@pytest.mark.parametrize("event", ["schedule", "workflow_dispatch"])
def test_the_first_report(step: Step, root: Path, event: str, fake: FakeGitHub) -> None:
    ran = step(root, event, EVENT, {"token": "t"}, **DAY)
    assert (ran.code, ran.conclusion, ran.commands) == (0, "clean", [])
    assert fake.names == [("plugin-scores", "main")] and any("this is the first report" in line for line in ran.log)
    assert float(ran.outputs["score"]) > 20 and ran.outputs["errors"] == "1" and ran.outputs["new-findings"] == ""
    assert len(json.loads(ran.outputs["skills"])) == 2
    assert "store" in ran.summary and "2026-12-01" in ran.summary
    for output in ("json-file", "report-file", "badge-file", "html-file"):
        assert Path(ran.outputs[output]).stat().st_size > 100
    assert "estimated" in Path(ran.outputs["badge-file"]).read_text().lower()


def test_the_same_input_is_the_same_report(step: Step, root: Path) -> None:
    made = [step(root, "schedule", EVENT, {}, **DAY) for _ in range(2)]
    assert made[0].summary == made[1].summary and made[0].outputs == made[1].outputs


def worse(root: Path, skill_text: Text) -> None:
    (root / "plugins/store/skills/stock-report/SKILL.md").write_text(
        "---\nname: stock-report\ndescription: x\n---\n\nMUST NEVER.\n" * 3
    )


def test_what_fell_since_the_last_report(step: Step, root: Path, skill_text: Text, fake: FakeGitHub) -> None:
    first = Path(step(root, "schedule", EVENT, {}, **DAY).outputs["json-file"]).read_bytes()
    worse(root, skill_text)
    fake.artifact = first
    ran = step(root, "schedule", EVENT, {"token": "t", "fail-on-regression": "5", "issue": "regressions"}, **DAY)
    assert (ran.code, ran.conclusion) == (1, "findings")
    assert [(level, place["title"]) for level, place, _ in ran.commands] == [("error", "plugin-eval: a score fell")]
    ((key, _, body, comment, create),) = fake.issues
    assert (key, create) == ("default", True) and len(body.encode()) <= 60_000
    assert comment is not None and "stock-report/SKILL.md" in comment and "points lower" in comment
    assert ran.outputs["issue-number"] == "4" and int(ran.outputs["new-findings"]) > 0


def test_without_a_fall_nobody_is_told(step: Step, root: Path, tmp_path: Path, fake: FakeGitHub) -> None:
    (tmp_path / "last.json").write_bytes(
        Path(step(root, "schedule", EVENT, {}, **DAY).outputs["json-file"]).read_bytes()
    )
    given = {"previous": str(tmp_path / "last.json"), "token": "t", "fail-on-regression": "0.1", "issue": "regressions"}
    ran = step(root, "schedule", EVENT, given, **DAY)
    ((_, _, _, comment, create),) = fake.issues
    assert (ran.code, comment, create, fake.names) == (0, None, False, []) and "issue-number" not in ran.outputs
    step(root, "schedule", EVENT, given | {"issue": "always"}, **DAY)
    assert fake.issues[-1][3:] == (None, True)


@pytest.mark.parametrize("data", [b"{", b"[]", b'{"schema_version": "99.0", "kind": "report"}', b"\xff\xfe"])
def test_a_damaged_history_starts_over(step: Step, root: Path, fake: FakeGitHub, data: bytes) -> None:
    fake.artifact = data
    ran = step(root, "schedule", EVENT, {"token": "t", "fail-on-regression": "1"}, **DAY)
    assert (ran.code, ran.conclusion, ran.outputs["new-findings"]) == (0, "clean", "")
    assert any("counts as the first" in line for line in ran.log)


def test_thresholds(step: Step, root: Path) -> None:
    score = float(step(root, "schedule", EVENT, {}, **DAY).outputs["score"])
    assert step(root, "schedule", EVENT, {"threshold": f"{score - 1}"}, **DAY).code == 0
    ran = step(root, "schedule", EVENT, {"threshold": f"{score + 1}"}, **DAY)
    assert (ran.code, ran.conclusion) == (1, "findings") and "below the threshold" in ran.commands[0][2]


@pytest.mark.parametrize(
    "fails", [ReadOnlyError("Resource not accessible by integration", 403), ApiError("GitHub answers 503", 503)]
)
def test_a_report_never_fails_for_github(step: Step, root: Path, fake: FakeGitHub, fails: Exception) -> None:
    fake.fails = fails
    ran = step(root, "schedule", EVENT, {"token": "t", "issue": "always"}, **DAY)
    assert ran.code == 0 and [level for level, _, _ in ran.commands] == ["warning"]


def test_nothing_to_score_is_no_pass(step: Step, repo: Repo) -> None:
    root = repo({"README.md": "x"})
    commit(root)
    ran = step(root, "schedule", EVENT, {}, **DAY)
    assert (ran.code, ran.conclusion) == (2, "error")
