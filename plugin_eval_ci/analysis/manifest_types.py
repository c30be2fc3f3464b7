"""The types that values of plugin.json must have."""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.plugin_entries import line_of
from plugin_eval_ci.analysis.wording import kind_of
from plugin_eval_ci.model import Hit, Value
from plugin_eval_ci.parse.manifest_value import member

_KINDS = {"a string": "text", "a list of strings": "list", 'an object such as {"name": "…"}': "mapping"}
_TYPES = {
    "author": 'an object such as {"name": "…"}',
    "keywords": "a list of strings",
    **dict.fromkeys(("description", "homepage", "repository", "license"), "a string"),
}


def mistyped_keys(plugin: Value | None) -> Iterator[Hit]:
    """The keys of plugin.json that may be missing, but must have the right type."""
    for key, expected in _TYPES.items():
        value = member(plugin, key)
        if value is not None and value.kind != _KINDS[expected]:
            yield wrong_type(value, value, key, "the plugin", expected)
    keywords = member(plugin, "keywords")
    wrong = [item for item in keywords.items if item.kind != "text"] if keywords is not None else []
    if wrong:
        yield Hit(
            wrong[0].line, f"a keyword is {kind_of(wrong[0])}, expected a string", "Put it in quotes.", "keywords"
        )


def wrong_type(holder: Value, value: Value | None, key: str, what: str, expected: str) -> Hit:
    """The hit for a key that is missing or has another type."""
    if value is None:
        return Hit(line_of(holder), f"{what} has no {key}", f"Add {key}: {expected}.", key)
    shown = "empty" if value.kind == "text" and not value.text.strip() else kind_of(value)
    return Hit(line_of(value), f"{key} of {what} is {shown}, expected {expected}", f"Write {expected}.", key)
