"""Numbers on the command line. Not among the options of every command: a lint takes none."""

import click


class Number(click.FloatRange):
    """A number in a range. NaN is in none, and infinity is no amount; click lets both pass."""

    def convert(self, value: float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = super().convert(value, param, ctx)
        if not abs(number) < float("inf"):
            self.fail(f"{number} is no number of that range", param, ctx)
        return number


POINTS = Number(0, 100)
AMOUNT = Number(0, min_open=True)
