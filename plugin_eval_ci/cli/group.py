"""The command line: every way in which a run can end becomes an exit code, never a traceback."""

import contextlib
import errno
import gc
import io
import os
import sys
from importlib import import_module
from typing import NoReturn

import click

from plugin_eval_ci import __version__
from plugin_eval_ci.errors import DoneError, MeasurementError, UsageError
from plugin_eval_ci.util import faults

COMMANDS = {  # by name, in the order of the help: (module of this package, name in it)
    "lint": ("lint", "lint"),
    "score": ("score", "score"),
    "certify": ("score", "certify"),
    "init": ("score", "init"),
    "compare": ("score", "compare"),
    "agreement": ("labels", "agreement"),
    "triggers": ("labels", "triggers"),
    "label": ("labels", "label"),
    "calibrate": ("labels", "calibrate"),
    "traces": ("labels", "traces"),
    "diff": ("diff", "diff"),
    "gate": ("gate", "gate"),
    "report": ("report", "report"),
    "merge-reports": ("report", "merge"),
    "comment": ("diff", "comment"),
    "baseline": ("lint", "accept"),
    "rules": ("lint", "rules"),
    "explain": ("lint", "explain"),
}
ALIASES = {"merge": "merge-reports"}  # older names, not listed


class Commands(click.Group):
    """A group whose commands are in ``COMMANDS``, each loaded by its name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every name, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; None if none exists."""
        cmd_name = ALIASES.get(cmd_name, cmd_name)
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name]
        command = getattr(import_module(f"plugin_eval_ci.cli.{module}"), name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names. An unknown one fails with the nearest name."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            from plugin_eval_ci.config import did_you_mean

            hint = did_you_mean(args[0], COMMANDS)
            ctx.fail(f"unknown command {args[0][:60]!r}" + (f" ({hint})" if hint else ""))
        return super().resolve_command(ctx, args)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "--version", "-V", prog_name="plugin-eval")
def cli() -> None:
    """Lint and score agent skills and plugins.

    Exit codes: 0 success, 1 findings at the fail level or a score below the threshold, 2 wrong usage or nothing to lint,
    3 not measured, 4 internal error, 130 interrupted.
    """


FINE, FINDINGS, USAGE, UNMEASURED, INTERNAL_ERROR, INTERRUPTED = 0, 1, 2, 3, 4, 130


def _complain(message: str) -> None:
    from plugin_eval_ci.report.escape import for_terminal

    _say(f"plugin-eval: {for_terminal(message)}")


def _say(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):  # nobody can read it, but the exit code still counts
        print(text, file=sys.stderr)


def _usage(error: click.ClickException) -> None:
    from plugin_eval_ci.report.escape import for_terminal

    context = getattr(error, "ctx", None)
    if context is not None:
        _say(f"{context.get_usage()}\nTry '{context.command_path} -h' for help.\n")
    _say(f"Error: {for_terminal(error.format_message())}")


def _refusal(given: list[str]) -> str:
    """Why no command can be run; empty if one can."""
    if any("\0" in word for word in given):
        return "an argument contains a NUL character"
    try:
        os.getcwd()
    except OSError as error:
        return f"the working directory cannot be read: {error.strerror}"
    return ""


def run(arguments: list[str] | None = None) -> int:
    """Run one command. Every failure becomes an exit code, and so does an internal error that cost only one answer."""
    faults.forget()
    code = _run(arguments)
    for line in faults.lines():
        _complain(line)
    return INTERNAL_ERROR if faults.noted() and code != INTERRUPTED else code


def _run(arguments: list[str] | None) -> int:
    try:
        given = list(sys.argv[1:] if arguments is None else arguments)
        if refused := _refusal(given):
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
    except DoneError as done:
        _complain(str(done))
        return FINE
    except BrokenPipeError:
        # The reader (head, less) went away. That is no error, and the interpreter must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return FINE
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
            return _internal_error(error)
        _complain(f"the output cannot be written: {error.strerror}")
        return USAGE
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("plugin_eval_ci"):
            raise
        _say(f"plugin-eval: the package {error.name} is not installed; run `pip install .`, or try `make demo`")
        return USAGE
    except Exception as error:
        return _internal_error(error)


def _internal_error(error: Exception) -> int:
    if os.environ.get("PLUGIN_EVAL_DEBUG"):
        raise error
    _complain(f"internal error (set PLUGIN_EVAL_DEBUG=1 for details): {type(error).__name__}: {str(error)[:200]}")
    return INTERNAL_ERROR


def main() -> NoReturn:
    """The console script."""
    # What is parsed lives until the end, so collecting garbage early only costs time; memory stays bounded by the input.
    gc.set_threshold(200_000, 20, 100)
    for stream in (sys.stdout, sys.stderr):
        # A file name may hold bytes that are not text, and a Windows console may lack a letter: print something, never fail.
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
    """End the process at once. Freeing what was parsed, object by object, would cost a hook several milliseconds."""
    with contextlib.suppress(OSError):  # nobody can read it
        sys.stderr.flush()
    os._exit(code)
