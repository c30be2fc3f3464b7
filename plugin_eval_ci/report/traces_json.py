"""What recorded sessions say of skills, as JSON, documented by ``schemas/traces.schema.json``."""

from __future__ import annotations

from plugin_eval_ci import SCHEMA_VERSION, __version__
from plugin_eval_ci.report.score_json import Json, dumped
from plugin_eval_ci.traces.values import Traced, Use


def render(traced: Traced) -> str:
    """The document, with a final newline."""
    lines = traced.lines
    return dumped(
        {
            "schema_version": SCHEMA_VERSION,
            "tool": {"name": "plugin-eval-ci", "version": __version__},
            "files": {"read": traced.files, "unreadable": traced.unreadable},
            "lines": {"read": lines.read, "damaged": lines.damaged, "too_long": lines.too_long},
            "sessions": traced.sessions,
            "prompts": traced.prompts,
            "other_commands": traced.other_commands,
            "prices": traced.priced,
            "skills": [_skill(use, traced.listings) for use in traced.skills],
        }
    )


def _skill(use: Use, listings: bool) -> Json:
    return {
        "skill": use.skill,
        "listed": {"sessions": use.listed, "prompts": use.prompts_listed} if listings else None,
        "fired": use.fired,
        "by_model": use.by_model,
        "by_user": use.by_user,
        "in_subagents": use.in_subagents,
        "metered": use.metered,
        "tokens": use.tokens if use.metered else None,
        "cost": use.cost,
        "prompts": list(use.prompts),
    }
