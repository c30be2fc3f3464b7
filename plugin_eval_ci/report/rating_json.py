"""Ratings and pairs as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plugin_eval_ci.dimensions import rounded

if TYPE_CHECKING:
    from plugin_eval_ci.measure.rating import Paired, Rating

Json = dict[str, object]


def rating_object(rating: Rating | None) -> Json | None:
    """A rating with what it is made of."""
    if rating is None:
        return None
    return {
        "elo": rating.elo,
        "low": _number(rating.low),
        "high": _number(rating.high),
        "percentile": rounded(rating.percentile),
        "wins": rating.wins,
        "ties": rating.ties,
        "losses": rating.losses,
        "tasks": rating.tasks,
        "position": round(rating.position, 2),
        "consistent": None if rating.consistent is None else rounded(rating.consistent),
        "references": [
            {"path": one.name, "elo": round(one.rating, 2), "wins": one.wins, "ties": one.ties, "losses": one.losses}
            for one in rating.references
        ],
        "caveats": list(rating.caveats),
    }


def paired_object(paired: Paired | None) -> Json | None:
    """Two skills on the same tasks."""
    if paired is None:
        return None
    return {
        "share": rounded(paired.share),
        "low": None if paired.interval is None else rounded(paired.interval.low),
        "high": None if paired.interval is None else rounded(paired.interval.high),
        "wins": paired.wins,
        "ties": paired.ties,
        "losses": paired.losses,
        "tasks": paired.tasks,
        "consistent": None if paired.consistent is None else rounded(paired.consistent),
        "caveats": list(paired.caveats),
    }


def _number(value: float | None) -> float | None:
    return None if value is None else round(value, 2)
