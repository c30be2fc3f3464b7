"""Where relative paths lead: the link rules of the methodology's section 4, and references to other skills and agents."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from plugin_eval_ci.analysis import resolve
from plugin_eval_ci.config import Config
from plugin_eval_ci.discover import find_targets
from plugin_eval_ci.model import Skill
from plugin_eval_ci.parse.documents import parse_skill

Repo = Callable[..., Path]
S = "---\nname: a\n---\n"


def skill_at(root: Path, path: str = "p/skills/a/SKILL.md") -> Skill:
    resolve.forget()
    locations = find_targets((str(root),), Config()).skills
    return parse_skill(next(place for place in locations if place.file == str(root / path)))


@pytest.fixture
def root(repo: Repo) -> Path:
    """A plugin ``p`` with the skill ``a`` and its neighbours."""
    root = repo(
        {
            "p/.claude-plugin/plugin.json": '{"name": "p"}',
            "p/skills/a/SKILL.md": S,
            "p/skills/a/references/x.md": "x",
            "p/skills/a/references/deep/y.md": "x",
            "p/skills/a/references/with space.md": "x",
            "p/skills/a/references/é 数据.md": "x",
            "p/skills/a/references/a#b.md": "x",
            "p/skills/a/references/(1).md": "x",
            "p/skills/a/references/100%.md": "x",
            "p/skills/a/references/Upper.md": "x",
            "p/skills/a/assets/logo.png": "x",
            "p/skills/b/SKILL.md": S,
            "p/references/shared.md": "x",
            "p/agents/helper.md": S,
            "docs/out.md": "x",
        }
    )
    (root / "p/skills/a/references/linked.md").symlink_to("x.md")
    (root / "p/skills/a/references/dangling.md").symlink_to("nowhere.md")
    (root / "p/skills/a/references/passwd").symlink_to("/etc/passwd")
    (root / "p/skills/a/references/etc").symlink_to("/etc")
    return root


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("references/x.md", "found"),
        ("./references/x.md", "found"),
        ("references//x.md", "found"),
        ("references/../references/x.md", "found"),
        ("references/x.md#part", "found"),
        ("references/x.md?raw=1#part", "found"),
        ("references/deep/y.md", "found"),
        ("references/deep/", "found"),
        ("references", "found"),
        ("references/with%20space.md", "found"),
        ("references/with space.md", "found"),
        ("references/%C3%A9%20%E6%95%B0%E6%8D%AE.md", "found"),
        ("references/é 数据.md", "found"),
        ("references/a%23b.md", "found"),
        ("references/(1).md", "found"),
        ("references/%281%29.md", "found"),
        ("references/100%.md", "found"),
        ("references/100%25.md", "found"),
        ("references\\x.md", "found"),
        ("references/linked.md", "found"),
        ("assets/logo.png", "found"),
        ("SKILL.md", "found"),
        ("../b/SKILL.md", "found"),
        ("../../references/shared.md", "found"),
        ("references/shared.md", "found"),  # from the plugin root
        ("../../../docs/out.md", "found"),
        ("${CLAUDE_SKILL_DIR}/references/x.md", "found"),
        ("$CLAUDE_SKILL_DIR/references/x.md", "found"),
        ("${CLAUDE_PLUGIN_ROOT}/references/shared.md", "found"),
        ("${CLAUDE_PLUGIN_ROOT}/skills/b/SKILL.md", "found"),
        ("references/x.md:12", "found"),
        ("references/x.md:12:3", "found"),
        ("references/x.md:12-14", "found"),
        ("references/gone.md:12", "missing"),
        ("references/gone.md", "missing"),
        ("references/y.md", "missing"),  # the same name in another folder does not do
        ("references/deep/x.md", "missing"),
        ("references/x", "missing"),
        ("references/x.md/y", "missing"),
        ("references/%C3%A9.md", "missing"),
        ("references/dangling.md", "missing"),
        ("../c/SKILL.md", "missing"),
        ("${CLAUDE_SKILL_DIR}/references/shared.md", "missing"),
        ("${CLAUDE_PLUGIN_ROOT}/references/x.md", "missing"),
        ("references/upper.md", "case"),
        ("references/X.MD", "case"),
        ("References/x.md", "case"),
        ("references/e\u0301 数据.md", "case"),  # another composition of the same letter
        ("../../../../out.md", "outside"),
        ("../../../../../../../../etc/passwd", "outside"),
        ("references/passwd", "outside"),
        ("references/etc/passwd", "outside"),
        ("references/etc/gone", "outside"),
    ],
)
def test_a_link_leads_somewhere(root: Path, target: str, status: str) -> None:
    local = resolve.local_path(target)
    assert local is not None
    assert resolve.resolve(skill_at(root), local).status == status


@pytest.mark.parametrize(
    ("target", "actual"),
    [
        ("references/upper.md", "references/Upper.md"),
        ("REFERENCES/DEEP/Y.md", "references/deep/y.md"),
        ("../B/skill.md", "../b/SKILL.md"),
    ],
)
def test_the_spelling_on_disk(root: Path, target: str, actual: str) -> None:
    local = resolve.local_path(target)
    assert local is not None
    assert resolve.resolve(skill_at(root), local).actual == actual


@pytest.mark.parametrize(
    "target",
    [
        "", " ", "#", "#part", "?q=1", ".", "./", "/", "/etc/passwd", "/references/x.md", "//example.org/x",
        "https://example.org/references/x.md",
        "HTTP://x", "mailto:a@b.c", "file:///etc/passwd", "vscode://x", "data:text/plain,x", "C:\\x.md", "c:/x.md",
        "\\\\server\\x", "@scope/pkg",
        "~/references/x.md", "~user/x.md", "$HOME/x.md", "${HOME}/x.md", "$VAR/references/x.md", "%APPDATA%/x.md",
        "{baseDir}/references/x.md",
        "{{base}}/x.md", "references/${NAME}.md", "references/$TOPIC.md", "references/a-$TOPIC.md",
        "references/<name>.md", "<placeholder>", "references/*.md",
        "references/**", "references/[id].md",
        "references/{a,b}.md", "references/...", "references/\u2026", "a|b", "$(pwd)/x", "references/__NAME__.md",
        "references/%NAME.md",
        ".claude/skills/b/SKILL.md", "~/.claude/skills/b", "./.agents/skills/b/SKILL.md", ".codex/x.md",
        "foo/.cursor/x.md", "a\0b", "a%00b", "a\nb", "x" * 2_000,
        "references/" + "x" * 300, "${CLAUDE_PROJECT_DIR}/x.md",
    ],
)  # fmt: skip
def test_what_is_no_path_of_ours(target: str) -> None:
    assert resolve.local_path(target) is None


@pytest.mark.parametrize(
    ("part", "answer"),
    [
        ("your-skill", True), ("my_skill.md", True), ("skill-name", True), ("foo.md", True), ("NAME.md", True),
        ("file.md", True), ("path-to", True),
        ("url-here", True), ("another-agent.md", True), ("skill-a", True), ("FILE_NAME.md", True),
        ("xxx.md", True), ("new-skill", True), ("example", True),
        ("SKILL.md", False), ("fields.md", False), ("myth.md", False), ("yours.md", False),
        ("newest.md", False), ("examples-of-use.md", False),
        ("filenames.md", False), ("xyz.md", False), ("food.md", False), ("FAQ.md", False), ("API.md", False),
        ("LICENSE", False), ("README", False),
        ("EXAMPLES.md", False), ("example-prompts.md", False), ("sample-report.md", False),
        ("new-features.md", False), ("other-tools.md", False),
        ("target-audience.md", False), ("my-sql.md", False), ("plugin-name.md", False), ("skill.md", False),
        ("todo.md", False), ("path.md", False),
        ("skills", False), ("agents", False), ("new-customer-onboarding", False), ("target-selection", False),
        ("x.md", False), ("user_id.md", False),
    ],
)  # fmt: skip
def test_placeholders(part: str, answer: bool) -> None:
    assert resolve.is_placeholder(part) is answer


@pytest.mark.parametrize(
    ("part", "answer"),
    [
        ("examples.md", True),
        ("TOPIC.md", True),
        ("new-features.md", True),
        ("x.md", True),
        ("topic.md", True),
        ("fields.md", False),
        ("SKILL.md", False),
        ("README.md", False),
    ],
)
def test_placeholders_in_doubt(part: str, answer: bool) -> None:
    assert resolve.is_placeholder(part, doubt=True) is answer


def test_a_path_with_a_placeholder() -> None:
    assert resolve.has_placeholder("references/path/to/fields.md")
    assert resolve.has_placeholder("skills/your-skill/SKILL.md")
    assert not resolve.has_placeholder("references/path.md")


def test_a_linked_skill_file_looks_from_both_folders(repo: Repo) -> None:
    root = repo({"shared/a/SKILL.md": S, "shared/a/references/x.md": "x", "skills/a/references/y.md": "x"})
    (root / "skills/a/SKILL.md").symlink_to("../../shared/a/SKILL.md")
    resolve.forget()
    places = find_targets((str(root / "skills/a/SKILL.md"),), Config()).skills
    skill = parse_skill(places[0])
    for target, status in (("references/x.md", "found"), ("references/y.md", "found"), ("references/z.md", "missing")):
        local = resolve.local_path(target)
        assert local is not None and resolve.resolve(skill, local).status == status


def test_no_plugin_no_plugin_root(repo: Repo) -> None:
    skill = skill_at(repo({"x/a/SKILL.md": S}), "x/a/SKILL.md")
    local = resolve.local_path("${CLAUDE_PLUGIN_ROOT}/gone.md")
    assert local is not None and resolve.resolve(skill, local).status == "outside"  # unknown, so nothing is said


def test_nothing_outside_the_repository_is_listed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    skill = skill_at(root)
    seen: list[str] = []
    listed = os.listdir
    monkeypatch.setattr(os, "listdir", lambda folder: seen.append(os.path.realpath(folder)) or listed(folder))
    for target in ("references/etc/passwd", "../../../../../etc/passwd", "references/passwd", "references/x.md"):
        local = resolve.local_path(target)
        assert local is not None
        resolve.resolve(skill, local)
    assert seen and all(folder.startswith(str(root)) for folder in seen)


# --- references to other skills and agents -------------------------------------------------------------------------

FILES = {
    "p/.claude-plugin/plugin.json": '{"name": "p"}',
    "p/skills/label-print/SKILL.md": S,
    "p/skills/stock/sub-skills/count-all/SKILL.md": S,
    "p/skills/stock/skills/inner-one/SKILL.md": S,
    "p/skills/db/query-run/SKILL.md": S,
    "p/agents/helper-one.md": S,
    "q/skills/far-away/SKILL.md": S,
    "q/agents/far-helper.md": S,
}


def references(
    repo: Repo, body: str, path: str = "p/skills/stock/SKILL.md", files: dict[str, str] = FILES
) -> list[tuple[str, int, str]]:
    root = repo({**files, path: f"---\nname: stock\n---\n{body}\n"})
    return [
        (found.path, found.line, found.resolution.status) for found in resolve.cross_references(skill_at(root, path))
    ]


@pytest.mark.parametrize(
    ("body", "path", "status"),
    [
        ("[x](../label-print/SKILL.md)", "../label-print/SKILL.md", "found"),
        ("[x](../label-print)", "../label-print", "found"),
        ("[x](../../skills/label-print/SKILL.md)", "../../skills/label-print/SKILL.md", "found"),
        ("[x](skills/label-print/SKILL.md)", "skills/label-print/SKILL.md", "found"),  # from the plugin root
        ("[x](sub-skills/count-all/SKILL.md)", "sub-skills/count-all/SKILL.md", "found"),
        ("[x](../../agents/helper-one.md)", "../../agents/helper-one.md", "found"),
        ("Then `skills/label-print`.", "skills/label-print", "found"),
        ("Then `../label-print/SKILL.md`.", "../label-print/SKILL.md", "found"),
        ("Then skills/label-print.", "skills/label-print", "found"),
        ("Then `sub-skills/count-all`.", "sub-skills/count-all", "found"),
        ("Then `agents/helper-one.md`.", "agents/helper-one.md", "found"),
        ("Then `agents/helper-one`.", "agents/helper-one", "found"),
        ("Then `p/skills/label-print`.", "p/skills/label-print", "found"),
        ("Then `q/skills/far-away`.", "q/skills/far-away", "found"),
        ("Then `skills/far-away`.", "skills/far-away", "found"),  # of a sibling plugin
        ("Then `agents/far-helper.md`.", "agents/far-helper.md", "found"),
        ("[x](../label-printer/SKILL.md)", "../label-printer/SKILL.md", "missing"),
        ("[x](../label-printer)", "../label-printer", "missing"),
        ("[x](skills/label-printer/SKILL.md)", "skills/label-printer/SKILL.md", "missing"),
        ("Then `skills/label-printer`.", "skills/label-printer", "missing"),
        ("Then `skills/label-printer/SKILL.md`.", "skills/label-printer/SKILL.md", "missing"),
        ("Then skills/label-printer.", "skills/label-printer", "missing"),
        ("Then `sub-skills/count-none`.", "sub-skills/count-none", "missing"),
        ("Then `agents/helper-two.md`.", "agents/helper-two.md", "missing"),
        ("| Then use `skills/label-printer` |\n|---|", "skills/label-printer", "missing"),
        ("- see `skills/label-printer`", "skills/label-printer", "missing"),
        ("[x](../Label-Print/SKILL.md)", "../Label-Print/SKILL.md", "case"),
        ("Then `skills/Label-Print`.", "skills/Label-Print", "case"),
    ],
)
def test_a_reference_to_a_skill(repo: Repo, body: str, path: str, status: str | None) -> None:
    assert references(repo, body) == ([(path, 4, status)] if status else [])


@pytest.mark.parametrize(
    "body",
    [
        "All skills/agents/commands are listed.",
        "A skill/command/agent of yours.",
        "skills/hooks, skills/plugins and agent/skill",
        "Use the skill/tool as needed.",
        "`skills/agents`",
        "`skills/your-skill-name`",
        "`skills/my-skill/SKILL.md`",
        "`skills/<name>/SKILL.md`",
        "`skills/{name}/SKILL.md`",
        "`skills/*/SKILL.md`",
        "`skills/example/SKILL.md`",
        "`skills/NAME`",
        "`~/.claude/skills/label-printer`",
        "`.claude/skills/label-printer/SKILL.md`",
        "`$HOME/skills/label-printer`",
        "`${CLAUDE_PLUGIN_ROOT}/skills/label-printer`",
        "https://example.org/skills/label-printer",
        "[x](https://example.org/skills/label-printer)",
        "[x](mailto:skills/label-printer)",
        "```\nskills/label-printer/\n```",
        "    skills/label-printer/",
        "<!-- skills/label-printer -->",
        "<!--\n`skills/label-printer`\n-->",
        "> skills/label-printer",
        'It says "skills/label-printer" there.',
        "Create `skills/label-printer/SKILL.md`.",
        "Write it to skills/label-printer.",
        "Save the result as `skills/label-printer/SKILL.md`",
        "A folder named skills/label-printer",
        "for example `skills/label-printer`",
        "`lib/skills/label-printer` of their program",
        "`skills/stock`",
        "`skills/stock/references/x.md`",
        "`skills/stock/SKILL.md`",
        "`references/skills/label-printer.md`",
        "[x](references/agents/a.md)",
        "`import x from './skills/label-printer'`",
        "npm run skills/label",
        "[x](../../../../../skills/label-printer/SKILL.md)",
        "multi-skills/label-printer",
        "user@skills/label-printer",
    ],
)
def test_what_is_no_reference(repo: Repo, body: str) -> None:
    assert [found for found in references(repo, body) if found[2] != "found"] == []


def test_each_reference_once_at_its_first_line(repo: Repo) -> None:
    first = "See `skills/gone-one`\n\n[x](../gone-two/SKILL.md) and `skills/gone-one/SKILL.md`"
    body = f"{first}\n\nskills/gone-one and [y](../gone-two/SKILL.md)"
    assert references(repo, body) == [("skills/gone-one", 4, "missing"), ("../gone-two/SKILL.md", 6, "missing")]


def test_renamed_and_the_others_still_name_it(repo: Repo) -> None:
    body = (
        "`skills/label-print`, `skills/label-maker` and\n[it](../label-maker/SKILL.md), [that](../label-print/SKILL.md)"
    )
    assert [found for found in references(repo, body) if found[2] == "missing"] == [
        ("skills/label-maker", 4, "missing"), ("../label-maker/SKILL.md", 5, "missing"),
    ]  # fmt: skip


def test_from_a_sub_skill_and_a_category(repo: Repo) -> None:
    path = "p/skills/stock/sub-skills/other-one/SKILL.md"
    assert references(repo, "`sub-skills/count-all`, `skills/label-print`", path) == [
        ("skills/label-print", 4, "found"), ("sub-skills/count-all", 4, "found"),
    ]  # fmt: skip
    assert references(repo, "Then use `skills/label-print` and `skills/gone-one`", "p/skills/db/query-two/SKILL.md") == [
        ("skills/gone-one", 4, "missing"), ("skills/label-print", 4, "found"),
    ]  # fmt: skip


def test_in_a_repository_of_nothing_else(repo: Repo) -> None:
    assert references(repo, "Then use `skills/label-print`.", "SKILL.md", {}) == [("skills/label-print", 4, "missing")]
