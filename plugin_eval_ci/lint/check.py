"""Targets x rules -> sorted findings: adds to each hit the rule's name and severity, the path and a fingerprint."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from plugin_eval_ci.lint import suppress
from plugin_eval_ci.model import Agent, CheckResult, Collection, Document, Finding, Hit, Manifest, Skill, Source
from plugin_eval_ci.rules import Rule, all_names, rule_named
from plugin_eval_ci.rules.single import SINGLE
from plugin_eval_ci.util import faults

if TYPE_CHECKING:
    from plugin_eval_ci.analysis.ignore_comments import Ignore
    from plugin_eval_ci.analysis.revision import RevisionFacts
    from plugin_eval_ci.config import Config, ConfigSource

# Targets that stand for the size of a whole file: no single text of it was accepted, and any edit would change one.
_SIZES = frozenset(
    ("bytes", "depth", "directives", "length", "lines", "more", "paragraph", "plugin", "structure", "unread")
)
_CUT = 80  # characters: a target as long as this may be the beginning of a longer text
_WORD = re.compile(r"[\w-]+")  # names a place ("description") or a kind ("TODO"), and quotes no text
_KEY = re.compile(r"""\s*(?:-\s+)?(?:"[^"]*"|'[^']*'|[\w.-]+)\s*:(?:\s|$)""")
MAX_HITS = 200  # of one rule in one file: nobody reads more
# A command needs no frontmatter, only a readable one; its text is searched for what is unsafe.
_FOR_COMMANDS = frozenset({"FM_INVALID_YAML", "SAFE_SECRET", "SAFE_HIDDEN_TEXT", "SAFE_COMMENT_ORDER"})


Args = ParamSpec("Args")
Result = TypeVar("Result")


def _across() -> tuple[Rule, ...]:
    from plugin_eval_ci.rules.across import ACROSS  # a commit of one SKILL.md has no use for them

    return ACROSS


class ActiveRules:
    """The rules that run in a folder; one tuple for each configuration that was met."""

    def __init__(self, config: ConfigSource) -> None:
        self.config = config
        self.known: dict[tuple[Config, bool], tuple[Rule, ...]] = {}

    def at(self, path: str) -> tuple[Rule, ...]:
        """The rules about single documents that run on a file."""
        return self.of(path, False)

    def across(self, path: str) -> tuple[Rule, ...]:
        """The rules about manifests, comments and several files together that run on a file."""
        return self.of(path, True)

    def of(self, path: str, across: bool) -> tuple[Rule, ...]:
        config = self.config.at(suppress.folder_of(path))
        if (config, across) not in self.known:
            rules = _across() if across else SINGLE
            self.known[config, across] = tuple(rule for rule in rules if config.runs(rule.name))
        return self.known[config, across]

    def run(self, name: str, path: str) -> bool:
        return self.config.at(suppress.folder_of(path)).runs(name)


Checked = tuple[list[Finding], list[Finding]]  # shown, and subsumed by one that is shown


def one_document(document: Document, chosen: ActiveRules) -> Checked:
    """The findings of the rules that need no more than one document."""
    rules = chosen.at(document.source.path)
    return _split(_document(document, rules), rules)


def check(collection: Collection, config: ConfigSource, done: Mapping[str, Checked] | None = None) -> CheckResult:
    """Run every rule that the configuration of a file leaves on over ``collection``.

    ``done`` holds by file what ``one_document`` said already, where the documents were checked as they were read.
    """
    chosen = ActiveRules(config)
    shown: list[Finding] = []
    subsumed: list[Finding] = []
    for document in collection.documents:
        mine, hidden = done[document.source.file] if done is not None else one_document(document, chosen)
        shown += mine
        subsumed += hidden
    mine, hidden = across(collection, chosen)
    return _without_hidden(collection, chosen, shown + mine, subsumed + hidden)


def across(collection: Collection, chosen: ActiveRules) -> Checked:
    """The findings of the rules that look at manifests, commands, and several files together."""
    shown: list[Finding] = []
    subsumed: list[Finding] = []
    for command in collection.commands:
        shown += _document(
            command, tuple(rule for rule in chosen.at(command.source.path) if rule.name in _FOR_COMMANDS)
        )
    for rules, findings in _manifests(collection, chosen):
        mine, hidden = _split(findings, rules)
        shown += mine
        subsumed += hidden
    return shown + _collection(collection, chosen), subsumed


