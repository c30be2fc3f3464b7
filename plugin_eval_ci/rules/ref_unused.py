"""A bundled file that nothing in the skill mentions.

## What it flags

A file below `references/`, `scripts/` or `assets/`, or next to SKILL.md, whose name, path or folder appears neither in SKILL.md nor
in another text file of the skill, and whose whole path (`stock-report/scripts/run.py`) no hook, command, agent, sibling skill or top
file of the plugin names. A longer word that contains the name (`redeploy.shell`) does not count as a mention of `deploy.sh`. Licences,
package files, hidden files, tests, documents for people (README, CHANGELOG, …) and files that several skills have are left alone.

## Why

An agent opens the files that the text names. A file that nothing names is never opened, yet it is shipped and maintained.

## Bad

`references/limits.md` exists; SKILL.md and the other files never mention `limits.md`.

## Good

```markdown
Read [the limits](references/limits.md) before a bulk import.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.references import references_of
from plugin_eval_ci.analysis.references.bundle import nearest, unused_files
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.NOTICE
GROUP: Group = "links"

_MOST = 50  # of one skill; whoever has more has seen the point


def check(skill: Skill) -> Iterator[Hit]:
    """Files that nothing mentions; on line 1 of SKILL.md, since it has no other place."""
    names = unused_files(skill)
    if not names:
        return
    missing = {reference.local.path for reference in references_of(skill) if reference.resolution.status == "missing"}
    meant = {nearest(skill, path) for path in missing}  # a link that misses a file by a letter is reported as that
    for name in [name for name in names if name not in meant][:_MOST]:
        message = f"nothing in the skill mentions {quote(name)}"
        yield Hit(1, message, "Say in SKILL.md when to use it, or remove it.", name)
