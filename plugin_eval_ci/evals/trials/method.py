"""How a result came about, in named parts: results are compared only where all of them are the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import NamedTuple

from plugin_eval_ci.evals.trials.catalogue import LEAST_DISTRACTORS, TWIN, shelf
from plugin_eval_ci.evals.trials.triggering.profile import profile
from plugin_eval_ci.evals.trials.values import Settings

VERSION = 1  # of the loop, the choice of distractors and the drawing of orders: what no other part would show
_WORDS = {
    "version": "the way trials are made",
    "profile": "the prompts and tools shown to the model",
    "distractors": "the set of distractors",
    "mode": "the mode",
    "runs": "the runs of each prompt",
    "turns": "the turns of a trial",
    "catalogue": "the size of the list",
    "orders": "the number of list orders",
    "subject": "the model under test",
    "window": "the context window",
    "seed": "the seed",
}


class Method(NamedTuple):
    """``parts`` by name, sorted; ``digest`` of all of them."""

    digest: str
    parts: tuple[tuple[str, str], ...]


def method_of(
    settings: Settings,
    labels: Mapping[str, str] | None = None,
    models: Mapping[str, str] | None = None,
    wordings: Mapping[str, str] | None = None,
) -> Method:
    """The method of a run. ``labels``: their digests by skill; ``models``: the names behind roles such as ``subject`` and ``grader``;
    ``wordings``: versions of what else was said to models, by what it is for."""
    shown = profile()
    parts = {name: str(value) for name, value in settings._asdict().items()}
    parts |= {
        "version": str(VERSION),
        "profile": f"{shown.name} {shown.digest}",
        "distractors": f"{shelf().digest} {LEAST_DISTRACTORS} {TWIN:g}",
    }
    for kind, listed in (("labels", labels), ("model", models), ("wording", wordings)):
        parts |= {f"{kind}:{name}": value for name, value in (listed or {}).items()}
    named = tuple(sorted(parts.items()))
    return Method(hashlib.sha256(json.dumps(named).encode()).hexdigest()[:16], named)


def differences(one: Method, other: Method) -> tuple[str, ...]:
    """What two methods do not share, one sentence each; nothing where results may be compared."""
    mine, yours = dict(one.parts), dict(other.parts)
    return tuple(
        f"{_part_name(name)} differs: {mine.get(name, 'not set')} and {yours.get(name, 'not set')}"
        for name in sorted({*mine, *yours})
        if mine.get(name) != yours.get(name)
    )


def _part_name(name: str) -> str:
    kind, _, of = name.partition(":")
    said = {"labels": f"the labels of {of}", "model": f"the model for {of}", "wording": f"the wording for {of}"}
    return said.get(kind) or _WORDS.get(name, name)
