"""The layers of a depth, run for one skill: at the same time, because both spend most of it waiting."""

from __future__ import annotations

from collections.abc import Coroutine

from plugin_eval_ci.evals.layers.judge import judge
from plugin_eval_ci.evals.layers.monte_carlo import simulate
from plugin_eval_ci.evals.llm.request import Ask, run_together
from plugin_eval_ci.model import Skill
from plugin_eval_ci.scoring.dimensions import depth_named
from plugin_eval_ci.scoring.measurement import Measurement, Unmeasured
from plugin_eval_ci.scoring.model_results import ModelResults, nothing_measured
from plugin_eval_ci.scoring.static.layer import unreadable

Result = Measurement | Unmeasured


async def model_layers(
    skill: Skill, depth: str, ask: Ask, judges: int = 1, seed: int = 0, judged: Result | None = None
) -> ModelResults:
    """The results of the model layers of a depth. ``judged``: a judge's result that was read from a file.

    Raises what ``ask`` raises: a ``StopError`` when no call can succeed.
    """
    wanted = depth_named(depth)
    if (reason := unreadable(skill)) is not None:
        return nothing_measured(depth, reason)
    running: list[Coroutine[object, object, Result]] = []
    if "judge" in wanted.layers:
        running.append(_given_result(judged) if judged is not None else judge(skill, ask, judges))
    if "monte_carlo" in wanted.layers:
        running.append(simulate(skill, ask, wanted.runs or 0, seed))
    return ModelResults(
        wanted, tuple(await run_together(running))
    )  # when one layer cannot go on, no other goes on to pay


async def _given_result(result: Result) -> Result:
    return result
