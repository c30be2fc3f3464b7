"""A link leads to a section that the page does not have.

## What it flags

A link with `#section` into the same page or into another Markdown page of the repository where no heading gives that anchor, by the
rule GitHub uses (lower case, blanks as hyphens, punctuation dropped), and no HTML element has that `id` or `name`.

## Why

The reader lands at the top of the page, or nowhere; most often the heading was renamed.

## Bad

```markdown
See [limits](#known-limits).

Limits
------
```

## Good

```markdown
See [limits](#limits).

Limits
------
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.references import references_of
from plugin_eval_ci.analysis.references.anchors import anchors_of, has_anchor
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.NOTICE
GROUP: Group = "links"


def check(skill: Skill) -> Iterator[Hit]:
    """Anchors that no heading gives, each once a file."""
    seen: set[tuple[str, str]] = set()
    for reference in references_of(skill):
        key = (reference.file, reference.target)
        if not reference.anchor or reference.resolution.status != "found" or key in seen:
            continue
        seen.add(key)
        anchors = anchors_of(skill, reference.resolution.place)
        if anchors is not None and not has_anchor(anchors, reference.anchor):
            from difflib import get_close_matches  # only when there is something to report

            message = f"no heading has the anchor {quote('#' + reference.anchor)}"
            close = get_close_matches(reference.anchor[:80], anchors, 1, 0.8)
            fix = f"Did you mean {quote('#' + close[0])}?" if close else "Correct the anchor or the heading."
            yield Hit(reference.line, message, fix, reference.target, path=reference.file)
