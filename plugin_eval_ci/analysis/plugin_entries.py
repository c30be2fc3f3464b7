"""Questions about manifests that several rules ask: plugin entries, and where an entry's source leads."""

import os
from typing import NamedTuple

from plugin_eval_ci.analysis.resolve.paths import is_left_out
from plugin_eval_ci.analysis.wording import kind_of, nearest, quote
from plugin_eval_ci.model import Collection, Hit, Manifest, Severity, Value
from plugin_eval_ci.parse.documents import is_inside, real_root
from plugin_eval_ci.parse.manifest_value import below, local_plugin, member, unfetched

RELATIVE = "Write it relative to the marketplace's root, as './plugins/NAME'."


class Source(NamedTuple):
    """What is wrong with the source of an entry: ``fault`` is the end of the rule's name, or empty."""

    fault: str
    line: int
    message: str = ""
    fix: str = ""
    severity: Severity | None = None


def text_of(value: Value | None, key: str) -> str | None:
    """The text under a key, stripped; None if none exists."""
    found = member(value, key)
    return found.text.strip() or None if found is not None and found.kind == "text" else None


def line_of(value: Value) -> int:
    """The line of the key a value stands under, else its own."""
    return value.key_line or value.line


def entries(manifest: Manifest) -> tuple[tuple[str, Value], ...]:
    """The entries of a marketplace that are objects, each with words that name it."""
    plugins = member(manifest.value, "plugins") if manifest.kind == "marketplace" else None
    listed = plugins.items if plugins is not None else ()
    return tuple((_label(entry, place), entry) for place, entry in enumerate(listed, 1) if entry.kind == "mapping")


def local_entries(collection: Collection) -> tuple[tuple[Manifest, Value, str], ...]:
    """Every entry of every marketplace whose plugin is a folder here, with that folder."""
    found = [
        (manifest, entry, local_plugin(manifest.directory, manifest.value, entry))
        for manifest in collection.manifests
        if manifest.kind == "marketplace"
        for _, entry in entries(manifest)
    ]
    return tuple((manifest, entry, place) for manifest, entry, place in found if place is not None)


def plugin_manifests(collection: Collection) -> dict[str, Manifest]:
    """By folder the plugin.json that was read and holds an object; the first where there are several."""
    found = [one for one in reversed(collection.manifests) if one.kind == "plugin" and one.value is not None]
    return {one.directory: one for one in found}


def source_hits(manifest: Manifest, fault: str) -> list[Hit]:
    """The entries whose source has one fault."""
    judged = [source_of(manifest, label, entry) for label, entry in entries(manifest)]
    return [
        Hit(found.line, found.message, found.fix, "source", severity=found.severity)
        for found in judged
        if found.fault == fault
    ]


def source_of(manifest: Manifest, label: str, entry: Value) -> Source:
    """Where the source of an entry leads, or what keeps it from leading anywhere."""
    source = member(entry, "source")
    if source is None:
        return Source("FORMAT", entry.line, f"{label} has no source", RELATIVE)
    line = line_of(source)
    if source.kind == "mapping":
        return _object(label, source)
    if source.kind != "text" or not source.text.strip() or "\0" in source.text:
        shown = "empty or not a path" if source.kind == "text" else kind_of(source)
        return Source("FORMAT", line, f"the source of {label} is {shown}; a path or an object is expected", RELATIVE)
    name = source.text
    shown = f"the source {quote(name)} of {label}"
    if os.path.isabs(name) or ".." in name.replace("\\", "/").split("/"):
        return Source(
            "ESCAPE", line, f"{shown} leaves the marketplace", "Move the plugin below the marketplace's root."
        )
    if name == ".":
        message = f"{shown} is refused by older versions of Claude Code"
        return Source("FORMAT", line, message, "Write './'.", Severity.WARNING)
    base = text_of(member(manifest.value, "metadata"), "pluginRoot")
    if not name.startswith("./") and (base is None or ":" in name):
        return Source("FORMAT", line, f"{shown} does not begin with './'", _advice(manifest, name))
    place = below(manifest.directory, name if name.startswith("./") or base is None else f"{base}/{name}")
    if place is None:
        return Source("", line)  # metadata.pluginRoot itself leaves the marketplace, and is reported once
    return _on_disk(manifest, shown, place, line)


def _on_disk(manifest: Manifest, shown: str, place: str, line: int) -> Source:
    if not is_inside(os.path.realpath(place), real_root(manifest.root)):
        return Source(
            "ESCAPE", line, f"{shown} is a link that leaves the repository", "Put the plugin into the repository."
        )
    if os.path.isdir(place):
        return Source("", line)
    if not os.path.lexists(place) and (unfetched(place, manifest.directory) or is_left_out(manifest.root, place)):
        return Source("", line)
    what = "is a file, not a folder" if os.path.exists(place) else "does not exist"
    return Source("MISSING", line, f"{shown} {what}", "Name the plugin's folder, or remove the entry.")


def _object(label: str, source: Value) -> Source:
    from plugin_eval_ci.clients import claude_code

    kinds, line = claude_code().source_kinds, line_of(source)
    kind = text_of(source, "source")
    known = ", ".join(kinds)
    if kind is None:
        return Source(
            "FORMAT", line, f"the source of {label} does not say of what kind it is", f"Add 'source': one of {known}."
        )
    if kind not in kinds:
        close = nearest(kind, kinds)
        fix = f"Did you mean {quote(close)}?" if close else f"Known kinds: {known}."
        return Source(
            "FORMAT", line, f"the source of {label} is of the unknown kind {quote(kind)}", fix, Severity.WARNING
        )
    missing = [key for key in kinds[kind] if text_of(source, key) is None]
    if missing:
        words = " and ".join(quote(key) for key in missing)
        return Source("FORMAT", line, f"the {kind} source of {label} has no {words}", f"Add {words}, each as a text.")
    return Source("", line)


def _advice(manifest: Manifest, name: str) -> str:
    place = below(manifest.directory, name)
    if place is not None and os.path.exists(place):
        return f"Write {quote('./' + name)}."
    if "://" in name or name.startswith("git@"):
        return 'Write an object: {"source": "url", "url": "…"}.'
    if name.count("/") == 1:
        return f'Write {quote("./" + name)}, or for GitHub an object: {{"source": "github", "repo": "…"}}.'
    return RELATIVE


def _label(entry: Value, place: int) -> str:
    name = text_of(entry, "name")
    return f"entry {quote(name)}" if name else f"entry {place}"
