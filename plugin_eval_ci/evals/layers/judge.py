"""The judge layer: four questions to a model about the text of a skill, each asked once for each judge (section 6)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import fsum
from statistics import stdev

from plugin_eval_ci.evals.llm.json_schema import object_schema
from plugin_eval_ci.evals.llm.prompt_templates import (
    ANCHORS,
    Question,
    Rubrics,
    fill_template,
    prompt_template,
    quote_skill,
    rubrics,
    version_of,
)
from plugin_eval_ci.evals.llm.request import (
    Ask,
    Block,
    Json,
    Outcome,
    Reply,
    Request,
    ask_all,
    count_outcomes,
    failure_text,
    was_skipped,
)
from plugin_eval_ci.model import Skill
from plugin_eval_ci.scoring.dimensions import clamp
from plugin_eval_ci.scoring.layer_details import Details, JudgedDimension, JudgeDetails, Prediction, RatedTask, Sample
from plugin_eval_ci.scoring.measurement import DimensionValue, Measurement, SubScore, Unmeasured
from plugin_eval_ci.util.json_values import DamagedError, as_list, as_object, as_text

TRIGGERING, OUTPUT = "triggering_accuracy", "output_quality"
_SPAN = re.compile(r"[\"“”«]([^\"“”«»]{1,400})[\"”»]")
_LEAST_WORDS = 3  # of a quotation inside a reason: shorter ones are terms
_TEXT: Json = {"type": "string"}
_SCORE: Json = {"type": "number", "enum": list(ANCHORS)}


def schema_of(dimension: str, rubrics: Rubrics) -> Json:
    """What a model's answer must fit; reasons come before scores."""
    if dimension == TRIGGERING:
        count = rubrics.should_trigger + rubrics.should_not_trigger
        one = object_schema(message=_TEXT, intended={"type": "boolean"}, chosen={"type": "boolean"})
        predictions: Json = {"type": "array", "items": one, "minItems": count, "maxItems": count}
        return object_schema(predictions=predictions, f1={"type": "number", "minimum": 0, "maximum": 1})
    if dimension == OUTPUT:
        task = object_schema(task=_TEXT, reason=_TEXT, score=_SCORE)
        return object_schema(
            tasks={"type": "array", "items": task, "minItems": rubrics.tasks, "maxItems": rubrics.tasks}
        )
    quotes: Json = {"type": "array", "items": _TEXT, "maxItems": 3}
    return object_schema(reason=_TEXT, quotes=quotes, score=_SCORE)


def sample_of(dimension: str, data: Json, visible: str, where: str = "the answer", model: str = "") -> Sample:
    """An answer about a dimension. Raises ``DamagedError`` for one that is not of its shape."""
    if dimension == TRIGGERING:
        return _triggering(data, where)._replace(model=model)
    if dimension == OUTPUT:
        tasks = tuple(
            _rated_task(as_object(one, f"{where}.tasks[{n}]"), f"{where}.tasks[{n}]")
            for n, one in enumerate(as_list(data.get("tasks"), f"{where}.tasks"))
        )
        if not tasks:
            raise DamagedError(f"{where}.tasks is empty")
        score = sum(task.score for task in tasks) / len(tasks)
        return Sample(score, model=model, tasks=tasks)
    reason = as_text(data.get("reason"), f"{where}.reason")
    listed = tuple(as_text(one, f"{where}.quotes") for one in as_list(data.get("quotes"), f"{where}.quotes"))
    quotes = listed or quoted_in(reason)
    missing = tuple(quote for quote in quotes if not holds(visible, quote))
    return Sample(_anchor(data.get("score"), f"{where}.score"), "", model, reason, quotes, missing)


def f1_of(predictions: Sequence[Prediction]) -> float | None:
    """F1 of what was chosen against what was intended; None where neither ever holds."""
    hits = sum(one.intended and one.chosen for one in predictions)
    either = sum(one.intended for one in predictions) + sum(one.chosen for one in predictions)
    return 2 * hits / either if either else None


def quoted_in(reason: str) -> tuple[str, ...]:
    """The quotations in a reason that are long enough to be one."""
    return tuple(span for span in _SPAN.findall(reason) if len(span.split()) >= _LEAST_WORDS)


def holds(visible: str, quote: str) -> bool:
    """Whether a text holds a quotation, blanks and line ends apart; a quotation may leave out words with "…" or "..."."""
    text, at = _plain(visible), 0
    for piece in re.split(r"…|\.\.\.", quote):
        words = _plain(piece).strip(" .")
        at = text.find(words, at)
        if at < 0:
            return False
        at += len(words)
    return True


