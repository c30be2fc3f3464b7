"""Compares two reports: targets added, removed, moved, better or worse, and findings new or fixed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from plugin_eval_ci.model import Finding
from plugin_eval_ci.scoring.dimensions import round_score
from plugin_eval_ci.survey.report import Survey, Target, finding_order
from plugin_eval_ci.util.multiset import multiset_difference


class Change(NamedTuple):
    """A target in both reports, changed or not. ``new`` and ``fixed`` are findings of the target itself."""

    before: Target
    after: Target
    new: tuple[Finding, ...]
    fixed: tuple[Finding, ...]

    @property
    def difference(self) -> float | None:
        """The change of the composite in points. None if either side was not measured."""
        one, other = self.before.score, self.after.score
        return None if one is None or other is None else round_score(other - one)

    @property
    def moved(self) -> bool:
        """Whether its path changed while the text stayed the same."""
        return self.before.path != self.after.path


class Since(NamedTuple):
    """What changed since an earlier report. Lists are in path order, except ``better`` and ``worse``: largest change first.

    ``why`` explains why scores cannot be compared (another methodology or depth); then nothing is better or worse.
    ``added`` and ``gone`` are empty if shards are missing from either report.
    """

    date: str  # of the earlier report, YYYY-MM-DD
    changes: tuple[Change, ...]  # all targets in both reports
    added: tuple[Target, ...]
    gone: tuple[Target, ...]  # with the values of the earlier report
    new: tuple[Finding, ...]  # everywhere, including added targets
    fixed: tuple[Finding, ...]  # everywhere, except in removed targets
    why: str = ""

    @property
    def better(self) -> tuple[Change, ...]:
        """Targets whose score rose, largest rise first."""
        return self._by_difference(1)

    @property
    def worse(self) -> tuple[Change, ...]:
        """Targets whose score fell, largest drop first."""
        return self._by_difference(-1)

    @property
    def moved(self) -> tuple[Change, ...]:
        """Targets that moved."""
        return tuple(change for change in self.changes if change.moved)

    @property
    def lost(self) -> tuple[Change, ...]:
        """Targets that were measured before and no longer are."""
        return tuple(c for c in self.changes if c.before.score is not None and c.after.score is None)

    def _by_difference(self, sign: int) -> tuple[Change, ...]:
        known = [] if self.why else [(sign * (change.difference or 0.0), change) for change in self.changes]
        some = [(gain, change) for gain, change in known if gain > 0]
        return tuple(change for _, change in sorted(some, key=lambda pair: (-pair[0], pair[1].after.path)))


def since_of(before: Survey, after: Survey) -> Since:
    """Compare two reports of the same repository, the earlier one first."""
    pairs, added, gone = _pair_targets(before.targets, after.targets)
    changes = tuple(_change(one, other) for one, other in pairs)
    whole = not before.shards and not after.shards
    elsewhere = _change_of(before.findings, after.findings)
    new = [finding for change in changes for finding in change.new] + list(elsewhere[0])
    fixed = [finding for change in changes for finding in change.fixed] + list(elsewhere[1])
    if whole:
        new += [finding for target in added for finding in target.findings]
    return Since(
        before.date,
        changes,
        tuple(added) if whole else (),
        tuple(gone) if whole else (),
        tuple(sorted(new, key=finding_order)),
        tuple(sorted(fixed, key=finding_order)),
        _incomparable(before, after),
    )


def _incomparable(before: Survey, after: Survey) -> str:
    if before.methodology != after.methodology:
        return f"the earlier report used {before.methodology[:80]}, this one uses {after.methodology}"
    if before.depth.name != after.depth.name:
        return f"the earlier report was made at depth {before.depth.name}, this one at depth {after.depth.name}"
    return ""


def _pair_targets(
    before: Sequence[Target], after: Sequence[Target]
) -> tuple[list[tuple[Target, Target]], list[Target], list[Target]]:
    """Pairs of targets in both reports (same kind and path, else same text), those only in the later, those only in the earlier."""
    known = {_key(target): target for target in before}
    pairs = [(known[_key(target)], target) for target in after if _key(target) in known]
    here = {_key(target) for target in after}
    added = [target for target in after if _key(target) not in known]
    gone = [target for target in before if _key(target) not in here]
    old, new = _unique_texts(gone), _unique_texts(added)
    moved = [(old[text], new[text]) for text in new if text in old]
    left = {_key(target) for pair in moved for target in pair}
    pairs = sorted([*pairs, *moved], key=lambda pair: _key(pair[1]))
    return pairs, [t for t in added if _key(t) not in left], [t for t in gone if _key(t) not in left]


def _key(target: Target) -> tuple[str, str]:
    # Two plugins may share a folder.
    return (target.path, f"{target.kind} {target.name}" if target.kind == "plugin" else target.kind)


def _unique_texts(targets: Iterable[Target]) -> dict[tuple[str, str], Target]:
    """The targets whose text is unique among them."""
    some = [target for target in targets if target.content]
    count = Counter((target.kind, target.content) for target in some)
    return {(t.kind, t.content): t for t in some if count[t.kind, t.content] == 1}


def _change(before: Target, after: Target) -> Change:
    return Change(before, after, *_change_of(before.findings, after.findings))


def _change_of(before: Sequence[Finding], after: Sequence[Finding]) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    return _unmatched(after, before), _unmatched(before, after)


def _unmatched(findings: Sequence[Finding], others: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings without a counterpart. Compares fingerprints without paths, so a moved file has no new findings."""
    return multiset_difference(findings, map(_mark, others), _mark)


def _mark(finding: Finding) -> tuple[str, str]:
    return (finding.rule, finding.content or finding.fingerprint)
