"""``plugin-eval rules`` and ``explain``, as typed."""

import sys

import click

from plugin_eval_ci.cli.options import formatted


@click.command(short_help="List every rule, its severity, and whether --fix can fix it.")
@formatted(("text", "json"))
def rules(output: str) -> int:
    """List every rule with its severity, and whether lint --fix corrects it."""
    from plugin_eval_ci.commands import rules as command

    return command.list_rules(output, sys.stdout)


def _names_starting_with(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from plugin_eval_ci.rules import all_names

    return sorted(name for name in all_names() if name.startswith(incomplete.upper()))


@click.command()
@click.argument("rule", shell_complete=_names_starting_with)
def explain(rule: str) -> int:
    """Explain what RULE flags, why, and how to fix it."""
    from plugin_eval_ci.commands import rules as command

    return command.explain(rule, sys.stdout)
