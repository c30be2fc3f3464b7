"""A marketplace entry points at a folder that is not there.

## What it flags

An entry of marketplace.json whose `source` is a path below the marketplace that does not exist or is a file.

## Why

Every check of the JSON passes, and whoever installs the plugin gets an error. It happens when a folder is renamed or
removed and its entry stays.

## Bad

```json
{
  "name": "acme-tools",
  "owner": {"name": "Acme"},
  "plugins": [{"name": "store", "source": "./plugins/shop"}]
}
```

## Good

```json
{
  "name": "acme-tools",
  "owner": {"name": "Acme"},
  "plugins": [{"name": "store", "source": "./plugins/store"}]
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.plugin_entries import source_hits
from plugin_eval_ci.model import Hit, Manifest, Severity
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "manifest"


def check(manifest: Manifest) -> Iterator[Hit]:
    """One hit for each entry, on the line of its source."""
    yield from source_hits(manifest, "MISSING")