def _without_hidden(
    collection: Collection, chosen: ActiveRules, shown: list[Finding], subsumed: list[Finding]
) -> CheckResult:
    ignores = suppress.comments(collection, chosen.config, all_names)
    left, by_comment, used = suppress.by_comment(shown, subsumed, ignores)
    sources = _sources(collection) if ignores else {}
    idle = [finding for path, some in ignores.items() for finding in _unused(some, used, chosen, sources.get(path))]
    rest, by_configuration = suppress.by_configuration(left + idle, chosen.config)
    hidden = sorted((*by_comment, *by_configuration), key=lambda one: _order(one.finding))
    return CheckResult(tuple(sorted(rest, key=_order)), tuple(sorted(subsumed, key=_order)), tuple(hidden))


def _sources(collection: Collection) -> dict[str, Source]:
    """What was read, by reported path."""
    items = (*collection.documents, *collection.commands, *collection.manifests)
    return {item.source.path: item.source for item in items}


def _unused(
    ignores: tuple[Ignore, ...], used: frozenset[tuple[Ignore, str]], chosen: ActiveRules, source: Source | None
) -> list[Finding]:
    """What the rules about ignore comments say of the comments of one file."""
    hits: list[tuple[Rule, Hit]] = []
    path = ignores[0].path
    for rule in chosen.across(path):
        if rule.on_ignore is not None:
            for ignore in ignores:
                idle = tuple(
                    name for name in ignore.rules if (ignore, name) not in used and _was_run(name, path, chosen)
                )
                hits += [(rule, hit) for hit in _hits_of(rule, path, rule.on_ignore, ignore, idle)]
    return findings_of(path, source, hits)


def _was_run(name: str, path: str, chosen: ActiveRules) -> bool:
    """Whether a rule was run and saw all it needs; one that compares files may have seen only some of them, one that failed not all."""
    rule = rule_named(name)
    if any(fault.rule in ("", name.upper()) for fault in faults.noted_at(path)):
        return False
    if rule is None or rule.on_collection is not None or rule.on_ignore is not None or rule.on_change is not None:
        return False
    return chosen.run(name, path)


def _document(document: Document, rules: tuple[Rule, ...]) -> list[Finding]:
    hits: list[tuple[Rule, Hit]] = []
    path = document.source.path
    readable = document.source.problem is None or bool(document.source.text)
    for rule in rules:
        if not readable and rule.group != "file":
            continue
        if rule.on_document is not None:
            hits += [(rule, hit) for hit in _hits_of(rule, path, rule.on_document, document)]
        elif rule.on_skill is not None and isinstance(document, Skill):
            hits += [(rule, hit) for hit in _hits_of(rule, path, rule.on_skill, document)]
        elif rule.on_agent is not None and isinstance(document, Agent):
            hits += [(rule, hit) for hit in _hits_of(rule, path, rule.on_agent, document)]
    return list(_by_file(document.source, hits)) if hits else []


def _hits_of(
    rule: Rule, path: str, check: Callable[Args, Iterator[Result]], *about: Args.args, **more: Args.kwargs
) -> list[Result]:
    """What a rule says of the file at ``path``. A rule that fails keeps what it said before, and costs no other rule anything."""
    found: list[Result] = []
    try:
        for hit in check(*about, **more):
            found.append(hit)  # what came before a failure stays
    except Exception as error:
        faults.note(error, "lint", path, rule.name)
    return found


def _by_file(source: Source, hits: list[tuple[Rule, Hit]]) -> Iterator[Finding]:
    for path in dict.fromkeys(hit.path or source.path for _, hit in hits):
        mine = [(rule, hit) for rule, hit in hits if (hit.path or source.path) == path]
        yield from findings_of(path, source if path == source.path else None, mine)


def _split(findings: list[Finding], rules: tuple[Rule, ...]) -> tuple[list[Finding], list[Finding]]:
    """Take out the findings whose root cause another finding already names."""
    present = {finding.rule for finding in findings}
    covered = {name for rule in rules if rule.name in present for name in rule.subsumes}
    return [f for f in findings if f.rule not in covered], [f for f in findings if f.rule in covered]


def _manifests(collection: Collection, chosen: ActiveRules) -> Iterator[tuple[tuple[Rule, ...], list[Finding]]]:
    by_path: dict[str, list[Manifest]] = {}
    for manifest in collection.manifests:
        by_path.setdefault(manifest.source.path, []).append(manifest)
    for path, manifests in by_path.items():
        rules = tuple(rule for rule in (*chosen.at(path), *chosen.across(path)) if rule.on_manifest)
        hits = [
            (rule, hit)
            for part in manifests
            for rule in rules
            if rule.on_manifest
            for hit in _hits_of(rule, path, rule.on_manifest, part)
        ]
        if hits:
            yield rules, findings_of(path, manifests[0].source, hits)


