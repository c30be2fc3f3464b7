"""The options of the commands about labels, recorded sessions and agreement."""

import sys
from typing import Unpack

import click

from plugin_eval_ci.cli.model_options import CallParams, call_options, call_options_of
from plugin_eval_ci.cli.options import PATH, REPORTS, Command, config_options, format_options, quiet_option
from plugin_eval_ci.cli.options import command as declare
from plugin_eval_ci.config import did_you_mean
from plugin_eval_ci.errors import UsageError, not_valid


@declare(short_help="Measure how well judges agree over many skills.")
@click.argument("files", nargs=-1, required=True, type=PATH)
@format_options(("text", "json"))
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Random seed for resampling skills.")
def agreement(files: tuple[str, ...], format: str, seed: int) -> int:
    """Measure how well judges agree over many skills.

    FILES are the output of `plugin-eval score SKILL --judges 3 --format json`, one for each skill.
    """
    from plugin_eval_ci.commands import agreement as command

    return command.run(files, format, seed, sys.stdout)


_LABELS = "evals/labels.jsonl"


_LABELS_FILE = click.option(
    "--labels", default=_LABELS, show_default=True, metavar="FILE", help="Read and write labels in this file."
)
_PASS = click.option(
    "--pass", "threshold", type=click.FloatRange(0, 1), default=0.5, show_default=True, metavar="SCORE",
    help="Lowest score that counts as a pass, from 0 to 1.",
)  # fmt: skip


@declare(short_help="Score skills by hand, the most informative first.")
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
    "--dimension", "dimensions", multiple=True, metavar="NAME", help="Label only this dimension (repeatable)."
)
@_PASS
@click.option(
    "--seed", type=int, default=0, show_default=True, metavar="N", help="Random seed for choosing half of the items."
)
@quiet_option()
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
    """Score skills by hand, the most informative first. The scores of the judges are not shown.

    RESULTS are JSON of score or report.
    """
    from plugin_eval_ci.commands import label as command
    from plugin_eval_ci.evals.trials.human_labels import LABELLED

    for name in dimensions:
        if name not in LABELLED:
            raise UsageError(not_valid("--dimension", name, ", ".join(LABELLED), did_you_mean(name, LABELLED)))
    options = command.LabelOptions(
        labels=labels,
        output=output,
        who=who,
        number=number,
        dimensions=dimensions,
        threshold=threshold,
        seed=seed,
    )
    return command.run(results, options, sys.stdin, sys.stdout)


@declare(short_help="Measure how well scores agree with people's labels.")
@click.argument("results", nargs=-1, required=True, type=PATH)
@_LABELS_FILE
@format_options(("text", "json"))
@_PASS
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Random seed for resampling skills.")
@quiet_option()
def calibrate(results: tuple[str, ...], labels: str, format: str, threshold: float, seed: int) -> int:
    """Measure how well scores, static ones too, agree with people's labels.

    RESULTS are JSON of score or report.
    """
    from plugin_eval_ci.commands import label as command

    return command.run_calibrate(results, labels, format, threshold, seed, sys.stdout)


OUTPUT = click.option(
    "--output",
    "-o",
    metavar="FILE",
    help="Write to this file, - for standard output.  [default: evals/triggers.yaml of the skill]",
)
FORCE = click.option("--force", is_flag=True, help="Overwrite an existing file.")


@click.group(short_help="Check, draft and import labels: which prompts a skill is for.")
def triggers() -> None:
    """Check, draft and import labels, which say which prompts a skill is for and which not (evals/triggers.yaml)."""


@triggers.command("check", cls=Command, short_help="Check labels for problems.")
@click.argument("paths", nargs=-1, type=PATH)
@format_options(("text", "json"))
@quiet_option()
@config_options
def check(
    paths: tuple[str, ...], format: str, exclude: tuple[str, ...], config_file: str | None, isolated: bool
) -> int:
    """Check the labels of the skills in PATHS. Exit 1 if some need fixing."""
    from plugin_eval_ci.commands import triggers as command

    where = paths or (".",)
    return command.run_check(where, format, command.config_for(where, config_file, isolated, exclude), sys.stdout)


@triggers.command("init", cls=Command, short_help="Draft labels for a person to review; calls models.")
@click.argument("path", type=PATH)
@OUTPUT
@FORCE
@click.option("--date", metavar="DAY", help="Date of the drafts, YYYY-MM-DD.  [default: SOURCE_DATE_EPOCH, else today]")
@call_options
@quiet_option()
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

    This calls models, so it needs the extra `llm` and a key. --estimate prints the cost first.
    """
    from plugin_eval_ci.commands import triggers as command
    from plugin_eval_ci.commands.triggers import config_for

    config = config_for((path,), config_file, isolated, exclude)
    return command.run(path, output, force, date, call_options_of(calls), config, sys.stdout)


@triggers.command("import", cls=Command, short_help="Convert another tool's labels to evals/triggers.yaml.")
@click.argument("files", nargs=-1, required=True, type=PATH)
@click.option(
    "--skill",
    metavar="PATH",
    type=PATH,
    help="Skill that the labels belong to.  [default: the skill around the first file]",
)
@OUTPUT
@FORCE
@quiet_option()
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
    """Convert the labels in FILES, which another tool wrote, to evals/triggers.yaml."""
    from plugin_eval_ci.commands import triggers as command

    config = command.config_for((skill or files[0],), config_file, isolated, exclude)
    return command.run_import(files, skill, output, force, config, sys.stdout)


@declare(short_help="Show which skills fired in recorded sessions, and their cost.")
@click.argument("paths", metavar="FILES...", nargs=-1, required=True, type=PATH)
@click.option(
    "--skill",
    "skills",
    multiple=True,
    metavar="NAME",
    help="Report only this skill (repeatable); its slash command counts.",
)
@format_options(REPORTS)
@click.option(
    "--to-labels",
    metavar="FILE",
    help="Write redacted prompts as labels of the one --skill, - for standard output.",
)
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@quiet_option()
def traces(paths: tuple[str, ...], skills: tuple[str, ...], format: str, to_labels: str | None, force: bool) -> int:
    """Show which skills fired in recorded sessions, on which prompts and at what cost.

    FILES are JSON Lines files, or directories of them.
    """
    from plugin_eval_ci.commands import traces as command

    return command.run(paths, skills, format, to_labels, force, sys.stdout)
