"""What several commands take: paths, levels, depths, and the options about the configuration."""

import contextlib
import functools
import io
import os
from collections.abc import Callable
from typing import cast

import click

from plugin_eval_ci.errors import UsageError


class Number(click.FloatRange):
    """A number in a range. NaN is in none, and infinity is no amount; click lets both pass."""

    def convert(self, value: float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = super().convert(value, param, ctx)
        if not abs(number) < float("inf"):
            self.fail(f"{number} is not a number in that range", param, ctx)
        return number


POINTS = Number(0, 100)
AMOUNT = Number(0, min_open=True)


class Shard(click.ParamType[tuple[int, int]]):
    """``I/N``: the I-th of N parts, from 1."""

    name = "shard"

    def convert(
        self, value: str | tuple[int, int], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        first, slash, many = value.partition("/")
        if not (slash and first.isascii() and first.isdigit() and many.isascii() and many.isdigit()):
            self.fail(f"{value!r} is not valid (expected I/N, such as 1/4)", param, ctx)
        part = int(first[:9]), int(many[:9])
        if not 1 <= part[0] <= part[1] <= 1_000:
            self.fail(f"{value!r} is not valid (expected I/N with 1 ≤ I ≤ N ≤ 1000)", param, ctx)
        return part


LEVELS = ("error", "warning", "notice", "never")
DEPTHS = ("quick", "standard", "deep", "thorough")
DEEPEST = (*DEPTHS, "measured")  # of those commands that make trials
REPORTS = ("text", "markdown", "json")
SCORES = (*REPORTS, "html", "badge", "shields")


class _Path(click.Path):
    """A path that need not be readable, for each is looked at by itself; an empty one would mean the working directory."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        if not value:
            self.fail("the path is empty", param, ctx)
        return super().convert(value, param, ctx)


PATH = _Path(readable=False)


def words(values: tuple[str, ...]) -> tuple[str, ...]:
    """Rule names, of options that may be repeated or hold several with commas between."""
    return tuple(word.strip().upper() for value in values for word in value.split(",") if word.strip())


def formatted(
    formats: tuple[str, ...], help_: str = "Output format."
) -> Callable[[click.decorators.FC], click.decorators.FC]:
    """``--format`` and ``--output FILE`` for a command; the format reaches it as ``output``, and what it prints goes to the file."""

    def decorate(command: click.decorators.FC) -> click.decorators.FC:
        inner = cast("Callable[..., int]", command)

        @functools.wraps(inner)
        def wrapper(*args: object, output_format: str | None, output_file: str | None, **kwargs: object) -> int:
            if output_format is None and output_file in formats:  # `--output json`, as documented by older versions
                output_format, output_file = output_file, None
            kwargs["output"] = output_format or formats[0]
            if output_file is None:
                return inner(*args, **kwargs)
            from plugin_eval_ci.commands.files import refuse_unwritable

            refuse_unwritable(output_file, "--output")
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                code = inner(*args, **kwargs)
            _write(output_file, printed.getvalue())
            return code

        to_file = click.option(
            "--output",
            "-o",
            "output_file",
            metavar="FILE",
            help="Write the result to this file. A bare format name, as in --output json, means --format.",
        )
        of_format = click.option(
            "--format",
            "output_format",
            type=click.Choice(formats),
            help=f"{help_}  [default: {formats[0]}]",
        )
        return cast("click.decorators.FC", of_format(to_file(wrapper)))

    return decorate


def _write(file: str, text: str) -> None:
    try:
        with open(file, "w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
            stream.write(text)
    except OSError as error:
        raise UsageError(f"--output {file}: cannot be written: {error.strerror}") from None


def config_options(command: click.decorators.FC) -> click.decorators.FC:
    """The options about the configuration, which every command that looks at files has."""
    for option in (
        click.option("--isolated", is_flag=True, help="Ignore all configuration files."),
        click.option(
            "--config", "config_file", metavar="FILE", help="Read this configuration instead of .plugin-eval.yaml."
        ),
        click.option(
            "--exclude",
            multiple=True,
            metavar="GLOB",
            help="Exclude matching paths, also paths named on the command line.",
        ),
    ):
        command = option(command)
    return command
