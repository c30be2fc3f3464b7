"""``plugin-eval rules`` and ``explain``, as typed."""

import sys

import click


@click.command()
def rules() -> int:
    """List every rule with its severity."""
    from plugin_eval_ci.commands import rules as command

    return command.list_rules(sys.stdout)


@click.command()
@click.argument("rule")
def explain(rule: str) -> int:
    """Say what RULE flags, why, and how to mend it."""
    from plugin_eval_ci.commands import rules as command

    return command.explain(rule, sys.stdout)
