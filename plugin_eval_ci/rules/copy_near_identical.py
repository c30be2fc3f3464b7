"""A skill or an agent is nearly a copy of one in another plugin.

## What it flags

A skill or an agent of which at least 85 % of all lines are also in one of another plugin of the repository. The finding is on the
later path and names the first. Short bodies (fewer than 12 lines of text), translations and copies inside one plugin are left out.

## Why

If you fix a mistake in one copy, it stays in the others. Whoever installs both plugins pays for the text twice, and the model has to choose
between two that say the same.

## Bad

```text
plugins/store/agents/code-reviewer.md
plugins/depot/agents/code-reviewer.md      the same text
```

## Good

```text
plugins/review/agents/code-reviewer.md     the only one; the others ask for the plugin
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Agent, Collection, Document, Hit, Severity
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.NOTICE
GROUP: Group = "content"

_LEAST = 0.85


def check(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """One hit for each later copy."""
    for group in (collection.skills, collection.agents):
        documents: list[Document] = [document for document in group if _is_shipped(document)]
        if len({document.plugin for document in documents}) < 2:
            continue
        from plugin_eval_ci.analysis.overlap import copies

        for earlier, later, likeness in copies([document.body.text for document in documents], _LEAST):
            one, two = documents[earlier], documents[later]
            if one.plugin == two.plugin or one.source.file == two.source.file or _for_other_clients(one, two):
                continue
            kind = "agent" if isinstance(two, Agent) else "skill"
            share = "the same text as" if likeness == 1.0 else f"{likeness:.0%} of its lines in common with"
            message = f"the {kind} has {share} {quote(one.source.path)}"
            fix = "Keep one copy, and make the other plugin depend on it."
            yield two.source.path, Hit(max(1, two.body.first_line), message, fix, one.source.path)


def _for_other_clients(one: Document, two: Document) -> bool:
    """Whether two copies are of the same name and no client loads both: one copy for each client, made on purpose."""
    from plugin_eval_ci.discover.clients import clients_of

    return one.name == two.name and set(clients_of(one)).isdisjoint(clients_of(two))


def _is_shipped(document: Document) -> bool:
    """Whether it belongs to a plugin, not to a folder such as .claude or .agents, which mirror each other on purpose."""
    return (
        bool(document.plugin)
        and document.header.problem is None
        and not document.source.path.startswith(".")
        and "/." not in document.source.path
    )
