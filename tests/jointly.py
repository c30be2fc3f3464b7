"""An interval of a statistic of drawn sources, in one step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from plugin_eval_ci.stats import Interval, Source, draws, ends


def joint(
    sources: Sequence[Source[str]],
    statistic: Callable[[Mapping[str, float]], float],
    seed: int,
    resamples: int = 2_000,
) -> Interval | None:
    """None where nothing varies."""
    drawn = draws(sources, seed, resamples)
    return None if drawn is None else ends(drawn, statistic)
