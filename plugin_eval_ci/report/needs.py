"""Words for the space that skills take in the skill listing, and for their host requirements. Nothing here is escaped."""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.host_needs import HostNeeds
from plugin_eval_ci.analysis.listing import Listing
from plugin_eval_ci.report.document import Json
from plugin_eval_ci.report.words import many


def listing_object(listing: Listing | None) -> Json | None:
    """The space that skills take in the listing, and which lose their description in which context window."""
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
    """The host requirements by kind."""
    return None if needs is None else {key: list(words) for key, words in needs._asdict().items()}


_NAMED = 12  # skills that are named one by one
_LABELS = ("tools", "denied tools", "runs on load", "hooks", "servers", "programs")
_MARKS = ("", "not ", "on load ", "hook ", "server ", "")


def listing_lines(listing: Listing) -> Iterator[str]:
    """The space that a plugin's skills take in Claude Code's listing, and which lose their description in which context window."""
    said = f"listing {listing.characters:,} characters ({listing.tokens:,} tokens) for {many(listing.skills, 'skill')}"
    window, least = listing.budgets[0]
    if not least.overflows:
        yield f"{said}; the budget is {least.budget:,} characters in a {window:,}-token context"
        return
    yield said
    for window, simulation in listing.budgets:
        head = f"budget of {simulation.budget:,} characters in a {window:,}-token context:"
        lost = simulation.dropped
        if not simulation.overflows:
            yield f"{head} all fit"
        elif not lost:
            yield f"{head} the names alone do not fit"
        else:
            more = f" and {len(lost) - _NAMED:,} more" if len(lost) > _NAMED else ""
            word = "skill loses its description" if len(lost) == 1 else "skills lose their description"
            yield f"{head} {len(lost):,} {word} ({', '.join(lost[:_NAMED])}{more})"


def needs_rows(needs: HostNeeds | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Label and words of each kind that is needed."""
    for label, words in zip(_LABELS, needs or (), strict=False):
        if words:
            yield label, words


def needs_words(needs: HostNeeds) -> list[str]:
    """Everything in one list, programs first."""
    kinds = list(zip(_MARKS, needs, strict=True))
    return [f"{mark}{word}" for mark, words in (*kinds[-1:], *kinds[:-1]) for word in words]


def budget_change(before: Listing | None, after: Listing | None) -> Iterator[str]:
    """The listing of a plugin before and after, for each context window."""
    then, now = (listing.characters if listing else 0 for listing in (before, after))
    yield f"listing {then:,} -> {now:,} characters ({now - then:+,})"
    known = after or before
    for place, (window, simulation) in enumerate(known.budgets if known else ()):
        # A report from elsewhere may have other context windows on each side.
        sides = [one.budgets[place : place + 1] if one else () for one in (before, after)]
        lost = [sum(len(found.dropped) for _, found in side) for side in sides]
        if any(lost):
            yield (
                f"budget of {simulation.budget:,} characters in a {window:,}-token context: "
                f"{lost[0]:,} -> {lost[1]:,} skills without a description"
            )
