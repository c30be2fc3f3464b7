"""What the tools other than the skill tool answer: from the few files of a prompt, held in memory. Nothing is ever run, read or written.

A pattern or command comes from a model, so none is compiled or given to a shell: a search looks for the words of its pattern.
"""

from __future__ import annotations

import hashlib
import json
import os
import posixpath
import re
import shlex
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from functools import cache
from typing import NamedTuple

from plugin_eval_ci.analysis.listing import Entry
from plugin_eval_ci.evals.llm.request import Call, Effort, Json, Tool
from plugin_eval_ci.evals.trials.values import Mode

DEFAULT = "claude-code-2.1"
_FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data")


class Profile(NamedTuple):
    """``tools`` are offered with the skill tool; ``answers`` are what they say, by kind. ``digest``: of all of it."""

    name: str
    digest: str
    root: str  # the working directory that the model is told of
    max_tokens: int
    likely: int  # tokens of an answer, for estimates
    persona: str
    before: str
    after: str
    skill: Tool
    tools: tuple[Tool, ...]
    answers: Mapping[str, str]
    efforts: Mapping[str, Effort]
    router: Mapping[str, str]
    asked_for: str  # a prompt that names a skill

    def listing(self, entries: Iterable[Entry]) -> str:
        """The list as the model sees it."""
        return self.before + "\n".join(entry.line for entry in entries) + self.after

    def offered(self, mode: Mode) -> tuple[Tool, ...]:
        """The tools of a mode, the skill tool first."""
        return {"agentic": (self.skill, *self.tools), "lean": (self.skill,), "router": ()}[mode]


@cache
def profile(name: str = DEFAULT) -> Profile:
    """A profile as it is shipped."""
    with open(os.path.join(_FOLDER, f"{name}.json"), "rb") as stream:
        content = stream.read()
    data = json.loads(content)
    return Profile(
        data["name"],
        hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16],
        data["root"],
        data["max_tokens"],
        data["likely"],
        data["persona"].replace("{root}", data["root"]),
        data["listing"]["before"],
        data["listing"]["after"],
        _tool(data["skill_tool"]),
        tuple(_tool(one) for one in data["tools"]),
        data["answers"],
        data["effort"],
        data["router"],
        data["control"],
    )


def _tool(data: Mapping[str, object]) -> Tool:
    schema = data["schema"]
    if not isinstance(schema, dict):
        raise TypeError(f"{data['name']}: its schema is not an object")
    return Tool(str(data["name"]), str(data["description"]), schema)


_MOST = 4_000  # characters of an answer
_LONGEST = 200  # characters of a pattern that is looked at
_ESCAPE = re.compile(r"\\[A-Za-z]")
_SIGNS = re.compile(r"[\\^$.*+?{}\[\]()]+")


