"""YAML of ours, such as ``.plugin-eval.yaml``, to nodes. Only the node graph is composed: no tag builds anything, and an alias costs
nothing twice."""

from __future__ import annotations

import re

import yaml

from plugin_eval_ci.config.node import MAX_DEPTH, MAX_OWN_BYTES, Entry, Node, NodeKind, UnreadableError, text_of

_LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_OPENING = re.compile(r"[\[{]|[-?](?=[ \t])")
_KINDS: dict[str, NodeKind] = {"str": "text", "bool": "flag", "int": "number", "float": "number", "null": "nothing"}


def read(file: str) -> tuple[Entry, ...]:
    """The entries of the mapping a file holds. Raises ``UnreadableError``."""
    node = compose(text_of(file, MAX_OWN_BYTES))
    if node is None:
        return ()
    if node.kind != "mapping":
        raise UnreadableError(1, "must be a mapping of key: value lines")
    return node.entries


def compose(text: str) -> Node | None:
    """What a text says; None when it says nothing. Raises ``UnreadableError``."""
    try:
        if len(_OPENING.findall(text)) > MAX_DEPTH:
            _refuse_depth(text)
        node = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        last = text.count("\n") + (not text.endswith("\n"))  # where what is missing at the end is told
        line = min(error.problem_mark.line + 1, max(1, last)) if error.problem_mark else 1
        raise UnreadableError(line, f"invalid YAML: {error.problem}") from error
    except (ValueError, OverflowError, RecursionError, yaml.YAMLError) as error:
        raise UnreadableError(1, f"cannot be read: {str(error) or type(error).__name__}") from error
    if node is None or node.tag == "tag:yaml.org,2002:null":
        return None
    return _Reader().node(node, 0)


def _refuse_depth(text: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=_LOADER):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise UnreadableError(event.start_mark.line + 1 if event.start_mark else 1, "nested too deeply")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


class _Reader:
    """Each node of the graph is read once, so that aliases of aliases stay as small as their text."""

    def __init__(self) -> None:
        self.known: dict[int, Node] = {}

    def node(self, node: yaml.Node, depth: int) -> Node:
        line = node.start_mark.line + 1
        if id(node) in self.known:
            return self.known[id(node)]
        if depth > MAX_DEPTH:
            return Node("other", line)
        self.known[id(node)] = Node("other", line)  # what refers to itself
        self.known[id(node)] = found = self.fresh(node, line, depth)
        return found

    def fresh(self, node: yaml.Node, line: int, depth: int) -> Node:
        if isinstance(node, yaml.SequenceNode):
            return Node("list", line, items=tuple(self.node(item, depth + 1) for item in node.value))
        if isinstance(node, yaml.MappingNode):
            pairs = [(key, self.node(value, depth + 1)) for key, value in node.value]
            return Node("mapping", line, entries=tuple(_entry(key, value) for key, value in pairs))
        kind = _KINDS.get(node.tag.removeprefix("tag:yaml.org,2002:"), "other")
        return Node(kind, line, str(node.value))


def _entry(key: yaml.Node, value: Node) -> Entry:
    return Entry(str(key.value) if isinstance(key, yaml.ScalarNode) else "?", key.start_mark.line + 1, value)
