"""THE table of the methodology: dimensions, weights, blends, sub-scores, badges, grades and depths, as data.

Nothing here computes more than a look-up. ``rounded`` comes before every threshold: 89.99999999999999 is 90.
"""

from __future__ import annotations

from typing import NamedTuple


class Blend(NamedTuple):
    """How much each layer says about a dimension; 0 where the layer gives no score."""

    static: float
    judge: float
    runs: float  # Monte Carlo at the documented depths, trials at ``measured``

    def of(self, layer: str) -> float:
        """The weight of a layer by its name."""
        return self.static if layer == "static" else self.judge if layer == "judge" else self.runs


class Dimension(NamedTuple):
    """One of the ten dimensions; ``at_measured`` replaces the blend at depth ``measured``."""

    name: str
    weight: float
    blend: Blend
    at_measured: Blend | None = None

    def blend_at(self, depth: str) -> Blend:
        """The blend that holds at a depth."""
        return self.at_measured if depth == "measured" and self.at_measured is not None else self.blend


DIMENSIONS = (
    Dimension("triggering_accuracy", 0.25, Blend(0.15, 0.25, 0.60)),
    Dimension("orchestration_fitness", 0.20, Blend(0.10, 0.70, 0.0)),
    Dimension("output_quality", 0.15, Blend(0.0, 0.40, 0.60)),
    Dimension("scope_calibration", 0.12, Blend(0.0, 0.55, 0.0)),
    Dimension("progressive_disclosure", 0.10, Blend(0.80, 0.0, 0.0)),
    Dimension("token_efficiency", 0.06, Blend(0.40, 0.0, 0.50)),
    Dimension("robustness", 0.05, Blend(0.0, 0.0, 0.80)),
    Dimension("structural_completeness", 0.03, Blend(0.90, 0.0, 0.0)),
    Dimension("code_template_quality", 0.02, Blend(0.0, 0.0, 0.0), Blend(0.30, 0.70, 0.0)),
    Dimension("ecosystem_coherence", 0.02, Blend(0.85, 0.0, 0.0)),
)


class SubScoreRow(NamedTuple):
    """A sub-score of the static layer: its weight there, and the dimension it feeds, if any."""

    name: str
    weight: float
    dimension: str | None


STATIC_SUB_SCORES = (
    SubScoreRow("frontmatter_quality", 0.32, "triggering_accuracy"),
    SubScoreRow("orchestration_wiring", 0.23, "orchestration_fitness"),
    SubScoreRow("progressive_disclosure", 0.14, "progressive_disclosure"),
    SubScoreRow("structural_completeness", 0.10, "structural_completeness"),
    SubScoreRow("token_efficiency", 0.09, "token_efficiency"),
    SubScoreRow("ecosystem_coherence", 0.06, "ecosystem_coherence"),
    SubScoreRow("harness_portability", 0.06, None),
)


class Depth(NamedTuple):
    """What a depth runs, and the label that names it."""

    name: str
    layers: tuple[str, ...]
    label: str
    runs: int | None = None


DEPTHS = (
    Depth("quick", ("static",), "Estimated"),
    Depth("standard", ("static", "judge"), "Assessed"),
    Depth("deep", ("static", "judge", "monte_carlo"), "Certified", 50),
    Depth("thorough", ("static", "judge", "monte_carlo"), "Certified+", 100),
    Depth("measured", ("static", "judge", "trials"), "Measured"),
)


class Layer(NamedTuple):
    """What a layer is called, and the first depth that runs it."""

    title: str
    depth: str


LAYERS = {
    "static": Layer("static", "quick"),
    "judge": Layer("judge", "standard"),
    "monte_carlo": Layer("Monte Carlo", "deep"),
    "trials": Layer("trials", "measured"),
}


class Badge(NamedTuple):
    """A badge: the least composite, the least rating where one is known, and its stars."""

    name: str
    score: float
    elo: float
    stars: str


BADGES = (
    Badge("platinum", 90, 1600, "★★★★★"),
    Badge("gold", 80, 1500, "★★★★"),
    Badge("silver", 70, 1400, "★★★"),
    Badge("bronze", 60, 1300, "★★"),
)
NO_BADGE = Badge("no_badge", 0, 0, "—")

GRADES = (
    ("A+", 97), ("A", 93), ("A-", 90), ("B+", 87), ("B", 83), ("B-", 80),
    ("C+", 77), ("C", 73), ("C-", 70), ("D+", 67), ("D", 63), ("D-", 60),
)  # fmt: skip

PENALTY_PER_FLAG = 0.05
LEAST_PENALTY = 0.5


def round_score(value: float) -> float:
    """To 1e-9, which every sum gets before it meets a threshold or leaves the program; never ``-0.0``."""
    return round(value, 9) + 0.0


def clamp(value: float) -> float:
    """To [0, 1], rounded."""
    return min(1.0, max(0.0, round_score(value)))


def badge_of(score: float | None, elo: float | None = None) -> Badge:
    """The badge of a composite on 0-100. The condition on the rating holds only where a rating is known."""
    if score is None:
        return NO_BADGE
    least = round_score(score)
    return next((badge for badge in BADGES if least >= badge.score and (elo is None or elo >= badge.elo)), NO_BADGE)


def badge_named(name: str) -> Badge:
    """The badge of that JSON name."""
    return next((badge for badge in BADGES if badge.name == name), NO_BADGE)


def grade_of(score: float) -> str:
    """The letter of a dimension's score on 0-100."""
    least = round_score(score)
    return next((letter for letter, floor in GRADES if least >= floor), "F")


def penalty_of(flags: int) -> float:
    """What the number of anti-pattern flags leaves of a score."""
    return max(LEAST_PENALTY, round_score(1 - PENALTY_PER_FLAG * flags))


def depth_named(name: str) -> Depth:
    """The depth of that name; ``KeyError`` for another word (the command line offers only these)."""
    for depth in DEPTHS:
        if depth.name == name:
            return depth
    raise KeyError(name)


def why_unmeasured(dimension: Dimension, depth: Depth) -> str:
    """In one line, why a dimension has no score at a depth."""
    blend = dimension.blend_at(depth.name)
    if not any(blend):
        return "only measured at depth measured"
    if any(blend.of(layer) for layer in depth.layers):
        return "no layer of this depth gave it a score"
    layer = "judge" if blend.judge else "monte_carlo"
    words = LAYERS[layer]
    return f"needs the {words.title} layer, depth {words.depth} or deeper"