class Stubs:
    """The tools of one conversation. What is written is found again by what is read later."""

    def __init__(self, profile: Profile, files: Iterable[tuple[str, str]]) -> None:
        self._profile = profile
        self._says = profile.answers
        self._files = {self._path(path): text for path, text in files}

    def answer(self, call: Call) -> str:
        """What a call brings."""
        given = {name: value for name, value in call.input.items() if isinstance(value, str)}
        if call.name not in {tool.name for tool in self._profile.tools}:
            return self._says["no_tool"]
        known = {
            "Bash": self._bash, "Glob": self._glob, "Grep": self._grep,
            "Edit": self._edit, "Write": self._write, "Read": self._read,
        }  # fmt: skip
        said = known[call.name](given) if call.name in known else self._says["nothing"]
        return said if len(said) <= _MOST else f"{said[:_MOST]}\n{self._says['cut']}"

    def _read(self, given: Mapping[str, str]) -> str:
        text = self._files.get(self._path(given.get("file_path", "")))
        if text is None:
            return self._says["no_file"]
        return "\n".join(f"{number:>6}\t{line}" for number, line in enumerate(text.splitlines(), 1))

    def _write(self, given: Mapping[str, str]) -> str:
        self._files[self._path(given.get("file_path", ""))] = given.get("content", "")
        return self._says["written"]

    def _edit(self, given: Mapping[str, str]) -> str:
        path, old = self._path(given.get("file_path", "")), given.get("old_string", "")
        text = self._files.get(path)
        if text is None:
            return self._says["no_file"]
        if not old or text.count(old) != 1:
            return self._says["no_text"]
        self._files[path] = text.replace(old, given.get("new_string", ""))
        return self._says["edited"]

    def _glob(self, given: Mapping[str, str]) -> str:
        pattern = given.get("pattern", "")[:_LONGEST].removeprefix(f"{self._profile.root}/").removeprefix("./")
        patterns = {pattern, pattern.replace("**/", "")}
        found = [path for path in self._below(given.get("path", "")) if any(_fits(path, one) for one in patterns)]
        return "\n".join(found) or self._says["no_match"]

    def _grep(self, given: Mapping[str, str]) -> str:
        alternatives = [_words(part) for part in given.get("pattern", "")[:_LONGEST].split("|")]
        wanted = [words for words in alternatives if words]
        only = given.get("glob", "")[:_LONGEST]
        found = [
            f"{path}:{number}:{line}"
            for path in self._below(given.get("path", ""))
            if not only or _fits(path, only) or _fits(posixpath.basename(path), only)
            for number, line in enumerate(self._files[path].splitlines(), 1)
            if any(all(word in line for word in words) for words in wanted)
        ]
        return "\n".join(found) or self._says["no_match"]

    def _bash(self, given: Mapping[str, str]) -> str:
        """``pwd``, ``ls``, ``find`` and ``cat`` of what is there; everything else prints nothing."""
        try:
            program, *words = shlex.split(given.get("command", "")) or [""]
        except ValueError:
            return self._says["nothing"]
        paths = [word for word in words if not word.startswith("-")]
        if program == "pwd":
            return self._profile.root
        if program == "ls":
            return self._ls(paths[0] if paths else "")
        if program == "find":
            return "\n".join(self._below(paths[0] if paths else "")) or self._says["nothing"]
        if program in ("cat", "head", "tail") and paths:
            text = self._files.get(self._path(paths[-1]))
            return self._says["no_file"] if text is None else text or self._says["nothing"]
        return self._says["nothing"]

    def _ls(self, folder: str) -> str:
        inside = self._path(folder)
        if inside in self._files:
            return inside
        start = f"{inside}/" if inside else ""
        names = {path.removeprefix(start).partition("/")[0] for path in self._files if path.startswith(start)}
        return "\n".join(sorted(names)) or self._says["nothing"]

    def _below(self, folder: str) -> list[str]:
        inside = self._path(folder)
        return sorted(path for path in self._files if not inside or path == inside or path.startswith(f"{inside}/"))

    def _path(self, path: str) -> str:
        """A path from the working directory, however it was written."""
        inside = posixpath.normpath(posixpath.join(self._profile.root, path.strip()))
        return "" if inside == self._profile.root else inside.removeprefix(f"{self._profile.root}/")


def results(stubs: Stubs, calls: Iterable[Call]) -> tuple[tuple[str, str], ...]:
    """What the calls of a turn bring, by their ids."""
    return tuple((call.id, stubs.answer(call)) for call in calls)


def text_of(given: Json, name: str) -> str:
    """An argument of a call; empty if it is missing or no text."""
    value = given.get(name)
    return value if isinstance(value, str) else ""


def _fits(path: str, pattern: str) -> bool:
    return pattern.count("*") <= 8 and fnmatchcase(path, pattern)


def _words(pattern: str) -> list[str]:
    """The parts of an expression that stand for themselves."""
    return [word for word in _SIGNS.split(_ESCAPE.sub("\\\\", pattern)) if word.strip()]
