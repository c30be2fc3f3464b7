"""``plugin-eval lint``, as typed."""

import sys
from collections.abc import Mapping

import click

from plugin_eval_ci import page
from plugin_eval_ci.cli.options import LEVELS, PATH, config_options, formatted, words
from plugin_eval_ci.errors import UsageError, together


@click.command("baseline", short_help="Accept all current findings; lint then reports only new ones.")
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
@click.option(
    "--sarif-in", "merge", multiple=True, metavar="FILE", help="Also accept the findings in another tool's SARIF file."
)
@click.option("--merge", "merge_alias", multiple=True, metavar="FILE", hidden=True)
@config_options
def accept(
    paths: tuple[str, ...],
    output: str | None,
    reason: str,
    expires: str,
    update: bool,
    add: bool,
    merge: tuple[str, ...],
    merge_alias: tuple[str, ...],
    exclude: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
) -> int:
    """Accept all current findings in PATHS; lint then reports only new ones."""
    from plugin_eval_ci.commands import baseline as command
    from plugin_eval_ci.commands import lint as linting

    settings = linting.Options("text", None, (), (), False, exclude, config_file, isolated, merge + merge_alias)
    return command.run(paths or (".",), command.Options(output, reason, expires, update, add, settings), sys.stdout)


@click.command(short_help="List every rule, its severity, and whether --fix can fix it.")
@formatted(("text", "json"))
def rules(output: str) -> int:
    """List every rule with its severity, and whether lint --fix corrects it."""
    from plugin_eval_ci.commands import rules as command

    return command.list_rules(output, sys.stdout)


def _names_starting_with(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from plugin_eval_ci.rules import all_names

    return sorted(name for name in all_names() if name.startswith(incomplete.upper()))


@click.command()
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
PAGE = page("adopting")


@click.command(short_help="Lint skills and agents (default: the working directory).")
@click.argument("paths", nargs=-1, type=PATH)
@formatted(FORMATS, f"Output format; {PAGE} describes each.")
@click.option("--fail-on", type=click.Choice(LEVELS), help="Exit 1 at this severity or above.  [default: error]")
@click.option("--exit-zero", is_flag=True, help="Exit 0 even if there are findings; the same as --fail-on never.")
@click.option(
    "--select", multiple=True, metavar="RULE", help="Run only these rules or groups (repeat, or separate with commas)."
)
@click.option("--ignore", multiple=True, metavar="RULE", help="Skip these rules or groups.")
@click.option(
    "--hook", is_flag=True, help="Run as a commit hook: print nothing if clean, skip files outside skills and agents."
)
@click.option("--statistics", is_flag=True, help="Print the number of findings per rule instead of the findings.")
@click.option("--all", "every", is_flag=True, help="Show every finding; by default, those of one form are one entry.")
@click.option("--quiet", "-q", is_flag=True, help="Print findings and errors only: no notes, no summary.")
@click.option(
    "--sarif-in",
    "merge",
    multiple=True,
    metavar="FILE",
    help="Add the findings in another tool's SARIF file (repeat for several).",
)
@click.option("--merge", "merge_alias", multiple=True, metavar="FILE", hidden=True)
@click.option(
    "--base", metavar="REF", help="Lint what changed since this revision; report and count only new findings."
)
@click.option("--baseline", metavar="FILE", help="Hide the findings that this file accepts (see plugin-eval baseline).")
@click.option(
    "--show-config",
    is_flag=True,
    help="Print the configuration of PATHS and where each value comes from; lint nothing.",
)
@click.option("--fix", is_flag=True, help="Fix findings that have exactly one right answer, then report the rest.")
@click.option("--diff", is_flag=True, help="Show what --fix would change; write nothing.")
@click.option("--stdin-filename", metavar="FILE", help="Lint standard input as if it were this file (for editors).")
@config_options
def lint(
    paths: tuple[str, ...],
    output: str,
    fail_on: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    exit_zero: bool,
    hook: bool,
    statistics: bool,
    every: bool,
    quiet: bool,
    merge: tuple[str, ...],
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
    if exit_zero or (output == "sarif" and fail_on is None):
        fail_on = "never"  # code scanning decides; a failed step would not even upload the file
    rules = (words(select), words(ignore))
    merge += merge_alias
    options = command.Options(
        output,
        fail_on,
        *rules,
        hook,
        exclude,
        config_file,
        isolated,
        merge=merge,
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
    given = {"PATHS": paths, "--sarif-in": merge, "--base": base, "--fix": fix, "--diff": diff}
    return command.run_text(_standard_input(stdin_filename, given), stdin_filename, options, sys.stdout)


def _standard_input(name: str, given: Mapping[str, object]) -> bytes:
    """The bytes that stand for the file ``name``. Raises ``UsageError`` when something is given that cannot be beside it."""
    if given["PATHS"]:
        raise UsageError("--stdin-filename takes the place of PATHS: give one or the other")
    if other := next((word for word, value in given.items() if value), None):
        raise UsageError(together("--stdin-filename", other))
    if not name:
        raise UsageError("--stdin-filename is empty")
    if sys.stdin is None:
        raise UsageError("--stdin-filename: standard input is closed")
    return sys.stdin.buffer.read()
