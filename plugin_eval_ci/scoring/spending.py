"""What calls cost: prices, what was used by model, and a cap that is held before a call is sent. Money is in US dollars.

A price that is not known stays unknown, all the way to the sum: a cost is a number or None, and None is never shown as nothing.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple


class Usage(NamedTuple):
    """Tokens as the service counts them; ``input_tokens`` are those not read from or written to its cache."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_write_tokens: int = 0
    cache_read_tokens: int = 0

    @property
    def total_input(self) -> int:
        """Everything that was read."""
        return self.input_tokens + self.cache_write_tokens + self.cache_read_tokens

    @property
    def total(self) -> int:
        """Read and written."""
        return self.total_input + self.output_tokens


_MILLION = 1_000_000


class Rate(NamedTuple):
    """Dollars a million tokens."""

    input: float
    output: float


class Price(NamedTuple):
    """``long``: the rates of a prompt of more than ``long_from`` tokens. Writing to and reading from the cache cost these shares of
    the input rate."""

    rate: Rate
    long: Rate | None = None
    long_from: int = 0
    cache_write: float = 1.25
    cache_read: float = 0.1

    def cost(self, usage: Usage) -> float:
        """What these tokens of one request cost."""
        rate = self.long if self.long is not None and usage.total_input > self.long_from else self.rate
        read = (
            usage.input_tokens + usage.cache_write_tokens * self.cache_write + usage.cache_read_tokens * self.cache_read
        )
        return (read * rate.input + usage.output_tokens * rate.output) / _MILLION


class ModelSpend(NamedTuple):
    """What one model was used for. ``calls`` were sent, ``recorded`` answers were taken from a file; ``cost`` None: unknown price."""

    model: str
    calls: int
    recorded: int
    usage: Usage
    cost: float | None


class Spending(NamedTuple):
    """All models, by name. ``recorded`` answers cost nothing now."""

    models: tuple[ModelSpend, ...] = ()

    @property
    def calls(self) -> int:
        """How many were sent."""
        return sum(one.calls for one in self.models)

    @property
    def recorded(self) -> int:
        """How many answers came from a file."""
        return sum(one.recorded for one in self.models)

    @property
    def tokens(self) -> int:
        """Read and written, paid now."""
        return sum(one.usage.total for one in self.models)

    @property
    def cost(self) -> float | None:
        """Dollars; None when a call was sent to a model whose price is not known."""
        return total(one.cost for one in self.models)


class Estimate(NamedTuple):
    """What is still to be paid for. ``tokens`` read, estimated from characters; ``cost`` likely, ``at_most`` if every answer is as long
    as it may be; None: a price is not known."""

    cells: int = 0
    tokens: int = 0
    cost: float | None = 0.0
    at_most: float | None = 0.0
    models: tuple[str, ...] = ()


def batch_price(price: Price | None) -> Price | None:
    """What a batch costs."""
    if price is None:
        return None
    half = [None if rate is None else Rate(rate.input / 2, rate.output / 2) for rate in (price.rate, price.long)]
    return price._replace(rate=half[0] or price.rate, long=half[1])


def total(costs: Iterable[float | None]) -> float | None:
    """The sum; None as soon as one of them is not known."""
    known = list(costs)
    return None if any(cost is None for cost in known) else math.fsum(cost for cost in known if cost is not None)


def worst(tokens: int, price: Price, room: int) -> float:
    """The most that one call can cost: twice the estimated prompt (an estimate may be low), written to the cache, and ``room`` tokens
    of answer."""
    return price.cost(Usage(0, room, 2 * tokens))


def dollars(cost: float | None) -> str:
    """As people read it: ``$0.04``, ``less than $0.01``, ``unknown``."""
    if cost is None:
        return "unknown"
    if 0 < cost < 0.01:
        return "less than $0.01"
    return f"${cost:,.2f}"
