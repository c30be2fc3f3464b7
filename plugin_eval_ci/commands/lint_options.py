"""The options of ``lint``, which ``baseline`` shares, and the configuration they result in."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci.commands.load_config import known_rules, read_config
from plugin_eval_ci.config import Overrides

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource


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
