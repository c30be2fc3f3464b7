"""How often the rules are right: findings in a folder of real repositories against the verdicts of readers.

    python tools/precision.py [--corpus DIR] [--verdicts FILE] [--todo FILE] [--write | --check]

The repositories, in the order of their names, are split into an odd and an even half. Of each rule at most three findings per repository are
drawn by digest. Then the findings of a rule are grouped by what they are about, and each group of five or more without a drawn finding adds one.
``--todo`` writes the drawn findings that nobody has judged yet. Exit code 2 without a corpus, 1 when ``--check`` finds docs/precision.md stale.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from generated import replaced  # noqa: E402

from plugin_eval_ci.config import Config  # noqa: E402
from plugin_eval_ci.lint.evaluate import evaluate  # noqa: E402
from plugin_eval_ci.model import Finding, Severity  # noqa: E402

PAGE = PROJECT / "docs" / "precision.md"
VERDICTS = PROJECT / "tools" / "hand_checked.jsonl"
HALVES = ("odd", "even")
WORDS = ("true", "debatable", "false")
EACH = 3  # drawn of one rule in one repository
GROUP = 5  # findings about the same thing, from which one more is drawn
FIRST = frozenset(  # in the corpus from the start: the rules were written while looking at these
    {
        "everything-claude-code", "expo-skills", "financial-services-plugins", "mattpocock-skills", "obra-superpowers",
        "wshobson-agents",
    }
)  # fmt: skip
LATER = "even, added later"
GOAL = {Severity.ERROR: 0.95, Severity.WARNING: 0.90}  # the share that should be right, by the methodology
NO_CORPUS = """{} is not a folder: nothing was measured.
Clone some repositories with skills into one folder and run `make precision CORPUS=that/folder`.
The verdicts in tools/hand_checked.jsonl name files as repository/path. `--todo FILE` lists the findings that still need one."""


Key = tuple[str, str, str, str]  # rule, path, target, text of the line


class Seen(NamedTuple):
    """A finding in the corpus; its path starts with the repository's name. ``line`` is the text of its line."""

    finding: Finding
    line: str

    @property
    def repository(self) -> str:
        """The first folder of the path."""
        return self.finding.path.partition("/")[0]

    @property
    def key(self) -> Key:
        """What the verdict is kept under: no wording of ours, no line number."""
        return (self.finding.rule, self.finding.path, self.finding.target, self.line)

    @property
    def digest(self) -> str:
        """The order in which findings are drawn."""
        return sha256("\0".join(self.key).encode()).hexdigest()

    @property
    def group(self) -> tuple[str, ...]:
        """Rule and the form of what it is about: the first word of a description, a key, the kind of path."""
        rule, _, target, line = self.key
        if rule in ("MISSING_TRIGGER", "DESC_OVERLAP"):
            return (rule, *re.sub(r"\Adescription:|[>|\"'*]", " ", line).lower().split()[:1])
        if "/" not in target:
            return (rule, Path(target).suffix or target)
        up, _, rest = re.fullmatch(r"((\.{1,2}/)*)(.*)", target, re.S).groups()  # type: ignore[union-attr]
        return (rule, up, rest.partition("/")[0] if not up else "", Path(rest).suffix)


class Verdicts:
    """Verdicts from a file, by what they are about."""

    def __init__(self, file: Path) -> None:
        self.exact: dict[Key, str] = {}
        for number, text in enumerate(file.read_text(encoding="utf-8").splitlines() if file.exists() else (), 1):
            entry = json.loads(text)
            key = (entry["rule"], entry["path"], entry["target"], entry["line"])
            if entry["verdict"] not in WORDS or not entry["reason"].strip() or key in self.exact:
                raise ValueError(f"{file.name}:{number}: a verdict is true, debatable or false, with a reason, once")
            self.exact[key] = entry["verdict"]
        self.by_target: dict[tuple[str, str, str], list[str]] = defaultdict(list)
        for key, verdict in self.exact.items():
            self.by_target[key[:3]].append(verdict)

    def of(self, seen: Sequence[Seen]) -> list[str | None]:
        """The verdict on each finding. A target that is unique in its file is recognised on a reworded line too."""
        times = Counter(item.key[:3] for item in seen)
        found = []
        for item in seen:
            verdict = self.exact.get(item.key)
            alone = self.by_target.get(item.key[:3], [])
            if verdict is None and item.finding.target and times[item.key[:3]] == len(alone) == 1:
                verdict = alone[0]
            found.append(verdict)
        return found


