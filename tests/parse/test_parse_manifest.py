"""``plugin.json`` and ``marketplace.json``: which folders they name, and what is left out in silence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from plugin_eval_ci.parse import manifest

Repo = Callable[..., Path]


def marketplace(
    repo: Repo, data: object, folders: tuple[str, ...] = ()
) -> list[tuple[str, str, tuple[str, ...], bool]]:
    text = data if isinstance(data, str) else json.dumps(data)
    root = repo({".claude-plugin/marketplace.json": text, **{f"{folder}/README.md": "x" for folder in folders}})
    place = str(root)
    return [
        (
            entry.name,
            Path(entry.directory).relative_to(root).as_posix(),
            tuple(Path(path).relative_to(root).as_posix() for path in entry.skills),
            entry.complete,
        )
        for entry in manifest.marketplace_entries(place)
    ]


@pytest.mark.parametrize(
    ("entry", "directory", "skills", "complete"),
    [
        ({"name": "a", "source": "./plugins/a"}, "plugins/a", (), False),
        ({"name": "a", "source": "./plugins/a/"}, "plugins/a", (), False),
        ({"name": "a", "source": "plugins/a"}, "plugins/a", (), False),
        (
            {"name": "a", "source": "./plugins/a", "strict": False, "skills": ["./skills/x"]},
            "plugins/a",
            ("plugins/a/skills/x",),
            False,
        ),
        ({"name": "a", "source": "./", "skills": ["./plugins/a"]}, ".", ("plugins/a",), True),
        ({"name": "a", "source": ".", "skills": "./plugins/a"}, ".", ("plugins/a",), True),
        ({"name": "a", "source": "./", "skills": ["./skills/"]}, ".", ("skills",), False),
        ({"name": "a", "source": "./", "skills": ["./"]}, ".", (".",), False),
        ({"name": "a", "source": "./", "skills": ["./gone"]}, ".", ("gone",), False),
        ({"name": "a", "source": "./", "skills": []}, ".", (), False),
        ({"name": "a", "source": "./"}, ".", (), False),
        (
            {"name": "a", "source": "./", "skills": ["./plugins/a", "../out", "/abs", 7, None]},
            ".",
            ("plugins/a",),
            True,
        ),
        ({"source": "./plugins/a"}, "plugins/a", (), False),
    ],
)
def test_an_entry_on_disk(
    repo: Repo, entry: dict[str, object], directory: str, skills: tuple[str, ...], complete: bool
) -> None:
    found = marketplace(repo, {"plugins": [entry]}, ("plugins/a", "skills"))
    assert found == [(entry.get("name", "a"), directory, skills, complete)]


@pytest.mark.parametrize(
    "source",
    [
        "./gone", "./plugins/a/README.md", "../out", "./../out", "./plugins/../../out", "/etc", "", 7, None, [], "\0",
        "a\0b", "x" * 5_000,
        {"source": "github", "repo": "a/b"}, {"source": "url", "url": "https://example.org/a.git"}, {"source": "npm",
        "package": "a"},
        {"source": "git-subdir", "url": "https://example.org", "path": "plugins/a"},
    ],
)  # fmt: skip
def test_an_entry_that_places_nothing_here(repo: Repo, source: object) -> None:
    found = marketplace(repo, {"plugins": [{"name": "a", "source": source}]}, ("plugins/a",))
    assert found == [] or source == ""  # an empty source is the marketplace's own folder, as a join gives it


@pytest.mark.parametrize(
    ("base", "source", "directory"),
    [
        ("./plugins", "a", "plugins/a"),
        ("plugins", "a", "plugins/a"),
        ("./plugins/", "a", "plugins/a"),
        ("./plugins", "./plugins/a", "plugins/a"),  # ignored for sources that begin with ./
        ("../out", "a", None),
        ("/etc", "a", None),
        (7, "plugins/a", "plugins/a"),
    ],
)
def test_plugin_root(repo: Repo, base: object, source: str, directory: str | None) -> None:
    data = {"metadata": {"pluginRoot": base}, "plugins": [{"name": "a", "source": source}]}
    assert [place for _, place, _, _ in marketplace(repo, data, ("plugins/a",))] == ([directory] if directory else [])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "7",
        "null",
        '"a"',
        "{}",
        '{"plugins": {}}',
        '{"plugins": "a"}',
        '{"plugins": [1, null, "a", []]}',
        "[" * 100_000,
        '{"plugins": [{}]}',
    ],
)
def test_a_marketplace_that_cannot_be_read(repo: Repo, text: str) -> None:
    assert marketplace(repo, text) == []


@pytest.mark.parametrize("data", [b"\xff\xfe{\x00}\x00", b'{"plugins": "\xe9"}', b"\0\0"])
def test_bytes_that_are_no_text(repo: Repo, data: bytes) -> None:
    root = repo({".claude-plugin/marketplace.json": data, ".claude-plugin/plugin.json": data})
    assert manifest.marketplace_entries(str(root)) == ()
    assert manifest.plugin_entry(str(root)).skills == ()


def test_a_bom_is_no_obstacle(repo: Repo) -> None:
    root = repo({".claude-plugin/plugin.json": b'\xef\xbb\xbf{"name": "a", "skills": "./x"}'})
    assert manifest.plugin_entry(str(root)).name == "a"


@pytest.mark.parametrize(
    ("data", "name", "skills", "agents"),
    [
        ({"name": "a"}, "a", [], None),
        ({}, "repo", [], None),
        ({"name": ""}, "repo", [], None),
        ({"name": 7}, "repo", [], None),
        ({"name": "a", "skills": "./x"}, "a", ["x"], None),
        ({"name": "a", "skills": ["./x", "y/", "."]}, "a", ["x", "y", "."], None),
        ({"name": "a", "skills": {"x": 1}}, "a", [], None),
        ({"name": "a", "skills": ["../out", "/etc", "a\0b", 7]}, "a", [], None),
        ({"name": "a", "agents": "./b.md"}, "a", [], ["b.md"]),
        ({"name": "a", "agents": []}, "a", [], []),
    ],
)
def test_a_plugin_and_its_paths(
    repo: Repo, data: object, name: str, skills: list[str], agents: list[str] | None
) -> None:
    root = repo({".claude-plugin/plugin.json": json.dumps(data)})
    entry = manifest.plugin_entry(str(root))
    assert entry.name == name
    assert entry.skills == tuple(str(root / path) for path in skills)
    assert entry.agents == (None if agents is None else tuple(str(root / path) for path in agents))


def test_the_manifest_of_other_clients_counts_and_ours_comes_first(repo: Repo) -> None:
    root = repo({".codex-plugin/plugin.json": '{"name": "codex"}'})
    assert manifest.plugin_entry(str(root)).name == "codex"
    (root / ".claude-plugin").mkdir()
    (root / ".claude-plugin/plugin.json").write_text('{"name": "claude"}')
    assert manifest.plugin_entry(str(root)).name == "claude"


def test_what_else_a_plugin_brings(repo: Repo) -> None:
    root = repo({"commands/a.md": "", "hooks/hooks.json": "{}", ".mcp.json": "{}", "src/a.py": ""})
    assert manifest.other_components(str(root)) == ("commands", "hooks", "MCP servers")
    assert manifest.other_components(str(root / "src")) == ()
