"""There are keys that no client is known to read.

## What it flags

A key in the frontmatter of a skill or an agent, in plugin.json or in marketplace.json that is in no profile of a
client. One finding for each file names them all, and a second one those of the entries of a marketplace. It is a
warning when one of them looks like a known key with a typing error, else a notice: a key of your own does no harm where
it is ignored.

## Why

A key with a typing error does nothing, without any message. Uploads to claude.ai and the Skills API refuse any key but
name, description, license, compatibility, metadata and allowed-tools.

## Bad

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
disable-model-invokation: true
---
```

## Good

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
disable-model-invocation: true
metadata:
  origin: warehouse team
---
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.headers import PORTABLE, hit_of
from plugin_eval_ci.analysis.plugin_entries import entries
from plugin_eval_ci.model import Collection, Document, Hit, Manifest, Severity, Skill, Value
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.WARNING
GROUP: Group = "fields"
_SUGGESTED = ("agent-skills", "claude-code", "copilot", "cursor")  # others' keys mean nothing to most readers


def check(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """One hit for each file, on the first of its unknown keys, and one for the entries of a marketplace."""
    for document in collection.documents:
        kind = "skill" if isinstance(document, Skill) else "agent"
        keys = [(field.key, field.line) for field in document.header.fields if field.key not in PORTABLE]
        hit = _of_document(document, kind, keys) if keys else None
        if hit is not None:
            yield document.source.path, hit
    for manifest in collection.manifests:
        for hit in _manifest(manifest):
            yield manifest.source.path, hit


def _of_document(document: Document, kind: str, keys: list[tuple[str, int]]) -> Hit | None:
    """An agent is compared with its own clients' keys; what another client knows is not a typing error."""
    from plugin_eval_ci.clients import keys_of
    from plugin_eval_ci.discover.clients import OTHER, clients_of

    advice = "Move your own keys below metadata."
    if kind == "skill":
        return hit_of(kind, keys, advice, keys_of(kind, _SUGGESTED))
    clients = clients_of(document)
    return None if clients == (OTHER,) else hit_of(kind, keys, advice, keys_of(kind, clients))


def _manifest(manifest: Manifest) -> Iterator[Hit]:
    if manifest.value is None or manifest.kind not in ("plugin", "marketplace"):
        return
    below = [key for _, entry in entries(manifest) for key in _keys(entry)]
    for kind, keys in ((manifest.kind, _keys(manifest.value)), ("entry", below)):
        hit = hit_of(kind, keys, "Remove what nobody reads.")
        if hit is not None:
            yield hit


def _keys(value: Value) -> list[tuple[str, int]]:
    return [(key, below.key_line) for key, below in value.entries]
