"""Findings looked at by hand: which of them to look at, what was decided, and how exact each rule is by that.

``hand_checked.jsonl`` holds a verdict a line: ``rule``, ``path`` (below the corpus), ``evidence`` (the target of the finding, or
``line:`` and a digest of its line: both survive a new wording of the message and moved lines), ``verdict`` (``true``, ``debatable`` or
``false``) and ``reason``, a few words. ``dead_by_hand.jsonl`` holds dead references that the list beside the corpus does not have.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Literal, NamedTuple

from plugin_eval_ci.model import Finding, Severity

SAMPLE = 20  # findings of a rule that are to be looked at; of fewer, all
FEW = 5  # below that a share says little
LEAST_RULE = 0.95  # share of true findings of a rule that fails a build
LEAST_REFERENCES = 0.97  # precision and recall of the rules about references
REFERENCE_RULES = frozenset(
    {"REF_DEAD", "REF_CASE", "REF_ESCAPE", "REF_BACKSLASH", "REF_ANCHOR", "ORPHAN_REFERENCE", "DEAD_CROSS_REF"}
)
Key = tuple[str, str, str]  # rule, path, evidence


class Verdict(NamedTuple):
    """What was decided of one finding, and why."""

    verdict: Literal["true", "debatable", "false"]
    reason: str


class Row(NamedTuple):
    """One rule: findings in the corpus, how many were looked at, and what was found; ``stale`` are to be looked at yet."""

    rule: str
    severity: Severity
    findings: int
    true: int
    debatable: tuple[str, ...]
    false: tuple[str, ...]
    stale: tuple[Key, ...]

    @property
    def checked(self) -> int:
        """Findings with a verdict."""
        return self.true + len(self.debatable) + len(self.false)

    @property
    def share(self) -> float:
        """Of those looked at, the share that is true beyond debate; 1 where nothing was looked at."""
        return self.true / self.checked if self.checked else 1.0

    @property
    def fails(self) -> bool:
        """Whether the rule fails a build by default (errors and warnings do) and is not exact enough for that."""
        return self.severity >= Severity.WARNING and self.share < LEAST_RULE


class References(NamedTuple):
    """The rules about references against all that is known to be dead, as (skill, target)."""

    known: int
    found: int
    reported: int
    missed: tuple[str, ...]
    false: tuple[str, ...]

    @property
    def precision(self) -> float:
        """The share of what is reported that is known to be dead."""
        return 1 - len(self.false) / self.reported if self.reported else 1.0

    @property
    def recall(self) -> float:
        """The share of what is known to be dead that is reported."""
        return self.found / self.known if self.known else 1.0

    @property
    def fails(self) -> bool:
        """Whether one of the two is too low."""
        return min(self.precision, self.recall) < LEAST_REFERENCES


def lines_of(file: Path) -> list[dict[str, str]]:
    """The objects of a JSONL file; none when it is not there."""
    if not file.exists():
        return []
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def verdicts_of(file: Path) -> dict[Key, Verdict]:
    """The verdicts of a file by key. Raises ``ValueError`` for a verdict that is none of the three, or one without a reason."""
    found: dict[Key, Verdict] = {}
    for line in lines_of(file):
        if line["verdict"] not in ("true", "debatable", "false") or not line["reason"].strip():
            raise ValueError(f"{file.name}: {line}")
        found[line["rule"], line["path"], line["evidence"]] = Verdict(line["verdict"], line["reason"])  # type: ignore[arg-type]
    return found


def keys_of(findings: Sequence[Finding], corpus: Path) -> list[Key]:
    """What the verdict of each finding is kept under; the paths of the findings are below the corpus.

    The digest of the line is added to a target that a rule names more than once in a file.
    """
    times = Counter((finding.rule, finding.path, finding.target) for finding in findings)
    keys = []
    for finding in findings:
        evidence = finding.target
        if not evidence or times[finding.rule, finding.path, evidence] > 1:
            evidence = f"{evidence} line:{_digest(_line(finding, corpus))[:8]}".strip()
        keys.append((finding.rule, finding.path, evidence))
    return keys


def _line(finding: Finding, corpus: Path) -> str:
    file = corpus / finding.path
    lines = file.read_text(encoding="utf-8", errors="replace").split("\n") if file.is_file() else []
    return " ".join(lines[finding.line - 1].split()) if finding.line <= len(lines) else ""


def rows(findings: Sequence[Finding], verdicts: Mapping[Key, Verdict], corpus: Path) -> list[Row]:
    """Every rule with findings."""
    by_rule: dict[str, list[tuple[Finding, Key]]] = {}
    for finding, key in zip(findings, keys_of(findings, corpus), strict=True):
        by_rule.setdefault(finding.rule, []).append((finding, key))
    return [_row(rule, by_rule[rule], verdicts) for rule in sorted(by_rule)]


def _row(rule: str, findings: Sequence[tuple[Finding, Key]], verdicts: Mapping[Key, Verdict]) -> Row:
    keys = sorted({key for _, key in findings}, key=lambda key: _digest("\0".join(key)))
    decided = {key: verdicts[key] for key in keys if key in verdicts}
    named: dict[str, list[str]] = {"true": [], "debatable": [], "false": []}
    for key, (verdict, reason) in decided.items():
        named[verdict].append(f"{key[1]}: {key[2]}: {reason}")
    stale = tuple(key for key in keys[:SAMPLE] if key not in decided)
    severity = max(finding.severity for finding, _ in findings)
    return Row(
        rule, severity, len(findings), len(named["true"]), tuple(named["debatable"]), tuple(named["false"]), stale
    )


def references(
    findings: Sequence[Finding], dead: Sequence[Mapping[str, str]], verdicts: Mapping[Key, Verdict], corpus: Path
) -> References:
    """Findings about references against ``dead`` (objects with ``skill`` and ``target``) and the true ones among the verdicts.

    What is about files that are not in this corpus takes no part.
    """
    known = {(line["skill"], _plain(line["target"])) for line in dead if (corpus / line["skill"]).is_dir()}
    reported = {(f.path, _plain(f.target)) for f in findings if f.rule in REFERENCE_RULES}
    approved = {
        (path, _plain(evidence))
        for (rule, path, evidence), (verdict, _) in verdicts.items()
        if rule in REFERENCE_RULES and verdict == "true" and (corpus / path).is_file()
    }
    approved = {item for item in approved if _in_skill(item, known) is None}
    found = {skill for item in reported if (skill := _in_skill(item, known)) is not None}
    false = [item for item in reported - approved if _in_skill(item, known) is None]
    missed = (known | approved) - found - reported
    return References(
        len(known | approved), len(known | approved) - len(missed), len(reported), _named(missed), _named(false)
    )


def _in_skill(item: tuple[str, str], known: Container[tuple[str, str]]) -> tuple[str, str] | None:
    """The entry of ``known`` for a target in a file: the skill is a folder above it."""
    folder = item[0]
    while "/" in folder:
        folder = folder.rpartition("/")[0]
        if (folder, item[1]) in known:
            return folder, item[1]
    return None


def _named(items: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(f"{path}: {target}" for path, target in sorted(items))


def _plain(target: str) -> str:
    return target.rstrip("/")


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
