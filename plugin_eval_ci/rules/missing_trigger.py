"""Nothing says when to use the skill.

## What it flags

A skill with no trigger phrase in `description` or `when_to_use`, such as "Use when …", "This skill should be used
when …", "Triggers: …", "when the user asks …", or their counterparts in Chinese, Japanese, Korean, Spanish,
Portuguese, French and German. "Always invoke for …", "Only activate in …", "Use with …", "Mandatory before …" and the
user's own words (`Say "…"`, `Trigger with "…"`) count too, and so does a sentence that begins with the situation
("Before you merge, …"). A negated phrase ("do not use when …", "not intended for use in …") does not count. Any
`when_to_use` counts, unless it only says when not to use the skill.

Silent for a skill that is not picked by its description (`disable-model-invocation` is true, or `paths` names a
pattern), for a description in any other language, and when the frontmatter cannot be read or `name` or
`description` is not text. An absent description is shown as DESC_MISSING, and counted here.

## Why

The model sees only this text when it decides. What a skill does is half of the answer; without the situations in
which to use it, it is passed over, or picked at the wrong time.

## Bad

```markdown
---
name: stock-report
description: Builds the weekly stock report from the warehouse export.
---
```

## Good

```markdown
---
name: stock-report
description: Builds the weekly stock report from the warehouse export. Use when someone asks for stock levels.
---
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.headers import is_readable
from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.parse.facts import is_picked_by_description
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.WARNING
GROUP: Group = "anti-pattern"
WEIGHT: float | None = 0.15


def check(skill: Skill) -> Iterator[Hit]:
    """One hit, on the line of the description."""
    texts = [text for text in (skill.description, skill.when_to_use) if text]
    if any(says_plainly(text) for text in texts) or not is_readable(skill) or not is_picked_by_description(skill):
        return
    from plugin_eval_ci.languages import is_supported, language_of, says_when

    if says_when(skill.description, skill.when_to_use) or not is_supported("\n".join(texts)):
        return
    opening = language_of("\n".join(texts)).opening
    how = "a sentence like" if "…" in opening else "a sentence that begins with"
    fix = f'Add {how} "{opening}" and name{"" if "…" in opening else "s"} the situations.'
    message = "the description does not say when to use the skill"
    yield Hit(skill.header.line("description"), message, fix, "description")


def says_plainly(text: str) -> bool:
    """Whether one of the commonest phrases stands there unnegated: such a text needs no table, and a hook has no time for one.

    It may miss what the tables find, never the other way round.
    """
    words = f" {' '.join(text.lower().split())}"
    for phrase in _PLAIN:
        place = words.find(phrase)
        if place < 0 or words.startswith(_WORDS_OF_CODE, place + len(phrase)):
            continue
        stands = (
            place == 0 or words[place - 1] in ".!?" or (phrase in _ANYWHERE and not words.endswith(" how to", 0, place))
        )
        if stands and not any(word in words[max(0, place - 40) : place + 1] for word in _NEGATIONS):
            return True
    return False


_WHEN = ("when", "whenever", "before", "after")
_USE = ("use", "use this", "use this skill", "use it", "should be used")
_ANYWHERE = tuple(f" {verb} {when} " for verb in _USE for when in _WHEN)
_PLAIN = (
    *_ANYWHERE,
    *(f" {verb} {when} " for verb in ("used", "apply", "invoke") for when in _WHEN),
    *(" use for ", " use this skill to ", " use this skill for "),
)
# "Use when expressions": about a word of a programming language.
_WORDS_OF_CODE = ("expression", "clause", "guard", "statement", "loop", "hook")
_NEGATIONS = ("not ", "n't ", "n’t ", "never ", "avoid ", "without ", "no ", "cannot ")
