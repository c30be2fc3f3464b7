"""The command line: click declares, something else does. Each command is a function that returns an exit code."""

from __future__ import annotations

import contextlib
import errno
import gc
import io
import os
import sys
from typing import NoReturn

import click

from plugin_eval_ci import __version__
from plugin_eval_ci.errors import MeasurementError, UsageError

FINE, FINDINGS, USAGE, UNMEASURED, OUR_FAULT, INTERRUPTED = 0, 1, 2, 3, 4, 130
_LEVELS = ("error", "warning", "notice", "never")
_FORMATS = ("text", "json", "github", "sarif", "junit", "gitlab", "rdjson")  # each is a module, report/lint_<format>.py
_DEPTHS = ("quick", "standard", "deep", "thorough")


class _Path(click.Path):
    """A path that need not be readable, for each is looked at by itself; an empty one would mean the working directory."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        if not value:
            self.fail("the path is empty", param, ctx)
        return super().convert(value, param, ctx)


_PATH = _Path(readable=False)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="plugin-eval")
def cli() -> None:
    """Lint and score agent skills and plugins.

    Exit codes: 0 fine, 1 findings at the fail level or a score below the threshold, 2 wrong usage or nothing to look at, 3 could not
    measure, 4 our fault, 130 interrupted.
    """


def _shared(command: click.decorators.FC) -> click.decorators.FC:
    for option in (
        click.option("--isolated", is_flag=True, help="Ignore .plugin-eval.yaml."),
        click.option(
            "--config", "config_file", metavar="FILE", help="Read this configuration instead of .plugin-eval.yaml."
        ),
        click.option(
            "--exclude", multiple=True, metavar="GLOB", help="Leave out paths; also those named or passed by a hook."
        ),
    ):
        command = option(command)
    return command


@cli.command()
@click.argument("paths", nargs=-1, type=_PATH)
@click.option("--format", "output", type=click.Choice(_FORMATS), default="text", show_default=True)
@click.option("--fail-on", type=click.Choice(_LEVELS), help="Lowest severity that fails.  [default: warning]")
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
@_shared
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
    options = command.Options(
        output,
        fail_on,
        _words(select),
        _words(ignore),
        hook,
        exclude,
        config_file,
        isolated,
        merge,
        base,
        baseline,
        fix,
        diff,
    )
    if show_config:
        from plugin_eval_ci.commands import show_config as shower

        where = (stdin_filename,) if stdin_filename else paths or (".",)
        return shower.show(where, command.config_of_run(where, options), sys.stdout)
    if stdin_filename is not None:
        if paths:
            raise UsageError("--stdin-filename takes the place of PATHS: give one or the other")
        if other := next(
            (name for name, given in (("merge", merge), ("base", base), ("fix", fix), ("diff", diff)) if given), None
        ):
            raise UsageError(f"--stdin-filename and --{other} exclude each other")
        if not stdin_filename:
            raise UsageError("--stdin-filename is empty")
        if sys.stdin is None:
            raise UsageError("--stdin-filename: standard input is closed")
        return command.run_text(sys.stdin.buffer.read(), stdin_filename, options, sys.stdout)
    return command.run(paths or (".",), options, sys.stdout)


@cli.command()
@click.argument("path", type=_PATH)
@click.option("--depth", type=click.Choice(_DEPTHS), default="standard", show_default=True, help="Layers to run.")
@click.option("--output", type=click.Choice(["text", "markdown", "json"]), default="text", show_default=True)
@click.option("--threshold", type=click.FloatRange(0, 100), metavar="N", help="Exit 1 when the composite is below N.")
@_shared
def score(
    path: str,
    depth: str,
    output: str,
    threshold: float | None,
    exclude: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
) -> int:
    """Score the skill or plugin at PATH: composite, badge, dimensions, and what to change first."""
    from plugin_eval_ci.commands import score as command

    options = command.Options(depth, output, threshold, exclude, config_file, isolated)
    if threshold is not None and threshold != threshold:  # not a number is in no range, and click lets it pass
        raise UsageError("--threshold: nan is no number from 0 to 100")
    return command.run(path, options, sys.stdout)


@cli.command()
@click.argument("first", metavar="A", type=_PATH)
@click.argument("second", metavar="B", type=_PATH)
@click.option("--depth", type=click.Choice(_DEPTHS), default="quick", show_default=True, help="Layers to run.")
@click.option("--output", type=click.Choice(["text", "markdown", "json"]), default="text", show_default=True)
@_shared
def compare(
    first: str, second: str, depth: str, output: str, exclude: tuple[str, ...], config_file: str | None, isolated: bool
) -> int:
    """Compare two skills or two plugins, dimension by dimension."""
    from plugin_eval_ci.commands import compare as command

    return command.run(first, second, command.Options(depth, output, None, exclude, config_file, isolated), sys.stdout)


@cli.command()
@click.argument("base")
@click.argument("head", required=False)
@click.option("--output", type=click.Choice(["text", "markdown", "json"]), default="text", show_default=True)
@click.option(
    "--fail-on",
    type=click.Choice(_LEVELS),
    default="never",
    show_default=True,
    help="Lowest severity of a new finding that fails.",
)
@_shared
def diff(
    base: str,
    head: str | None,
    output: str,
    fail_on: str,
    exclude: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
) -> int:
    """Show what changed between BASE and HEAD (default: the working tree): lines, scores, findings, context cost, host needs."""
    from plugin_eval_ci.commands import diff as command

    return command.run(base, head, command.Options(output, fail_on, exclude, config_file, isolated), sys.stdout)


@cli.command("baseline")
@click.argument("paths", nargs=-1, type=_PATH)
@click.option(
    "--output", metavar="FILE", help="Where to write; else the configured file, or .plugin-eval-baseline.json."
)
@click.option("--reason", default="", metavar="TEXT", help="Why they are accepted; written into each new entry.")
@click.option("--expires", default="", metavar="YYYY-MM-DD", help="The last day on which the new entries hold.")
@click.option(
    "--update",
    is_flag=True,
    help="Drop the entries that are gone from a file that is there; keep the others as they are.",
)
@click.option(
    "--add", is_flag=True, help="With --update: also accept what is new, and with --expires renew what expired."
)
@click.option("--merge", multiple=True, metavar="FILE", help="Accept the findings of another tool's SARIF file too.")
@_shared
def accept(
    paths: tuple[str, ...],
    output: str | None,
    reason: str,
    expires: str,
    update: bool,
    add: bool,
    merge: tuple[str, ...],
    exclude: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
) -> int:
    """Accept the findings in PATHS for now: lint leaves them out and reports what is new."""
    from plugin_eval_ci.commands import baseline as command
    from plugin_eval_ci.commands import lint as linting

    shared = linting.Options("text", None, (), (), False, exclude, config_file, isolated, merge)
    return command.run(paths or (".",), command.Options(output, reason, expires, update, add, shared), sys.stdout)


@cli.command()
def rules() -> int:
    """List every rule with its severity."""
    from plugin_eval_ci.commands import rules as command

    return command.list_rules(sys.stdout)


@cli.command()
@click.argument("rule")
def explain(rule: str) -> int:
    """Say what RULE flags, why, and how to mend it."""
    from plugin_eval_ci.commands import rules as command

    return command.explain(rule, sys.stdout)


def _words(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word.strip().upper() for value in values for word in value.split(",") if word.strip())


def _as_path(word: str) -> str:
    """A hook passes names as they are: a folder ``-h`` at the root must not read as an option."""
    return f"./{word}" if word.startswith("-") and "/" in word and os.path.lexists(word) else word


def _complain(message: str) -> None:
    from plugin_eval_ci.report.escape import for_terminal

    _say(f"plugin-eval: {for_terminal(message)}")


def _say(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):  # nobody hears it: the exit code still counts
        print(text, file=sys.stderr)


def _usage(error: click.ClickException) -> None:
    from plugin_eval_ci.report.escape import for_terminal

    context = getattr(error, "ctx", None)
    if context is not None:
        _say(f"{context.get_usage()}\nTry '{context.command_path} -h' for help.\n")
    _say(f"Error: {for_terminal(error.format_message())}")


def _refused(given: list[str]) -> str:
    """Why nothing can be run at all; empty when it can."""
    if any("\0" in word for word in given):
        return "an argument holds a NUL character"
    try:
        os.getcwd()
    except OSError as error:
        return f"the working directory cannot be read: {error.strerror}"
    return ""


def run(arguments: list[str] | None = None) -> int:
    """Run one command; every failure ends as one of the exit codes."""
    try:
        given = [_as_path(word) for word in (sys.argv[1:] if arguments is None else arguments)]
        if refused := _refused(given):
            raise UsageError(refused)
        code = cli.main(args=given, prog_name="plugin-eval", standalone_mode=False)
        return int(code) if isinstance(code, int) else FINE
    except click.exceptions.Exit as done:
        return int(done.exit_code)
    except (click.exceptions.Abort, KeyboardInterrupt):
        _say("plugin-eval: interrupted")
        return INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.ctx.get_help() if error.ctx else "", file=sys.stderr)
        return USAGE
    except click.ClickException as error:
        _usage(error)
        return USAGE
    except UsageError as error:
        _complain(str(error))
        return USAGE
    except MeasurementError as error:
        _complain(str(error))
        return UNMEASURED
    except BrokenPipeError:
        # The reader (head, less) went away: nothing is wrong, and the interpreter must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return FINE
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
            return _our_fault(error)
        _complain(f"the output cannot be written: {error.strerror}")
        return USAGE
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("plugin_eval_ci"):
            raise
        _say(f"plugin-eval: the package {error.name} is missing: install with `pip install .`, or try `make demo`")
        return USAGE
    except Exception as error:
        return _our_fault(error)


def _our_fault(error: Exception) -> int:
    if os.environ.get("PLUGIN_EVAL_DEBUG"):
        raise error
    _complain(f"internal error, our fault (PLUGIN_EVAL_DEBUG=1 shows more): {type(error).__name__}: {str(error)[:200]}")
    return OUR_FAULT


def main() -> NoReturn:
    """The console script."""
    # What is parsed lives until the end, so collecting garbage early only costs time; memory stays bounded by the input.
    gc.set_threshold(50_000, 20, 100)
    for stream in (sys.stdout, sys.stderr):
        # File names may hold bytes that are no text, and a Windows console may not know a letter: print something, never fail.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if sys.stdout is None:  # closed by the caller
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    code = run()
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except OSError as error:
        _complain(f"the output cannot be written: {error.strerror}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        code = USAGE
    _leave(code)


def _leave(code: int) -> NoReturn:
    """End the process at once: taking apart what was parsed, object by object, would cost a hook several milliseconds."""
    with contextlib.suppress(OSError):  # nobody reads it
        sys.stderr.flush()
    os._exit(code)
