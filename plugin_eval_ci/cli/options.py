"""The parameters that several commands share: paths, levels, depths, formats, the configuration."""

import contextlib
import functools
import io
import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import cast

import click

from plugin_eval_ci.errors import UsageError, not_valid

GROUPS = {  # headings of a help text; every other option stands under Options
    "Model calls": (
        "judges",
        "concurrency",
        "deadline",
        "estimate",
        "max_cost",
        "replay",
        "cassette",
        "record",
        "batch",
        "wait",
        "shard",
        "seed",
    ),
    "Depth measured": ("runs", "mode", "subject", "no_help", "no_controls"),
    "Configuration": ("exclude", "config_file", "isolated"),
}


class Command(click.Command):
    """A command whose help lists its options by subject."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, each group below its heading."""
        for heading, options in option_groups(self.get_params(ctx)):
            with formatter.section(heading):
                formatter.write_dl([record for one in options if (record := one.get_help_record(ctx)) is not None])


def option_groups(params: Iterable[click.Parameter]) -> list[tuple[str, list[click.Option]]]:
    """The visible options below their headings. A command with only a few options of a group has them under Options."""
    options = [param for param in params if isinstance(param, click.Option) and not param.hidden]
    names = {option.name for option in options}
    headings = {
        name: heading
        for heading, group in GROUPS.items()
        if 4 * len(names & set(group)) > 3 * len(group)
        for name in group
    }
    found: dict[str, list[click.Option]] = {heading: [] for heading in ("Options", *GROUPS)}
    for option in options:
        found[headings.get(option.name or "", "Options")].append(option)
    return [(heading, listed) for heading, listed in found.items() if listed]


command = functools.partial(click.command, cls=Command)


class Choice(click.Choice[str]):
    """One of several words. A message about another word names the nearest one."""

    def get_invalid_choice_message(self, value: object, ctx: click.Context | None) -> str:
        """What is wrong, what was expected, and what may be meant."""
        from plugin_eval_ci.config import did_you_mean

        choices = tuple(self.choices)
        return not_valid("", str(value), ", ".join(choices), did_you_mean(str(value).lower(), choices))


class Number(click.FloatRange):
    """A finite number in a range. click alone lets NaN and infinity pass."""

    def convert(self, value: float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = super().convert(value, param, ctx)
        if not abs(number) < float("inf"):
            self.fail(f"{number} is not a finite number", param, ctx)
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
DEEPEST = (*DEPTHS, "measured")  # for commands that run trials
REPORTS = ("text", "markdown", "json")
SCORES = (*REPORTS, "html", "badge", "shields")


class _Path(click.Path):
    """A path. Whether it can be read is checked where it is read; an empty one would mean the working directory."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        if not value:
            self.fail("the path is empty", param, ctx)
        return super().convert(value, param, ctx)


PATH = _Path(readable=False)


def words(values: tuple[str, ...]) -> tuple[str, ...]:
    """The rule names in an option that may be repeated or hold several names separated by commas."""
    return tuple(word.strip().upper() for value in values for word in value.split(",") if word.strip())


_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def format_options(
    formats: tuple[str, ...],
    help_: str = "Output format.",
    default_for: Callable[[Mapping[str, object]], str | None] = lambda _: None,
) -> Callable[[click.decorators.FC], click.decorators.FC]:
    """``--format`` and ``--output FILE`` for a command. It gets the format; what it prints goes to the file.

    ``default_for`` gives a default that depends on other options, in place of the first of ``formats``.
    """

    def decorate(command: click.decorators.FC) -> click.decorators.FC:
        inner = cast("Callable[..., int]", command)

        @functools.wraps(inner)
        def wrapper(*args: object, typed_format: str | None, output_file: str | None, **kwargs: object) -> int:
            if typed_format is None and output_file is not None:
                if output_file in formats:  # `--output json`, as documented by older versions
                    typed_format, output_file = output_file, None
                else:
                    _refuse_unknown_format(output_file, formats)
            kwargs["format"] = typed_format or default_for(kwargs) or formats[0]
            if output_file is None or output_file == "-":
                return inner(*args, **kwargs)
            from plugin_eval_ci.commands.files import refuse_unwritable

            refuse_unwritable(output_file, "--output")
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                code = inner(*args, **kwargs)
            _write(output_file, printed.getvalue())
            return code

        to_file = click.option("--output", "-o", "output_file", metavar="FILE", help="Write the result to this file.")
        of_format = click.option(
            "--format",
            "typed_format",
            type=Choice(formats),
            help=f"{help_}  [default: {formats[0]}]",
        )
        return cast("click.decorators.FC", of_format(to_file(wrapper)))

    return decorate


def _refuse_unknown_format(word: str, formats: tuple[str, ...]) -> None:
    """Raise ``UsageError`` for a word that is more likely a mistyped format, as in ``--output pdf``, than a file."""
    if not _WORD.fullmatch(word) or os.path.lexists(word):
        return
    from plugin_eval_ci.config import did_you_mean

    expected = f"a file such as ./{word}, or one of the formats {', '.join(formats)}"
    raise UsageError(not_valid("--output", word, expected, did_you_mean(word.lower(), formats)))


def _write(file: str, text: str) -> None:
    try:
        with open(file, "w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
            stream.write(text)
    except OSError as error:
        raise UsageError(f"--output {file}: cannot be written: {error.strerror}") from None


def _silence(ctx: click.Context, param: click.Parameter, value: bool) -> bool:
    """Leave out the notes of the command that runs in ``ctx``."""
    if value:
        from plugin_eval_ci.commands.load_config import quietly

        ctx.with_resource(quietly(True))
    return value


def quiet_option(
    help_: str = "Print results and errors only, no notes.", expose: bool = False
) -> Callable[[click.decorators.FC], click.decorators.FC]:
    """``--quiet``, for every command that prints notes."""
    return click.option(
        "--quiet", "-q", is_flag=True, is_eager=True, expose_value=expose, callback=_silence, help=help_
    )


def config_options(command: click.decorators.FC) -> click.decorators.FC:
    """The options about the configuration, which every command has that reads skills."""
    for option in (
        click.option("--isolated", is_flag=True, help="Ignore all configuration files."),
        click.option(
            "--config", "config_file", metavar="FILE", help="Read this configuration instead of .plugin-eval.yaml."
        ),
        click.option(
            "--exclude",
            multiple=True,
            metavar="GLOB",
            help="Exclude matching paths, even those named on the command line.",
        ),
    ):
        command = option(command)
    return command
