"""The numbers of the lift trials, computed from their pairs of answers. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import fsum
from statistics import median
from typing import Literal, NamedTuple

from plugin_eval_ci import stats
from plugin_eval_ci.evals.llm.models import table
from plugin_eval_ci.evals.llm.request import Outcome, Reply, count_outcomes, was_skipped
from plugin_eval_ci.evals.trials.lift.grading import UNSUPPORTED, CheckResult, Vote
from plugin_eval_ci.evals.trials.lift.tasks import FILE, Tasks
from plugin_eval_ci.evals.trials.values import LEAST_USABLE, Settings, Unmeasurable
from plugin_eval_ci.model import Skill
from plugin_eval_ci.scoring.spending import Usage
from plugin_eval_ci.stats import Estimate, Interval
from plugin_eval_ci.stats.hypothesis_tests import sign_test

Decider = Literal["checks", "grader", "unusable"]


class Pair(NamedTuple):
    """A task done once with the skill and once without. ``score`` of the answer with it: 1 better, ½ as good, 0 worse; None: unusable.

    ``votes``: of the grader, the answer with the skill shown first in the first of them. ``tokens``: read and written.
    """

    task: str
    run: int
    score: float | None
    by: Decider
    why: str = ""  # the kind of failure that makes it unusable
    reason: str = ""
    votes: tuple[Vote, ...] = ()
    checks: tuple[CheckResult, CheckResult] | None = None  # with, without
    tokens_with: int = 0
    tokens_without: int = 0
    input_difference: int = 0  # tokens of the skill's own text


class TaskHelp(NamedTuple):
    """The usable pairs of one task. ``share`` of wins, ties by half. Means: ``extra_tokens``, with the skill less without, and of these
    ``skill_tokens``, its text."""

    task: str
    share: float
    extra_tokens: float
    skill_tokens: float
    pairs: int
    text: str = ""  # of the task


class Tokens(NamedTuple):
    """What a task takes more with the skill: ``extra`` is the median over tasks, ``skill`` that of the skill's text being read, and
    ``cost`` the mean in dollars, None where a price is not known."""

    extra: float
    skill: float
    cost: float | None


class LiftResult(NamedTuple):
    """How much a skill helps. ``share``: of the pairs that the answer with the skill wins, ties by half; its 95 % interval has tasks as
    clusters. ``sign_p``: of the sign test over tasks. ``consistent``: share of the graded pairs with one verdict both ways round;
    ``first_share``: of the grader's decided votes that went to the answer shown first. ``unsupported``: votes whose quotes are not there.
    """

    skill: str
    share: float
    interval: Interval | None
    sign_p: float | None
    wins: int
    ties: int
    losses: int
    by_task: tuple[TaskHelp, ...]
    pairs: tuple[Pair, ...]
    tokens: Tokens
    consistent: float | None
    first_share: float | None
    unsupported: int
    by_checks: int
    subject: str
    grader: str
    author: str  # of the tasks; empty: people
    outcomes: tuple[tuple[str, int], ...]
    complete: bool
    caveats: tuple[str, ...]

    @property
    def lift(self) -> Estimate:
        """The share minus one half: 0 means no effect, 0.5 means better every time."""
        return Estimate(self.share, self.interval).scaled(1, -0.5)


FEW_TASKS = 8
VOTES = 2  # of a pair, one each way round: a score of a half is known better than a coin that fell
_ALWAYS = (
    "help is text only: the subject had no tools, scripts did not run, and the skill's other files were named but could not be opened",
    "one model family wrote and compared the answers, so shared blind spots go unnoticed",
)


def lift_of(
    skill: Skill,
    tasks: Tasks,
    settings: Settings,
    grader: str,
    pairs: Sequence[Pair],
    work: Sequence[Outcome],
    graded: Sequence[Outcome],
) -> LiftResult | Unmeasurable:
    """``work``: the answers, with and without the skill in turn, two for each pair; ``graded``: what the grader said."""
    outcomes = count_outcomes((*work, *graded))
    ordered = sorted(pairs, key=lambda pair: (pair.task, pair.run))
    scores = [(pair, pair.score) for pair in ordered if pair.score is not None]
    if len(scores) < LEAST_USABLE * len(ordered) or not scores:
        why = Counter(pair.why for pair in ordered if pair.score is None).most_common(1)
        most = f"; mostly {why[0][0].replace('_', ' ')}" if why else ""
        lost = len(ordered) - len(scores)
        return Unmeasurable(
            f"{lost} of {len(ordered)} comparisons with and without the skill are unusable{most}", outcomes
        )
    clusters: dict[str, list[float]] = {}
    for pair, score in scores:
        clusters.setdefault(pair.task, []).append(score)
    texts = {task.id: task.text for task in tasks.tasks}
    by_task = tuple(
        _of_task(task, [pair for pair, _ in scores if pair.task == task], texts.get(task, "")) for task in clusters
    )
    return LiftResult(
        skill.name,
        fsum(score for _, score in scores) / len(scores),
        stats.clustered_wilson(clusters, VOTES * len(scores)) if stats.available() else None,
        sign_test(sum(one.share > 0.5 for one in by_task), sum(one.share < 0.5 for one in by_task)),
        sum(score == 1 for _, score in scores),
        sum(score == 0.5 for _, score in scores),
        sum(score == 0 for _, score in scores),
        by_task,
        tuple(ordered),
        _tokens(by_task, work),
        _consistent(ordered),
        _first_share(ordered),
        sum(vote.why == UNSUPPORTED for pair in ordered for vote in pair.votes),
        sum(pair.by == "checks" for pair in ordered),
        settings.subject,
        grader,
        tasks.author,
        outcomes,
        not any(was_skipped(one) for one in (*work, *graded)),
        (*_ALWAYS, *_caveats(tasks, ordered, by_task, work, graded)),
    )


def _of_task(task: str, pairs: Sequence[Pair], text: str) -> TaskHelp:
    many = len(pairs)
    share = fsum(pair.score or 0.0 for pair in pairs) / many
    extra = fsum(pair.tokens_with - pair.tokens_without for pair in pairs) / many
    return TaskHelp(task, share, extra, fsum(pair.input_difference for pair in pairs) / many, many, text)


def _tokens(by_task: Sequence[TaskHelp], work: Sequence[Outcome]) -> Tokens:
    """Tasks are what is drawn again, so they are the unit here too, however many of their pairs are usable."""
    return Tokens(
        median(one.extra_tokens for one in by_task), median(one.skill_tokens for one in by_task), _more_dollars(work)
    )


def _more_dollars(work: Sequence[Outcome]) -> float | None:
    """What an answer with the skill costs more than one without, on average, as if nothing had been kept from an earlier request."""
    differences = []
    for ours, theirs in zip(work[::2], work[1::2], strict=True):
        if isinstance(ours, Reply) and isinstance(theirs, Reply):
            costs = _dollars(ours), _dollars(theirs)
            if costs[0] is None or costs[1] is None:
                return None
            differences.append(costs[0] - costs[1])
    return fsum(differences) / len(differences) if differences else None


def _dollars(reply: Reply) -> float | None:
    price = table().model(reply.model).price
    return None if price is None else price.cost(Usage(reply.usage.total_input, reply.usage.output_tokens))


def _consistent(pairs: Iterable[Pair]) -> float | None:
    both = [
        (pair.votes[0].outcome, 1 - pair.votes[1].outcome)
        for pair in pairs
        if len(pair.votes) == 2 and pair.votes[0].outcome is not None and pair.votes[1].outcome is not None
    ]
    return sum(one == other for one, other in both) / len(both) if both else None


def _first_share(pairs: Iterable[Pair]) -> float | None:
    decided = [vote.outcome for pair in pairs for vote in pair.votes if vote.outcome in (0.0, 1.0)]
    return sum(one == 1 for one in decided) / len(decided) if decided else None


def _caveats(
    tasks: Tasks, pairs: Sequence[Pair], by_task: Sequence[TaskHelp], work: Sequence[Outcome], graded: Sequence[Outcome]
) -> Iterable[str]:
    yield from tasks.notes
    if tasks.author:
        yield f"tasks drafted by {tasks.author}, not reviewed by a person; add {FILE} to the skill's folder to use your own"
    if len(by_task) < FEW_TASKS:
        yield f"{len(by_task)} task{'s' if len(by_task) != 1 else ''}: results from fewer than {FEW_TASKS} mean little"
    lost = sum(pair.score is None for pair in pairs)
    if lost:
        yield f"{lost} of {len(pairs)} comparisons are unusable and not counted"
    unsupported = sum(vote.why == UNSUPPORTED for pair in pairs for vote in pair.votes)
    if unsupported:
        yield f"{unsupported} verdict{'s' if unsupported != 1 else ''} of the grader quoted text in neither answer and were discarded"
    cut = sum(isinstance(one, Reply) and one.cut for one in work)
    if cut:
        yield f"{cut} of {len(work)} answers were cut off at their token limit and compared as they are"
    workers, graders = _models(work), _models(graded)
    if workers & graders:
        yield "the model that compared the answers also wrote them, and models prefer their own text"


def _models(outcomes: Iterable[Outcome]) -> set[str]:
    return {one.model for one in outcomes if isinstance(one, Reply) and one.model}
