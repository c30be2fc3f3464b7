"""``plugin-eval rules`` and ``explain``, as typed."""

import sys

import click


@click.command(short_help="List every rule, its severity, and whether --fix mends it.")
@click.option("--output", type=click.Choice(("text", "json")), default="text", show_default=True)
def rules(output: str) -> int:
    """List every rule with its severity, and whether lint --fix corrects it."""
    from plugin_eval_ci.commands import rules as command

    return command.list_rules(output, sys.stdout)


@click.command()
@click.argument("rule")
def explain(rule: str) -> int:
    """Say what RULE flags, why, and how to mend it."""
    from plugin_eval_ci.commands import rules as command

    return command.explain(rule, sys.stdout)
