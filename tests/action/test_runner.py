"""What the step says: whatever the text, the runner sees the commands that were meant and no other."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from action.conftest import read_outputs
from hypothesis import given
from hypothesis import strategies as st
from report.made import PIECES
from runner_port import as_the_runner

from plugin_eval_ci.action.runner import SUMMARY_LIMIT, Runner
from plugin_eval_ci.errors import MeasurementError

TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=6)), max_size=12).map("".join)


def runner(out: io.StringIO, output: Path | None = None, summary: Path | None = None, debug: bool = False) -> Runner:
    return Runner(out, str(output) if output else None, str(summary) if summary else None, debug)


@given(TEXTS)
def test_a_log_line_is_no_command(text: str) -> None:
    out = io.StringIO()
    runner(out).log(text)
    commands, lines = as_the_runner(out.getvalue())
    assert commands == [] and all(line.startswith("plugin-eval: ") for line in lines)


@given(TEXTS, st.sampled_from(["error", "warning", "notice"]))
def test_an_annotation_is_one_command(text: str, level: str) -> None:
    out = io.StringIO()
    runner(out).say(level, text, text)
    (command,), lines = as_the_runner(out.getvalue())
    assert command[0] == level and lines == [] and set(command[1]) == {"title"}


@given(TEXTS)
def test_what_is_written_to_standard_error_is_logged(text: str) -> None:
    out = io.StringIO()
    stream = runner(out).stream()
    for part in (text[:3], text[3:]):
        stream.write(part)
    stream.flush()
    commands, lines = as_the_runner(out.getvalue())
    assert commands == [] and all(line.startswith("plugin-eval: ") for line in lines)


def test_the_mark_is_not_said_twice() -> None:
    out = io.StringIO()
    print("plugin-eval: skills/x: no such file", file=runner(out).stream())
    assert out.getvalue() == "plugin-eval: skills/x: no such file\n"


@given(
    st.dictionaries(st.sampled_from(["skills", "score", "comment-url"]), TEXTS.filter(lambda text: "\r" not in text))
)
def test_outputs_come_back_as_they_were(tmp_path_factory: pytest.TempPathFactory, values: dict[str, str]) -> None:
    file = tmp_path_factory.mktemp("out") / "output"
    file.write_text("other=1\n")
    runner(io.StringIO(), file).outputs(values)
    with file.open(encoding="utf-8", newline="") as stream:
        text = stream.read().removeprefix("other=1\n")
    assert read_outputs(text) == {name: value.encode("utf-8", "replace").decode() for name, value in values.items()}


def test_delimiters_are_never_the_same(tmp_path: Path) -> None:
    runner(io.StringIO(), tmp_path / "output").outputs({"a": "x\nplugin-eval-0\nb<<c\nEOF", "b": ""})
    delimiters = [
        line.partition("<<")[2]
        for line in (tmp_path / "output").read_text().split("\n")
        if line.startswith(("a<<", "b<<plugin"))
    ]
    assert len(set(delimiters)) == 2 and all(len(one) > 30 for one in delimiters)


def test_the_summary_is_appended(tmp_path: Path) -> None:
    file = tmp_path / "summary"
    file.write_text("theirs\n")
    runner(io.StringIO(), summary=file).summary("ours \ud800\n")
    assert file.read_bytes() == b"theirs\nours ?\n"
    with pytest.raises(AssertionError):
        runner(io.StringIO(), summary=file).summary("x" * (SUMMARY_LIMIT + 1))


def test_without_the_files_nothing_is_written_and_nothing_fails() -> None:
    runner(io.StringIO()).outputs({"a": "b"})
    runner(io.StringIO()).summary("x")


def test_debugging_is_asked_for() -> None:
    for asked in (False, True):
        out = io.StringIO()
        runner(out, debug=asked).debug("details")
        assert bool(out.getvalue()) is asked


@pytest.mark.parametrize("place", [".", "nowhere/file"])
def test_a_file_of_the_runner_that_cannot_be_written_is_named(tmp_path: Path, place: str) -> None:
    for write in (
        lambda file: runner(io.StringIO(), output=file).outputs({"a": "b"}),
        lambda file: runner(io.StringIO(), summary=file).summary("x"),
    ):
        with pytest.raises(MeasurementError, match=r"GITHUB_(OUTPUT|STEP_SUMMARY) cannot be written"):
            write(tmp_path / place)
