"""The models that are asked, by tier, with what they cost and accept: ``models.json``, dated. Only the road to a model reads it."""

import json
import os
import re
from functools import cache
from typing import NamedTuple

from plugin_eval_ci.scoring.spending import Price, Rate

_DATED = re.compile(r"-20[0-9]{6}\Z")  # a snapshot of a model ends in its date
_USUAL_MINIMUM = 1_024  # tokens, where the documents say nothing


class Model(NamedTuple):
    """What is known of a model by its name. ``price`` None: not known. ``cache_minimum``: tokens of a prefix worth sharing."""

    name: str
    price: Price | None = None
    structured: bool = True
    effort: bool = False
    thinks: bool = False
    cache_minimum: int = _USUAL_MINIMUM
    retired: str = ""  # the day


class Table(NamedTuple):
    """``date``: when prices and names were looked up."""

    date: str
    tiers: dict[str, str]
    models: dict[str, Model]
    retired: dict[str, str]

    def name_of(self, tier_or_name: str, chosen: tuple[tuple[str, str], ...] = ()) -> str:
        """The name to send: what was chosen for the tier or name, the tier's own model, or the name as it is."""
        return dict(chosen).get(tier_or_name) or self.tiers.get(tier_or_name, tier_or_name)

    def model(self, name: str, rates: tuple[tuple[str, Rate], ...] = ()) -> Model:
        """A model by its name or the name of a dated snapshot; ``rates`` take the place of the table's prices."""
        short = _DATED.sub("", name)
        found = self.models.get(short, Model(name))._replace(name=name, retired=self.retired.get(short, ""))
        own = dict(rates).get(name)
        return found if own is None else found._replace(price=Price(own))


@cache
def table() -> Table:
    """The table as shipped."""
    with open(os.path.join(os.path.dirname(__file__), "models.json"), encoding="utf-8") as stream:
        data = json.load(stream)
    models = {name: _model(name, facts) for name, facts in data["models"].items()}
    return Table(data["date"], dict(data["tiers"]), models, dict(data["retired"]))


def _model(name: str, facts: dict[str, object]) -> Model:
    long = facts.get("long")
    price = Price(
        Rate(_number(facts["input"]), _number(facts["output"])),
        cache_write=_number(facts["cache_write"]),
        cache_read=_number(facts["cache_read"]),
    )
    if isinstance(long, dict):
        rate = Rate(_number(long["input"]), _number(long["output"]))
        price = price._replace(long=rate, long_from=int(_number(long["from"])))
    minimum = facts["cache_minimum"]
    return Model(
        name,
        price,
        facts["structured"] is True,
        facts["effort"] is True,
        facts["thinks"] is True,
        _USUAL_MINIMUM if minimum is None else int(_number(minimum)),
    )


def _number(value: object) -> float:
    if not isinstance(value, int | float):
        raise TypeError(f"models.json: {value!r} is not a number")
    return float(value)
