"""YAML to ``Value`` with the line of every key, without constructing anything the text asks for.

Only the node graph is composed: no tag is resolved to an object, no date or number is built, so a value keeps the spelling
its author gave it (``no`` stays ``no``), and an alias bomb costs what its text costs. Frontmatter, configuration files and
labels are all read here; ``parse.yaml_header`` is stricter and has its own words for what is wrong.
"""

from __future__ import annotations

import re

import yaml

from plugin_eval_ci.config.discovery import text_of
from plugin_eval_ci.errors import UnreadableError
from plugin_eval_ci.model import Value, ValueKind

MAX_OWN_BYTES = 64 * 1024
MAX_DEPTH = 12

# YAML 1.1 breaks lines at these, YAML 1.2 and every editor do not; they travel through the loader as private characters.
_BREAKS = {"\x85": "\U0010f085", "\u2028": "\U0010f028", "\u2029": "\U0010f029"}
_HIDE, _SHOW = str.maketrans(_BREAKS), str.maketrans({shown: hidden for hidden, shown in _BREAKS.items()})
_BREAK = re.compile("[\x85\u2028\u2029]")
_HIDDEN = re.compile("[\U0010f085\U0010f028\U0010f029]")


class _Portable(yaml.SafeLoader):
    """The Python loader refuses tabs between tokens, which YAML and libyaml allow."""

    def scan_to_next_token(self) -> None:
        super().scan_to_next_token()
        while self.peek() == "\t" and (self.flow_level or not self.allow_simple_key):
            while self.peek() in ("\t", " "):
                self.forward()
            super().scan_to_next_token()

    def scan_plain_spaces(self, indent: int, start_mark: yaml.Mark) -> list[str] | None:
        length = 0
        while self.peek(length) in (" ", "\t"):
            length += 1
        if "\t" in self.prefix(length):
            blanks = self.prefix(length)
            self.forward(length)
            if self.peek() not in "\r\n":
                return [blanks]
        chunks: list[str] | None = super().scan_plain_spaces(indent, start_mark)
        return chunks


LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", _Portable)
PORTABLE: type[yaml.SafeLoader] = _Portable


def hide_breaks(text: str) -> str:
    """``text`` with the line breaks of YAML 1.1 only made ordinary characters."""
    return text.translate(_HIDE) if not text.isascii() and _BREAK.search(text) else text


def show_breaks(text: str) -> str:
    """A scalar as its author wrote it."""
    return text.translate(_SHOW) if not text.isascii() and _HIDDEN.search(text) else text


