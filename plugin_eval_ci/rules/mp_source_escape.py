"""A marketplace entry points outside the marketplace.

## What it flags

An entry of marketplace.json whose `source` is an absolute path, holds `..`, or is a link that leaves the repository;
likewise `metadata.pluginRoot`. Nothing out there is read.

## Why

Only the marketplace's own repository is fetched, so the folder is not there for anybody else. `claude plugin
validate` refuses `..` in a source.

## Bad

```json
{
  "name": "acme-tools",
  "owner": {"name": "Acme"},
  "plugins": [{"name": "store", "source": "../store"}]
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

import os
from collections.abc import Iterator

from plugin_eval_ci.analysis.plugin_entries import line_of, source_hits
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Hit, Manifest, Severity
from plugin_eval_ci.parse.manifest_value import member
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "manifest"


def check(manifest: Manifest) -> Iterator[Hit]:
    """One hit for each entry, and one for metadata.pluginRoot."""
    yield from source_hits(manifest, "ESCAPE")
    base = member(member(manifest.value, "metadata"), "pluginRoot") if manifest.kind == "marketplace" else None
    if base is None or base.kind != "text":
        return
    if os.path.isabs(base.text) or ".." in base.text.replace("\\", "/").split("/"):
        message = f"metadata.pluginRoot {quote(base.text)} leaves the marketplace"
        yield Hit(line_of(base), message, "Name a folder below the marketplace's root.", "pluginRoot")
