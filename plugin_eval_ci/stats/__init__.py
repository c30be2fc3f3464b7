"""Intervals, agreement and ratings, as pure functions of plain sequences; scipy and numpy are loaded by those that need them, when called.

Runs of one prompt are not independent: fifty runs of fifteen prompts are fifteen facts and some repetition. The plain intervals are the
documented ones and too short where runs cluster; the clustered ones take the prompt as the unit. ``make stats`` measures by how much.
"""

from plugin_eval_ci.stats.agreement import Agreement, agreement, likeness, ordinal_alpha
from plugin_eval_ci.stats.bradley_terry import Duel, Fit, Standing, fit
from plugin_eval_ci.stats.hypothesis_tests import Betting, adjusted, decided
from plugin_eval_ci.stats.intervals import (
    INSTALL,
    LEVEL,
    Estimate,
    Interval,
    available,
    clopper_pearson,
    clustered_wilson,
    ratio,
    total,
    wilson,
)
from plugin_eval_ci.stats.power import detectable, difference_sd, needed
from plugin_eval_ci.stats.resampling import Draws, Source, bca, bootstrap_mean, draws, ends, median_of

__all__ = [
    "INSTALL",
    "LEVEL",
    "Agreement",
    "Betting",
    "Draws",
    "Duel",
    "Estimate",
    "Fit",
    "Interval",
    "Source",
    "Standing",
    "adjusted",
    "agreement",
    "available",
    "bca",
    "bootstrap_mean",
    "clopper_pearson",
    "clustered_wilson",
    "decided",
    "detectable",
    "difference_sd",
    "draws",
    "ends",
    "fit",
    "likeness",
    "median_of",
    "needed",
    "ordinal_alpha",
    "ratio",
    "total",
    "wilson",
]
