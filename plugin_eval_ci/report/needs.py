"""Words for what skills take in the list of skills, and for what they ask of their host; nothing here is escaped yet."""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.host_needs import HostNeeds
from plugin_eval_ci.analysis.listing import Listing
from plugin_eval_ci.report.lint.json import Json
from plugin_eval_ci.report.words import many


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


_NAMED = 12  # skills that are called by name
_LABELS = ("tools", "denied tools", "run on loading", "hooks", "servers", "programs")
_MARKS = ("", "not ", "on loading ", "hook ", "server ", "")


def listing_lines(listing: Listing) -> Iterator[str]:
    """What a plugin's skills take in Claude Code's list, and who loses the description in which context window."""
    said = f"listing {listing.characters:,} characters ({listing.tokens:,} tokens) for {many(listing.skills, 'skill')}"
    window, least = listing.budgets[0]
    if not least.overflows:
        yield f"{said}, of {least.budget:,} characters at {window:,} tokens of context"
        return
    yield said
    for window, simulation in listing.budgets:
        head = f"of {simulation.budget:,} characters at {window:,} tokens of context:"
        lost = simulation.dropped
        if not simulation.overflows:
            yield f"{head} all fit"
        elif not lost:
            yield f"{head} the names alone are too many"
        else:
            more = f" and {len(lost) - _NAMED:,} more" if len(lost) > _NAMED else ""
            word = "loses its description" if len(lost) == 1 else "lose their description"
            yield f"{head} {len(lost):,} {word}, {', '.join(lost[:_NAMED])}{more}"


def needs_rows(needs: HostNeeds | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Label and words of each kind that is asked for."""
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
        # A report that comes from elsewhere may know other windows on one side than on the other.
        sides = [one.budgets[place : place + 1] if one else () for one in (before, after)]
        lost = [sum(len(found.dropped) for _, found in side) for side in sides]
        if any(lost):
            yield f"of {simulation.budget:,} at {window:,} tokens of context: {lost[0]:,} -> {lost[1]:,} without description"