class Row(NamedTuple):
    """Findings of one kind in one half: how many, where, what people said of them and of the drawn ones."""

    half: str
    name: str
    severity: Severity
    findings: int
    repositories: int
    verdicts: Mapping[str, int]
    drawn: Mapping[str, int]
    weighted: float  # by volume: each repository's share of a rule counts as often as the rule speaks there

    @property
    def judged(self) -> int:
        """Findings with a verdict."""
        return sum(self.verdicts.values())

    @property
    def right(self) -> str:
        """The share of the drawn findings that is true; debatable is not right."""
        return f"{self.drawn.get('true', 0) / sum(self.drawn.values()):.0%}" if self.drawn else ""

    def cells(self) -> list[str]:
        """The row as text."""
        shares = [self.right, f"{self.weighted:.0%}" if self.judged else ""]
        counts = [self.findings, self.repositories, self.judged, *(self.verdicts.get(word, 0) for word in WORDS)]
        return [self.name, self.severity.word, *map(str, counts), *shares]


def main(arguments: Sequence[str] | None = None) -> int:
    """See the module's text."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--corpus", type=Path, default=PROJECT / "../shared/corpus")
    parser.add_argument("--verdicts", type=Path, default=VERDICTS)
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--todo", type=Path, help="write drawn findings without a verdict to this file, as JSON lines")
    parser.add_argument("--write", action="store_true", help="put the figures into docs/precision.md")
    parser.add_argument("--check", action="store_true", help="fail when docs/precision.md has other figures")
    options = parser.parse_args(arguments)
    if not options.corpus.is_dir():
        print(NO_CORPUS.format(options.corpus))
        return 2
    corpus = options.corpus.resolve()
    seen = findings_in(corpus)
    verdicts = Verdicts(options.verdicts)
    judged = verdicts.of(seen)
    decided = {item.key for item, verdict in zip(seen, judged, strict=True) if verdict}
    sample = drawn(seen, halves(corpus))
    todo = [item for item in sample if item.key not in decided]
    figures = page(rows(seen, judged, halves(corpus), {item.key for item in sample}), len(todo))
    print(figures)
    for item in todo:
        print(f"no verdict: {item.finding.rule} {item.finding.path}:{item.finding.line} {item.finding.target}")
    unused = len(verdicts.exact) - sum(verdict is not None for verdict in judged)
    print(f"{unused} verdicts are about findings that are gone.")
    if options.todo:
        lines = [json.dumps(excerpt(item, corpus, halves(corpus)), ensure_ascii=False) + "\n" for item in todo]
        options.todo.write_text("".join(lines), encoding="utf-8")
    return put_into_page(options.page, "precision", figures, options.write, options.check)


def put_into_page(file: Path, part: str, figures: str, write: bool, check: bool) -> int:
    """Write figures between the markers of a part of the page, or compare; 1 when they are stale or have no place."""
    old = file.read_text(encoding="utf-8")
    new = replaced(old, part, figures)
    if new is None:
        print(f"{file.name}: the markers of {part!r} are missing")
        return 1
    if write:
        file.write_text(new, encoding="utf-8")
    elif check and new != old:
        print(f"{file.name} is stale: run `make precision-write`")
        return 1
    return 0


def halves(corpus: Path) -> dict[str, str]:
    """``odd`` or ``even`` for each repository, in the order of their names."""
    names = sorted(path.name for path in corpus.iterdir() if path.is_dir())
    return {name: HALVES[at % 2] for at, name in enumerate(names)}


def findings_in(corpus: Path) -> list[Seen]:
    """Every finding of every repository, each linted alone with the defaults."""
    seen = []
    for name in halves(corpus):
        collected = evaluate((str(corpus / name),), Config())
        below = Path(collected.collection.root).relative_to(corpus)
        for finding in collected.checked.findings:
            path = (below / finding.path).as_posix()
            lines = text_lines(corpus / path)
            line = lines[finding.line - 1] if finding.line <= len(lines) else ""
            seen.append(Seen(finding._replace(path=path), " ".join(line.split())[:200]))
    return seen


def text_lines(file: Path) -> list[str]:
    """The lines of a file; none of a folder or of a file that is missing."""
    return file.read_text(encoding="utf-8", errors="replace").split("\n") if file.is_file() else []


def drawn(seen: Sequence[Seen], half_of: Mapping[str, str]) -> list[Seen]:
    """The findings that people are to judge; see the module's text."""
    strata: dict[tuple[str, str], list[Seen]] = defaultdict(list)
    groups: dict[tuple[str, ...], list[Seen]] = defaultdict(list)
    for item in sorted(seen, key=lambda item: item.digest):
        strata[item.finding.rule, item.repository].append(item)
        groups[half_of[item.repository], *item.group].append(item)
    chosen = {item.key: item for found in strata.values() for item in found[:EACH]}
    for found in groups.values():
        if len(found) >= GROUP and not any(item.key in chosen for item in found):
            chosen[found[0].key] = found[0]
    return sorted(chosen.values(), key=lambda item: item.key)