def _plain(text: str) -> str:
    return " ".join(word for line in text.splitlines() for word in line.removeprefix("| ").split()).casefold()


def _triggering(data: Json, where: str) -> Sample:
    rows = as_list(data.get("predictions"), f"{where}.predictions")
    predictions = tuple(
        _prediction(as_object(row, f"{where}.predictions[{n}]"), f"{where}.predictions[{n}]")
        for n, row in enumerate(rows)
    )
    said = data.get("f1")
    f1 = None if said is None else _number(said, f"{where}.f1")
    intended = sum(one.intended for one in predictions)
    if not 0 < intended < len(predictions):
        return Sample(
            None, "both kinds of messages are needed: some that the skill is for and some that it is not for", "", f1=f1
        )
    return Sample(f1_of(predictions), predictions=predictions, f1=f1)


def _prediction(row: Json, where: str) -> Prediction:
    intended, chosen = row.get("intended"), row.get("chosen")
    if not isinstance(intended, bool) or not isinstance(chosen, bool):
        raise DamagedError(f"{where} needs intended and chosen, each true or false")
    return Prediction(as_text(row.get("message"), f"{where}.message"), intended, chosen)


def _rated_task(row: Json, where: str) -> RatedTask:
    task, reason = as_text(row.get("task"), f"{where}.task"), as_text(row.get("reason"), f"{where}.reason")
    return RatedTask(task, reason, _anchor(row.get("score"), f"{where}.score"))


def _anchor(value: object, where: str) -> float:
    number = _number(value, where)
    if number not in ANCHORS:
        raise DamagedError(f"{where} must be one of {', '.join(f'{one:g}' for one in ANCHORS)}")
    return number


