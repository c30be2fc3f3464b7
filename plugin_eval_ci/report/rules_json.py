"""The rules as JSON, documented by ``schemas/rules.schema.json``."""

from __future__ import annotations

from plugin_eval_ci import SCHEMA_VERSION, __version__
from plugin_eval_ci.fixes import FIXABLE
from plugin_eval_ci.report.rule_pages import summary, url
from plugin_eval_ci.report.score_json import Json, dumped
from plugin_eval_ci.rules import Rule, all_rules


def render() -> str:
    """The document, with a final newline."""
    return dumped(
        {
            "schema_version": SCHEMA_VERSION,
            "tool": {"name": "plugin-eval-ci", "version": __version__},
            "rules": [_rule(rule) for rule in all_rules()],
        }
    )


def _rule(rule: Rule) -> Json:
    return {
        "name": rule.name,
        "group": rule.group,
        "severity": rule.severity.word,
        "weight": rule.weight,
        "summary": summary(rule.name),
        "fix": FIXABLE.get(rule.name),
        "url": url(rule.name),
    }
