"""Read one text file, whatever it holds."""

from __future__ import annotations

import os
import stat

from plugin_eval_ci.model import Problem, Source

# No agent reads more than a fraction of this, and parsing it would keep a commit waiting.
MAX_BYTES = 1 << 20

CR_ALONE = "its lines end in CR alone"
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def read_source(file: str, path: str, limit: int = MAX_BYTES) -> Source:
    """Read ``file`` (absolute) that reports call ``path``.

    The text has no BOM and only ``\\n`` as line end. What cannot be read gives an empty text and a ``Problem``; a byte that is not
    UTF-8 is replaced and the text kept, so that the other checks still run.
    """
    try:
        info = os.stat(file)
        if not stat.S_ISREG(info.st_mode):
            what = "a folder" if stat.S_ISDIR(info.st_mode) else "no regular file"
            return _unreadable(file, path, 0, f"{_base(path)} is {what}", "Put a text file of that name in its place.")
        if info.st_size > limit:
            return _too_large(file, path, info.st_size, limit)
        with open(file, "rb") as stream:
            data = stream.read(limit + 1)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return _unreadable(
            file, path, 0, f"{_base(path)} cannot be read: {reason}", "Check its permissions, or the link it is."
        )
    return decode(data, file, path, limit)


def decode(data: bytes, file: str, path: str, limit: int = MAX_BYTES) -> Source:
    """The ``Source`` of bytes that were read from ``file`` or came in on standard input."""
    size = len(data)
    if size > limit:
        return _too_large(file, path, size, limit)
    bom = data.startswith(_BOM)
    if bom:
        data = data[len(_BOM) :]
    if data.startswith(_UTF16):
        return _encoding(file, path, size, 1, "the file is UTF-16, not UTF-8")
    nul = data.find(b"\0")
    if nul >= 0 and not _in_body(data, nul):
        return _encoding(file, path, size, _line_at(data, nul), "the file holds a NUL byte: it is binary, or not UTF-8")
    problem = None
    if b"\r" in data.partition(b"\n")[0][:-1] and data.startswith(b"---"):
        problem = Problem("FILE_ENCODING", 1, CR_ALONE, "Save the file with line ends of LF or CRLF.")
    elif nul >= 0:
        problem = Problem("FILE_ENCODING", _line_at(data, nul), "there is a NUL byte in the text", "Remove it.")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        text = data.decode("utf-8", "replace")
        start = max(data.rfind(b"\n", 0, error.start), data.rfind(b"\r", 0, error.start)) + 1
        column = len(data[start : error.start].decode("utf-8")) + 1
        problem = Problem(
            "FILE_ENCODING",
            _line_at(data, error.start),
            f"byte 0x{data[error.start]:02x} is not UTF-8",
            "Save the file as UTF-8.",
            column,
        )
    return Source(file, path, text.replace("\r\n", "\n").replace("\r", "\n"), size, bom, problem)


def _in_body(data: bytes, offset: int) -> bool:
    """Whether a byte lies below a frontmatter: then the rest of the file can be read."""
    return data.startswith(b"---") and data.find(b"\n---", 3, offset) >= 0


def read_head(file: str, most: int) -> bytes:
    """The first ``most`` bytes of a regular file; empty for anything else or if it cannot be read."""
    try:
        if not os.path.isfile(file):
            return b""
        with open(file, "rb") as stream:
            return stream.read(most)
    except OSError:
        return b""


def head_text(file: str, most: int) -> str:
    """``head`` as text; a byte that is not UTF-8 is replaced."""
    return read_head(file, most).decode("utf-8", "replace")


def _line_at(data: bytes, offset: int) -> int:
    head = data[:offset]
    return head.count(b"\n") + head.count(b"\r") - head.count(b"\r\n") + 1


def _base(path: str) -> str:
    return path.rpartition("/")[2]


def _unreadable(file: str, path: str, size: int, message: str, fix: str) -> Source:
    return Source(file, path, "", size, False, Problem("FILE_UNREADABLE", 1, message, fix))


def _too_large(file: str, path: str, size: int, limit: int) -> Source:
    message = f"the file has {size:,} bytes; more than {limit:,} are not read"
    return Source(
        file, path, "", size, False, Problem("FILE_TOO_LARGE", 1, message, "Move the detail into references/.")
    )


def _encoding(file: str, path: str, size: int, line: int, message: str) -> Source:
    return Source(file, path, "", size, False, Problem("FILE_ENCODING", line, message, "Save the file as UTF-8 text."))
