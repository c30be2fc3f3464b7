"""Two entries of a marketplace have one name.

## What it flags

A later entry of marketplace.json with the `name` of an earlier one.

## Why

`claude plugin validate` refuses the marketplace, and only one of the two plugins can be installed.

## Bad

```json
{
  "name": "acme-tools",
  "owner": {"name": "Acme"},
  "plugins": [
    {"name": "store", "source": "./plugins/store"},
    {"name": "store", "source": "./plugins/old-store"}
  ]
}
```

## Good

```json
{
  "name": "acme-tools",
  "owner": {"name": "Acme"},
  "plugins": [
    {"name": "store", "source": "./plugins/store"},
    {"name": "old-store", "source": "./plugins/old-store"}
  ]
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.plugin_entries import entries, line_of, text_of
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Hit, Manifest, Severity
from plugin_eval_ci.parse.manifest_value import member
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "manifest"


def check(manifest: Manifest) -> Iterator[Hit]:
    """One hit for each later entry, on the line of its name."""
    first: dict[str, int] = {}
    for _, entry in entries(manifest):
        name, value = text_of(entry, "name"), member(entry, "name")
        if name is None or value is None:
            continue
        if name in first:
            message = f"{quote(name)} is also the name of the entry on line {first[name]}"
            yield Hit(line_of(value), message, "Give one of the two another name, or remove it.", name)
        first.setdefault(name, line_of(value))
