"""The layer as a whole, with an ``ask`` written by hand: drafts, siblings, what is missing and what a control says."""

import asyncio
import json
from collections.abc import Callable

import pytest

from plugin_eval_ci.evals.llm.request import Ask, Failure, Outcome, Reply, Request, calls_in
from plugin_eval_ci.evals.trials.layer import Field, Plan, measure
from plugin_eval_ci.evals.trials.values import Mode, Settings
from plugin_eval_ci.model import CheckResult
from plugin_eval_ci.report.score.layers_json import details_object
from plugin_eval_ci.report.trials.text import trial_lines
from plugin_eval_ci.scoring.gather import score_skill
from plugin_eval_ci.scoring.measurement import Measurement, Unmeasured
from plugin_eval_ci.scoring.model_results import ModelResults
from plugin_eval_ci.scoring.spending import Usage
from tests.evals.layers.conftest import JUDGED, rated
from tests.evals.trials.test_drafting import OWN, Stock, models, truth

PLAN = Plan(help=False, controls=False, day="2026-11-30")
Choice = Callable[[str], list[str]]


def subject(choose: Choice, failures: dict[str, Failure] | None = None, drafts: Ask | None = None) -> Ask:
    """Chooses as told; drafts and judges as other tests do."""
    drafting = drafts or models()

    async def ask(request: Request, sample: int) -> Outcome:
        for purpose, failure in (failures or {}).items():
            if request.purpose.startswith(purpose):
                return failure
        if request.purpose.startswith("labels:"):
            return await drafting(request, sample)
        if request.purpose.startswith("judge:"):
            data = JUDGED.get(request.purpose) or rated(0.5)
            return Reply(json.dumps(data), data, Usage(10, 10), f"{request.model}-x", 0.1)
        text = request.user[-1].text
        blocks = tuple(
            {"type": "tool_use", "id": f"t{n}", "name": "Skill", "input": {"skill": name}}
            for n, name in enumerate(choose(text))
        )
        said = "" if blocks else "Done."
        return Reply(said, None, Usage(10, 10), "haiku-x", 0.1, calls=calls_in(blocks), blocks=blocks)

    return ask


def measured(stock: Stock, ask: Ask, plan: Plan = PLAN) -> ModelResults:
    skill, names = stock
    own = names.own.partition(":")[0]
    field = Field((skill,), (skill,), {skill.plugin: own} if skill.plugin else {})
    return asyncio.run(measure(field, plan, ask))[skill.source.path]


def layer(asked: ModelResults, name: str) -> Measurement | Unmeasured:
    return next(one for one in asked.layers if one.layer == name)


def test_drafts_are_tried_and_cap_the_label(stock: Stock) -> None:
    asked = measured(stock, subject(lambda text: truth(text) if OWN in truth(text) else []))
    trials = layer(asked, "trials")
    assert isinstance(trials, Measurement) and trials.dimension("triggering_accuracy") == 1.0
    assert trials.dimension("output_quality") is None and "--no-help" in dict(trials.silent)["output_quality"]
    details = trials.details and trials.details.trials
    assert details and details.labels and details.labels.drafted and not details.labels.reviewed
    assert (
        details.triggered and details.triggered.design_effect is None
    )  # nothing differs, so nothing says how runs hang together
    assert asked.complete and (asked.ran.name, asked.label) == ("measured", "Assessed")
    report = score_skill(stock[0], CheckResult((), ()), (), asked)
    composite = report.composite
    assert (
        composite.confidence_label == "Assessed" and composite.ci_lower is not None and composite.ci_upper is not None
    )
    assert composite.score is not None and composite.ci_lower <= composite.score <= composite.ci_upper
    assert composite.badge_lower is not None and any("not reviewed by a person" in note for note in report.notes)


def test_a_skill_that_never_fires_has_a_score_and_it_is_low(stock: Stock) -> None:
    trials = layer(measured(stock, subject(lambda text: [])), "trials")
    assert isinstance(trials, Measurement) and trials.dimension("triggering_accuracy") == 0.0


def test_one_that_fires_on_everything_pays_for_it(stock: Stock) -> None:
    trials = layer(measured(stock, subject(lambda text: [OWN])), "trials")
    score = trials.dimension("triggering_accuracy") if isinstance(trials, Measurement) else None
    assert score is not None and 0.5 < score < 0.8  # recall 1, precision about a half


