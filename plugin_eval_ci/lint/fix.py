"""Corrections that have exactly one right answer, as edits of a file's bytes: everything else stays as it is.

A BOM is dropped, a value that holds ``: `` or ends in a comment is quoted, the name becomes the folder's, the letter case of a link
becomes the file's, a fence that runs to the end of the file is closed if no text can be behind it. A value is quoted only if the header
can be read afterwards.
"""

import os
import re
from collections import Counter
from collections.abc import Collection, Iterable
from typing import NamedTuple

from plugin_eval_ci.analysis.references import references_of
from plugin_eval_ci.model import Document, Finding, Skill
from plugin_eval_ci.parse import header
from plugin_eval_ci.parse.source import decode

FIXABLE = {  # rule: what --fix does about it; what is not said here is left to the author
    "FILE_BOM": "drops the mark",
    "FM_INVALID_YAML": "quotes the value on the line of the error, if the frontmatter can be read then",
    "FM_FENCE_STYLE": "takes the blanks off the fence",
    "NAME_DIR_MISMATCH": "writes the folder's name, if that is a valid name",
    "REF_CASE": "writes the path as it is on disk",
    "ORPHAN_REFERENCE": "writes the path as it is on disk, where only the letter case differs",
    "FENCE_UNCLOSED": "closes the last block at the end of the file, if no blank line is in it and no block holds another",
}
_BOM = b"\xef\xbb\xbf"
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_KEY = re.compile(r"([\w-]+)([ \t]*:[ \t]+)(\S(?:.*\S)?)([ \t]*)\Z")
_FENCE = re.compile(r"([ \t>]*)(`{3,}|~{3,})")


class FixResult(NamedTuple):
    """The bytes of a file after its corrections, and how many there are by rule: none means that the bytes are as they were."""

    data: bytes
    corrected: dict[str, int]


def apply_fixes(data: bytes, document: Document, findings: Iterable[Finding]) -> FixResult:
    """``data``, the bytes of ``document``'s file, with what has one right answer put right."""
    ours = [finding for finding in findings if finding.path == document.source.path]
    rules = {finding.rule for finding in ours}
    corrected: Counter[str] = Counter()
    if rules.isdisjoint(FIXABLE) or document.source.problem is not None:
        return FixResult(data, corrected)
    mark, text = (_BOM, data[len(_BOM) :]) if data.startswith(_BOM) else (b"", data)
    if mark and "FILE_BOM" in rules:
        mark, corrected["FILE_BOM"] = b"", 1
    lines = [part for part in _LINE.findall(text) if part]
    if "FM_FENCE_STYLE" in rules:
        corrected["FM_FENCE_STYLE"] = _trim_fences(lines, document)
    if "FM_INVALID_YAML" in rules:
        corrected["FM_INVALID_YAML"] = _quote_value(lines, document)
    if "NAME_DIR_MISMATCH" in rules and isinstance(document, Skill):
        corrected["NAME_DIR_MISMATCH"] = _name_as_folder(lines, document)
    about_case = {finding.target: finding.rule for finding in ours if finding.rule in ("REF_CASE", "ORPHAN_REFERENCE")}
    if about_case and isinstance(document, Skill):
        corrected.update(about_case[path] for path in _case_as_on_disk(lines, document, about_case.keys()))
    if "FENCE_UNCLOSED" in rules:
        corrected["FENCE_UNCLOSED"] = _close_fence(lines, document)
    return FixResult(mark + b"".join(lines), +corrected)


def _parts(line: bytes) -> tuple[str, bytes]:
    """The text of a line, and its end."""
    body = line.rstrip(b"\r\n")
    return body.decode("utf-8"), line[len(body) :]


def _trim_fences(lines: list[bytes], document: Document) -> int:
    """How many were trimmed. Each of these functions changes ``lines`` in place, and says how much."""
    before = [*lines]
    for note in document.header.notes:
        if note.kind == "FM_FENCE_STYLE" and note.line <= len(lines):
            text, end = _parts(lines[note.line - 1])
            lines[note.line - 1] = text.rstrip(" \t").encode() + end
    return sum(now != then for now, then in zip(lines, before, strict=True))


def _quote_value(lines: list[bytes], document: Document) -> int:
    """Quote the value on the line of the YAML error, if the header can then be read."""
    problem = document.header.problem
    if problem is None or problem.line > len(lines):
        return 0
    text, end = _parts(lines[problem.line - 1])
    match = _KEY.match(text)
    if match is None or match[3][0] in "\"'|>[{":
        return 0
    quoted = match[3].replace("'", "''")
    tried = [*lines]
    tried[problem.line - 1] = f"{match[1]}{match[2]}'{quoted}'{match[4]}".encode() + end
    source = decode(b"".join(tried), document.source.file, document.source.path)
    head, _, _ = header.split(source.text)
    value = head.text(match[1])
    if head.problem is not None or value != match[3]:
        return 0
    lines[:] = tried
    return 1


def _name_as_folder(lines: list[bytes], skill: Skill) -> int:
    folder = os.path.basename(skill.directory)
    field = skill.header.field("name")
    if field is None or not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", folder) or folder.isdigit() or len(folder) > 64:
        return 0
    text, end = _parts(lines[field.line - 1])
    match = re.fullmatch(r"(name[ \t]*:[ \t]+)([\"']?)([\w .-]+?)\2([ \t]*(?:#.*)?)", text)
    if match is None:
        return 0
    lines[field.line - 1] = f"{match[1]}{match[2]}{folder}{match[2]}{match[4]}".encode() + end
    return 1


def _case_as_on_disk(lines: list[bytes], skill: Skill, flagged: Collection[str]) -> list[str]:
    """The path, as it was written, of each reference that was corrected; one that no finding is about may be accepted."""
    corrected = []
    for reference in references_of(skill):
        actual = reference.resolution.actual
        if reference.resolution.status != "case" or reference.file != skill.source.path:
            continue
        path = reference.local.path
        if path not in flagged or reference.line > len(lines):
            continue
        if actual.lower() != path.lower() or path not in reference.target:
            continue  # found from another base, or written with escapes: no certain place to change
        before_all, end = _parts(lines[reference.line - 1])
        text, target = before_all, reference.target.replace(path, actual)
        for before, after in (("(", ")"), ("(", " "), ("(", "#"), ("<", ">"), ("`", "`"), (": ", "")):
            text = text.replace(f"{before}{reference.target}{after}", f"{before}{target}{after}")
        if text != before_all:
            lines[reference.line - 1] = text.encode() + end
            corrected.append(path)
    return corrected


def _close_fence(lines: list[bytes], document: Document) -> int:
    fences = document.body.fences
    if not fences or fences[-1].closed or not fences[-1].content.strip() or fences[-1].line > len(lines):
        return 0
    if any(not line.strip() for line in fences[-1].content.rstrip().split("\n")):
        return 0  # what follows a blank line may be the text that is to come after the block
    if any(fence.closed and _FENCE.search(fence.content) for fence in fences):
        return 0  # a block that holds a block: which line is wrong is for its author to say
    text, end = _parts(lines[fences[-1].line - 1])
    match = _FENCE.match(text)
    if match is None:
        return 0
    end = end or b"\n"
    if not lines[-1].endswith((b"\n", b"\r")):
        lines[-1] += end
    lines.append(f"{match[1]}{match[2]}".encode() + end)
    return 1
