"""The file is longer than the specification recommends.

## What it flags

A SKILL.md of more than 500 lines, or whose text below the frontmatter has more than 5,000 tokens by estimate: a
quarter of a token for each character, one for each CJK character. Where `BLOATED_SKILL` speaks, this rule is silent.

## Why

The Agent Skills specification recommends fewer than 500 lines and 5,000 tokens: all of it is read into the model's
context each time the skill is used, and stays there. Files in `references/` are read only when a step calls for them.

## Bad

```text
stock-report/
  SKILL.md            640 lines
```

## Good

```text
stock-report/
  SKILL.md            210 lines: the steps, and when to read which file
  references/fields.md
  references/errors.md
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.NOTICE
GROUP: Group = "file"

_LINES = 500
_TOKENS = 5_000


def check(skill: Skill) -> Iterator[Hit]:
    """One hit, on the first line too many, or about where the tokens are too many."""
    lines, text = skill.source.line_count, skill.body.text
    if lines <= _LINES and _at_most(text) <= _TOKENS:
        return
    count = _estimate(text)
    if lines <= _LINES and count <= _TOKENS:
        return
    if lines > _LINES:
        line, said = _LINES + 1, f"{lines:,} lines, an estimated {count:,} tokens"
    else:
        line = skill.body.first_line + text.count("\n", 0, len(text) * _TOKENS // count)
        said = f"an estimated {count:,} tokens"
    message = f"{said}; the specification recommends fewer than {_LINES} lines and {_TOKENS:,} tokens"
    yield Hit(line, message, "Move detail that not every use needs into files below references/.", "length")


def _at_most(text: str) -> int:
    """No fewer tokens than the estimate, without a look at each letter: a CJK character has two bytes more than one."""
    length = len(text)
    more = 0 if text.isascii() else len(text.encode("utf-8", "surrogatepass")) - length
    return length // 4 + 1 + more // 2


def _estimate(text: str) -> int:
    if text.isascii():
        return -(-len(text) // 4)
    from plugin_eval_ci.parse.facts import tokens

    return tokens(text)
