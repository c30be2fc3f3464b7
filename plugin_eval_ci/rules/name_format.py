"""The name has characters that names may not have.

## What it flags

A skill's `name` that is not made of lower-case letters, digits and single hyphens between them: capital letters of
any script, blanks, underscores, dots, emoji, invisible characters, a hyphen at either end, two hyphens in a row.
Lower-case letters of other scripts are NAME_NON_ASCII, a longer name is NAME_TOO_LONG. Agents are left alone: Claude
Code takes their names as they are.

## Why

The Agent Skills specification allows no others, and clients that follow it refuse the skill. The name also becomes a
command and a folder, where blanks and invisible characters do harm.

## Bad

```markdown
---
name: Stock_Report
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

from collections.abc import Iterator

from plugin_eval_ci.analysis.headers import declared_name, plain_name
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "name"

_INVISIBLE = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})


def check(skill: Skill) -> Iterator[Hit]:
    """One hit with everything that is wrong with the name."""
    name = declared_name(skill)
    found = faults(name) if name else []
    if name and found:
        plain = plain_name(name)
        fix = f"Write {quote(plain)[1:-1]}." if plain else "Choose a name of letters, digits and hyphens."
        who, severity = _refusal(name)
        yield Hit(
            skill.header.line("name"),
            f"the name {quote(name)} has {', '.join(found)}; {who}",
            fix,
            "name",
            severity=severity,
        )


def _refusal(name: str) -> tuple[str, Severity]:
    """Who minds such a name, and how much that matters."""
    from plugin_eval_ci.clients.loading import dropped_by, renamed_by

    if not all(char.isascii() and (char.isalnum() or char in "-_.: ") for char in name) or not name[0].isalnum():
        return dropped_by("name-characters"), Severity.ERROR
    if ":" in name:
        return f"{renamed_by('name-colon')} shows another name", Severity.ERROR
    return "the specification and upload pages refuse it", Severity.NOTICE


def faults(name: str) -> list[str]:
    """What keeps a text from being a name, in words."""
    kinds = dict.fromkeys(word for char in name if (word := _fault(char)))
    if name.startswith("-") or name.endswith("-"):
        kinds["a hyphen at the start" if name.startswith("-") else "a hyphen at the end"] = None
    if "--" in name:
        kinds["two hyphens in a row"] = None
    return list(kinds)


def _fault(char: str) -> str | None:
    if char == "-" or "a" <= char <= "z" or "0" <= char <= "9":
        return None
    if char.isupper() or char.istitle():
        return "capital letters"
    if char == " ":
        return "blanks"
    from unicodedata import category

    kind = category(char)
    if kind in _INVISIBLE:
        return f"an invisible character (U+{ord(char):04X})"
    return None if kind[0] in "LM" or kind == "Nd" else f"'{char}'"
