"""The commonest frontmatter, ``key: words`` lines, read without loading a YAML library: a hook has no time for one.

It answers only where YAML can read nothing else into the text; whatever is less plain goes to ``yaml_header``. A property test holds
the two together.
"""

from __future__ import annotations

from plugin_eval_ci.lazy import Lazy
from plugin_eval_ci.model import MARK, Field, Header, Value

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
