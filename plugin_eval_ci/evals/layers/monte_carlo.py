"""The Monte Carlo layer: fifteen messages that a skill is for, each sent several times with the skill loaded (section 7)."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import fsum
from statistics import median, pstdev
from typing import NamedTuple, TypeVar

from plugin_eval_ci import stats
from plugin_eval_ci.evals.layers.judge import listed_text
from plugin_eval_ci.evals.llm.json_schema import object_schema
from plugin_eval_ci.evals.llm.prompt_templates import (
    escape_borders,
    fill_template,
    prompt_template,
    quote_skill,
    version_of,
)
from plugin_eval_ci.evals.llm.request import (
    Ask,
    Block,
    Failure,
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
from plugin_eval_ci.scoring.layer_details import Details, NamedInterval, PromptRuns, RunDetails
from plugin_eval_ci.scoring.measurement import DimensionValue, Measurement, SubScore, Unmeasured
from plugin_eval_ci.stats import INSTALL, Interval, available

_ATTEMPTS = 45  # at one message each, by models that cannot write JSON
_SHORT = 96  # tokens of one message
_MOST_CHARACTERS = 400  # of one message written as a line
_MARK = re.compile(r"\A[\s>*•\-–—]*(?:\(?\d{1,3}[.):]\s*)?[\s*\"“']*|[\s*\"”']*\Z")
PROMPTS = 15


async def prompts_for(skill: Skill, ask: Ask) -> tuple[list[str] | Failure, list[Outcome]]:
    """The messages, or why none exist; and what the calls for them came to."""
    outcome = await ask(writer_request(skill), 0)
    outcomes: list[Outcome] = [outcome]
    if isinstance(outcome, Reply):
        texts = (outcome.data or {}).get("messages")
        listed = [text.strip() for text in texts if isinstance(text, str)] if isinstance(texts, list) else []
        prompts = [text for text in listed if text][:PROMPTS]
        if len(prompts) == PROMPTS:
            return prompts, outcomes
        return Failure("malformed", f"{len(prompts)} messages instead of {PROMPTS}"), outcomes
    if outcome.kind not in ("malformed", "truncated", "bad_request"):
        return outcome, outcomes
    more = await ask_all(ask, ((plain_request(skill), sample) for sample in range(_ATTEMPTS)))
    outcomes += more
    if (failed := next((one for one in more if isinstance(one, Failure) and was_skipped(one)), None)) is not None:
        return failed, outcomes
    texts = (one.text for one in more if isinstance(one, Reply))
    first = (found[0] for text in texts if (found := messages_in(text)))
    lines = {line.casefold(): line for line in first}
    if len(lines) < PROMPTS:
        why = f"{len(lines)} different messages in {_ATTEMPTS} answers, {PROMPTS} needed"
        return Failure("malformed", why), outcomes
    return list(lines.values())[:PROMPTS], outcomes


def writer_request(skill: Skill) -> Request:
    """The request for the messages, as JSON."""
    text: Json = {"type": "string", "minLength": 1}
    array: Json = {"type": "array", "items": text, "minItems": PROMPTS, "maxItems": PROMPTS}
    return _writer(skill, "writer", "monte_carlo:prompts")._replace(schema=object_schema(messages=array))


def plain_request(skill: Skill) -> Request:
    """The request for one message, for a model that cannot write JSON."""
    return _writer(skill, "writer_plain", "monte_carlo:prompts_plain")._replace(max_tokens=_SHORT)


def _writer(skill: Skill, name: str, purpose: str) -> Request:
    about, task = prompt_template("monte_carlo", "writer_system"), prompt_template("monte_carlo", name)
    text = quote_skill(listed_text(skill))
    return Request(
        purpose,
        "haiku",
        (Block(about), Block(text)),
        (Block(fill_template(task, prompts=PROMPTS)),),
        2_048,
        effort="low",
        version=version_of(about, task),
    )


def messages_in(text: str) -> list[str]:
    """The messages of an answer in lines, without numbers, bullets and quotation marks. Headings and remarks are left out."""
    lines = (_MARK.sub("", line) for line in text.splitlines())
    return [
        line
        for line in lines
        if 10 <= len(line) <= _MOST_CHARACTERS and not line.endswith(":") and line[0] not in "#`<{["
    ]


_T = TypeVar("_T")
_ENOUGH = 500  # characters from which an answer counts as a whole one
_MOST_TOKENS = 8_000
_RESAMPLES = 1_000


class Run(NamedTuple):
    """One run that was made. ``characters`` of the reply; ``tokens`` read and written; ``error``: the kind of failure, empty without."""

    prompt: str
    characters: int = 0
    tokens: int = 0
    error: str = ""
    model: str = ""

    @property
    def replied(self) -> bool:
        """Whether there is a reply that is not empty: what the document calls activation."""
        return not self.error and self.characters > 0

    @property
    def quality(self) -> float:
        """The document's stand-in for quality: the length of the reply."""
        return min(1.0, self.characters / _ENOUGH)


