"""Where a finding is, in the units that an output format counts in."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256

from plugin_eval_ci.lint.evaluate import Evaluation
from plugin_eval_ci.model import Finding, Severity
from plugin_eval_ci.util import faults

LineOf = Callable[[Finding], str]
_NO_BYTE = re.compile("[\ud800-\udc7f\udd00-\udfff]")


def lines_of(evaluation: Evaluation) -> LineOf:
    """A function from a finding to the text of its line; empty where that is not known."""
    sources = {document.source.path: document.source for document in evaluation.collection.documents}
    split: dict[str, list[str]] = {}

    def line_of(finding: Finding) -> str:
        if finding.path not in split:
            source = sources.get(finding.path)
            split[finding.path] = source.text.split("\n") if source else []
        lines = split[finding.path]
        return lines[finding.line - 1] if finding.line <= len(lines) else ""

    return line_of


def utf16_column(line: str, column: int) -> int:
    """A column counted in characters as one counted in UTF-16 units; beyond the line's end, one unit a character."""
    return column + sum(character > "\uffff" for character in line[: column - 1])


def utf8_column(line: str, column: int) -> int:
    """A column counted in characters as one counted in UTF-8 bytes; beyond the line's end, one byte a character."""
    before = line[: column - 1]
    return column + len(before.encode("utf-8", "replace")) - len(before)


def unicode_path(path: str) -> str:
    """A path as text that every encoder accepts: bytes that are not UTF-8 become replacement characters."""
    return path_bytes(path).decode("utf-8", "replace")


def path_bytes(path: str) -> bytes:
    """A path as it is on disk; a surrogate that stands for no byte becomes a replacement character."""
    return _NO_BYTE.sub("\ufffd", path).encode("utf-8", "surrogateescape")


def fault_findings() -> tuple[Finding, ...]:
    """One error for each fault, on the first line of its file."""
    return tuple(_finding(fault) for fault in faults.noted())


def _finding(fault: faults.Fault) -> Finding:
    digest = sha256("\0".join(fault).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    message = f"internal error: {fault.said}"
    return Finding(
        faults.RULE, Severity.ERROR, False, fault.path, 1, None, None, message, faults.ADVICE, fault.rule, digest, None
    )