def _number(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise DamagedError(f"{where} must be a number from 0 to 1")
    return float(value)


LAYER, CODE = "judge", "code_template_quality"
_LONG, _SHORT = 2_048, 1_024  # tokens that an answer may have
_NOTICEABLE = 0.005  # of an F1
_ALWAYS = (
    "experimental: a model's opinion of the text; nothing was run, and the results that output_quality rates are imagined",
    "triggering_accuracy: one model wrote the messages, said what they are for, and predicted the choice",
)


async def judge(skill: Skill, ask: Ask, judges: int = 1) -> Measurement | Unmeasured:
    """Ask about every dimension, ``judges`` times. A dimension without an answer is unmeasured; so is the layer without any."""
    questions = {question.dimension: request_of(skill, question) for question in rubrics().questions}
    cells = [(name, request, sample) for sample in range(judges) for name, request in questions.items()]
    outcomes = await ask_all(ask, ((request, sample) for _, request, sample in cells))
    answered: dict[str, list[Sample]] = {name: [] for name in questions}
    for (name, _, _), outcome in zip(cells, outcomes, strict=True):
        answered[name].append(answer_of(name, outcome, visible_text(skill)))
    dimensions = tuple(summarize_samples(name, samples) for name, samples in answered.items())
    details = Details(
        (*_ALWAYS, *_cut_caveat(skill), *caveats_of(dimensions, judges)),
        count_outcomes(outcomes),
        not any(was_skipped(one) for one in outcomes),
        judge=JudgeDetails("model", rubrics().version, judges, dimensions),
    )
    return measurement_of(dimensions, details)


def request_of(skill: Skill, question: Question) -> Request:
    """The request about one dimension. All but that of the triggering begin alike, so that a service can keep their beginning."""
    rubric = rubrics()
    named = rubric._asdict() | {"asks": question.asks, "anchors": question.scale}
    if question.dimension == TRIGGERING:
        about, task, text = "triggering_system", "triggering", quote_skill(listed_text(skill))
    else:
        about, task = (
            "code_system" if question.dimension == CODE else "system",
            "tasks" if question.dimension == OUTPUT else "question",
        )
        text = quote_skill(seen_text(skill, question.dimension))
    templates = prompt_template(LAYER, about), prompt_template(LAYER, task)
    system, user = (fill_template(template, **named) for template in templates)
    return Request(
        f"judge:{question.dimension}",
        question.tier,
        (Block(system), Block(text, cached=True)),
        (Block(user),),
        _SHORT if task == "question" else _LONG,
        schema_of(question.dimension, rubric),
        "medium",
        version_of(rubric.version, *templates, question.asks, question.scale),
    )


def visible_text(skill: Skill) -> str:
    """The part of SKILL.md that the judge sees."""
    return skill.source.text[: rubrics().visible_characters]


def seen_text(skill: Skill, dimension: str) -> str:
    """What the judge sees of a skill for a dimension other than the triggering: the evidence that it may quote."""
    return code_text(skill) if dimension == CODE else visible_text(skill)


def code_text(skill: Skill) -> str:
    """The fenced code of a skill, each block below the heading it stands under; empty without code."""
    parts = []
    for fence in skill.body.fences:
        above = [heading.title for heading in skill.body.headings if heading.line < fence.line]
        if fence.content.strip():
            parts.append(f"# under: {above[-1] if above else 'no heading'}\n```{fence.language}\n{fence.content}\n```")
    return "\n\n".join(parts)[: rubrics().code_characters]


def listed_text(skill: Skill) -> str:
    """What an agent sees of a skill when it chooses."""
    more = f"\nwhen_to_use: {skill.when_to_use}" if skill.when_to_use else ""
    return f"name: {skill.name}\ndescription: {skill.description}{more}"


def summarize_samples(name: str, samples: Sequence[Sample]) -> JudgedDimension:
    """What the samples of a dimension come to."""
    scores = [sample.score for sample in samples if sample.score is not None]
    if not scores:
        reasons = Counter(sample.why for sample in samples if sample.why)
        return JudgedDimension(
            name, None, tuple(samples), reasons.most_common(1)[0][0] if reasons else "no answer was requested"
        )
    spread = stdev(scores) if len(scores) > 1 else None
    return JudgedDimension(
        name, clamp(fsum(scores) / len(scores)), tuple(samples), "", min(scores), max(scores), spread
    )


def measurement_of(dimensions: Sequence[JudgedDimension], details: Details) -> Measurement | Unmeasured:
    """The layer's result. Its own score is the mean over the dimensions that were measured; the composite does not use it."""
    scores = [(one.name, one.score) for one in dimensions if one.score is not None]
    if not scores:
        reasons = Counter(one.why for one in dimensions)
        return Unmeasured(LAYER, reasons.most_common(1)[0][0], details)
    return Measurement(
        LAYER,
        clamp(fsum(score for _, score in scores) / len(scores)),
        tuple(SubScore(name, score) for name, score in scores),
        tuple(DimensionValue(name, score) for name, score in scores),
        silent=tuple((one.name, one.why) for one in dimensions if one.score is None),
        details=details,
    )


def caveats_of(dimensions: Sequence[JudgedDimension], judges: int) -> Iterable[str]:
    """What a reader should know of these answers."""
    if judges == 1:
        yield "one judge: another answer to the same question may score differently (--judges N shows by how much)"
    for one in dimensions:
        there = sum(sample.score is not None for sample in one.samples)
        if 0 < there < judges:
            yield f"{one.name}: {there} of {judges} judges gave a score"
        for sample in one.samples:
            yield from _of_sample(one.name, sample, rubrics())


def _of_sample(name: str, sample: Sample, rubric: Rubrics) -> Iterable[str]:
    if sample.score is None:
        return
    if sample.f1 is not None and abs(sample.f1 - sample.score) > _NOTICEABLE:
        yield f"{name}: the judge says F1 {sample.f1:.2f}; its own predictions give {sample.score:.2f}, and that is the score used"
    if name == TRIGGERING:
        mix = (
            sum(one.intended for one in sample.predictions),
            sum(not one.intended for one in sample.predictions),
        )
        if mix != (rubric.should_trigger, rubric.should_not_trigger):
            yield f"{name}: {mix[0]} messages that the skill is for and {mix[1]} that it is not for, instead of " + (
                f"{rubric.should_trigger} and {rubric.should_not_trigger}"
            )
    if sample.not_found:
        yield f"{name}: {len(sample.not_found)} of {len(sample.quotes)} quotes do not occur in the text that the judge saw"


def _cut_caveat(skill: Skill) -> Iterable[str]:
    size = len(skill.source.text)
    if size > rubrics().visible_characters:
        yield f"the judge saw the first {rubrics().visible_characters:,} of {size:,} characters of SKILL.md"


def answer_of(name: str, outcome: Outcome, visible: str) -> Sample:
    """What an outcome says about a dimension, of which the judge saw ``visible``."""
    if not isinstance(outcome, Reply):
        return Sample(None, failure_text(outcome))
    try:
        return sample_of(name, outcome.data or {}, visible, model=outcome.model)
    except DamagedError as error:
        return Sample(None, f"malformed: {error}", outcome.model)
