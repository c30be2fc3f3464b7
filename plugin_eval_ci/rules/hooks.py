"""The parts of a hooks file that several rules walk: events, groups, hooks."""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Manifest, Value
from plugin_eval_ci.parse.manifest_value import member


def events_of(manifest: Manifest) -> Value | None:
    """The object whose keys are events: below ``hooks`` in a file, there or at once in another manifest."""
    if manifest.kind != "hooks" or manifest.value is None or is_other_format(manifest.value):
        return None
    below = member(manifest.value, "hooks")
    events = below if below is not None or not manifest.inline else manifest.value
    return events if events is not None and events.kind == "mapping" else None


def is_other_format(value: Value) -> bool:
    """Whether the file follows Cursor's format, which has a version at its top."""
    version = member(value, "version")
    return version is not None and version.kind == "number"


def handlers(manifest: Manifest) -> Iterator[Value]:
    """Every hook that is an object, wherever it stands."""
    events = events_of(manifest)
    for _, groups in events.entries if events is not None else ():
        for group in groups.items:
            hooks = member(group, "hooks")
            for hook in hooks.items if hooks is not None else ():
                if hook.kind == "mapping":
                    yield hook
