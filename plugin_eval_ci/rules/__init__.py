"""Every rule, by its name. The lists stand in ``single`` and ``across``; together they are ``all_rules``, in the order of the docs."""

from __future__ import annotations

from functools import cache
from typing import get_args

from plugin_eval_ci.rules.base import Group, Rule

__all__ = ["Rule", "all_names", "all_rules", "rule_named"]


@cache
def all_rules() -> tuple[Rule, ...]:
    """All of them, group by group."""
    from plugin_eval_ci.rules.across import ACROSS
    from plugin_eval_ci.rules.single import SINGLE

    groups = get_args(Group)
    return tuple(sorted(SINGLE + ACROSS, key=lambda rule: groups.index(rule.group)))


@cache
def all_names() -> frozenset[str]:
    """Their names."""
    return frozenset(rule.name for rule in all_rules())


def rule_named(name: str) -> Rule | None:
    """The rule of that name, whatever the letter case."""
    return next((rule for rule in all_rules() if rule.name == name.upper()), None)
