"""The options of ``lint``, ``baseline``, ``rules`` and ``explain``."""

import sys
from collections.abc import Mapping

import click

from plugin_eval_ci.cli.options import LEVELS, PATH, Choice, config_options, format_options, quiet_option, words
from plugin_eval_ci.cli.options import command as declare
from plugin_eval_ci.errors import UsageError, together


@declare("baseline", short_help="Accept all current findings; lint then reports only new ones.")
@click.argument("paths", nargs=-1, type=PATH)
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    help="Write to this file.  [default: the configured file, else .plugin-eval-baseline.json]",
)
@click.option("--reason", default="", metavar="TEXT", help="Record this reason in each new entry.")
@click.option("--expires", default="", metavar="YYYY-MM-DD", help="Let the new entries expire after this date.")
@click.option(
    "--update",
    is_flag=True,
    help="Remove outdated entries from an existing file; keep the rest unchanged.",
)
@click.option(
    "--add", is_flag=True, help="With --update, also accept new findings; with --expires, also renew expired entries."
)
@click.option("--sarif-in", multiple=True, metavar="FILE", help="Also accept the findings in this SARIF file.")
@click.option("--merge", "merge_alias", multiple=True, metavar="FILE", hidden=True)
@quiet_option()
@config_options
def accept(
    paths: tuple[str, ...],
    output: str | None,
    reason: str,
    expires: str,
    update: bool,
    add: bool,
    sarif_in: tuple[str, ...],
    merge_alias: tuple[str, ...],
    exclude: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
) -> int:
    """Accept all current findings in PATHS; lint then reports only new ones."""
    from plugin_eval_ci.commands import baseline as command
    from plugin_eval_ci.commands import lint as linting

    shared = linting.LintOptions(
        exclude=exclude, config_file=config_file, isolated=isolated, sarif_in=sarif_in + merge_alias
    )
    options = command.BaselineOptions(
        output=output, reason=reason, expires=expires, update=update, add=add, lint=shared
    )
    return command.run(paths or (".",), options, sys.stdout)


@declare(short_help="List every rule, its severity, and whether --fix can fix it.")
@format_options(("text", "json"))
def rules(format: str) -> int:
    """List every rule, its severity, and whether lint --fix can fix it."""
    from plugin_eval_ci.commands import rules as command

    return command.list_rules(format, sys.stdout)


def _names_starting_with(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from plugin_eval_ci.rules import all_names

    return sorted(name for name in all_names() if name.startswith(incomplete.upper()))


@declare()
@click.argument("rule", shell_complete=_names_starting_with)
def explain(rule: str) -> int:
    """Explain what RULE flags, why, and how to fix it."""
    from plugin_eval_ci.commands import rules as command

    return command.explain(rule, sys.stdout)


FORMATS = (
    "text",
    "concise",
    "json",
    "github",
    "sarif",
    "junit",
    "gitlab",
    "rdjson",
)  # each is a module, report/lint_<format>.py


@declare(short_help="Lint skills and agents (default: the working directory).")
@click.argument("paths", nargs=-1, type=PATH)
@format_options(FORMATS)
@click.option("--fail-on", type=Choice(LEVELS), help="Exit 1 at this severity or above.  [default: error]")
@click.option("--exit-zero", is_flag=True, help="Exit 0 even if there are findings; the same as --fail-on never.")
@click.option("--select", multiple=True, metavar="RULE", help="Run only these rules or groups, separated by commas.")
@click.option("--ignore", multiple=True, metavar="RULE", help="Skip these rules or groups, separated by commas.")
@click.option("--hook", is_flag=True, help="Run as a commit hook: print nothing if there is nothing to report.")
@click.option("--statistics", is_flag=True, help="Print the number of findings per rule instead of the findings.")
@click.option("--all", "every", is_flag=True, help="Show every finding; by default, those of one form are one entry.")
@quiet_option("Print findings and errors only, no notes and no summary.", expose=True)
@click.option(
    "--sarif-in",
    multiple=True,
    metavar="FILE",
    help="Add the findings in this SARIF file of another tool (repeatable).",
)
@click.option("--merge", "merge_alias", multiple=True, metavar="FILE", hidden=True)
@click.option("--base", metavar="REF", help="Lint what changed since this revision; report only new findings.")
@click.option("--baseline", metavar="FILE", help="Hide the findings that this file accepts (see baseline).")
@click.option(
    "--show-config",
    is_flag=True,
    help="Print the configuration of PATHS and the origin of each value.",
)
@click.option("--fix", is_flag=True, help="Fix findings that have exactly one right fix; report the rest.")
@click.option("--diff", is_flag=True, help="Show what --fix would change; write nothing.")
@click.option("--stdin-filename", metavar="FILE", help="Lint standard input as if it were this file (for editors).")
@config_options
def lint(
    paths: tuple[str, ...],
    format: str,
    fail_on: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    exit_zero: bool,
    hook: bool,
    statistics: bool,
    every: bool,
    quiet: bool,
    sarif_in: tuple[str, ...],
    merge_alias: tuple[str, ...],
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

    if exit_zero and fail_on:
        raise UsageError(together("--exit-zero", "--fail-on"))
    if exit_zero or (format == "sarif" and fail_on is None):
        fail_on = "never"  # code scanning decides; a failed step would not even upload the file
    sarif_in += merge_alias
    options = command.LintOptions(
        format=format,
        fail_on=fail_on,
        select=words(select),
        ignore=words(ignore),
        hook=hook,
        exclude=exclude,
        config_file=config_file,
        isolated=isolated,
        sarif_in=sarif_in,
        base=base,
        baseline=baseline,
        fix=fix,
        diff=diff,
        statistics=statistics,
        every=every,
        quiet=quiet,
    )
    if show_config:
        from plugin_eval_ci.commands import show_config as shower

        where = (stdin_filename,) if stdin_filename else paths or (".",)
        return shower.show(where, command.config_of_run(where, options), sys.stdout)
    if stdin_filename is None:
        return command.run(paths or (".",), options, sys.stdout)
    given = {"PATHS": paths, "--sarif-in": sarif_in, "--base": base, "--fix": fix, "--diff": diff}
    return command.run_text(_standard_input(stdin_filename, given), stdin_filename, options, sys.stdout)


def _standard_input(name: str, given: Mapping[str, object]) -> bytes:
    """The bytes that stand for the file ``name``. Raises ``UsageError`` for options that cannot be used with it."""
    if other := next((word for word, value in given.items() if value), None):
        raise UsageError(together("--stdin-filename", other))
    if not name:
        raise UsageError("--stdin-filename: the file name is empty")
    if sys.stdin is None:
        raise UsageError("--stdin-filename: standard input is closed")
    return sys.stdin.buffer.read()
