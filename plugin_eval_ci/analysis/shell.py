"""Shell text to the words of its simple commands: what a reader needs who wants to know what is run, no more.

One pass over the characters. Quotes, comments, here-documents, substitutions, arrays, tests and case patterns are known;
what a shell would refuse is read as far as it goes. An expansion stands as ``$`` in its word.
"""

from __future__ import annotations

from typing import NamedTuple

from plugin_eval_ci.util.lazy import Lazy

MAX_CHARACTERS = 200_000
_MAX_DEPTH = 20
_HEREDOC = Lazy(r"<<-?[ \t]*(?:'([^'\n]+)'|\"([^\"\n]+)\"|\\?([A-Za-z_][\w-]*))")
_PATTERN = Lazy(r"\s*+(?!esac\b)\(?[^()\n;]*+\)")
_REDIRECT = Lazy(r"(?:\d*|&)(?:>>|>\||>&|<&|<>|<<<|>|<)[ \t]*")
_WORD_END = frozenset(" \t\n;&|()<>")


class Script(NamedTuple):
    """What a text runs, command by command, and the functions that it defines."""

    commands: tuple[tuple[str, ...], ...]
    functions: frozenset[str]


def parse_commands(text: str) -> Script:
    """The commands of a text; of one that is longer than any script, those at its beginning."""
    scanner = _Scanner(text[:MAX_CHARACTERS])
    scanner.scan("", 0)
    return Script(tuple(scanner.commands), frozenset(scanner.functions))


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.commands: list[tuple[str, ...]] = []
        self.functions: set[str] = set()
        self.pending: list[str] = []  # ends of here-documents that begin on the next line

    def scan(self, until: str, depth: int) -> None:
        """Read commands up to ``until`` (a parenthesis or a backtick), or to the end."""
        words: list[str] = []
        text = self.text
        while self.at < len(text):
            char = text[self.at]
            if until and char == until:
                break
            if char in " \t":
                self.at += 1
            elif char == "#":
                end = text.find("\n", self.at)
                self.at = len(text) if end < 0 else end
            elif char in "\n;&|" and not text.startswith(("&>", ">|"), self.at):
                words = self._separator(words, char)
            elif char == "(":
                words = self._parenthesis(words, depth)
            elif char == ")":
                words = []  # the end of a pattern
                self.at += 1
            elif heredoc := self._heredoc():
                self.pending.append(heredoc)
            elif redirect := _REDIRECT().match(text, self.at):
                self._redirected(redirect.end(), depth)
            else:
                words.append(self._word(until, depth))
                self._after_word(words)
        self._finish(words)
        self.at += bool(until)

    def _separator(self, words: list[str], char: str) -> list[str]:
        self._finish(words)
        double = self.text.startswith(";;", self.at)
        self.at += 2 if double else 1
        if char == "\n":
            for end in self.pending:
                self._skip_document(end)
            self.pending = []
        if double or (words[:1] == ["case"] and words[-1:] == ["in"]):
            self._skip_pattern()
        return []

    def _parenthesis(self, words: list[str], depth: int) -> list[str]:
        if words and self.text.startswith("()", self.at):
            self.functions.add(words[-1])
            self.at += 2
            return []
        self.at += 1
        if self.text.startswith("(", self.at) and not words:
            self._skip_to("))")
        elif depth < _MAX_DEPTH:
            self._finish(words)
            self.scan(")", depth + 1)
        return []

    def _heredoc(self) -> str:
        match = _HEREDOC().match(self.text, self.at) if self.text.startswith("<<", self.at) else None
        if match is None or self.text.startswith("<<<", self.at):
            return ""
        self.at = match.end()
        return match[1] or match[2] or match[3]

    def _redirected(self, end: int, depth: int) -> None:
        self.at = end
        if self.text.startswith("(", self.at) and depth < _MAX_DEPTH:  # <(…) and >(…)
            self.at += 1
            self.scan(")", depth + 1)
        elif self.at < len(self.text) and self.text[self.at] not in _WORD_END:
            self._word("", depth)

    def _after_word(self, words: list[str]) -> None:
        if words == ["[["]:
            self._skip_to("]]")
            words.clear()
        elif words[-1].endswith("=") and self.text.startswith("(", self.at):
            self._skip_to(")")
        elif words[:1] == ["case"] and words[-1] == "in" and len(words) > 2:
            words.clear()
            self._skip_pattern()

    def _word(self, until: str, depth: int) -> str:
        """The word that begins here, without its quotes."""
        start, parts = self.at, []
        while self.at < len(self.text):
            char = self.text[self.at]
            if char in _WORD_END or (until and char == until):
                break
            parts.append(self._piece(char, depth))
        if self.at == start:
            self.at += 1
        return "".join(parts)

    def _piece(self, char: str, depth: int) -> str:
        text = self.text
        if char == "\\":
            self.at += 2
            return "" if text[self.at - 1 : self.at] == "\n" else text[self.at - 1 : self.at]
        if char == "'" and (end := text.find("'", self.at + 1)) >= 0:
            inner, self.at = text[self.at + 1 : end], end + 1
            return inner or "''"
        if char == '"':
            return self._quoted(depth)
        return self._expansion(char, depth)

    def _quoted(self, depth: int) -> str:
        self.at += 1
        parts = []
        while self.at < len(self.text) and self.text[self.at] != '"':
            char = self.text[self.at]
            if char == "\\":
                self.at += 2
            else:
                parts.append(self._expansion(char, depth))
        self.at += 1
        return "".join(parts) or '""'

    def _expansion(self, char: str, depth: int) -> str:
        """One character, or an expansion as ``$``; what a substitution runs is read on the way."""
        text = self.text
        if char == "$" and text.startswith("$((", self.at):
            self._skip_to("))")
        elif char == "$" and text.startswith("$(", self.at) and depth < _MAX_DEPTH:
            self.at += 2
            self.scan(")", depth + 1)
        elif char == "$" and text.startswith("${", self.at):
            self._skip_to("}")
        elif char == "`" and depth < _MAX_DEPTH:
            self.at += 1
            self.scan("`", depth + 1)
        else:
            self.at += 1
            return char
        return "$"

    def _skip_to(self, end: str) -> None:
        place = self.text.find(end, self.at)
        self.at = len(self.text) if place < 0 else place + len(end)

    def _skip_document(self, end: str) -> None:
        while self.at < len(self.text):
            stop = self.text.find("\n", self.at)
            line = self.text[self.at : stop if stop >= 0 else len(self.text)]
            self.at = len(self.text) if stop < 0 else stop + 1
            if line.strip() == end:
                return

    def _skip_pattern(self) -> None:
        match = _PATTERN().match(self.text, self.at)
        if match is not None:
            self.at = match.end()

    def _finish(self, words: list[str]) -> None:
        if words[:1] == ["function"] and len(words) > 1:
            self.functions.add(words[1])
        elif words:
            self.commands.append(tuple(words))