CORE = "tag:yaml.org,2002:"
KINDS: dict[str, ValueKind] = {
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
_OPENING = re.compile(r"[\[{]|[-?](?=[ \t])")


class DepthError(Exception):
    """The text is nested too deeply; ``line`` counts from 0."""

    def __init__(self, line: int) -> None:
        super().__init__("nested too deeply")
        self.line = line


def compose_node(text: str, max_depth: int) -> yaml.Node | None:
    """The node graph of a text. Raises ``DepthError``, and what the loader raises."""
    if len(_OPENING.findall(text)) > max_depth:
        depth = 0
        for event in yaml.parse(text, Loader=LOADER):  # from the events, before anything recurses over the nesting
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                if depth > max_depth:
                    raise DepthError(event.start_mark.line if event.start_mark else 0)
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
    return yaml.compose(text, Loader=LOADER)


def kind_of(node: yaml.Node) -> ValueKind:
    """The kind of a node by its tag; ``other`` for a tag that does not fit the node or asks for an object."""
    kind = KINDS.get(node.tag.removeprefix(CORE)) if node.tag.startswith(CORE) else None
    shape = (
        "list" if isinstance(node, yaml.SequenceNode) else "mapping" if isinstance(node, yaml.MappingNode) else "scalar"
    )
    return kind if kind is not None and (kind if kind in ("list", "mapping") else "scalar") == shape else "other"


class ValueReader:
    """One walk over a node graph. Each node is read once, so aliases of aliases stay as small as their text."""

    def __init__(self, first_line: int = 1, hidden: bool = False, max_depth: int = MAX_DEPTH) -> None:
        """``first_line`` is the line of the text in its file; ``hidden``: whether ``hide_breaks`` changed the text."""
        self.first_line = first_line
        self.hidden = hidden
        self.max_depth = max_depth
        self.known: dict[int, Value] = {}
        self.nodes: list[yaml.Node] = []  # kept alive, for their ids are keys

    def line(self, node: yaml.Node) -> int:
        """The line a node begins on."""
        return int(node.start_mark.line) + self.first_line

    def scalar(self, node: yaml.Node) -> str:
        """The text of a scalar as its author wrote it."""
        return show_breaks(str(node.value)) if self.hidden else str(node.value)

    def key(self, node: yaml.Node) -> str:
        """The text of a key; ``?`` for one that is not a scalar."""
        return self.scalar(node) if isinstance(node, yaml.ScalarNode) else "?"

    def keys(self, node: yaml.MappingNode) -> None:
        """Called with each mapping before its values are read."""

    def kind(self, node: yaml.Node) -> ValueKind:
        """The kind of a node."""
        return kind_of(node)

    def too_deep(self, line: int) -> Value:
        """What stands for a value below the limit."""
        return Value("other", "", line)

    def repeated(self, node: yaml.Node) -> Value:
        """What stands for a node that was read before."""
        return self.known[id(node)]

    def value(self, node: yaml.Node, depth: int = 0) -> Value:
        """The value of a node and of all below it."""
        line = self.line(node)
        if depth > self.max_depth:
            return self.too_deep(line)
        if id(node) in self.known:
            return self.repeated(node)
        self.nodes.append(node)
        kind = self.kind(node)
        self.known[id(node)] = Value("other", "", line)  # what refers to itself
        if isinstance(node, yaml.SequenceNode):
            found = Value("list", "", line, tuple(self.value(item, depth + 1) for item in node.value))
        elif isinstance(node, yaml.MappingNode):
            self.keys(node)
            found = Value("mapping", "", line, (), tuple(self.entry(key, item, depth) for key, item in node.value))
        else:
            found = Value(kind, self.scalar(node), line)
        self.known[id(node)] = found
        return found

    def entry(self, key: yaml.Node, node: yaml.Node, depth: int) -> tuple[str, Value]:
        """A key and its value."""
        return self.key(key), self.value(node, depth + 1)._replace(key_line=self.line(key))


def read_yaml(file: str) -> tuple[tuple[str, Value], ...]:
    """The entries of the mapping a file holds. Raises ``UnreadableError``."""
    value = compose(text_of(file, MAX_OWN_BYTES))
    if value is None:
        return ()
    if value.kind != "mapping":
        raise UnreadableError(1, "must be a mapping of key: value lines")
    return value.entries


def compose(text: str) -> Value | None:
    """The value of a text; None for an empty one. Raises ``UnreadableError``."""
    shown, text = text, hide_breaks(text)
    try:
        node = compose_node(text, MAX_DEPTH)
    except DepthError as error:
        raise UnreadableError(error.line + 1, str(error)) from None
    except yaml.MarkedYAMLError as error:
        last = text.count("\n") + (not text.endswith("\n"))  # what is missing at the end is reported there
        line = min(error.problem_mark.line + 1, max(1, last)) if error.problem_mark else 1
        raise UnreadableError(line, f"invalid YAML: {error.problem}") from error
    except (ValueError, OverflowError, RecursionError, yaml.YAMLError) as error:
        raise UnreadableError(1, f"cannot be read: {str(error) or type(error).__name__}") from error
    if node is None or node.tag == f"{CORE}null":
        return None
    return ValueReader(hidden=text != shown).value(node)
