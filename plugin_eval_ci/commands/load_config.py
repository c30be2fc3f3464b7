"""Options and configuration files turned into a configuration for each folder; notes on standard error."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci.config import Config, Overrides, no_such_rule
from plugin_eval_ci.config.discovery import Nearest
from plugin_eval_ci.discover import Targets, roots_of
from plugin_eval_ci.errors import UsageError, not_found, together
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.rules import all_names, all_rules

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource


def read_config(
    paths: str | tuple[str, ...],
    config_file: str | None,
    isolated: bool,
    exclude: tuple[str, ...],
    more: Overrides = Overrides(),  # noqa: B008  # it is frozen
) -> ConfigSource:
    """The configuration of each folder of ``paths``: options first, then the file of --config or the nearest files."""
    options = more._replace(exclude=more.exclude + exclude)
    if isolated and config_file:
        raise UsageError(together("--isolated", "--config"))
    if isolated:
        return options.on(Config())
    root, tops = roots_of((paths,) if isinstance(paths, str) else paths)
    if config_file:
        return options.on(_load_named(config_file, root, paths))

    def load(file: str, folder: str) -> Config | None:
        from plugin_eval_ci.config import read

        found = read.load(file, all_names(), folder, root)
        return options.on(found) if found else None

    return Nearest(root, frozenset(_relative_path(top, root) for top in tops), load, options.on(Config()))


def _load_named(file: str, root: str, paths: str | tuple[str, ...]) -> Config:
    """The file of ``--config``. Its globs count from its folder if all of ``paths`` are in there, else from the root."""
    from plugin_eval_ci.config import read
    from plugin_eval_ci.parse.documents import is_inside

    if not os.path.isfile(file):
        raise UsageError(
            f"--config {not_found(file)}" if not os.path.isdir(file) else f"--config {file}: is a directory"
        )
    here = os.path.dirname(os.path.abspath(file))
    named = (paths,) if isinstance(paths, str) else paths
    holds_all = is_inside(here, root) and all(is_inside(os.path.abspath(path), here) for path in named)
    config = read.load(file, all_names(), _relative_path(here, root) if holds_all else "", root)
    if config is None:
        raise UsageError(f"{file}: no [tool.plugin-eval] table")
    return config


def named_in(config_file: str | None, root: str) -> str | None:
    """The path of the file of --config from ``root``; None without one, and for one outside."""
    relative = os.path.relpath(os.path.realpath(config_file), os.path.realpath(root)) if config_file else ".."
    return None if relative.split(os.sep)[0] == ".." else relative.replace(os.sep, "/")


def _relative_path(place: str, root: str) -> str:
    relative = os.path.relpath(place, root).replace(os.sep, "/")
    return "" if relative == "." else relative


def config_of(path: str, root: str, config: ConfigSource) -> Config:
    """The configuration of a folder, or of the folder of a file."""
    place = os.path.abspath(path)
    folder = _relative_path(place if os.path.isdir(place) else os.path.dirname(place), root)
    return config.at("" if folder.startswith("..") else folder)


def config_of_all(paths: tuple[str, ...], config: ConfigSource) -> Config:
    """The configuration of the folder that all of ``paths`` are in."""
    shared = os.path.commonpath([os.path.abspath(path) for path in paths])
    return config_of(shared, roots_of(paths)[0], config)


def shown_path(file: str) -> str:
    """A path as a user would write it: relative to the working directory if it is below, else unchanged."""
    relative = os.path.relpath(file)
    return file if relative.startswith("..") else relative


def known_rules(names: tuple[str, ...], option: str) -> frozenset[str]:
    """The rules that names of rules and groups stand for. Raises ``UsageError`` for an unknown name."""
    groups = rules_by_group()
    found: set[str] = set()
    for name in names:
        if name in all_names():
            found.add(name)
        elif name.lower() in groups:
            found |= groups[name.lower()]
        else:
            raise UsageError(f"{option}: {no_such_rule(name, (*all_names(), *(group.upper() for group in groups)))}")
    return frozenset(found)


def rules_by_group() -> dict[str, frozenset[str]]:
    """The names of the rules of each group."""
    groups: dict[str, set[str]] = {}
    for rule in all_rules():
        groups.setdefault(rule.group, set()).add(rule.name)
    return {group: frozenset(rules) for group, rules in groups.items()}


_quiet: ContextVar[bool] = ContextVar("quiet", default=False)


@contextlib.contextmanager
def quietly(quiet: bool) -> Iterator[None]:
    """A context in which ``say`` prints no notes, if ``quiet``."""
    token = _quiet.set(quiet)
    try:
        yield
    finally:
        _quiet.reset(token)


def say(message: str) -> None:
    """Print a note on standard error, as one line. --quiet silences it."""
    if not _quiet.get():
        complain(message)


def complain(message: str) -> None:
    """Print the reason for the exit code on standard error, as one line, even with --quiet."""
    with contextlib.suppress(OSError, ValueError):  # nobody can read it, but the result still counts
        print(f"plugin-eval: {for_terminal(message)}", file=sys.stderr)


def say_left_out(found: Targets, hook: bool) -> bool:
    """Name the paths that hold nothing to check; True if one of them makes the exit code 2."""
    for path in found.empty:
        (say if hook else complain)(f"{path}: no skills found here" + ("; nothing to lint" if hook else ""))
    if hook:
        return False
    for path in found.missing:
        complain(not_found(path))
    for path in found.unowned:
        complain(f"{path}: not part of a skill, agent or plugin; nothing to lint")
    for path in found.excluded:
        say(f"{path}: excluded by configuration; skipped")
    return bool(found.missing or found.empty or found.unowned)


def use_color(stream: object) -> bool:
    """Whether to colour output: on a terminal, unless NO_COLOR, FORCE_COLOR or TERM=dumb says otherwise."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    if os.environ.get("TERM") == "dumb":
        return False
    return is_terminal(stream)


def is_terminal(stream: object) -> bool:
    """Whether the stream is a terminal."""
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty())


class LintOptions(NamedTuple):
    """The options of the command."""

    format: str = "text"
    fail_on: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    hook: bool = False
    exclude: tuple[str, ...] = ()
    config_file: str | None = None
    isolated: bool = False
    sarif_in: tuple[str, ...] = ()
    base: str | None = None
    baseline: str | None = None
    fix: bool = False
    diff: bool = False
    statistics: bool = False
    every: bool = False  # show all findings of a rule, however many
    quiet: bool = False


def config_of_run(paths: tuple[str, ...], options: LintOptions) -> ConfigSource:
    """The configuration from the options and the configuration files."""
    return read_config(paths, options.config_file, options.isolated, options.exclude, overrides(options))


def overrides(options: LintOptions) -> Overrides:
    """What the options say. They take precedence over every file."""
    select, ignore = known_rules(options.select, "--select"), known_rules(options.ignore, "--ignore")
    baseline = os.path.abspath(options.baseline) if options.baseline else None
    return Overrides(select=select, ignore=ignore, fail_on=options.fail_on, baseline=baseline)
