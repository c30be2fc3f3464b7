"""The options of ``lint``, which ``baseline`` shares, and the configuration that they lead to."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci.commands.load_config import known_rules, read_config
from plugin_eval_ci.config import Overrides

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource


class Options(NamedTuple):
    """The options of the command."""

    output: str
    fail_on: str | None
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    hook: bool
    exclude: tuple[str, ...]
    config_file: str | None
    isolated: bool
    merge: tuple[str, ...] = ()
    base: str | None = None
    baseline: str | None = None
    fix: bool = False
    diff: bool = False
    statistics: bool = False
    every: bool = False  # show each finding, also of a rule that speaks often
    quiet: bool = False


def config_of_run(paths: tuple[str, ...], options: Options) -> ConfigSource:
    """What the options and the configuration files say."""
    return read_config(paths, options.config_file, options.isolated, options.exclude, overrides(options))


def overrides(options: Options) -> Overrides:
    """What the options say, above every file."""
    select, ignore = known_rules(options.select, "--select"), known_rules(options.ignore, "--ignore")
    baseline = os.path.abspath(options.baseline) if options.baseline else None
    return Overrides((), select, ignore, options.fail_on, baseline)
