"""YAML of a frontmatter to ``Field`` values with lines, and words for what is wrong with it. The composer is ``config.yaml_values``."""

from __future__ import annotations

import re

import yaml

from plugin_eval_ci.config import yaml_values
from plugin_eval_ci.model import MARK, Field, Header, Problem, Severity, Value, ValueKind
from plugin_eval_ci.util.lazy import Lazy

_KEY_VALUE = re.compile(r"[ \t]*([\w-]{1,64})[ \t]*:[ \t]+(\S.*)")
_CUT = re.compile(r"[ \t]*[\w-]{1,64}[ \t]*:[ \t]+[^\"'|>#\s].*?[ \t](#.*)")
_NO_KEY = "this line is neither key: value nor an indented continuation of one"
# Both loaders' words for the same defect -> ours.
_WORDS = (
    ("mapping values are not allowed", "an unquoted value contains a colon followed by a space"),
    ("could not find expected ':'", _NO_KEY),
    ("found unexpected end of stream", "a quote is opened here and never closed"),
    ("found unexpected document separator", "a quote is opened here and never closed"),
    ("sequence entries are not allowed", "a list cannot begin on the line of its key"),
    ("mapping keys are not allowed", "'? ' begins a complex key, which is not allowed here"),
    ("found undefined alias", "a value that begins with * is a YAML alias, and no anchor of that name exists"),
    ("second occurrence", "an anchor (&) of this name exists already"),
    ("unknown escape character", "\\ and a letter that are not an escape, in double quotes"),
    ("but found another document", "a second YAML document begins here"),
    ("<document start>", "a second YAML document begins here"),
    ("maximum nesting depth", "nested too deep"),
)
_CONTEXTS = (
    ("scanning an alias", "a value that begins with * is a YAML alias, not text"),
    ("scanning an anchor", "a value that begins with & is a YAML anchor, not text"),
    ("scanning a tag", "a value that begins with ! is a YAML tag, not text"),
    ("parsing a tag", "a value that begins with ! is a YAML tag, not text"),
    ("scanning a block scalar", "text stands after the | or > that begins a block of lines"),
    ("parsing a flow sequence", "a [ is never closed, or a comma is missing"),
    ("parsing a flow mapping", "a { is never closed, or a comma is missing"),
    ("parsing a block", "text after the end of a value, or a line that is indented differently"),
)


def explain_yaml_error(error: yaml.MarkedYAMLError, lines: list[str]) -> Problem:
    """The problem of a frontmatter whose lines are ``lines``; the line is the one to fix, which is not always where YAML stopped."""
    problem, context = error.problem or "", error.context or ""
    mark = error.problem_mark or error.context_mark
    row = _row(problem, context, mark.line if mark else 0, error.context_mark, lines)
    line = lines[row] if lines else ""
    column = (
        mark.column + 1 if mark and mark.line == row and mark.column < len(line) and "escape" not in problem else None
    )
    if "cannot start any token" in problem:
        at = line[column - 1] if column else ""
        why = (
            "a tab where only spaces are allowed"
            if at == "\t"
            else f"a value cannot begin with {at}"
            if at
            else "a character that cannot begin a value"
        )
    else:
        why = next((ours for theirs, ours in _WORDS if theirs in problem), "")
        why = (
            why
            or next((ours for theirs, ours in _CONTEXTS if theirs in context), "")
            or problem.split("\n")[0][:120]
            or "it cannot be read"
        )
    if "mapping values" in problem and ":" not in line:
        why = _NO_KEY
    if _cut_by_comment(problem, context, row, lines):
        why = "the text after # is a comment, and the value cannot go on below it"
    return Problem("FM_INVALID_YAML", row + 2, f"invalid YAML: {why}", _advice(line, why), column)


def _row(problem: str, context: str, row: int, start: yaml.Mark | None, lines: list[str]) -> int:
    last = max(0, len(lines) - 1)
    if start is not None and (
        "could not find expected ':'" in problem
        or "unexpected end of stream" in problem
        or "document separator" in problem
    ):
        return min(start.line, last)
    if start is not None and "parsing a flow" in context and (row > last or not lines[row][:1].isspace()):
        return min(start.line, last)
    row = min(row, last)
    if "mapping values" in problem and not any(":" in line for line in lines[:row]):
        return next((n for n in range(row) if lines[n].strip() and not lines[n].lstrip().startswith("#")), row)
    while row and not lines[row].strip():
        row -= 1
    return row - 1 if _cut_by_comment(problem, context, row - 1, lines) else row


