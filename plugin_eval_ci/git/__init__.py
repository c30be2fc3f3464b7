"""Reads a repository from its git objects. Nothing is checked out, and no program that it configures is run."""

from plugin_eval_ci.git.checkout import LeftOut, left_out_of
from plugin_eval_ci.git.layout import snapshot
from plugin_eval_ci.git.objects import (
    Change,
    Entry,
    NotFetchedError,
    blobs,
    changes,
    commit_of,
    fetch,
    file_at,
    link_targets,
    links,
    merge_base,
    numstat,
    through_links,
    tree,
)
from plugin_eval_ci.git.process import GitError, is_shallow, on_path, program_named, without_secrets

__all__ = [
    "Change",
    "Entry",
    "GitError",
    "LeftOut",
    "NotFetchedError",
    "blobs",
    "changes",
    "commit_of",
    "fetch",
    "file_at",
    "is_shallow",
    "left_out_of",
    "link_targets",
    "links",
    "merge_base",
    "numstat",
    "on_path",
    "program_named",
    "snapshot",
    "through_links",
    "tree",
    "without_secrets",
]
