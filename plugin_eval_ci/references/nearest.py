"""The file that a missing path most likely means."""

import os

from plugin_eval_ci.model import Skill
from plugin_eval_ci.references.bundle import files_of


def nearest(skill: Skill, path: str) -> str:
    """A bundled file of the same name elsewhere, or of nearly the same path; empty when there is none."""
    files = files_of(skill)
    name = os.path.basename(path.rstrip("/")).lower()
    for file in files:
        if os.path.basename(file).lower() == name:
            return file
    from difflib import get_close_matches

    close = get_close_matches(path.rstrip("/"), files, 1, 0.75)
    return close[0] if close else ""
