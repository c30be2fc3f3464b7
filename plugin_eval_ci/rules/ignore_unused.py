"""An ignore comment hides nothing.

## What it flags

An ignore comment that names no rule, a rule that does not exist, or a rule that has nothing to say on the lines the comment speaks
of. A rule that was not run is not judged, nor is one that compares files with each other, since a run over one file cannot tell.

## Why

A comment in a SKILL.md costs every reader tokens. One that is left over hides the next real finding, and one with a typing error
hides none.

## Bad

```markdown
<!-- plugin-eval: ignore[ORPHAN_REFRENCE] written by the build -->
See [the table](references/generated.md).
```

## Good

```markdown
<!-- plugin-eval: ignore[ORPHAN_REFERENCE] written by the build -->
See [the table](references/generated.md).
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from plugin_eval_ci.model import Hit, Severity
from plugin_eval_ci.rules.base import Group

if TYPE_CHECKING:
    from plugin_eval_ci.analysis.ignore_comments import Ignore

SEVERITY = Severity.NOTICE
GROUP: Group = "comments"


def check(ignore: Ignore, idle: tuple[str, ...]) -> Iterator[Hit]:
    """What is wrong with the comment, and each rule of it that hid nothing."""
    for problem in ignore.problems:
        yield Hit(ignore.line, f"this ignore comment does nothing: {problem}", "Correct the comment, or remove it.")
    where = "in this file" if ignore.lines is None else "there"
    for rule in idle:
        yield Hit(
            ignore.line,
            f"this comment ignores {rule}, which finds nothing {where}",
            f"Remove {rule} from the comment.",
            rule,
        )
