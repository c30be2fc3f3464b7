"""Reports at depth measured, made by hand: one skill whose prompts are taken, one that takes them, and their plugin."""

from plugin_eval_ci.scoring.dimensions import depth_named
from plugin_eval_ci.scoring.gather import score_plugin, score_skill
from plugin_eval_ci.scoring.layer_details import (
    Attempt,
    ChoiceRow,
    Confusion,
    Details,
    LabelSource,
    LiftDetails,
    PromptResult,
    ShownList,
    SkillTrials,
    Span,
    TriggerResult,
)
from plugin_eval_ci.scoring.measurement import DimensionValue, Measurement, SubScore, Unmeasured
from plugin_eval_ci.scoring.model_results import ModelResults
from plugin_eval_ci.scoring.report import ScoreReport, plugin_with_trials
from plugin_eval_ci.stats import Draws

STOCK, LABEL = "shop:stock-report", "shop:label-print"
SHOWN = ShownList(20, 2, 18, 4, "c" * 64, (), (LABEL,))
RATES = (
    Span("selection_recall", 0.625, 0.41, 0.8, "clustered wilson"),
    Span("false_trigger_rate", 0.125, 0.04, 0.31, "clustered wilson"),
    Span("selection_precision", 0.83, 0.6, 0.94, "recovered"),
    Span("selection_f1", 0.71, 0.52, 0.84, "recovered"),
    Span("balanced_accuracy", 0.75, 0.62, 0.85, "recovered"),
    Span("run_agreement", 0.9),
)
PROMPTS = (
    PromptResult("p1", "which boxes are we out of", STOCK, (STOCK,), "implicit", True, 3, 1, ((LABEL, 2),)),
    PromptResult("p2", "count the shelves, please", STOCK, (STOCK,), "direct", True, 3, 3),
    PromptResult("p3", "do the till report", STOCK, (STOCK,), "direct", True, 3, 0, (("none", 3),)),
    PromptResult("n1", "print labels for the new boxes", LABEL, (LABEL,), "direct", False, 3, 1, ((LABEL, 2),)),
)
TRIGGERED = TriggerResult(
    8, 16, 24, 72, 0.97, (("chose", 50), ("answered", 20), ("infra_error", 2)), RATES, 0.25, 0.128, PROMPTS,
    ((LABEL, 0.25), ("none", 0.125)),
    0.31,
    (Span("first", 0.7), Span("middle", 0.6), Span("last", 0.6)),
)  # fmt: skip
HELPED = LiftDetails(
    3, 1, 2, Span("lift", 0.083, -0.21, 0.38), 412.0,
    (Attempt("t1", "Write the report of Monday.", 1.0, 300.0, "both orders"), Attempt("t2", "Count.", 0.0, 500.0, "both orders")),
    False, ("claude-opus-5-5",), 0.3, ("one quote was not found, and the verdict was dropped",),
)  # fmt: skip
LABELS = LabelSource(
    "skills/stock-report/evals/triggers.yaml", "d" * 64, 24, True, False, ("6 of 16 negatives are near misses",)
)


def trialled(skill: str = STOCK, **more) -> SkillTrials:
    return SkillTrials(
        skill, "e" * 64, "agentic", ("claude-haiku-5-5",), 3, 3, 0, LABELS, SHOWN, TRIGGERED, HELPED
    )._replace(**more)


def layers(trials: SkillTrials) -> tuple[Measurement, ...]:
    values = {"triggering_accuracy": 0.71, "output_quality": 0.583, "token_efficiency": 0.9485, "robustness": 0.9}
    tried = Measurement(
        "trials",
        0.75,
        tuple(SubScore(name, value) for name, value in values.items()),
        tuple(DimensionValue(name, value) for name, value in values.items()),
        details=Details(("not Claude Code",), (("reply", 72),), trials=trials),
    )
    judged = {"triggering_accuracy": 0.8, "orchestration_fitness": 0.75, "output_quality": 0.5, "scope_calibration": 0.75,
              "code_template_quality": 0.5}  # fmt: skip
    panel = Measurement("judge", 0.7, (), tuple(DimensionValue(*one) for one in judged.items()), details=Details())
    return panel, tried


def asked(trials: SkillTrials, **more) -> ModelResults:
    name = ("trials", "triggering_accuracy")
    drawn = tuple({name: 0.5 + n / 100} for n in range(41))
    draws = Draws({name: 0.71}, drawn, drawn, {name: 1_000_000}, 24)
    return ModelResults(depth_named("measured"), layers(trials), None, draws=draws)._replace(**more)


def confusion(stock: str = STOCK, label: str = LABEL) -> Confusion:
    rows = (
        ChoiceRow(stock, (Span("", 0.625, 0.41, 0.8), Span("", 0.25, 0.11, 0.47), Span("", 0.0, 0, 0.14), Span("", 0.125, 0.04, 0.31)), 8, 24),
        ChoiceRow(label, (Span("", 0.04, 0.01, 0.2), Span("", 0.96, 0.8, 0.99), Span("", 0.0, 0, 0.14), Span("", 0.0, 0, 0.14)), 8, 24),
        ChoiceRow("none", (), 0, 0, "no prompt was tried"),
    )  # fmt: skip
    return Confusion((stock, label), (stock, label, "other", "none"), rows, SHOWN)


def one(evaluation, trials: SkillTrials | None = None, **more) -> ScoreReport:
    """The skill whose prompts are taken."""
    skill = next(one for one in evaluation.collection.skills if one.name == "stock-report")
    return score_skill(skill, evaluation.checked, (), asked(trials or trialled(), confusion=confusion(), **more))


def plugin(evaluation, names: tuple[str, str] = (STOCK, LABEL)) -> ScoreReport:
    """The plugin of both."""
    told = {
        skill.source.path: asked(trialled(names[skill.name != "stock-report"]))
        for skill in evaluation.collection.skills
    }
    found = score_plugin(evaluation.collection.plugins[0], evaluation.checked, (), (), told)
    return plugin_with_trials(found, confusion(*names), None)


def unmeasured(evaluation) -> ScoreReport:
    """The skill where the trials failed."""
    skill = next(one for one in evaluation.collection.skills if one.name == "stock-report")
    panel = layers(trialled())[0]
    failed = Unmeasured("trials", "40 of 72 trials failed; with more than 25% of them nothing is measured")
    return score_skill(skill, evaluation.checked, (), ModelResults(depth_named("measured"), (panel, failed)))
