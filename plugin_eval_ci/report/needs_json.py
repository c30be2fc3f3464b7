"""The list of skills and the needs of a host as JSON, the same in ``score`` and ``diff``."""

from __future__ import annotations

from plugin_eval_ci.budget import Listing
from plugin_eval_ci.host import HostNeeds
from plugin_eval_ci.report.lint_json import Json


def listing_object(listing: Listing | None) -> Json | None:
    """What the skills take in the list, and which lose their description in which context window."""
    if listing is None:
        return None
    return {
        "skills": listing.skills,
        "characters": listing.characters,
        "tokens": listing.tokens,
        "budgets": [
            {"context": window, "characters": simulation.budget, "dropped": list(simulation.dropped)}
            for window, simulation in listing.budgets
        ],
    }


def host_object(needs: HostNeeds | None) -> Json | None:
    """What is asked of the host."""
    return None if needs is None else {key: list(words) for key, words in needs._asdict().items()}
