"""Artifacts of workflow runs, read in memory. Their content is untrusted."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Sequence

from plugin_eval_ci.github.session import Session, number_of, object_of
from plugin_eval_ci.github.values import ApiError, Artifact, parse_answer
from plugin_eval_ci.util.json_values import Json, as_number, as_text

MOST_ARCHIVE = 64 * 1024 * 1024  # bytes, packed
_MOST_ENTRIES = 10_000
_ENTRY = b"PK\x01\x02"  # starts every entry in the directory of an archive
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError)


def files_of(data: bytes, names: Sequence[str], limit: int) -> dict[str, bytes]:
    """The files with these names. Raises ``ApiError`` for a damaged archive, and for a file larger than ``limit`` bytes."""
    if (
        data.count(_ENTRY) > _MOST_ENTRIES
    ):  # checked first, because reading the directory creates an object for each entry
        raise ApiError(f"the archive contains more than {_MOST_ENTRIES:,} files")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            wanted = [entry for entry in archive.infolist() if entry.filename in names]
            if len({entry.filename for entry in wanted}) < len(wanted):
                raise ApiError("the archive contains the same name twice")
            return {entry.filename: _content(archive, entry, limit) for entry in wanted}
    except _BROKEN:
        raise ApiError("the archive cannot be read") from None


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, limit: int) -> bytes:
    """The content of an entry. The size that it declares is not trusted."""
    if entry.compress_type not in _METHODS:
        raise ApiError("the archive uses an unsupported compression method")
    with archive.open(entry) as stream:
        content = stream.read(limit + 1)
    if len(content) > limit:
        raise ApiError(f"a file in the archive is larger than {limit:,} bytes")
    return content


_MOST_PAGES = 3  # of artifacts with the same name, newest first


def of_run(desk: Session, run_id: int, name: str) -> Artifact | None:
    """The newest artifact with this name from a run. A run that was repeated has several."""
    pages = desk.http.pages(desk.path(f"/actions/runs/{run_id}/artifacts"), "artifacts", name=name)
    found = [_artifact(item) for page in pages for item in map(object_of, page)]
    return _newest([one for one in found if one.name == name])


def latest(desk: Session, name: str, branch: str) -> Artifact | None:
    """The newest artifact with this name from a run on ``branch`` of this repository, not of a fork."""
    found = []
    pages = desk.http.pages(desk.path("/actions/artifacts"), "artifacts", name=name)
    for _, page in zip(range(_MOST_PAGES), pages, strict=False):
        items = [item for item in map(object_of, page) if _is_from(item, branch)]
        found += [one for one in map(_artifact, items) if one.name == name and not one.expired]
        if found:
            break
    return _newest(found)


def read_artifact(desk: Session, artifact: Artifact, names: Sequence[str], limit: int) -> dict[str, bytes]:
    """The files with these names from an artifact, each of at most ``limit`` bytes."""
    if artifact.expired:
        raise ApiError(f"the artifact {artifact.name!r} has expired")
    if artifact.size > MOST_ARCHIVE:
        raise ApiError(f"the artifact {artifact.name!r} is larger than {MOST_ARCHIVE // 1024**2} MiB")
    return files_of(desk.http.download(desk.path(f"/actions/artifacts/{artifact.id}/zip"), MOST_ARCHIVE), names, limit)


def _newest(found: list[Artifact]) -> Artifact | None:
    return max(found, key=lambda one: (not one.expired, one.created, one.id), default=None)


def _is_from(item: Json, branch: str) -> bool:
    run = item.get("workflow_run")
    if not isinstance(run, dict) or run.get("head_branch") != branch:
        return False
    return run.get("repository_id") is not None and run.get("repository_id") == run.get("head_repository_id")


def _artifact(item: Json) -> Artifact:
    with parse_answer():
        size = as_number(item.get("size_in_bytes"), "size_in_bytes") or 0
        name, created = as_text(item.get("name"), "name"), as_text(item.get("created_at"), "created_at")
        return Artifact(number_of(item, "id"), name, size, created, item.get("expired") is True)
