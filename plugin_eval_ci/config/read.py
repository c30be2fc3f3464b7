"""A configuration file to a ``Config``. Each key has its own reader, and each error names file and line."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import NoReturn

from plugin_eval_ci.config import LEVELS, Config, PathRules, SeverityOf, did_you_mean, no_such_rule
from plugin_eval_ci.config.globs import MAX_GLOBS, MAX_LENGTH
from plugin_eval_ci.errors import UnreadableError, UsageError, not_valid
from plugin_eval_ci.model import Severity, Value

TIERS = ("haiku", "sonnet", "opus")
Fail = Callable[[int, str], NoReturn]
_MOST = 50
_LONGEST = 200


def models(fail: Fail, key: str, node: Value) -> tuple[tuple[str, str], ...]:
    """The model of each tier."""
    found = []
    for name, line, value in _entries(fail, key, node, "tier: model"):
        if name not in TIERS:
            fail(line, f"{key}: {not_valid('', name, ', '.join(TIERS), did_you_mean(name, TIERS))}")
        text = value.text.strip()
        if value.kind != "text" or not text or len(text) > _LONGEST or not text.isprintable():
            fail(line, f"{key}: {name} must be the name of a model")
        found.append((name, text))
    return tuple(found)


def prices(fail: Fail, key: str, node: Value) -> tuple[tuple[str, tuple[float, float]], ...]:
    """The price of each model in dollars per million tokens, input and output."""
    found = []
    for name, line, value in _entries(fail, key, node, "model: input/output"):
        numbers = [_number(part) for part in value.text.split("/")] if value.kind == "text" else []
        if len(numbers) != 2 or None in numbers:
            fail(
                line,
                f"{key}: {name[:60]} must be the price per million tokens in dollars, input/output, such as 0.2/0.8",
            )
        found.append((name, (numbers[0] or 0.0, numbers[1] or 0.0)))
    return tuple(found)


def _entries(fail: Fail, key: str, node: Value, what: str) -> tuple[tuple[str, int, Value], ...]:
    if node.kind != "mapping" or len(node.entries) > _MOST:
        fail(node.line, f"{key} must be a mapping of {what}, at most {_MOST}")
    return tuple((name, value.key_line, value) for name, value in node.entries)


def _not_valid(where: str, value: Value, expected: str) -> str:
    return not_valid(where, value.text, expected) if value.text else f"{where} must be one of {expected}"


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
    """Read a configuration file whose globs count from ``folder``; None for a pyproject.toml without the table.

    ``rules`` are all rule names; ``root`` is the repository, which no path in the file may leave. Raises ``UsageError`` with
    file and line for anything unknown.
    """
    is_toml = file.endswith(".toml")
    try:
        if is_toml:
            from plugin_eval_ci.config.toml_values import read_toml

            entries = read_toml(file)
        else:
            from plugin_eval_ci.config.yaml_values import read_yaml

            entries = read_yaml(file)
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

    def config(self, entries: tuple[tuple[str, Value], ...], config: Config) -> Config:
        self.once(entries)
        origins = []
        for key, value in entries:
            if key not in KEYS:
                self.fail(value.key_line, self.unknown(key, list(KEYS)))
            config = KEYS[key](self, config, key, value)
            origins.append((key.replace("-", "_"), f"{self.shown}:{value.key_line}"))
        return config._replace(origins=tuple(origins))

    def once(self, entries: tuple[tuple[str, Value], ...]) -> None:
        seen = set()
        for key, value in entries:
            if key in seen:
                self.fail(value.key_line, f"duplicate key {key[:60]!r}")
            seen.add(key)

    def unknown(self, key: str, known: list[str]) -> str:
        close = did_you_mean(key, known)
        return f"unknown key {key[:60]!r}{'; ' + close if close else ''} (expected {', '.join(sorted(known))})"

    def words(self, key: str, node: Value) -> tuple[Value, ...]:
        items = node.items if node.kind == "list" else (node,) if node.kind == "text" else None
        if items is None or any(item.kind != "text" for item in items):
            self.fail(node.line, f"{key} must be a list of strings")
        return items

    def glob(self, key: str, line: int, text: str) -> str:
        if len(text) > MAX_LENGTH:
            self.fail(line, f"{key}: glob of {len(text):,} characters (at most {MAX_LENGTH})")
        return text

    def globs(self, config: Config, key: str, node: Value) -> Config:
        items = self.words(key, node)
        if len(items) > MAX_GLOBS:
            self.fail(node.line, f"{key}: {len(items):,} globs (at most {MAX_GLOBS:,})")
        return config._replace(exclude=tuple(self.glob(key, item.line, item.text) for item in items))

    def default_excludes(self, config: Config, key: str, node: Value) -> Config:
        if node.kind != "boolean":
            self.fail(node.line, f"{key} must be true or false")
        return config._replace(default_excludes=node.text.lower() in ("true", "yes", "on"))

    def rule(self, key: str, line: int, text: str) -> str:
        name = text.strip().upper()
        if name not in self.rules:
            self.fail(line, f"{key}: {no_such_rule(name, self.rules)}")
        return name

    def names(self, key: str, node: Value) -> frozenset[str]:
        return frozenset(self.rule(key, item.line, item.text) for item in self.words(key, node))

    def select(self, config: Config, key: str, node: Value) -> Config:
        return config._replace(select=self.names(key, node))

    def ignore(self, config: Config, key: str, node: Value) -> Config:
        return config._replace(ignore=self.names(key, node))

    def severities(self, key: str, node: Value) -> SeverityOf:
        if node.kind != "mapping":
            self.fail(node.line, f"{key} must be a mapping of rule: severity")
        found: dict[str, Severity | None] = {}
        for name, value in node.entries:
            word = value.text.strip().lower() if value.kind in ("text", "boolean") else ""
            if word not in _SEVERITIES:
                expected = "error, warning, notice, off"
                self.fail(value.key_line, _not_valid(f"{key}: {name[:60]}", value, expected))
            rule = self.rule(key, value.key_line, name)
            if rule in found:
                self.fail(value.key_line, f"{key}: duplicate rule {rule}")
            found[rule] = _SEVERITIES[word]
        return tuple(found.items())

    def severity(self, config: Config, key: str, node: Value) -> Config:
        return config._replace(severity=self.severities(key, node))

    def per_path(self, config: Config, key: str, node: Value) -> Config:
        if node.kind != "mapping" or len(node.entries) > MAX_GLOBS:
            self.fail(node.line, f"{key} must be a mapping of at most {MAX_GLOBS:,} globs")
        self.once(node.entries)
        return config._replace(
            per_path=tuple(self.part(f"{key}: {name[:60]}", name, value) for name, value in node.entries)
        )

    def part(self, key: str, glob: str, node: Value) -> PathRules:
        if node.kind != "mapping":
            self.fail(node.key_line, f"{key} must be a mapping with ignore or severity")
        self.once(node.entries)
        part = PathRules(self.glob(key, node.key_line, glob))
        for name, value in node.entries:
            if name == "ignore":
                part = part._replace(ignore=self.names(f"{key}: ignore", value))
            elif name == "severity":
                part = part._replace(severity=self.severities(f"{key}: severity", value))
            else:
                self.fail(value.key_line, f"{key}: {self.unknown(name, ['ignore', 'severity'])}")
        return part

    def fail_on(self, config: Config, key: str, node: Value) -> Config:
        if node.kind != "text" or node.text not in LEVELS:
            self.fail(node.line, _not_valid(key, node, ", ".join(LEVELS)))
        return config._replace(fail_on=node.text)

    def baseline(self, config: Config, key: str, node: Value) -> Config:
        if node.kind != "text" or not node.text.strip():
            self.fail(node.line, f"{key} must be the path of a file")
        here = os.path.dirname(os.path.abspath(self.file))
        place = os.path.normpath(os.path.join(here, node.text.strip()))
        real = os.path.realpath(place)
        if not any(real.startswith(os.path.realpath(top).rstrip(os.sep) + os.sep) for top in (self.root, here)):
            self.fail(node.line, f"{key}: {node.text[:60]!r} is outside the repository")
        return config._replace(baseline=place)

    def models(self, config: Config, key: str, node: Value) -> Config:

        self.once(node.entries)
        return config._replace(models=models(self.fail, key, node))

    def prices(self, config: Config, key: str, node: Value) -> Config:

        self.once(node.entries)
        return config._replace(prices=prices(self.fail, key, node))


KEYS: dict[str, Callable[[_Reader, Config, str, Value], Config]] = {
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
