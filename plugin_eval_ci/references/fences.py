"""Paths in fenced code: what a comment says to read, and the scripts that a command runs."""

from collections.abc import Iterator

from plugin_eval_ci.lazy import Lazy
from plugin_eval_ci.model import Fence, Skill
from plugin_eval_ci.references.commands import leaves, scripts_of
from plugin_eval_ci.references.mention import (
    BUNDLE_FOLDERS,
    Mention,
    bundled_path,
    is_of_a_project,
    is_promised,
    look,
)
from plugin_eval_ci.references.shown import shown_files
from plugin_eval_ci.resolve.sentence import around

_TEMPLATES = frozenset(
    {"markdown", "md", "mdx", "text", "txt", "plaintext", "tree", "dot", "mermaid", "html", "xml", "json", "diff"}
)
_SHELLS = frozenset(
    {
        "",
        "sh",
        "bash",
        "zsh",
        "shell",
        "console",
        "terminal",
        "shell-session",
        "shellsession",
        "powershell",
        "ps1",
        "cmd",
    }
)
_COMMENT = Lazy(r"\s*(?:#+|//+|--|;+|/\*+|<!--|%)\s*(?P<words>\S.*)")
_INSIDE = Lazy(r"(?<![\w/.-])(?:\./)?(?:references?|assets|scripts)/[\w./-]*\w/?")
_DEPLOYS = Lazy(r"\b(?:kubectl|helm (?:install|upgrade)|docker build|terraform apply|pytest) ")
_CLONE = Lazy(r"\bgit clone\b")


def mentions(skill: Skill) -> Iterator[Mention]:
    """The references in the fences of SKILL.md."""
    found: list[Mention] = []
    away = False  # an earlier command cloned a project, whose scripts these may be
    for fence in skill.body.fences:
        if any(f"{folder}/" in fence.content for folder in BUNDLE_FOLDERS):
            found += _fence(skill, fence, away)
        away = away or (fence.language in _SHELLS and _CLONE().search(fence.content) is not None)
    shown = shown_files(skill) if any(mention.resolution.status == "missing" for mention in found) else set()
    for mention in found:
        if mention.resolution.status != "missing" or mention.local.path not in shown:
            yield mention


def _fence(skill: Skill, fence: Fence, away: bool) -> Iterator[Mention]:
    before = ""
    for row, line in enumerate(fence.content.split("\n")):
        above, before = before, f"{before}{line}\n"
        if "/" not in line or len(line) > 1_000:
            continue
        number = fence.line + 1 + row
        comment = _COMMENT().match(line) if fence.language not in _TEMPLATES else None
        if comment is not None:
            yield from _comment(skill, comment["words"], number)
        elif fence.language in _SHELLS:
            for path in scripts_of(line):
                local = bundled_path(path)
                if local is None or _is_made(fence.content, path) or is_of_a_project(skill, path, local.path):
                    continue
                if local.base or not (away or leaves(above) or _DEPLOYS().search(fence.content)):
                    yield Mention(path, local, number, "fence", look(skill, local, line))


def _comment(skill: Skill, words: str, number: int) -> Iterator[Mention]:
    for match in _INSIDE().finditer(words):
        local = bundled_path(match[0])
        if local is not None and is_promised(skill, around([words], 0, match.start(), match.end())):
            yield Mention(match[0], local, number, "fence", look(skill, local, words))


def _is_made(content: str, path: str) -> bool:
    """Whether the fence itself writes the script before it runs it."""
    return any(f"{word}{path}" in content for word in ("> ", ">", "touch ", "chmod +x ", "tee "))
