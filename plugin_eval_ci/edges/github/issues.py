"""One tracking issue for each key: its body is replaced, which notifies nobody; a comment is added only when one is asked for.

Never a second issue: a closed one is kept up to date as it is, and opened again only with a comment, unless it was closed as not
planned. Its title and labels are the users' once it is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from plugin_eval_ci.edges.github.comments import create_once
from plugin_eval_ci.edges.github.desk import Desk, Entry, entry_of, object_of, same_text
from plugin_eval_ci.edges.github.values import ApiError, LockedError, Posted, UncertainError
from plugin_eval_ci.json_values import Json
from plugin_eval_ci.markers import marked, marker


class Wanted(NamedTuple):
    """What the issue is to be."""

    key: str
    title: str
    body: str
    label: str
    comment: str | None
    create: bool


def upsert(desk: Desk, wanted: Wanted) -> Posted:
    """Create the issue or edit ours; nothing where there is none and ``create`` is False, or where it is locked."""
    line, text = marker("issue", wanted.key), marked("issue", wanted.key, wanted.body)
    found = _ours(desk, line, wanted.label)
    if found:
        return _edit(desk, found[0], text, wanted.comment)
    return _create(desk, line, text, wanted) if wanted.create else Posted("skipped", None, None)


def _ours(desk: Desk, line: str, label: str) -> list[Entry]:
    """Our issues, open ones first, the oldest first; with our label, and open ones that lost it."""
    found = [item for item in _listed(desk, {"labels": label, "state": "all"}) if desk.is_mine(item, line)]
    if not found:
        try:
            found = [item for item in _listed(desk, {"creator": desk.me.login}) if desk.is_mine(item, line)]
        except ApiError as error:
            if error.status not in (404, 422):  # a GitHub that does not know our login by that name
                raise
    return sorted((entry_of(item, "number") for item in found), key=lambda entry: (entry.state != "open", entry.id))


def _listed(desk: Desk, query: dict[str, str]) -> Iterator[Json]:
    """Issues; GitHub lists pull requests among them."""
    for page in desk.http.pages(desk.path("/issues"), sort="created", direction="asc", **query):
        yield from (item for item in map(object_of, page) if "pull_request" not in item)


def _edit(desk: Desk, entry: Entry, text: str, comment: str | None) -> Posted:
    changes: Json = {} if same_text(entry.body, text) else {"body": text}
    if comment is not None and entry.state == "closed" and entry.reason != "not_planned":
        changes["state"] = "open"
    says = comment is not None and (entry.state == "open" or "state" in changes)
    try:
        if changes:
            desk.http.send("PATCH", desk.path(f"/issues/{entry.id}"), changes)
        if says and comment is not None:
            create_once(desk, entry.id, comment)
    except LockedError:
        return Posted("skipped", entry.url, entry.id)
    return Posted("updated" if changes or says else "unchanged", entry.url, entry.id)


def _create(desk: Desk, line: str, text: str, wanted: Wanted) -> Posted:
    made = _created(desk, line, text, wanted)
    others = [entry for entry in _ours(desk, line, wanted.label) if entry.state == "open" and entry.id < made.id]
    if not others:
        return Posted("created", made.url, made.id)
    # Another run was faster by a moment: its issue stays.
    desk.http.send("PATCH", desk.path(f"/issues/{made.id}"), {"state": "closed", "state_reason": "not_planned"})
    return _edit(desk, others[0], text, wanted.comment)


def _created(desk: Desk, line: str, text: str, wanted: Wanted) -> Entry:
    """Write the issue. Where no answer came, look whether it is there before writing it once more."""
    path = desk.path("/issues")
    body: Json = {"title": wanted.title, "body": text, "labels": [wanted.label]}
    try:
        return entry_of(desk.http.send("POST", path, body), "number")
    except UncertainError:
        there = _ours(desk, line, wanted.label)
        return there[0] if there else entry_of(desk.http.send("POST", path, body), "number")
