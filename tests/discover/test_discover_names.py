"""What may be named on the command line, in every spelling; links, repositories in repositories, odd names."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plugin_eval_ci.discover import repository_root

Repo = Callable[..., Path]
Find = Callable[..., Any]
S = "---\nname: a\n---\n"
A = "skills/a/SKILL.md"
ESCAPES = "REF_ESCAPE"


@pytest.mark.parametrize(
    "paths",
    [
        ["."], ["./"], ["skills"], ["skills/"], ["skills/a"], ["./skills/a/"], ["skills/../skills/a"], ["skills//a"],
        [A], [f"./{A}"],
        ["skills/a", A, "./skills/a/", "skills/../skills/a", "."], [".", "."], ["skills", "skills", "skills/."],
        ["skills/a/references/x.md"],
        ["skills/a/scripts/deep/x.py", A], ["skills/a/references"], ["skills/a/references/"], ["{root}"],
        ["{root}/skills/a"], [f"{{root}}/{A}"],
        ["skills/a/scripts/deep"],
    ],
)  # fmt: skip
def test_every_spelling_is_the_one_skill(repo: Repo, found: Find, paths: list[str]) -> None:
    root = repo({A: S, "skills/a/references/x.md": "", "skills/a/scripts/deep/x.py": ""})
    result = found(root, [path.replace("{root}", str(root)) for path in paths])
    assert (result.skills, result.left, result.problems) == ([A], {}, [])


def test_from_a_folder_below(repo: Repo, found: Find) -> None:
    root = repo({A: S, "skills/b/SKILL.md": S})
    assert found(root / "skills", ["a"]).skills == [A]
    assert found(root / "skills/a", ["."]).skills == [A]
    assert found(root / "skills/a", ["../b", ".."]).skills == [A, "skills/b/SKILL.md"]
    assert found(root / "skills/a", ["SKILL.md"]).skills == [A]


@pytest.mark.parametrize(
    ("path", "owner"),
    [
        ("skills/a/references/x.md", A),
        ("skills/a/sub-skills/b/x.md", "skills/a/sub-skills/b/SKILL.md"),
        ("skills/a/sub-skills/x.md", A),
        ("skills/a/agents/openai.yaml", A),
        ("skills/a/agents/helper.md", A),
        ("skills/c/notes.md", "skills/c/skill.md"),
    ],
)
def test_a_file_climbs_to_its_owner(repo: Repo, found: Find, path: str, owner: str) -> None:
    root = repo({A: S, "skills/a/sub-skills/b/SKILL.md": S, "skills/c/skill.md": S, path: "x"})
    assert found(root, [path]).skills == [owner]


def test_an_agent_and_a_manifest_are_their_own_owners(repo: Repo, found: Find) -> None:
    root = repo({A: S, "agents/b.md": S, ".claude-plugin/plugin.json": "{}", "agents/README.md": ""})
    assert found(root, ["agents/b.md"]).agents == ["agents/b.md"]
    result = found(root, [".claude-plugin/plugin.json"])
    assert (result.skills, result.agents) == ([A], ["agents/b.md"])
    assert found(root, ["agents/README.md"]).left == {"unowned": ["agents/README.md"]}


def test_a_skill_at_the_root_owns_every_file(repo: Repo, found: Find) -> None:
    root = repo({"SKILL.md": S, "src/x.py": ""})
    assert found(root, ["src/x.py"]).skills == ["SKILL.md"]


def test_owners_end_at_the_repository(repo: Repo, found: Find, tmp_path: Path) -> None:
    (tmp_path / "SKILL.md").write_text(S)
    root = repo({"src/x.py": "", A: S})
    assert found(root, ["src/x.py"]).left == {"unowned": ["src/x.py"]}


def test_what_gives_nothing(repo: Repo, found: Find) -> None:
    root = repo({A: S, "README.md": "", "docs/x.md": "", "empty/.keep": "", "skills/gone/.keep": ""})
    (root / "dangling").symlink_to("nowhere")
    result = found(root, ["README.md", "docs", "empty", "no/such", "gone.md", "dangling", "skills/gone"])
    assert result.skills == []
    assert result.left == {
        "missing": ["no/such", "gone.md"], "empty": ["docs", "empty", "skills/gone"], "unowned": ["README.md",
        "dangling"],
    }  # fmt: skip
    assert result.problems == [("docs", "NO_SKILLS"), ("empty", "NO_SKILLS"), ("skills/gone", "NO_SKILLS")]


def test_an_empty_repository(repo: Repo, found: Find) -> None:
    result = found(repo({"README.md": ""}))
    assert (result.left, result.problems) == ({"empty": ["."]}, [(".", "NO_SKILLS")])


def test_a_plugin_of_commands_is_not_nothing(repo: Repo, found: Find) -> None:
    result = found(repo({".claude-plugin/plugin.json": '{"name": "p"}', "commands/c.md": ""}))
    assert (result.left, result.problems, list(result.plugins)) == ({}, [], ["p@."])


# --- links ---------------------------------------------------------------------------------------------------------


def test_a_linked_skill_folder_is_followed_and_reported_where_it_is(repo: Repo, found: Find) -> None:
    root = repo({"shared/a/SKILL.md": S, "skills/.keep": ""})
    (root / "skills/a").symlink_to("../shared/a")
    for paths in (["."], ["skills"], ["skills/a"], ["shared", "skills"], ["skills/a/SKILL.md"]):
        assert found(root, paths).raw.skills[0].path.endswith("a/SKILL.md")
        assert len(found(root, paths).skills) == 1
    assert found(root).skills == ["shared/a/SKILL.md"]


def test_a_linked_skill_counts_for_the_plugins_that_link_to_it(repo: Repo, found: Find) -> None:
    root = repo(
        {
            "shared/a/SKILL.md": S,
            "p/.claude-plugin/plugin.json": '{"name":"p"}',
            "q/.claude-plugin/plugin.json": '{"name":"q"}',
        }
    )
    for name in ("p", "q"):
        (root / name / "skills").mkdir()
        (root / name / "skills/a").symlink_to("../../shared/a")
    result = found(root)
    assert result.plugins == {"p@p": (["shared/a/SKILL.md"], []), "q@q": (["shared/a/SKILL.md"], [])}
    assert result.raw.skills[0].plugin == str(root / "p")


def test_a_linked_skill_file_is_reported_where_it_is(repo: Repo, found: Find) -> None:
    root = repo({"shared/a.md": S, "skills/a/.keep": "", "skills/b/.keep": ""})
    for name in ("a", "b"):
        (root / f"skills/{name}/SKILL.md").symlink_to("../../shared/a.md")
    assert found(root).skills == ["shared/a.md"]
    assert found(root, ["skills/b/SKILL.md"]).skills == ["shared/a.md"]
    assert Path(found(root).raw.skills[0].file).parent.name == "a"  # references are looked for from there


def test_a_real_file_goes_before_a_link_to_it(repo: Repo, found: Find) -> None:
    root = repo({"z/SKILL.md": S, "a/.keep": ""})
    (root / "a/SKILL.md").symlink_to("../z/SKILL.md")
    assert [place.file for place in found(root).raw.skills] == [str(root / "z/SKILL.md")]


def test_links_that_leave_the_repository_are_said_and_not_followed(repo: Repo, found: Find, tmp_path: Path) -> None:
    (tmp_path / "out/b").mkdir(parents=True)
    (tmp_path / "out/b/SKILL.md").write_text(S)
    root = repo({A: S, "skills/c/.keep": ""})
    (root / "skills/trap").symlink_to("/")
    (root / "skills/b").symlink_to("../../out/b")
    (root / "skills/c/SKILL.md").symlink_to("../../../out/b/SKILL.md")
    (root / "skills/a/secret.md").symlink_to("/etc/passwd")
    (root / "skills/a/gone").symlink_to("../../../nowhere")
    result = found(root)
    assert result.skills == [A]
    assert result.problems == [
        ("skills/a/gone", ESCAPES), ("skills/a/secret.md", ESCAPES), ("skills/b", ESCAPES), ("skills/c/SKILL.md",
        ESCAPES), ("skills/trap", ESCAPES),
    ]  # fmt: skip


def test_links_that_leave_it_elsewhere_are_no_business_of_ours(repo: Repo, found: Find) -> None:
    root = repo({A: S})
    (root / "bazel-bin").symlink_to("/tmp")
    (root / "result").symlink_to("/etc/passwd")
    assert found(root).problems == []


def test_loops_and_dangling_links(repo: Repo, found: Find) -> None:
    root = repo({A: S, "agents/b.md": S})
    (root / "loop").symlink_to(".")
    (root / "skills/a/up").symlink_to("../..")
    (root / "skills/self").symlink_to("self")
    (root / "skills/dangling").symlink_to("nowhere")
    (root / "x").symlink_to("y")
    (root / "y").symlink_to("x")
    start = time.process_time()
    result = found(root)
    assert time.process_time() - start < 2
    assert (result.skills, result.agents, result.problems) == (
        [A],
        ["agents/b.md"],
        [("skills/dangling", "FILE_UNREADABLE"), ("skills/self", "FILE_UNREADABLE")],
    )


def test_a_dangling_skill_file_is_a_skill_that_cannot_be_read(repo: Repo, found: Find) -> None:
    root = repo({"skills/a/.keep": ""})
    (root / "skills/a/SKILL.md").symlink_to("nowhere.md")
    assert found(root).skills == ["skills/a/SKILL.md"]


def test_a_repository_reached_through_a_link(repo: Repo, found: Find, tmp_path: Path) -> None:
    root = repo({A: S, "shared/b/SKILL.md": S, "agents/c.md": S})
    (root / "skills/b").symlink_to("../shared/b")
    (root / "skills/up").symlink_to("..")
    (tmp_path / "linked").symlink_to("repo")
    for paths in ([str(tmp_path / "linked")], [str(tmp_path / "linked" / A), str(tmp_path / "linked")]):
        result = found(tmp_path, paths)
        assert (result.skills, result.agents, result.problems) == (["shared/b/SKILL.md", A], ["agents/c.md"], [])


# --- repositories --------------------------------------------------------------------------------------------------


def test_a_repository_inside_a_repository(repo: Repo, found: Find) -> None:
    root = repo({A: S})
    repo({"skills/b/SKILL.md": S, "x.md": ""}, name="repo/vendor/inner")
    inner = "vendor/inner/skills/b/SKILL.md"
    assert found(root).skills == [A, inner]
    assert found(root, ["vendor/inner"]).skills == ["skills/b/SKILL.md"]  # named alone, it is the repository
    assert found(root, [A, inner]).skills == [A, inner]
    assert found(root, ["vendor/inner/x.md"]).left == {"unowned": ["vendor/inner/x.md"]}


def test_a_submodule_is_walked_and_a_second_checkout_is_not(repo: Repo, found: Find) -> None:
    root = repo(
        {
            A: S,
            "sub/.git": "gitdir: ../.git/modules/sub\n",
            "sub/skills/b/SKILL.md": S,
            ".worktrees/topic/.git": "gitdir: /r/.git/worktrees/topic\n",
            ".worktrees/topic/skills/a/SKILL.md": S,
        }
    )
    assert found(root).skills == [A, "sub/skills/b/SKILL.md"]
    assert found(root, [".worktrees/topic"]).skills == [A]
    assert repository_root(str(root / "sub/skills/b/SKILL.md")) == str(root / "sub")


def test_two_repositories_at_once(repo: Repo, found: Find, tmp_path: Path) -> None:
    one, two = repo({A: S}, name="one"), repo({A: S}, name="two")
    result = found(one, [".", "../two"])
    assert (result.skills, result.problems) == ([f"one/{A}", f"two/{A}"], [])
    assert found(tmp_path, [str(two), str(one)]).skills == [f"one/{A}", f"two/{A}"]


def test_no_repository_at_all(repo: Repo, found: Find, tmp_path: Path) -> None:
    root = repo({A: S, "README.md": ""}, git=False)
    assert found(root).skills == [A]
    assert found(tmp_path, ["repo"]).skills == [f"repo/{A}"]
    assert found(root / "skills", ["a"]).skills == ["a/SKILL.md"]
    assert found(root, ["README.md"]).left == {"unowned": ["README.md"]}


# --- odd names -----------------------------------------------------------------------------------------------------

ODD = ["with space", "café", "cafe\u0301", "数据分析", "new\nline", "tab\tin", "-dash", "--hook", "quote's", 'dou"ble',
"a%20b", "a,b", "a:b", "c#d", "[x]", "*", "🚀",
       ".hidden", "a\\b", "\x1b[31m", "$HOME", "`id`", "~x", "nul", "a" * 200]  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_odd_folder_names(repo: Repo, found: Find, name: str) -> None:
    root = repo({f"skills/{name}/SKILL.md": S, f"skills/{name}/references/{name}.md": "x"})
    for paths in (["."], [f"skills/{name}"], [f"skills/{name}/SKILL.md"], [f"skills/{name}/references/{name}.md"]):
        result = found(root, paths)
        assert (result.skills, result.left, result.problems) == ([f"skills/{name}/SKILL.md"], {}, [])


def test_names_that_are_no_text(repo: Repo, found: Find) -> None:
    root = repo({A: S})
    folder = os.fsencode(str(root)) + b"/skills/\xff\xfe"
    os.mkdir(folder)
    with open(folder + b"/SKILL.md", "w") as stream:
        stream.write(S)
    assert found(root).skills == [A, "skills/\udcff\udcfe/SKILL.md"]
    assert found(root, [os.fsdecode(b"skills/\xff\xfe")]).skills == ["skills/\udcff\udcfe/SKILL.md"]


def test_windows_separators(repo: Repo, found: Find) -> None:
    root = repo({A: S})
    assert found(root, ["skills\\a\\SKILL.md", "skills\\a"]).skills == [A]


def test_a_folder_that_cannot_be_listed(repo: Repo, found: Find, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repo({A: S, "secret/x.md": ""})
    listed = os.scandir

    def refuse(path: str) -> object:
        if os.path.basename(path) == "secret":
            raise PermissionError(13, "Permission denied")
        return listed(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert found(root).skills == [A]
