"""Findings about safety that a change would hide itself: they count, because nobody may approve their own change.

What stood in the base still holds: a comment that hid the same line there, one for the whole file, and the configuration as it was.
A fingerprint does not say which secret it is about, so one of these findings is the same only where its line says the same.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from plugin_eval_ci import suppress
from plugin_eval_ci.evaluate import Evaluation
from plugin_eval_ci.model import CheckResult, Finding, Suppressed
from plugin_eval_ci.rules import all_names, all_rules

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource

_MOST = 4 << 20  # characters of one file
COMMENT = "the ignore comment for this is new in this change, so it does not count yet"
CONFIGURATION = "the configuration that would hide this is new in this change, so it does not count yet"


@cache
def _safety() -> frozenset[str]:
    return frozenset(rule.name for rule in all_rules() if rule.group == "safety")


def is_about_safety(finding: Finding) -> bool:
    """Whether it is one that a change cannot hide itself."""
    return finding.rule in _safety()


class Identity:
    """What tells the findings of one side apart, by ``path`` before the change."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._lines: dict[str, list[str]] = {}

    def __call__(self, finding: Finding, path: str) -> tuple[str, ...]:
        if not is_about_safety(finding):
            return path, finding.content
        lines = self._lines.setdefault(finding.path, []) or self._read(finding.path)
        text = lines[finding.line - 1] if finding.line <= len(lines) else ""
        return path, finding.rule, finding.target, " ".join(text.split())

    def _read(self, path: str) -> list[str]:
        try:
            with open(os.path.join(self._root, path), encoding="utf-8-sig", errors="replace") as stream:
                self._lines[path] = stream.read(_MOST).split("\n")
        except (OSError, ValueError):
            pass
        return self._lines[path]


def counted(finding: Finding, why: str) -> Finding:
    """``finding`` as one that the change brings, with the reason why it is shown."""
    return finding._replace(message=f"{finding.message} ({why})", state="new")


def by_new_comments(
    before: Evaluation, after: CheckResult, root: str, renamed: Mapping[str, str], config: ConfigSource
) -> list[Suppressed]:
    """What only a comment hides that the base did not have; ``root`` holds the files as they are now."""
    hidden = [one for one in after.suppressed if one.cause == "comment" and is_about_safety(one.finding)]
    if not hidden:
        return []
    then, now = Identity(before.collection.root), Identity(root)
    approved = Counter(
        then(one.finding, one.finding.path) for one in before.checked.suppressed if one.cause == "comment"
    )
    ignores = suppress.comments(before.collection, config, all_names)
    whole = {(path, rule) for path, some in ignores.items() for one in some if one.lines is None for rule in one.rules}
    back = []
    for one in hidden:
        path = renamed.get(one.finding.path, one.finding.path)
        if (path, one.finding.rule) not in whole:
            key = now(one.finding, path)
            approved[key] -= 1
            back += [one] if approved[key] < 0 else []
    return back


def by_new_configuration(trusted: CheckResult, after: CheckResult) -> Iterator[Finding]:
    """What is shown by the configuration of the base and not by the one that the change brings."""
    known = {(finding.path, finding.content) for finding in after.findings}
    known |= {(one.finding.path, one.finding.content) for one in after.suppressed if one.cause == "comment"}
    for finding in trusted.findings:
        if is_about_safety(finding) and (finding.path, finding.content) not in known:
            yield finding