def _collection(collection: Collection, chosen: ActiveRules) -> list[Finding]:
    sources = _sources(collection)
    by_path: dict[str, list[tuple[Rule, Hit]]] = {}
    everything = collection.documents[0].source.path if len(collection.documents) == 1 else "."
    several = bool(len(collection.documents) > 1 or collection.manifests or collection.problems or collection.commands)
    several = several or any(document.header.field("hooks") for document in collection.documents)
    for rule in (*SINGLE, *(_across() if several else ())):
        if rule.on_collection is not None:
            for path, hit in _hits_of(rule, everything, rule.on_collection, collection):
                if chosen.run(rule.name, path):
                    by_path.setdefault(path, []).append((rule, hit))
    return [finding for path, hits in by_path.items() for finding in findings_of(path, sources.get(path), hits)]


def check_change(change: RevisionFacts, config: ConfigSource) -> CheckResult:
    """What the rules about changes say of one."""
    chosen = ActiveRules(config)
    by_path: dict[str, list[tuple[Rule, Hit]]] = {}
    for rule in _across():
        if rule.on_change is not None:
            for path, hit in _hits_of(rule, ".", rule.on_change, change):
                if chosen.run(rule.name, path):
                    by_path.setdefault(path, []).append((rule, hit))
    findings = [finding for path, hits in by_path.items() for finding in findings_of(path, None, hits)]
    shown, hidden = suppress.by_configuration(findings, config)
    return CheckResult(tuple(shown), (), tuple(hidden))


def findings_of(path: str, source: Source | None, hits: Iterable[tuple[Rule, Hit]]) -> list[Finding]:
    """Hits of one file as findings. The fingerprint holds the line's text, not its number, so it survives moved lines."""
    lines = source.text.split("\n") if source is not None else []
    last = (
        max(1, source.line_count) if source is not None else None
    )  # of a file that is not at hand the rule knows the lines
    seen: Counter[tuple[str, str, str]] = Counter()
    found = []
    for rule, hit in _capped(hits):
        line = max(1, hit.line if last is None else min(hit.line, last))
        key = (rule.name, hit.target, _accepted_text(lines, line, hit.target))
        content = "\0".join((*key, str(seen[key])))
        digest, content = _digest(f"{path}\0{content}"), _digest(content)
        seen[key] += 1
        weight = hit.weight if hit.weight is not None else rule.weight
        found.append(
            Finding(
                rule.name,
                hit.severity or rule.severity,
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
                content,
            )
        )
    return found


def _accepted_text(lines: list[str], line: int, target: str) -> str:
    """The text that a baseline entry accepts besides the target; for a key its whole value, with the lines below that belong to it.

    It is empty where the target quotes what is accepted (a path, a command, a digest), or stands for the size of the file.
    """
    is_quotation = len(target) < _CUT and target and not _WORD.fullmatch(target)
    if is_quotation or target in _SIZES or line > len(lines):
        return ""
    text = lines[line - 1]
    if not _KEY.match(text):
        return " ".join(text.split())
    indent = len(text) - len(text.lstrip())

    def is_below(row: str) -> bool:
        start = row.lstrip()
        depth = len(row) - len(start)
        return (
            not start
            or depth > indent
            or (depth == indent and start.startswith("- ") and not text.lstrip().startswith("- "))
        )

    return " ".join(" ".join((text, *takewhile(is_below, lines[line:]))).split())


def _capped(hits: Iterable[tuple[Rule, Hit]]) -> Iterator[tuple[Rule, Hit]]:
    """At most so many hits of one rule; one more says how many are left."""
    count: Counter[str] = Counter()
    left: dict[str, tuple[Rule, Hit]] = {}
    for rule, hit in hits:
        count[rule.name] += 1
        if count[rule.name] <= MAX_HITS:
            yield rule, hit
        else:
            left.setdefault(rule.name, (rule, hit))
    for name, (rule, hit) in left.items():
        message = f"{count[name] - MAX_HITS:,} more findings of this rule in this file are not shown"
        yield (
            rule,
            Hit(
                hit.line,
                message,
                "Fix the ones that are shown first.",
                "more",
                weight=0.0 if rule.weight else None,
                severity=hit.severity,
            ),
        )


def _digest(text: str) -> str:
    from hashlib import sha256  # loads a library of its own: only when there is something to report

    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _order(finding: Finding) -> tuple[str, int, int, str, str]:
    return (finding.path, finding.line, -finding.severity, finding.rule, finding.target)
