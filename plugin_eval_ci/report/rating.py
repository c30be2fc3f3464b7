"""A rating in words, for every format that people read. Not escaped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from plugin_eval_ci.report.document import Json, rounded
from plugin_eval_ci.scoring.dimensions import round_score
from plugin_eval_ci.scoring.report import ScoreReport

if TYPE_CHECKING:
    from plugin_eval_ci.scoring.model_results import PairResult, Rating


def rating_object(rating: Rating | None) -> Json | None:
    """A rating with what it is made of."""
    if rating is None:
        return None
    return {
        "elo": rating.elo,
        "low": rounded(rating.low, 2),
        "high": rounded(rating.high, 2),
        "percentile": round_score(rating.percentile),
        "wins": rating.wins,
        "ties": rating.ties,
        "losses": rating.losses,
        "tasks": rating.tasks,
        "position": round(rating.position, 2),
        "consistent": rounded(rating.consistent),
        "references": [
            {"path": one.name, "elo": round(one.rating, 2), "wins": one.wins, "ties": one.ties, "losses": one.losses}
            for one in rating.references
        ],
        "caveats": list(rating.caveats),
    }


def paired_object(paired: PairResult | None) -> Json | None:
    """Two skills on the same tasks."""
    if paired is None:
        return None
    return {
        "share": round_score(paired.share),
        "low": rounded(paired.interval and paired.interval.low),
        "high": rounded(paired.interval and paired.interval.high),
        "wins": paired.wins,
        "ties": paired.ties,
        "losses": paired.losses,
        "tasks": paired.tasks,
        "consistent": rounded(paired.consistent),
        "caveats": list(paired.caveats),
    }


def rating_lines(report: ScoreReport) -> Iterator[str]:
    """The rating with its references and caveats, or why it is missing."""
    if report.unrated:
        yield f"not rated: {report.unrated}"
    rating = report.rating
    if rating is None:
        return
    yield f"Elo {rating.elo:.0f} ({_span(rating)}), better than {rating.percentile:.0f} % of {len(rating.references)} references"
    yield (
        f"won {rating.wins}, tied {rating.ties}, lost {rating.losses} comparisons on {rating.tasks} tasks"
        + _consistency(rating.consistent)
    )
    yield f"coming first was worth {rating.position:+.0f} points; the rating corrects for it"
    for one in rating.references:
        yield f"{one.rating:.0f}  {one.name}"
    for caveat in rating.caveats:
        yield f"caveat: {caveat}"


def paired_lines(paired: PairResult | None, unpaired: str) -> Iterator[str]:
    """Two skills on the same tasks."""
    if unpaired:
        yield f"not compared on tasks: {unpaired}"
    if paired is None:
        return
    span = (
        ""
        if paired.interval is None
        else f" (95 %: {paired.interval.low * 100:.0f} to {paired.interval.high * 100:.0f} %)"
    )
    yield f"A wins {paired.share * 100:.0f} % of comparisons{span}, ties count half: " + (
        "A is better" if paired.better > 0 else "B is better" if paired.better < 0 else "the difference may be chance"
    )
    yield f"A won {paired.wins}, tied {paired.ties}, lost {paired.losses} on {paired.tasks} tasks{_consistency(paired.consistent)}"
    for caveat in paired.caveats:
        yield f"caveat: {caveat}"


def _span(rating: Rating) -> str:
    low = "open" if rating.low is None else f"{rating.low:.0f}"
    return f"95 %: {low} to {'open' if rating.high is None else f'{rating.high:.0f}'}"


def _consistency(consistent: float | None) -> str:
    return (
        "" if consistent is None else f"; {consistent * 100:.0f} % of verdicts stayed the same with the order swapped"
    )
