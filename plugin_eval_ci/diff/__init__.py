"""Computes what a change does to each skill from its two sides."""

from collections.abc import Iterable, Iterator
from typing import Generic, Literal, TypeVar

from plugin_eval_ci.analysis.host_needs import HostNeeds, manifest_needs, needs_change
from plugin_eval_ci.analysis.listing import Listing
from plugin_eval_ci.diff.changes import Revision, owner_of
from plugin_eval_ci.diff.values import Difference, PluginChange, Row, Side, Status
from plugin_eval_ci.lint.evaluate import Evaluation
from plugin_eval_ci.lint.suppress import folder_of
from plugin_eval_ci.model import Agent, CheckResult, Collection, Document, Finding, Plugin, Skill
from plugin_eval_ci.scoring.context_cost import plugin_listing
from plugin_eval_ci.scoring.dimensions import grade_of
from plugin_eval_ci.scoring.gather import Index, score_agent, score_skill
from plugin_eval_ci.scoring.report import ScoreReport
from plugin_eval_ci.util import faults


def difference_of(
    revision: Revision, lines: dict[str, tuple[int, int]], lint: Revision | None = None, notes: tuple[str, ...] = ()
) -> Difference:
    """The difference between the two sides. ``lines`` are the lines added and removed by path, as git counts them.

    Scores come from ``revision``, which follows the methodology. Findings come from ``lint`` if given: the same revision under the
    user's configuration.
    """
    said = lint or revision
    before = {document.source.path: document for document in revision.before.collection.documents}
    after = {document.source.path: document for document in revision.after.collection.documents}
    part = _Parts(revision, said, lines)
    rows = [_row(revision, part, path, before, after) for path in revision.changed if path in after]
    rows += [_gone(part, path, before[path]) for path in revision.removed]
    places = {folder_of(row.path): row.path for row in rows}
    paths_now = {then: now for now, then in reversed(revision.renamed.items())}
    new = [finding for finding in said.after.checked.findings if finding.state == "new"]
    return Difference(
        revision.base,
        revision.head,
        revision.total,
        tuple(rows),
        tuple(finding for finding in new if owner_of(finding.path, places) is None),
        tuple(finding for finding in said.fixed if owner_of(paths_now.get(finding.path, finding.path), places) is None),
        tuple(_plugins(revision, tuple(rows))),
        (*notes, *faults.lines()),
    )


__all__ = ["Difference", "PluginChange", "Row", "Side", "Status", "difference_of", "difference_without_base"]


def difference_without_base(
    evaluation: Evaluation, lint: CheckResult | None = None, head: str | None = None, notes: tuple[str, ...] = ()
) -> Difference:
    """The difference if the base is not known: every row is present. ``lint`` as for ``difference_of``."""
    said = (lint or evaluation.checked).findings
    documents = evaluation.collection.documents
    mine: dict[str, list[Finding]] = {document.source.path: [] for document in documents}
    folders = {folder_of(skill.source.path): skill.source.path for skill in evaluation.collection.skills}
    elsewhere: list[Finding] = []
    for finding in said:
        owner = finding.path if finding.path in mine else owner_of(finding.path, folders)
        (elsewhere if owner is None else mine[owner]).append(finding)
    checked = Index(evaluation.checked)
    rows = tuple(_present(document, mine[document.source.path], checked) for document in documents)
    return Difference(None, head, len(rows), rows, tuple(elsewhere), (), (), (*notes, *faults.lines()))


def _present(document: Document, findings: list[Finding], checked: Index) -> Row:
    path = document.source.path
    side = _side(document, checked.of(path))
    return Row("present", _kind(document), path, None, document.name, 0, 0, None, side, tuple(findings), (), 0)


