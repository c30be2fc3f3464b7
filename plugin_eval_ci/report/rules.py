"""What outputs show about a rule next to a finding: its first sentence, its docs page, its address."""

from __future__ import annotations

from plugin_eval_ci import HOME, __version__
from plugin_eval_ci.lint.fix import FIXABLE
from plugin_eval_ci.report.document import Json, dump_json, json_head
from plugin_eval_ci.rules import Rule, all_rules, rule_named
from plugin_eval_ci.rules.base import doc_of

__all__ = ["HOME", "cut_utf16", "page", "summary", "url", "what_it_flags"]


def url(name: str) -> str | None:
    """Where the rule's page is to be read; None for a rule of another engine."""
    return f"{HOME}/blob/v{__version__}/docs/rules/{name}.md" if rule_named(name) else None


def page(name: str) -> str:
    """The rule's docs page; a sentence for a rule of another engine."""
    rule = rule_named(name)
    if rule is not None:
        return doc_of(rule)
    engine, _, own = name.partition("/")
    return f"Rule {own or name} of {engine}.\n\nReported by another engine and merged; its own documentation says more."


def summary(name: str) -> str:
    """The first line of the page."""
    return page(name).partition("\n")[0]


def what_it_flags(name: str) -> str:
    """The first section of the page, or the summary of a page without sections."""
    _, found, rest = page(name).partition("## What it flags\n")
    return " ".join(rest.partition("\n## ")[0].split()) if found else summary(name)


def cut_utf16(text: str, limit: int) -> str:
    """``text`` with at most ``limit`` UTF-16 units, which is how GitHub counts; an ellipsis stands for the rest."""
    units = text.encode("utf-16-le", "replace")
    return text if len(units) <= 2 * limit else units[: 2 * (limit - 1)].decode("utf-16-le", "ignore") + "…"


def render() -> str:
    """The document, with a final newline."""
    return dump_json(json_head() | {"rules": [_rule(rule) for rule in all_rules()]})


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
