"""One comment for each key on a pull request, edited in place.

Ours is the oldest that begins with our marker and was written by our own identity. Two runs may create one at the same time: each looks
again afterwards, and the younger comment is taken away by the run that wrote it.
"""

from __future__ import annotations

from plugin_eval_ci.edges.github.desk import Desk, Entry, entry_of, object_of, same_text
from plugin_eval_ci.edges.github.values import LockedError, Posted, UncertainError
from plugin_eval_ci.markers import marked, marker


def upsert(desk: Desk, number: int, key: str, body: str, create: bool) -> Posted:
    """Create the comment or edit ours; nothing where there is none and ``create`` is False, or where the conversation is locked."""
    line, text = marker("comment", key), marked("comment", key, body)
    try:
        found = _ours(desk, number, line)
        if found:
            return _edit(desk, number, found[0], text)
        return _create(desk, number, line, text) if create else Posted("skipped", None, number)
    except LockedError:
        return Posted("skipped", None, number)


def _ours(desk: Desk, number: int, line: str) -> list[Entry]:
    """Our comments, the oldest first; all pages are read."""
    pages = desk.http.pages(desk.path(f"/issues/{number}/comments"))
    items = (object_of(item) for page in pages for item in page)
    return sorted(entry_of(item, "id") for item in items if desk.is_mine(item, line))


def _edit(desk: Desk, number: int, entry: Entry, text: str) -> Posted:
    if same_text(entry.body, text):
        return Posted("unchanged", entry.url, number)
    answer = desk.http.send("PATCH", desk.path(f"/issues/comments/{entry.id}"), {"body": text})
    return Posted("updated", entry_of(answer, "id").url, number)


def _create(desk: Desk, number: int, line: str, text: str) -> Posted:
    made = create_once(desk, number, text)
    others = [entry for entry in _ours(desk, number, line) if entry.id < made.id]
    if not others:
        return Posted("created", made.url, number)
    desk.http.remove(desk.path(f"/issues/comments/{made.id}"))
    return _edit(desk, number, others[0], text)


def create_once(desk: Desk, number: int, text: str) -> Entry:
    """Write a comment. Where no answer came, look whether it is there before writing it once more."""
    path = desk.path(f"/issues/{number}/comments")
    try:
        return entry_of(desk.http.send("POST", path, {"body": text}), "id")
    except UncertainError:
        items = [object_of(item) for page in desk.http.pages(path) for item in page]
        there = [item for item in items if same_text(str(item.get("body")), text) and desk.me.wrote(item)]
        return entry_of(there[-1] if there else desk.http.send("POST", path, {"body": text}), "id")
