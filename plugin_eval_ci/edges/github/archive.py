"""Files out of an archive that may be a stranger's: read in memory by their exact names, never extracted, each bounded in size."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Sequence

from plugin_eval_ci.edges.github.values import ApiError

MOST_ARCHIVE = 64 * 1024 * 1024  # bytes, packed
_MOST_ENTRIES = 10_000
_ENTRY = b"PK\x01\x02"  # begins every entry of the directory of an archive
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError)


def files_of(data: bytes, names: Sequence[str], limit: int) -> dict[str, bytes]:
    """The files of those names that are there. Raises ``ApiError`` for a broken archive, and for a file beyond ``limit`` bytes."""
    if data.count(_ENTRY) > _MOST_ENTRIES:  # before the directory is read, for it becomes an object each
        raise ApiError(f"the archive holds more than {_MOST_ENTRIES:,} files")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            wanted = [entry for entry in archive.infolist() if entry.filename in names]
            if len({entry.filename for entry in wanted}) < len(wanted):
                raise ApiError("the archive holds a name twice")
            return {entry.filename: _content(archive, entry, limit) for entry in wanted}
    except _BROKEN:
        raise ApiError("the archive cannot be read") from None


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, limit: int) -> bytes:
    """What an entry holds; its own word on its size is not believed."""
    if entry.compress_type not in _METHODS:
        raise ApiError("the archive is packed in a way that is not read here")
    with archive.open(entry) as stream:
        content = stream.read(limit + 1)
    if len(content) > limit:
        raise ApiError(f"a file of the archive is larger than {limit:,} bytes")
    return content
