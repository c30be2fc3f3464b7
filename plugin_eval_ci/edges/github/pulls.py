"""Pull requests: their files, and which one a commit is the head of."""

from __future__ import annotations

from plugin_eval_ci.edges.github.desk import Desk, object_of
from plugin_eval_ci.edges.github.values import ChangedFile, Pull, PullFiles, reading
from plugin_eval_ci.json_values import Json, as_number, as_object, as_text

MOST_FILES = 3_000  # GitHub lists no more, and does not say so


def files(desk: Desk, number: int) -> PullFiles:
    """The files of a pull request, each once, by path."""
    found = {}
    for page in desk.http.pages(desk.path(f"/pulls/{number}/files")):
        for item in map(object_of, page):
            file = _file(item)
            found[file.path] = file
    return PullFiles(tuple(found[path] for path in sorted(found)), len(found) < MOST_FILES)


def _file(item: Json) -> ChangedFile:
    with reading():
        path = as_text(item.get("filename"), "filename")
        old = as_text(item.get("previous_filename"), "previous_filename") or None
        return ChangedFile(path, old, as_text(item.get("status"), "status"))


def of_head(desk: Desk, owner: str, branch: str, sha: str) -> Pull | None:
    """The open pull request whose head is that branch, still at that commit; of several (to several bases) the newest.

    GitHub ignores a filter that it does not understand, so each answer is compared again.
    """
    found = []
    for page in desk.http.pages(desk.path("/pulls"), head=f"{owner}:{branch}", state="open"):
        for item in map(object_of, page):
            with reading():
                pull = _pull(item, owner, branch, sha)
            found += [pull] if pull else []
    return max(found, default=None)


def _pull(item: Json, owner: str, branch: str, sha: str) -> Pull | None:
    head, base = as_object(item.get("head"), "head"), as_object(item.get("base"), "base")
    whose = as_text(as_object(head.get("user"), "head.user").get("login"), "head.user.login")
    same = as_text(head.get("ref"), "head.ref") == branch and whose.lower() == owner.lower()
    number = as_number(item.get("number"), "number")
    if not same or not sha or head.get("sha") != sha or item.get("state") != "open" or number is None:
        return None
    return Pull(number, sha, as_text(base.get("sha"), "base.sha"))
