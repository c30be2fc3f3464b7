"""``plugin-eval triggers``, as typed."""

import sys
from typing import Unpack

import click

from plugin_eval_ci.cli.models import Calls, calling, of_calls
from plugin_eval_ci.cli.options import PATH, formatted, shared

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
@shared
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
@calling
@shared
def init(
    path: str,
    output: str | None,
    force: bool,
    date: str | None,
    exclude: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
    **calls: Unpack[Calls],
) -> int:
    """Draft labels for the skills at PATH: one model writes prompts, another labels them blind, and a person reviews them.

    It asks models, so it needs the extra `llm` and a key; --estimate says beforehand what it costs.
    """
    from plugin_eval_ci.commands import triggers_init as command
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
@shared
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