def details_of(runs: Sequence[Run], wanted: int, seed: int) -> RunDetails:
    """Everything that is computed from runs. Raises ``ValueError`` when none ended without error: then there is nothing to compute."""
    answered = [run for run in runs if not run.error]
    if not answered:
        raise ValueError("no run ended without error")
    qualities = [run.quality for run in runs if run.replied]
    mean = fsum(qualities) / len(qualities) if qualities else None
    tokens = float(median(run.tokens for run in answered))
    return RunDetails(
        wanted,
        len(runs),
        seed,
        sum(run.replied for run in runs) / len(runs),
        mean,
        pstdev(qualities) / mean if mean else None,
        sum(bool(run.error) for run in runs) / len(runs),
        tokens,
        clamp(1 - tokens / _MOST_TOKENS),
        intervals(runs, seed) if stats.available() else (),
        tuple(_prompt_runs(group) for group in group_by_prompt(runs)),
        tuple(name for name, _ in Counter(run.model for run in answered if run.model).most_common()),
    )


def layer_score(details: RunDetails) -> float:
    """0.40 activation + 0.30 consistency + 0.20 (1 - failures) + 0.10 token efficiency.

    Where no run has a reply, nothing can be consistent: that part is 0.
    """
    consistency = 0.0 if details.quality_cv is None else 1 - min(1.0, details.quality_cv)
    return clamp(
        fsum(
            (
                0.40 * details.activation_rate,
                0.30 * consistency,
                0.20 * (1 - details.failure_rate),
                0.10 * details.token_efficiency,
            )
        )
    )


def intervals(runs: Sequence[Run], seed: int) -> tuple[NamedInterval, ...]:
    """The documented intervals, each with the one that takes prompts as the units."""
    replied = sum(run.replied for run in runs)
    failed = sum(bool(run.error) for run in runs)
    qualities = _by_prompt((run.prompt, run.quality) for run in runs if run.replied)
    activation = _by_prompt((run.prompt, run.replied) for run in runs)
    failures = _by_prompt((run.prompt, bool(run.error)) for run in runs)
    every = [one for group in qualities.values() for one in group]
    return tuple(
        _named_intervals(
            ("activation_rate", stats.wilson(replied, len(runs)), True),
            ("activation_rate", stats.clustered_wilson(activation), False),
            ("output_quality", stats.bootstrap_mean(every, seed, _RESAMPLES), True),
            ("output_quality", stats.clustered_wilson(qualities), False),
            ("failure_rate", stats.clopper_pearson(failed, len(runs)), True),
            ("failure_rate", stats.clustered_wilson(failures), False),
        )
    )


def _by_prompt(values: Iterable[tuple[str, _T]]) -> dict[str, list[_T]]:
    groups: dict[str, list[_T]] = {}
    for prompt, value in values:
        groups.setdefault(prompt, []).append(value)
    return groups


def group_by_prompt(runs: Sequence[Run]) -> tuple[tuple[Run, ...], ...]:
    """The runs by prompt."""
    return tuple(tuple(group) for group in _by_prompt((run.prompt, run) for run in runs).values())


def _named_intervals(*rows: tuple[str, Interval | None, bool]) -> Iterable[NamedInterval]:
    return (NamedInterval(of, interval, independent) for of, interval, independent in rows if interval is not None)


def _prompt_runs(group: Sequence[Run]) -> PromptRuns:
    qualities = [run.quality for run in group if run.replied]
    return PromptRuns(
        group[0].prompt,
        len(group),
        len(qualities),
        sum(bool(run.error) for run in group),
        fsum(qualities) / len(qualities) if qualities else None,
    )


LAYER = "monte_carlo"
_ANSWER = 512  # tokens of a reply: more than 500 characters in any language, and what is longer counts no more
_ALWAYS = (
    "experimental: activation_rate is measured with the skill already loaded; it does not show whether the model would choose it",
    "output_quality is the length of the reply (500 characters count as 1); nobody read it, and nothing was run",
    "token_efficiency mostly reflects the length of SKILL.md, which is sent with every run",
    "runs of one prompt resemble each other: intervals marked assumes_independence are too narrow; use the ones by prompt",
)