def _cut_by_comment(problem: str, context: str, row: int, lines: list[str]) -> bool:
    """Whether the value on ``row`` ends at a comment while its text goes on, indented, on the next line."""
    if not 0 <= row < len(lines) - 1 or "parsing a block" not in context or problem.startswith("mapping"):
        return False
    return (
        lines[row + 1][:1].isspace()
        and not lines[row + 1].lstrip().startswith(("-", "#"))
        and _CUT.match(lines[row]) is not None
    )


def _advice(line: str, why: str) -> str:
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    if "\t" in indent:
        return "Indent with spaces; YAML does not allow tabs."
    if why == _NO_KEY:
        return "Put a colon and a blank after the key, or indent the line to continue the value above it."
    match = _KEY_VALUE.match(line)
    if match:
        key, value = match.groups()
        if value[0] in "*&!%@`|>[{-?,]}\"'" or ": " in value or value.endswith(":") or " #" in value:
            return f"Put the whole value of {key} in single quotes, and double every single quote inside it."
    return "Put values that hold ': ', '#', quotes or brackets in quotes."


MAX_CHARACTERS = 64 * 1024
MAX_DEPTH = 32
_ALIAS = Lazy(r"(?:^|[\s,\[{])\*\S", re.MULTILINE)
_FORBIDDEN = Lazy("[^\t\n -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PROSE_KEYS = frozenset({"description", "when_to_use", "argument-hint", "compatibility"})


class _Unusable(Exception):  # noqa: N818
    """A defect that makes the whole frontmatter unreadable."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def parse(lines: list[str], last_line: int) -> Header:
    """Read the lines between the fences. Line 2 of the file is ``lines[0]``; ``last_line`` is the closing fence's."""
    text = "\n".join(lines) + "\n"
    try:
        if len(text) > MAX_CHARACTERS:
            raise _unread(
                2, f"the frontmatter has {len(text):,} characters; this tool reads {MAX_CHARACTERS:,}", "Shorten it."
            )
        printable = (
            text.replace("\n", " ").replace("\t", " ").isprintable()
        )  # the pattern is dear to compile, and seldom needed
        if not printable and (forbidden := _FORBIDDEN().search(text)):
            line = text.count("\n", 0, forbidden.start()) + 2
            raise _invalid(line, f"the character U+{ord(forbidden[0]):04X} is not allowed in YAML", "Remove it.")
        shown, text = text, yaml_values.hide_breaks(text)
        node = yaml_values.compose_node(text, MAX_DEPTH + 1)
        if not isinstance(node, yaml.MappingNode):
            raise _Unusable(_not_mapping(node))
        reader = _Reader(lines, text != shown)
        fields = reader.fields(node)
        if _ALIAS().search(text):
            reader.notes += _aliases(text)
    except yaml_values.DepthError as error:
        return Header(_too_deep(error.line + 2).problem, end_line=last_line)
    except _Unusable as unusable:
        return Header(unusable.problem, end_line=last_line)
    except yaml.MarkedYAMLError as error:
        return Header(explain_yaml_error(error, lines), end_line=last_line)
    except (
        RecursionError,
        ValueError,
        OverflowError,
        yaml.YAMLError,
    ) as error:  # \UFFFFFFFF overflows the Python loader
        reason = type(error).__name__
        return Header(
            _invalid(2, f"YAML cannot be read ({reason})", "Simplify the frontmatter.").problem, end_line=last_line
        )
    return Header(None, fields, tuple(sorted(reader.notes, key=lambda note: note.line)), last_line)


def _too_deep(line: int) -> _Unusable:
    return _unread(line, f"the frontmatter is nested more than {MAX_DEPTH} levels deep", "Flatten the frontmatter.")


def _unread(line: int, message: str, fix: str) -> _Unusable:
    """A limit of this tool: the clients go further."""
    return _Unusable(Problem("FM_INVALID_YAML", line, message, fix, severity=Severity.NOTICE))


def _aliases(text: str) -> list[Problem]:
    event = next(
        (event for event in yaml.parse(text, Loader=yaml_values.LOADER) if isinstance(event, yaml.AliasEvent)), None
    )
    if event is None:
        return []
    message = "a YAML anchor is used here; several clients refuse anchors, or expand them without end"
    return [Problem("FM_ALIAS", _line(event), message, f"Write the value out instead of *{(event.anchor or '')[:40]}.")]


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 2 if event.start_mark else 2


class _Reader(yaml_values.ValueReader):
    """The strict reader of a frontmatter: unknown tags, complex keys and deep nesting make it unusable."""

    def __init__(self, lines: list[str], hidden: bool) -> None:
        super().__init__(first_line=2, hidden=hidden, max_depth=MAX_DEPTH)
        self.lines = lines
        self.notes: list[Problem] = []

    def fields(self, node: yaml.MappingNode) -> tuple[Field, ...]:
        fields = []
        self.nodes.append(node)
        self.known[id(node)] = Value("mapping", "", self.line(node))
        self.keys(node)
        for key, item in node.value:
            name, value = self.entry(key, item, 0)
            fields.append(Field(name, value.key_line, value._replace(key_line=0)))
            if name in _PROSE_KEYS:
                self.note_comment(name, item)
        return tuple(fields)

    def keys(self, node: yaml.MappingNode) -> None:
        first: dict[str, int] = {}
        for key, _ in node.value:
            line = self.line(key)
            if not isinstance(key, yaml.ScalarNode):
                raise _invalid(line, "a key is a list or a mapping, not a word", "Use a plain word as the key.")
            name = self.scalar(key)
            if name in first and name != "<<":
                self.notes.append(
                    Problem(
                        "FM_DUPLICATE_KEY",
                        line,
                        f"{name[:40]!r} is on line {first[name]} and again here",
                        "Keep one of the two lines.",
                    )
                )
            first.setdefault(name, line)

    def kind(self, node: yaml.Node) -> ValueKind:
        kind = super().kind(node)
        if kind == "other":
            shown = node.tag.removeprefix(yaml_values.CORE)[:60]
            raise _invalid(
                self.line(node), f"the YAML tag {shown!r} asks for an object that is never built", "Remove the tag."
            )
        return kind

    def too_deep(self, line: int) -> Value:
        raise _too_deep(line)

    def repeated(self, node: yaml.Node) -> Value:
        text = self.scalar(node) if isinstance(node, yaml.ScalarNode) else "*"
        return Value(self.kind(node), text, self.line(node))

    def note_comment(self, key: str, node: yaml.Node) -> None:
        if not isinstance(node, yaml.ScalarNode) or node.style:  # quoted or a block; libyaml has '' for a plain one
            return
        line = self.lines[node.end_mark.line] if node.end_mark.line < len(self.lines) else ""
        rest = line[node.end_mark.column :]
        if rest.lstrip(" \t").startswith("#") and MARK not in rest and line[: node.end_mark.column].strip():
            self.notes.append(
                Problem(
                    "FM_TRUNCATED_COMMENT",
                    node.end_mark.line + 2,
                    f"YAML reads {rest.strip()[:40]!r} as a comment, so {key} ends before it",
                    f"Put the value of {key} in quotes.",
                    len(line) - len(rest.lstrip(" \t")) + 1,
                )
            )


def _invalid(line: int, message: str, fix: str, column: int | None = None) -> _Unusable:
    return _Unusable(Problem("FM_INVALID_YAML", line, message, fix, column))


def _not_mapping(node: yaml.Node | None) -> Problem:
    what = "empty" if node is None else "a list" if isinstance(node, yaml.SequenceNode) else "a single value"
    line = 1 if node is None else node.start_mark.line + 2
    return Problem(
        "FM_NOT_MAPPING",
        line,
        f"the frontmatter is {what}, not a list of key: value lines",
        "Write name: and description: lines between the fences.",
    )
