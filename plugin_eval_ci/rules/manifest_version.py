"""The version of a plugin is not one, or there are two.

## What it flags

A `version` in plugin.json or of an entry in marketplace.json that is not text of the form 1.2.3 (semver, with or
without a suffix as in 1.2.3-beta.1), and an entry with another version than the plugin.json of its folder. Without
`.claude-plugin/plugin.json`, a plugin.json directly in that folder counts.

## Why

Users get an update when the version changes. With two versions it is chance which of them counts.

## Bad

```json
{
  "name": "store",
  "version": "v1.2"
}
```

## Good

```json
{
  "name": "store",
  "version": "1.2.0"
}
```
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from plugin_eval_ci.analysis.plugin_entries import entries, line_of, local_entries, plugin_manifests, text_of
from plugin_eval_ci.analysis.wording import kind_of, quote
from plugin_eval_ci.model import Collection, Hit, Manifest, Severity, Value
from plugin_eval_ci.parse.manifest import load
from plugin_eval_ci.parse.manifest_value import member
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.util.lazy import Lazy

SEVERITY = Severity.WARNING
GROUP: Group = "manifest"

_WORD = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
_SEMVER = Lazy(rf"(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){{2}}(?:-{_WORD})?(?:\+{_WORD})?")


def check(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """Each version in another form, then each entry that its plugin contradicts."""
    for manifest in collection.manifests:
        if manifest.value is None or manifest.kind not in ("plugin", "marketplace"):
            continue
        holders = [manifest.value] if manifest.kind == "plugin" else [entry for _, entry in entries(manifest)]
        for hit in (hit for holder in holders for hit in _form(holder)):
            yield manifest.source.path, hit
    for manifest, hit in _two_versions(collection):
        yield manifest.source.path, hit


def _form(holder: Value) -> Iterator[Hit]:
    value = member(holder, "version")
    if value is None or (value.kind == "text" and _SEMVER().fullmatch(value.text)):
        return
    shown = quote(value.text) if value.kind == "text" else kind_of(value)
    message = f"the version is {shown}, expected a string such as '1.2.0'"
    yield Hit(line_of(value), message, "Write it as MAJOR.MINOR.PATCH.", "version")


def _two_versions(collection: Collection) -> Iterator[tuple[Manifest, Hit]]:
    owns = plugin_manifests(collection)
    for manifest, entry, place in local_entries(collection):
        own, value = owns.get(place), member(entry, "version")
        version = text_of(entry, "version")
        path, other = _of_plugin(own, place, manifest.root)
        if value is not None and version and other and version != other:
            message = f"the entry says version {quote(version)}, {quote(path)} says {quote(other)}"
            yield (
                manifest,
                Hit(line_of(value), message, "Keep the version in one place, or make both equal.", "version"),
            )


def _of_plugin(own: Manifest | None, place: str, root: str) -> tuple[str, str | None]:
    """The file that describes a plugin and the version it has there; without a manifest, a plugin.json at its root."""
    if own is not None:
        return own.source.path, text_of(own.value, "version")
    file = os.path.join(place, "plugin.json")
    version = load(file, root).get("version")
    return os.path.relpath(file, root).replace(os.sep, "/"), version.strip() if isinstance(version, str) else None
