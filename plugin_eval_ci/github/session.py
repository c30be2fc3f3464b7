"""One repository and one identity, shared by all modules of this package."""

from __future__ import annotations

from typing import NamedTuple

from plugin_eval_ci.github.markers import has_marker
from plugin_eval_ci.github.transport import Http
from plugin_eval_ci.github.values import ApiError, parse_answer
from plugin_eval_ci.util.json_values import DamagedError, Json, as_number, as_object, as_text

_ACTIONS = "github-actions[bot]"  # the identity of a workflow's own token


class Identity:
    """The identity that the token writes as. It is queried once, and only if something with our marker was found.

    The token of a workflow or an app cannot call ``GET /user``; GraphQL returns its login, ``name[bot]``, which no human can have.
    If neither works, assume the identity of GitHub Actions, so comments by others are never edited.
    """

    def __init__(self, http: Http) -> None:
        self._http = http
        self._login: str | None = None

    @property
    def login(self) -> str:
        """The login, in the form that REST uses for the author of a comment."""
        if self._login is None:
            self._login = self._asked() or _ACTIONS
        return self._login

    def _asked(self) -> str:
        try:
            viewer = self._http.query("query { viewer { login } }").get("viewer")
            if isinstance(viewer, dict) and isinstance(viewer.get("login"), str):
                return str(viewer["login"])
        except ApiError:
            pass
        if self._http.is_installation:
            return ""
        try:
            return as_text(self._http.get("/user").get("login"), "login")
        except (ApiError, DamagedError):
            return ""

    def wrote(self, entry: Json) -> bool:
        """Whether this identity wrote a comment or an issue."""
        user = entry.get("user")
        login = user.get("login") if isinstance(user, dict) else None
        if not isinstance(login, str) or not isinstance(user, dict):
            return False
        is_bot = user.get("type") == "Bot"
        return login.lower() == self.login.lower() and is_bot == login.endswith("[bot]")


class Session(NamedTuple):
    """A repository to write to, and the identity that writes."""

    http: Http
    repository: str
    me: Identity

    def path(self, rest: str) -> str:
        """An API path below the repository."""
        return f"/repos/{self.repository}{rest}"

    def is_mine(self, entry: Json, line: str) -> bool:
        """Whether an entry starts with our marker and is ours. The identity is queried only if the marker is found."""
        body = entry.get("body")
        return isinstance(body, str) and has_marker(line, body) and self.me.wrote(entry)


class Entry(NamedTuple):
    """One of our comments or issues. ``state`` and ``reason`` are set for issues only."""

    id: int  # of a comment; the number of an issue
    url: str
    body: str
    state: str = ""
    reason: str = ""


def entry_of(value: Json, key: str) -> Entry:
    """The entry for a comment or an issue as GitHub returns it. ``key`` names the field with its id or number."""
    with parse_answer():
        words = (as_text(value.get(name), name) for name in ("html_url", "body", "state", "state_reason"))
        return Entry(number_of(value, key), *words)


def object_of(value: object) -> Json:
    """An item of a list, which must be an object."""
    with parse_answer():
        return as_object(value, "an item")


def number_of(value: Json, key: str) -> int:
    """A required number. Raises ``DamagedError`` if it is missing."""
    number = as_number(value.get(key), key)
    if number is None:
        raise DamagedError(f"{key} is missing")
    return number


def same_text(one: str, other: str) -> bool:
    """Whether two bodies are the same apart from line endings."""
    return one.replace("\r\n", "\n").rstrip() == other.replace("\r\n", "\n").rstrip()
