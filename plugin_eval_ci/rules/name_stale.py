"""A skill, agent or command is named that the repository does not have.

## What it flags

- An entry of `skills` in an agent's frontmatter that is the name of no skill in the repository.
- `plugin:name` in the text, where the repository has the plugin and the plugin has nothing of that name.
- "the `name` skill" and "the `name` agent" (in backticks or bold), where no such name exists and one that is nearly the same does: what
  a renaming leaves behind.
- Against a base (`lint --base REF`, `diff`): a name that the base had and that this change renames or removes, however it is written.
  What it is called now stands in the fix. Without a base nobody looks into git's history: to follow each name through it would
  cost more than everything else together.

Names of skills from elsewhere, examples, commands in a plugin's `workflows/`, skills that a command of the plugin creates, and what
the sentence calls old, removed or still to be created are not flagged.

## Why

The agent looks for it, finds nothing, and goes on without. After a renaming nothing else tells the author.

## Bad

```markdown
Then hand over to the `ledger-merger` skill.
```

## Good

```markdown
Then hand over to the `ledger-merge` skill.
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from plugin_eval_ci.analysis.wording import closest_name, quote
from plugin_eval_ci.model import Agent, Collection, Document, Hit, Severity
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.util.lazy import Lazy

if TYPE_CHECKING:
    from plugin_eval_ci.analysis.names import KnownNames, Promise

SEVERITY = Severity.WARNING
GROUP: Group = "links"

_KINDS = (" skill", " agent", " subagent", " sub-agent")
_PREFIX = Lazy(r":(?<=[a-z0-9]:)[a-z]")  # begins with one rare letter, which is fast to find
_FEW = 10  # documents: a run over so few knows nothing of the rest of the repository


def check(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """Each name once a document; the rest of the repository is looked through only when one is not found at once."""
    from plugin_eval_ci.analysis import names
    from plugin_eval_ci.analysis import names as renames

    found = [(document, *promised) for document in collection.documents for promised in _promises(document)]
    known = names.known_names(collection, listed=False)
    found = [item for item in found if not names.is_known(known, item[1])]
    known = names.known_names(collection) if found else known
    open_ = [item for item in found if not names.is_known(known, item[1])]
    few = len(collection.documents) <= _FEW or bool(collection.renamed)
    if not any(few or _hit(known, promise, needed) for _, promise, needed in open_):
        return
    known = names.known_names(collection, disk=True)
    seen: set[tuple[str, str]] = set()
    for document, promise, needed in open_:
        key = (document.source.path, promise.written)
        if key not in seen and not names.is_known(known, promise):
            seen.add(key)
            hit = renames.hit(promise, known, collection.renamed)
            if hit or ((hit := _hit(known, promise, needed)) and not names.is_made_at_run_time(document, promise)):
                yield document.source.path, hit


def _promises(document: Document) -> Iterator[tuple[Promise, bool]]:
    needs = isinstance(document, Agent) and document.header.field("skills") is not None
    if not needs and not _may_promise(document):
        return
    from plugin_eval_ci.analysis import names

    yield from ((promise, False) for promise in names.promises_of(document))
    yield from ((promise, True) for promise in (names.needed_by(document) if isinstance(document, Agent) else ()))


def _may_promise(document: Document) -> bool:
    text = document.body.text
    marked = "** skill" in text or "** agent" in text or _PREFIX().search(text) is not None
    return marked or any(span.after.startswith(_KINDS) for span in document.body.code_spans)


def _hit(known: KnownNames, promise: Promise, needed: bool) -> Hit | None:
    what = promise.kind or "skill, agent or command"
    if promise.plugin:
        if promise.plugin not in known.plugins:
            return None  # a plugin from elsewhere
        close = closest_name(promise.name, known.plugins[promise.plugin])
        message = f"the plugin {quote(promise.plugin)} has no {what} {quote(promise.name)}"
    else:
        close = closest_name(promise.name, known.skills if needed else known.all)
        if not close and not needed:
            return None
        message = f"this repository has no {what} {quote(promise.name)}"
    fix = f"Did you mean {quote(close)}?" if close else "Correct the name, or remove it."
    return Hit(promise.line, message, fix, promise.written)
