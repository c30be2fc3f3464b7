"""Files that a user names, read by several commands: what is no file, and what is no JSON."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from plugin_eval_ci import cli
from plugin_eval_ci.commands.json_input import json_of
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.util.json_values import DamagedError

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
COMMANDS = [
    ("agreement", "{}"),
    ("calibrate", "{}"),
    ("label", "{}", "--output", "out.jsonl"),
    ("score", "skills/stock-report", "--judge-file", "{}"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(repo, skill_text, inside, capsys, words) -> None:
    inside(repo({"skills/stock-report/SKILL.md": skill_text()}))
    os.mkfifo("pipe")
    os.symlink("pipe", "link")
    for name in ("pipe", "link"):
        assert cli.run([word.format(name) for word in words]) == 2
        assert f"plugin-eval: {name}: is a named pipe" in capsys.readouterr().err


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
@pytest.mark.parametrize("content", [b"", b"[" * 100_000, b"1" * 10_000, b"\xff\xfe\x00", b'{"a": "\xff"}'])
def test_what_is_no_json_is_said_in_our_words(repo, skill_text, inside, capsys, words, content) -> None:
    inside(repo({"skills/stock-report/SKILL.md": skill_text()}))
    Path("x.json").write_bytes(content)
    assert cli.run([word.format("x.json") for word in words]) == 2
    err = capsys.readouterr().err
    assert "x.json" in err and "not valid JSON" in err and "codec" not in err and "recursion" not in err


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="there are no names of open files here")
def test_what_a_shell_puts_in_place_of_a_command_is_read() -> None:
    reader, writer = os.pipe()

    def write() -> None:
        os.write(writer, b'{"a": 1}')
        os.close(writer)

    threading.Timer(0.1, write).start()
    try:
        assert json_of(f"/dev/fd/{reader}", 100) == {"a": 1}
    finally:
        os.close(reader)


def test_size_and_what_is_not_there(tmp_path) -> None:
    file = tmp_path / "x.json"
    file.write_text("[1234]")
    assert json_of(str(file), 6) == [1234]
    with pytest.raises(DamagedError, match="larger than 5 bytes"):
        json_of(str(file), 5)
    with pytest.raises(UsageError, match="No such file"):
        json_of(str(tmp_path / "y.json"), 5)
    with pytest.raises(UsageError, match="Is a directory"):
        json_of(str(tmp_path), 5)
