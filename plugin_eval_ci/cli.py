"""The command line: click declares, something else does. Each command is a function that returns an exit code."""

from __future__ import annotations

import gc
import os
import sys
from typing import NoReturn

import click

from plugin_eval_ci import __version__
from plugin_eval_ci.errors import MeasurementError, UsageError

FINE, FINDINGS, USAGE, UNMEASURED, OUR_FAULT, INTERRUPTED = 0, 1, 2, 3, 4, 130
_LEVELS = ("error", "warning", "notice", "never")
_DEPTHS = ("quick", "standard", "deep", "thorough")


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
        click.option("--config", "config_file", metavar="FILE", help="Read this configuration instead of .plugin-eval.yaml."),
        click.option("--exclude", multiple=True, metavar="GLOB", help="Leave out paths; also those named or passed by a hook."),
    ):
        command = option(command)
    return command


@cli.command()
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--fail-on", type=click.Choice(_LEVELS), default="warning", show_default=True, help="Lowest severity that fails.")
@click.option("--select", multiple=True, metavar="RULE", help="Run only these rules (repeat, or separate by commas).")
@click.option("--ignore", multiple=True, metavar="RULE", help="Leave these rules out.")
@click.option("--hook", is_flag=True, help="For commit hooks: silent when clean; names that belong to no skill are skipped.")
@click.option("--stdin-filename", metavar="FILE", help="Lint standard input as if it were this file (for editors).")
@_shared
def lint(
    paths: tuple[str, ...],
    output: str,
    fail_on: str,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    hook: bool,
    stdin_filename: str | None,
    exclude: tuple[str, ...],
    config_file: str | None,
    isolated: bool,
) -> int:
    """Lint skills and agents in PATHS (default: the working directory).

    A path may be a SKILL.md, a skill, a plugin, a marketplace, a repository, or any file inside one.
    """
    from plugin_eval_ci.commands import lint as command

    options = command.Options(output, fail_on, _words(select), _words(ignore), hook, exclude, config_file, isolated)
    if stdin_filename is not None:
        if paths:
            raise UsageError("--stdin-filename takes the place of PATHS: give one or the other")
        return command.run_text(sys.stdin.buffer.read(), stdin_filename, options, sys.stdout)
    return command.run(paths or (".",), options, sys.stdout)


@cli.command()
@click.argument("path", type=click.Path())
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
    return command.run(path, options, sys.stdout)


@cli.command()
@click.argument("first", metavar="A", type=click.Path())
@click.argument("second", metavar="B", type=click.Path())
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


def run(arguments: list[str] | None = None) -> int:
    """Run one command; every failure ends as one of the exit codes."""
    try:
        code = cli.main(args=arguments, prog_name="plugin-eval", standalone_mode=False)
        return int(code) if isinstance(code, int) else FINE
    except click.exceptions.Exit as done:
        return int(done.exit_code)
    except (click.exceptions.Abort, KeyboardInterrupt):
        print("plugin-eval: interrupted", file=sys.stderr)
        return INTERRUPTED
    except click.ClickException as error:
        error.show(sys.stderr)
        return USAGE
    except UsageError as error:
        print(f"plugin-eval: {error}", file=sys.stderr)
        return USAGE
    except MeasurementError as error:
        print(f"plugin-eval: {error}", file=sys.stderr)
        return UNMEASURED
    except BrokenPipeError:
        # The reader (head, less) went away: nothing is wrong, and the interpreter must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return FINE
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("plugin_eval_ci"):
            raise
        print(f"plugin-eval: the package {error.name} is missing: install with `pip install .`, or try `make demo`", file=sys.stderr)
        return USAGE
    except Exception as error:
        if os.environ.get("PLUGIN_EVAL_DEBUG"):
            raise
        print(
            f"plugin-eval: internal error: {type(error).__name__}: {error}\n"
            "This is our fault. Run again with PLUGIN_EVAL_DEBUG=1 and report what it prints.",
            file=sys.stderr,
        )
        return OUR_FAULT


def main() -> NoReturn:
    """The console script."""
    # What is parsed lives until the end, so collecting garbage early only costs time; memory stays bounded by the input.
    gc.set_threshold(50_000, 20, 100)
    for stream in (sys.stdout, sys.stderr):
        # File names may hold bytes that are no text, and a Windows console may not know a letter: print something, never fail.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    code = run()
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.exit(code)
