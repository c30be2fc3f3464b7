"""Requests to one GitHub server: limited in time, size and number, and retried if that is safe."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple
from urllib.parse import SplitResult, unquote, urlencode, urljoin, urlsplit
from urllib.request import getproxies, proxy_bypass

import urllib3

from plugin_eval_ci import __version__
from plugin_eval_ci.errors import UsageError, not_valid
from plugin_eval_ci.github import refusals
from plugin_eval_ci.github.refusals import message_of, refusal_error
from plugin_eval_ci.github.values import ApiError, UncertainError, parse_answer
from plugin_eval_ci.util.json_values import DamagedError, Json, as_list, as_object

_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}", re.ASCII)


class Address(NamedTuple):
    """The addresses of one GitHub server, without a trailing slash, and a repository as ``owner/name``."""

    api: str
    graphql: str
    repository: str


def address_of(environ: Mapping[str, str]) -> Address:
    """The address from the runner's environment, by default github.com. Raises ``UsageError`` that names the variable."""
    api = _web(environ, "GITHUB_API_URL", "https://api.github.com")
    graphql = _web(environ, "GITHUB_GRAPHQL_URL", f"{api.removesuffix('/v3')}/graphql")
    repository = environ.get("GITHUB_REPOSITORY", "")
    if not _REPOSITORY.fullmatch(repository) or {".", ".."} & set(repository.split("/")):
        raise UsageError(not_valid("GITHUB_REPOSITORY", repository, "owner/name"))
    return Address(api, graphql, repository)


def _web(environ: Mapping[str, str], name: str, usual: str) -> str:
    text = (environ.get(name) or usual).rstrip("/")
    parts = split(text)
    if parts is None or parts.username is not None or parts.query or parts.fragment:
        raise UsageError(not_valid(name, text, "an https address"))
    return text


def split(text: str) -> SplitResult | None:
    """The parts of a web address; None if it is not valid."""
    try:
        parts = urlsplit(text)
        parts.port  # noqa: B018 - raises ValueError if the port is not a number
    except ValueError:
        return None
    return parts if parts.scheme in ("http", "https") and parts.hostname and not _ODD.search(text) else None


_ODD = re.compile(r"[\s\\\x00-\x1f\x7f]")


def same_host(one: str, other: str) -> bool:
    """Whether two addresses share scheme, host and port. The token is sent nowhere else."""
    parts = [split(text) for text in (one, other)]
    places = [(part.scheme, part.hostname, part.port or _PORTS[part.scheme]) for part in parts if part]
    return len(places) == 2 and places[0] == places[1]


_PORTS = {"http": 80, "https": 443}


def pool_for(address: str) -> urllib3.PoolManager:
    """A connection pool for a host, through the proxy that the environment sets for it."""
    parts = split(address)
    scheme, host = (parts.scheme, parts.hostname or "") if parts else ("https", "")
    proxy = split(getproxies().get(scheme, "") or "http:") if not proxy_bypass(host) else None
    if proxy is None:
        return urllib3.PoolManager()
    place = f"{proxy.scheme}://{proxy.hostname}:{proxy.port or _PORTS[proxy.scheme]}"
    if proxy.username is None:
        return urllib3.ProxyManager(place)
    who = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return urllib3.ProxyManager(place, proxy_headers=urllib3.make_headers(proxy_basic_auth=who))


_CONNECT, _READ = 10.0, 30.0  # seconds
_PIECE = 1 << 16
_NOT_SENT = (urllib3.exceptions.NewConnectionError, urllib3.exceptions.ConnectTimeoutError)
_HEADERS = {
    "Accept": "application/vnd.github+json",
    "User-Agent": f"plugin-eval-ci/{__version__}",
    "X-GitHub-Api-Version": "2022-11-28",
}


