"""Comments and tracking issues, one for each key. Replacing the body of an issue does not notify anyone; a comment does.

There is never a second issue. A closed one is updated but stays closed, and only a comment reopens it, unless it was closed as not
planned. Title and labels are set once; later they belong to the users.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from plugin_eval_ci.github.markers import marker, with_marker
from plugin_eval_ci.github.session import Entry, Session, entry_of, object_of, same_text
from plugin_eval_ci.github.values import ApiError, LockedError, PostResult, UncertainError
from plugin_eval_ci.util.json_values import Json


def upsert_comment(desk: Session, number: int, key: str, body: str, create: bool) -> PostResult:
    """Create or edit our comment. Does nothing if the conversation is locked, or without a comment and if ``create`` is False."""
    line, text = marker("comment", key), with_marker("comment", key, body)
    try:
        found = _our_comments(desk, number, line)
        if found:
            return _edit_comment(desk, number, found[0], text)
        return _create_comment(desk, number, line, text) if create else PostResult("skipped", None, number)
    except LockedError:
        return PostResult("skipped", None, number)


def _our_comments(desk: Session, number: int, line: str) -> list[Entry]:
    """Our comments from all pages, oldest first."""
    pages = desk.http.pages(desk.path(f"/issues/{number}/comments"))
    items = (object_of(item) for page in pages for item in page)
    return sorted(entry_of(item, "id") for item in items if desk.is_mine(item, line))


def _edit_comment(desk: Session, number: int, entry: Entry, text: str) -> PostResult:
    if same_text(entry.body, text):
        return PostResult("unchanged", entry.url, number)
    answer = desk.http.send("PATCH", desk.path(f"/issues/comments/{entry.id}"), {"body": text})
    return PostResult("updated", entry_of(answer, "id").url, number)


def _create_comment(desk: Session, number: int, line: str, text: str) -> PostResult:
    made = create_once(desk, number, text)
    others = [entry for entry in _our_comments(desk, number, line) if entry.id < made.id]
    if not others:
        return PostResult("created", made.url, number)
    desk.http.remove(desk.path(f"/issues/comments/{made.id}"))
    return _edit_comment(desk, number, others[0], text)


def create_once(desk: Session, number: int, text: str) -> Entry:
    """Create a comment. If GitHub does not respond, check whether it exists before trying again."""
    path = desk.path(f"/issues/{number}/comments")
    try:
        return entry_of(desk.http.send("POST", path, {"body": text}), "id")
    except UncertainError:
        items = [object_of(item) for page in desk.http.pages(path) for item in page]
        there = [item for item in items if same_text(str(item.get("body")), text) and desk.me.wrote(item)]
        return entry_of(there[-1] if there else desk.http.send("POST", path, {"body": text}), "id")


class IssueContent(NamedTuple):
    """The content of an issue."""

    key: str
    title: str
    body: str
    label: str
    comment: str | None
    create: bool


def upsert_issue(desk: Session, wanted: IssueContent) -> PostResult:
    """Create or edit our issue. Does nothing if it is locked, or without an issue and if ``create`` is False."""
    line, text = marker("issue", wanted.key), with_marker("issue", wanted.key, wanted.body)
    found = _our_issues(desk, line, wanted.label)
    if found:
        return _edit_issue(desk, found[0], text, wanted.comment)
    return _create_issue(desk, line, text, wanted) if wanted.create else PostResult("skipped", None, None)


def _our_issues(desk: Session, line: str, label: str) -> list[Entry]:
    """Our issues: open ones first, then oldest first. Includes open ones that lost our label."""
    found = [item for item in _listed(desk, {"labels": label, "state": "all"}) if desk.is_mine(item, line)]
    if not found:
        try:
            found = [item for item in _listed(desk, {"creator": desk.me.login}) if desk.is_mine(item, line)]
        except ApiError as error:
            if error.status not in (404, 422):  # a GitHub server that does not know this login
                raise
    return sorted((entry_of(item, "number") for item in found), key=lambda entry: (entry.state != "open", entry.id))


def _listed(desk: Session, query: dict[str, str]) -> Iterator[Json]:
    """The listed issues, without the pull requests that GitHub lists among them."""
    for page in desk.http.pages(desk.path("/issues"), sort="created", direction="asc", **query):
        yield from (item for item in map(object_of, page) if "pull_request" not in item)


def _edit_issue(desk: Session, entry: Entry, text: str, comment: str | None) -> PostResult:
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
        return PostResult("skipped", entry.url, entry.id)
    return PostResult("updated" if changes or says else "unchanged", entry.url, entry.id)


def _create_issue(desk: Session, line: str, text: str, wanted: IssueContent) -> PostResult:
    made = _created(desk, line, text, wanted)
    others = [entry for entry in _our_issues(desk, line, wanted.label) if entry.state == "open" and entry.id < made.id]
    if not others:
        return PostResult("created", made.url, made.id)
    # Another run created one at the same time; keep that one.
    desk.http.send("PATCH", desk.path(f"/issues/{made.id}"), {"state": "closed", "state_reason": "not_planned"})
    return _edit_issue(desk, others[0], text, wanted.comment)


def _created(desk: Session, line: str, text: str, wanted: IssueContent) -> Entry:
    """Create the issue. If GitHub does not respond, check whether it exists before trying again."""
    path = desk.path("/issues")
    body: Json = {"title": wanted.title, "body": text, "labels": [wanted.label]}
    try:
        return entry_of(desk.http.send("POST", path, body), "number")
    except UncertainError:
        there = _our_issues(desk, line, wanted.label)
        return there[0] if there else entry_of(desk.http.send("POST", path, body), "number")
