"""Depth ``measured``: the trials of the skills that are listed together, the panel that judges them, and the controls for both.

Skills of one list are tried together: what is right for one is wrong for the others, so their labels serve each other. Everything is
asked at once; what a control cannot tell apart is unmeasured, whatever number it gave.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import NamedTuple, TypeVar, cast

from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.evals.llm.request import Ask, Failure, run_together
from plugin_eval_ci.evals.trials import controls, panel
from plugin_eval_ci.evals.trials.catalogue import Catalogue, Names, catalogue_of, duplicate_names, names_in
from plugin_eval_ci.evals.trials.controls import MOST_MUTATED, Mutation, control_skill
from plugin_eval_ci.evals.trials.labels import read_all
from plugin_eval_ci.evals.trials.labels.drafts import CALLS, draft
from plugin_eval_ci.evals.trials.layer_values import NOT_WANTED, SkillInputs, layers_of
from plugin_eval_ci.evals.trials.lift.numbers import LiftResult
from plugin_eval_ci.evals.trials.lift.run import measure_lift
from plugin_eval_ci.evals.trials.lift.tasks import DRAFTED, read_tasks
from plugin_eval_ci.evals.trials.panel import panel_layer
from plugin_eval_ci.evals.trials.report_values import confusion_of
from plugin_eval_ci.evals.trials.triggering.run import NAMED, Control, run
from plugin_eval_ci.evals.trials.triggering.run import controls as named_controls
from plugin_eval_ci.evals.trials.values import Labels, Prompt, Settings, Trial, Unmeasurable
from plugin_eval_ci.model import Skill
from plugin_eval_ci.scoring.measurement import Measurement, Unmeasured
from plugin_eval_ci.scoring.model_results import ModelResults
from plugin_eval_ci.scoring.static.layer import unreadable

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
        beside += sum(_judge_calls(one, plan) + _lift_calls(one, 1, plan) for one in known)
    return round(trials) + beside + sum(_judge_calls(one, plan) + _lift_calls(one, runs, plan) for one in measured)


def _judge_calls(skill: Skill, plan: Plan) -> int:
    return 0 if plan.judged is not None else panel.calls_of(skill, samples=plan.samples)


def _lift_calls(skill: Skill, runs: int, plan: Plan) -> int:
    """Each task with the skill and without, and both answers compared in both orders."""
    if not plan.help:
        return 0
    try:
        tasks = read_tasks(skill)
    except UsageError:
        return 0  # its help is not tried
    drafts, many = (1, DRAFTED) if tasks is None else (0, len(tasks.tasks))
    return drafts + (2 + GRADED) * many * runs


MOST_BORROWED = 40  # prompts of siblings that a skill is tried with when it is not measured together with them

_A = TypeVar("_A")
_B = TypeVar("_B")
_C = TypeVar("_C")
_D = TypeVar("_D")
_E = TypeVar("_E")


class Field(NamedTuple):
    """The skills that are listed together, those of them that are ``measured``, and the names of plugins by directory (absolute)."""

    skills: tuple[Skill, ...]
    measured: tuple[Skill, ...]
    plugins: Mapping[str, str]


async def measure(
    field: Field, plan: Plan, ask: Ask, expect: Callable[[int], None] = lambda calls: None
) -> dict[str, ModelResults]:
    """By path of a measured skill, what its layers came to. ``expect`` hears how many calls are to come, as soon as that is known.

    Raises what ``ask`` raises.
    """
    field = field._replace(skills=tuple(skill for skill in field.skills if unreadable(skill) is None))
    catalogue = catalogue_of(field.skills, field.plugins, plan.settings)
    names = {skill.source.path: own for skill, own in names_in(field.skills, field.plugins)}
    measured = [skill for skill in field.measured if skill.source.path in names]
    plan = plan if measured else plan._replace(controls=False)  # nothing to hold beside them
    labels, missing = await _labels(field, catalogue, names, plan, ask, expect)
    owns = [own for skill in measured if (own := names[skill.source.path].own) in labels]
    prompts = _prompts(owns, labels)
    expect(calls_of(measured, len(prompts), plan))
    trials, named, helped, panels, passed = await _gather(
        run(catalogue, prompts, plan.settings, ask),
        _named_controls(catalogue, owns, prompts, plan, ask),
        run_together(_lift_results(skill, plan, ask) for skill in measured),
        run_together(_panel_results(skill, plan, ask) for skill in measured),
        _suite_controls(plan, ask),
    )
    help_by = {one.source.path: said for one, said in zip(measured, helped, strict=True)}
    judged_by = {one.source.path: said for one, said in zip(measured, panels, strict=True)}
    mutated = await _mutations(catalogue, owns, prompts, trials, plan, ask)
    answers = {}
    for skill in field.measured:
        path = skill.source.path
        own = names[path].own if path in names else skill.name
        found = SkillInputs(
            skill, own, catalogue, labels.get(own), missing.get(own, ""), trials, help_by.get(path), judged_by.get(path),
            named.get(own), mutated.get(own),
        )  # fmt: skip
        answers[path] = layers_of(found, plan.settings, passed)
    matrix = confusion_of(catalogue, trials)
    return {path: asked._replace(confusion=matrix) for path, asked in answers.items()}


async def _gather(
    first: Coroutine[object, object, _A],
    second: Coroutine[object, object, _B],
    third: Coroutine[object, object, _C],
    fourth: Coroutine[object, object, _D],
    fifth: Coroutine[object, object, _E],
) -> tuple[_A, _B, _C, _D, _E]:
    """Different things at once."""
    calls = cast("tuple[Coroutine[object, object, object], ...]", (first, second, third, fourth, fifth))
    return cast("tuple[_A, _B, _C, _D, _E]", tuple(await run_together(calls)))


async def _labels(
    field: Field, catalogue: Catalogue, names: Mapping[str, Names], plan: Plan, ask: Ask, expect: Callable[[int], None]
) -> tuple[dict[str, Labels], dict[str, str]]:
    """The labels of all skills by listed name, drafted for measured ones that have none; and why some have none."""
    found = read_all(field.skills, field.plugins)
    missing = {one.skill: one.said for one in found.broken} | duplicate_names(
        {path: own.own for path, own in names.items()}
    )
    labels = {one.skill: one for one in found.labels if one.skill not in missing}
    lacking = [
        (skill, own)
        for skill in field.measured
        if (own := names.get(skill.source.path)) is not None and own.own in found.without and own.own not in missing
    ]
    expect(CALLS * len(lacking))
    drafts = await run_together(
        draft(skill, own, catalogue.entries, catalogue.skills, ask, plan.day, plan.settings.seed)
        for skill, own in lacking
    )
    for (_, own), drafted in zip(lacking, drafts, strict=True):
        if isinstance(drafted, Failure):
            missing[own.own] = drafted.reason
        else:
            labels[own.own] = drafted
    return labels, missing


def _prompts(measured: Sequence[str], labels: Mapping[str, Labels]) -> tuple[Prompt, ...]:
    """Those of the measured skills, and some that are right for siblings, drawn by what they are called. None without the first."""
    own = [prompt for name in measured if name in labels for prompt in labels[name].prompts]
    others = [
        prompt
        for name, one in labels.items()
        if name not in measured
        for prompt in one.prompts
        if prompt.expect == (name,) and prompt.kind != "explicit"
    ]
    return (*own, *sorted(others, key=_draw)[:MOST_BORROWED]) if own else ()


def _draw(prompt: Prompt) -> str:
    return hashlib.sha256(f"{prompt.home}\0{prompt.id}".encode("utf-8", "surrogatepass")).hexdigest()


async def _named_controls(
    catalogue: Catalogue, owns: Sequence[str], prompts: Sequence[Prompt], plan: Plan, ask: Ask
) -> dict[str, Control]:
    """Whether each skill that has prompts is started when one names it."""
    tried = [own for own in owns if any(own in prompt.expect for prompt in prompts)] if plan.controls else []
    return {one.skill: one for one in await named_controls(catalogue, tried, plan.settings, ask)} if tried else {}


async def _lift_results(skill: Skill, plan: Plan, ask: Ask) -> LiftResult | Unmeasurable:
    if not plan.help:
        return Unmeasurable(NOT_WANTED)
    return await measure_lift(skill, ask, plan.settings)


async def _panel_results(skill: Skill, plan: Plan, ask: Ask) -> Judged:
    return plan.judged if plan.judged is not None else await panel_layer(skill, ask, samples=plan.samples)


async def _suite_controls(plan: Plan, ask: Ask) -> tuple[controls.Control, ...]:
    """The good and the empty control, once a run."""
    if not plan.controls:
        return ()
    wanted: list[Coroutine[object, object, controls.Control]] = [controls.triggering_control(plan.settings, ask)]
    if plan.help:
        wanted.append(controls.help_control(plan.settings, ask))
    if plan.judged is None:
        wanted.append(controls.judge_control(lambda skill: panel_layer(skill, ask, samples=plan.samples)))
    return tuple(await run_together(wanted))


async def _mutations(
    catalogue: Catalogue,
    owns: Sequence[str],
    prompts: Sequence[Prompt],
    trials: Sequence[Trial],
    plan: Plan,
    ask: Ask,
) -> dict[str, Mutation]:
    """Each skill once more without its description; one that never fires has nothing to lose by that."""
    if not plan.controls:
        return {}
    wanted = [(own, rate) for own in owns if (rate := _recall(trials, own)) is not None]
    made = await run_together(
        controls.without_description(catalogue, name, rate, prompts, plan.settings, ask) for name, rate in wanted
    )
    return {one.skill: one for one in made if one.own}


def _recall(trials: Sequence[Trial], name: str) -> float | None:
    usable = [name in one.chosen for one in trials if one.usable and one.prompt.expect == (name,)]
    return sum(usable) / len(usable) if usable else None