Judged = tuple[Seen, str | None, bool]  # a finding, its verdict, whether it was drawn


def rows(
    seen: Sequence[Seen], judged: Sequence[str | None], half_of: Mapping[str, str], sample: Container[Key]
) -> list[Row]:
    """For each half a row per rule and severity, then one per severity; the latter also for what was added later."""
    found: dict[tuple[str, str, Severity], list[Judged]] = defaultdict(list)
    for item, verdict in zip(seen, judged, strict=True):
        half, entry = half_of[item.repository], (item, verdict, item.key in sample)
        for name in (item.finding.rule, "all"):
            found[half, name, item.finding.severity].append(entry)
        if half == "even" and item.repository not in FIRST:
            found[LATER, "all", item.finding.severity].append(entry)
    made = [_row(*key, items) for key, items in found.items()]
    return sorted(made, key=lambda row: ((*HALVES, LATER).index(row.half), row.name == "all", -row.severity, row.name))


def _row(half: str, name: str, severity: Severity, items: Sequence[Judged]) -> Row:
    strata: dict[tuple[str, str], list[str | None]] = defaultdict(list)
    for item, verdict, in_sample in items:
        strata[item.finding.rule, item.repository].append(verdict if in_sample else None)
    right = volume = 0.0
    for verdicts in strata.values():
        known = [verdict for verdict in verdicts if verdict is not None]
        if known:
            right += len(verdicts) * known.count("true") / len(known)
            volume += len(verdicts)
    counts = Counter(verdict for _, verdict, _ in items if verdict is not None)
    sampled = Counter(verdict for _, verdict, in_sample in items if verdict is not None and in_sample)
    places = len({item.repository for item, _, _ in items})
    return Row(half, name, severity, len(items), places, counts, sampled, right / volume if volume else 0.0)


def page(found: Sequence[Row], todo: int) -> str:
    """The figures as Markdown: totals first, then a table per half."""
    parts = ["| half | severity | findings | judged | true | debatable | false | right | by volume | goal |"]
    parts += ["| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for row in found:
        if row.name == "all":
            _, severity, findings, _, *cells = row.cells()
            goal = f"{GOAL[row.severity]:.0%}" if row.severity in GOAL else ""
            parts.append(f"| {' | '.join([row.half, severity, findings, *cells, goal])} |")
    for half in HALVES:
        parts += ["", f"**The {half} half, by rule**", "", *_table(row for row in found if row.half == half)]
    parts += ["", f"Drawn findings without a verdict: {todo or 'none'}."]
    return "\n".join(parts)


def _table(found: Iterator[Row]) -> Iterator[str]:
    yield "| rule | severity | findings | repositories | judged | true | debatable | false | right | by volume |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for row in found:
        if row.name != "all":
            name, *cells = row.cells()
            yield f"| {' | '.join([f'[{name}](rules/{name}.md)', *cells])} |"


def excerpt(item: Seen, corpus: Path, half_of: Mapping[str, str]) -> dict[str, object]:
    """A finding as a person needs it to judge, and as a line of the file of verdicts that lacks ``verdict`` and ``reason``."""
    rule, path, target, line = item.key
    lines = text_lines(corpus / path)
    around = lines[max(0, item.finding.line - 5) : item.finding.line + 4]
    return {
        "half": half_of[item.repository],
        "at": item.finding.line,
        "severity": item.finding.severity.word,
        "message": item.finding.message,
        "excerpt": [text[:600] for text in around],
        "rule": rule,
        "path": path,
        "target": target,
        "line": line,
    }


if __name__ == "__main__":
    sys.exit(main())
