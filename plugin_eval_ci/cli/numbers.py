"""Numbers on the command line. Not among the options of every command: a lint takes none."""

import click


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
