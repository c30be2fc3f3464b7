"""A configuration file to a ``Config``: each key has a reader of its own, and whatever is wrong has its file and line."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import NoReturn

from plugin_eval_ci.config import LEVELS, Config, PathRules, SeverityOf, did_you_mean, no_such_rule
from plugin_eval_ci.config.globs import MAX_GLOBS, MAX_LENGTH
from plugin_eval_ci.config.nodes import Entry, Node, UnreadableError
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.model import Severity

TIERS = ("haiku", "sonnet", "opus")
Fail = Callable[[int, str], NoReturn]
_MOST = 50
_LONGEST = 200


def models(fail: Fail, key: str, node: Node) -> tuple[tuple[str, str], ...]:
    """Tier -> the name of the model that is asked."""
    found = []
    for name, line, value in _entries(fail, key, node, "tier: model"):
        if name not in TIERS:
            fail(line, f"{key}: there is no tier {name[:60]!r}; known: {', '.join(TIERS)}")
        text = value.text.strip()
        if value.kind != "text" or not text or len(text) > _LONGEST or not text.isprintable():
            fail(line, f"{key}: {name} must be the name of a model")
        found.append((name, text))
    return tuple(found)


def prices(fail: Fail, key: str, node: Node) -> tuple[tuple[str, tuple[float, float]], ...]:
    """Model -> dollars a million tokens, read and written."""
    found = []
    for name, line, value in _entries(fail, key, node, "model: input/output"):
        numbers = [_number(part) for part in value.text.split("/")] if value.kind == "text" else []
        if len(numbers) != 2 or None in numbers:
            fail(line, f"{key}: {name[:60]} must be dollars a million tokens, input/output, such as 0.2/0.8")
        found.append((name, (numbers[0] or 0.0, numbers[1] or 0.0)))
    return tuple(found)


def _entries(fail: Fail, key: str, node: Node, what: str) -> tuple[tuple[str, int, Node], ...]:
    if node.kind != "mapping" or len(node.entries) > _MOST:
        fail(node.line, f"{key} must be a mapping of {what}, at most {_MOST}")
    return tuple((entry.key, entry.line, entry.value) for entry in node.entries)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


_SEVERITIES: dict[str, Severity | None] = {
    "error": Severity.ERROR,
    "warning": Severity.WARNING,
    "notice": Severity.NOTICE,
    "off": None,
}


def load(file: str, rules: frozenset[str], folder: str = "", root: str | None = None) -> Config | None:
    """Read a configuration file whose globs count from ``folder``; None for a pyproject.toml without our table.

    ``rules`` are the names there are; ``root`` is the repository, which nothing that a file names may leave. Raises ``UsageError`` with
    file and line for anything unknown.
    """
    is_toml = file.endswith(".toml")
    try:
        if is_toml:
            from plugin_eval_ci.config import nodes

            entries = nodes.read_toml(file)
        else:
            from plugin_eval_ci.config import nodes as yaml_file

            entries = yaml_file.read_yaml(file)
    except UnreadableError as error:
        raise UsageError(f"{file}:{error.line}: {error}") from error
    if entries is None:
        return None
    place = os.path.abspath(root or os.path.dirname(file) or ".")
    shown = os.path.relpath(file, place).replace(os.sep, "/")
    return _Reader(file, rules, place, shown).config(entries, Config(folder=folder, file=shown))


class _Reader:
    def __init__(self, file: str, rules: frozenset[str], root: str, shown: str) -> None:
        self.file = file
        self.rules = rules
        self.root = root
        self.shown = shown

    def fail(self, line: int, message: str) -> NoReturn:
        raise UsageError(f"{self.file}:{line}: {message}")

    def config(self, entries: tuple[Entry, ...], config: Config) -> Config:
        self.once(entries)
        origins = []
        for key, line, value in entries:
            if key not in KEYS:
                self.fail(line, self.unknown(key, list(KEYS)))
            config = KEYS[key](
                self, config, key, Node(value.kind, value.line or line, value.text, value.items, value.entries)
            )
            origins.append((key.replace("-", "_"), f"{self.shown}:{line}"))
        return config._replace(origins=tuple(origins))

    def once(self, entries: tuple[Entry, ...]) -> None:
        seen = set()
        for key, line, _ in entries:
            if key in seen:
                self.fail(line, f"{key[:60]!r} is given twice")
            seen.add(key)

    def unknown(self, key: str, known: list[str]) -> str:
        close = did_you_mean(key, known)
        return f"unknown key {key[:60]!r}; {close + ' ' if close else ''}known: {', '.join(sorted(known))}"

    def words(self, key: str, node: Node) -> tuple[Node, ...]:
        items = node.items if node.kind == "list" else (node,) if node.kind == "text" else None
        if items is None or any(item.kind != "text" for item in items):
            self.fail(node.line, f"{key} must be a list of words")
        return items

    def glob(self, key: str, line: int, text: str) -> str:
        if len(text) > MAX_LENGTH:
            self.fail(line, f"{key}: a glob of {len(text):,} characters; at most {MAX_LENGTH} are read")
        return text

    def globs(self, config: Config, key: str, node: Node) -> Config:
        items = self.words(key, node)
        if len(items) > MAX_GLOBS:
            self.fail(node.line, f"{key}: {len(items):,} globs; at most {MAX_GLOBS:,} are read")
        return config._replace(exclude=tuple(self.glob(key, item.line, item.text) for item in items))

    def default_excludes(self, config: Config, key: str, node: Node) -> Config:
        if node.kind != "flag":
            self.fail(node.line, f"{key} must be true or false")
        return config._replace(default_excludes=node.text.lower() in ("true", "yes", "on"))

    def rule(self, key: str, line: int, text: str) -> str:
        name = text.strip().upper()
        if name not in self.rules:
            self.fail(line, f"{key}: {no_such_rule(name, self.rules)}")
        return name

    def names(self, key: str, node: Node) -> frozenset[str]:
        return frozenset(self.rule(key, item.line, item.text) for item in self.words(key, node))

    def select(self, config: Config, key: str, node: Node) -> Config:
        return config._replace(select=self.names(key, node))

    def ignore(self, config: Config, key: str, node: Node) -> Config:
        return config._replace(ignore=self.names(key, node))

    def severities(self, key: str, node: Node) -> SeverityOf:
        if node.kind != "mapping":
            self.fail(node.line, f"{key} must be a mapping of rule: severity")
        found: dict[str, Severity | None] = {}
        for name, line, value in node.entries:
            word = value.text.strip().lower() if value.kind in ("text", "flag") else ""
            if word not in _SEVERITIES:
                self.fail(line, f"{key}: the severity of {name[:60]} must be error, warning, notice or off")
            rule = self.rule(key, line, name)
            if rule in found:
                self.fail(line, f"{key}: {rule} is given twice")
            found[rule] = _SEVERITIES[word]
        return tuple(found.items())

    def severity(self, config: Config, key: str, node: Node) -> Config:
        return config._replace(severity=self.severities(key, node))

    def per_path(self, config: Config, key: str, node: Node) -> Config:
        if node.kind != "mapping" or len(node.entries) > MAX_GLOBS:
            self.fail(node.line, f"{key} must be a mapping of at most {MAX_GLOBS:,} globs")
        self.once(node.entries)
        return config._replace(per_path=tuple(self.part(f"{key}: {entry.key[:60]}", entry) for entry in node.entries))

    def part(self, key: str, entry: Entry) -> PathRules:
        if entry.value.kind != "mapping":
            self.fail(entry.line, f"{key} must be a mapping with ignore or severity")
        self.once(entry.value.entries)
        part = PathRules(self.glob(key, entry.line, entry.key))
        for name, line, value in entry.value.entries:
            if name == "ignore":
                part = part._replace(ignore=self.names(f"{key}: ignore", value))
            elif name == "severity":
                part = part._replace(severity=self.severities(f"{key}: severity", value))
            else:
                self.fail(line, f"{key}: {self.unknown(name, ['ignore', 'severity'])}")
        return part

    def fail_on(self, config: Config, key: str, node: Node) -> Config:
        if node.kind != "text" or node.text not in LEVELS:
            self.fail(node.line, f"{key} must be one of {', '.join(LEVELS)}")
        return config._replace(fail_on=node.text)

    def baseline(self, config: Config, key: str, node: Node) -> Config:
        if node.kind != "text" or not node.text.strip():
            self.fail(node.line, f"{key} must be the path of a file")
        here = os.path.dirname(os.path.abspath(self.file))
        place = os.path.normpath(os.path.join(here, node.text.strip()))
        real = os.path.realpath(place)
        if not any(real.startswith(os.path.realpath(top).rstrip(os.sep) + os.sep) for top in (self.root, here)):
            self.fail(node.line, f"{key}: {node.text[:60]!r} leaves the repository")
        return config._replace(baseline=place)

    def models(self, config: Config, key: str, node: Node) -> Config:

        self.once(node.entries)
        return config._replace(models=models(self.fail, key, node))

    def prices(self, config: Config, key: str, node: Node) -> Config:

        self.once(node.entries)
        return config._replace(prices=prices(self.fail, key, node))


KEYS: dict[str, Callable[[_Reader, Config, str, Node], Config]] = {
    "exclude": _Reader.globs,
    "default-excludes": _Reader.default_excludes,
    "select": _Reader.select,
    "ignore": _Reader.ignore,
    "severity": _Reader.severity,
    "per-path": _Reader.per_path,
    "fail-on": _Reader.fail_on,
    "baseline": _Reader.baseline,
    "models": _Reader.models,
    "prices": _Reader.prices,
}
