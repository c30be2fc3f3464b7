"""``plugin-eval compare``."""

from typing import TextIO

from plugin_eval_ci.commands.score import Options, estimate, scored
from plugin_eval_ci.commands.settings import colored
from plugin_eval_ci.errors import MeasurementError
from plugin_eval_ci.revisions import compare

__all__ = ["Options", "run"]


def run(first: str, second: str, options: Options, out: TextIO) -> int:
    """Score both and print what sets them apart; 0, 2 (they cannot be compared), 3 (not measured as asked for) or 130 (interrupted)."""
    if options.asking.estimate:
        out.write(estimate(first, options) + estimate(second, options))
        return 0
    (a, code), (b, other) = (scored(path, options) for path in (first, second))
    if a.kind == b.kind and a.depth.name != b.depth.name:
        raise MeasurementError(
            f"{first} was measured at depth {a.depth.name} and {second} at depth {b.depth.name}: they cannot be compared"
        )
    comparison = compare(a, b)
    if options.output == "json":
        from plugin_eval_ci.report import compare_json

        out.write(compare_json.render(comparison))
    elif options.output == "markdown":
        from plugin_eval_ci.report import compare_markdown

        out.write(compare_markdown.render(comparison))
    else:
        from plugin_eval_ci.report import compare_text

        out.write(compare_text.render(comparison, colored(out)))
    return max(code, other)
