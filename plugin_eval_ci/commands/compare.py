"""``plugin-eval compare``."""

import time
from typing import TextIO

from plugin_eval_ci.commands.load_config import complain, say, use_color
from plugin_eval_ci.commands.score import ScoreOptions, estimate, find_target, refuse_wrong, score_path
from plugin_eval_ci.errors import MeasurementError
from plugin_eval_ci.model import Skill
from plugin_eval_ci.scoring.comparison import Comparison, compare
from plugin_eval_ci.scoring.report import ScoreReport

__all__ = ["ScoreOptions", "run"]
_INTERRUPTED = 130


def run(first: str, second: str, options: ScoreOptions, out: TextIO) -> int:
    """Score both and print how they differ: 0, 2 (nothing to score), 3 (not measured at this depth) or 130 (interrupted)."""
    refuse_wrong(options)
    for path in (first, second):
        find_target(path, options)  # before anything is paid for
    if options.asking.estimate:
        out.write(estimate(first, options) + estimate(second, options) + _pairing_estimate(first, second, options))
        return 0
    started = time.monotonic()
    a, code = score_path(first, options)
    b, other = (a, code) if code == _INTERRUPTED else score_path(second, _with_what_is_left(options, (a,), started))
    if other == _INTERRUPTED:
        complain("interrupted: nothing was compared")
        return _INTERRUPTED
    if a.kind == b.kind and a.depth.name != b.depth.name:
        raise MeasurementError(
            f"{first} was measured at depth {a.depth.name} and {second} at depth {b.depth.name}: they cannot be compared"
        )
    comparison = compare(a, b)
    if a.kind == "skill" and a.depth.name != "quick":
        comparison, paired = _with_pairwise(comparison, first, second, _with_what_is_left(options, (a, b), started))
        code = max(code, paired)
    from plugin_eval_ci.report import compare as rendering

    if options.format == "json":
        out.write(rendering.render_json(comparison))
    elif options.format == "markdown":
        out.write(rendering.render_markdown(comparison))
    else:
        out.write(rendering.render_text(comparison, use_color(out)))
    return max(code, other)


def _with_what_is_left(options: ScoreOptions, done: tuple[ScoreReport, ...], started: float) -> ScoreOptions:
    """The options with what is left of the cost limit and the time limit, which hold for all calls together."""
    asking = options.asking
    if asking.max_cost is not None:
        spent = sum(report.model_usage.cost or 0.0 for report in done if report.model_usage is not None)
        asking = asking._replace(max_cost=max(0.0, asking.max_cost - spent))
    if asking.deadline is not None:
        asking = asking._replace(deadline=max(0.0, asking.deadline - (time.monotonic() - started)))
    return options._replace(asking=asking)


def _with_pairwise(comparison: Comparison, first: str, second: str, options: ScoreOptions) -> tuple[Comparison, int]:
    """The comparison with both skills on the same tasks, if models scored both."""
    from plugin_eval_ci.commands.model_layers import pairwise_outcome

    (a, _, config), (b, _, _) = (find_target(path, options) for path in (first, second))
    if not isinstance(a, Skill) or not isinstance(b, Skill):
        return comparison, 0
    pairing = pairwise_outcome(a, b, options.asking, config)
    if pairing.reason:
        say(f"not compared on the same tasks: {pairing.reason}")
    return comparison._replace(paired=pairing.paired, unpaired=pairing.reason), pairing.code


def _pairing_estimate(first: str, second: str, options: ScoreOptions) -> str:
    (a, _, config), (b, _, _) = (find_target(path, options) for path in (first, second))
    if options.depth == "quick" or not isinstance(a, Skill) or not isinstance(b, Skill):
        return ""
    from plugin_eval_ci.commands.model_layers import pairing_estimate

    return pairing_estimate(a, b, options.asking, config)
