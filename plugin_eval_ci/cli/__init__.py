"""The command line: click declares, something else does. Each command is a function that returns an exit code."""

from plugin_eval_ci.cli.group import FINDINGS, FINE, INTERRUPTED, OUR_FAULT, UNMEASURED, USAGE, cli, main, run

__all__ = ["FINDINGS", "FINE", "INTERRUPTED", "OUR_FAULT", "UNMEASURED", "USAGE", "cli", "main", "run"]
