"""Many tests at once: of what is called a change, at most a share is none (Benjamini and Hochberg; with weights, Genovese and others)."""

from __future__ import annotations

from collections.abc import Sequence


def adjusted(ps: Sequence[float], weights: Sequence[float] | None = None) -> tuple[float, ...]:
    """Each p as the smallest share of false discoveries at which it would be one, in the order given.

    ``weights``, positive and set before anything is seen, say where a change is looked for rather than elsewhere; only their ratios count.
    """
    given = [1.0] * len(ps) if weights is None else list(weights)
    mean = sum(given) / len(given) if given else 1.0
    shared = [min(1.0, p * mean / weight) for p, weight in zip(ps, given, strict=True)]
    order = sorted(range(len(ps)), key=lambda place: shared[place], reverse=True)
    found = [1.0] * len(ps)
    least = 1.0
    for rank, place in enumerate(order):
        least = min(least, shared[place] * len(ps) / (len(ps) - rank))
        found[place] = least
    return tuple(found)
