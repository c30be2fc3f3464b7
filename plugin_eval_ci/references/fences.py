"""Paths in fenced code: what a comment says to read, and the scripts that a command runs."""

from collections.abc import Iterator

from plugin_eval_ci.lazy import Lazy
from plugin_eval_ci.model import Fence, Skill
from plugin_eval_ci.references.commands import scripts_of
from plugin_eval_ci.references.mention import BUNDLE_FOLDERS, Mention, bundled_path, is_promised, look
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


def mentions(skill: Skill) -> Iterator[Mention]:
    """The references in the fences of SKILL.md."""
    for fence in skill.body.fences:
        if any(f"{folder}/" in fence.content for folder in BUNDLE_FOLDERS):
            yield from _fence(skill, fence)


def _fence(skill: Skill, fence: Fence) -> Iterator[Mention]:
    for row, line in enumerate(fence.content.split("\n")):
        if "/" not in line or len(line) > 1_000:
            continue
        number = fence.line + 1 + row
        comment = _COMMENT().match(line) if fence.language not in _TEMPLATES else None
        if comment is not None:
            yield from _comment(skill, comment["words"], number)
        elif fence.language in _SHELLS:
            for path in scripts_of(line):
                local = bundled_path(path)
                if local is not None and not _is_made(fence.content, path):
                    yield Mention(path, local, number, "fence", look(skill, local, line))


def _comment(skill: Skill, words: str, number: int) -> Iterator[Mention]:
    for match in _INSIDE().finditer(words):
        local = bundled_path(match[0])
        if local is not None and is_promised(around([words], 0, match.start(), match.end())):
            yield Mention(match[0], local, number, "fence", look(skill, local, words))


def _is_made(content: str, path: str) -> bool:
    """Whether the fence itself writes the script before it runs it."""
    return any(f"{word}{path}" in content for word in ("> ", ">", "touch ", "chmod +x ", "tee "))
