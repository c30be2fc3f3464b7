"""The Monte Carlo layer: fifteen messages that a skill is for, each sent several times with the skill loaded (section 7)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence

from plugin_eval_ci.ask import Ask, Block, Failure, Outcome, Request
from plugin_eval_ci.dimensions import clamped
from plugin_eval_ci.measure.calls import ask_all, counted, said, skipped
from plugin_eval_ci.measure.details import Details, RunDetails
from plugin_eval_ci.measure.measurement import DimensionValue, Measurement, SubScore, Unmeasured
from plugin_eval_ci.measure.messages import PROMPTS, prompts_for
from plugin_eval_ci.measure.runs import Run, details_of, layer_score
from plugin_eval_ci.measure.wording import escaped, filled, version_of, wording
from plugin_eval_ci.model import Skill
from plugin_eval_ci.stats import INSTALL, available

LAYER = "monte_carlo"
_ANSWER = 512  # tokens of a reply: more than 500 characters in any language, and what is longer counts no more
_ALWAYS = (
    "experimental: activation_rate says that the model replied with the skill already loaded, not that it would choose the skill",
    "output_quality is the length of the reply (500 characters count as 1); nobody read it, and nothing was run",
    "token_efficiency mostly reflects the length of SKILL.md, which is sent with every run",
    "runs of one prompt resemble each other: intervals marked assumes_independence are too short, those beside them are not",
)


async def simulate(skill: Skill, ask: Ask, runs: int, seed: int = 0) -> Measurement | Unmeasured:
    """Write the messages, make the runs, compute the documented numbers. Without messages, or without any run that ended well, there
    is no measurement."""
    prompts, written = await prompts_for(skill, ask)
    if isinstance(prompts, Failure):
        details = Details(_ALWAYS, counted(written), not skipped(prompts))
        return Unmeasured(LAYER, f"the test messages could not be written ({said(prompts)})", details)
    cells = cells_of(skill, prompts, runs, seed)
    outcomes = await ask_all(ask, ((request, sample) for _, request, sample in cells))
    made = [(prompt, one) for (prompt, _, _), one in zip(cells, outcomes, strict=True) if not skipped(one)]
    results = [run_of(prompt, outcome) for prompt, outcome in made]
    everything = (*written, *outcomes)
    failed = [outcome for outcome in outcomes if isinstance(outcome, Failure)]
    if len(failed) == len(outcomes):
        (reason, many), *_ = Counter(said(one) for one in failed).most_common(1)
        details = Details(_ALWAYS, counted(everything), len(made) == runs)
        return Unmeasured(LAYER, f"no run of {runs} ended well; {many} of them: {reason}", details)
    numbers = details_of(results, runs, seed)
    details = Details((*_ALWAYS, *_caveats(numbers, failed)), counted(everything), len(made) == runs, runs=numbers)
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
        tuple(SubScore(name, clamped(score)) for name, score in parts),
        tuple(DimensionValue(name, clamped(score)) for name, score in scores if score is not None),
        silent=tuple((name, "no run has a reply to rate") for name, score in scores if score is None),
        details=details,
    )


def cells_of(skill: Skill, prompts: Sequence[str], runs: int, seed: int) -> list[tuple[str, Request, int]]:
    """Prompt, request and sample of every run, in an order that the seed gives: what a budget leaves out is no particular prompt."""
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
    template = wording(LAYER, "run_system")
    system = filled(template, text=escaped(skill.source.text))
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
        yield f"{numbers.runs} of {numbers.wanted} runs were made; the others were not sent"
    service = sum(one.kind in ("infra_error", "timeout") for one in failed)
    if service:
        yield f"{service} of {numbers.runs} runs failed at the service, which says nothing about the skill; the documented rates count them"
    if len(numbers.prompts) < PROMPTS:
        yield f"{len(numbers.prompts)} different prompts instead of {PROMPTS}"
    if not available():
        yield f"no intervals: they need scipy, {INSTALL}"
