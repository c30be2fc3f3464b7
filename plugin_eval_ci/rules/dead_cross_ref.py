"""A path to another skill or agent does not resolve.

## What it flags

A link to another skill (`../label-print/SKILL.md`, `${CLAUDE_PLUGIN_ROOT}/skills/label-print/SKILL.md`), or a relative
path in inline code or plain words that leads to no skill or agent of this repository: `…/NAME`, `…/NAME/SKILL.md`,
`agents/…/NAME.md`. Code and words count only where the sentence sends the reader there ("see", "use", "continue with",
"hand over to" and the like, in eight languages), where a heading such as "Related skills" introduces the list, or where
the same sentence or list names a skill that exists. What is to be created, an example, a condition ("if … exists"), a
negation, history ("was removed"), another repository, a placeholder, an install location, a code block or a skill whose
folder is a template does not count.
Each path is reported once, on its first line. A dead link is an error, a path in code or words a warning.

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
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.placeholders import is_template
from plugin_eval_ci.analysis.resolve import MAX_CANDIDATES, cross_references, first_unread
from plugin_eval_ci.analysis.resolve.target import nearest_target
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "anti-pattern"
WEIGHT: float | None = 0.05


def check(skill: Skill) -> Iterator[Hit]:
    """Paths to other skills and agents that lead nowhere, each once."""
    cut = first_unread(skill)
    if cut is not None:
        message = f"only the first {MAX_CANDIDATES} paths to other skills and agents are checked, up to this line"
        fix = "Name fewer of them, or move the list into references/."
        yield Hit(cut, message, fix, "unread", weight=0.0, severity=Severity.WARNING)
    for reference in cross_references(skill):
        answer = reference.resolution
        if answer.status == "missing" and is_template(skill):
            continue  # the copy will have it
        if answer.status == "missing":
            message = f"{quote(reference.path)} does not lead to a skill or agent in this repository"
            near = nearest_target(skill, reference.path)
            fix = f"Did you mean {quote(near)}?" if near else "Name one that exists, or remove the reference."
            severity = None if reference.linked else Severity.WARNING
            yield Hit(reference.line, message, fix, reference.path, severity=severity)
        elif answer.status == "case":
            names = f"{quote(reference.path)} is {quote(answer.actual)} on disk"
            message = f"{names}: works only on case-insensitive file systems"
            fix = f"Write {quote(answer.actual)}."
            yield Hit(reference.line, message, fix, reference.path, severity=Severity.WARNING)
