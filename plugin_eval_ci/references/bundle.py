"""The files that a skill bundles, and those that nothing in it mentions."""

import os
import re
from collections.abc import Iterator
from urllib.parse import unquote

from plugin_eval_ci.lazy import Lazy
from plugin_eval_ci.model import Skill
from plugin_eval_ci.parse.documents import bundled_files, inside, real_file, real_root
from plugin_eval_ci.parse.source import head
from plugin_eval_ci.resolve.paths import names_in

_FOLDERS = ("references", "reference", "scripts", "assets")
_SILENT = frozenset(
    {"readme.md", "license", "license.md", "license.txt", "notice", "changelog.md", "__init__.py", "package.json", "package-lock.json",
     "pyproject.toml", "requirements.txt", "tsconfig.json", "conftest.py", "py.typed", "go.mod", "go.sum", "cargo.toml", "cargo.lock",
     "uv.lock", "yarn.lock", "pnpm-lock.yaml", "makefile", "dockerfile"}
)  # fmt: skip
_NOT_SHIPPED = frozenset(
    {"tests", "test", "__tests__", "__pycache__", "node_modules", "fixtures", "evals", "dist", "build"}
)
_TEST = Lazy(r"(?:test_.*|.*[_.-](?:test|spec))\.\w{1,4}", re.IGNORECASE)
_MAX_READ = 256 * 1024
_MAX_OTHERS = 300  # files of the plugin outside the skill that are looked into
_PROSE = (".md", ".markdown", ".txt", ".xsd", ".xml", ".svg", ".html", ".csv")
_TEXTS = (".md", ".json", ".toml", ".yaml", ".yml", ".sh", ".py", ".js")
_TOO_MANY = 300  # a skill that bundles a whole project is not judged file by file


def files_of(skill: Skill) -> list[str]:
    """The bundled files in the folders that the specification gives a meaning, relative to the skill."""
    return [
        f"{folder}/{name}"
        for folder in _FOLDERS
        for name in bundled_files(os.path.join(skill.directory, folder), skill.root)
    ]


def unused_files(skill: Skill) -> list[str]:
    """Bundled files whose name, stem or folder no text of the skill mentions, and whose path nothing of the plugin names."""
    candidates = [name for name in files_of(skill) if not _is_silent(name)]
    if not candidates or len(candidates) > _TOO_MANY:
        return []
    text = skill.source.text
    left = _unmentioned(candidates, f"{text}\n{unquote(text)}" if "%" in text else text)
    if not left:
        return []
    for name, text in _other_texts(skill):
        left = [candidate for candidate in left if candidate == name or not _mentions(text, candidate)]
        if not name.endswith(_PROSE):
            left = [candidate for candidate in left if not _opens_folder(text, candidate)]
        if not left:
            return []
    place = os.path.basename(skill.directory)
    for text in _texts_around(skill):
        if place in text:
            left = [candidate for candidate in left if f"{place}/{candidate}" not in text]
    return left


def _is_silent(name: str) -> bool:
    parts = name.lower().split("/")
    return (
        parts[-1] in _SILENT
        or any(part.startswith((".", "_")) for part in parts)
        or _TEST().fullmatch(parts[-1]) is not None
        or not _NOT_SHIPPED.isdisjoint(parts[:-1])
    )


def _unmentioned(candidates: list[str], text: str) -> list[str]:
    return [candidate for candidate in candidates if not _mentions(text, candidate)]


def _mentions(text: str, path: str) -> bool:
    """Whether a text names a file: its name, its stem as a word of its own, or the folder it lies in."""
    folder, _, name = path.rpartition("/")
    stem = name.rpartition(".")[0] or name
    if name in text or (len(stem) > 3 and stem in text):
        return True
    # "all files in assets/icons/" covers what is below; "references/" alone, or a glob, covers its top level.
    while folder:
        if (
            f"{folder}/*" in text
            or f"{folder}/ " in text
            or f"{folder}/`" in text
            or f"{folder}/)" in text
            or f"{folder}/<" in text
            or f"{folder}/{{" in text
        ):
            return True
        folder = folder.rpartition("/")[0] if folder.count("/") else ""
    return False


def _opens_folder(text: str, path: str) -> bool:
    """Whether code names a folder below scripts/ or assets/ that a file lies in: it reads what is there (``Path(…) / "schemas"``)."""
    return any(f'"{part}"' in text or f"'{part}'" in text or f"/{part}/" in text for part in path.split("/")[1:-1])


def _other_texts(skill: Skill) -> Iterator[tuple[str, str]]:
    """The other text files of the skill, for a name that SKILL.md does not hold."""
    budget = 200
    for current, folders, files in os.walk(skill.directory):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        if current != skill.directory and "SKILL.md" in files:
            folders[:] = []
            continue
        for name in sorted(files):
            path = os.path.join(current, name)
            budget -= 1
            if budget < 0:
                return
            if path == skill.source.file or not inside(real_file(path), real_root(skill.root)):
                continue
            yield os.path.relpath(path, skill.directory).replace(os.sep, "/"), _text(path)


def _texts_around(skill: Skill) -> Iterator[str]:
    """What may name a file of the skill by its whole path: hooks, commands, agents and other skills of the plugin, its top files."""
    if not skill.placed:
        return
    top = skill.plugin or skill.root
    folders = (top, *(os.path.join(top, name) for name in ("hooks", "commands", "agents", ".claude-plugin")))
    files = [os.path.join(folder, name) for folder in folders for name in sorted(names_in(folder))]
    beside = os.path.dirname(skill.directory)
    files += [os.path.join(beside, name, "SKILL.md") for name in sorted(names_in(beside))]
    for path in [path for path in files if path.endswith(_TEXTS) and path != skill.source.file][:_MAX_OTHERS]:
        if inside(real_file(path), real_root(skill.root)):
            yield _text(path)


def _text(path: str) -> str:
    data = head(path, _MAX_READ)
    return "" if b"\0" in data[:1024] else data.decode("utf-8", "replace")
