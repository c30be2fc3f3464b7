"""The description is cut in Claude Code's list of skills.

## What it flags

A skill whose `description` and `when_to_use` have together more than 1,536 characters. The message says at which words
the text is cut. Skills with `disable-model-invocation: true` or with `paths` are left out: they are not in the list.

## Why

Claude Code shows the model the first 1,536 characters of the two and picks the skill by them (as documented on
2026-08-22). What comes after the cut, often the conditions of use, helps nobody.

## Bad

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when … (and 900 characters more)
when_to_use: Not for orders; see order-list for … (and 700 characters more)
---
```

## Good

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
when_to_use: Not for orders; see order-list.
---
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.WARNING
GROUP: Group = "description"

_SHORT = 1_000  # characters that no client cuts: most descriptions have fewer, and need no profile
_SHOWN = 50


def check(skill: Skill) -> Iterator[Hit]:
    """One hit, on the field in which the text is cut."""
    length = len(skill.description) + len(skill.when_to_use)
    if length <= _SHORT:
        return
    from plugin_eval_ci.analysis.listing import is_listed, listing_text
    from plugin_eval_ci.clients import claude_code

    limit = claude_code().limits["listing"]
    shown, lost = listing_text(skill)
    if length <= limit or not lost or not is_listed(skill):
        return
    both = "description and when_to_use have" if skill.description and skill.when_to_use else "the description has"
    message = (
        f"{both} {length:,} characters; Claude Code lists the first {limit:,}, up to {quote(_end(shown[:-1]))},"
        f" and not {quote(lost[:_SHOWN].strip())} and what follows"
    )
    key = "when_to_use" if skill.when_to_use and len(skill.description) < limit else "description"
    fix = "Say first what the skill is for and when to use it, and move the rest into the text."
    yield Hit(skill.header.line(key), message, fix, key)


def _end(text: str) -> str:
    """The last words of a text."""
    tail = text[-_SHOWN:].strip()
    return "…" + (tail.partition(" ")[2] or tail if len(text) > _SHOWN else tail)
