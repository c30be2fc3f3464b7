"""Every layout in use: which files are skills and agents, to which plugin they belong, and what is said of the rest."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Repo = Callable[..., Path]
Find = Callable[..., Any]
S = "---\nname: a\n---\n"


@pytest.mark.parametrize(
    ("files", "skills"),
    [
        (["skills/a/SKILL.md"], ["skills/a/SKILL.md"]),
        (["skills/db/a/SKILL.md", "skills/b/SKILL.md"], ["skills/b/SKILL.md", "skills/db/a/SKILL.md"]),
        (
            ["skills/a/SKILL.md", "skills/a/sub-skills/b/SKILL.md"],
            ["skills/a/SKILL.md", "skills/a/sub-skills/b/SKILL.md"],
        ),
        (["skills/a/SKILL.md", "skills/a/b/SKILL.md"], ["skills/a/SKILL.md", "skills/a/b/SKILL.md"]),
        (["SKILL.md"], ["SKILL.md"]),
        (["a/SKILL.md", "b/SKILL.md", "README.md"], ["a/SKILL.md", "b/SKILL.md"]),
        ([".claude/skills/a/SKILL.md"], [".claude/skills/a/SKILL.md"]),
        (
            [".agents/skills/a/SKILL.md", ".github/skills/b/SKILL.md"],
            [".agents/skills/a/SKILL.md", ".github/skills/b/SKILL.md"],
        ),
        (
            [".codex/skills/a/SKILL.md", ".cursor/skills/b/SKILL.md"],
            [".codex/skills/a/SKILL.md", ".cursor/skills/b/SKILL.md"],
        ),
        (["apps/web/.claude/skills/a/SKILL.md"], ["apps/web/.claude/skills/a/SKILL.md"]),
        (["plugins/p/skills/a/SKILL.md"], ["plugins/p/skills/a/SKILL.md"]),
        (["skills/a/skill.md"], ["skills/a/skill.md"]),
        (["skills/a/Skill.MD"], ["skills/a/Skill.MD"]),
        (["skills/a/skill.md", "skills/a/SKILL.md"], ["skills/a/SKILL.md"]),  # the exact name wins
        (["skills/a/SKILL.md/README.md"], ["skills/a/SKILL.md"]),  # a folder of that name: reported as unreadable
        (["x/" * 12 + "SKILL.md"], ["x/" * 12 + "SKILL.md"]),
        (["skills/a/MY-SKILL.md", "skills/a/SKILL.md.txt", "skills/a/SKILL.mdx", "skills/a/skills.md"], []),
        (["docs/a.md", "src/b.py"], []),
    ],
)
def test_skills(repo: Repo, found: Find, files: list[str], skills: list[str]) -> None:
    assert found(repo(dict.fromkeys(files, S))).skills == sorted(skills)


@pytest.mark.parametrize(
    ("files", "agents"),
    [
        ({"agents/a.md": S, "skills/b/SKILL.md": S}, ["agents/a.md"]),
        ({"agents/a.md": S, ".claude-plugin/plugin.json": "{}"}, ["agents/a.md"]),
        ({"agents/a.md": S, "commands/c.md": ""}, ["agents/a.md"]),
        ({".claude/agents/a.md": S}, [".claude/agents/a.md"]),
        ({"apps/x/.claude/agents/a.md": S}, ["apps/x/.claude/agents/a.md"]),
        ({"plugins/p/agents/a.md": S, "plugins/p/skills/b/SKILL.md": S}, ["plugins/p/agents/a.md"]),
        ({"plugins/p/.claude-plugin/plugin.json": "{}", "plugins/p/agents/a.md": S}, ["plugins/p/agents/a.md"]),
        (
            {"p/agents/a.md": S, ".claude-plugin/marketplace.json": '{"plugins":[{"name":"p","source":"./p"}]}'},
            ["p/agents/a.md"],
        ),
        ({".claude-plugin/plugin.json": '{"agents": "./team/"}', "team/a.md": S, "team/b.txt": ""}, ["team/a.md"]),
        (
            {".claude-plugin/plugin.json": '{"agents": ["./team/a.md", "./gone.md"]}', "team/a.md": S, "team/b.md": S},
            ["team/a.md"],
        ),
        ({".claude-plugin/plugin.json": "{}", "SKILL.md": S, "agents/a.md": S}, ["agents/a.md"]),
        ({"agents/README.md": "", "agents/CLAUDE.md": "", "agents/index.md": "", "skills/b/SKILL.md": S}, []),
        ({"agents/a.txt": "", "agents/a.yaml": "", "agents/a.md/b.txt": "", "skills/b/SKILL.md": S}, []),
        ({"skills/b/SKILL.md": S, "skills/b/agents/a.md": S, "skills/b/agents/openai.yaml": ""}, []),  # a skill's own
        ({"SKILL.md": S, "agents/a.md": S}, []),
        ({"src/agents/a.md": "words"}, []),  # a folder of a program
        (
            {".github/agents/a.agent.md": S, ".gemini/agents/b.md": S},
            [".gemini/agents/b.md", ".github/agents/a.agent.md"],
        ),
        ({".cursor/agents/a.md": S, ".opencode/agent/b.md": S}, [".cursor/agents/a.md", ".opencode/agent/b.md"]),
        ({"agents/team/a.md": S, "commands/c.md": ""}, ["agents/team/a.md"]),  # clients load folders below agents/
        (
            {"agents/a.md": S, "agents/references/x.md": S, "agents/team/words.md": "", "commands/c.md": ""},
            ["agents/a.md"],
        ),
        ({"docs/agents/a.md": "---\ntitle: A\n---\n", "docs/skills/b/SKILL.md": S}, []),  # a documentation site
        ({"agents/a.md": "---\ntitle: A\n---\n", "skills/b/SKILL.md": S}, []),
        ({"docs/agents.md": ""}, []),
    ],
)
def test_agents(repo: Repo, found: Find, files: dict[str, str], agents: list[str]) -> None:
    assert found(repo(files)).agents == agents


def plugin(**data: object) -> str:
    return json.dumps({"name": "p", **data})


@pytest.mark.parametrize(
    ("files", "plugins"),
    [
        ({".claude-plugin/plugin.json": plugin(), "skills/a/SKILL.md": S}, {"p@.": (["skills/a/SKILL.md"], [])}),
        ({".claude-plugin/plugin.json": plugin(), "SKILL.md": S}, {"p@.": (["SKILL.md"], [])}),
        ({".claude-plugin/plugin.json": plugin(skills=["./"]), "SKILL.md": S}, {"p@.": (["SKILL.md"], [])}),
        ({".claude-plugin/plugin.json": plugin(skills="./more"), "more/a/SKILL.md": S, "skills/b/SKILL.md": S},
         {"p@.": (["more/a/SKILL.md", "skills/b/SKILL.md"], [])}),
        ({".claude-plugin/plugin.json": plugin(skills=["./.claude/skills"]), ".claude/skills/a/SKILL.md": S},
        {"p@.": ([".claude/skills/a/SKILL.md"], [])}),
        ({".claude-plugin/plugin.json": plugin(), ".claude/skills/a/SKILL.md": S}, {"p@.": ([], [])}),
        # the project's, not the plugin's
        ({".claude-plugin/plugin.json": plugin(skills=["./node_modules/x"]), "node_modules/x/SKILL.md": S},
        {"p@.": (["node_modules/x/SKILL.md"], [])}),
        ({".claude-plugin/plugin.json": "not json", "skills/a/SKILL.md": S}, {"repo@.": (["skills/a/SKILL.md"], [])}),
        ({"plugins/q/.claude-plugin/plugin.json": plugin(), "plugins/q/skills/a/SKILL.md": S,
        "plugins/q/agents/b.md": S, "skills/c/SKILL.md": S},
         {"p@plugins/q": (["plugins/q/skills/a/SKILL.md"], ["plugins/q/agents/b.md"])}),
        ({"plugins/q/.claude-plugin/plugin.json": plugin(), "plugins/q/hooks/hooks.json": "{}"}, {"p@plugins/q": ([],
        [])}),
        ({".codex-plugin/plugin.json": plugin(), "skills/a/SKILL.md": S}, {"p@.": (["skills/a/SKILL.md"], [])}),
        ({"skills/a/SKILL.md": S}, {}),  # inferred, but nothing says it is one
    ],
)  # fmt: skip
def test_plugins(repo: Repo, found: Find, files: dict[str, str], plugins: dict[str, object]) -> None:
    assert found(repo(files)).plugins == plugins


def market(*entries: dict[str, object], **more: object) -> str:
    return json.dumps({"name": "m", "owner": {"name": "o"}, "plugins": entries, **more})


TWO = {"skills/a/SKILL.md": S, "skills/b/SKILL.md": S, "skills/c/SKILL.md": S}


@pytest.mark.parametrize(
    ("files", "plugins"),
    [
        ({".claude-plugin/marketplace.json": market({"name": "p", "source": "./plugins/p"}),
        "plugins/p/skills/a/SKILL.md": S},
         {"p@plugins/p": (["plugins/p/skills/a/SKILL.md"], [])}),
        ({".claude-plugin/marketplace.json": market({"name": "p", "source": {"source": "github", "repo": "a/b"}}),
        **TWO}, {}),
        ({".claude-plugin/marketplace.json": market({"name": "p", "source": "./plugins/p", "strict": False}),
        "plugins/p/skills/a/SKILL.md": S},
         {"p@plugins/p": (["plugins/p/skills/a/SKILL.md"], [])}),
        ({".claude-plugin/marketplace.json": market({"name": "p", "source": "p"}, metadata={"pluginRoot": "./x"}),
        "x/p/skills/a/SKILL.md": S},
         {"p@x/p": (["x/p/skills/a/SKILL.md"], [])}),
        ({".claude-plugin/marketplace.json": market(
            {"name": "p", "source": "./", "strict": False, "skills": ["./skills/a"]},
            {"name": "q", "source": "./", "strict": False, "skills": ["./skills/b"]}), **TWO},
         {"p@.": (["skills/a/SKILL.md"], []), "q@.": (["skills/b/SKILL.md"], [])}),
         # c is nobody's, and linted all the same
        ({".claude-plugin/marketplace.json": market({"name": "p", "source": "./", "skills": ["./skills"]}), **TWO},
        {"p@.": (sorted(TWO), [])}),
        ({".claude-plugin/marketplace.json": market({"name": "p", "source": "./"}), **TWO}, {"p@.": (sorted(TWO), [])}),
        ({".claude-plugin/marketplace.json": market({"name": "p", "source": "./"}),
        ".claude-plugin/plugin.json": plugin(), **TWO}, {"p@.": (sorted(TWO), [])}),
        ({".claude-plugin/marketplace.json": market({"name": "x", "source": "./p"}, {"name": "y", "source": "./p"}),
        "p/skills/a/SKILL.md": S},
         {"x@p": (["p/skills/a/SKILL.md"], [])}),  # the same plugin under two names
        ({".claude-plugin/marketplace.json": market({"name": "x", "source": "./gone"}, {"name": "y",
        "source": "../out"}), **TWO}, {}),
        ({".claude-plugin/marketplace.json": market({"name": "p", "source": "./node_modules/p"}),
        "node_modules/p/skills/a/SKILL.md": S},
         {"p@node_modules/p": (["node_modules/p/skills/a/SKILL.md"], [])}),
    ],
)  # fmt: skip
def test_marketplaces(repo: Repo, found: Find, files: dict[str, str], plugins: dict[str, object]) -> None:
    result = found(repo(files))
    assert result.plugins == plugins
    assert {path for path in files if path.endswith("SKILL.md")} == set(result.skills)


def test_a_plugin_is_met_once_however_often_it_is_named(repo: Repo, found: Find) -> None:
    root = repo(
        {
            ".claude-plugin/marketplace.json": market({"name": "p", "source": "./plugins/p", "skills": ["./extra"]}),
            "plugins/p/.claude-plugin/plugin.json": plugin(),
            "plugins/p/extra/a/SKILL.md": S,
            "plugins/p/agents/b.md": S,
        }
    )
    once = found(root)
    paths = [
        ".",
        "plugins",
        "plugins/p",
        "plugins/p/extra/a",
        ".claude-plugin/marketplace.json",
        "plugins/p/.claude-plugin/plugin.json",
        ".",
    ]
    again = found(root, paths)
    assert once.plugins == again.plugins == {"p@plugins/p": (["plugins/p/extra/a/SKILL.md"], ["plugins/p/agents/b.md"])}
    assert again.left == {} and again.skills == once.skills


@pytest.mark.parametrize(
    ("files", "placed"),
    [
        ({"skills/a/SKILL.md": S}, {"skills/a/SKILL.md": True}),
        ({"SKILL.md": S}, {"SKILL.md": False}),
        (
            {"x/.claude-plugin/plugin.json": "{}", "x/SKILL.md": S, "x/skills/b/SKILL.md": S},
            {"x/SKILL.md": False, "x/skills/b/SKILL.md": True},
        ),
        ({"plugins/x/SKILL.md": S}, {"plugins/x/SKILL.md": False}),
        ({"x/SKILL.md": S}, {"x/SKILL.md": True}),
    ],
)
def test_whether_the_folder_names_the_skill(
    repo: Repo, found: Find, files: dict[str, str], placed: dict[str, bool]
) -> None:
    assert {place.path: place.placed for place in found(repo(files)).raw.skills} == placed


@pytest.mark.parametrize(
    ("file", "plugin_root"),
    [
        ("skills/a/SKILL.md", "."), ("plugins/p/skills/a/SKILL.md", "plugins/p"), ("x/.claude/skills/a/SKILL.md",
        "x/.claude"), ("a/SKILL.md", None),
    ],
)  # fmt: skip
def test_the_plugin_root_is_inferred(repo: Repo, found: Find, file: str, plugin_root: str | None) -> None:
    root = repo({file: S})
    assert found(root).raw.skills[0].plugin == (
        None if plugin_root is None else str(root / plugin_root).removesuffix("/.")
    )


@pytest.mark.parametrize(
    ("files", "problems"),
    [
        ({"skills/my-skill.md": S, "skills/a/SKILL.md": S}, [("skills/my-skill.md", "SKILL_FLAT_FILE")]),
        ({"skills/b/README.md": "", "skills/a/SKILL.md": S}, [("skills/b", "FILE_MISSING")]),
        (
            {
                "skills/README.md": "",
                "skills/index.md": "",
                "skills/_template/x.md": "",
                "skills/.x/y.md": "",
                "skills/a/SKILL.md": S,
            },
            [],
        ),
        ({"skills/db/a/SKILL.md": S, "skills/db/README.md": ""}, []),  # a category
        ({"skills/b/script.py": "", "skills/a/SKILL.md": S}, []),
        ({"skills/SKILL.md": S, "skills/notes.md": ""}, [("skills/notes.md", "SKILL_FLAT_FILE")]),
        ({"skills/skills/SKILL.md": S, "skills/skills/notes.md": ""}, []),  # a skill of that name
        ({"skills/a/SKILL.md": S, "skills/a/notes.md": "", "skills/a/references/x.md": ""}, []),
        ({"skills/node_modules/x.md": "", "skills/a/SKILL.md": S}, []),
    ],
)
def test_what_looks_like_a_skill_and_is_none(
    repo: Repo, found: Find, files: dict[str, str], problems: list[tuple[str, str]]
) -> None:
    assert found(repo(files)).problems == problems


def test_a_part_of_a_skill_without_a_header_is_no_skill(repo: Repo, found: Find) -> None:
    files = {"skills/a/SKILL.md": S, "skills/a/modes/x/SKILL.md": "words", "templates/overlay/SKILL.md": "words"}
    assert found(repo({**files, "skills/a/modes/y/SKILL.md": S})).skills == [
        "skills/a/SKILL.md",
        "skills/a/modes/y/SKILL.md",
    ]


def test_a_link_to_a_command_or_an_agent_is_not_a_second_document(repo: Repo, found: Find) -> None:
    root = repo(
        {"commands/rice.md": S, "agents/pea.md": S, ".gemini/skills/rice/.keep": "", ".gemini/skills/pea/.keep": ""}
    )
    (root / ".gemini/skills/rice/SKILL.md").symlink_to("../../../commands/rice.md")
    (root / ".gemini/skills/pea/SKILL.md").symlink_to("../../../agents/pea.md")
    (root / ".claude/agents").mkdir(parents=True)
    (root / ".claude/agents/pea.md").symlink_to("../../agents/pea.md")
    result = found(root)
    assert (result.skills, result.agents) == ([], ["agents/pea.md"])


def test_an_agent_named_on_the_command_line_needs_no_plugin(repo: Repo, found: Find) -> None:
    root = repo({"agents/a.md": S, "x/y.agent.md": S, "agents/words.md": "words", "agents/README.md": S})
    assert found(root, ["agents/a.md", "x/y.agent.md"]).agents == ["agents/a.md", "x/y.agent.md"]
    assert found(root, ["agents/words.md", "agents/README.md"]).agents == []
