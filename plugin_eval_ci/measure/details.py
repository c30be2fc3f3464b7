"""What a layer that asks a model says beside its numbers: answers, intervals, outcomes of calls, caveats. Scores are in [0, 1]."""

from __future__ import annotations

from math import fsum
from typing import Literal, NamedTuple

from plugin_eval_ci.measure.trialled import Trialled
from plugin_eval_ci.stats import Interval


class Prediction(NamedTuple):
    """A message of the triggering test: whether the skill is for it, and whether the judge would choose the skill."""

    message: str
    intended: bool
    chosen: bool


class Rated(NamedTuple):
    """An imagined task and what the judge expects of its result."""

    task: str
    reason: str
    score: float


class Sample(NamedTuple):
    """One answer about one dimension. ``score`` None: there is none, and ``why`` says so."""

    score: float | None
    why: str = ""
    model: str = ""  # as the service named it, or who wrote the file
    reason: str = ""
    quotes: tuple[str, ...] = ()
    not_found: tuple[str, ...] = ()  # those of the quotes that the visible text does not hold
    predictions: tuple[Prediction, ...] = ()
    f1: float | None = None  # as the judge says it; ``score`` is computed from the predictions
    tasks: tuple[Rated, ...] = ()
    asked: str = ""  # of a panel: the tier that was asked


class JudgeScores(NamedTuple):
    """One model of a panel: the scores that its samples gave, of ``asked``. ``mean`` None: it gave none."""

    model: str  # the tier that was asked
    scores: tuple[float, ...]
    asked: int

    @property
    def mean(self) -> float | None:
        """Of its scores."""
        return fsum(self.scores) / len(self.scores) if self.scores else None


class Correction(NamedTuple):
    """A score as it would be without the judge's bias against ``labels`` human labels; shown beside it, never in its place."""

    score: float
    low: float | None
    high: float | None
    labels: int
    method: str


class Judged(NamedTuple):
    """A dimension: the mean over the samples that have a score; ``deviation`` (of a sample) needs two. None: unmeasured, see ``why``.

    Of a panel it is the mean of its ``models``' means. ``majority``: the anchor that more than half of all that were asked gave.
    """

    name: str
    score: float | None
    samples: tuple[Sample, ...]
    why: str = ""
    low: float | None = None
    high: float | None = None
    deviation: float | None = None
    models: tuple[JudgeScores, ...] = ()
    majority: float | None = None
    corrected: Correction | None = None


class JudgeDetails(NamedTuple):
    """``source``: whether models were asked or a file was read. ``judges``: samples of each question."""

    source: Literal["model", "file"]
    rubrics: str
    judges: int
    dimensions: tuple[Judged, ...]
    panel: tuple[str, ...] = ()  # the tiers that were asked, ``judges`` times each


class Spanned(NamedTuple):
    """An interval of one of the rates or means, and whether it takes runs of one prompt for independent."""

    of: str
    interval: Interval
    assumes_independence: bool


class PromptRuns(NamedTuple):
    """A prompt and what its runs came to. ``quality``: mean over those with a reply."""

    prompt: str
    runs: int
    replied: int
    failed: int
    quality: float | None


class RunDetails(NamedTuple):
    """The Monte Carlo layer. ``wanted`` runs were to be made, ``runs`` were."""

    wanted: int
    runs: int
    seed: int
    activation_rate: float
    output_quality: float | None
    quality_cv: float | None
    failure_rate: float
    median_tokens: float
    token_efficiency: float
    intervals: tuple[Spanned, ...]
    prompts: tuple[PromptRuns, ...]
    models: tuple[str, ...]


class Details(NamedTuple):
    """``outcomes``: kind of outcome and number of calls. ``complete``: every call of the layer was really made or read from a record."""

    caveats: tuple[str, ...] = ()
    outcomes: tuple[tuple[str, int], ...] = ()
    complete: bool = True
    judge: JudgeDetails | None = None
    runs: RunDetails | None = None
    trials: Trialled | None = None
