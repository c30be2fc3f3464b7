"""What the layers that ask a model came to for one skill, whatever became of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci.scoring.dimensions import DEPTHS, DIMENSIONS, LAYERS, Depth, depth_named
from plugin_eval_ci.scoring.layer_details import Confusion
from plugin_eval_ci.scoring.measurement import Measurement, Unmeasured
from plugin_eval_ci.scoring.spending import Spending

if TYPE_CHECKING:  # it brings the statistics, which a static score does not load
    from plugin_eval_ci.stats import Draws, Interval, Standing


class Rating(NamedTuple):
    """``elo`` with its 95 % interval over tasks; None: that side is open. ``percentile``: of the references that rate lower, 0-100.

    ``position``: Elo points that being shown first was worth. ``consistent``: share of pairs with one verdict both ways round.
    """

    elo: float
    low: float | None
    high: float | None
    percentile: float
    wins: int
    ties: int
    losses: int
    references: tuple[Standing, ...]  # the best first
    tasks: int
    position: float
    consistent: float | None
    caveats: tuple[str, ...]


class PairResult(NamedTuple):
    """Two skills on the same tasks. ``share``: of the first one's wins, a tie being half; its 95 % interval is over tasks."""

    share: float
    interval: Interval | None
    wins: int
    ties: int
    losses: int
    tasks: int
    consistent: float | None
    caveats: tuple[str, ...]

    @property
    def better(self) -> int:
        """1 where the first is better than chance explains, -1 where the second is, 0 where nothing shows."""
        if self.interval is None:
            return 0
        return int(self.interval.low > 0.5) - int(self.interval.high < 0.5)


class ModelResults(NamedTuple):
    """``depth``: what was asked for. ``usage`` None: no model was asked. ``unrated``: why a rating that was
    asked for is not there. ``draws``: what the layers would have said of other prompts, tasks and answers, by layer and
    dimension."""

    depth: Depth
    layers: tuple[Measurement | Unmeasured, ...] = ()
    usage: Spending | None = None
    rating: Rating | None = None
    unrated: str = ""
    confusion: Confusion | None = None
    draws: Draws[tuple[str, str]] | None = None

    @property
    def elo(self) -> float | None:
        """The rating, where one is known."""
        return None if self.rating is None else self.rating.elo

    @property
    def measured(self) -> tuple[Measurement, ...]:
        """The layers with a result."""
        return tuple(layer for layer in self.layers if isinstance(layer, Measurement))

    @property
    def unmeasured(self) -> tuple[Unmeasured, ...]:
        """The layers without one."""
        return tuple(layer for layer in self.layers if isinstance(layer, Unmeasured))

    @property
    def complete(self) -> bool:
        """Whether every layer of the depth measured, with all of its calls, and the rating that was asked for is there."""
        return self.ran is self.depth and not self.unrated

    @property
    def ran(self) -> Depth:
        """The deepest depth of which every layer really ran: the one whose label the result may carry.

        The panel of depth measured is not the judge of the documented depths, so a part of it counts as none of these depths.
        """
        there = {"static", *(one.layer for one in self.measured if one.details is None or one.details.complete)}
        fit = [depth for depth in DEPTHS[: DEPTHS.index(self.depth) + 1] if set(depth.layers) <= there]
        runs = next((one.details.runs.wanted for one in self.measured if one.details and one.details.runs), None)
        fit = [depth for depth in fit if depth.runs is None or runs is None or depth.runs <= runs]
        if self.depth.name == "measured":
            fit = [depth for depth in fit if depth.name in ("quick", "measured")]
        return fit[-1] if fit else depth_named("quick")

    @property
    def label(self) -> str:
        """The label of what ran; what rests on prompts or tasks that no person has seen is Assessed at most."""
        drafted = any(one.details and one.details.trials and one.details.trials.drafted for one in self.measured)
        return depth_named("standard").label if drafted and self.ran.name == "measured" else self.ran.label


def nothing_measured(depth: str, reason: str) -> ModelResults:
    """All layers of a depth that ask a model, unmeasured for one reason."""
    wanted = depth_named(depth)
    return ModelResults(wanted, tuple(Unmeasured(layer, reason) for layer in wanted.layers if layer != "static"))


def dimensions_of(layers: Iterable[str], depth: str = "thorough") -> tuple[str, ...]:
    """The dimensions about which these layers could say something at a depth."""
    named = tuple(layers)
    return tuple(row.name for row in DIMENSIONS if any(row.blend_at(depth).of(layer) for layer in named))


def reasons_of(asked: ModelResults) -> Mapping[str, str]:
    """Why a dimension has no score from those layers, by dimension."""
    reasons: dict[str, str] = {}
    for row in DIMENSIONS:
        said = []
        for layer in asked.layers:
            title = LAYERS[layer.layer].title
            if isinstance(layer, Unmeasured) and row.blend_at(asked.depth.name).of(layer.layer):
                said.append(f"the {title} layer did not measure: {layer.reason}")
            elif isinstance(layer, Measurement) and (why := dict(layer.silent).get(row.name)):
                said.append(f"the {title} layer: {why}")
        if said:
            reasons[row.name] = "; ".join(dict.fromkeys(said))
    return reasons
