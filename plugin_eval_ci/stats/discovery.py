"""Many tests at once: of what is called a change, at most a share is none (Benjamini and Hochberg)."""

from __future__ import annotations

from collections.abc import Sequence


def adjusted(ps: Sequence[float]) -> tuple[float, ...]:
    """Each p as the smallest share of false discoveries at which it would be one, in the order given."""
    order = sorted(range(len(ps)), key=lambda place: ps[place], reverse=True)
    found = [1.0] * len(ps)
    least = 1.0
    for rank, place in enumerate(order):
        least = min(least, ps[place] * len(ps) / (len(ps) - rank))
        found[place] = least
    return tuple(found)
