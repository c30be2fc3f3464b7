"""Findings about safety that a change would hide itself: they count, because nobody may approve their own change.

What stood in the base still holds: a comment that hid the same finding there, one for the whole file, and the configuration as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from plugin_eval_ci import suppress
from plugin_eval_ci.evaluate import Evaluation
from plugin_eval_ci.model import CheckResult, Finding, Suppressed
from plugin_eval_ci.rules import all_names, rule_named

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource

COMMENT = "the ignore comment for this is new in this change, so it does not count yet"
CONFIGURATION = "the configuration that would hide this is new in this change, so it does not count yet"


def is_about_safety(finding: Finding) -> bool:
    """Whether it is one that a change cannot hide itself."""
    rule = rule_named(finding.rule)
    return rule is not None and rule.group == "safety"


def counted(finding: Finding, why: str) -> Finding:
    """``finding`` as one that the change brings, with the reason why it is shown."""
    return finding._replace(message=f"{finding.message} ({why})", state="new")


def by_new_comments(
    before: Evaluation, after: CheckResult, renamed: Mapping[str, str], config: ConfigSource
) -> list[Suppressed]:
    """What only a comment hides that the base did not have."""
    hidden = [one for one in after.suppressed if one.cause == "comment" and is_about_safety(one.finding)]
    if not hidden:
        return []
    approved = {(one.finding.path, one.finding.content) for one in before.checked.suppressed if one.cause == "comment"}
    ignores = suppress.comments(before.collection, config, all_names)
    whole = {(path, rule) for path, some in ignores.items() for one in some if one.lines is None for rule in one.rules}
    keys = [(renamed.get(one.finding.path, one.finding.path), one) for one in hidden]
    return [
        one
        for path, one in keys
        if (path, one.finding.content) not in approved and (path, one.finding.rule) not in whole
    ]


def by_new_configuration(trusted: CheckResult, after: CheckResult) -> Iterator[Finding]:
    """What is shown by the configuration of the base and not by the one that the change brings."""
    known = {(finding.path, finding.content) for finding in after.findings}
    known |= {(one.finding.path, one.finding.content) for one in after.suppressed if one.cause == "comment"}
    for finding in trusted.findings:
        if is_about_safety(finding) and (finding.path, finding.content) not in known:
            yield finding
