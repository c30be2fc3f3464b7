"""One repository as one identity: what every piece of this package works with."""

from __future__ import annotations

from typing import NamedTuple

from plugin_eval_ci.github.markers import has_marker
from plugin_eval_ci.github.transport import Http
from plugin_eval_ci.github.values import ApiError, parse_answer
from plugin_eval_ci.util.json_values import DamagedError, Json, as_number, as_object, as_text

_ACTIONS = "github-actions[bot]"  # who a workflow's own token writes as


class Identity:
    """Who the token writes as. Asked for once, and only when something with our marker was found.

    The token of a workflow or of an app may not ask ``GET /user``; GraphQL tells its login, ``name[bot]``, which no human can have.
    Where neither answers, the workflow's own identity is assumed: what another wrote is left alone.
    """

    def __init__(self, http: Http) -> None:
        self._http = http
        self._login: str | None = None

    @property
    def login(self) -> str:
        """The login, as REST shows it beside a comment."""
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
        """Whether a comment or an issue is of this identity."""
        user = entry.get("user")
        login = user.get("login") if isinstance(user, dict) else None
        if not isinstance(login, str) or not isinstance(user, dict):
            return False
        is_bot = user.get("type") == "Bot"
        return login.lower() == self.login.lower() and is_bot == login.endswith("[bot]")


class Session(NamedTuple):
    """Where to write, and as whom."""

    http: Http
    repository: str
    me: Identity

    def path(self, rest: str) -> str:
        """A path below the repository."""
        return f"/repos/{self.repository}{rest}"

    def is_mine(self, entry: Json, line: str) -> bool:
        """Whether an entry begins with our marker and is ours; who we are is asked only for one with the marker."""
        body = entry.get("body")
        return isinstance(body, str) and has_marker(line, body) and self.me.wrote(entry)


class Entry(NamedTuple):
    """A comment, or an issue, of ours. ``state`` and ``reason`` are an issue's."""

    id: int  # of a comment; the number of an issue
    url: str
    body: str
    state: str = ""
    reason: str = ""


def entry_of(value: Json, key: str) -> Entry:
    """What GitHub says of a comment or an issue; ``key`` holds its id or number."""
    with parse_answer():
        words = (as_text(value.get(name), name) for name in ("html_url", "body", "state", "state_reason"))
        return Entry(number_of(value, key), *words)


def object_of(value: object) -> Json:
    """An item of a list."""
    with parse_answer():
        return as_object(value, "an item")


def number_of(value: Json, key: str) -> int:
    """A number that has to be there. Raises ``DamagedError``."""
    number = as_number(value.get(key), key)
    if number is None:
        raise DamagedError(f"{key} is missing")
    return number


def same_text(one: str, other: str) -> bool:
    """Whether two bodies say the same, whatever line ends GitHub keeps."""
    return one.replace("\r\n", "\n").rstrip() == other.replace("\r\n", "\n").rstrip()
