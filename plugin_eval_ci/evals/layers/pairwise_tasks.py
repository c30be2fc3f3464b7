"""Who does the same tasks better: tasks are written, done with each skill, and the answers compared, each pair both ways round.

Both skills of a pair bring as many tasks, so that neither plays at home more often.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from plugin_eval_ci.evals.llm.json_schema import object_schema
from plugin_eval_ci.evals.llm.prompt_templates import (
    fill_template,
    prompt_template,
    quote_block,
    quote_skill,
    version_of,
)
from plugin_eval_ci.evals.llm.request import Ask, Block, Failure, Outcome, Reply, Request, ask_all, failure_text
from plugin_eval_ci.stats import Duel

LAYER = "rating"
WORKER, JUDGE = "haiku", "sonnet"  # who judges has written none of what it compares
VERDICTS = {"first": 1.0, "second": 0.0, "tie": 0.5}
_LONGEST_ANSWER = 2_048  # tokens


class Contender(NamedTuple):
    """A skill that is compared. ``key`` names it in the result and is its alone."""

    key: str
    name: str
    description: str
    text: str  # of its whole SKILL.md


def tasks_request(contender: Contender, tasks: int) -> Request:
    """Ask for tasks that the skill is for. Only name and description are shown: tasks must not fit the wording of the body."""
    listed = f"name: {contender.name}\ndescription: {contender.description}"
    schema = object_schema(tasks={"type": "array", "items": {"type": "string"}, "minItems": tasks})
    system, user = prompt_template(LAYER, "writer_system"), fill_template(prompt_template(LAYER, "writer"), tasks=tasks)
    blocks = (Block(system), Block(quote_skill(listed)))
    return Request("rate:tasks", JUDGE, blocks, (Block(user),), 2_048, schema, "medium", version_of(system, user))


def work_request(contender: Contender, task: str) -> Request:
    """Do a task with a skill; the answer is text."""
    system = prompt_template(LAYER, "worker_system")
    blocks = (Block(system), Block(quote_skill(contender.text), cached=True))
    return Request("rate:work", WORKER, blocks, (Block(task),), _LONGEST_ANSWER, None, "low", version_of(system))


def compare_request(task: str, first: str, second: str) -> Request:
    """Compare two answers, the reason before the verdict."""
    schema = object_schema(reason={"type": "string"}, verdict={"type": "string", "enum": list(VERDICTS)})
    system, question = prompt_template(LAYER, "judge_system"), prompt_template(LAYER, "judge")
    shown = "\n".join(
        (
            quote_block("task", task),
            quote_block("answer_first", first),
            quote_block("answer_second", second),
            "",
            question,
        )
    )
    version = version_of(system, question)
    return Request("rate:compare", JUDGE, (Block(system, True),), (Block(shown),), 1_024, schema, "medium", version)


class Match(NamedTuple):
    """A task for the subject and one other; ``task`` is a key, ``text`` what is asked for."""

    other: Contender
    task: str
    text: str


class Comparisons(NamedTuple):
    """The comparisons that were made. ``missing``: how many more there should be, with the commonest reason in ``why``.

    ``own_judge``: a model compared what it had written itself.
    """

    duels: tuple[Duel, ...]
    missing: int
    why: str
    own_judge: bool = False


async def run_comparisons(subject: Contender, others: Sequence[Contender], ask: Ask, tasks: int) -> Comparisons:
    """Compare ``subject`` with each of ``others`` on ``tasks`` tasks of either. Raises what ``ask`` raises."""
    written = await ask_all(ask, ((tasks_request(one, tasks), 0) for one in (subject, *others)))
    matches = _matches(subject, others, [_tasks_in(outcome, tasks) for outcome in written])
    cells = {
        (one.key, match.task): work_request(one, match.text) for match in matches for one in (subject, match.other)
    }
    done = await ask_all(ask, number_requests(cells.values()))
    duels, verdicts = await _duels_and_outcomes(subject, matches, dict(zip(cells, done, strict=True)), ask)
    judges = {outcome.model for outcome in verdicts if isinstance(outcome, Reply)}
    workers = {outcome.model for outcome in done if isinstance(outcome, Reply)}
    planned = 4 * tasks * len(others)
    return Comparisons(tuple(duels), planned - len(duels), _why((*written, *done, *verdicts)), bool(judges & workers))


def order_consistency(duels: Sequence[Duel]) -> float | None:
    """The share of pairs compared both ways round whose two verdicts name the same winner, or tie twice; None without such a pair."""
    by_pair: dict[tuple[str, str, str], list[float]] = {}
    for first, second, outcome, task in duels:
        one, other = sorted((first, second))
        by_pair.setdefault((one, other, task), []).append(outcome if first == one else 1 - outcome)
    both = [verdicts for verdicts in by_pair.values() if len(verdicts) == 2]
    return sum(one == other for one, other in both) / len(both) if both else None


def _matches(subject: Contender, others: Sequence[Contender], texts: Sequence[Sequence[str]]) -> list[Match]:
    """Of a skill for which fewer tasks were written, as many of its opponent's."""
    return [
        Match(other, f"{home.key}#{number}", text)
        for other, own in zip(others, texts[1:], strict=True)
        for home, listed in ((subject, texts[0][: len(own)]), (other, own[: len(texts[0])]))
        for number, text in enumerate(listed, 1)
    ]


async def _duels_and_outcomes(
    subject: Contender, matches: Sequence[Match], works: dict[tuple[str, str], Outcome], ask: Ask
) -> tuple[list[Duel], list[Outcome]]:
    """Both ways round."""
    duels, shown = [], []
    for match in matches:
        ours, theirs = works[subject.key, match.task], works[match.other.key, match.task]
        if not isinstance(ours, Reply) or not isinstance(theirs, Reply):
            continue
        pair = ((subject.key, ours.text), (match.other.key, theirs.text))
        for (one, mine), (other, yours) in (pair, pair[::-1]):
            shown.append((Duel(one, other, 0.5, match.task), compare_request(match.text, mine, yours)))
    outcomes = await ask_all(ask, number_requests(request for _, request in shown))
    for (duel, _), outcome in zip(shown, outcomes, strict=True):
        if (verdict := _verdict_in(outcome)) is not None:
            duels.append(duel._replace(outcome=verdict))
    return duels, outcomes


def number_requests(requests: Iterable[Request]) -> list[tuple[Request, int]]:
    """Equal requests as samples 0, 1, 2 …: each is an observation of its own."""
    seen: list[Request] = []
    cells = []
    for request in requests:
        cells.append((request, seen.count(request)))
        seen.append(request)
    return cells


def _tasks_in(outcome: Outcome, tasks: int) -> list[str]:
    data = outcome.data if isinstance(outcome, Reply) else None
    listed = data.get("tasks") if data else None
    return [one for one in listed if isinstance(one, str) and one.strip()][:tasks] if isinstance(listed, list) else []


def _verdict_in(outcome: Outcome) -> float | None:
    data = outcome.data if isinstance(outcome, Reply) else None
    verdict = data.get("verdict") if data else None
    return VERDICTS.get(verdict) if isinstance(verdict, str) else None


def _why(outcomes: Sequence[Outcome]) -> str:
    reasons = [failure_text(outcome) for outcome in outcomes if isinstance(outcome, Failure)]
    return (
        max(sorted(set(reasons)), key=reasons.count)
        if reasons
        else "the model returned fewer tasks or verdicts than requested"
    )
