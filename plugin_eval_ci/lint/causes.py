"""Findings -> causes: what has one form is one entry with a count, a fix and its places, the worst and the most frequent first."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from plugin_eval_ci.model import Collection, Finding, Severity

LEAST = 3  # findings, and files with one, that make a group
_SHARE = 10  # a narrow form stands alone only with a tenth of its rule's findings; else a wider form takes it in
_LETTERS = "XYZABC"
_NUMBER = "\0"  # stands for a number in a form
_Form = Callable[[str, dict[str, str]], str]  # a quoted word or path, and the letters in use -> its form
_QUOTE = r"(?<!\w)'[^'\n]+'(?!\w)"
_VARIABLE = re.compile(rf"{_QUOTE}(?:(?:, (?:and )?| and | or ){_QUOTE})*|\d[\d,.]*\d|\d")
_AND_MORE = re.compile(r" \(and [\d,]+ more\)")
_CLIMB = re.compile(r"(?:\.{1,2}/)*")
_SENTENCE_END = re.compile(r"(?<=[.?!]) (?=[A-Z])")


class Cause(NamedTuple):
    """Findings of one form, or a single one. Message and fix hold letters where their findings differ."""

    findings: tuple[Finding, ...]
    message: str
    fix: str
    copies: tuple[Finding, ...] = ()  # the same findings in identical copies of those files

    @property
    def first(self) -> Finding:
        """The finding that stands for all."""
        return self.findings[0]

    @property
    def is_group(self) -> bool:
        """Whether it holds more than one finding, copies aside."""
        return len(self.findings) > 1

    @property
    def files(self) -> int:
        """The number of files with such a finding, copies aside."""
        return len({finding.path for finding in self.findings})

    @property
    def places(self) -> tuple[Finding, ...]:
        """The first finding of each file, copies aside."""
        return tuple({finding.path: finding for finding in reversed(self.findings)}.values())[::-1]

    @property
    def example(self) -> str:
        """What the first finding is about, where the form does not show it; else empty."""
        return self.first.target if "'X'" in self.message else ""

    @property
    def everything(self) -> tuple[Finding, ...]:
        """All findings, also those in copies."""
        return self.findings + self.copies

    @property
    def amount(self) -> str:
        """``328 findings in 54 files``, with copies ``…, and 3 more in identical copies``; empty for a single finding."""
        parts = [f"{len(self.findings):,} findings in {self.files:,} files"] if self.is_group else []
        if self.copies and parts:
            parts.append(f"and {len(self.copies):,} more in identical copies")
        elif self.copies:
            parts.append("also in 1 copy" if len(self.copies) == 1 else f"also in {len(self.copies):,} copies")
        return ", ".join(parts)


def texts_of(collection: Collection) -> dict[str, str]:
    """What ``causes_of`` needs to recognize copies: the text of each skill by its folder, of other files by their path."""
    texts = {item.source.path: item.source.text for item in (*collection.agents, *collection.commands)}
    return texts | {os.path.dirname(skill.source.path): skill.source.text for skill in collection.skills}


def causes_of(findings: Iterable[Finding], texts: Mapping[str, str] | None = None) -> list[Cause]:
    """The causes of ``findings``: new before old ones, errors first, then the ones with the most findings.

    ``texts`` holds the text of a file by its path, and of a SKILL.md by its folder: findings in identical copies are shown once.
    """
    originals, copies = _without_copies(findings, texts or {})
    by_rule: dict[tuple[str, Severity, str | None], list[Finding]] = {}
    for finding in originals:
        by_rule.setdefault((finding.rule, finding.severity, finding.state), []).append(finding)
    causes = [cause for some in by_rule.values() for cause in _causes_of_rule(some)]
    with_copies = [
        cause._replace(copies=tuple(copy for one in cause.findings for copy in copies.get(id(one), ())))
        for cause in causes
    ]
    return sorted(with_copies, key=_rank)


def _rank(cause: Cause) -> tuple[bool, int, int, str, int, str]:
    first = cause.first
    return (first.state == "old", -first.severity, -len(cause.findings), first.path, first.line, first.rule)


def _without_copies(
    findings: Iterable[Finding], texts: Mapping[str, str]
) -> tuple[list[Finding], dict[int, list[Finding]]]:
    """The findings outside of copies, and by the identity of each those that are the same in a copy."""
    owners: dict[str, tuple[str, str]] = {}
    originals: dict[tuple[str, str, Finding], tuple[str, Finding]] = {}
    left: list[Finding] = []
    copies: dict[int, list[Finding]] = {}
    for finding in findings:
        owner, below = owners.get(finding.path) or owners.setdefault(finding.path, _owner(finding.path, texts))
        if text := texts.get(owner):
            key = (text, f"{os.path.basename(owner)}/{below}", finding._replace(path="", fingerprint=""))
            first_owner, original = originals.setdefault(key, (owner, finding))
            if first_owner != owner:
                copies.setdefault(id(original), []).append(finding)
                continue
        left.append(finding)
    return left, copies


def _owner(path: str, texts: Mapping[str, str]) -> tuple[str, str]:
    """The nearest file or folder above ``path`` whose text is known, and where ``path`` is below it."""
    if path in texts:
        return path, os.path.basename(path)
    folder = path.rpartition("/")[0]
    while folder and folder not in texts:
        folder = folder.rpartition("/")[0]
    return folder, path[len(folder) + 1 :] if folder else path


def _causes_of_rule(findings: list[Finding]) -> list[Cause]:
    """The causes of the findings of one rule, by the narrowest form that is frequent enough; the rest stays single."""
    causes = []
    rest = findings
    for form in _FORMS:
        least = max(LEAST, -(-len(findings) // _SHARE)) if form is not _FORMS[-1] else LEAST
        groups: dict[tuple[str, str], list[Finding]] = {}
        for finding in rest:
            groups.setdefault(_key(finding, form), []).append(finding)
        rest = []
        for (message, fix), some in groups.items():
            if len(some) >= least and len({finding.path for finding in some}) >= LEAST:
                causes.append(_group(some, message, fix))
            else:
                rest += some
    return causes + [Cause((finding,), finding.message, finding.fix) for finding in rest]


def _group(findings: list[Finding], message: str, fix: str) -> Cause:
    """A group: its forms with the numbers that all its findings share, and the whole fix where all have the same."""
    if len({finding.fix for finding in findings}) == 1:
        fix = findings[0].fix
    if len({finding.message for finding in findings}) == 1:
        return Cause(tuple(findings), findings[0].message, fix.replace(_NUMBER, "N"))
    numbers = [_numbers(finding.message) for finding in findings]
    shared = (some[0] if len(set(some)) == 1 else "N" for some in zip(*numbers, strict=True))
    return Cause(tuple(findings), re.sub(_NUMBER, lambda _: next(shared), message), fix.replace(_NUMBER, "N"))


def _numbers(message: str) -> list[str]:
    """The numbers outside of quoted words."""
    return [word for word in _VARIABLE.findall(_AND_MORE.sub("", message)) if not word.startswith("'")]


def _key(finding: Finding, form: _Form) -> tuple[str, str]:
    """The forms of a message and of the first sentence of its fix; a letter stands for the same name in both."""
    letters: dict[str, str] = {}

    def replaced(match: re.Match[str]) -> str:
        return form(match[0], letters) if match[0].startswith("'") else _NUMBER

    message = _VARIABLE.sub(replaced, _AND_MORE.sub("", finding.message))
    return message, _VARIABLE.sub(replaced, _SENTENCE_END.split(finding.fix)[0])


def _letter(name: str, letters: dict[str, str]) -> str:
    if name not in letters:
        letters[name] = _LETTERS[len(letters)] if len(letters) < len(_LETTERS) else "…"
    return letters[name]


def _with_file_name(token: str, letters: dict[str, str]) -> str:
    """``'../../X/SKILL.md'``: a path keeps where it starts and the name of its file; other words stay."""
    return _path(token, letters, lambda name: name)


def _with_suffix(token: str, letters: dict[str, str]) -> str:
    """``'references/X.md'``: a path keeps where it starts and its suffix; other words stay."""

    def base(name: str) -> str:
        stem, dot, suffix = name.partition("#")[0].rpartition(".")
        return f"{_letter(stem, letters)}.{suffix}" if dot and stem else _letter(name, letters)

    return _path(token, letters, base)


def _with_start(token: str, letters: dict[str, str]) -> str:
    """``'../../…'``: a path keeps where it starts; other words stay."""
    start, names = _parts(token)
    return f"'{start}…'" if names else token


def _anything(token: str, letters: dict[str, str]) -> str:
    """``'X'``: one letter for each list of quoted words."""
    return f"'{_letter(token, letters)}'"


_FORMS = (_with_file_name, _with_suffix, _with_start, _anything)


def _path(token: str, letters: dict[str, str], base: Callable[[str], str]) -> str:
    start, names = _parts(token)
    if not names:
        return token
    middle = [_letter(name, letters) for name in names[:-1]]
    return f"'{start}{'/'.join([*middle, base(names[-1])])}'"


def _parts(token: str) -> tuple[str, list[str]]:
    """Where a quoted path starts (``../../``, or its first folder) and the names after that; no names where it is not a path."""
    text = token[1:-1]
    if "/" not in text or any(mark in text for mark in " '"):
        return "", []
    climb = _CLIMB.match(text)
    start = climb[0] if climb else ""
    names = text[len(start) :].split("/")
    if not start and len(names) > 1:
        start, names = f"{names[0]}/", names[1:]
    return start, names
