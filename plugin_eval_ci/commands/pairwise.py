"""Two skills on the same tasks, judged by models: what ``compare`` adds to both scores."""

from __future__ import annotations

from typing import NamedTuple

from plugin_eval_ci.commands.elo import contender_of
from plugin_eval_ci.commands.model_layers import estimate_text, options_of, run_asking
from plugin_eval_ci.commands.model_options import ModelOptions
from plugin_eval_ci.config import Config
from plugin_eval_ci.evals.layers.rating import PAIR_TASKS, pair
from plugin_eval_ci.evals.llm.anthropic import Options, open_ask, problem_of
from plugin_eval_ci.model import Skill
from plugin_eval_ci.scoring.measurement import Unmeasured
from plugin_eval_ci.scoring.model_results import PairResult
from plugin_eval_ci.scoring.spending import Estimate


class PairOutcome(NamedTuple):
    """The comparison, or None and a ``reason``. ``code``: 3 if not compared, 130 if interrupted, else 0."""

    paired: PairResult | None
    reason: str = ""
    code: int = 0


def pairwise_outcome(first: Skill, second: Skill, asking: ModelOptions, config: Config) -> PairOutcome:
    """Compare both on the same tasks. Raises ``MeasurementError`` if no call can succeed."""
    options = options_of(asking, config)
    if why := problem_of(options):
        return PairOutcome(None, why, 3)
    found, _, interrupted = _run(first, second, options)
    if isinstance(found, Unmeasured):
        return PairOutcome(None, found.reason, 130 if interrupted else 3)
    return PairOutcome(found, "", 130 if interrupted else 0)


def pairing_estimate(first: Skill, second: Skill, asking: ModelOptions, config: Config) -> str:
    """The estimate of the calls, in words. Nothing is sent."""
    return estimate_text(_run(first, second, options_of(asking, config))[1], "both on the same tasks")


def _run(first: Skill, second: Skill, options: Options) -> tuple[PairResult | Unmeasured, Estimate, bool]:
    a, b = contender_of(first), contender_of(second)
    if a.key == b.key:  # from two repositories
        a, b = a._replace(key=f"A {a.key}"), b._replace(key=f"B {b.key}")

    async def main() -> tuple[PairResult | Unmeasured, Estimate, bool]:
        async with open_ask(options) as client:
            client.expect(2 + 8 * PAIR_TASKS)
            return await pair(a, b, client.ask), client.stale(), client.interrupted

    return run_asking(main)
