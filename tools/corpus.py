"""Lint and score the public corpus, compare with the older tool's figures, and explain every difference.

    python tools/corpus.py [--corpus DIR] [--reference FILE] [--write-divergences]

Exit code 2 without a corpus. Exit code 1 when something crashed, or when more than half a point is left unexplained.
"""

from __future__ import annotations

import argparse
import json
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

import corpus_print  # noqa: E402
from corpus_causes import Case, Difference, attribute  # noqa: E402
from corpus_inputs import composite, ours, sub_scores  # noqa: E402
from corpus_older import older  # noqa: E402
from corpus_plugins import Reference, explain  # noqa: E402

from plugin_eval_ci.config import Config  # noqa: E402
from plugin_eval_ci.lint.evaluate import evaluate  # noqa: E402
from plugin_eval_ci.model import Finding, Skill  # noqa: E402
from plugin_eval_ci.scoring.gather import score_all  # noqa: E402
from plugin_eval_ci.scoring.report import ScoreReport  # noqa: E402

THRESHOLD = 0.5
NO_CORPUS = """{} does not exist: nothing was checked.
Clone some repositories with skills into one folder and run `make corpus CORPUS=that/folder`."""


class Scored(NamedTuple):
    """What one run over the corpus gave, by path below the corpus."""

    skills: dict[str, tuple[Skill, ScoreReport]]
    plugins: dict[str, ScoreReport]
    findings: list[Finding]
    crashes: list[str]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run everything; see the module's text for the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--corpus", type=Path, default=PROJECT / "../shared/corpus")
    parser.add_argument("--reference", type=Path, default=PROJECT / "../shared/reference/plugin-eval-0.1.0.jsonl")
    parser.add_argument("--write-divergences", action="store_true", help="put the figures into docs/divergences.md")
    options = parser.parse_args(arguments)
    if not options.corpus.is_dir():
        print(NO_CORPUS.format(options.corpus))
        return 2
    scored = run(options.corpus.resolve())
    corpus_print.findings(scored.findings, scored.crashes)
    if not options.reference.exists():
        print(f"{options.reference.name} does not exist: no comparison with the older tool (REFERENCE=FILE)")
        return int(bool(scored.crashes))
    differences = compare(scored, options.reference)
    corpus_print.differences(differences, THRESHOLD)
    if options.write_divergences:
        corpus_print.write(PROJECT / "docs" / "divergences.md", corpus_print.figures(differences, THRESHOLD))
    unexplained = [row for row in differences if abs(row.left) > THRESHOLD]
    return int(bool(scored.crashes or unexplained))


def run(corpus: Path) -> Scored:
    """Evaluate every repository of the corpus, in one process."""
    scored = Scored({}, {}, [], [])
    for repository in sorted(path for path in corpus.iterdir() if path.is_dir()):
        try:
            _repository(repository, corpus, scored)
        except Exception:
            scored.crashes.append(f"{repository.name}:\n{traceback.format_exc()}")
    return scored


def _repository(repository: Path, corpus: Path, scored: Scored) -> None:
    evaluation = evaluate((str(repository),), Config())
    below = Path(evaluation.collection.root).relative_to(corpus)
    scored.findings.extend(f._replace(path=(below / f.path).as_posix()) for f in evaluation.checked.findings)
    skills = {skill.source.path: skill for skill in evaluation.collection.skills}
    for report in score_all(evaluation):
        if report.kind == "skill":
            scored.skills[(below / report.path).parent.as_posix()] = (skills[report.path], report)
        elif report.kind == "plugin":
            scored.plugins[(below / report.path).as_posix()] = report


def compare(scored: Scored, reference: Path) -> list[Difference]:
    """Every line of the reference next to what we say."""
    lines = [json.loads(line) for line in reference.read_text(encoding="utf-8").splitlines()]
    layers = {line["path"]: line["layer"] for line in lines if line["kind"] == "skill"}
    rows = []
    for line in lines:
        path = line["path"]
        if line["kind"] == "skill" and path in scored.skills:
            rows.append(_skill(line, *scored.skills[path]))
        elif line["kind"] == "plugin" and path in scored.plugins:
            rows.append(_plugin(line, scored.plugins[path], layers))
        else:
            rows.append(_not_found(line))
    return rows


def _skill(line: dict, skill: Skill, report: ScoreReport) -> Difference:
    mine = ours(skill, report.anti_patterns)
    score = report.composite.score or 0.0
    if abs(composite(mine) - score) > 1e-6:
        raise AssertionError(f"{line['path']}: {composite(mine)} is not the package's {score}")
    causes, reached = attribute(mine, Case(skill, older(skill)))
    scores = {name: (value, line["sub_scores"][name]) for name, value in sub_scores(mine).items()}
    portability = next(part.score for part in report.layers[0].sub_scores if part.name == "harness_portability")
    scores["harness_portability"] = (portability, line["sub_scores"]["harness_portability"])
    badges = (line["badge"], report.composite.badge)
    return Difference(
        line["path"], "skill", score, line["composite"], badges, scores, causes, line["composite"] - reached
    )


def _plugin(line: dict, report: ScoreReport, layers: dict[str, float]) -> Difference:
    there = Reference(
        line["path"], line["composite"], tuple(line["skills"]), tuple(line["agents"]), len(line["anti_patterns"])
    )
    prefix = line["path"].split("/")[0]
    known = {
        path.removeprefix(prefix + "/") + "/SKILL.md": score
        for path, score in layers.items()
        if path.startswith(prefix)
    }
    causes, reached = explain(report, there, known)
    badges = (line["badge"], report.composite.badge)
    return Difference(
        line["path"],
        "plugin",
        report.composite.score,
        line["composite"],
        badges,
        {},
        causes,
        line["composite"] - reached,
    )


def _not_found(line: dict) -> Difference:
    return Difference(
        line["path"], line["kind"], None, line["composite"], (line["badge"], "no_badge"), {}, [], line["composite"]
    )


if __name__ == "__main__":
    sys.exit(main())
