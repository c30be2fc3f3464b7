"""``plugin-eval compare``."""

from typing import TextIO

from plugin_eval_ci.commands.score import Options, report_of
from plugin_eval_ci.commands.settings import colored
from plugin_eval_ci.revisions import compare

__all__ = ["Options", "run"]


def run(first: str, second: str, options: Options, out: TextIO) -> int:
    """Score both and print what sets them apart; 0, or 2 when they cannot be compared."""
    comparison = compare(report_of(first, options), report_of(second, options))
    if options.output == "json":
        from plugin_eval_ci.report import compare_json

        out.write(compare_json.render(comparison))
    elif options.output == "markdown":
        from plugin_eval_ci.report import compare_markdown

        out.write(compare_markdown.render(comparison))
    else:
        from plugin_eval_ci.report import compare_text

        out.write(compare_text.render(comparison, colored(out)))
    return 0
