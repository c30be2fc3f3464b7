"""What trials came to, as plain data for the reports: of one skill, and of the skills that stood in one list. Shares are in [0, 1]."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:  # a static score does not load the statistics
    from plugin_eval_ci.stats import Interval

NONE, OTHER = "none", "other"  # columns of a confusion matrix beside the skills
TOLD = 0.1  # the difference of which reports say what it would take to see it


class Span(NamedTuple):
    """A number with its 95 % interval; without ends it has none. ``name`` is its JSON key."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    method: str = ""


class PromptResult(NamedTuple):
    """A prompt and its usable ``runs``. ``positive``: the skill is right for it; ``hits``: runs that chose it (of a positive prompt, any
    that is right); ``others``: what else was chosen how often, ``none`` for no skill."""

    id: str
    text: str
    home: str
    expect: tuple[str, ...]
    kind: str
    positive: bool
    runs: int
    hits: int
    others: tuple[tuple[str, int], ...] = ()


class LabelSource(NamedTuple):
    """Where the prompts come from. ``drafted``: a model wrote them within this run, and no person has reviewed them."""

    file: str
    digest: str
    prompts: int
    reviewed: bool
    drafted: bool
    notes: tuple[str, ...] = ()


class ShownList(NamedTuple):
    """The list of skills that the model was shown. ``cut``: names whose description is cut, ``dropped``: who have none left."""

    skills: int
    siblings: int
    distractors: int
    orders: int
    digest: str
    cut: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()


class TriggerResult(NamedTuple):
    """Whether a skill is chosen when it should be. ``positives`` and ``negatives`` are prompts; ``usable``: share of the ``trials``;
    ``flaky``: share of prompts whose runs differ; ``lost``: who else had what share of the positive prompts.

    ``detectable``: the smallest drop in the share of right choices that a repeated run would notice with 80 % power;
    ``detectable_recall``: the same of the positive prompts alone; ``needed``: families of prompts that a drop of ``TOLD`` takes.
    """

    positives: int
    negatives: int
    clusters: int
    trials: int
    usable: float
    outcomes: tuple[tuple[str, int], ...]
    rates: tuple[Span, ...]
    flaky: float
    detectable: float | None
    prompts: tuple[PromptResult, ...]
    lost: tuple[tuple[str, float], ...] = ()
    detectable_recall: float | None = None
    thirds: tuple[Span, ...] = ()  # recall where the skill stood in the first, middle and last third of the list
    needed: int | None = None
    design_effect: float | None = None  # runs of one prompt that are worth one run of another

    def rate(self, name: str) -> Span | None:
        """The rate of that name, None if none exists."""
        return next((one for one in self.rates if one.name == name), None)


class Attempt(NamedTuple):
    """A task with and without the skill: the share of comparisons won with it (a tie is half), tokens that it took more, and how the
    grader put it."""

    id: str
    text: str
    share: float
    extra_tokens: float | None
    how: str = ""


class LiftDetails(NamedTuple):
    """Whether results are better with the skill. ``lift`` is the share of wins minus one half: 0 means no effect, 0.5 all wins.

    What a task takes more: ``extra_tokens`` and of these ``skill_tokens``, its text, are medians over tasks, ``extra_cost`` is the mean
    in dollars. ``needed``: tasks that a lift of ``TOLD`` takes to be seen."""

    wins: int
    ties: int
    losses: int
    lift: Span
    extra_tokens: float | None
    tasks: tuple[Attempt, ...]
    drafted: bool
    graders: tuple[str, ...]
    detectable: float | None = None
    notes: tuple[str, ...] = ()
    needed: int | None = None
    skill_tokens: float | None = None
    extra_cost: float | None = None


class ControlResult(NamedTuple):
    """What one kind of test made of a skill that is known to be good and of its empty twin, in [0, 1]; None: nothing, and ``why``."""

    test: str  # triggering, help or judge
    good: float | None
    hollow: float | None
    passed: bool
    why: str = ""


class SkillTrials(NamedTuple):
    """The trials of one skill. ``method`` is the digest of everything that results must share to be compared; ``untriggered`` and
    ``unhelped`` say why a part is missing."""

    skill: str
    method: str
    mode: str
    subjects: tuple[str, ...]
    runs: int
    turns: int
    seed: int
    labels: LabelSource | None
    shown: ShownList | None
    triggered: TriggerResult | None
    helped: LiftDetails | None
    untriggered: str = ""
    unhelped: str = ""
    controls: tuple[ControlResult, ...] = ()

    @property
    def drafted(self) -> bool:
        """Whether anything that was measured rests on prompts or tasks that no person has seen."""
        return (self.labels is not None and not self.labels.reviewed and self.triggered is not None) or (
            self.helped is not None and self.helped.drafted
        )


class ChoiceRow(NamedTuple):
    """What was chosen for the prompts of one skill (``none``: for those that no skill is right for): a cell for each column. Without
    cells, ``reason`` says why."""

    skill: str
    cells: tuple[Span, ...]
    prompts: int
    runs: int
    reason: str = ""


class Confusion(NamedTuple):
    """Who takes whose prompts. ``columns``: the skills, then ``other`` (another skill in the list), then ``none``.
    ``shown`` is the list that they stood in."""

    skills: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[ChoiceRow, ...]
    shown: ShownList | None = None

    def thefts(self) -> tuple[tuple[str, str, Span], ...]:
        """Taker, owner and share, the largest first; what went to no skill is not taken."""
        found = [
            (column, row.skill, cell)
            for row in self.rows
            for column, cell in zip(self.columns, row.cells, strict=False)
            if row.skill in self.skills and cell.value > 0 and column not in (row.skill, NONE)
        ]
        return tuple(sorted(found, key=lambda one: (-one[2].value, one[1], one[0])))


class Prediction(NamedTuple):
    """A message of the triggering test: whether the skill is for it, and whether the judge would choose the skill."""

    message: str
    intended: bool
    chosen: bool


class RatedTask(NamedTuple):
    """An imagined task and what the judge expects of its result."""

    task: str
    reason: str
    score: float


class Sample(NamedTuple):
    """One answer about one dimension. ``score`` None: it has no score, see ``why``."""

    score: float | None
    why: str = ""
    model: str = ""  # as the service named it, or who wrote the file
    reason: str = ""
    quotes: tuple[str, ...] = ()
    not_found: tuple[str, ...] = ()  # those of the quotes that the visible text does not hold
    predictions: tuple[Prediction, ...] = ()
    f1: float | None = None  # as the judge says it; ``score`` is computed from the predictions
    tasks: tuple[RatedTask, ...] = ()
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
    """A score as it would be without the judge's bias against ``labels`` human labels; shown with it, never in its place."""

    score: float
    low: float | None
    high: float | None
    labels: int
    method: str


class JudgedDimension(NamedTuple):
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
    dimensions: tuple[JudgedDimension, ...]
    panel: tuple[str, ...] = ()  # the tiers that were asked, ``judges`` times each


class NamedInterval(NamedTuple):
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
    intervals: tuple[NamedInterval, ...]
    prompts: tuple[PromptRuns, ...]
    models: tuple[str, ...]


class Details(NamedTuple):
    """``outcomes``: kind of outcome and number of calls. ``complete``: every call of the layer was really made or read from a record."""

    caveats: tuple[str, ...] = ()
    outcomes: tuple[tuple[str, int], ...] = ()
    complete: bool = True
    judge: JudgeDetails | None = None
    runs: RunDetails | None = None
    trials: SkillTrials | None = None
