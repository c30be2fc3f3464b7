"""Take out the findings that a comment or the configuration hides, and keep count of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from plugin_eval_ci.model import MARK, Collection, Finding, Skill, Source, Suppressed
from plugin_eval_ci.parse.source import read_source
from plugin_eval_ci.util import faults

if TYPE_CHECKING:
    from plugin_eval_ci.analysis.ignore_comments import Ignore
    from plugin_eval_ci.config import ConfigSource

    Commented = tuple[list[Finding], list[Suppressed], frozenset[tuple[Ignore, str]]]

_MAX_FILES = 60  # reference files of one skill that are read for comments, as many as are read for links
_MAX_BYTES = 1 << 20
_MARK = MARK.encode()


def comments(
    collection: Collection, config: ConfigSource, names: Callable[[], frozenset[str]]
) -> dict[str, tuple[Ignore, ...]]:
    """The ignore comments of everything a run looks at, by reported path."""
    parsed = [item for item in (*collection.documents, *collection.commands) if MARK in item.source.text]
    skills = [
        skill
        for skill in collection.skills
        if skill.reference_files and config.at(folder_of(skill.source.path)).comments
    ]
    others = [source for skill in skills for source in _reference_files(skill)]
    if not parsed and not others:
        return {}
    from plugin_eval_ci.analysis.ignore_comments import ignores_of, of_text  # few files hold one

    rules = names()

    found: dict[str, tuple[Ignore, ...]] = {}
    for item in parsed:
        in_item = partial(ignores_of, item.source, item.header, item.body, rules)
        found[item.source.path] = faults.kept(in_item, (), "read", item.source.path)
    for source in others:
        found[source.path] = faults.kept(partial(of_text, source, rules), (), "read", source.path)
    return {path: some for path, some in found.items() if some and config.at(folder_of(path)).comments}


def _reference_files(skill: Skill) -> Iterator[Source]:
    """The Markdown files of a skill that hold the mark."""
    names = [name for name in skill.reference_files if name.lower().endswith((".md", ".markdown"))]
    for name in names[:_MAX_FILES]:
        file = os.path.join(skill.directory, "references", name)
        if _has_mark(file):
            yield read_source(file, os.path.relpath(file, skill.root).replace(os.sep, "/"))


def _has_mark(file: str) -> bool:
    try:
        with open(file, "rb", buffering=0) as stream:
            return _MARK in (stream.read(_MAX_BYTES) or b"")
    except OSError:
        return False


def by_comment(
    findings: list[Finding], subsumed: Iterable[Finding], ignores: dict[str, tuple[Ignore, ...]]
) -> Commented:
    """What is left, what a comment hides, and which comment hid which rule.

    A comment also counts as used by a finding that another one already stands for.
    """
    if not ignores:
        return findings, [], frozenset()
    shown: list[Finding] = []
    hidden: list[Suppressed] = []
    used = {(ignore, finding.rule) for finding in subsumed for ignore in _covering(finding, ignores)}
    for finding in findings:
        covering = _covering(finding, ignores)
        used.update((ignore, finding.rule) for ignore in covering)
        if covering:
            hidden.append(Suppressed(finding, "comment", covering[0].reason))
        else:
            shown.append(finding)
    return shown, hidden, frozenset(used)


def _covering(finding: Finding, ignores: dict[str, tuple[Ignore, ...]]) -> list[Ignore]:
    return [ignore for ignore in ignores.get(finding.path, ()) if ignore.covers(finding.rule, finding.line)]


def by_configuration(findings: list[Finding], config: ConfigSource) -> tuple[list[Finding], list[Suppressed]]:
    """What is left, with the severities of the configuration, and what it turns off."""
    shown: list[Finding] = []
    hidden: list[Suppressed] = []
    for finding in findings:
        severity = config.at(folder_of(finding.path)).severity_of(finding.rule, finding.path, finding.severity)
        if severity is None:
            hidden.append(Suppressed(finding, "configuration"))
        else:
            shown.append(finding if severity is finding.severity else finding._replace(severity=severity))
    return shown, hidden


def folder_of(path: str) -> str:
    """The folder of a reported path, as ``ConfigSource.at`` wants it."""
    return "" if path.startswith("../") else path.rpartition("/")[0]
