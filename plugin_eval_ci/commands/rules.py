"""``plugin-eval rules`` and ``plugin-eval explain``."""

from __future__ import annotations

from typing import TextIO

from plugin_eval_ci.config import no_such_rule
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.lint.fix import FIXABLE
from plugin_eval_ci.rules import all_names, all_rules, rule_named
from plugin_eval_ci.rules.base import doc_of


def list_rules(format: str, out: TextIO) -> int:
    """Print one line for each rule, by group, or all rules as JSON."""
    if format == "json":
        from plugin_eval_ci.report import rules

        out.write(rules.render())
        return 0
    width = max(len(rule.name) for rule in all_rules())
    group = ""
    for rule in all_rules():
        if rule.group != group:
            group = rule.group
            out.write(f"{group}\n")
        mark = "fix" if rule.name in FIXABLE else ""
        out.write(f"  {rule.name:<{width}}  {rule.severity.word:<7}  {mark:<3}  {doc_of(rule).splitlines()[0]}\n")
    out.write("\nfix: `plugin-eval lint --fix` fixes it if there is exactly one right fix\n")
    return 0


def explain(name: str, out: TextIO) -> int:
    """Print the documentation page of one rule."""
    rule = rule_named(name)
    if rule is None:
        raise UsageError(f"explain: {no_such_rule(name, all_names())}")
    weight = f", weight {rule.weight:g}" if rule.weight is not None else ""
    fix = f"\n`plugin-eval lint --fix` {FIXABLE[rule.name]}.\n" if rule.name in FIXABLE else ""
    out.write(f"{rule.name} ({rule.severity.word}, {rule.group}{weight})\n{fix}\n{doc_of(rule)}\n")
    return 0
