"""Corrections that have exactly one right answer, as edits of a file's bytes: everything else stays as it is.

A BOM is dropped, a value that holds ``: `` or ends in a comment is quoted, the name becomes the folder's, the letter case of a link
becomes the file's, a fence that runs to the end of the file is closed. Each edit is checked by reading the result again.
"""

import os
import re
from collections.abc import Iterable

from plugin_eval_ci.model import Document, Finding, Skill
from plugin_eval_ci.parse import header
from plugin_eval_ci.parse.source import decode
from plugin_eval_ci.references import references_of

FIXABLE = frozenset(
    {
        "FILE_BOM",
        "FM_INVALID_YAML",
        "FM_FENCE_STYLE",
        "NAME_DIR_MISMATCH",
        "REF_CASE",
        "ORPHAN_REFERENCE",
        "FENCE_UNCLOSED",
    }
)
_BOM = b"\xef\xbb\xbf"
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_KEY = re.compile(r"([\w-]+)([ \t]*:[ \t]+)(\S(?:.*\S)?)([ \t]*)\Z")
_FENCE = re.compile(r"([ \t>]*)(`{3,}|~{3,})")


def fixed(data: bytes, document: Document, findings: Iterable[Finding]) -> bytes:
    """``data``, the bytes of ``document``'s file, with what has one right answer put right; the same bytes if nothing has."""
    rules = {finding.rule for finding in findings if finding.path == document.source.path}
    if not rules & FIXABLE or document.source.problem is not None:
        return data
    result = data[len(_BOM) :] if "FILE_BOM" in rules and data.startswith(_BOM) else data
    mark, text = (_BOM, result[len(_BOM) :]) if result.startswith(_BOM) else (b"", result)
    lines = [part for part in _LINE.findall(text) if part]
    if "FM_FENCE_STYLE" in rules:
        _trim_fences(lines, document)
    if "FM_INVALID_YAML" in rules:
        _quote_value(lines, document)
    if "NAME_DIR_MISMATCH" in rules and isinstance(document, Skill):
        _name_as_folder(lines, document)
    if rules & {"REF_CASE", "ORPHAN_REFERENCE"} and isinstance(document, Skill):
        _case_as_on_disk(lines, document)
    if "FENCE_UNCLOSED" in rules:
        _close_fence(lines, document)
    return mark + b"".join(lines)


def _parts(line: bytes) -> tuple[str, bytes]:
    """The text of a line, and its end."""
    body = line.rstrip(b"\r\n")
    return body.decode("utf-8"), line[len(body) :]


def _trim_fences(lines: list[bytes], document: Document) -> None:
    for note in document.header.notes:
        if note.kind == "FM_FENCE_STYLE" and note.line <= len(lines):
            text, end = _parts(lines[note.line - 1])
            lines[note.line - 1] = text.rstrip(" \t").encode() + end


def _quote_value(lines: list[bytes], document: Document) -> None:
    """Quote the value on the line of the YAML error, if the header can then be read."""
    problem = document.header.problem
    if problem is None or problem.line > len(lines):
        return
    text, end = _parts(lines[problem.line - 1])
    match = _KEY.match(text)
    if match is None or match[3][0] in "\"'|>[{":
        return
    quoted = match[3].replace("'", "''")
    tried = [*lines]
    tried[problem.line - 1] = f"{match[1]}{match[2]}'{quoted}'{match[4]}".encode() + end
    source = decode(b"".join(tried), document.source.file, document.source.path)
    head, _, _ = header.split(source.text)
    value = head.text(match[1])
    if head.problem is None and value == match[3]:
        lines[:] = tried


def _name_as_folder(lines: list[bytes], skill: Skill) -> None:
    folder = os.path.basename(skill.directory)
    field = skill.header.field("name")
    if field is None or not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", folder) or folder.isdigit() or len(folder) > 64:
        return
    text, end = _parts(lines[field.line - 1])
    match = re.fullmatch(r"(name[ \t]*:[ \t]+)([\"']?)([\w .-]+?)\2([ \t]*(?:#.*)?)", text)
    if match is not None:
        lines[field.line - 1] = f"{match[1]}{match[2]}{folder}{match[2]}{match[4]}".encode() + end


def _case_as_on_disk(lines: list[bytes], skill: Skill) -> None:
    for reference in references_of(skill):
        actual = reference.resolution.actual
        if reference.resolution.status != "case" or reference.file != skill.source.path or reference.line > len(lines):
            continue
        path = reference.local.path
        if actual.lower() != path.lower() or path not in reference.target:
            continue  # found from another base, or written with escapes: no certain place to change
        text, end = _parts(lines[reference.line - 1])
        target = reference.target.replace(path, actual)
        for before, after in (("(", ")"), ("(", " "), ("(", "#"), ("<", ">"), ("`", "`"), (": ", "")):
            text = text.replace(f"{before}{reference.target}{after}", f"{before}{target}{after}")
        lines[reference.line - 1] = text.encode() + end


def _close_fence(lines: list[bytes], document: Document) -> None:
    fences = document.body.fences
    if not fences or fences[-1].closed or not fences[-1].content.strip() or fences[-1].line > len(lines):
        return
    if any(fence.closed and _FENCE.search(fence.content) for fence in fences):
        return  # a block that holds a block: which line is wrong is for its author to say
    text, end = _parts(lines[fences[-1].line - 1])
    match = _FENCE.match(text)
    if match is None:
        return
    end = end or b"\n"
    if not lines[-1].endswith((b"\n", b"\r")):
        lines[-1] += end
    lines.append(f"{match[1]}{match[2]}".encode() + end)
