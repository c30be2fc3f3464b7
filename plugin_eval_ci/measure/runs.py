"""The documented numbers of the Monte Carlo layer from its runs: pure (section 7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import fsum
from statistics import median, pstdev
from typing import NamedTuple, TypeVar

from plugin_eval_ci import stats
from plugin_eval_ci.dimensions import clamped
from plugin_eval_ci.measure.details import PromptRuns, RunDetails, Spanned
from plugin_eval_ci.stats import Interval

_T = TypeVar("_T")
_ENOUGH = 500  # characters from which an answer counts as a whole one
_MOST_TOKENS = 8_000
_RESAMPLES = 1_000


class Run(NamedTuple):
    """One run that was made. ``characters`` of the reply; ``tokens`` read and written; ``error``: the kind of failure, empty without."""

    prompt: str
    characters: int = 0
    tokens: int = 0
    error: str = ""
    model: str = ""

    @property
    def replied(self) -> bool:
        """Whether there is a reply that is not empty: what the document calls activation."""
        return not self.error and self.characters > 0

    @property
    def quality(self) -> float:
        """The document's stand-in for quality: the length of the reply."""
        return min(1.0, self.characters / _ENOUGH)


def details_of(runs: Sequence[Run], wanted: int, seed: int) -> RunDetails:
    """Everything that is computed from runs. Raises ``ValueError`` when none ended without error: then there is nothing to compute."""
    answered = [run for run in runs if not run.error]
    if not answered:
        raise ValueError("no run ended without error")
    qualities = [run.quality for run in runs if run.replied]
    mean = fsum(qualities) / len(qualities) if qualities else None
    tokens = float(median(run.tokens for run in answered))
    return RunDetails(
        wanted,
        len(runs),
        seed,
        sum(run.replied for run in runs) / len(runs),
        mean,
        pstdev(qualities) / mean if mean else None,
        sum(bool(run.error) for run in runs) / len(runs),
        tokens,
        clamped(1 - tokens / _MOST_TOKENS),
        intervals(runs, seed) if stats.available() else (),
        tuple(_of_prompt(group) for group in grouped(runs)),
        tuple(name for name, _ in Counter(run.model for run in answered if run.model).most_common()),
    )


def layer_score(details: RunDetails) -> float:
    """0.40 activation + 0.30 consistency + 0.20 (1 - failures) + 0.10 token efficiency.

    Where no run has a reply, nothing can be consistent: that part is 0.
    """
    consistency = 0.0 if details.quality_cv is None else 1 - min(1.0, details.quality_cv)
    return clamped(
        fsum(
            (
                0.40 * details.activation_rate,
                0.30 * consistency,
                0.20 * (1 - details.failure_rate),
                0.10 * details.token_efficiency,
            )
        )
    )


def intervals(runs: Sequence[Run], seed: int) -> tuple[Spanned, ...]:
    """The documented intervals, and beside each the one that takes prompts as the units."""
    replied = sum(run.replied for run in runs)
    failed = sum(bool(run.error) for run in runs)
    qualities = _by_prompt((run.prompt, run.quality) for run in runs if run.replied)
    activation = _by_prompt((run.prompt, run.replied) for run in runs)
    failures = _by_prompt((run.prompt, bool(run.error)) for run in runs)
    every = [one for group in qualities.values() for one in group]
    return tuple(
        _spanned(
            ("activation_rate", stats.wilson(replied, len(runs)), True),
            ("activation_rate", stats.clustered_wilson(activation), False),
            ("output_quality", stats.bootstrap_mean(every, seed, _RESAMPLES), True),
            ("output_quality", stats.clustered_wilson(qualities), False),
            ("failure_rate", stats.clopper_pearson(failed, len(runs)), True),
            ("failure_rate", stats.clustered_wilson(failures), False),
        )
    )


def _by_prompt(values: Iterable[tuple[str, _T]]) -> dict[str, list[_T]]:
    groups: dict[str, list[_T]] = {}
    for prompt, value in values:
        groups.setdefault(prompt, []).append(value)
    return groups


def grouped(runs: Sequence[Run]) -> tuple[tuple[Run, ...], ...]:
    """The runs by prompt."""
    return tuple(tuple(group) for group in _by_prompt((run.prompt, run) for run in runs).values())


def _spanned(*rows: tuple[str, Interval | None, bool]) -> Iterable[Spanned]:
    return (Spanned(of, interval, independent) for of, interval, independent in rows if interval is not None)


def _of_prompt(group: Sequence[Run]) -> PromptRuns:
    qualities = [run.quality for run in group if run.replied]
    return PromptRuns(
        group[0].prompt,
        len(group),
        len(qualities),
        sum(bool(run.error) for run in group),
        fsum(qualities) / len(qualities) if qualities else None,
    )
