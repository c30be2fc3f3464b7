"""A path to another skill or agent does not resolve.

## What it flags

A link to another skill (`../label-print/SKILL.md`, `${CLAUDE_PLUGIN_ROOT}/skills/label-print/SKILL.md`), or a relative
path in inline code or plain words that leads to no skill or agent of this repository: `…/NAME`, `…/NAME/SKILL.md`,
`agents/…/NAME.md`. Code and words count only where the sentence sends the reader there ("see", "use", "continue with",
"hand over to" and the like, in eight languages), where a heading such as "Related skills" introduces the list, or where
the same sentence or list names a skill that exists. What is to be created, an example, a condition ("if … exists"), a
negation, history ("was removed"), another repository, a placeholder, an install location or a code block is no
reference. Each path is reported once, on its first line.

## Why

A renamed or removed skill leaves the skills that hand work over to it pointing at nothing.

## Bad

```markdown
When labels are missing, continue with `skills/label-printer`.
```

## Good

```markdown
When labels are missing, continue with `skills/label-print`.
```

## How to turn it off

Add `DEAD_CROSS_REF` to `ignore` in `.plugin-eval.yaml`, or run with `--ignore DEAD_CROSS_REF`.
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.resolve import MAX_CANDIDATES, cross_references, first_unread
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.wording import quoted

SEVERITY = Severity.WARNING
GROUP: Group = "anti-pattern"
WEIGHT: float | None = 0.05
SUBSUMES: tuple[str, ...] = ()


def check(skill: Skill) -> Iterator[Hit]:
    """Paths to other skills and agents that lead nowhere, each once."""
    cut = first_unread(skill)
    if cut is not None:
        message = f"only the first {MAX_CANDIDATES} paths to other skills and agents are looked at, up to this line"
        yield Hit(cut, message, "Name fewer of them, or move the list into references/.", "unread", weight=0.0)
    for reference in cross_references(skill):
        answer = reference.resolution
        if answer.status == "missing":
            message = f"{quoted(reference.path)} leads to no skill or agent of this repository"
            yield Hit(reference.line, message, "Name one that exists, or remove the reference.", reference.path)
        elif answer.status == "case":
            names = f"{quoted(reference.path)} is {quoted(answer.actual)} on disk"
            message = f"{names}: it works only where letter case does not matter"
            yield Hit(reference.line, message, f"Write {quoted(answer.actual)}.", reference.path)
