"""Trials of help: each task is done with the skill and without it, several times, and the two answers are compared.

The skill is given as a coding agent gives a loaded one: the body of SKILL.md in the user's turn, without the header. It has no tools:
files that come with it are named and cannot be opened, and nothing is run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.evals.layers.pairwise_tasks import number_requests
from plugin_eval_ci.evals.llm.prompt_templates import escape_borders, fill_template, prompt_template, version_of
from plugin_eval_ci.evals.llm.request import Ask, Block, Failure, Outcome, Reply, Request, ask_all, failure_text
from plugin_eval_ci.evals.trials.lift.grading import Vote, by_checks, check_answer, grade_request, grader_of, vote_of
from plugin_eval_ci.evals.trials.lift.numbers import LiftResult, Pair, lift_of
from plugin_eval_ci.evals.trials.lift.tasks import Task, Tasks, draft_tasks, read_tasks
from plugin_eval_ci.evals.trials.values import Settings, Unmeasurable
from plugin_eval_ci.model import Skill

_LONGEST_ANSWER = 4_096  # tokens
_LIKELY_ANSWER = 900  # a guess, for estimates
_MOST_FILES = 50  # named beside the skill
_SETTINGS = Settings()


class TaskAnswers(NamedTuple):
    """A task and what became of its two answers."""

    task: Task
    run: int
    with_skill: Outcome
    without: Outcome


async def run_lift(skill: Skill, tasks: Tasks, ask: Ask, settings: Settings = _SETTINGS) -> LiftResult | Unmeasurable:
    """Do the tasks, ``settings.runs`` times each, and compare. Raises what ``ask`` raises."""
    cells = [(task, run) for task in tasks.tasks for run in range(settings.runs)]
    requests = [
        work_request(task, skill if loaded else None, settings.subject) for task, _ in cells for loaded in (True, False)
    ]
    outcomes = await ask_all(ask, number_requests(requests))
    done = [TaskAnswers(task, run, outcomes[2 * n], outcomes[2 * n + 1]) for n, (task, run) in enumerate(cells)]
    grader = grader_of(settings.subject, tasks.author)
    pairs, graded = await grade_pairs(done, grader, ask)
    return lift_of(skill, tasks, settings, grader, pairs, outcomes, graded)


async def measure_lift(skill: Skill, ask: Ask, settings: Settings = _SETTINGS) -> LiftResult | Unmeasurable:
    """The lift trials, with the tasks in the skill's folder, or with drafted ones if none exist. A damaged file leaves this
    skill unmeasured:
    nothing is drafted in its place."""
    try:
        tasks = read_tasks(skill) or await draft_tasks(skill, ask)
    except UsageError as error:
        return Unmeasurable(str(error))
    return tasks if isinstance(tasks, Unmeasurable) else await run_lift(skill, tasks, ask, settings)


def work_request(task: Task, skill: Skill | None, subject: str) -> Request:
    """Do a task, with a skill or without."""
    system, loaded, attached = (prompt_template("help", name) for name in ("worker_system", "loaded", "attached"))
    user = [Block(task.text + "".join(fill_template(attached, path=path, text=text) for path, text in task.files))]
    if skill is not None:
        user.insert(0, Block(loaded_text(skill), cached=True))
    version = version_of(system, attached, *([loaded, prompt_template("help", "beside")] if skill is not None else []))
    purpose = f"help:{'with' if skill is not None else 'without'}"
    request = Request(purpose, subject, (Block(system),), tuple(user), _LONGEST_ANSWER, None, "low", version)
    return request._replace(likely=_LIKELY_ANSWER)


def loaded_text(skill: Skill) -> str:
    """A skill as text of the conversation; it cannot end the block it stands in."""
    files = [*(f"references/{one}" for one in skill.reference_files), *(f"assets/{one}" for one in skill.asset_files)]
    beside = (
        fill_template(
            prompt_template("help", "beside"),
            files="\n".join(f"- {escape_borders(one)}" for one in files[:_MOST_FILES]),
        )
        if files
        else ""
    )
    name = " ".join(escape_borders(skill.name).split())[:64]
    return fill_template(
        prompt_template("help", "loaded"), name=name, text=escape_borders(skill.body.text.strip()), files=beside
    )


async def grade_pairs(done: Sequence[TaskAnswers], grader: str, ask: Ask) -> tuple[list[Pair], list[Outcome]]:
    """What each pair came to, and the outcomes of the calls that this took."""
    pairs = [_before_grading(one) for one in done]
    open_ = [(n, one) for n, (one, pair) in enumerate(zip(done, pairs, strict=True)) if pair.by == "grader"]
    requests = []
    for _, one in open_:
        ours, theirs = _text(one.with_skill), _text(one.without)
        requests += [grade_request(one.task, *shown, grader) for shown in ((ours, theirs), (theirs, ours))]
    outcomes = await ask_all(ask, number_requests(requests))
    for place, (n, one) in enumerate(open_):
        ours, theirs = _text(one.with_skill), _text(one.without)
        votes = vote_of(outcomes[2 * place], ours, theirs), vote_of(outcomes[2 * place + 1], theirs, ours)
        pairs[n] = combine_votes(pairs[n], votes)
    return pairs, outcomes


def combine_votes(pair: Pair, votes: tuple[Vote, Vote]) -> Pair:
    """One verdict of two: a win both ways round, or a win and a tie, is a win; a contradiction is a tie. Both votes must count."""
    lost = next((vote for vote in votes if vote.outcome is None), None)
    if lost is not None:
        return pair._replace(score=None, by="unusable", why=lost.why, reason=lost.reason, votes=votes)
    mean = ((votes[0].outcome or 0.0) + 1 - (votes[1].outcome or 0.0)) / 2
    score = 1.0 if mean > 0.5 else 0.0 if mean < 0.5 else 0.5
    return pair._replace(score=score, votes=votes, reason=votes[0].reason)


def _before_grading(one: TaskAnswers) -> Pair:
    """A pair as far as it is known without a grader: unusable, decided by checks, or open (``by`` is "grader")."""
    task, run, ours, theirs = one
    for outcome in (ours, theirs):
        if isinstance(outcome, Failure):
            return Pair(task.id, run, None, "unusable", outcome.kind, failure_text(outcome))
        if not outcome.text.strip():
            return Pair(task.id, run, None, "unusable", "malformed", "the answer is empty")
    assert isinstance(ours, Reply) and isinstance(theirs, Reply)
    checks = check_answer(task.checks, ours.text), check_answer(task.checks, theirs.text)
    score = by_checks(*checks)
    return Pair(
        task.id,
        run,
        score,
        "grader" if score is None else "checks",
        checks=checks if task.checks else None,
        tokens_with=ours.usage.total,
        tokens_without=theirs.usage.total,
        input_difference=ours.usage.total_input - theirs.usage.total_input,
    )


def _text(outcome: Outcome) -> str:
    return outcome.text if isinstance(outcome, Reply) else ""
