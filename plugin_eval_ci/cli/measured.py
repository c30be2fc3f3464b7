"""The options about trials, of the commands that have depth measured; a lint does not load them."""

from typing import Literal, TypedDict, cast

import click

from plugin_eval_ci.commands.model_options import Trials

MODES = ("agentic", "lean", "router")
_USUAL = Trials()


def trying(command: click.decorators.FC) -> click.decorators.FC:
    """How trials are made."""
    for option in (
        click.option("--no-controls", is_flag=True, help="measured: Skip the positive and the negative control."),
        click.option("--no-help", is_flag=True, help="measured: Test triggering only, not whether the skill helps."),
        click.option("--subject", metavar="MODEL", help="measured: Tier or model under test.  [default: haiku]"),
        click.option(
            "--mode",
            type=click.Choice(MODES),
            help="measured: How the model chooses a skill; router is an upper bound.  [default: agentic]",
        ),
        click.option(
            "--runs",
            type=click.IntRange(1, 100),
            metavar="N",
            help="measured: Number of runs per prompt.  [default: 3]",
        ),
    ):
        command = option(command)
    return command


class Trying(TypedDict):
    """What ``trying`` gives to a command."""

    runs: int | None
    mode: str | None
    subject: str | None
    no_help: bool
    no_controls: bool


def of_trials(words: Trying) -> Trials | None:
    """Those options as a value; None where none of them was given."""
    if not any((words["runs"], words["mode"], words["subject"], words["no_help"], words["no_controls"])):
        return None
    return Trials(
        words["runs"] or _USUAL.runs,
        cast("Literal['agentic', 'lean', 'router']", words["mode"] or _USUAL.mode),
        words["subject"] or _USUAL.subject,
        not words["no_help"],
        not words["no_controls"],
    )
