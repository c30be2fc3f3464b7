"""YAML of a frontmatter to ``Field`` values with lines, without constructing anything the text asks for.

Only the node graph is composed: no tag is resolved to an object, no date or number is built, so a value keeps the
spelling its author gave it (``no`` stays ``no``), and an alias bomb costs what its text costs.
"""

from __future__ import annotations

import re

import yaml

from plugin_eval_ci.model import Field, Header, Problem, Value, ValueKind

_LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CORE = "tag:yaml.org,2002:"
_KINDS: dict[str, ValueKind] = {
    "str": "text",
    "bool": "boolean",
    "int": "number",
    "float": "number",
    "timestamp": "date",
    "null": "null",
    "seq": "list",
    "map": "mapping",
    "value": "text",
    "merge": "text",
}
MAX_CHARACTERS = 64 * 1024
MAX_DEPTH = 32
_NESTING = re.compile(r"[\[{]|(?m:^[ \t]*(?:- +){8})")
_KEY_VALUE = re.compile(r"[ \t]*([\w-]{1,64})[ \t]*:[ \t]+(\S.*)")
_PROSE_KEYS = frozenset({"description", "when_to_use", "argument-hint", "compatibility"})


class _Unusable(Exception):
    """A defect that makes the whole frontmatter unreadable."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def parse(lines: list[str], last_line: int) -> Header:
    """Read the lines between the fences. Line 2 of the file is ``lines[0]``; ``last_line`` is the closing fence's."""
    text = "\n".join(lines) + "\n"
    try:
        if len(text) > MAX_CHARACTERS:
            raise _invalid(2, f"the frontmatter has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read", "Shorten it.")
        node = yaml.compose(text, Loader=_loader_for(text))
        if not isinstance(node, yaml.MappingNode):
            raise _Unusable(_not_mapping(node))
        reader = _Reader(lines)
        fields = reader.fields(node)
    except _Unusable as unusable:
        return Header(unusable.problem, end_line=last_line)
    except yaml.MarkedYAMLError as error:
        return Header(_yaml_problem(error, lines), end_line=last_line)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 2 if isinstance(error.position, int) else 2
        return Header(_invalid(line, f"character {error.character!r} is not allowed in YAML", "Remove it.").problem, end_line=last_line)
    except (RecursionError, ValueError, yaml.YAMLError) as error:
        reason = type(error).__name__
        return Header(_invalid(2, f"YAML cannot be read ({reason})", "Simplify the frontmatter.").problem, end_line=last_line)
    return Header(None, fields, tuple(reader.notes), last_line)


def _loader_for(text: str) -> type[yaml.SafeLoader]:
    # The C composer recurses on the machine's stack; deep nesting goes to the Python one, which raises instead.
    return yaml.SafeLoader if len(_NESTING.findall(text)) > 500 else _LOADER


class _Reader:
    """One walk over the node graph, each node once."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.seen: dict[int, yaml.Node] = {}
        self.notes: list[Problem] = []

    def fields(self, node: yaml.MappingNode) -> tuple[Field, ...]:
        self.seen[id(node)] = node
        fields = []
        for key, value in self.pairs(node):
            fields.append(Field(_scalar(key), key.start_mark.line + 2, self.value(value, 1)))
            if _scalar(key) in _PROSE_KEYS:
                self.note_comment(_scalar(key), value)
        return tuple(fields)

    def pairs(self, node: yaml.MappingNode) -> list[tuple[yaml.ScalarNode, yaml.Node]]:
        first: dict[str, int] = {}
        for key, _ in node.value:
            line = key.start_mark.line + 2
            if not isinstance(key, yaml.ScalarNode):
                raise _invalid(line, "a key is a list or a mapping, not a word", "Use a plain word as the key.")
            name = _scalar(key)
            if name in first and name != "<<":
                self.notes.append(
                    Problem(
                        "FM_DUPLICATE_KEY",
                        line,
                        f"{name!r} stands on line {first[name]} and again here: some clients keep the last, others refuse the file",
                        "Keep one of the two lines.",
                    )
                )
            first.setdefault(name, line)
        return list(node.value)

    def value(self, node: yaml.Node, depth: int) -> Value:
        line = node.start_mark.line + 2
        if depth > MAX_DEPTH:
            raise _invalid(line, f"nested more than {MAX_DEPTH} levels deep", "Flatten the frontmatter.")
        kind = _kind(node)
        if id(node) in self.seen:
            self.note_alias(line)
            return Value(kind, _scalar(node) if isinstance(node, yaml.ScalarNode) else "*", line)
        self.seen[id(node)] = node
        if isinstance(node, yaml.SequenceNode):
            return Value(kind, "", line, tuple(self.value(item, depth + 1) for item in node.value))
        if isinstance(node, yaml.MappingNode):
            return Value(kind, "", line, (), tuple((_scalar(key), self.value(item, depth + 1)) for key, item in self.pairs(node)))
        return Value(kind, _scalar(node), line)

    def note_alias(self, line: int) -> None:
        if any(note.kind == "FM_ALIAS" for note in self.notes):
            return
        self.notes.append(
            Problem(
                "FM_ALIAS",
                line,
                "a YAML anchor is used again here; several clients refuse anchors, or expand them without end",
                "Write the value out instead of *alias.",
            )
        )

    def note_comment(self, key: str, node: yaml.Node) -> None:
        if not isinstance(node, yaml.ScalarNode) or node.style is not None:
            return
        line = self.lines[node.end_mark.line] if node.end_mark.line < len(self.lines) else ""
        rest = line[node.end_mark.column :]
        if rest.lstrip(" \t").startswith("#") and line[: node.end_mark.column].strip():
            self.notes.append(
                Problem(
                    "FM_TRUNCATED_COMMENT",
                    node.end_mark.line + 2,
                    f"YAML reads {rest.strip()[:40]!r} as a comment, so {key} ends before it",
                    f"Put the value of {key} in quotes.",
                    node.end_mark.column + 1,
                )
            )


def _scalar(node: yaml.Node) -> str:
    return str(node.value)


def _kind(node: yaml.Node) -> ValueKind:
    tag = node.tag
    kind = _KINDS.get(tag.removeprefix(_CORE)) if tag.startswith(_CORE) else None
    if kind is None:
        shown = tag.removeprefix(_CORE)[:60]
        raise _invalid(node.start_mark.line + 2, f"the YAML tag {shown!r} asks for an object that is never built", "Remove the tag.")
    return kind


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


def _yaml_problem(error: yaml.MarkedYAMLError, lines: list[str]) -> Problem:
    mark = error.problem_mark or error.context_mark
    row = min(mark.line if mark else 0, len(lines) - 1) if lines else 0
    if error.context and "alias" in error.context and error.context_mark:
        row = min(error.context_mark.line, len(lines) - 1)
    elif error.problem and row and not lines[row].strip():
        row = max((n for n in range(row) if lines[n].strip()), default=row)
    line = lines[row] if lines else ""
    column = mark.column + 1 if mark and mark.line == row else None
    why = (error.problem or "it cannot be read").split("\n")[0][:120]
    return Problem("FM_INVALID_YAML", row + 2, f"invalid YAML: {why}", _advice(line), column)


def _advice(line: str) -> str:
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    if "\t" in indent:
        return "Indent with spaces; YAML does not allow tabs."
    match = _KEY_VALUE.match(line)
    if match:
        key, value = match.groups()
        if value[0] in "*&!%@`|>[{" or ": " in value or value[0] in "\"'":
            return f"Put the whole value of {key} in quotes (double any quote of the same kind inside)."
    return "Put values that hold ': ', '#', quotes or brackets in quotes."
