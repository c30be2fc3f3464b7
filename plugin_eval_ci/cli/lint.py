"""``plugin-eval lint``, as typed."""

import sys
from collections.abc import Mapping

import click

from plugin_eval_ci.cli.options import LEVELS, PATH, shared, words
from plugin_eval_ci.errors import UsageError

FORMATS = ("text", "json", "github", "sarif", "junit", "gitlab", "rdjson")  # each is a module, report/lint_<format>.py


@click.command(short_help="Lint skills and agents (default: the working directory).")
@click.argument("paths", nargs=-1, type=PATH)
@click.option(
    "--format",
    "output",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How findings are written; docs/adopting.md says what each is for.",
)
@click.option("--fail-on", type=click.Choice(LEVELS), help="Lowest severity that fails.  [default: warning]")
@click.option("--select", multiple=True, metavar="RULE", help="Run only these rules (repeat, or separate by commas).")
@click.option("--ignore", multiple=True, metavar="RULE", help="Leave these rules out.")
@click.option(
    "--hook", is_flag=True, help="For commit hooks: silent when clean; names that belong to no skill are skipped."
)
@click.option(
    "--merge", multiple=True, metavar="FILE", help="Add the findings of another tool's SARIF file (repeat for several)."
)
@click.option(
    "--base", metavar="REF", help="Lint what changed since this revision; only new findings are shown and counted."
)
@click.option(
    "--baseline", metavar="FILE", help="Leave out the findings that this file accepts (see plugin-eval baseline)."
)
@click.option(
    "--show-config",
    is_flag=True,
    help="Print the configuration of PATHS and where each value comes from; lint nothing.",
)
@click.option("--fix", is_flag=True, help="Correct what has exactly one right answer, then lint what is left.")
@click.option("--diff", is_flag=True, help="Show what --fix would change; write nothing.")
@click.option("--stdin-filename", metavar="FILE", help="Lint standard input as if it were this file (for editors).")
@shared
def lint(
    paths: tuple[str, ...],
    output: str,
    fail_on: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    hook: bool,
    merge: tuple[str, ...],
    base: str | None,
    baseline: str | None,
    show_config: bool,
    fix: bool,
    diff: bool,
    stdin_filename: str | None,
    exclude: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
) -> int:
    """Lint skills and agents in PATHS (default: the working directory).

    A path may be a SKILL.md, a skill, a plugin, a marketplace, a repository, or any file inside one.
    """
    from plugin_eval_ci.commands import lint as command

    if output == "sarif" and fail_on is None:
        fail_on = "never"  # code scanning decides; a failed step would not even upload the file
    rules = (words(select), words(ignore))
    options = command.Options(
        output, fail_on, *rules, hook, exclude, config_file, isolated, merge, base, baseline, fix, diff
    )
    if show_config:
        from plugin_eval_ci.commands import show_config as shower

        where = (stdin_filename,) if stdin_filename else paths or (".",)
        return shower.show(where, command.config_of_run(where, options), sys.stdout)
    if stdin_filename is None:
        return command.run(paths or (".",), options, sys.stdout)
    given = {"PATHS": paths, "--merge": merge, "--base": base, "--fix": fix, "--diff": diff}
    return command.run_text(_standard_input(stdin_filename, given), stdin_filename, options, sys.stdout)


def _standard_input(name: str, given: Mapping[str, object]) -> bytes:
    """The bytes that stand for the file ``name``. Raises ``UsageError`` when something is given that cannot be beside it."""
    if given["PATHS"]:
        raise UsageError("--stdin-filename takes the place of PATHS: give one or the other")
    if other := next((word for word, value in given.items() if value), None):
        raise UsageError(f"--stdin-filename and {other} exclude each other")
    if not name:
        raise UsageError("--stdin-filename is empty")
    if sys.stdin is None:
        raise UsageError("--stdin-filename: standard input is closed")
    return sys.stdin.buffer.read()
