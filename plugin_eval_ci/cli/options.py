"""What several commands take: paths, levels, depths, and the options about the configuration."""

import os

import click

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


def shared(command: click.decorators.FC) -> click.decorators.FC:
    """The options about the configuration, which every command that looks at files has."""
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
