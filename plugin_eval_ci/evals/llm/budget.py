"""Keeping count while calls run: the cap, what was used by model, and what is still to be paid for."""

from __future__ import annotations

import json
import math
from typing import Literal, NamedTuple

from plugin_eval_ci.evals.llm.request import Json, Request
from plugin_eval_ci.scoring.spending import Estimate, ModelSpend, Price, Spending, Usage, total, worst

CHARACTERS_A_TOKEN = 3.5  # an estimate for English text and code; a tokenizer of today counts more rather than less


_OVERHEAD = 20  # tokens of roles and block borders in a request, estimated


def tokens_of(request: Request) -> int:
    """About how many tokens a request is, from its characters: an estimate, never a count."""
    characters = sum(len(block.text) for block in (*request.system, *request.user))
    characters += sum(len(tool.name) + len(tool.description) + len(_json(tool.schema)) for tool in request.tools)
    for turn in request.turns:
        characters += sum(len(_json(block)) for block in turn.said) + sum(len(text) for _, text in turn.results)
    return math.ceil(characters / CHARACTERS_A_TOKEN) + _OVERHEAD


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


_NOTHING = Usage()


class Budget:
    """A cap in dollars that is never passed: the most that a call can cost is set aside before it is sent.

    Once a call was refused all others are: going on with the cheap ones would leave a sample that is not random any more.
    """

    def __init__(self, cap: float | None) -> None:
        self.cap = cap
        self.spent = 0.0
        self._aside = 0.0
        self._open = 0
        self.closed = False

    def reserve(self, amount: float) -> Literal["yes", "wait", "no"]:
        """Set ``amount`` aside; "wait": there may be room when a call that is under way has been settled."""
        if self.cap is None:
            return "yes"
        if self.closed:
            return "no"
        if self.spent + self._aside + amount <= self.cap:
            self._aside += amount
            self._open += 1
            return "yes"
        if self._open:
            return "wait"
        self.closed = True
        return "no"

    def settle(self, amount: float, cost: float) -> None:
        """What was set aside has become ``cost``."""
        self.spent += cost
        if self.cap is not None:
            self._open -= 1
            self._aside = self._aside - amount if self._open else 0.0  # no rounding error is carried on


class Tally:
    """Calls, tokens and cost by model."""

    def __init__(self) -> None:
        self._models: dict[str, ModelSpend] = {}

    def paid(self, model: str, usage: Usage, price: Price | None) -> None:
        """A call that was sent, whatever became of it."""
        one = self._of(model)
        cost = None if price is None or one.cost is None else one.cost + price.cost(usage)
        self._models[model] = one._replace(calls=one.calls + 1, usage=add_usage(one.usage, usage), cost=cost)

    def recorded(self, model: str) -> None:
        """An answer that was there already."""
        one = self._of(model)
        self._models[model] = one._replace(recorded=one.recorded + 1)

    def spent(self) -> Spending:
        """The account so far."""
        return Spending(tuple(self._models[name] for name in sorted(self._models)))

    def _of(self, model: str) -> ModelSpend:
        return self._models.get(model, ModelSpend(model, 0, 0, _NOTHING, 0.0))


class _PendingCell(NamedTuple):
    """A cell without an answer: what is read for it, and how long the answer is likely and at most."""

    purpose: str
    model: str
    read: Usage
    likely: int
    room: int
    price: Price | None


class Forecast:
    """What is still to be paid for. A beginning that requests share is written to the service's cache once and read from then on. The
    length of an answer is the mean of those seen for the same purpose, else what the request
    calls likely, else the most it may be."""

    def __init__(self) -> None:
        self._cells: list[_PendingCell] = []
        self._shared: set[tuple[str, bytes]] = set()
        self._seen: dict[str, tuple[int, int]] = {}  # purpose -> answers, their tokens

    def answered(self, purpose: str, usage: Usage) -> None:
        """An answer that is known."""
        answers, tokens = self._seen.get(purpose, (0, 0))
        self._seen[purpose] = (answers + 1, tokens + usage.output_tokens)

    def missing(
        self, request: Request, model: str, room: int, price: Price | None, shared: tuple[bytes, int] | None = None
    ) -> None:
        """A cell that has no answer yet. ``shared``: a name for the beginning that is cached, and its tokens."""
        tokens = tokens_of(request)
        read = Usage(tokens)
        if shared is not None:
            name, part = (model, shared[0]), min(shared[1], tokens)
            first = name not in self._shared
            self._shared.add(name)
            read = Usage(tokens - part, 0, part if first else 0, 0 if first else part)
        likely = room if request.likely is None else min(request.likely, room)
        self._cells.append(_PendingCell(request.purpose, model, read, likely, room, price))

    def estimate(self) -> Estimate:
        """All of them."""
        likely, most = [], []
        for cell in self._cells:
            answers, seen = self._seen.get(cell.purpose, (0, 0))
            long = round(seen / answers if answers else cell.likely)
            price = cell.price
            likely.append(None if price is None else price.cost(cell.read._replace(output_tokens=long)))
            most.append(None if price is None else worst(cell.read.total, price, cell.room))
        models = tuple(sorted({cell.model for cell in self._cells}))
        tokens = sum(cell.read.total for cell in self._cells)
        return Estimate(len(self._cells), tokens, total(likely), total(most), models)


def add_usage(one: Usage, other: Usage) -> Usage:
    """The tokens of both."""
    return Usage(*(mine + yours for mine, yours in zip(one, other, strict=True)))


def amount_to_reserve(request: Request, price: Price | None, room: int) -> float:
    """What to set aside for a call; nothing where no price is known, which is only so without a cap."""
    return 0.0 if price is None else worst(tokens_of(request), price, room)
