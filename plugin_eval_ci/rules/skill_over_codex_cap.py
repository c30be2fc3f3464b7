"""The file is longer than the methodology allows for Codex.

## What it flags

A SKILL.md of more than 8,192 bytes, frontmatter included, in a skill without a non-empty file below `references/`.
Letters outside ASCII take two to four bytes. The finding is on the line where byte 8,192 lies.

## Why

Measured with Codex 0.171.0 on a text of 20 kB: a skill of an Agent Plugins plugin (plugin.json at the root) is cut at 8,000
bytes without a message, whatever references it has; a skill on its own, or of a `.claude-plugin` plugin, is read whole. The
line at 8,192 bytes is that of the methodology, which scores it.

## Bad

```text
stock-report/
  SKILL.md            14,600 bytes
```

## Good

```text
stock-report/
  SKILL.md             5,200 bytes
  references/fields.md 9,400 bytes
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.NOTICE
GROUP: Group = "portability"
WEIGHT: float | None = 0.15

_CAP = 8_192


def check(skill: Skill) -> Iterator[Hit]:
    """One hit, on the line where the cap is passed."""
    size = skill.source.size
    if size > _CAP and not skill.reference_files:
        head = skill.source.text.encode("utf-8", "surrogatepass")[:_CAP]
        message = (
            f"{size:,} bytes and no file in references/; Codex 0.171.0 cuts it at 8,000 in an Agent Plugins plugin"
        )
        fix = "Move detail into files below references/ and say in SKILL.md when to read them."
        yield Hit(head.count(b"\n") + 1, message, fix, "bytes")