async def simulate(skill: Skill, ask: Ask, runs: int, seed: int = 0) -> Measurement | Unmeasured:
    """Write the messages, make the runs, compute the documented numbers. The result is a failure if the
    messages are missing or every run failed."""
    prompts, written = await prompts_for(skill, ask)
    if isinstance(prompts, Failure):
        details = Details(_ALWAYS, count_outcomes(written), not was_skipped(prompts))
        return Unmeasured(LAYER, f"the test messages could not be written ({failure_text(prompts)})", details)
    cells = cells_of(skill, prompts, runs, seed)
    outcomes = await ask_all(ask, ((request, sample) for _, request, sample in cells))
    made = [(prompt, one) for (prompt, _, _), one in zip(cells, outcomes, strict=True) if not was_skipped(one)]
    results = [run_of(prompt, outcome) for prompt, outcome in made]
    everything = (*written, *outcomes)
    failed = [outcome for outcome in outcomes if isinstance(outcome, Failure)]
    if len(failed) == len(outcomes):
        (reason, many), *_ = Counter(failure_text(one) for one in failed).most_common(1)
        details = Details(_ALWAYS, count_outcomes(everything), len(made) == runs)
        return Unmeasured(LAYER, f"all {runs} runs failed; {many} of them: {reason}", details)
    numbers = details_of(results, runs, seed)
    details = Details(
        (*_ALWAYS, *_caveats(numbers, failed)), count_outcomes(everything), len(made) == runs, runs=numbers
    )
    return measurement_of(numbers, details)


def measurement_of(numbers: RunDetails, details: Details) -> Measurement:
    """The layer's result: the activation feeds triggering_accuracy, one less the failures robustness."""
    scores = [
        ("triggering_accuracy", numbers.activation_rate),
        ("output_quality", numbers.output_quality),
        ("token_efficiency", numbers.token_efficiency),
        ("robustness", 1 - numbers.failure_rate),
    ]
    consistency = 0.0 if numbers.quality_cv is None else 1 - min(1.0, numbers.quality_cv)
    parts = [
        ("activation_rate", numbers.activation_rate),
        ("output_consistency", consistency),
        ("success_rate", 1 - numbers.failure_rate),
        ("token_efficiency", numbers.token_efficiency),
    ]
    return Measurement(
        LAYER,
        layer_score(numbers),
        tuple(SubScore(name, clamp(score)) for name, score in parts),
        tuple(DimensionValue(name, clamp(score)) for name, score in scores if score is not None),
        silent=tuple((name, "no run has a reply to rate") for name, score in scores if score is None),
        details=details,
    )


def cells_of(skill: Skill, prompts: Sequence[str], runs: int, seed: int) -> list[tuple[str, Request, int]]:
    """Prompt, request and sample of every run, in an order that the seed determines, so a budget never cuts off a particular prompt."""
    seen: Counter[str] = Counter()
    cells = []
    for number in range(runs):
        prompt = prompts[number % len(prompts)]
        cells.append((prompt, run_request(skill, prompt), seen[prompt]))
        seen[prompt] += 1
    random.Random(f"{seed}").shuffle(cells)
    return cells


def run_request(skill: Skill, prompt: str) -> Request:
    """One run: the skill, which all runs share, and the message."""
    template = prompt_template(LAYER, "run_system")
    system = fill_template(template, text=escape_borders(skill.source.text))
    return Request(
        "monte_carlo:run",
        "haiku",
        (Block(system, cached=True),),
        (Block(prompt),),
        _ANSWER,
        effort="low",
        version=version_of(template),
    )


def run_of(prompt: str, outcome: Outcome) -> Run:
    """A run by its outcome."""
    if isinstance(outcome, Failure):
        return Run(prompt, error=outcome.kind, tokens=outcome.usage.total)
    return Run(prompt, len(outcome.text.strip()), outcome.usage.total, model=outcome.model)


def _caveats(numbers: RunDetails, failed: Sequence[Failure]) -> Iterable[str]:
    if numbers.runs < numbers.wanted:
        yield f"{numbers.runs} of {numbers.wanted} runs were made; the rest were not sent"
    service = sum(one.kind in ("infra_error", "timeout") for one in failed)
    if service:
        yield f"{service} of {numbers.runs} runs failed because of the service, not the skill; the documented rates include them"
    if len(numbers.prompts) < PROMPTS:
        yield f"{len(numbers.prompts)} different prompts instead of {PROMPTS}"
    if not available():
        yield f"no intervals: they need scipy, {INSTALL}"
