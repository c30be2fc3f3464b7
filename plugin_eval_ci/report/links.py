"""Links into a repository, built from trusted values; only the path comes from outside, and it cannot leave the repository."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import quote

_SERVER = re.compile(r"https?://[A-Za-z0-9.-]+(?::\d{1,5})?(?:/[A-Za-z0-9._-]+)*", re.ASCII)
_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{7,64}", re.ASCII)
_MOST = 1_000  # characters of an address


class Links(NamedTuple):
    """A repository at a commit. From the event and the runner's environment, never from a report."""

    server: str  # https://github.com
    repository: str  # owner/name
    commit: str

    def to(self, path: str, line: int = 0) -> str | None:
        """The address of a file, as source, at a line; None where a link could lead elsewhere."""
        parts = path.split("/")
        if not path or any(part in ("", ".", "..") for part in parts) or "\\" in path:
            return None
        trusted = _SERVER.fullmatch(self.server) and _REPOSITORY.fullmatch(self.repository)
        if not trusted or not _COMMIT.fullmatch(self.commit):
            return None
        place = quote(path, safe="/", errors="replace")
        where = f"?plain=1#L{line}" if line else ""
        address = f"{self.server}/{self.repository}/blob/{self.commit}/{place}{where}"
        return address if len(address) <= _MOST else None


def link(shown: str, address: str | None) -> str:
    """Markdown that is escaped already, as a link where there is an address."""
    return f"[{shown}]({address})" if address else shown
