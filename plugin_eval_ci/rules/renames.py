"""What to say of a name that a change against a base took away."""

from __future__ import annotations

from plugin_eval_ci.model import Hit
from plugin_eval_ci.names import Known, Promise
from plugin_eval_ci.rules.wording import quoted


def hit(promise: Promise, known: Known, pairs: tuple[tuple[str, str], ...]) -> Hit | None:
    """A hit with the name as it is now, or None when the change has nothing to do with it. ``pairs`` as in ``Collection``."""
    renamed, plugin = dict(pairs), promise.plugin.lower()
    if plugin and plugin not in known.plugins:
        now = renamed.get(f"{plugin}:", "").rstrip(":")
        if not now:
            return None
        message = f"the plugin {quoted(promise.plugin)} is called {quoted(now)} since this change"
        fix = f"Did you mean {quoted(f'{now}:{promise.name}')}?"
        return Hit(promise.line, message, fix, promise.written)
    name = renamed.get(promise.name.lower())
    if name is None:
        return None
    what = promise.kind or "skill, agent or command"
    message = (
        f"there is no {what} {quoted(promise.written)} any more: this change {'renames' if name else 'removes'} it"
    )
    fix = f"Did you mean {quoted(name)}, as it is called now?" if name else "Name another one, or take it out."
    return Hit(promise.line, message, fix, promise.written)
