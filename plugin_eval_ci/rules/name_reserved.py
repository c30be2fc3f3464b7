"""The name has a word that uploads refuse.

## What it flags

A skill's `name` with `claude` or `anthropic` as one of its words: `claude-helper`, `my-claude-notes`. No other word
is reserved. Skills of Anthropic itself are left alone.

## Why

Anthropic's upload page and Skills API refuse such names. Claude Code and other clients accept them, so ignore this
rule for skills that are never uploaded.

## Bad

```markdown
---
name: claude-stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
---
```

## Good

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
---
```
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from plugin_eval_ci.analysis.headers import declared_name
from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.NOTICE
GROUP: Group = "name"

_WORD = r"(?i)(?<![a-z])(claude|anthropic)(?![a-z])"


def check(skill: Skill) -> Iterator[Hit]:
    """One hit, on the line of the name."""
    name = declared_name(skill)
    found = re.search(_WORD, name) if name else None
    if found and not _is_vendor(skill):
        message = f"the name has the word {found[1].lower()}, which only Anthropic's upload page refuses"
        yield Hit(skill.header.line("name"), message, "Leave that word out of the name.", "name")


def _is_vendor(skill: Skill) -> bool:
    """Whether Anthropic publishes the skill itself, as the manifest of its plugin or marketplace says."""
    from plugin_eval_ci.parse.manifest import load, manifest_of

    plugin = load(manifest_of(skill.plugin) or "", skill.root) if skill.plugin and manifest_of(skill.plugin) else {}
    market = load(os.path.join(skill.root, ".claude-plugin", "marketplace.json"), skill.root)
    people = [plugin.get("author"), market.get("owner")]
    return any(str(one.get("name", "")).lower().startswith("anthropic") for one in people if isinstance(one, dict))
