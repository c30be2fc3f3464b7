"""Output of the step: log lines that cannot act as workflow commands, annotations, outputs and the summary."""

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

SUMMARY_LIMIT = 900 << 10  # bytes; above 1 MiB GitHub silently drops the whole summary
OUTPUT_LIMIT = 100_000  # bytes of one output; all outputs of a job may total 1 MB


class Runner:
    """Writes to the runner. The text may be untrusted."""

    def __init__(self, out: TextIO, output: str | None, summary: str | None, debugging: bool) -> None:
        self._out, self._output, self._summary, self.debugging = out, output, summary, debugging

    def log(self, text: str) -> None:
        """Write text to the log, line by line."""
        for line in text.splitlines():
            self._out.write(plain(line) + "\n")
        self._out.flush()

    def debug(self, text: str) -> None:
        """Write a line that is shown only with debug logging."""
        if self.debugging:
            self.log(text)

    def mask(self, secret: str) -> None:
        """Make the runner mask ``secret`` in all later lines. This line itself is not shown."""
        self._out.write(command("add-mask", [], secret) + "\n")
        self._out.flush()

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        """Log how long ``what`` took, in seconds, as a debug line."""
        begun = time.perf_counter()
        yield
        self.debug(f"time: {what}: {time.perf_counter() - begun:.3f} s")

    def say(self, level: str, title: str, text: str) -> None:
        """Write an annotation without a file: ``level`` is error, warning or notice."""
        place = [("title", plain(title)[:TITLE_LIMIT])]
        self._out.write(command(level, place, for_terminal(text)[:MESSAGE_LIMIT]) + "\n")
        self._out.flush()

    def annotate(self, commands: str) -> None:
        """Write the annotations that ``report.lint.github`` rendered."""
        self._out.write(commands)
        self._out.flush()

    def outputs(self, values: Mapping[str, str]) -> None:
        """Append outputs. Each has its own random delimiter, so a value cannot end early or add another output."""
        if self._output is None:
            return
        text = "".join(_entry(name, value) for name, value in values.items())
        _append(self._output, text.encode("utf-8", "replace"), "GITHUB_OUTPUT")

    def summary(self, markdown: str) -> None:
        """Append to the job summary, where other steps may have written already."""
        if self._summary is None:
            return
        data = markdown.encode("utf-8", "replace")
        assert len(data) <= SUMMARY_LIMIT, "the renderer must keep the summary below the limit"
        _append(self._summary, data, "GITHUB_STEP_SUMMARY")

    def stream(self) -> io.TextIOBase:
        """A replacement for standard error that logs everything line by line."""
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
    """Append to a file of the runner. Raises ``MeasurementError`` if it cannot be written."""
    try:
        with open(file, "ab") as stream:
            stream.write(data)
    except OSError as error:
        raise MeasurementError(f"the runner's file for {name} cannot be written: {error.strerror}") from error


def _entry(name: str, value: str) -> str:
    delimiter = f"plugin-eval-{secrets.token_hex(16)}"
    assert delimiter not in value
    return f"{name}<<{delimiter}\n{value}\n{delimiter}\n"


def as_list(paths: Iterable[str]) -> str:
    """Paths of skills and agents as a JSON array. Entries that would exceed the output limit are left out."""
    entries, room = [], OUTPUT_LIMIT - 2
    for path in paths:
        entry = json.dumps(path.removesuffix("/SKILL.md"))
        room -= len(entry) + 2
        if room < 0:
            break
        entries.append(entry)
    return f"[{', '.join(entries)}]"
