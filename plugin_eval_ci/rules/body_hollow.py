"""The headings are there, and almost nothing below them.

## What it flags

A skill or an agent with four or more headings whose text has fewer than three words of its own for every two of them. Words of its own
are those that stand neither in its name, its description or its headings nor in instructions about anything at all ("understand the
request", "follow best practices", "review the result", dummy Latin). Code counts as text. English only; other languages stay silent.

## Why

An outline has everything that a static score looks at, and nothing that a model did not know. Scores of layout cannot see it: such a file
gets 95 points and more. Depth `measured` can, since a model does no better with it than without.

## Bad

Eleven sections from "Overview" to "Related skills", each with sentences such as "Understand the request", "Follow best practices", "Review
the result and improve it where appropriate".

## Good

The same sections, and below "Workflow": "Read `export.csv`; column 3 holds the shelf, column 5 the boxes. Skip shelves that
start with `X`."
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Document, Hit, Severity
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.NOTICE
GROUP: Group = "content"

_LEAST_HEADINGS = 4
_WORDS = 1.5  # for each heading
_CODE = 4  # lines of code blocks for each heading


def check(document: Document) -> Iterator[Hit]:
    """One hit, on the first heading."""
    headings = document.body.headings
    if len(headings) < _LEAST_HEADINGS or _names_things(document):
        return
    from plugin_eval_ci.languages.substance import said

    places = {heading.line for heading in headings}
    first = document.body.first_line
    lines = (line for number, line in enumerate(document.body.text.split("\n"), first) if number not in places)
    known = (document.name.replace("-", " "), document.description, *(heading.title for heading in headings))
    enough = round(_WORDS * len(headings))
    count = said(lines, known, enough)
    if count < enough:
        what = "no word" if not count else "1 word" if count == 1 else f"only {count} words"
        yield Hit(
            headings[0].line,
            f"{len(headings)} headings but {what} of specific content",
            "Write down what a capable model cannot know: names, commands, limits, formats, decisions.",
            "body",
        )


def _names_things(document: Document) -> bool:
    """Whether there is so much code that nobody would call it an outline; counting its words is not cheap."""
    body, many = document.body, len(document.body.headings)
    return len(body.code_spans) >= many or sum(fence.end_line - fence.line for fence in body.fences) > _CODE * many
