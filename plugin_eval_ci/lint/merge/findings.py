"""Findings of other tools together with ours: each defect once, whichever tool found it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple

from plugin_eval_ci.lint.merge.sarif import read_sarif
from plugin_eval_ci.model import CheckResult, Finding

_US = "plugin-eval-ci"  # a log of our own that is merged repeats what we find

_HEADER = frozenset(
    {
        "FM_MISSING",
        "FM_NOT_FIRST",
        "FM_UNCLOSED",
        "FM_INVALID_YAML",
        "FM_NOT_MAPPING",
        "FM_DUPLICATE_KEY",
        "FM_FENCE_STYLE",
        "FILE_BOM",
    }
)
_NO_NAME = frozenset({"NAME_MISSING", "NAME_TYPE"})
_BAD_NAME = frozenset({"NAME_FORMAT", "NAME_NON_ASCII", "NAME_TOO_LONG", "NAME_TYPE"})
_NO_DESCRIPTION = frozenset({"DESC_MISSING", "DESC_TYPE", "EMPTY_DESCRIPTION"})
_BROKEN_REFERENCE = frozenset({"ORPHAN_REFERENCE", "DEAD_CROSS_REF", "REF_DEAD"})  # the same when on the same line
_NAMED = frozenset({"REF_UNUSED", "KEY_UNKNOWN"})  # the same when their message names what ours is about

EQUIVALENTS: dict[str, frozenset[str]] = {
    "agnix/AS-001": _HEADER,
    "agnix/AS-002": _NO_NAME,
    "agnix/AS-003": _NO_DESCRIPTION,
    "agnix/AS-004": _BAD_NAME,
    "agnix/AS-005": _BAD_NAME,
    "agnix/AS-006": _BAD_NAME,
    "agnix/AS-016": _HEADER,
    "agnix/AS-017": frozenset({"NAME_DIR_MISMATCH"}),
    "agnix/AS-020": frozenset({"MISSING_TRIGGER"}),
    "agnix/AS-023": frozenset({"REF_UNUSED"}),
    "agnix/CC-AG-001": _NO_NAME,
    "agnix/CC-AG-002": _NO_DESCRIPTION,
    "agnix/CC-AG-007": _HEADER,
    "agnix/CC-SK-017": frozenset({"KEY_UNKNOWN"}),
    "agnix/REF-002": _BROKEN_REFERENCE,
    "skilllint/FM002": _HEADER,
    "skilllint/FM003": _HEADER,
    "skilllint/FM010": _BAD_NAME,
    "skilllint/LK001": _BROKEN_REFERENCE,
    "skillsaw/agentskill-name": _BAD_NAME | {"NAME_DIR_MISMATCH"},
    "skillsaw/agentskill-valid": _HEADER | _NO_NAME | _NO_DESCRIPTION,
    "skillsaw/claude-agent-frontmatter": _HEADER | _NO_NAME | _NO_DESCRIPTION,
    "skillsaw/content-broken-internal-reference": _BROKEN_REFERENCE,
    "skillsaw/content-description-routing": _NO_DESCRIPTION | {"MISSING_TRIGGER", "FM_MISSING"},
}


class MergeResult(NamedTuple):
    """Ours and theirs together; what was left out is counted."""

    checked: CheckResult
    repeated: int  # said by us or by another log already
    outside: int  # not about a place in the repository


def merge(checked: CheckResult, files: Iterable[str], root: str) -> MergeResult:
    """Add the findings of SARIF ``files`` to ``checked``. Raises ``UsageError`` for a file that cannot be read."""
    logs = [read_sarif(file, root) for file in files]
    theirs = [finding for log in logs for finding in log.findings]
    new = list(_told_apart(_unknown(theirs, checked)))
    together = tuple(sorted((*checked.findings, *new), key=_order))
    return MergeResult(checked._replace(findings=together), len(theirs) - len(new), sum(log.outside for log in logs))


def _unknown(theirs: Iterable[Finding], checked: CheckResult) -> Iterator[Finding]:
    """Findings that neither we nor an earlier log has."""
    ours: dict[tuple[str, str], list[Finding]] = {}
    for finding in (*checked.findings, *checked.subsumed):
        ours.setdefault((finding.path, finding.rule), []).append(finding)
    seen: set[tuple[str, int, int | None, str, str]] = set()
    for finding in theirs:
        key = (finding.path, finding.line, finding.column, finding.rule, finding.message)
        known = (mine for name in _equivalents(finding.rule) for mine in ours.get((finding.path, name), ()))
        if key not in seen and not any(_same(finding, mine) for mine in known):
            yield finding
        seen.add(key)


def _same(theirs: Finding, mine: Finding) -> bool:
    """Of most defects a file has one, and engines disagree about its line; others it may have many of."""
    if mine.rule in _BROKEN_REFERENCE or theirs.rule.startswith(f"{_US}/"):
        return theirs.line == mine.line
    return mine.rule not in _NAMED or mine.target in theirs.message


def _equivalents(rule: str) -> frozenset[str]:
    engine, _, own = rule.partition("/")
    return frozenset({own}) if engine == _US else EQUIVALENTS.get(rule, frozenset())


def _told_apart(findings: Iterable[Finding]) -> Iterator[Finding]:
    """With fingerprints. They hold no line, so that they survive moved lines, but the number of the same words before."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for finding in sorted(findings, key=_order):
        key = (finding.path, finding.rule, finding.message)
        digest = sha256("\0".join((*key, str(seen[key]))).encode("utf-8", "surrogateescape")).hexdigest()[:16]
        seen[key] += 1
        yield finding._replace(fingerprint=digest)


def _order(finding: Finding) -> tuple[str, int, int, str, str]:
    return (finding.path, finding.line, -finding.severity, finding.rule, finding.target or finding.message)
