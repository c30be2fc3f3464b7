"""How many findings each rule has, the most frequent first: a table, or JSON."""

from __future__ import annotations

import json
from collections import Counter

from plugin_eval_ci.lint.evaluate import Evaluation
from plugin_eval_ci.report.escape import for_terminal


def render(evaluation: Evaluation, as_json: bool = False) -> str:
    """One line a rule: count, severity, rule."""
    counts = Counter((finding.rule, finding.severity) for finding in evaluation.checked.findings)
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0][0], -row[0][1]))
    if as_json:
        listed = [{"rule": rule, "severity": severity.word, "count": count} for (rule, severity), count in rows]
        return json.dumps(listed, indent=2) + "\n"
    return "".join(f"{count:>7,}  {severity.word:<7}  {for_terminal(rule)}\n" for (rule, severity), count in rows)
