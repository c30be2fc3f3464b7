"""What the step says: log lines that are no commands, annotations, outputs and the summary."""

from __future__ import annotations

import io
import json
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TextIO

from plugin_eval_ci.errors import MeasurementError
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.workflow_commands import MESSAGE_LIMIT, TITLE_LIMIT, command, plain

SUMMARY_LIMIT = 900 << 10  # bytes; above 1 MiB GitHub drops the whole summary and says nothing
OUTPUT_LIMIT = 100_000  # bytes of one output; a job's outputs may be 1 MB together


class Runner:
    """Speaks to the runner. Text given to it may come from a stranger."""

    def __init__(self, out: TextIO, output: str | None, summary: str | None, debugging: bool) -> None:
        self._out, self._output, self._summary, self.debugging = out, output, summary, debugging

    def log(self, text: str) -> None:
        """One line of the log; several lines of text are several lines."""
        for line in text.splitlines():
            self._out.write(plain(line) + "\n")
        self._out.flush()

    def debug(self, text: str) -> None:
        """A line that is shown when the run is being debugged."""
        if self.debugging:
            self.log(text)

    def mask(self, secret: str) -> None:
        """Have the runner replace ``secret`` in every line that follows; this line itself it does not show."""
        self._out.write(command("add-mask", [], secret) + "\n")
        self._out.flush()

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        """How long ``what`` took, in seconds, in a line for debugging."""
        begun = time.perf_counter()
        yield
        self.debug(f"time: {what}: {time.perf_counter() - begun:.3f} s")

    def say(self, level: str, title: str, text: str) -> None:
        """An annotation that stands on no line: ``level`` is error, warning or notice."""
        place = [("title", plain(title)[:TITLE_LIMIT])]
        self._out.write(command(level, place, for_terminal(text)[:MESSAGE_LIMIT]) + "\n")
        self._out.flush()

    def annotate(self, commands: str) -> None:
        """Commands as ``report.lint_github`` renders them."""
        self._out.write(commands)
        self._out.flush()

    def outputs(self, values: Mapping[str, str]) -> None:
        """Append outputs. Each has a delimiter of its own that nobody can guess, so no value can end early or add another."""
        if self._output is None:
            return
        text = "".join(_entry(name, value) for name, value in values.items())
        _append(self._output, text.encode("utf-8", "replace"), "GITHUB_OUTPUT")

    def summary(self, markdown: str) -> None:
        """Append to the job's summary: other steps may have written there."""
        if self._summary is None:
            return
        data = markdown.encode("utf-8", "replace")
        assert len(data) <= SUMMARY_LIMIT, "a summary is cut by rows, where it is rendered"
        _append(self._summary, data, "GITHUB_STEP_SUMMARY")

    def stream(self) -> io.TextIOBase:
        """A stream that takes the place of standard error: what is written to it is logged line by line."""
        return _Lines(self)


class _Lines(io.TextIOBase):
    def __init__(self, runner: Runner) -> None:
        self._runner, self._rest = runner, ""

    def write(self, text: str) -> int:
        *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            self._runner.log(line.removeprefix("plugin-eval: "))
        return len(text)

    def flush(self) -> None:
        if self._rest:
            self.write("\n")


def _append(file: str, data: bytes, name: str) -> None:
    """Raises ``MeasurementError`` where the runner's own file cannot be written: that is no finding, and no fault of ours."""
    try:
        with open(file, "ab") as stream:
            stream.write(data)
    except OSError as error:
        raise MeasurementError(f"the file of {name} cannot be written: {error.strerror}") from error


def _entry(name: str, value: str) -> str:
    delimiter = f"plugin-eval-{secrets.token_hex(16)}"
    assert delimiter not in value
    return f"{name}<<{delimiter}\n{value}\n{delimiter}\n"


def as_list(paths: Iterable[str]) -> str:
    """Reported paths of skills and agents as a JSON array of whole entries, cut where an output would become too long."""
    entries, room = [], OUTPUT_LIMIT - 2
    for path in paths:
        entry = json.dumps(path.removesuffix("/SKILL.md"))
        room -= len(entry) + 2
        if room < 0:
            break
        entries.append(entry)
    return f"[{', '.join(entries)}]"
