"""The source of a marketplace entry has no form that is read.

## What it flags

An entry of marketplace.json without a `source`, with one that is neither text nor an object, or with a text that does
not begin with `./`. Bare names are fine where `metadata.pluginRoot` is set. An object must name a kind (github, url,
git-subdir, npm, archive, command) and have what that kind needs. A warning only: the source `.`, which older versions
refuse, and a kind that is not known here.

## Why

Claude Code does not load the entry; older versions load nothing of the whole marketplace.

## Bad

```json
{
  "name": "acme-tools",
  "owner": {"name": "Acme"},
  "plugins": [{"name": "store", "source": "plugins/store"}]
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
    yield from source_hits(manifest, "FORMAT")
