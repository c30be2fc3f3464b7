"""The frontmatter: where it begins and ends, and what is wrong with it when it cannot be read."""

from __future__ import annotations

import re

from plugin_eval_ci.model import MARK, Field, Header, Problem, Value
from plugin_eval_ci.util.lazy import Lazy

# A value is one line: plain words that begin with a letter of any script, a version of three numbers (YAML has no number with two
# points), or a string in quotes with no quote and no escape inside.
_LINE = Lazy(
    r"([A-Za-z][A-Za-z0-9_-]{0,60}): "
    r"(?:([^\W\d_][^\n]*[^\s:\n]|[^\W\d_]|[0-9]+\.[0-9]+\.[0-9]+)|\"([^\"\\\n]*)\"|'([^'\n]*)')"
)
MOST = 16 * 1024  # characters; YAML's own limit is for YAML to apply
_WORDS = frozenset(
    ["yes", "no", "on", "off", "true", "false", "null", "y", "n"]
)  # in any case; most are no text to YAML
_BOOLEANS = frozenset(["true", "false"])


def parse(lines: list[str], last_line: int) -> Header | None:
    """The header of plain lines, None when it takes YAML to read them. Arguments as for ``yaml_header.parse``."""
    fields: list[Field] = []
    seen: set[str] = set()
    pattern = _LINE()
    if sum(map(len, lines)) > MOST:
        return None
    for number, line in enumerate(lines, 2):
        match = pattern.fullmatch(line)
        if match is None or not line.isprintable() or MARK in line or match[1] in seen or match[1].lower() in _WORDS:
            return None
        plain = match[2]
        boolean = plain in _BOOLEANS
        if plain is not None and not boolean and not _is_text(plain):
            return None
        value = plain if plain is not None else match[3] if match[3] is not None else match[4]
        seen.add(match[1])
        fields.append(Field(match[1], number, Value("boolean" if boolean else "text", value, number)))
    return Header(None, tuple(fields), (), last_line) if fields else None


def _is_text(plain: str) -> bool:
    """Whether YAML reads plain words to their end, and as a text."""
    return ": " not in plain and " #" not in plain and "\t" not in plain and plain.lower() not in _WORDS


_FENCE = re.compile(r"---[ \t]*\Z")
# Possessive throughout: a line may have a million blanks, and giving any of them back is quadratic.
_ALMOST = Lazy(r"[ \t]*+(?:\\-{2,}+|-{2,}+|[\u2010-\u2015\u2212]{1,3}+|\+{3}|_{3}|\*{3})[ \t]*+\S*+[ \t]*+\Z")
_KNOWN_KEY = Lazy(r"[ \t]*(?:name|description)[ \t]*:")
_CODE = Lazy(r" {0,3}(`{3,}|~{3,})(.*)")
_LATE = 80  # lines below which a misplaced block is looked for


def split(text: str) -> tuple[Header, str, int]:
    """Split ``text`` into its header, the Markdown below it, and the line that Markdown begins on."""
    lines = text.split("\n")
    if not is_fence(lines[0]):
        return _without_first_fence(lines)
    end = next((n for n, line in enumerate(lines[1:], 1) if is_fence(line)), None)
    if end is None:
        problem = Problem(
            "FM_UNCLOSED",
            1,
            "the frontmatter opened on line 1 is never closed",
            "Add a line with only --- below the last key.",
        )
        return Header(problem), "\n".join(lines[1:]), 2
    header = _fields(lines[1:end], end + 1)
    notes = tuple(_fence_style(n + 1) for n in (0, end) if lines[n] != "---")
    return header._replace(notes=notes + header.notes), "\n".join(lines[end + 1 :]), end + 2


def _fields(lines: list[str], last_line: int) -> Header:
    plain = parse(lines, last_line)
    if plain is not None:
        return plain
    from plugin_eval_ci.parse import yaml_header  # loads a library of twenty milliseconds

    return yaml_header.parse(lines, last_line)


def is_fence(line: str) -> bool:
    """Whether a line is exactly ``---``, trailing blanks allowed."""
    return line.startswith("---") and _FENCE.match(line) is not None


def _fence_style(line: int) -> Problem:
    return Problem(
        "FM_FENCE_STYLE",
        line,
        "there are blanks after ---",
        "Remove the blanks at the end of this line.",
    )


def _without_first_fence(lines: list[str]) -> tuple[Header, str, int]:
    block = _late_block(lines)
    if block is not None:
        start, end = block
        what = (
            "blank lines"
            if not any(line.strip() for line in lines[:start])
            else f"{lines[0].strip()[:40]!r}"
            if lines[0].strip()
            else "text"
        )
        problem = Problem(
            "FM_NOT_FIRST",
            1,
            f"the frontmatter begins on line {start + 1}, after {what}, not on line 1",
            "Move the frontmatter up so that its --- is the first line of the file.",
        )
        rest = [*lines[:start], *[""] * (end + 1 - start), *lines[end + 1 :]]
        return Header(problem), "\n".join(rest), 1
    odd = lines[0].strip()
    if odd and _ALMOST().match(lines[0]):
        message = f"no frontmatter: line 1 is {odd[:40]!r}, not ---"
    elif odd.startswith(("```", "~~~")):
        message = "no frontmatter: line 1 opens a code fence, so the whole file is code"
    else:
        message = "no frontmatter: line 1 is not ---"
    fix = "Begin the file with a line ---, then name: and description:, then another line ---."
    return Header(Problem("FM_MISSING", 1, message, fix)), "\n".join(lines), 1


def _late_block(lines: list[str]) -> tuple[int, int] | None:
    fence = ""
    for start, line in enumerate(lines[:_LATE]):
        code = _CODE().match(line)
        if code is not None:  # what is in a code block is an example
            if not fence:
                fence = code[1]
            elif code[1].startswith(fence) and not code[2].strip():
                fence = ""
        if fence and not lines[0].startswith(fence):
            continue
        if start and is_fence(line):
            end = next((n for n in range(start + 1, min(len(lines), start + _LATE)) if is_fence(lines[n])), None)
            if end is None:
                return None
            if any(_KNOWN_KEY().match(inner) for inner in lines[start + 1 : end]):
                return start, end
    return None
