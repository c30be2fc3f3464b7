"""``plugin-eval triggers``, as typed."""

import sys
from typing import Unpack

import click

from plugin_eval_ci.cli.model_options import CallParams, call_options, of_calls
from plugin_eval_ci.cli.options import PATH, REPORTS, config_options, formatted


@click.command(short_help="Measure how well judges agree over many skills.")
@click.argument("files", nargs=-1, required=True, type=PATH)
@formatted(("text", "json"))
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Random seed for resampling skills.")
def agreement(files: tuple[str, ...], output: str, seed: int) -> int:
    """Measure how well judges agree over many skills. FILES are the JSON of score --judges N, one for each skill."""
    from plugin_eval_ci.commands import agreement as command

    return command.run(files, output, seed, sys.stdout)


_LABELS = "evals/labels.jsonl"


_LABELS_FILE = click.option(
    "--labels", default=_LABELS, show_default=True, metavar="FILE", help="Read and write labels in this file."
)
_PASS = click.option(
    "--pass", "threshold", type=click.FloatRange(0, 1), default=0.5, show_default=True, metavar="SCORE",
    help="Lowest score that counts as a pass, from 0 to 1.",
)  # fmt: skip


@click.command(short_help="Score skills by hand, the most informative first.")
@click.argument("results", nargs=-1, required=True, type=PATH)
@_LABELS_FILE
@click.option("--output", "-o", metavar="FILE", help="Write the items to label to a new file instead of prompting.")
@click.option("--who", default="", metavar="NAME", help="Record this name as the author of the labels.")
@click.option(
    "--number",
    type=click.IntRange(1, 1_000),
    default=20,
    show_default=True,
    metavar="N",
    help="Number of items to label.",
)
@click.option(
    "--dimension", "dimensions", multiple=True, metavar="NAME", help="Label only this dimension (repeat for several)."
)
@_PASS
@click.option(
    "--seed", type=int, default=0, show_default=True, metavar="N", help="Random seed for choosing half of the items."
)
def label(
    results: tuple[str, ...],
    labels: str,
    output: str | None,
    who: str,
    number: int,
    dimensions: tuple[str, ...],
    threshold: float,
    seed: int,
) -> int:
    """Score skills by hand, the most informative first. RESULTS are the JSON of score or report. What judges said is not shown."""
    from plugin_eval_ci.commands import label as command
    from plugin_eval_ci.evals.trials.human_labels import LABELLED

    for name in dimensions:
        if name not in LABELLED:
            raise click.BadParameter(
                f"{name!r} is not valid (expected {', '.join(LABELLED)})", param_hint="--dimension"
            )
    wanted = command.LabelOptions(labels, output, who, number, dimensions, threshold, seed)
    return command.run(results, wanted, sys.stdin, sys.stdout)


@click.command(short_help="Measure how well scores agree with people's labels.")
@click.argument("results", nargs=-1, required=True, type=PATH)
@_LABELS_FILE
@formatted(("text", "json"))
@_PASS
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Random seed for resampling skills.")
def calibrate(results: tuple[str, ...], labels: str, output: str, threshold: float, seed: int) -> int:
    """Measure how well every score, static ones too, agrees with people's labels. RESULTS are the JSON of score or report."""
    from plugin_eval_ci.commands import label as command

    return command.run_calibrate(results, labels, output, threshold, seed, sys.stdout)


OUTPUT = click.option(
    "--output",
    "-o",
    metavar="FILE",
    help="Write to this file; - is standard output.  [default: evals/triggers.yaml of the skill]",
)
FORCE = click.option("--force", is_flag=True, help="Overwrite an existing file.")


@click.group(short_help="Labels, which prompts a skill is for: check, import, init.")
def triggers() -> None:
    """Labels: which prompts a skill is for, and which not (evals/triggers.yaml)."""


@triggers.command("check", short_help="Check labels for problems.")
@click.argument("paths", nargs=-1, type=PATH)
@formatted(("text", "json"))
@config_options
def check(
    paths: tuple[str, ...], output: str, exclude: tuple[str, ...], config_file: str | None, isolated: bool
) -> int:
    """Check the labels of the skills in PATHS; exit 1 if something must be fixed."""
    from plugin_eval_ci.commands import triggers as command

    where = paths or (".",)
    return command.run_check(where, output, command.config_for(where, config_file, isolated, exclude), sys.stdout)


@triggers.command("init", short_help="Draft labels for a person to review; calls models.")
@click.argument("path", type=PATH)
@OUTPUT
@FORCE
@click.option("--date", metavar="DAY", help="Date on the drafts, YYYY-MM-DD.  [default: SOURCE_DATE_EPOCH, else today]")
@call_options
@config_options
def init(
    path: str,
    output: str | None,
    force: bool,
    date: str | None,
    exclude: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
    **calls: Unpack[CallParams],
) -> int:
    """Draft labels for the skills at PATH: one model writes prompts, another labels them blind, and a person reviews them.

    It asks models, so it needs the extra `llm` and a key; --estimate says beforehand what it costs.
    """
    from plugin_eval_ci.commands import triggers as command
    from plugin_eval_ci.commands.triggers import config_for

    config = config_for((path,), config_file, isolated, exclude)
    return command.run(path, output, force, date, of_calls(calls), config, sys.stdout)


@triggers.command("import", short_help="Write labels of another tool as evals/triggers.yaml.")
@click.argument("files", nargs=-1, required=True, type=PATH)
@click.option(
    "--skill",
    metavar="PATH",
    type=PATH,
    help="Assign the labels to this skill.  [default: the skill that the first file belongs to]",
)
@OUTPUT
@FORCE
@config_options
def import_(
    files: tuple[str, ...],
    skill: str | None,
    output: str | None,
    force: bool,
    exclude: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
) -> int:
    """Write the labels in FILES, which are in the form of another tool, as evals/triggers.yaml."""
    from plugin_eval_ci.commands import triggers as command

    config = command.config_for((skill or files[0],), config_file, isolated, exclude)
    return command.run_import(files, skill, output, force, config, sys.stdout)


@click.command(short_help="Show which skills fired in recorded sessions, and their cost.")
@click.argument("paths", metavar="FILES...", nargs=-1, required=True, type=PATH)
@click.option(
    "--skill",
    "skills",
    multiple=True,
    metavar="NAME",
    help="Only this skill (repeat for several); its command counts.",
)
@formatted(REPORTS)
@click.option(
    "--to-labels",
    metavar="FILE",
    help="Write prompts as labels of the one --skill, redacted; - is standard output.",
)
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def traces(paths: tuple[str, ...], skills: tuple[str, ...], output: str, to_labels: str | None, force: bool) -> int:
    """Show which skills fired in the recorded sessions in FILES (JSON lines, or directories of them), on which prompts and at what cost."""
    from plugin_eval_ci.commands import traces as command

    return command.run(paths, skills, output, to_labels, force, sys.stdout)
