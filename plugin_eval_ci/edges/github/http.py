"""Requests to one GitHub: bounded in time, size and number, and repeated where that is safe."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple
from urllib.parse import urlencode, urljoin

from plugin_eval_ci.edges.github import retry
from plugin_eval_ci.edges.github.address import same_host, split
from plugin_eval_ci.edges.github.refusals import message_of, refused
from plugin_eval_ci.edges.github.values import ApiError, UncertainError, reading
from plugin_eval_ci.edges.github.wire import Answer, NoAnswerError, NotSentError, Wire
from plugin_eval_ci.json_values import DamagedError, Json, as_list, as_object

MOST_ANSWER = 16 * 1024 * 1024
MOST_PAGES = 100
PATIENCE = 120.0  # seconds that a client may spend asking and waiting, all requests together
_REDIRECTS = (301, 302, 303, 307, 308)
_MOST_REDIRECTS = 3
_NEXT = re.compile(r'<([^<>]+)>\s*;\s*rel="next"')


class Request(NamedTuple):
    """``safe``: asking twice does no more than asking once. ``elsewhere``: the answer may lie with another host."""

    method: str
    address: str
    body: bytes | None = None
    reads: bool = True
    safe: bool = True
    limit: int = MOST_ANSWER
    elsewhere: bool = False


class Http:
    """Asks one GitHub with one token. ``sleep`` and ``patience`` are parameters for the sake of tests."""

    def __init__(
        self,
        api: str,
        graphql: str,
        token: str,
        *,
        sleep: Callable[[float], None] = time.sleep,
        patience: float = PATIENCE,
    ) -> None:
        self.api, self._graphql, self._token = api, graphql, token
        self._sleep, self._left = sleep, patience
        self._wire = Wire(api, token)

    def __repr__(self) -> str:
        return f"Http({self.api!r})"

    @property
    def is_installation(self) -> bool:
        """Whether the token is an app's in this repository, as a workflow's own is: GitHub begins it so."""
        return self._token.startswith("ghs_")

    def get(self, path: str, **query: str | int) -> Json:
        """One object."""
        return self._object(self._ask(Request("GET", self._address(path, query))), path)

    def pages(self, path: str, key: str = "", **query: str | int) -> Iterator[list[object]]:
        """The pages of a list, or of the list under ``key`` of an object, 100 items each, as the Link header leads."""
        address: str | None = self._address(path, {**query, "per_page": 100})
        for _ in range(MOST_PAGES):
            if address is None:
                return
            answer = self._ask(Request("GET", address))
            with reading(path):
                value = self._json(answer)
                items = as_list(as_object(value, "the whole").get(key) if key else value, key or "the whole")
            yield items
            address = self._next(answer, address)
        raise ApiError(f"{path} has more than {MOST_PAGES * 100:,} entries")

    def send(self, method: str, path: str, body: Json) -> Json:
        """Write something. Raises ``UncertainError`` when a POST may have been carried out although no answer came."""
        data = json.dumps(body).encode()
        return self._object(self._ask(Request(method, self._address(path, {}), data, False, method != "POST")), path)

    def remove(self, path: str) -> None:
        """Delete something."""
        self._ask(Request("DELETE", self._address(path, {}), None, False))

    def query(self, text: str) -> Json:
        """The data of a GraphQL query that reads; empty where there is none."""
        answer = self._ask(Request("POST", self._graphql, json.dumps({"query": text}).encode()))
        data = self._object(answer, "the query").get("data")
        return data if isinstance(data, dict) else {}

    def download(self, path: str, limit: int) -> bytes:
        """A file, which GitHub keeps elsewhere: that host never sees the token."""
        return self._ask(Request("GET", self._address(path, {}), limit=limit, elsewhere=True)).body

    def _address(self, path: str, query: Mapping[str, str | int]) -> str:
        return f"{self.api}{path}" + (f"?{urlencode(query)}" if query else "")

    def _next(self, answer: Answer, now: str) -> str | None:
        found = _NEXT.search(answer.headers.get("link", ""))
        address = urljoin(now, found[1]) if found else None
        if address is not None and not same_host(address, self.api):
            raise ApiError("GitHub names another host for the next page")
        return address

    def _json(self, answer: Answer) -> object:
        try:
            value: object = json.loads(answer.body)
        except (ValueError, RecursionError):
            raise DamagedError("no JSON") from None
        return value

    def _object(self, answer: Answer, path: str) -> Json:
        with reading(path):
            return as_object(self._json(answer), "the whole")

    def _ask(self, request: Request) -> Answer:
        """The answer to a request, repeated while that is safe and there is time."""
        for attempt in range(1, retry.ATTEMPTS + 1):
            last = attempt == retry.ATTEMPTS
            try:
                answer = self._followed(request)
            except (NotSentError, NoAnswerError) as error:
                if isinstance(error, NoAnswerError) and not request.safe:
                    raise UncertainError(f"GitHub {error}") from None
                self._wait(retry.backoff(attempt), str(error), last)
                continue
            if answer.status < 300:
                return answer
            said = message_of(answer.body, self._token)
            if retry.is_limited(answer.status, answer.headers, said):
                self._wait(retry.wait_for(answer.status, answer.headers, attempt), "limits our requests", last)
            elif answer.status >= 500 and request.safe:
                self._wait(retry.wait_for(answer.status, answer.headers, attempt), f"answers {answer.status}", last)
            elif answer.status >= 500:
                raise UncertainError(f"GitHub answers {answer.status}", answer.status)
            else:
                raise refused(
                    request.method, request.address.removeprefix(self.api), answer.status, said, request.reads
                )
        raise AssertionError("the last attempt raises")

    def _wait(self, seconds: float, why: str, last: bool) -> None:
        if last:
            raise ApiError(f"GitHub {why}; given up after {retry.ATTEMPTS} attempts")
        if seconds > self._left:
            raise ApiError(f"GitHub {why}, and is to be asked again in {seconds:,.0f} seconds: too long to wait")
        self._left -= seconds
        self._sleep(seconds)

    def _followed(self, request: Request) -> Answer:
        """The answer after redirects: of a repository that was renamed, or to where a file is kept."""
        address = request.address
        for _ in range(_MOST_REDIRECTS + 1):
            answer = self._once(request, address)
            if answer.status not in _REDIRECTS:
                return answer
            if request.method != "GET" and answer.status not in (307, 308):
                raise ApiError(f"GitHub leads elsewhere ({answer.status})", answer.status)
            address = urljoin(address, answer.headers.get("location", ""))
            if not same_host(address, self.api) and not (request.elsewhere and split(address)):
                raise ApiError("GitHub leads to another host")
        raise ApiError("GitHub leads in circles")

    def _once(self, request: Request, address: str) -> Answer:
        if self._left <= 0:
            raise ApiError("GitHub takes too long")
        start = time.monotonic()
        try:
            return self._wire.once(request.method, address, request.body, request.limit, self._left)
        finally:
            self._left -= time.monotonic() - start
