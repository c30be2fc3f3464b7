"""Keys that no client knows, as one finding: with a suggestion where a known key was meant."""

from __future__ import annotations

from functools import lru_cache

from plugin_eval_ci.model import Hit, Severity
from plugin_eval_ci.rules.wording import nearest, quoted

_SHOWN = 6


def hit_of(kind: str, keys: list[tuple[str, int]], advice: str, own: frozenset[str] | None = None) -> Hit | None:
    """The hit for some keys with their lines; ``own`` are those that may be suggested, if not all that are known."""
    from plugin_eval_ci.profiles import known_keys

    known = known_keys(kind)
    unknown: dict[str, int] = {}
    for key, line in keys:
        if key not in known and not key.startswith(("$", "_", "x-")):
            unknown.setdefault(key, line)
    if not unknown:
        return None
    near = [
        (key, close)
        for key in list(unknown)[:_SHOWN]
        if (close := _meant(key, (known if own is None else own) - {name for name, _ in keys}))
    ]
    first = near[0][0] if near else next(iter(unknown))
    names = ", ".join(quoted(key) for key in [first, *(key for key in unknown if key != first)][:_SHOWN])
    more = f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
    fix = f"Did you mean {quoted(near[0][1])}?" if near else advice
    severity = Severity.WARNING if near else Severity.NOTICE
    return Hit(
        unknown[first],
        f"no client known to this tool reads {names}{more}",
        fix,
        first,
        severity=severity,
    )


@lru_cache(maxsize=512)
def _meant(key: str, known: frozenset[str]) -> str | None:
    """``nearest``, which is slow, once for a key that many files of a repository have."""
    return nearest(key, known)
