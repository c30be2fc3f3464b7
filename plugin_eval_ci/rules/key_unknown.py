"""There are keys that no client is known to read.

## What it flags

A key in the frontmatter of a skill or an agent, in plugin.json or in marketplace.json that is in no profile of a
client. One finding for each file names them all. It is a warning when one of them looks like a known key with a
typing error, else a notice: a key of your own does no harm where it is ignored.

## Why

A key with a typing error does nothing and nobody says so. Uploads to claude.ai and the Skills API refuse any key but
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

## How to turn it off

Add `KEY_UNKNOWN` to `ignore` in `.plugin-eval.yaml`, or run with `--ignore KEY_UNKNOWN`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from plugin_eval_ci.model import Collection, Hit, Manifest, Severity, Skill, Value
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.facts import PORTABLE
from plugin_eval_ci.rules.manifests import entries
from plugin_eval_ci.rules.wording import nearest, quoted

SEVERITY = Severity.WARNING
GROUP: Group = "fields"
WEIGHT: float | None = None
SUBSUMES: tuple[str, ...] = ()

_SHOWN = 6


def check(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """One hit for each file, on the first of its unknown keys."""
    for document in collection.documents:
        kind = "skill" if isinstance(document, Skill) else "agent"
        keys = [(field.key, field.line) for field in document.header.fields if field.key not in PORTABLE]
        hit = _hit(kind, keys, "Move your own keys below metadata.") if keys else None
        if hit is not None:
            yield document.source.path, hit
    for manifest in collection.manifests:
        hit = _manifest(manifest)
        if hit is not None:
            yield manifest.source.path, hit


def _manifest(manifest: Manifest) -> Hit | None:
    if manifest.value is None or manifest.kind not in ("plugin", "marketplace"):
        return None
    hit = _hit(manifest.kind, _keys(manifest.value), "Remove what nobody reads.")
    if hit is None and manifest.kind == "marketplace":
        keys = [key for _, entry in entries(manifest) for key in _keys(entry)]
        hit = _hit("entry", keys, "Remove what nobody reads.")
    return hit


def _keys(value: Value) -> list[tuple[str, int]]:
    return [(key, below.key_line) for key, below in value.entries]


def _hit(kind: str, keys: list[tuple[str, int]], advice: str) -> Hit | None:
    from plugin_eval_ci.profiles import known_keys

    known = known_keys(kind)
    unknown: dict[str, int] = {}
    for key, line in keys:
        if key not in known and not key.startswith(("$", "_", "x-")):
            unknown.setdefault(key, line)
    if not unknown:
        return None
    near = [
        (key, close) for key in list(unknown)[:_SHOWN] if (close := _meant(key, known - {name for name, _ in keys}))
    ]
    first = near[0][0] if near else next(iter(unknown))
    names = ", ".join(quoted(key) for key in [first, *(key for key in unknown if key != first)][:_SHOWN])
    more = f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
    fix = f"Did you mean {quoted(near[0][1])}?" if near else advice
    severity = Severity.WARNING if near else Severity.NOTICE
    return Hit(
        unknown[first],
        f"neither the specification nor a client profile of this tool knows {names}{more}",
        fix,
        first,
        severity=severity,
    )


@lru_cache(maxsize=512)
def _meant(key: str, known: frozenset[str]) -> str | None:
    """``nearest``, which is slow, once for a key that many files of a repository have."""
    return nearest(key, known)
