"""A plugin changed for its users, and its version did not go up.

## What it flags

Only against a base (`lint --base REF`, `diff`): a plugin with a version, of which files changed that users install while the version is
the same; and a version that went down. The version is the one that hosts go by: that of plugin.json, else that of the entry in
marketplace.json. It is reported once a plugin, at that version.

What counts are the files a host loads (`skills`, `agents`, `commands`, `hooks`, `.mcp.json` and its like, with everything in
them), the scripts and other files next to them in a plugin with a folder of its own, the folders that a manifest names, and what the
manifests define. What does not count: readmes, changelogs and licenses, tests and evals, white space at the ends of lines, and what a
listing shows of a plugin, such as its description or its keywords.

A plugin without a version is never flagged: hosts then go by the commit. Neither is a new one, nor one whose two versions disagree
since this change, which MANIFEST_VERSION reports.

## Why

Hosts keep the copy they have for as long as the version is the same. Whoever installed the plugin never gets the change.

It is a notice, because many raise the version with a release rather than with each change. To fail a pull request without it,
set `severity: {VERSION_NOT_BUMPED: error}`.

## Bad

A change to `skills/stock/SKILL.md`, and plugin.json as it was:

```json
{
  "name": "store",
  "version": "1.2.0"
}
```

## Good

```json
{
  "name": "store",
  "version": "1.2.1"
}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Hit, Severity
from plugin_eval_ci.rules.base import Group

if TYPE_CHECKING:
    from plugin_eval_ci.analysis.revision import PluginSides, RevisionFacts

SEVERITY = Severity.NOTICE
GROUP: Group = "manifest"

_VERSION = re.compile(r"v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:-([0-9A-Za-z.-]+))?(?:\+.*)?")


def check(change: RevisionFacts) -> Iterator[tuple[str, Hit]]:
    """One hit a plugin."""
    for plugin in change.plugins:
        before, after = plugin.before, plugin.after
        if before is None or after is None or _disagree_now(plugin):
            continue
        target = f"{plugin.path}@{after.text}"  # accepting it once in a baseline accepts it for this version
        if before.text == after.text and plugin.changed:
            first, more = quote(plugin.changed[0]), len(plugin.changed) - 1
            what = f"{first} and {more:,} more {'file' if more == 1 else 'files'}" if more else first
            message = f"the version is still {quote(after.text)}, and what users install changed: {what}"
            yield after.path, Hit(after.line, message, "Raise the version: clients keep their copy until then.", target)
        elif _is_lower(after.text, before.text):
            message = f"the version goes down from {quote(before.text)} to {quote(after.text)}"
            yield after.path, Hit(after.line, message, f"Give it a version above {quote(before.text)}.", target)


def _disagree_now(plugin: PluginSides) -> bool:
    (own_before, own), (listed_before, listed) = plugin.own, plugin.listed
    if own is None or listed is None or own.text == listed.text:
        return False
    return own_before is None or listed_before is None or own_before.text == listed_before.text


def _is_lower(one: str, other: str) -> bool:
    first, second = _key(one), _key(other)
    return first is not None and second is not None and first < second


def _key(text: str) -> tuple[list[int], bool, list[tuple[bool, int, str]]] | None:
    """What orders versions as semver does; None for anything else. A pre-release comes before its release."""
    match = _VERSION.fullmatch(text)
    if match is None:
        return None
    parts = [part for part in (match[4] or "").split(".") if part]
    order = [(not part.isdigit(), int(part) if part.isdigit() and len(part) < 10 else 0, part) for part in parts]
    return [int(number or 0) for number in match.groups()[:3]], not parts, order
