"""The options of ``gate``."""

import sys
from typing import Unpack

import click

from plugin_eval_ci.cli.model_options import MODES, CallParams, call_options, call_options_of
from plugin_eval_ci.cli.options import PATH, Choice, Number, command, config_options, format_options, quiet_option

FORMATS = ("text", "markdown", "json", "github")


@command(short_help="Check whether a change makes skills trigger less reliably.")
@click.argument("paths", nargs=-1, type=PATH)
@click.option("--base", metavar="REF", help="Compare with this revision, from its common ancestor with the head.")
@click.option("--head", metavar="REF", help="Revision under test.  [default: the working tree]")
@click.option(
    "--margin",
    type=Number(0, 100, min_open=True, max_open=True),
    default=5.0,
    show_default=True,
    metavar="POINTS",
    help="Smallest drop in accuracy that counts, in points.",
)
@click.option(
    "--floor",
    type=Number(0, 100, min_open=True, max_open=True),
    metavar="PERCENT",
    help="Exit 1 if a skill's accuracy is below this percentage.",
)
@click.option(
    "--runs",
    type=click.IntRange(1, 100),
    default=3,
    show_default=True,
    metavar="N",
    help="Number of trials per prompt.",
)
@click.option("--mode", type=Choice(MODES), default="agentic", show_default=True, help="How the model chooses a skill.")
@click.option("--subject", default="haiku", show_default=True, metavar="MODEL", help="Tier or model under test.")
@click.option("--early-stop", is_flag=True, help="Stop as soon as the remaining prompts cannot change the result.")
@click.option("--strict", is_flag=True, help="Also exit 1 if the result is inconclusive.")
@click.option("--self-test", is_flag=True, help="Test one revision twice, to measure differences by chance.")
@click.option("--base-result", metavar="FILE", help="Read the results of the base from the JSON of an earlier gate.")
@format_options(FORMATS)
@quiet_option()
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
    format: str,
    exclude: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
    **calls: Unpack[CallParams],
) -> int:
    """Check whether a change makes the skills in PATHS trigger less reliably: regression, fine or inconclusive.

    Both revisions are tested on the same labelled prompts (evals/triggers.yaml). Skills whose listing did not change are not tested.
    Without --base only the head is tested: for --floor, or to use its JSON as --base-result of a later run.
    """
    from plugin_eval_ci.commands import gate as gating
    from plugin_eval_ci.evals.trials.gate.run import GatePlan
    from plugin_eval_ci.evals.trials.values import Settings

    typed = gating.GateOptions(
        base=base,
        head=head,
        format=format,
        strict=strict,
        plan=GatePlan(
            margin=margin / 100,
            floor=None if floor is None else floor / 100,
            early=early_stop,
            compared=base is not None or self_test,
        ),
        self_test=self_test,
        base_result=base_result,
        settings=Settings(mode, runs, subject=subject, seed=calls["seed"]),  # type: ignore[arg-type]  # click takes no other mode
        asking=call_options_of(calls),
        exclude=exclude,
        config_file=config_file,
        isolated=isolated,
    )
    return gating.run(paths or (".",), gating.validate_options(typed), sys.stdout)
