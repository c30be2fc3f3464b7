"""A SKILL.md or an agent's file as a whole: names, bundled files, and the facts counted from the body."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from plugin_eval_ci.model import Skill
from plugin_eval_ci.parse import documents, facts, markdown
from plugin_eval_ci.parse.documents import Location, bundled_files, parse_agent, parse_skill, real_file

Repo = Callable[..., Path]


def skill_at(root: Path, path: str = "skills/a/SKILL.md") -> Skill:
    return parse_skill(Location(str(root / path), path, str(root), None))


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("name: b", "b"), ("name: ' b '", "b"), ("name: no", "no"), ("name: 2024-01-01", "2024-01-01"), ("name: 7",
        "7"),
        ("name:", "a"), ("name: ''", "a"), ("name: [b]", "a"), ("name: {b: c}", "a"), ("description: x", "a"),
        ("name: null", "a"),
    ],
)  # fmt: skip
def test_the_name_is_the_declared_one_or_the_folder(repo: Repo, line: str, name: str) -> None:
    root = repo({"skills/a/SKILL.md": f"---\n{line}\n---\n", "agents/a.md": f"---\n{line}\n---\n"})
    assert skill_at(root).name == name
    assert parse_agent(Location(str(root / "agents/a.md"), "agents/a.md", str(root), None)).name == name


def test_description_and_when_to_use_are_texts_or_empty(repo: Repo) -> None:
    root = repo({"skills/a/SKILL.md": "---\ndescription: [x]\nwhen_to_use: ' y '\n---\n"})
    skill = skill_at(root)
    assert (skill.description, skill.when_to_use) == ("", "y")


@pytest.mark.parametrize("data", [b"a\0b", b"\xff\xfea\0", b"x" * (2 << 20)])
def test_an_unreadable_file_has_no_header_and_no_body(repo: Repo, data: bytes) -> None:
    skill = skill_at(repo({"skills/a/SKILL.md": data}))
    assert skill.source.problem is not None
    assert skill.header.problem is not None and skill.header.problem.kind == skill.source.problem.kind
    assert (skill.header.fields, skill.body.prose, skill.name) == ((), (), "a")


def test_a_file_with_one_bad_byte_is_still_read(repo: Repo) -> None:
    skill = skill_at(repo({"skills/a/SKILL.md": b"---\nname: b\n---\n\n## caf\xe9\n"}))
    assert (skill.name, len(skill.body.headings), skill.source.problem is None) == ("b", 1, False)


def test_bundled_files(repo: Repo) -> None:
    root = repo(
        {
            "skills/a/references/b.md": "x",
            "skills/a/references/deep/er/c d é.md": "x",
            "skills/a/references/empty.md": "",
            "skills/a/references/.hidden": "x",
            "skills/a/references/-dash": "x",
            "skills/a/references/new\nline": "x",
            "skills/a/assets/logo.png": b"\0",
            "shared/d.md": "x",
            "shared/sub/e.md": "x",
        }
    )
    folder = root / "skills/a/references"
    (folder / "linked.md").symlink_to("../../../shared/d.md")
    (folder / "out.md").symlink_to("/etc/passwd")
    (folder / "dangling.md").symlink_to("nowhere")
    (folder / "loop").symlink_to(".")
    os.mkfifo(folder / "pipe")
    skill = skill_at(root)
    assert skill.reference_files == ("-dash", ".hidden", "b.md", "linked.md", "new\nline", "deep/er/c d é.md")
    assert skill.asset_files == ("logo.png",)


def test_a_linked_references_folder_counts_inside_the_repository_only(repo: Repo, tmp_path: Path) -> None:
    root = repo({"skills/a/SKILL.md": "", "shared/d.md": "x"})
    (root / "skills/a/references").symlink_to("../../shared")
    (root / "skills/a/assets").symlink_to("/etc")
    skill = skill_at(root)
    assert (skill.reference_files, skill.asset_files) == (("d.md",), ())


def test_a_repository_reached_through_a_link(repo: Repo, tmp_path: Path) -> None:
    root = repo({"skills/a/SKILL.md": "", "skills/a/references/b.md": "x", "shared/c.md": "x"})
    (root / "skills/a/references/c.md").symlink_to("../../../shared/c.md")
    (tmp_path / "linked").symlink_to("repo")
    assert skill_at(tmp_path / "linked").reference_files == ("b.md", "c.md")


@pytest.mark.parametrize(
    "name", ["a/b.md", "a/link.md", "a/out.md", "linked/b.md", "linked/link.md", "a/gone.md", "gone/b.md", "a/loop"]
)
def test_the_real_place_of_a_file(tmp_path: Path, name: str) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/b.md").write_text("b")
    for link, target in {"a/link.md": "b.md", "a/out.md": "/etc/hostname", "linked": "a", "a/loop": "loop"}.items():
        (tmp_path / link).symlink_to(target)
    place = str(tmp_path / name)
    assert real_file(place) == os.path.realpath(place)


def test_a_folder_that_is_missing_or_a_file(repo: Repo) -> None:
    root = repo({"skills/a/references": "x"})
    assert bundled_files(str(root / "skills/a/references"), str(root)) == ()
    assert bundled_files(str(root / "skills/a/assets"), str(root)) == ()


def test_the_number_of_files_is_bounded(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "_MAX_FILES", 100)
    root = repo({f"references/{n:05}": "x" for n in range(150)})
    assert len(bundled_files(str(root / "references"), str(root))) == 100


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("MUST do\nNEVER\n\nALWAYS, always", (1, 2, 4)),
        ("You MUST MUST", (1, 1)),
        ("(MUST) MUST. *MUST* _MUST_ MUST_NOT", (1, 1, 1, 1)),
        ("`MUST` ``NEVER``", ()),
        ("MUSTARD ALWAYSON must Never NEVERMIND 1MUST", ()),
        ("```\nMUST\n```\n\n    NEVER\n\n<!-- ALWAYS -->", ()),
        ("# MUST\n\n| NEVER |\n|---|\n| ALWAYS |\n\n> MUST\n\n- NEVER", (1, 3, 5, 7, 9)),
        ("[MUST](NEVER.md 'ALWAYS')", (1,)),
        ("<div title='MUST'>NEVER</div>", (1,)),
        ("必须MUST做", (1,)),
    ],
)
def test_directives(text: str, lines: tuple[int, ...]) -> None:
    assert facts.directive_lines(markdown.parse(text, 1)) == lines


def test_counts_of_a_body() -> None:
    body = markdown.parse("# A\n## B\n### C\n#### D\n```Python\n```\n~~~sh\n~~~\n```\n```\n```python x\n```\n", 1)
    assert [heading.title for heading in facts.section_headings(body)] == ["B", "C"]
    assert facts.fence_languages(body) == ("python", "sh")


@pytest.mark.parametrize(
    ("heading", "examples", "troubleshooting"),
    [
        ("## Examples", True, False), ("## Example: a report", True, False), ("### Usage", True, False),
        ("## Troubleshooting", False, True),
        ("## Common issues", False, True), ("## FAQ", False, True), ("# Examples", False, False), ("## Overview",
        False, False),
        ("#### Usage", False, False), ("## Counterexamplesque", False, False),
    ],
)  # fmt: skip
def test_sections(heading: str, examples: bool, troubleshooting: bool) -> None:
    body = markdown.parse(heading, 1)
    assert (facts.has_examples(body), facts.has_troubleshooting(body)) == (examples, troubleshooting)
