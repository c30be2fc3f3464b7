"""The command line: click declares, something else does. Each command is a function that returns an exit code."""

from plugin_eval_ci.cli.door import FINDINGS, FINE, INTERRUPTED, OUR_FAULT, UNMEASURED, USAGE, main, run
from plugin_eval_ci.cli.group import cli

__all__ = ["FINDINGS", "FINE", "INTERRUPTED", "OUR_FAULT", "UNMEASURED", "USAGE", "cli", "main", "run"]
