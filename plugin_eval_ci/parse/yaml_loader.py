"""The YAML loader: libyaml where it is there, else the Python one, taught to read blanks as libyaml does."""

from __future__ import annotations

import re

import yaml

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
