"""What ``corpus.py`` prints, and the figures it puts into the documentation."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from plugin_eval_ci.model import Finding

if TYPE_CHECKING:
    from corpus_causes import Difference

BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"


def findings(found: Sequence[Finding], crashes: Sequence[str]) -> None:
    """How many findings of each rule; what crashed."""
    print("Findings by rule")
    for (rule, severity), count in sorted(Counter((f.rule, f.severity.word) for f in found).items()):
        print(f"  {rule:<24}{severity:<9}{count:>5}")
    print(f"  {'all':<33}{len(found):>5}\n")
    print(f"Crashes: {len(crashes) or 'none'}")
    for crash in crashes:
        print(crash)
    print()


def differences(rows: Sequence[Difference], threshold: float) -> None:
    """Means and extremes, causes, and whatever is left."""
    for line in summary(rows):
        print(line)
    for kind in ("skill", "plugin"):
        print(
            f"\nCauses of differences, {kind}s (number above {threshold} points in all: {_many(rows, kind, threshold)})"
        )
        for cause, points in _by_cause(rows, kind).items():
            effect = f"mean {_mean(points):+6.2f}  largest {max(points, key=abs):+6.2f}"
            print(f"  {cause:<34}{len(points):>4} {kind}s  {effect}")
    left = [row for row in rows if abs(row.left) > threshold]
    print(f"\nLeft unexplained above {threshold} points: {len(left) or 'none'}")
    for row in left:
        print(f"  {row.kind} {row.path}: {row.ours} here, {row.theirs} there, {row.left:+.2f} unexplained")
    print()


def summary(rows: Sequence[Difference]) -> Iterator[str]:
    """Mean and largest difference of each number, ours less the older tool's, and the badges that change."""
    for kind in ("skill", "plugin"):
        of_kind = [row for row in rows if row.kind == kind]
        both = [row for row in of_kind if row.ours is not None]
        absent = len(of_kind) - len(both)
        yield f"{len(of_kind)} {kind}s compared, {absent} unmeasured or not found here (ours less theirs)"
        yield _line("composite", [(row.ours or 0.0) - row.theirs for row in both], 2)
        for name in sorted({name for row in both for name in row.sub_scores}):
            yield _line(name, [row.sub_scores[name][0] - row.sub_scores[name][1] for row in both], 3)
        changed = Counter(row.badges for row in of_kind if row.badges[0] != row.badges[1])
        equal = sum(row.badges[0] != row.badges[1] and abs((row.ours or 0.0) - row.theirs) < 1e-4 for row in both)
        moves = "; ".join(f"{before} to {after} {count}" for (before, after), count in sorted(changed.items()))
        yield f"  badges that change: {sum(changed.values())} of {len(of_kind)} ({moves})"
        yield f"  of these with the same composite, for want of rounding there: {equal}"


def _line(name: str, values: Sequence[float], digits: int) -> str:
    apart = _mean([abs(value) for value in values])
    largest = max(values, key=abs, default=0.0)
    return (
        f"  {name:<26}mean {_mean(values):+.{digits}f}  mean distance {apart:.{digits}f}  largest {largest:+.{digits}f}"
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _many(rows: Sequence[Difference], kind: str, threshold: float) -> int:
    return sum(abs((row.ours or 0.0) - row.theirs) > threshold for row in rows if row.kind == kind)


def _by_cause(rows: Sequence[Difference], kind: str) -> dict[str, list[float]]:
    """For each cause its effects on our number: the points by which ours is above (+) or below the older one."""
    found: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        for effect in row.causes if row.kind == kind else ():
            found[effect.cause].append(-effect.points)
    return dict(sorted(found.items(), key=lambda item: (-sum(map(abs, item[1])), item[0])))


def write(file: Path, figures: str) -> None:
    """Put figures between the markers of a page."""
    head, _, rest = file.read_text(encoding="utf-8").partition(BEGIN)
    tail = rest.partition(END)[2]
    file.write_text(f"{head}{BEGIN}\n\n{figures}\n{END}{tail}", encoding="utf-8")
    print(f"docs/{file.name}: figures written")


def figures(rows: Sequence[Difference], threshold: float) -> str:
    """The figures as Markdown."""
    parts = ["```text", *summary(rows), "```", ""]
    for kind in ("skill", "plugin"):
        parts += [f"Causes for {kind}s; {_many(rows, kind, threshold)} differ by more than {threshold} points.", ""]
        parts += [f"| cause | {kind}s | mean effect | largest effect |", "| --- | ---: | ---: | ---: |"]
        for cause, points in _by_cause(rows, kind).items():
            parts.append(f"| {cause} | {len(points)} | {_mean(points):+.2f} | {max(points, key=abs):+.2f} |")
        parts.append("")
    left = sum(abs(row.left) > threshold for row in rows)
    parts.append(f"Differences above {threshold} points that no cause explains: {left or 'none'}.")
    return "\n".join(parts) + "\n"
