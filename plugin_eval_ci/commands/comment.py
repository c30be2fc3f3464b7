"""``plugin-eval comment FILE``: the comment for a pull request, from a report that may be a stranger's."""

import os
import sys
from collections.abc import Mapping
from typing import NamedTuple, TextIO

from plugin_eval_ci.difference.read import MOST_BYTES, read
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.report import comment_markdown
from plugin_eval_ci.report.links import Links


class Options(NamedTuple):
    """The options of the command. ``commit`` is what links lead to: none without it."""

    key: str
    limit: int
    commit: str | None


def run(file: str, options: Options, environ: Mapping[str, str], out: TextIO) -> int:
    """Print the comment with its marker; 0. Nothing is posted, and the network is not used."""
    difference = read(_data(file), "standard input" if file == "-" else file)
    out.write(comment_markdown.render(difference, options.key, options.limit, links_to(options.commit, environ)))
    return 0


def links_to(commit: str | None, environ: Mapping[str, str]) -> Links | None:
    """Links into the repository of this run, at a commit that the caller knows; None when one of them is not known."""
    server, repository = environ.get("GITHUB_SERVER_URL", ""), environ.get("GITHUB_REPOSITORY", "")
    return Links(server.rstrip("/"), repository, commit) if server and repository and commit else None


def _data(file: str) -> bytes:
    try:
        if file == "-":
            return sys.stdin.buffer.read(MOST_BYTES + 1)
        if not os.path.isfile(file):
            raise UsageError(f"{file}: there is no such file")
        with open(file, "rb") as stream:
            return stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from None
