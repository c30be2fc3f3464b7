"""What Claude Code lists of skills in every session, and which descriptions do not fit its budget."""

from plugin_eval_ci.budget.listing import Entry, Listing, Simulation, entries_of, listing_of, simulate

__all__ = ["Entry", "Listing", "Simulation", "entries_of", "listing_of", "simulate"]
