"""Speed, as ratios measured in one run: whole processes for one file, one process for a corpus, growth to 3,000 skills, the corpus
beside agnix, and a large repository with and without ``--base``.

Usage: python tools/bench.py [--corpus DIR] [--runs N]. Exit 1 when a limit does not hold.
"""

from __future__ import annotations

import argparse
import compileall
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from bench_programs import Ratio, beside_agnix, processor_seconds, repository, seconds, with_base

ROOT = Path(__file__).resolve().parent.parent
ONE_FILE_LIMIT = 1.35  # x a bare interpreter that imports what we depend on
CORPUS_LIMIT = 1.0  # x parsing the same files twice with markdown-it-py alone
GROWTH_LIMIT = 1.5  # x linear, from 100 to 3,000 skills
AGNIX_LIMIT = 5.0  # x the time of agnix, a linter in Rust
BASE_LIMIT = 1.3  # x plain lint, ten of 6,000 skills changed

_BARE = "import click, yaml, markdown_it"
_CORPUS = """
import gc, sys
from time import process_time as clock  # what other programs on the machine do is not counted
sys.path.insert(0, {root!r})
gc.set_threshold(200_000, 20, 100)  # as the command does, here for both sides
from markdown_it import MarkdownIt
from plugin_eval_ci.config import Config
from plugin_eval_ci.lint.evaluate import evaluate
from plugin_eval_ci.scoring.gather import score_all
def ours():
    evaluation = evaluate(({corpus!r},), Config())
    return evaluation, score_all(evaluation)
evaluation, _ = ours()
documents = [*evaluation.collection.skills, *evaluation.collection.agents]
def theirs():
    for document in documents:
        with open(document.source.file, encoding="utf-8", errors="replace") as stream:
            text = stream.read()
        for _ in range(2):
            MarkdownIt("commonmark").enable("table").parse(text)
times = []
for _ in range({runs}):
    start = clock(); ours(); middle = clock(); theirs(); end = clock()
    times.append(((middle - start) / (end - middle), middle - start, end - middle))
times.sort()
print(len(documents), *times[len(times) // 2])
"""


def main() -> int:
    """Run the benchmarks and print a table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--corpus", default="../shared/corpus")
    arguments.add_argument("--runs", type=int, default=9)
    options = arguments.parse_args()
    compileall.compile_dir(ROOT / "plugin_eval_ci", quiet=1)  # as an installed package is
    few = max(3, options.runs // 3)
    held = [one_file(options.runs), growth(few)]
    held.append(since_base(few))
    if os.path.isdir(options.corpus):
        held.append(corpus(options.corpus, options.runs))
        held.append(beside("lint the corpus / agnix", beside_agnix(options.corpus, options.runs), AGNIX_LIMIT))
    else:
        print(f"corpus: skipped, there is no folder {options.corpus}")
    return 0 if all(held) else 1


def one_file(runs: int) -> bool:
    """One SKILL.md, whole processes, in turns with a bare interpreter that imports the same three packages."""
    with tempfile.TemporaryDirectory() as folder:
        example = Path(folder, "skills", "release-notes")
        shutil.copytree(ROOT / "examples" / "exemplary" / "skills", example.parent)
        Path(folder, ".git").mkdir()
        command = Path(sys.executable).with_name("plugin-eval")
        lint = [str(command), "lint", "--hook", "--fail-on", "never", str(example / "SKILL.md")]
        bare = [sys.executable, "-c", _BARE]
        ratios = []
        for turn in range(2 * runs + 1):
            ours, theirs = processor_seconds(lint), processor_seconds(bare)
            if turn:  # the first turn warms the caches
                ratios.append(ours / theirs)
    return report(
        "lint of one SKILL.md / bare imports, processor time",
        statistics.median(ratios),
        ONE_FILE_LIMIT,
        min(ratios),
        max(ratios),
    )


def since_base(runs: int) -> bool:
    """Against a base, in the layout in which that costs most."""
    worst = with_base(runs)
    layout, ratio = ("", worst) if isinstance(worst, str) else worst
    return beside(f"lint --base, 10 of 6,000 skills changed, {layout} / lint", ratio, BASE_LIMIT)


def growth(runs: int) -> bool:
    """100 and 3,000 skills: the time for one skill must not grow."""
    with tempfile.TemporaryDirectory() as folder:
        times = {}
        for count in (100, 3000):
            root = Path(folder, str(count))
            repository(root, count)
            (root / ".git").mkdir()
            command = [sys.executable, "-m", "plugin_eval_ci", "lint", "--fail-on", "never", str(root)]
            times[count] = statistics.median(seconds(command) for _ in range(runs))
        start = statistics.median(seconds([sys.executable, "-m", "plugin_eval_ci", "--version"]) for _ in range(runs))
    ratio = (times[3000] - start) / (30 * (times[100] - start))
    return report("3,000 skills / 30 x 100 skills", ratio, GROWTH_LIMIT)


def corpus(folder: str, runs: int) -> bool:
    """Lint and static scores of the corpus in one process / parsing its files twice."""
    code = _CORPUS.format(root=str(ROOT), corpus=os.path.abspath(folder), runs=runs)
    alone = {**os.environ, "PLUGIN_EVAL_PROCESSES": "1"}  # in one process, as the comparison is
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=alone
    ).stdout.split()
    held = report("lint and score the corpus / two bare parses", float(out[1]), CORPUS_LIMIT)
    print(f"  {out[0]} files: ours {float(out[2]):.2f} s, two parses {float(out[3]):.2f} s (this machine, this run)")
    return held


def beside(what: str, ratio: Ratio | str, limit: float) -> bool:
    """Print what two programs took; one that could not be run is no failure, and is said."""
    if isinstance(ratio, str):
        print(f"{what}: skipped: {ratio}")
        return True
    held = report(what, ratio.middle, limit, ratio.low, ratio.high)
    print(f"  {ratio.ours:.2f} s / {ratio.theirs:.2f} s (this machine, this run)")
    return held


def report(what: str, value: float, limit: float, low: float | None = None, high: float | None = None) -> bool:
    """Print one figure against its limit."""
    spread = f" (min {low:.2f}, max {high:.2f})" if low is not None and high is not None else ""
    held = value <= limit
    print(f"{'ok  ' if held else 'OVER'} {what}: {value:.2f}{spread}, limit {limit:.2f}")
    return held


if __name__ == "__main__":
    sys.exit(main())
