"""The types that values of plugin.json must have."""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.plugin_entries import line_of
from plugin_eval_ci.analysis.wording import kind_of, nearest, quote
from plugin_eval_ci.model import Hit, Value
from plugin_eval_ci.parse.manifest_value import member

_KINDS = {"a string": "text", "a list of strings": "list", 'an object such as {"name": "…"}': "mapping"}
_TYPES = {
    "author": 'an object such as {"name": "…"}',
    "keywords": "a list of strings",
    **dict.fromkeys(("description", "homepage", "repository", "license"), "a string"),
}
_OPTION_TYPES = ("string", "number", "boolean", "directory", "file")


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
    yield from _options(member(plugin, "userConfig"))


def _options(config: Value | None) -> Iterator[Hit]:
    """What keeps Claude Code from asking its users for an option of the plugin: it then refuses the whole plugin."""
    if config is not None and config.kind != "mapping":
        yield wrong_type(config, config, "userConfig", "the plugin", "an object with one object for each option")
        return
    for name, option in config.entries if config is not None else ():
        what = f"option {quote(name)} of userConfig"
        if option.kind != "mapping":
            shown = f"{what} is {kind_of(option)}, expected an object"
            yield Hit(line_of(option), shown, "Write an object with type, title and description.", name)
            continue
        kind = member(option, "type")
        if kind is None or kind.kind != "text" or kind.text not in _OPTION_TYPES:
            shown = (
                "has no type"
                if kind is None
                else f"has the type {quote(kind.text)}"
                if kind.text
                else "has no usable type"
            )
            close = nearest(kind.text, _OPTION_TYPES) if kind is not None and kind.kind == "text" else None
            fix = f"Did you mean {quote(close)}?" if close else f"Write one of {', '.join(_OPTION_TYPES)}."
            yield Hit(line_of(kind or option), f"{what} {shown}, which Claude Code refuses", fix, name)
        for key in ("title", "description"):
            value = member(option, key)
            if value is None or value.kind != "text":
                yield wrong_type(option, value, key, what, "a string")


def wrong_type(holder: Value, value: Value | None, key: str, what: str, expected: str) -> Hit:
    """The hit for a key that is missing or has another type."""
    if value is None:
        return Hit(line_of(holder), f"{what} has no {key}", f"Add {key}: {expected}.", key)
    shown = "empty" if value.kind == "text" and not value.text.strip() else kind_of(value)
    return Hit(line_of(value), f"{key} of {what} is {shown}, expected {expected}", f"Write {expected}.", key)
