"""What is left out: noise by default, and whatever the user's globs cover, however it is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Repo = Callable[..., Path]
Find = Callable[..., Any]
S = "---\nname: a\n---\n"
A = "skills/a/SKILL.md"


@pytest.mark.parametrize(
    "folder",
    [
        ".git/x", "node_modules/x", "apps/node_modules/x/skills", ".venv/lib", "site-packages/x", "__pycache__",
        ".cache/x", "skills/a.bak", "skills.orig/x",
        "skills/a~", "backups/x", ".claude/.backups/x", ".claude/backups/2024/skills/x", "tests/fixtures/bad",
        "test/deep/fixtures/bad", "testdata/x",
        "__fixtures__/x", "test-fixtures/x", ".tox/py/x", ".hg/x",
    ],
)  # fmt: skip
def test_noise_is_left_out_by_default(repo: Repo, found: Find, folder: str) -> None:
    root = repo({A: S, f"{folder}/SKILL.md": S})
    assert found(root).skills == [A]
    assert f"{folder}/SKILL.md" in found(root, defaults=False).skills
    assert found(root, [f"{folder}/SKILL.md"]).skills == [f"{folder}/SKILL.md"]  # unless it is named


@pytest.mark.parametrize(
    "folder",
    [
        "skills/db-backup", "skills/backup", "skills/backups", "skills/test-fixtures", "skills/testdata",
        "skills/node-modules", "skills/env", "skills/venv",
        "skills/cache", "skills/build", "skills/dist", "skills/vendor", "skills/tmp", "skills/tests", "fixtures/a",
        "examples/a", "template/a", "templates/a",
        "skills/fixtures", "skills/original", "skills/idea", "docs/a", "archive/a", ".github/skills/a",
        "skills/my.backup.skill",
    ],
)  # fmt: skip
def test_names_that_merely_hold_such_a_word(repo: Repo, found: Find, folder: str) -> None:
    assert found(repo({f"{folder}/SKILL.md": S})).skills == [f"{folder}/SKILL.md"]


def test_a_virtual_environment_is_known_by_its_file(repo: Repo, found: Find) -> None:
    root = repo({A: S, "env/pyvenv.cfg": "", "env/lib/x/SKILL.md": S})
    assert found(root).skills == [A]


TREE = [
    A,
    "skills/b/SKILL.md",
    "skills/b-wip/SKILL.md",
    "tests/fixtures-x/c/SKILL.md",
    "vendor/d/SKILL.md",
    "x/vendor/e/SKILL.md",
    "agents/f.md",
]


@pytest.mark.parametrize(
    ("globs", "gone"),
    [
        ([], []),
        ([""], []),
        (["./"], []),
        (["# comment"], []),
        (["skills/b"], ["skills/b/SKILL.md"]),
        (["skills/b/"], ["skills/b/SKILL.md"]),
        (["./skills/b/"], ["skills/b/SKILL.md"]),
        (["skills/b/**"], ["skills/b/SKILL.md"]),
        (["skills/b/SKILL.md"], ["skills/b/SKILL.md"]),
        (["skills/b*"], ["skills/b/SKILL.md", "skills/b-wip/SKILL.md"]),
        (["skills/*-wip"], ["skills/b-wip/SKILL.md"]),
        (["skills/?"], [A, "skills/b/SKILL.md"]),
        (["skills/[ab]"], [A, "skills/b/SKILL.md"]),
        (["skills/[!a]"], ["skills/b/SKILL.md"]),
        (["skills/[a-b]-wip"], ["skills/b-wip/SKILL.md"]),
        (["vendor"], ["vendor/d/SKILL.md", "x/vendor/e/SKILL.md"]),
        (["vendor/"], ["vendor/d/SKILL.md", "x/vendor/e/SKILL.md"]),
        (["vendor/**"], ["vendor/d/SKILL.md"]),
        (["/vendor"], ["vendor/d/SKILL.md"]),
        (["**/vendor"], ["vendor/d/SKILL.md", "x/vendor/e/SKILL.md"]),
        (["**/vendor/**"], ["vendor/d/SKILL.md", "x/vendor/e/SKILL.md"]),
        (["x/**/SKILL.md"], ["x/vendor/e/SKILL.md"]),
        (["skills/**/SKILL.md"], [A, "skills/b/SKILL.md", "skills/b-wip/SKILL.md"]),
        (["tests/**", "x/"], ["tests/fixtures-x/c/SKILL.md", "x/vendor/e/SKILL.md"]),
        (["*.md"], TREE),
        (["*/SKILL.md"], []),  # a star stays in one folder
        (["skills/*/SKILL.md"], [A, "skills/b/SKILL.md", "skills/b-wip/SKILL.md"]),
        (["**"], TREE),
        (["skill", "kills", "SKILLS"], []),
        (["agents"], ["agents/f.md"]),
        (["f.md"], ["agents/f.md"]),
    ],
)
def test_globs_of_the_user(repo: Repo, found: Find, globs: list[str], gone: list[str]) -> None:
    root = repo(dict.fromkeys(TREE, S))
    left = sorted(set(TREE) - set(gone))
    result = found(root, exclude=globs)
    assert sorted([*result.skills, *result.agents]) == left
    # the same for files that a hook names one by one
    named = found(root, TREE, exclude=globs)
    assert sorted([*named.skills, *named.agents]) == left
    assert sorted(named.left.get("excluded", [])) == sorted(gone)


def test_a_named_folder_that_is_excluded(repo: Repo, found: Find) -> None:
    root = repo({A: S, "vendor/d/SKILL.md": S, "vendor/d/references/x.md": ""})
    for path in ("vendor", "vendor/", "vendor/d", "vendor/d/references/x.md"):
        result = found(root, [path], exclude=["vendor"])
        assert (result.skills, result.left) == ([], {"excluded": [path]})
    assert found(root / "vendor", ["."], exclude=["vendor/**"]).left == {"excluded": ["."]}


def test_a_link_to_an_excluded_folder(repo: Repo, found: Find) -> None:
    root = repo({A: S, "vendor/d/SKILL.md": S})
    (root / "skills/d").symlink_to("../vendor/d")
    assert found(root).skills == [A, "vendor/d/SKILL.md"]
    assert found(root, exclude=["vendor"]).skills == [A]
    assert found(root, exclude=["skills/d"]).skills == [A, "vendor/d/SKILL.md"]


def test_a_manifest_does_not_bring_back_what_is_excluded(repo: Repo, found: Find) -> None:
    root = repo(
        {
            A: S,
            ".claude-plugin/plugin.json": '{"skills": "./vendor", "agents": "./team"}',
            "vendor/d/SKILL.md": S,
            "team/e.md": S,
        }
    )
    assert found(root).skills == [A, "vendor/d/SKILL.md"]
    result = found(root, exclude=["vendor", "team"])
    assert (result.skills, result.agents) == ([A], [])


@pytest.mark.parametrize(
    "glob", ["[", "[!", "[]", "a[", "***", "*" * 200 + "x", "\\", "(", "a{b}", "?" * 300, "**/" * 40 + "x"]
)
def test_odd_globs_do_no_harm(repo: Repo, found: Find, glob: str) -> None:
    assert found(repo({A: S}), exclude=[glob]).skills in ([A], [])
