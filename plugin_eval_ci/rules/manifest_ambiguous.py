"""Readers of JSON disagree about this file.

## What it flags

A manifest with a key that stands twice in one object, with half of a surrogate pair in a text, or with a byte order
mark before its first bracket.

## Why

Most readers keep the last of two equal keys and say nothing, so one of the two is lost; some refuse the file. Many
refuse a byte order mark.

## Bad

```json
{
  "name": "store",
  "skills": ["./extra"],
  "skills": ["./more"]
}
```

## Good

```json
{
  "name": "store",
  "skills": ["./extra", "./more"]
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Hit, Manifest, Severity
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.problems import hit_of

SEVERITY = Severity.WARNING
GROUP: Group = "manifest"


def check(manifest: Manifest) -> Iterator[Hit]:
    """What reading the file noted."""
    return (hit_of(note) for note in manifest.notes if note.kind == "MANIFEST_AMBIGUOUS")
