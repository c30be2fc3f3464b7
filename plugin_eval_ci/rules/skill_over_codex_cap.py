"""The file is longer than the methodology allows for Codex.

## What it flags

A SKILL.md of more than 8,192 bytes, frontmatter included, in a skill without a non-empty file below `references/`.
Letters outside ASCII take two to four bytes. The finding is on the line of byte 8,192.

## Why

Measured with Codex 0.171.0 on a text of 20 kB: a skill of an Agent Plugins plugin (plugin.json at the root) is cut at 8,000
bytes without a message, whatever references it has; a skill on its own, or of a `.claude-plugin` plugin, is read whole. The
score counts 8,192 bytes, as the methodology does. The message names Codex only if the plugin has such a plugin.json.

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

import os
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
        cut = skill.plugin and os.path.isfile(os.path.join(skill.plugin, "plugin.json"))
        why = "Codex 0.171.0 cuts it at 8,000" if cut else f"the methodology allows {_CAP:,}"
        message = f"{size:,} bytes in one file; {why}"
        fix = "Move detail into files below references/ and say in SKILL.md when to read them."
        yield Hit(head.count(b"\n") + 1, message, fix, "bytes")
