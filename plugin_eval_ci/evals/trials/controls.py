"""Controls: a skill that is known to be good and its empty twin run together with the skills under test, and these run once more
without their description. A test that cannot tell the good control from the empty one measures nothing, whatever number it gives.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Sequence
from math import fsum
from typing import NamedTuple

from plugin_eval_ci.evals.llm.request import Ask
from plugin_eval_ci.evals.trials.catalogue import Catalogue, catalogue_of
from plugin_eval_ci.evals.trials.labels import read_all
from plugin_eval_ci.evals.trials.lift.run import run_lift
from plugin_eval_ci.evals.trials.lift.tasks import read_tasks
from plugin_eval_ci.evals.trials.triggering.run import run
from plugin_eval_ci.evals.trials.values import Prompt, Settings, Trial, Unmeasurable
from plugin_eval_ci.model import Skill
from plugin_eval_ci.parse.documents import Location, parse_skill
from plugin_eval_ci.scoring.layer_details import ControlResult
from plugin_eval_ci.scoring.measurement import Measurement, Unmeasured

LEAST = 0.2  # by which the good control has to be better, of 1
_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "controls")
_SKILL = "dock-labels"
MOST_MUTATED = 8  # prompts that a skill is tried with once more

Judge = Callable[[Skill], Awaitable[Measurement | Unmeasured]]


class Control(NamedTuple):
    """One kind of test on both controls: values in [0, 1], None where nothing came of it, and then ``why``."""

    test: str  # triggering, help or judge
    good: float | None
    hollow: float | None
    why: str = ""

    @property
    def passed(self) -> bool:
        """Whether the test told the two apart."""
        return self.good is not None and self.hollow is not None and round(self.good - self.hollow, 9) >= LEAST

    @property
    def shown(self) -> ControlResult:
        """The result for reports."""
        return ControlResult(self.test, self.good, self.hollow, self.passed, self.why)

    @property
    def said(self) -> str:
        """The result as a sentence."""
        if self.good is None or self.hollow is None:
            return f"the controls of {self.test} could not be run ({self.why})"
        found = f"a good control got {self.good:.2f}, an empty one {self.hollow:.2f}"
        return f"{self.test}: {found}" + ("" if self.passed else f"; a difference of at least {LEAST:g} is needed")


class Mutation(NamedTuple):
    """How often a skill fires with its description and with one that says nothing: ``own`` and ``mutated`` in [0, 1], None where
    nothing came of it."""

    skill: str
    own: float | None
    mutated: float | None

    @property
    def carries(self) -> bool | None:
        """Whether what was taken away made a difference."""
        return None if self.own is None or self.mutated is None else round(self.own - self.mutated, 9) > 0

    @property
    def said(self) -> str:
        """The finding as a sentence; empty if none exists."""
        if self.own is None or self.mutated is None or self.carries:
            return ""
        share = f"{self.mutated:.0%} and {self.own:.0%}"
        return (
            f"it fires as often with a meaningless description ({share}): its name is enough, or the test is too easy"
        )


async def triggering_control(settings: Settings, ask: Ask) -> Control:
    """Both controls with the same prompts, once each: hits less false alarms. Raises what ``ask`` raises."""
    once = settings._replace(runs=1)
    values: list[float | None] = []
    prompts = _prompts()
    for skill in (control_skill("good"), control_skill("hollow")):
        values.append(_hits_less_false_alarms(await run(catalogue_of((skill,), {}, once), prompts, once, ask)))
    why = "" if None not in values else "too many of their trials gave no usable answer"
    return Control("triggering", values[0], values[1], why)


async def help_control(settings: Settings, ask: Ask) -> Control:
    """Both controls with the same tasks, once each: share of wins against no skill. Raises what ``ask`` raises."""
    good, hollow = control_skill("good"), control_skill("hollow")
    tasks = read_tasks(good)
    assert tasks is not None
    results = [await run_lift(skill, tasks, ask, settings._replace(runs=1)) for skill in (good, hollow)]
    why = next((one.reason for one in results if isinstance(one, Unmeasurable)), "")
    first, second = (None if isinstance(one, Unmeasurable) else one.share for one in results)
    return Control("help", first, second, why)


async def judge_control(judge: Judge) -> Control:
    """The judges' score of both controls. Raises what ``judge`` raises."""
    results = [await judge(control_skill(name)) for name in ("good", "hollow")]
    why = next((one.reason for one in results if isinstance(one, Unmeasured)), "")
    first, second = (one.score if isinstance(one, Measurement) else None for one in results)
    return Control("judge", first, second, why)


async def without_description(
    catalogue: Catalogue, skill: str, own: float | None, prompts: Sequence[Prompt], settings: Settings, ask: Ask
) -> Mutation:
    """Some of the prompts that a skill is for, once each, with a description that says nothing. ``own``: its recall as it is."""
    empty = control_skill("hollow").description
    entries = tuple(one._replace(text=empty) if one.name == skill else one for one in catalogue.entries)
    meant = sorted(
        (one for one in prompts if one.expect == (skill,) and one.kind != "explicit"), key=lambda one: one.id
    )
    once = settings._replace(runs=1)
    made = await run(catalogue._replace(entries=entries), meant[:MOST_MUTATED], once, ask)
    usable = [skill in trial.chosen for trial in made if trial.usable]
    return Mutation(skill, own, sum(usable) / len(usable) if usable else None)


def control_skill(name: str) -> Skill:
    """The control ``good`` or ``hollow``."""
    file = os.path.join(_FOLDER, name, _SKILL, "SKILL.md")
    return parse_skill(Location(file, f"controls/{name}/{_SKILL}/SKILL.md", os.path.join(_FOLDER, name), None))


def _prompts() -> tuple[Prompt, ...]:
    found = read_all((control_skill("good"),), {})
    return tuple(prompt for labels in found.labels for prompt in labels.prompts)


def _hits_less_false_alarms(trials: Sequence[Trial]) -> float | None:
    """Share of the prompts it is for that it fires on, less the share of the others; None when either has too few usable trials."""
    shares = []
    for wanted in (True, False):
        made = [trial for trial in trials if bool(trial.prompt.expect) is wanted]
        usable = [bool(trial.chosen) and _SKILL in trial.chosen for trial in made if trial.usable]
        if not usable or 2 * len(usable) < len(made):
            return None
        shares.append(fsum(usable) / len(usable))
    return max(0.0, shares[0] - shares[1])
