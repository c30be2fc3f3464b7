"""What can concern a skill: a miss would pass silently, so doubt counts as yes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from plugin_eval_ci.action.changes import concerns_skills
from plugin_eval_ci.git import Change

Repo = Callable[..., Path]


def edited(path: str) -> Change:
    return Change(path, path)


@pytest.fixture
def root(repo: Repo) -> Path:
    return repo(
        {
            "tools/odd/SKILL.md": "x",
            "tools/odd/notes/deep/a.bin": "x",
            "low/skill.md": "x",
            "plugins/kit/.claude-plugin/plugin.json": '{"name": "kit", "agents": ["./people/reviewer.md"]}',
            "plugins/kit/people/reviewer.md": "x",
            "plugins/bare/.claude-plugin/plugin.json": '{"name": "bare"}',
        }
    )


YES = [
    edited("skills/one/SKILL.md"), edited("x/Skill.MD"), edited("tools/odd/notes/deep/a.bin"), edited("low/a.txt"), edited("skills/flat.md"),
    edited("a/agents/b.md"), edited("a/commands/b.md"), edited("a/hooks/run.sh"), edited(".claude/settings.json"), edited("p/scripts/x.py"),
    edited("p/.claude-plugin/plugin.json"), edited("p/.codex-plugin/plugin.json"), edited(".mcp.json"), edited(".plugin-eval.yaml"),
    edited("sub/pyproject.toml"), edited("plugins/kit/people/reviewer.md"), edited("plugins/bare/people/reviewer.md"), edited("plugins/kit/people/a.png"),
    Change("docs/gone.md", None), Change("src/a.py", "src/b.py"), Change(None, "skills/new/references/x.md"),
]  # fmt: skip
NO = [
    edited("README.md"), edited("docs/x.md"), edited("src/main.py"), Change(None, "docs/new.md"), edited("tools/other/a.txt"),
    edited("skillset/a.md"), edited("my-agents.md"),
    edited("package.json"), edited("plugin.json.txt"), Change(None, ".github/workflows/x.yml"),
]  # fmt: skip


@pytest.mark.parametrize("change", YES, ids=str)
def test_it_can(root: Path, change: Change) -> None:
    assert concerns_skills(str(root), [edited("README.md"), change])


@pytest.mark.parametrize("change", NO, ids=str)
def test_it_cannot(root: Path, change: Change) -> None:
    assert not concerns_skills(str(root), [change])


def test_all_that_cannot_together(root: Path) -> None:
    assert not concerns_skills(str(root), NO) and not concerns_skills(str(root), [])


def test_a_file_that_an_input_names(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    assert concerns_skills(str(root), [edited("ci/lint.yaml")], ["ci/lint.yaml"])
    assert not concerns_skills(str(root), [edited("ci/lint.yaml")], ["ci/other.yaml"])


def test_a_skill_at_the_root_owns_everything(repo: Repo) -> None:
    assert concerns_skills(str(repo({"SKILL.md": "x"}, "r")), [edited("README.md")])
