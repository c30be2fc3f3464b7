"""Controls: a test that cannot tell a good skill from its empty twin has to say so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from plugin_eval_ci.evals.llm.request import Call, Failure, Outcome, Reply, Request
from plugin_eval_ci.evals.trials import controls
from plugin_eval_ci.evals.trials.catalogue import catalogue_of
from plugin_eval_ci.evals.trials.controls import Control, Mutation
from plugin_eval_ci.evals.trials.values import Prompt, Settings
from plugin_eval_ci.scoring.measurement import Measurement, Unmeasured
from plugin_eval_ci.scoring.spending import Usage

SETTINGS = Settings()
MEANT = ("dock 12", "VD-03-B-K7", "load of mirrors", "VR-41-Q-K1")
USAGE = Usage(100, 10)


def reply(text: str = "fine", skill: str = "", data: object = None) -> Reply:
    calls = (Call("c1", "Skill", {"skill": skill}),) if skill else ()
    blocks = tuple({"type": "tool_use", "id": one.id, "name": one.name, "input": one.input} for one in calls)
    return Reply(text, data, USAGE, "model-x", 0.1, calls=calls, blocks=blocks)  # type: ignore[arg-type]


def shown(request: Request) -> str:
    return "".join(block.text for block in request.user)


def chooser(pick: Callable[[str], bool]) -> Callable[[Request, int], object]:
    async def ask(request: Request, sample: int) -> Outcome:
        return reply(skill="dock-labels") if pick(shown(request)) else reply()

    return ask


def run_trigger(pick: Callable[[str], bool]) -> Control:
    return asyncio.run(controls.triggering_control(SETTINGS, chooser(pick)))  # type: ignore[arg-type]


def test_a_subject_that_reads_descriptions_tells_them_apart():
    control = run_trigger(lambda text: "Velden warehouse" in text and any(word in text for word in MEANT))
    assert (control.good, control.hollow, control.passed) == (1.0, 0.0, True)
    assert "good control got 1.00" in control.said


@pytest.mark.parametrize("always", [True, False])
def test_one_that_always_or_never_fires_does_not(always):
    control = run_trigger(lambda text: always)
    assert (control.good, control.hollow, control.passed) == (0.0, 0.0, False)
    assert "is needed" in control.said


def test_one_that_goes_by_the_name_does_not():
    assert not run_trigger(lambda text: any(word in text for word in MEANT)).passed


def test_an_outage_is_no_result():
    async def down(request: Request, sample: int) -> Outcome:
        return Failure("infra_error", "down")

    control = asyncio.run(controls.triggering_control(SETTINGS, down))
    assert control.good is None and not control.passed and "could not be run" in control.said
    helped = asyncio.run(controls.help_control(SETTINGS, down))
    assert helped.good is None and not helped.passed and helped.why


def worker(grade: Callable[[str], str]) -> Callable[[Request, int], object]:
    """Knows the labels only with the good skill before its eyes; ``grade`` says who wins by the text that is graded."""

    async def ask(request: Request, sample: int) -> Outcome:
        text = shown(request)
        if request.purpose == "help:grade":
            verdict = grade(text)
            answer = text.partition(f"<answer_{verdict}")[2].partition(">")[2].partition("</answer")[0].strip()
            quotes = [] if verdict == "tie" else [{"answer": verdict, "text": answer}]
            return reply("{}", data={"reason": "so", "quotes": quotes, "verdict": verdict})
        return reply(
            "The label of this load is VD-12-G-K4 as asked."
            if "letter of the weekday" in text
            else "I cannot know that label here."
        )

    return ask


def by_label(text: str) -> str:
    first, second = (
        "VD-12" in text.partition(f"<answer_{one}")[2].partition("</answer")[0] for one in ("first", "second")
    )
    return "tie" if first == second else "first" if first else "second"


def test_a_grader_that_reads_tells_them_apart_and_one_that_shrugs_does_not():
    control = asyncio.run(controls.help_control(SETTINGS, worker(by_label)))  # type: ignore[arg-type]
    assert (control.good, control.hollow, control.passed) == (1.0, 0.5, True)
    shrug = asyncio.run(controls.help_control(SETTINGS, worker(lambda text: "tie")))  # type: ignore[arg-type]
    assert (shrug.good, shrug.hollow, shrug.passed) == (0.5, 0.5, False)


@pytest.mark.parametrize(
    ("good", "hollow", "passed"), [(0.8, 0.3, True), (0.8, 0.7, False), (0.4, 0.6, False), (0.6, 0.4, True)]
)
def test_judges_have_to_prefer_content(good, hollow, passed):
    async def judge(skill):
        return Measurement("judge", good if "Velden" in skill.description else hollow, (), ())

    assert asyncio.run(controls.judge_control(judge)).passed is passed


def test_judges_that_do_not_answer_pass_nothing():
    async def judge(skill):
        return Unmeasured("judge", "no key")

    control = asyncio.run(controls.judge_control(judge))
    assert not control.passed and "no key" in control.said


def test_the_controls_differ_in_what_is_tested_and_in_nothing_else():
    good, hollow = controls.control_skill("good"), controls.control_skill("hollow")
    assert good.name == hollow.name == "dock-labels"
    assert good.header.problem is None and hollow.header.problem is None
    assert "Velden" in good.body.text or "VD-" in good.body.text
    assert "VD-" not in hollow.body.text + hollow.description


def test_a_skill_without_its_description():
    skill = controls.control_skill("good")
    catalogue = catalogue_of((skill,), {}, SETTINGS)
    prompts = [Prompt(f"p{n}", f"{word}, please", "dock-labels", ("dock-labels",)) for n, word in enumerate(MEANT)]
    prompts.append(Prompt("n1", "rename a variable", "dock-labels", ()))

    async def mutation(pick: Callable[[str], bool]) -> Mutation:
        return await controls.without_description(catalogue, "dock-labels", 1.0, prompts, SETTINGS, chooser(pick))  # type: ignore[arg-type]

    carried = asyncio.run(mutation(lambda text: "Velden warehouse" in text))
    assert (carried.mutated, carried.carries, carried.said) == (0.0, True, "")
    by_name = asyncio.run(mutation(lambda text: "please" in text))
    assert by_name.mutated == 1.0 and by_name.carries is False and "its name is enough" in by_name.said
