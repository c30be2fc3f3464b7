"""``plugin-eval diff BASE [HEAD]``."""

import os
import sys
from collections.abc import Mapping
from typing import NamedTuple, TextIO

from plugin_eval_ci import git
from plugin_eval_ci.commands import since
from plugin_eval_ci.commands.load_config import read_config, use_color
from plugin_eval_ci.diff import Difference, difference_of
from plugin_eval_ci.diff.changes import open_revision
from plugin_eval_ci.diff.load import MOST_BYTES, read_difference
from plugin_eval_ci.discover import repository_root
from plugin_eval_ci.errors import UsageError, not_found, not_read
from plugin_eval_ci.model import Severity
from plugin_eval_ci.report.diff import comment as comment_markdown
from plugin_eval_ci.report.links import Links


class CommentOptions(NamedTuple):
    """The options of the command. ``commit`` is what links lead to; without it nothing is linked."""

    key: str
    limit: int
    commit: str | None


def run_comment(file: str, options: CommentOptions, environ: Mapping[str, str], out: TextIO) -> int:
    """Print the comment with its marker, and return 0. Nothing is posted, and the network is not used."""
    difference = read_difference(_data(file), "standard input" if file == "-" else file)
    out.write(comment_markdown.render(difference, options.key, options.limit, links_to(options.commit, environ)))
    return 0


def links_to(commit: str | None, environ: Mapping[str, str]) -> Links | None:
    """Links into the repository of this run at ``commit``; None if the repository or the commit is unknown."""
    server, repository = environ.get("GITHUB_SERVER_URL", ""), environ.get("GITHUB_REPOSITORY", "")
    return Links(server.rstrip("/"), repository, commit) if server and repository and commit else None


def _data(file: str) -> bytes:
    try:
        if file == "-":
            return sys.stdin.buffer.read(MOST_BYTES + 1)
        if not os.path.isfile(file):
            raise UsageError(not_found(file))
        with open(file, "rb") as stream:
            return stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise UsageError(not_read(file, error)) from None


class DiffOptions(NamedTuple):
    """The options of the command."""

    format: str
    fail_on: str
    exclude: tuple[str, ...] = ()
    config_file: str | None = None
    isolated: bool = False


def run(base: str, head: str | None, paths: tuple[str, ...], options: DiffOptions, out: TextIO) -> int:
    """Print what changed in ``paths`` between two revisions: 0, or 1 if a new finding is at the fail level."""
    if "" in paths:
        raise UsageError("the path is empty")
    config = read_config(paths, options.config_file, options.isolated, options.exclude)
    root = repository_root(os.path.abspath(paths[0]))
    if other := next((path for path in paths if repository_root(os.path.abspath(path)) != root), None):
        raise UsageError(f"{other}: is not in the same repository as {paths[0]}")
    _must_be_revision(base, head, root)
    if head is None:
        config = since.config_of_base(config, root, base, options.config_file, options.isolated, options.exclude)
    # Scores count what the methodology counts, whatever the lint is told to leave out.
    settings = since.settings_of(config, root, options.config_file, options.isolated, options.exclude)
    with open_revision(paths, since.for_score(settings), base, head) as revision:
        difference = difference_of(revision, git.numstat(root, revision.base, revision.head))
    out.write(_render(difference, options.format, out))
    if options.fail_on == "never":
        return 0
    level = Severity[options.fail_on.upper()]
    new = [finding for row in difference.rows for finding in row.new] + list(difference.elsewhere)
    return int(any(finding.severity >= level for finding in new))


def _must_be_revision(base: str, head: str | None, root: str) -> None:
    """Raises ``UsageError`` for a path in place of a revision, with what to write instead."""
    if head is None or not os.path.lexists(head):
        return
    try:
        git.commit_of(root, head)
    except git.GitError as error:
        raise UsageError(f"{head} is a path, not a revision; write `plugin-eval diff {base} -- {head}`") from error


def _render(difference: Difference, format: str, out: TextIO) -> str:
    if format == "json":
        from plugin_eval_ci.report.diff import json as diff_json

        return diff_json.render(difference)
    if format == "markdown":
        from plugin_eval_ci.report.diff import comment as comment_markdown

        return comment_markdown.body(difference)
    from plugin_eval_ci.report.diff import text as diff_text

    return diff_text.render(difference, use_color(out))
