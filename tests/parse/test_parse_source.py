"""Bytes to text: encodings, line ends, and everything that is no text file."""

from __future__ import annotations

import os
import socket
import time

import pytest

from plugin_eval_ci.parse.source import MAX_BYTES, decode, head_text, read_head, read_source

HEADER = "---\nname: a\n---\n"


def text_of(data: bytes) -> str:
    return decode(data, "/r/SKILL.md", "SKILL.md").text


@pytest.mark.parametrize(
    ("data", "text", "bom"),
    [
        (b"", "", False),
        (b"\n", "\n", False),
        (b"a", "a", False),
        (b"a\nb\n", "a\nb\n", False),
        (b"a\r\nb\r\n", "a\nb\n", False),
        (b"a\rb\r", "a\nb\n", False),
        (b"a\r\nb\rc\nd", "a\nb\nc\nd", False),
        (b"a\n\rb", "a\n\nb", False),
        (b"a\r\r\nb", "a\n\nb", False),
        (b"\xef\xbb\xbf---\n", "---\n", True),
        (b"\xef\xbb\xbf", "", True),
        (b"\xef\xbb\xbf---\r\nname: a\r\n---\r\n", HEADER, True),
        ("a\u2028b\x85c\x0bd\x0ce\x1cf".encode(), "a\u2028b\x85c\x0bd\x0ce\x1cf", False),  # no line ends of ours
        ("数据 é 🚀".encode(), "数据 é 🚀", False),
        (b"a\xef\xbb\xbfb", "a\ufeffb", False),  # a BOM further down is text
    ],
)
def test_text_as_read(data: bytes, text: str, bom: bool) -> None:
    source = decode(data, "/r/SKILL.md", "SKILL.md")
    assert (source.text, source.bom, source.problem, source.size) == (text, bom, None, len(data))


@pytest.mark.parametrize(
    ("data", "count"),
    [
        (b"", 0),
        (b"a", 1),
        (b"a\n", 1),
        (b"a\nb", 2),
        (b"\n", 1),
        (b"\n\n", 2),
        (b"a\r\nb\r\n", 2),
        (b"a\rb", 2),
        (b"a\x0cb\xe2\x80\xa8c", 1),
    ],
)
def test_line_count(data: bytes, count: int) -> None:
    assert decode(data, "f", "f").line_count == count


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (b"\x93", 1, 1),
        (b"ab\x93c", 1, 3),
        (b"one\ntwo \x93quoted\x94\n", 2, 5),
        (b"one\r\ntwo\r\n\xe9", 3, 1),
        (b"one\rtwo\rcaf\xe9", 3, 4),
        ("é é ".encode() + b"\xe9", 1, 5),  # columns count characters, as editors do
        ("数据\n数据".encode() + b"\xff", 2, 3),
        (b"a\n\xc3", 2, 1),  # cut in the middle of a character
        (b"a\n\xed\xa0\x80", 2, 1),  # a surrogate
        (b"a\n\xc0\xaf", 2, 1),  # an overlong form
        (b"\xef\xbb\xbfab\xe9", 1, 3),  # the BOM is no column
    ],
)
def test_a_byte_that_is_not_utf8_has_its_place(data: bytes, line: int, column: int) -> None:
    source = decode(data, "/r/SKILL.md", "SKILL.md")
    assert source.problem is not None
    assert (source.problem.kind, source.problem.line, source.problem.column) == ("FILE_ENCODING", line, column)
    assert "\ufffd" in source.text  # the rest is still read


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("mark", [True, False])
def test_utf16_and_utf32(encoding: str, mark: bool) -> None:
    data = (("\ufeff" if mark else "") + HEADER).encode(encoding)
    source = decode(data, "/r/SKILL.md", "SKILL.md")
    assert source.problem is not None
    assert (source.problem.kind, source.problem.line, source.text) == ("FILE_ENCODING", 1, "")


@pytest.mark.parametrize(
    ("data", "line"), [(b"\0", 1), (b"a\nb\0", 2), (b"a\r\n\r\n\0", 3), (b"\x89PNG\r\n\x1a\n\0\0", 3), (b"a\rb\r\0", 3)]
)
def test_nul_is_binary(data: bytes, line: int) -> None:
    source = decode(data, "/r/SKILL.md", "SKILL.md")
    assert source.problem is not None
    assert (source.problem.kind, source.problem.line, source.text) == ("FILE_ENCODING", line, "")
    assert "\0" not in source.problem.message


@pytest.mark.parametrize("size", [MAX_BYTES - 1, MAX_BYTES])
def test_the_limit_itself_is_read(tmp_path, size: int) -> None:
    file = tmp_path / "SKILL.md"
    file.write_bytes(b"x" * size)
    assert read_source(str(file), "SKILL.md").problem is None


@pytest.mark.parametrize("size", [MAX_BYTES + 1, 10_000_000, 300_000_000])
def test_large_files_are_not_read(tmp_path, size: int) -> None:
    file = tmp_path / "SKILL.md"
    with file.open("wb") as stream:
        stream.truncate(size)
    start = time.process_time()
    source = read_source(str(file), "SKILL.md")
    assert time.process_time() - start < 1
    assert source.problem is not None
    assert (source.problem.kind, source.text, source.size) == ("FILE_TOO_LARGE", "", size)
    assert f"{size:,}" in source.problem.message


def test_large_input_from_an_editor() -> None:
    source = decode(b"x" * (MAX_BYTES + 1), "f", "f")
    assert source.problem is not None and source.problem.kind == "FILE_TOO_LARGE"


def unreadable(file: os.PathLike[str]) -> str:
    start = time.process_time()
    source = read_source(str(file), "skills/a/SKILL.md")
    assert time.process_time() - start < 1
    assert source.problem is not None and source.text == ""
    assert (source.problem.kind, source.problem.line) == ("FILE_UNREADABLE", 1)
    return source.problem.message


def test_directory(tmp_path) -> None:
    (tmp_path / "SKILL.md").mkdir()
    assert "folder" in unreadable(tmp_path / "SKILL.md")


def test_fifo_does_not_block(tmp_path) -> None:
    os.mkfifo(tmp_path / "SKILL.md")
    assert "no regular file" in unreadable(tmp_path / "SKILL.md")


def test_the_head_of_a_file(tmp_path) -> None:
    (tmp_path / "a").write_bytes(b"caf\xe9 au lait")
    assert read_head(str(tmp_path / "a"), 4) == b"caf\xe9"
    assert head_text(str(tmp_path / "a"), 7) == "caf\ufffd au"


def test_what_has_no_head(tmp_path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert [
        read_head(place, 9) for place in (str(tmp_path / "pipe"), str(tmp_path), str(tmp_path / "gone"), "a\0b")
    ] == [b""] * 4


def test_socket(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("SKILL.md")
        assert "no regular file" in unreadable(tmp_path / "SKILL.md")


def test_device() -> None:
    assert "no regular file" in unreadable("/dev/zero")  # type: ignore[arg-type]


def test_missing_dangling_and_looping(tmp_path) -> None:
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to("loop")
    for name in ("absent", "dangling", "loop"):
        assert "cannot be read" in unreadable(tmp_path / name)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_no_permission(tmp_path) -> None:
    file = tmp_path / "SKILL.md"
    file.write_text(HEADER)
    file.chmod(0)
    assert "Permission denied" in unreadable(file)


def test_no_permission_by_another_way(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for root, who reads everything: the open itself is refused."""
    file = tmp_path / "SKILL.md"
    file.write_text(HEADER)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    assert "Permission denied" in unreadable(file)
