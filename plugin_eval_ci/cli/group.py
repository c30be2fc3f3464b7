"""The ``plugin-eval`` group. A command's module is loaded when the command is called: a hook that lints declares no other.

A new command is a line of ``COMMANDS``, and a module beside this one that declares it and loads what does the work in its body.
"""

from importlib import import_module

import click

from plugin_eval_ci import __version__

COMMANDS = {  # as typed and as listed: (module of this package, name in it)
    "lint": ("lint", "lint"),
    "score": ("score", "score"),
    "certify": ("score", "certify"),
    "init": ("init", "init"),
    "compare": ("score", "compare"),
    "agreement": ("agreement", "agreement"),
    "triggers": ("triggers", "triggers"),
    "label": ("labelling", "label"),
    "calibrate": ("labelling", "calibrate"),
    "traces": ("traces", "traces"),
    "diff": ("diff", "diff"),
    "gate": ("gate", "gate"),
    "report": ("report", "report"),
    "merge-reports": ("report", "merge"),
    "comment": ("comment", "comment"),
    "baseline": ("baseline", "accept"),
    "rules": ("rules", "rules"),
    "explain": ("rules", "explain"),
}
ALIASES = {"merge": "merge-reports"}  # older names, not listed


class Commands(click.Group):
    """A group whose commands are in ``COMMANDS``, each loaded by its name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every name, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; None if there is none."""
        cmd_name = ALIASES.get(cmd_name, cmd_name)
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name]
        command = getattr(import_module(f"plugin_eval_ci.cli.{module}"), name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names. An unknown one fails with the nearest name."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            from plugin_eval_ci.config import near

            hint = near(args[0], COMMANDS)
            ctx.fail(f"unknown command {args[0][:60]!r}" + (f" ({hint})" if hint else ""))
        return super().resolve_command(ctx, args)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "--version", "-V", prog_name="plugin-eval")
def cli() -> None:
    """Lint and score agent skills and plugins.

    Exit codes: 0 success, 1 findings at the fail level or a score below the threshold, 2 wrong usage or nothing to lint,
    3 not measured, 4 internal error, 130 interrupted.
    """
