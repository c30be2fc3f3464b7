"""Intervals, agreement and ratings, as pure functions of plain sequences; scipy and numpy are loaded by those that need them, when called.

Runs of one prompt are not independent: fifty runs of fifteen prompts are fifteen facts and some repetition. The plain intervals are the
documented ones and too short where runs cluster; the clustered ones take the prompt as the unit. ``make stats`` measures by how much.
"""

from plugin_eval_ci.stats.agreement import Agreement, agreement, icc_and_design_effect, ordinal_alpha
from plugin_eval_ci.stats.bradley_terry import Duel, Fit, Standing, fit
from plugin_eval_ci.stats.hypothesis_tests import (
    BettingState,
    benjamini_hochberg,
    clusters_needed,
    detectable,
    difference_sd,
    sequential_test,
)
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
from plugin_eval_ci.stats.resampling import Draws, Source, bca, bootstrap_mean, draws, ends, median_of

__all__ = [
    "INSTALL",
    "LEVEL",
    "Agreement",
    "BettingState",
    "Draws",
    "Duel",
    "Estimate",
    "Fit",
    "Interval",
    "Source",
    "Standing",
    "agreement",
    "available",
    "bca",
    "benjamini_hochberg",
    "bootstrap_mean",
    "clopper_pearson",
    "clustered_wilson",
    "clusters_needed",
    "detectable",
    "difference_sd",
    "draws",
    "ends",
    "fit",
    "icc_and_design_effect",
    "median_of",
    "ordinal_alpha",
    "ratio",
    "sequential_test",
    "total",
    "wilson",
]
