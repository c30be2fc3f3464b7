"""From options and the configuration file to one ``Config``; what every command says on standard error."""

from __future__ import annotations

import os
import sys

from plugin_eval_ci import config as configuration
from plugin_eval_ci.config import Config
from plugin_eval_ci.discover import Found, repository_root
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.rules import NAMES


def read_config(path: str, config_file: str | None, isolated: bool, exclude: tuple[str, ...]) -> Config:
    """The configuration that holds for ``path``; options are added to what the file says."""
    if isolated and config_file:
        raise UsageError("--isolated and --config exclude each other")
    if config_file and not os.path.isfile(config_file):
        raise UsageError(f"{config_file}: there is no such configuration file")
    file = None if isolated else config_file or configuration.find_file(repository_root(os.path.abspath(path)))
    config = configuration.load(file, NAMES) if file else Config()
    return config._replace(exclude=config.exclude + exclude)


def known(names: tuple[str, ...], option: str) -> frozenset[str]:
    """Rule names given on the command line; raises ``UsageError`` for one that does not exist."""
    for name in names:
        if name not in NAMES:
            from difflib import get_close_matches

            close = get_close_matches(name, sorted(NAMES), 1)
            hint = f"; did you mean {close[0]}?" if close else "; `plugin-eval rules` lists them"
            raise UsageError(f"{option}: there is no rule {name!r}{hint}")
    return frozenset(names)


def say(message: str) -> None:
    """A note for people: standard error, one line."""
    print(f"plugin-eval: {for_terminal(message)}", file=sys.stderr)


def say_left_out(found: Found, hook: bool) -> bool:
    """Say which named paths gave nothing; True when one of them makes the run wrong usage."""
    for path in found.empty:
        say(f"{path}: no skills found here" + ("; nothing to check" if hook else ""))
    if hook:
        return False
    for path in found.missing:
        say(f"{path}: no such file or folder")
    for path in found.unowned:
        say(f"{path}: belongs to no skill, agent or plugin; skipped")
    for path in found.excluded:
        say(f"{path}: excluded by configuration; skipped")
    return bool(found.missing or found.empty)


def colored(stream: object) -> bool:
    """Whether to colour output: a terminal, and neither NO_COLOR nor TERM=dumb says otherwise."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty())
