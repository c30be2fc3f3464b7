"""A path into the home folder of one person.

## What it flags

`/Users/NAME/…`, `/home/NAME/…` or `C:\\Users\\NAME\\…` in the text, in inline code, in commands or in configuration, each home folder
once. Placeholders (`/Users/username`, `/home/user`, `C:\\Users\\<you>`), accounts of machines (`/home/runner`, `/home/ubuntu`,
`/home/node`), examples, and output are not flagged.

## Why

The path exists on the author's machine only. An agent on any other machine fails at this step, and everyone can read the author's name.

## Bad

```markdown
Run `/Users/mara/code/stock/run.sh` first.
```

## Good

```markdown
Run `${CLAUDE_SKILL_DIR}/scripts/run.sh` first.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.references.home_paths import homes_in
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Document, Hit, Severity
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.WARNING
GROUP: Group = "links"


def check(document: Document) -> Iterator[Hit]:
    """Each home folder once, at its first line."""
    for line, home in homes_in(document.body):
        fix = "Use a path relative to the skill, ${CLAUDE_SKILL_DIR}, or $HOME."
        yield Hit(line, f"{quote(home)} is one person's home folder", fix, home)
