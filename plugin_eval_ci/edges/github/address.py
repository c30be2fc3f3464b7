"""Where GitHub is: github.com, GitHub Enterprise, or a test's own server; and which proxy leads there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import urllib3

from plugin_eval_ci.errors import UsageError

_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}", re.ASCII)


class Address(NamedTuple):
    """The addresses of one GitHub, without a slash at the end, and a repository as ``owner/name``."""

    api: str
    graphql: str
    repository: str


def address_of(environ: Mapping[str, str]) -> Address:
    """What the runner's environment says, github.com where it says nothing. Raises ``UsageError`` naming the variable."""
    api = _web(environ, "GITHUB_API_URL", "https://api.github.com")
    graphql = _web(environ, "GITHUB_GRAPHQL_URL", f"{api.removesuffix('/v3')}/graphql")
    repository = environ.get("GITHUB_REPOSITORY", "")
    if not _REPOSITORY.fullmatch(repository) or {".", ".."} & set(repository.split("/")):
        raise UsageError(f"GITHUB_REPOSITORY must be owner/name, and is {repository[:80]!r}")
    return Address(api, graphql, repository)


def _web(environ: Mapping[str, str], name: str, usual: str) -> str:
    text = (environ.get(name) or usual).rstrip("/")
    parts = split(text)
    if parts is None or parts.username is not None or parts.query or parts.fragment:
        raise UsageError(f"{name} must be an https address, and is {text[:80]!r}")
    return text


def split(text: str) -> SplitResult | None:
    """A web address in parts; None for what is none."""
    try:
        parts = urlsplit(text)
        parts.port  # noqa: B018 - raises for one that is no number
    except ValueError:
        return None
    return parts if parts.scheme in ("http", "https") and parts.hostname and not _ODD.search(text) else None


_ODD = re.compile(r"[\s\\\x00-\x1f\x7f]")


def same_host(one: str, other: str) -> bool:
    """Whether two addresses have scheme, host and port in common: the token goes nowhere else."""
    parts = [split(text) for text in (one, other)]
    places = [(part.scheme, part.hostname, part.port or _PORTS[part.scheme]) for part in parts if part]
    return len(places) == 2 and places[0] == places[1]


_PORTS = {"http": 80, "https": 443}


def pool_for(address: str) -> urllib3.PoolManager:
    """Connections to a host, through the proxy that the environment names for it."""
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
