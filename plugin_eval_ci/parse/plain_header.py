"""The commonest frontmatter, ``key: words`` lines, read without loading a YAML library: a hook has no time for one.

It answers only where YAML can read nothing else into the text; whatever is less plain goes to ``yaml_header``. A property test holds
the two together.
"""

from __future__ import annotations

from plugin_eval_ci.lazy import Lazy
from plugin_eval_ci.model import MARK, Field, Header, Value

# A value is one line: plain words that begin with a letter, or a string in quotes with no quote and no escape inside.
_LINE = Lazy(r"([A-Za-z][A-Za-z0-9_-]{0,60}): (?:([A-Za-z][^\n]*[^\s:\n]|[A-Za-z])|\"([^\"\\\n]*)\"|'([^'\n]*)')", 0)
MOST = 16 * 1024  # characters; YAML's own limit is for YAML to apply
_WORDS = frozenset(["yes", "no", "on", "off", "true", "false", "null", "y", "n"])


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
        if plain is not None and (": " in plain or " #" in plain or "\t" in plain or plain.lower() in _WORDS):
            return None
        value = plain if plain is not None else match[3] if match[3] is not None else match[4]
        seen.add(match[1])
        fields.append(Field(match[1], number, Value("text", value, number)))
    return Header(None, tuple(fields), (), last_line) if fields else None
