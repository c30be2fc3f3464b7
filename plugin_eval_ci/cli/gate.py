"""``plugin-eval gate``, as typed."""

import sys
from typing import Unpack

import click

from plugin_eval_ci.cli.model_options import MODES, CallParams, call_options, of_calls
from plugin_eval_ci.cli.options import PATH, Number, config_options, formatted

OUTPUTS = ("text", "markdown", "json", "github")


@click.command(short_help="Check whether a change makes skills trigger less reliably.")
@click.argument("paths", nargs=-1, type=PATH)
@click.option("--base", metavar="REF", help="Compare with this revision (its common ancestor with the head).")
@click.option("--head", metavar="REF", help="Compare this revision.  [default: the working tree]")
@click.option(
    "--margin",
    type=Number(0, 100, min_open=True, max_open=True),
    default=5.0,
    show_default=True,
    metavar="POINTS",
    help="Smallest fall in accuracy that counts, in points.",
)
@click.option(
    "--floor",
    type=Number(0, 100, min_open=True, max_open=True),
    metavar="PERCENT",
    help="Exit 1 if a skill's accuracy is below this percentage, whatever the base has.",
)
@click.option(
    "--runs",
    type=click.IntRange(1, 100),
    default=3,
    show_default=True,
    metavar="N",
    help="Number of trials per prompt.",
)
@click.option(
    "--mode", type=click.Choice(MODES), default="agentic", show_default=True, help="Set how the model chooses a skill."
)
@click.option("--subject", default="haiku", show_default=True, metavar="MODEL", help="Tier or model under test.")
@click.option("--early-stop", is_flag=True, help="Stop as soon as the remaining prompts cannot change the result.")
@click.option("--strict", is_flag=True, help="Also exit 1 if the result is inconclusive.")
@click.option("--self-test", is_flag=True, help="Test one revision twice to measure how much chance alone differs.")
@click.option("--base-result", metavar="FILE", help="Read the base from an earlier gate's JSON instead of testing it.")
@formatted(OUTPUTS)
@call_options
@config_options
def gate(
    paths: tuple[str, ...],
    base: str | None,
    head: str | None,
    margin: float,
    floor: float | None,
    runs: int,
    mode: str,
    subject: str,
    early_stop: bool,
    strict: bool,
    self_test: bool,
    base_result: str | None,
    output: str,
    exclude: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
    **calls: Unpack[CallParams],
) -> int:
    """Check whether a change makes the skills in PATHS trigger less reliably: regression, fine or inconclusive.

    Both revisions are tried on the same labelled prompts (evals/triggers.yaml). What is listed as before costs nothing. Without --base
    the head is tried alone: for --floor, or to keep its JSON as the base of a later run.
    """
    from plugin_eval_ci.commands import gate as command
    from plugin_eval_ci.evals.trials.gate.run import GatePlan
    from plugin_eval_ci.evals.trials.values import Settings

    typed = command.GateOptions(
        base,
        head,
        output,
        strict,
        GatePlan(margin / 100, None if floor is None else floor / 100, early_stop, base is not None or self_test),
        self_test,
        base_result,
        Settings(mode, runs, subject=subject, seed=calls["seed"]),  # type: ignore[arg-type]  # click takes no other mode
        of_calls(calls),
        exclude,
        config_file,
        isolated,
    )
    return command.run(paths or (".",), command.validate_options(typed), sys.stdout)
