"""Commands that Claude Code runs when it loads a SKILL.md, before the model sees a word of it.

Claude Code looks for them in the plain text: a code block or inline code around one does not stop it (anthropics/claude-code#87730).
"""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from plugin_eval_ci.model import Document
from plugin_eval_ci.util.lazy import Lazy


class Command(NamedTuple):
    """One command: its line, its words, whether it stands in code, and what is worrying about it."""

    line: int
    words: str
    shown_as_code: bool
    danger: str  # "downloads", "deletes" or empty


_INLINE = Lazy(r"(?:(?<=\s)|^)!`([^`]+)`")
_BLOCK = Lazy(r"```!\s*\n?(.*?)\n?```", 16)
_MOST = 100  # of one skill
_SPLIT = Lazy(r"\|\||&&|[;|&\n(){}]|\$\(")
_BEFORE = frozenset(
    {"sudo", "env", "command", "exec", "nohup", "time", "then", "do", "else", "if", "!", "while", "xargs"}
)
_DOWNLOADS = frozenset(
    {
        "curl",
        "wget",
        "iwr",
        "irm",
        "invoke-webrequest",
        "invoke-restmethod",
        "scp",
        "sftp",
        "aria2c",
        "npx",
        "bunx",
        "uvx",
        "pipx",
    }
)
_DELETES = frozenset({"rm", "rmdir", "del", "unlink", "shred", "mkfs", "dd", "truncate", "remove-item"})
_TWO_WORDS = {
    "downloads": ("git clone", "pip install", "pip3 install", "npm install", "npm i", "pnpm dlx", "yarn dlx", "gem install",
                   "cargo install", "brew install", "apt-get install", "apt install", "go install"),
    "deletes": ("git clean", "git reset --hard", "git push --force", "git push -f", "git branch -D"),
}  # fmt: skip
_LOCAL = ("localhost", "127.0.0.1", "[::1]", "0.0.0.0", "file://")


def commands_of(skill: Document) -> Iterator[Command]:
    """The commands of a SKILL.md, in order of line."""
    text = skill.source.text
    if "!`" not in text and "```!" not in text:
        return
    offset = _offset(text, max(skill.body.first_line, skill.header.end_line + 1))
    found = []
    for pattern in (_INLINE(), _BLOCK()):
        for match in islice(pattern.finditer(text, offset), _MOST):
            words = match[1].strip()
            if words:
                line = text.count("\n", 0, match.start()) + 1
                found.append(
                    Command(
                        line,
                        words,
                        _is_code(skill, line, text, match.start()) and pattern is _INLINE(),
                        danger_of(words),
                    )
                )
    yield from sorted(found)


def danger_of(command: str) -> str:
    """``downloads``, ``deletes`` or nothing: what the first words of its parts do."""
    for part in _SPLIT().split(command):
        words = [word.strip("\"'") for word in part.split()]
        while words and (words[0] in _BEFORE or "=" in words[0]):
            words.pop(0)
        if not words:
            continue
        program, start = words[0].rpartition("/")[2].lower(), " ".join(words[:3])
        if (
            program in _DELETES
            or start.startswith(_TWO_WORDS["deletes"])
            or (program == "find" and ("-delete" in words or "rm" in words))
        ):
            return "deletes"
        if (
            (program in _DOWNLOADS or start.startswith(_TWO_WORDS["downloads"]))
            and not any(place in part for place in _LOCAL)
            and "--version" not in words
        ):
            return "downloads"
    return ""


def _offset(text: str, line: int) -> int:
    at = 0
    for _ in range(line - 1):
        at = text.find("\n", at) + 1
        if not at:
            return len(text)
    return at


def _is_code(skill: Document, line: int, text: str, at: int) -> bool:
    if any(fence.line <= line <= fence.end_line for fence in skill.body.fences):
        return True
    before = text[text.rfind("\n", 0, at) + 1 : at]
    return before.rstrip().endswith("``")
