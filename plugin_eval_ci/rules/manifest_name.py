"""A plugin's name is not kebab-case or is reserved, or the plugin has two names.

## What it flags

A `name` in plugin.json or marketplace.json, or of an entry there, that is not made of lower-case letters, digits and
single hyphens; with a blank in it, it is an error. In plugin.json also a name that begins with `claude-` or
`anthropic-`, unless Anthropic is the author, which is an error too. Also an entry whose plugin calls itself something
else in its plugin.json, unless another entry for the same folder uses that name.

## Why

The name is what people type to install the plugin and what its commands begin with; `claude plugin validate` warns
about names in another form, and refuses names with blanks and reserved ones. With two names the one people install is
not the one they see afterwards.

## Bad

```json
{
  "name": "Store Tools"
}
```

## Good

```json
{
  "name": "store-tools"
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.headers import plain_name
from plugin_eval_ci.analysis.plugin_entries import entries, line_of, local_entries, plugin_manifests, text_of
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Collection, Hit, Manifest, Severity, Value
from plugin_eval_ci.parse.manifest_value import member
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.util.lazy import Lazy

SEVERITY = Severity.WARNING
GROUP: Group = "manifest"

_RESERVED = ("claude-", "anthropic-")
_KEBAB = Lazy(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def check(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """Each name that is not kebab-case, then each entry that its plugin contradicts."""
    for manifest in collection.manifests:
        if manifest.kind in ("plugin", "marketplace") and manifest.value is not None:
            holders = [manifest.value, *(entry for _, entry in entries(manifest))]
            for hit in (hit for holder in holders for hit in _form(holder)):
                yield manifest.source.path, hit
        if manifest.kind == "plugin" and manifest.value is not None:
            yield from ((manifest.source.path, hit) for hit in _reserved(manifest.value))
    for manifest, hit in _two_names(collection):
        yield manifest.source.path, hit


def _form(holder: Value) -> Iterator[Hit]:
    name, value = text_of(holder, "name"), member(holder, "name")
    if name is None or value is None or _KEBAB().fullmatch(name):
        return
    severity = Severity.ERROR if any(map(str.isspace, name)) else None
    plain = plain_name(name)
    fix = (
        f"Write {quote(plain)}." if _KEBAB().fullmatch(plain) else "Use lower-case letters, digits and single hyphens."
    )
    yield Hit(line_of(value), f"the name {quote(name)} is not kebab-case", fix, "name", severity=severity)


def _reserved(plugin: Value) -> Iterator[Hit]:
    name, value = text_of(plugin, "name"), member(plugin, "name")
    author = text_of(member(plugin, "author"), "name") or ""
    start = next((word for word in _RESERVED if name and name.lower().startswith(word)), None)
    if start is not None and value is not None and not author.lower().startswith("anthropic"):
        message = f"the name {quote(name or '')} begins with {quote(start)}, which is reserved for Anthropic"
        yield Hit(line_of(value), message, "Begin the name with another word.", "name", severity=Severity.ERROR)


def _two_names(collection: Collection) -> Iterator[tuple[Manifest, Hit]]:
    found = local_entries(collection)
    owns = plugin_manifests(collection)
    for manifest, entry, place in found:
        own, value = owns.get(place), member(entry, "name")
        name, other = text_of(entry, "name"), text_of(own.value, "name") if own is not None else None
        here = [one for _, one, folder in found if folder == place]
        if own is None or value is None or name is None or other is None or len(here) > 1 or name == other:
            continue
        message = f"the plugin calls itself {quote(other)} in {quote(own.source.path)}, its entry {quote(name)}"
        yield manifest, Hit(line_of(value), message, "Use one name in both files.", "name")
