"""Blanks follow the dashes of the frontmatter.

## What it flags

An opening or closing line of the frontmatter that is `---` followed by blanks or tabs. It is an error on the first line of
a skill, else a notice.

## Why

Gemini CLI compares the first line with exactly `---` and drops the skill. After the closing line blanks do no harm.

## Bad

```text
---··
name: stock-report
---
```

(each · is a blank)

## Good

```text
---
name: stock-report
---
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Document, Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.problems import of_header

SEVERITY = Severity.ERROR
GROUP: Group = "header"


def check(document: Document) -> Iterator[Hit]:
    """The header's problems of this kind."""
    for hit in of_header(document, "FM_FENCE_STYLE"):
        if hit.line > 1 or not isinstance(document, Skill):
            yield hit._replace(severity=Severity.NOTICE)
            continue
        from plugin_eval_ci.clients.loading import dropped_by

        yield hit._replace(message=f"{hit.message}: {dropped_by('blank-after-fence')}")