def _plugins(revision: Revision, rows: tuple[Row, ...]) -> Iterator[PluginChange]:
    sides = (revision.before.collection, revision.after.collection)
    before, after = ({plugin.path: plugin for plugin in side.plugins} for side in sides)
    touched = {path for row in rows for path in (row.path, row.old_path)}
    for path in sorted({*before, *after}):
        pair = before.get(path), after.get(path)
        known = pair[1] or pair[0]
        needs = needs_change(*(_own_needs(side, plugin) for side, plugin in zip(sides, pair, strict=True)))
        lists = [_listing(plugin) if any(_holds(one, touched) for one in pair) else None for plugin in pair]
        if known is not None and (lists[0] != lists[1] or needs[0].any or needs[1].any):
            yield PluginChange(path, known.name, lists[0], lists[1], needs)


def _own_needs(side: Collection, plugin: Plugin | None) -> HostNeeds | None:
    return None if plugin is None else manifest_needs(side.manifests, plugin)


def _listing(plugin: Plugin | None) -> Listing | None:
    return None if plugin is None else plugin_listing(plugin)


def _holds(plugin: Plugin | None, paths: set[str | None]) -> bool:
    return plugin is not None and any(skill.source.path in paths for skill in plugin.skills)


Item = TypeVar("Item")


class _Below(Generic[Item]):
    """Things by the path they stand at, so that asking for those of each of many documents stays linear."""

    def __init__(self, items: Iterable[tuple[str, Item]]) -> None:
        self._at: dict[str, list[Item]] = {}
        self._under: dict[str, list[Item]] = {}
        for path, item in items:
            self._at.setdefault(path, []).append(item)
            folder = path
            while folder:
                folder = folder.rpartition("/")[0]
                self._under.setdefault(folder, []).append(item)

    def of(self, document: Document) -> list[Item]:
        """Those at an agent's path, or anywhere in a skill's folder."""
        path = document.source.path
        found = self._at.get(path) if isinstance(document, Agent) else self._under.get(folder_of(path))
        return found or []


class _Parts:
    """What each document has of a revision."""

    def __init__(self, revision: Revision, said: Revision, lines: dict[str, tuple[int, int]]) -> None:
        self.findings = _Below((finding.path, finding) for finding in said.after.checked.findings)
        self.fixed = _Below((finding.path, finding) for finding in said.fixed)
        self.before, self.after = Index(revision.before.checked), Index(revision.after.checked)
        self._lines = _Below(lines.items())

    def lines(self, document: Document) -> tuple[int, int]:
        """Lines added and removed."""
        counts = self._lines.of(document)
        return sum(added for added, _ in counts), sum(removed for _, removed in counts)


def _row(revision: Revision, part: _Parts, path: str, before: dict[str, Document], after: dict[str, Document]) -> Row:
    old_path = revision.renamed.get(path, path)
    document, earlier = after[path], before.get(old_path)
    status: Status = "added" if earlier is None else "renamed" if old_path != path else "changed"
    mine = part.findings.of(document)
    added, removed = part.lines(document)
    return Row(
        status,
        _kind(document),
        path,
        old_path if status == "renamed" else None,
        document.name,
        added,
        removed,
        _side(earlier, part.before.of(old_path)) if earlier is not None else None,
        _side(document, part.after.of(path)),
        tuple(finding for finding in mine if finding.state == "new"),
        tuple(part.fixed.of(earlier)) if earlier is not None else (),
        sum(finding.state == "old" for finding in mine),
    )


def _gone(part: _Parts, path: str, document: Document) -> Row:
    added, removed = part.lines(document)
    side = _side(document, part.before.of(path))
    return Row("removed", _kind(document), path, None, document.name, added, removed, side, None, (), (), 0)


def _kind(document: Document) -> Literal["skill", "agent"]:
    return "skill" if isinstance(document, Skill) else "agent"


def _side(document: Document, checked: CheckResult) -> Side:
    report: ScoreReport = (
        score_agent(document, checked) if isinstance(document, Agent) else score_skill(document, checked)
    )
    value = report.composite.score
    return Side(
        value, None if value is None else grade_of(value), report.composite.badge, report.context_cost, report.host
    )
