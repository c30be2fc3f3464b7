"""The command line. click declares the options; a function in ``commands`` does the work and returns an exit code."""

from plugin_eval_ci.cli.group import FINDINGS, FINE, INTERNAL_ERROR, INTERRUPTED, UNMEASURED, USAGE, cli, main, run

__all__ = ["FINDINGS", "FINE", "INTERNAL_ERROR", "INTERRUPTED", "UNMEASURED", "USAGE", "cli", "main", "run"]