class Answer(NamedTuple):
    """A response. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class NotSentError(Exception):
    """The connection failed, so no request was sent. The message is our own."""


class NoAnswerError(Exception):
    """The request was sent but the response was incomplete, so GitHub may have executed it. The message is our own."""


class Wire:
    """Sends single requests. Messages of urllib3 are not passed on, because they may contain a proxy address with its password."""

    def __init__(self, api: str, token: str) -> None:
        self._api, self._token = api, token
        self._pools: dict[str, urllib3.PoolManager] = {}

    def once(self, method: str, address: str, body: bytes | None, limit: int, seconds: float) -> Answer:
        """Send one request. The response has at most ``limit`` bytes and takes about ``seconds`` at most. Redirects are not followed."""
        end = time.monotonic() + seconds
        headers = dict(_HEADERS) | ({"Content-Type": "application/json"} if body is not None else {})
        if self._token and same_host(address, self._api):
            headers["Authorization"] = f"Bearer {self._token}"
        timeout = urllib3.Timeout(connect=min(_CONNECT, seconds), read=min(_READ, seconds))
        try:
            answer = self._pool(address).request(
                method,
                address,
                body=body,
                headers=headers,
                timeout=timeout,
                retries=False,
                redirect=False,
                preload_content=False,
                decode_content=False,
            )
        except _NOT_SENT:
            raise NotSentError("cannot be reached") from None
        except urllib3.exceptions.ProxyError:
            raise NotSentError("cannot be reached through the proxy") from None
        except urllib3.exceptions.SSLError:
            raise ApiError("certificate could not be verified") from None
        except (urllib3.exceptions.HTTPError, ValueError):
            raise NoAnswerError("does not respond") from None
        return Answer(answer.status, {k.lower(): v for k, v in answer.headers.items()}, _body(answer, limit, end))

    def _pool(self, address: str) -> urllib3.PoolManager:
        place = address.split("/", 3)[2]
        if place not in self._pools:
            self._pools[place] = pool_for(address)
        return self._pools[place]


def _body(answer: urllib3.BaseHTTPResponse, limit: int, end: float) -> bytes:
    """The body, read in pieces so that the size and time limits hold."""
    pieces, length, whole = [], 0, False
    try:
        while piece := answer.read1(_PIECE, decode_content=False):
            length += len(piece)
            if length > limit:
                raise ApiError(f"the response of GitHub is larger than {limit:,} bytes", answer.status)
            if time.monotonic() > end:
                raise NoAnswerError("is too slow")
            pieces.append(piece)
        whole = True
    except urllib3.exceptions.HTTPError:
        raise NoAnswerError("closed the connection before the response was complete") from None
    finally:
        answer.release_conn() if whole else answer.close()  # the rest would be read as the next response
    return b"".join(pieces)


MOST_ANSWER = 16 * 1024 * 1024
MOST_PAGES = 100
PATIENCE = 120.0  # seconds for all requests of a client together, waits included
_REDIRECTS = (301, 302, 303, 307, 308)
_MOST_REDIRECTS = 3
_NEXT = re.compile(r'<([^<>]+)>\s*;\s*rel="next"')


class Request(NamedTuple):
    """One request. ``safe``: sending it twice does no harm. ``elsewhere``: the response may come from another host."""

    method: str
    address: str
    body: bytes | None = None
    reads: bool = True
    safe: bool = True
    limit: int = MOST_ANSWER
    elsewhere: bool = False


class Http:
    """Sends requests to one GitHub server with one token. ``sleep`` and ``patience`` are parameters for tests."""

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
        """Whether this is an app's installation token, like the one of a workflow. GitHub's prefix shows it."""
        return self._token.startswith("ghs_")

    def get(self, path: str, **query: str | int) -> Json:
        """Get one object."""
        return self._object(self._ask(Request("GET", self._address(path, query))), path)

    def pages(self, path: str, key: str = "", **query: str | int) -> Iterator[list[object]]:
        """The pages of a list, or of the list under ``key``, with 100 items each. Follows the Link header."""
        address: str | None = self._address(path, {**query, "per_page": 100})
        for _ in range(MOST_PAGES):
            if address is None:
                return
            answer = self._ask(Request("GET", address))
            with parse_answer(path):
                value = self._json(answer)
                items = as_list(as_object(value, "the whole").get(key) if key else value, key or "the whole")
            yield items
            address = self._next(answer, address)
        raise ApiError(f"{path} has more than {MOST_PAGES * 100:,} entries")

    def send(self, method: str, path: str, body: Json) -> Json:
        """Send data. Raises ``UncertainError`` if a POST may have been executed although no response came."""
        data = json.dumps(body).encode()
        return self._object(self._ask(Request(method, self._address(path, {}), data, False, method != "POST")), path)

    def remove(self, path: str) -> None:
        """Delete the resource at ``path``."""
        self._ask(Request("DELETE", self._address(path, {}), None, False))

    def query(self, text: str) -> Json:
        """The data of a read-only GraphQL query. Empty if none exists."""
        answer = self._ask(Request("POST", self._graphql, json.dumps({"query": text}).encode()))
        data = self._object(answer, "the query").get("data")
        return data if isinstance(data, dict) else {}

    def download(self, path: str, limit: int) -> bytes:
        """Download a file. GitHub stores it on another host, which never sees the token."""
        return self._ask(Request("GET", self._address(path, {}), limit=limit, elsewhere=True)).body

    def _address(self, path: str, query: Mapping[str, str | int]) -> str:
        return f"{self.api}{path}" + (f"?{urlencode(query)}" if query else "")

    def _next(self, answer: Answer, now: str) -> str | None:
        found = _NEXT.search(answer.headers.get("link", ""))
        address = urljoin(now, found[1]) if found else None
        if address is not None and not same_host(address, self.api):
            raise ApiError("GitHub's link to the next page points to another host")
        return address

    def _json(self, answer: Answer) -> object:
        try:
            value: object = json.loads(answer.body)
        except (ValueError, RecursionError):
            raise DamagedError("not valid JSON") from None
        return value

    def _object(self, answer: Answer, path: str) -> Json:
        with parse_answer(path):
            return as_object(self._json(answer), "the whole")

    def _ask(self, request: Request) -> Answer:
        """The response to a request, retried while that is safe and time remains."""
        for attempt in range(1, refusals.ATTEMPTS + 1):
            last = attempt == refusals.ATTEMPTS
            try:
                answer = self._followed(request)
            except (NotSentError, NoAnswerError) as error:
                if isinstance(error, NoAnswerError) and not request.safe:
                    raise UncertainError(f"GitHub {error}") from None
                self._wait(refusals.backoff(attempt), str(error), last)
                continue
            if answer.status < 300:
                return answer
            said = message_of(answer.body, self._token)
            if refusals.is_limited(answer.status, answer.headers, said):
                self._wait(
                    refusals.wait_for(answer.status, answer.headers, attempt), "limits the rate of requests", last
                )
            elif answer.status >= 500 and request.safe:
                self._wait(
                    refusals.wait_for(answer.status, answer.headers, attempt),
                    f"responded with status {answer.status}",
                    last,
                )
            elif answer.status >= 500:
                raise UncertainError(f"GitHub responded with status {answer.status}", answer.status)
            else:
                raise refusal_error(
                    request.method, request.address.removeprefix(self.api), answer.status, said, request.reads
                )
        raise AssertionError("the last attempt raises")

    def _wait(self, seconds: float, why: str, last: bool) -> None:
        if last:
            raise ApiError(f"GitHub {why}; gave up after {refusals.ATTEMPTS} attempts")
        if seconds > self._left:
            raise ApiError(
                f"GitHub {why} and allows the next request in {seconds:,.0f} seconds, which is too long to wait"
            )
        self._left -= seconds
        self._sleep(seconds)

    def _followed(self, request: Request) -> Answer:
        """The response after redirects, such as for a renamed repository or a stored file."""
        address = request.address
        for _ in range(_MOST_REDIRECTS + 1):
            answer = self._once(request, address)
            if answer.status not in _REDIRECTS:
                return answer
            if request.method != "GET" and answer.status not in (307, 308):
                raise ApiError(f"GitHub redirects this request ({answer.status})", answer.status)
            address = urljoin(address, answer.headers.get("location", ""))
            if not same_host(address, self.api) and not (request.elsewhere and split(address)):
                raise ApiError("GitHub redirects to another host")
        raise ApiError("GitHub redirects in a loop")

    def _once(self, request: Request, address: str) -> Answer:
        if self._left <= 0:
            raise ApiError("GitHub took too long to respond")
        start = time.monotonic()
        try:
            return self._wire.once(request.method, address, request.body, request.limit, self._left)
        finally:
            self._left -= time.monotonic() - start
