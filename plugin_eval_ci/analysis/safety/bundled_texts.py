"""The text files that come with a skill, read once for all rules that look into them."""

import os
from collections.abc import Iterator
from typing import NamedTuple

from plugin_eval_ci.model import Skill
from plugin_eval_ci.parse.documents import is_inside, real_root
from plugin_eval_ci.parse.source import read_head

MAX_BYTES = 512 * 1024  # of one file: a longer one is data
_MAX_FILES = 300
_MAX_TOTAL = 8 << 20
_FOLDERS = ("references", "reference", "scripts", "assets", "templates", "examples", "hooks")
_SKIPPED = frozenset({"node_modules", "__pycache__", "site-packages", "vendor", "dist"})
_NO_TEXT = (
    ".png", ".jpg", ".jpeg", ".gif", ".webp", ".ico", ".pdf", ".ttf", ".otf", ".woff", ".woff2", ".zip", ".gz", ".tgz", ".xz", ".7z",
    ".tar", ".mp3", ".mp4", ".mov", ".wav", ".webm", ".docx", ".pptx", ".xlsx", ".pyc", ".so", ".dll", ".exe",
    ".wasm", ".jar", ".bin", ".onnx",
    ".db", ".sqlite", ".parquet", ".lock", ".map", ".min.js", ".min.css", ".xsd", ".svg", "package-lock.json", "pnpm-lock.yaml",
)  # fmt: skip
_TESTS = frozenset(
    {
        "test",
        "tests",
        "__tests__",
        "spec",
        "specs",
        "fixtures",
        "__fixtures__",
        "testdata",
        "test-data",
        "mocks",
        "__mocks__",
    }
)


_SCRIPTS = (
    ".sh", ".bash", ".zsh", ".ksh", ".command", ".ps1", ".psm1", ".bat", ".cmd", ".py", ".pyw", ".js", ".mjs", ".cjs", ".ts", ".mts",
    ".rb", ".pl", ".php",
)  # fmt: skip


_FETCHES = (
    "curl",
    "wget",
    "fetch",
    "base64",
    "b64decode",
    "xxd",
    "urlopen",
    "requests.",
    "httpx",
    "iex",
    "invoke-",
    "aria2c",
)


class Text(NamedTuple):
    """One file: its path as reported, its path in the skill, what it holds."""

    path: str
    name: str
    text: str


_last: list[tuple[Skill, tuple[Text, ...]]] = []


def bundled_texts(skill: Skill) -> tuple[Text, ...]:
    """The text files of a skill besides SKILL.md; kept for the next rule that asks about the same skill."""
    known = _last[:1]  # one look, whatever another thread does
    if known and known[0][0] is skill:
        return known[0][1]
    found = tuple(_all(skill))
    _last[:] = [(skill, found)]
    return found


def of_tests(name: str) -> bool:
    """Whether a file is there to be tested with: what it holds is made up."""
    *folders, file = name.lower().split("/")
    return (
        not _TESTS.isdisjoint(folders)
        or file.startswith("test_")
        or "_test." in file
        or ".test." in file
        or ".spec." in file
    )


def is_script(file: Text) -> bool:
    """Whether a file is there to be run: by its ending, or by its first line."""
    return file.text.startswith("#!") or file.name.lower().endswith(_SCRIPTS)


def may_fetch(text: str) -> bool:
    """Whether a text names anything that fetches or decodes: most scripts do not, and need no closer look."""
    lower = text.lower()
    return any(word in lower for word in _FETCHES)


def read_text(file: str) -> str:
    """What a file holds, empty when it is binary, too large or unreadable; every line end a newline."""
    data = read_head(file, MAX_BYTES + 1)
    if len(data) > MAX_BYTES or b"\0" in data:
        return ""
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _all(skill: Skill) -> Iterator[Text]:
    left = _MAX_TOTAL
    for count, file in enumerate(_files(skill)):
        text = read_text(file)
        left -= len(text)
        if count >= _MAX_FILES or left < 0:
            return
        if text:
            name = os.path.relpath(file, skill.directory).replace(os.sep, "/")
            yield Text(os.path.relpath(file, skill.root).replace(os.sep, "/"), name, text)


def _files(skill: Skill) -> Iterator[str]:
    """Candidates; a skill at the root of a plugin or repository owns only the folders that the specification names."""
    if skill.placed:
        yield from _below(skill, skill.directory)
    else:
        for folder in _FOLDERS:
            yield from _below(skill, os.path.join(skill.directory, folder))


def _below(skill: Skill, top: str) -> Iterator[str]:
    root = real_root(skill.root)
    stack = [top]
    seen: set[str] = set()  # a linked folder is read too, each once
    while stack:
        folder = stack.pop()
        if (resolved := os.path.realpath(folder)) in seen:
            continue
        seen.add(resolved)
        try:
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        if any(entry.name == "SKILL.md" and entry.path != skill.source.file for entry in listed):
            continue  # another skill, which is looked at by itself
        for entry in listed:
            name = entry.name
            if entry.is_symlink() and not is_inside(os.path.realpath(entry.path), root):
                continue
            if entry.is_dir():
                if name not in _SKIPPED and not name.startswith("."):
                    stack.append(entry.path)
            elif name != "SKILL.md" and not name.lower().endswith(_NO_TEXT) and entry.is_file():
                yield entry.path
