"""What is done at depth measured, and about how many calls it takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.measure.measurement import Measurement, Unmeasured
from plugin_eval_ci.model import Skill
from plugin_eval_ci.trials import panel
from plugin_eval_ci.trials.controls import MOST_MUTATED, control_skill
from plugin_eval_ci.trials.labels import read_all
from plugin_eval_ci.trials.tasks import DRAFTED, read_tasks
from plugin_eval_ci.trials.triggering import NAMED
from plugin_eval_ci.trials.values import Settings

TURNS = 1.5  # of a trial, about
GRADED = 2  # calls of the grader for a pair that no check decides

Judged = Measurement | Unmeasured


class Plan(NamedTuple):
    """What is done. ``day`` (YYYY-MM-DD) stands in labels that are drafted. ``judged``: a judge's result that comes from elsewhere."""

    settings: Settings = Settings()
    help: bool = True
    controls: bool = True
    day: str = ""
    judged: Judged | None = None
    samples: int = panel.SAMPLES  # of each question from each model of the panel


def calls_of(measured: Sequence[Skill], prompts: int, plan: Plan) -> int:
    """About how many calls are to come once there are labels. Raises ``UsageError`` for a damaged task file.

    How many turns a trial takes, and which pairs checks decide, is only known afterwards.
    """
    runs, turns = plan.settings.runs, TURNS if plan.settings.mode == "agentic" else 1
    trials = turns * runs * prompts
    beside = 0
    if plan.controls:
        known = (control_skill("good"), control_skill("hollow"))
        tried = sum(len(labels.prompts) for labels in read_all(known[:1], {}).labels)
        trials += turns * (2 * tried + len(measured) * (NAMED + MOST_MUTATED))
        beside += sum(_judging(one, plan) + _helping(one, 1, plan) for one in known)
    return round(trials) + beside + sum(_judging(one, plan) + _helping(one, runs, plan) for one in measured)


def _judging(skill: Skill, plan: Plan) -> int:
    return 0 if plan.judged is not None else panel.calls_of(skill, samples=plan.samples)


def _helping(skill: Skill, runs: int, plan: Plan) -> int:
    """Each task with the skill and without, and both answers compared in both orders."""
    if not plan.help:
        return 0
    try:
        tasks = read_tasks(skill)
    except UsageError:
        return 0  # its help is not tried
    drafts, many = (1, DRAFTED) if tasks is None else (0, len(tasks.tasks))
    return drafts + (2 + GRADED) * many * runs
