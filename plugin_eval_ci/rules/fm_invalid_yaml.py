"""The frontmatter is not valid YAML.

## What it flags

Frontmatter that no YAML reader loads: a value with `: ` in it and no quotes, a tab as indentation, a value that
begins with `*`, `[` or `@`, an unclosed quote, a tag that asks for an object. The finding is on the line that
breaks it. Frontmatter of more than 65,536 characters, or nested more than 32 levels deep, is not read by this tool
and reported here as a notice: the clients read it.

## Why

Copilot CLI drops a skill whose YAML it cannot read, most other clients too. Some repair a value with `: ` in it, or show
the first line of the text in place of the description.

## Bad

```markdown
---
name: stock-report
description: Stock report: levels, gaps and reorder list. Use when asked for stock.
---
```

## Good

```markdown
---
name: stock-report
description: "Stock report: levels, gaps and reorder list. Use when asked for stock."
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
    for hit in of_header(document, "FM_INVALID_YAML"):
        if hit.severity is None and isinstance(document, Skill):
            from plugin_eval_ci.clients.loading import dropped_by

            hit = hit._replace(message=f"{hit.message}; {dropped_by('invalid-yaml')}")
        yield hit
