"""Targets x rules -> sorted findings: adds to each hit the rule's name and severity, the path and a fingerprint."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from plugin_eval_ci.config import Config
from plugin_eval_ci.model import Agent, CheckResult, Collection, Document, Finding, Hit, Skill, Source
from plugin_eval_ci.rules import RULES, Rule


def check(collection: Collection, config: Config) -> CheckResult:
    """Run every rule that ``config`` leaves on over ``collection``."""
    rules = tuple(rule for rule in RULES if (not config.select or rule.name in config.select) and rule.name not in config.ignore)
    shown: list[Finding] = []
    subsumed: list[Finding] = []
    for document in collection.documents:
        mine, hidden = _split(_document(document, rules), rules)
        shown += mine
        subsumed += hidden
    shown += _collection(collection, rules)
    return CheckResult(tuple(sorted(shown, key=_order)), tuple(sorted(subsumed, key=_order)), 0)


def _document(document: Document, rules: tuple[Rule, ...]) -> list[Finding]:
    hits: list[tuple[Rule, Hit]] = []
    readable = document.source.problem is None or bool(document.source.text)
    for rule in rules:
        if not readable and rule.group != "file":
            continue
        if rule.on_document is not None:
            hits += [(rule, hit) for hit in rule.on_document(document)]
        elif rule.on_skill is not None and isinstance(document, Skill):
            hits += [(rule, hit) for hit in rule.on_skill(document)]
        elif rule.on_agent is not None and isinstance(document, Agent):
            hits += [(rule, hit) for hit in rule.on_agent(document)]
    return findings_of(document.source.path, document.source, hits) if hits else []


def _split(findings: list[Finding], rules: tuple[Rule, ...]) -> tuple[list[Finding], list[Finding]]:
    """Take out the findings whose root cause another finding already names."""
    present = {finding.rule for finding in findings}
    covered = {name for rule in rules if rule.name in present for name in rule.subsumes}
    return [f for f in findings if f.rule not in covered], [f for f in findings if f.rule in covered]


def _collection(collection: Collection, rules: tuple[Rule, ...]) -> list[Finding]:
    sources = {document.source.path: document.source for document in collection.documents}
    by_path: dict[str, list[tuple[Rule, Hit]]] = {}
    for rule in rules:
        if rule.on_collection is not None:
            for path, hit in rule.on_collection(collection):
                by_path.setdefault(path, []).append((rule, hit))
    return [finding for path, hits in by_path.items() for finding in findings_of(path, sources.get(path), hits)]


def findings_of(path: str, source: Source | None, hits: Iterable[tuple[Rule, Hit]]) -> list[Finding]:
    """Hits of one file as findings. The fingerprint holds the line's text, not its number, so it survives moved lines."""
    from hashlib import sha256

    lines = source.text.split("\n") if source is not None else []
    last = max(1, source.line_count if source is not None else 1)
    seen: Counter[tuple[str, str, str]] = Counter()
    found = []
    for rule, hit in hits:
        line = min(max(1, hit.line), last)
        words = " ".join(lines[line - 1].split()) if line <= len(lines) else ""
        key = (rule.name, hit.target, "" if hit.target else words)
        digest = sha256("\0".join((path, *key, str(seen[key]))).encode("utf-8", "surrogateescape")).hexdigest()[:16]
        seen[key] += 1
        weight = hit.weight if hit.weight is not None else rule.weight
        found.append(
            Finding(
                rule.name,
                rule.severity,
                rule.anti_pattern,
                path,
                line,
                hit.column,
                hit.end_line,
                hit.message,
                hit.fix,
                hit.target,
                digest,
                weight,
            )
        )
    return found


def _order(finding: Finding) -> tuple[str, int, int, str, str]:
    return (finding.path, finding.line, -finding.severity, finding.rule, finding.target)
