"""The configuration: one frozen ``Config`` for each folder, from options, then the nearest file, then the defaults."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci.model import Severity


class PathRules(NamedTuple):
    """The settings of the files that one glob covers."""

    glob: str
    ignore: frozenset[str] = frozenset()
    severity: tuple[tuple[str, Severity | None], ...] = ()


FILE_NAME = ".plugin-eval.yaml"
LEVELS = ("error", "warning", "notice", "never")  # what ``fail-on`` may be

SeverityOf = tuple[tuple[str, Severity | None], ...]  # rule -> severity; None is off


class Config(NamedTuple):
    """The configuration of one folder. An empty ``select`` means every rule."""

    exclude: tuple[str, ...] = ()  # globs, from ``folder``
    default_excludes: bool = True
    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()
    severity: SeverityOf = ()
    per_path: tuple[PathRules, ...] = ()  # globs, from ``folder``
    fail_on: str = "error"
    baseline: str | None = None  # absolute
    folder: str = ""  # where globs count from, relative to the repository's root
    file: str | None = None  # where it was read, as reported
    origins: tuple[tuple[str, str], ...] = ()  # key -> the file and line, or the option, that its value comes from
    also_exclude: tuple[str, ...] = ()  # globs of the command line, from the repository's root
    comments: bool = True  # whether ignore comments count
    models: tuple[tuple[str, str], ...] = ()  # tier -> model
    prices: tuple[tuple[str, tuple[float, float]], ...] = ()  # model -> dollars a million tokens, read and written

    def at(self, folder: str) -> Config:
        """The configuration of a folder: this one holds everywhere."""
        return self

    def for_score(self) -> Config:
        """Only the excluded paths, models and prices: a score counts what the methodology counts."""
        return Config(
            self.exclude,
            self.default_excludes,
            folder=self.folder,
            also_exclude=self.also_exclude,
            comments=False,
            models=self.models,
            prices=self.prices,
        )

    def runs(self, rule: str) -> bool:
        """Whether a rule runs."""
        return (not self.select or rule in self.select) and rule not in self.ignore

    def severity_of(self, rule: str, path: str, given: Severity) -> Severity | None:
        """The severity of a finding in ``path`` (from the root); None if it is turned off."""
        if not self.severity and not self.per_path:
            return given
        severity: Severity | None = dict(self.severity).get(rule, given)
        for part in self.per_path:
            if rule in part.ignore or any(name == rule for name, _ in part.severity):
                from plugin_eval_ci.config.globs import compile_glob

                if compile_glob(part.glob).covers(below(path, self.folder)):
                    severity = None if rule in part.ignore else dict(part.severity)[rule]
        return severity


class Overrides(NamedTuple):
    """The options of the command line. They extend ``exclude`` and ``ignore`` of a file, and replace the rest."""

    exclude: tuple[str, ...] = ()
    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()
    fail_on: str | None = None
    baseline: str | None = None

    def on(self, config: Config) -> Config:
        """``config`` with these options."""
        changed = config._replace(
            also_exclude=self.exclude,
            select=self.select or config.select,
            ignore=(config.ignore - self.select) | self.ignore,
            fail_on=self.fail_on or config.fail_on,
            baseline=self.baseline or config.baseline,
        )
        origins = dict(config.origins)
        for name in ("select", "fail_on", "baseline", "ignore"):
            option = f"--{name.replace('_', '-')}"
            if name == "ignore" and changed.ignore != config.ignore:
                origins[name] = " and ".join(
                    (*filter(None, [origins.get(name)]), option if self.ignore else "--select")
                )
            elif name != "ignore" and getattr(self, name):
                origins[name] = option
        return changed._replace(origins=tuple(origins.items()))


def below(path: str, folder: str) -> str:
    """``path`` relative to ``folder``, both from the root of the repository; empty for a path outside, which no glob matches."""
    if not folder:
        return path
    return path[len(folder) + 1 :] if path.startswith(f"{folder}/") else "." if path == folder else ""


def no_such_rule(name: str, rules: Iterable[str]) -> str:
    """The message for a rule that does not exist, with the nearest name."""
    return f"unknown rule {name[:60]!r} ({did_you_mean(name, rules) or 'see `plugin-eval rules`'})"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``did you mean X?``, or nothing."""
    from difflib import get_close_matches

    names = sorted(known)
    part = [name for name in names if len(word) > 3 and word.lower() in name.lower()]
    close = get_close_matches(word[:60], names, 1) or part
    return f"did you mean {close[0]}?" if close else ""


if TYPE_CHECKING:  # defining a protocol at run time would cost a hook a millisecond
    from typing import Protocol

    class ConfigSource(Protocol):
        """The configuration of each folder: a ``Config``, or the files of a repository."""

        def at(self, folder: str, /) -> Config: ...

        def for_score(self) -> ConfigSource: ...
