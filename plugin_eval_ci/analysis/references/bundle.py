"""The files that a skill bundles, and those that nothing in it mentions."""

import os
import re
from collections.abc import Iterator
from urllib.parse import unquote

from plugin_eval_ci.analysis.resolve.paths import names_in
from plugin_eval_ci.model import Skill
from plugin_eval_ci.parse.documents import bundled_files, is_inside, real_file, real_root
from plugin_eval_ci.parse.source import read_head
from plugin_eval_ci.util.lazy import Lazy

_FOLDERS = ("references", "reference", "scripts", "assets")
_SILENT = frozenset(
    {"readme.md", "license", "license.md", "license.txt", "notice", "changelog.md", "__init__.py", "package.json", "package-lock.json",
     "pyproject.toml", "requirements.txt", "tsconfig.json", "conftest.py", "py.typed", "go.mod", "go.sum", "cargo.toml", "cargo.lock",
     "uv.lock", "yarn.lock", "pnpm-lock.yaml", "makefile", "dockerfile"}
)  # fmt: skip
# What lies beside SKILL.md for people, not for the agent.
_FOR_PEOPLE = Lazy(
    r"(?:readme|licen[cs]e|changelog|changes|history|contributing|contributors|authors|credits|security|code[-_]of[-_]conduct|notices?|attributions?"
    r"|third[-_]party.*|roadmap|todo|install(?:ation)?|upgrad\w+|migration|agents|claude|gemini|version|releases?|skill|setup|manifest|maintain\w+"
    r"|evals?|test\w*|index|benchmarks?|quick[-_]?(?:ref|start)\w*|how[-_]?to[-_]?use|creation[-_]log|__main__|conftest|robots|requirements.*|.*\.config|.*\.d)(?:[._-].*)?\.\w+",
    re.IGNORECASE,
)
_BESIDE = (".md", ".markdown", ".txt", ".html", ".csv", ".py", ".sh", ".ps1", ".js", ".mjs", ".cjs", ".ts", ".rb")
_NOT_SHIPPED = frozenset(
    {"tests", "test", "__tests__", "__pycache__", "node_modules", "fixtures", "evals", "dist", "build"}
)
_TEST = Lazy(r"(?:test_.*|.*[_.-](?:test|spec))\.\w{1,4}", re.IGNORECASE)
_FEW = 2
_MAX_READ = 256 * 1024
_MAX_OTHERS = 300  # files of the plugin outside the skill that are looked into
_PROSE = (".md", ".markdown", ".txt", ".xsd", ".xml", ".svg", ".html", ".csv")
_TEXTS = (".md", ".json", ".toml", ".yaml", ".yml", ".sh", ".py", ".js")
_TOO_MANY = 300  # a skill that bundles a whole project is not judged file by file


def files_of(skill: Skill) -> list[str]:
    """The bundled files in the folders that the specification gives a meaning, and next to SKILL.md, relative to the skill."""
    below = [
        f"{folder}/{name}"
        for folder in _FOLDERS
        for name in bundled_files(os.path.join(skill.directory, folder), skill.root)
    ]
    return below + (_files_beside(skill) if skill.placed else [])


def _files_beside(skill: Skill) -> list[str]:
    names = sorted(set(names_in(skill.directory).values()))
    return [
        name
        for name in names
        if name.lower().endswith(_BESIDE)
        and not _FOR_PEOPLE().fullmatch(name)
        and os.path.isfile(os.path.join(skill.directory, name))
        and is_inside(real_file(os.path.join(skill.directory, name)), real_root(skill.root))
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
    low = skill.source.text.lower()
    left = [name for name in left if not _mentions(low, name.lower()) and not _is_usual(skill, name)]
    place = os.path.basename(skill.directory)
    for text in _texts_around(skill):
        if place in text:
            left = [candidate for candidate in left if f"{place}/{candidate}" not in text]
    return left


def _is_usual(skill: Skill, name: str) -> bool:
    """Whether other skills have such a file next to their SKILL.md too: then it is there for people or tools."""
    if "/" in name:
        return False
    around = os.path.dirname(skill.directory)
    return sum(name in names_in(os.path.join(around, other)) for other in set(names_in(around).values())) > _FEW


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
    if _has_word(text, name) or (len(stem) > 3 and (_has_word(text, stem) or _has_word(text, stem.replace("-", "_")))):
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
            or f"`{folder}`" in text
            or ("/" in folder and _has_word(text, folder))
        ):
            return True
        folder = folder.rpartition("/")[0] if folder.count("/") else ""
    return False


def _has_word(text: str, word: str) -> bool:
    """Whether a text holds a name that is not part of a longer one: "redeploy.shell" does not hold ``deploy.sh``."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not _goes_on(text[at - 1 : at]) and not _goes_on(text[end : end + 1]):
            return True
        at = text.find(word, at + 1)
    return False


def _goes_on(char: str) -> bool:
    return char.isascii() and (char.isalnum() or char in "_-") if char else False


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
            if path == skill.source.file or not is_inside(real_file(path), real_root(skill.root)):
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
        if is_inside(real_file(path), real_root(skill.root)):
            yield _text(path)


def _text(path: str) -> str:
    data = read_head(path, _MAX_READ)
    return "" if b"\0" in data[:1024] else data.decode("utf-8", "replace")


def nearest(skill: Skill, path: str) -> str:
    """A bundled file of the same name elsewhere, or of nearly the same path; empty if none exists."""
    files = files_of(skill)
    name = os.path.basename(path.rstrip("/")).lower()
    for file in files:
        if os.path.basename(file).lower() == name:
            return file
    from difflib import get_close_matches

    close = get_close_matches(path.rstrip("/"), files, 1, 0.75)
    return close[0] if close else _in_a_sibling(skill, path)


def _in_a_sibling(skill: Skill, path: str) -> str:
    """The same path in the folder of another skill next to this one; empty if none exists."""
    around = os.path.dirname(skill.directory)
    if path.startswith("..") or not os.path.basename(path.rstrip("/")):
        return ""
    for name in sorted(names_in(around)):
        if os.path.isfile(os.path.join(around, name, *path.split("/"))):
            return f"../{name}/{path}"
    return ""
