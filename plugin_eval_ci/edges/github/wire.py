"""One exchange with a host: headers, time-outs and size bounded, the token sent to GitHub's own host only."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import NamedTuple

import urllib3

from plugin_eval_ci import __version__
from plugin_eval_ci.edges.github.address import pool_for, same_host
from plugin_eval_ci.edges.github.values import ApiError

_CONNECT, _READ = 10.0, 30.0  # seconds
_PIECE = 1 << 16
_NOT_SENT = (urllib3.exceptions.NewConnectionError, urllib3.exceptions.ConnectTimeoutError)
_HEADERS = {
    "Accept": "application/vnd.github+json",
    "User-Agent": f"plugin-eval-ci/{__version__}",
    "X-GitHub-Api-Version": "2022-11-28",
}


class Answer(NamedTuple):
    """What came back; header names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class NotSentError(Exception):
    """No connection came about, so nothing was asked. The text is ours."""


class NoAnswerError(Exception):
    """The request went out and no whole answer came: it may have been carried out. The text is ours."""


class Wire:
    """Sends single requests. What urllib3 says of a failure is not passed on: it may hold the address of a proxy with its password."""

    def __init__(self, api: str, token: str) -> None:
        self._api, self._token = api, token
        self._pools: dict[str, urllib3.PoolManager] = {}

    def once(self, method: str, address: str, body: bytes | None, limit: int, seconds: float) -> Answer:
        """One request and its answer of at most ``limit`` bytes, within about ``seconds``. No redirect is followed."""
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
            raise ApiError("GitHub's certificate is not accepted here") from None
        except (urllib3.exceptions.HTTPError, ValueError):
            raise NoAnswerError("does not answer") from None
        return Answer(answer.status, {k.lower(): v for k, v in answer.headers.items()}, _body(answer, limit, end))

    def _pool(self, address: str) -> urllib3.PoolManager:
        place = address.split("/", 3)[2]
        if place not in self._pools:
            self._pools[place] = pool_for(address)
        return self._pools[place]


def _body(answer: urllib3.BaseHTTPResponse, limit: int, end: float) -> bytes:
    """What follows the headers, in pieces, so that neither its size nor its slowness is the sender's choice."""
    pieces, length, whole = [], 0, False
    try:
        while piece := answer.read1(_PIECE, decode_content=False):
            length += len(piece)
            if length > limit:
                raise ApiError(f"GitHub sends more than {limit:,} bytes", answer.status)
            if time.monotonic() > end:
                raise NoAnswerError("is too slow")
            pieces.append(piece)
        whole = True
    except urllib3.exceptions.HTTPError:
        raise NoAnswerError("does not end its answer") from None
    finally:
        answer.release_conn() if whole else answer.close()  # the rest of an answer would be taken for the next one
    return b"".join(pieces)
