"""A skill among reference skills as a rating on the scale of Elo, and two skills against each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log10

from plugin_eval_ci.evals.layers.pairwise_tasks import LAYER, Comparisons, Contender, order_consistency, run_comparisons
from plugin_eval_ci.evals.llm.request import Ask
from plugin_eval_ci.scoring.measurement import Unmeasured
from plugin_eval_ci.scoring.model_results import PairResult, Rating
from plugin_eval_ci.stats import Duel, Standing, clustered_wilson, fit
from plugin_eval_ci.stats.bradley_terry import MEAN

TASKS, PAIR_TASKS = 2, 4  # that each skill brings, among references and against one other
FEW_TASKS = 8
MANY = 5  # references
MOST_FAILED = 0.25  # of the comparisons
_EXPERIMENTAL = (
    "experimental: one model did the tasks in one written answer without tools, and another model compared the answers"
)
_RELATIVE = "the rating is relative to these references: 1500 is their mean, and other references give another rating"


async def rate(
    subject: Contender, references: Sequence[Contender], ask: Ask, tasks: int = TASKS
) -> Rating | Unmeasured:
    """Rate ``subject`` among ``references``, whose order does not matter. Raises what ``ask`` raises."""
    others = sorted(one for one in references if one.key != subject.key)
    if not others:
        return Unmeasured(LAYER, "no reference skill to compare with")
    played = await run_comparisons(subject, others, ask, tasks)
    if (failed := _unmeasured(played)) is not None:
        return failed
    return rating_of(subject.key, [one.key for one in others], played)


async def pair(first: Contender, second: Contender, ask: Ask, tasks: int = PAIR_TASKS) -> PairResult | Unmeasured:
    """Compare two skills on ``tasks`` tasks of each. Raises what ``ask`` raises."""
    played = await run_comparisons(first, [second], ask, tasks)
    if (failed := _unmeasured(played)) is not None:
        return failed
    won: dict[str, list[float]] = {}
    for duel in played.duels:
        won.setdefault(duel.task, []).append(duel.outcome if duel.first == first.key else 1 - duel.outcome)
    outcomes = [outcome for listed in won.values() for outcome in listed]
    return PairResult(
        sum(outcomes) / len(outcomes),
        clustered_wilson(won),
        sum(outcome > 0.5 for outcome in outcomes),
        sum(outcome == 0.5 for outcome in outcomes),
        sum(outcome < 0.5 for outcome in outcomes),
        len(won),
        order_consistency(played.duels),
        (_EXPERIMENTAL, *_caveats(played, len(won))),
    )


def rating_of(subject: str, references: Sequence[str], played: Comparisons) -> Rating:
    """From comparisons, of which there is at least one, to a rating."""
    found = fit(played.duels, frozenset(references))
    own = found.of(subject)
    others = sorted((one for one in found.standings if one.name != subject), key=lambda one: (-one.rating, one.name))
    lower = sum(one.rating < own.rating for one in others) + sum(one.rating == own.rating for one in others) / 2
    absent = sorted(set(references) - {one.name for one in others})
    says = [_RELATIVE, *_caveats(played, found.tasks), *_one_sided(own)]
    if len(others) < MANY:
        says.append(
            f"{len(others)} reference{'s' if len(others) != 1 else ''}: with fewer than {MANY} the percentile means little"
        )
    if absent:
        says.append("not compared because calls failed: " + ", ".join(absent))
    return Rating(
        round(own.rating, 2),
        *_ends(own, played.duels),
        100 * lower / len(others),
        own.wins,
        own.ties,
        own.losses,
        tuple(others),
        found.tasks,
        found.position,
        order_consistency(played.duels),
        (_EXPERIMENTAL, *says),
    )


def _unmeasured(played: Comparisons) -> Unmeasured | None:
    planned = len(played.duels) + played.missing
    if played.missing > MOST_FAILED * planned:
        return Unmeasured(LAYER, f"{played.missing} of {planned} comparisons are missing: {played.why}")
    return None


def _all_one_way(own: Standing) -> bool:
    return not own.ties and not (own.wins and own.losses)


def _ends(own: Standing, duels: Sequence[Duel]) -> tuple[float | None, float | None]:
    """The interval. Who won or lost everything has one end only: the fit sees no spread there, and what it finds is the ridge's doing."""
    if not _all_one_way(own):
        return own.low, own.high
    won: dict[str, list[float]] = {}
    for duel in duels:
        won.setdefault(duel.task, []).append(float(bool(own.wins)))
    share = clustered_wilson(won)
    if share is None:
        return None, None
    odds = share.low / (1 - share.low) if own.wins else share.high / (1 - share.high)
    end = MEAN + 400 * log10(odds)
    return (end, None) if own.wins else (None, end)


def _one_sided(own: Standing) -> Iterable[str]:
    if _all_one_way(own):
        what, end = ("won", "lower") if own.wins else ("lost", "upper")
        yield f"it {what} every comparison: only the {end} end of the interval is known, and the rating is a guess beyond it"


def _caveats(played: Comparisons, tasks: int) -> Iterable[str]:
    if played.own_judge:
        yield "the model that compared the answers also wrote them, and models prefer their own text"
    if tasks < FEW_TASKS:
        yield f"{tasks} task{'s' if tasks != 1 else ''}: results from fewer than {FEW_TASKS} mean little"
    if played.missing:
        yield f"{played.missing} comparison{'s are' if played.missing != 1 else ' is'} missing: {played.why}"
