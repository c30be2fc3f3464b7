"""What a change does to each skill: lines, score and grade, findings, context cost."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from plugin_eval_ci.budget import Listing
from plugin_eval_ci.changes import Revision
from plugin_eval_ci.dimensions import grade_of
from plugin_eval_ci.host import HostNeeds, manifest_needs, needs_change
from plugin_eval_ci.measure.cost import ContextCost, plugin_listing
from plugin_eval_ci.model import Agent, CheckResult, Collection, Document, Finding, Plugin, Skill
from plugin_eval_ci.score_report import ScoreReport
from plugin_eval_ci.scoring import score_agent, score_skill
from plugin_eval_ci.suppress import folder_of

Status = Literal["added", "removed", "renamed", "changed"]


class Side(NamedTuple):
    """One state of a skill or agent: composite on 0-100 (None: not measured), letter grade, badge, tokens."""

    score: float | None
    grade: str | None
    badge: str
    cost: ContextCost | None
    host: HostNeeds | None = None


class Row(NamedTuple):
    """One skill or agent that changed. ``lines`` are those added and removed in all of its files."""

    status: Status
    kind: Literal["skill", "agent"]
    path: str
    old_path: str | None
    name: str
    added: int
    removed: int
    before: Side | None
    after: Side | None
    new: tuple[Finding, ...]
    fixed: tuple[Finding, ...]
    old: int  # findings that were there before

    @property
    def needs(self) -> tuple[HostNeeds, HostNeeds]:
        """What the host is asked for now and was not before, and the reverse."""
        return needs_change(*(side.host if side else None for side in (self.before, self.after)))


class PluginChange(NamedTuple):
    """A plugin whose list of skills changed, or what its hooks and servers ask of the host."""

    path: str
    name: str
    before: Listing | None
    after: Listing | None
    needs: tuple[HostNeeds, HostNeeds]  # more, and less


class Difference(NamedTuple):
    """A change as a whole; ``elsewhere`` are new findings in files of other skills, which the change caused."""

    base: str
    head: str | None
    total: int
    rows: tuple[Row, ...]
    elsewhere: tuple[Finding, ...]
    fixed_elsewhere: tuple[Finding, ...]
    plugins: tuple[PluginChange, ...] = ()


def difference_of(revision: Revision, lines: dict[str, tuple[int, int]]) -> Difference:
    """The difference that a revision makes; ``lines`` are those added and removed by path, as git counts them."""
    before = {document.source.path: document for document in revision.before.collection.documents}
    after = {document.source.path: document for document in revision.after.collection.documents}
    rows = [_row(revision, path, before, after, lines) for path in revision.changed if path in after]
    rows += [_gone(revision, path, before[path], lines) for path in revision.removed]
    places = [folder_of(row.path) for row in rows]
    new = [finding for finding in revision.after.checked.findings if finding.state == "new"]
    return Difference(
        revision.base,
        revision.head,
        revision.total,
        tuple(rows),
        tuple(finding for finding in new if not _is_in(finding.path, places)),
        tuple(finding for finding in revision.fixed if not _is_in(revision_path(revision, finding.path), places)),
        tuple(_plugins(revision, tuple(rows))),
    )


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


def revision_path(revision: Revision, path: str) -> str:
    """The path now of what was at ``path`` before."""
    return next((now for now, then in revision.renamed.items() if then == path), path)


def _row(
    revision: Revision,
    path: str,
    before: dict[str, Document],
    after: dict[str, Document],
    lines: dict[str, tuple[int, int]],
) -> Row:
    old_path = revision.renamed.get(path, path)
    document, earlier = after[path], before.get(old_path)
    status: Status = "added" if earlier is None else "renamed" if old_path != path else "changed"
    mine = [finding for finding in revision.after.checked.findings if _belongs(finding.path, document)]
    fixed = [finding for finding in revision.fixed if earlier is not None and _belongs(finding.path, earlier)]
    added, removed = _lines(lines, document)
    return Row(
        status,
        "skill" if isinstance(document, Skill) else "agent",
        path,
        old_path if status == "renamed" else None,
        document.name,
        added,
        removed,
        _side(earlier, revision.before.checked) if earlier is not None else None,
        _side(document, revision.after.checked),
        tuple(finding for finding in mine if finding.state == "new"),
        tuple(fixed),
        sum(finding.state == "old" for finding in mine),
    )


def _gone(revision: Revision, path: str, document: Document, lines: dict[str, tuple[int, int]]) -> Row:
    added, removed = _lines(lines, document)
    kind: Literal["skill", "agent"] = "skill" if isinstance(document, Skill) else "agent"
    return Row(
        "removed",
        kind,
        path,
        None,
        document.name,
        added,
        removed,
        _side(document, revision.before.checked),
        None,
        (),
        (),
        0,
    )


def _side(document: Document, checked: CheckResult) -> Side:
    report: ScoreReport = (
        score_agent(document, checked) if isinstance(document, Agent) else score_skill(document, checked)
    )
    value = report.composite.score
    return Side(
        value, None if value is None else grade_of(value), report.composite.badge, report.context_cost, report.host
    )


def _lines(lines: dict[str, tuple[int, int]], document: Document) -> tuple[int, int]:
    counts = [count for path, count in lines.items() if _belongs(path, document)]
    return sum(added for added, _ in counts), sum(removed for _, removed in counts)


def _belongs(path: str, document: Document) -> bool:
    if isinstance(document, Agent):
        return path == document.source.path
    folder = folder_of(document.source.path)
    return path.startswith(f"{folder}/") if folder else True


def _is_in(path: str, folders: list[str]) -> bool:
    return any(not folder or path.startswith(f"{folder}/") for folder in folders)