@pytest.mark.parametrize("kind", ["infra_error", "timeout", "refusal"])
def test_failed_trials_are_unmeasured(stock: Stock, kind: str) -> None:
    asked = measured(stock, subject(truth, {"trials:": Failure(kind, "why")}))  # type: ignore[arg-type]
    trials = layer(asked, "trials")
    assert isinstance(trials, Unmeasured) and "trials failed" in trials.reason
    assert not asked.complete and asked.ran.name == "quick" and asked.label == "Estimated"


def test_drafts_that_fail_are_the_reason(stock: Stock) -> None:
    asked = measured(stock, subject(truth, {"labels:": Failure("infra_error", "overloaded")}))
    trials = layer(asked, "trials")
    assert isinstance(trials, Unmeasured) and "no labels could be drafted" in trials.reason


def test_a_panel_that_fails_leaves_the_trials(stock: Stock) -> None:
    asked = measured(stock, subject(truth, {"judge:": Failure("timeout", "late")}))
    assert isinstance(layer(asked, "judge"), Unmeasured) and isinstance(layer(asked, "trials"), Measurement)
    assert not asked.complete and asked.label == "Estimated"


def test_controls_that_look_alike_make_it_unmeasured(stock: Stock) -> None:
    """The subject chooses the skill under test and nothing else, so neither control fires."""
    plan = PLAN._replace(controls=True)
    asked = measured(stock, subject(lambda text: [OWN] if OWN in truth(text) or OWN in text else []), plan)
    trials = layer(asked, "trials")
    assert isinstance(trials, Unmeasured) and "could not tell the controls apart" in trials.reason


def test_what_the_controls_got_is_shown_whether_or_not_they_passed(stock: Stock) -> None:
    """Only who sees that a test can fail has a reason to trust it where it did not."""
    plan = PLAN._replace(controls=True)
    asked = measured(stock, subject(lambda text: [OWN] if OWN in truth(text) or OWN in text else []), plan)
    details = layer(asked, "trials").details
    assert details is not None and details.trials is not None
    assert [(one.test, one.passed) for one in details.trials.controls] == [("triggering", False), ("judge", False)]
    (line,) = (one for one in trial_lines(details.trials) if one.startswith("controls, "))
    assert "triggering 0.00 against 0.00, not distinguished; judge 0." in line
    objects = details_object(details)["trials"]["controls"]  # type: ignore[index, call-overload]
    assert objects[0] == {"test": "triggering", "good": 0.0, "hollow": 0.0, "passed": False, "reason": None}  # type: ignore[index, call-overload]
    without = layer(measured(stock, subject(truth)), "trials").details
    assert without is not None and without.trials is not None and without.trials.controls == ()
    assert not [one for one in trial_lines(without.trials) if one.startswith("controls, ")]


@pytest.mark.parametrize("mode", ["router", "agentic"])
@pytest.mark.parametrize("controls", [True, False])
def test_about_as_many_calls_are_made_as_were_expected(stock: Stock, mode: Mode, controls: bool) -> None:
    told: list[int] = []
    made: list[Request] = []
    answers = subject(truth)

    async def ask(request: Request, sample: int) -> Outcome:
        made.append(request)
        return await answers(request, sample)

    skill, names = stock
    field = Field((skill,), (skill,), {skill.plugin: names.own.partition(":")[0]} if skill.plugin else {})
    plan = PLAN._replace(controls=controls, settings=Settings(mode))
    asyncio.run(measure(field, plan, ask, told.append))
    drafts = sum(one.purpose.startswith("labels:") for one in made)
    assert 0.6 <= (len(made) - drafts) / (sum(told) - drafts) <= 1.1
    assert told[0] == drafts == 3


def test_the_same_again_is_the_same_and_the_seed_matters(stock: Stock) -> None:
    def flaky(text: str) -> list[str]:
        return truth(text) if len(text) % 3 else []

    first, again = (measured(stock, subject(flaky)) for _ in range(2))
    assert first == again
    details = layer(first, "trials").details
    assert details and details.trials and details.trials.triggered
    assert details.trials.triggered.design_effect == pytest.approx(
        3
    )  # the runs of a prompt are alike, so all three are one
    assert "design effect 3.0: so many runs of these prompts are worth one independent run" in list(
        trial_lines(details.trials)
    )
    other = measured(stock, subject(flaky), PLAN._replace(settings=Settings(seed=1)))
    methods = [
        one.details.trials.method
        for asked in (first, other)
        for one in asked.measured
        if one.details and one.details.trials
    ]
    assert len(set(methods)) == 2
