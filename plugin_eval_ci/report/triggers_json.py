"""What is wrong with labels, as JSON, documented by ``schemas/triggers-check.schema.json``."""

from __future__ import annotations

from collections.abc import Sequence

from plugin_eval_ci import SCHEMA_VERSION, __version__
from plugin_eval_ci.report.score_json import Json, dumped
from plugin_eval_ci.trials.checked import Checked


def render(checked: Sequence[Checked]) -> str:
    """The document, with a final newline."""
    tool = {"name": "plugin-eval-ci", "version": __version__}
    skills = [_skill(one) for one in checked]
    return dumped({"schema_version": SCHEMA_VERSION, "tool": tool, "skills": skills})


def _skill(one: Checked) -> Json:
    return {
        "skill": one.skill,
        "file": one.file or None,
        "form": one.form or None,
        "usable": bool(one.file) and not one.broken,
        "digest": one.digest or None,
        "positives": one.positives,
        "negatives": one.negatives,
        "reviewed": one.reviewed,
        "notes": [
            {"level": note.level, "line": note.line, "message": note.message, "prompt": note.prompt or None}
            for note in one.notes
        ],
    }
