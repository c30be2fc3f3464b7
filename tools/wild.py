"""Lint every repository of a corpus, each alone and all in one run, and print what a maintainer would see first.

    python tools/wild.py --corpus FOLDER

For each repository: exit code, findings by severity, megabytes of text that were linted, and processor seconds per megabyte. Exit 1 if a run
ends with anything but 0 or 1, has an internal error, or takes more than 2 s per MB (runs under a second are not judged).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).parent.parent
SLOW = 2.0  # processor seconds per MB
TEXT = (".md", ".json", ".sh", ".py", ".yaml", ".yml", ".js", ".ts", ".mdc", ".toml", ".txt")
NO_CORPUS = """no corpus in {}: give a folder with one checkout of a public repository per subfolder, for example
    git clone --depth 1 https://github.com/obra/superpowers corpus/superpowers && make wild CORPUS=corpus"""


class Row(NamedTuple):
    """One run: what it ended with, what it found, and what it took."""

    name: str
    code: int
    severities: Counter[str]
    faults: int
    megabytes: float
    seconds: float

    @property
    def pace(self) -> float:
        """Processor seconds per MB."""
        return self.seconds / self.megabytes if self.megabytes else 0.0

    @property
    def problems(self) -> list[str]:
        """What must not happen."""
        found = [] if self.code in (0, 1) else [f"exit code {self.code}"]
        found += [f"{self.faults} internal errors"] if self.faults else []
        return found + ([f"{self.pace:.1f} s per MB"] if self.pace > SLOW and self.seconds > 1 else [])


def main(arguments: list[str] | None = None) -> int:
    """Print a row per repository and the totals; 1 if a run has a problem, 2 without a corpus."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--corpus", type=Path, required=True)
    corpus = parser.parse_args(arguments).corpus.resolve()
    folders = sorted(path for path in corpus.iterdir() if path.is_dir()) if corpus.is_dir() else []
    if not folders:
        print(NO_CORPUS.format(corpus), file=sys.stderr)
        return 2
    rows = [lint(folder, folder.name) for folder in folders]
    print(f"{'repository':50} exit  errors  warnings  notices    MB  s/MB")
    for row in [*rows, lint(corpus, "all in one run")]:
        counts = [row.severities[word] for word in ("error", "warning", "notice")]
        print(
            f"{row.name[:50]:50} {row.code:4} {counts[0]:7} {counts[1]:9} {counts[2]:8} {row.megabytes:5.1f} {row.pace:5.2f}"
            + (f"  {', '.join(row.problems)}" if row.problems else "")
        )
        if row.name == "all in one run":
            rows.append(row)
    red = sum(row.code == 1 for row in rows[:-1])
    print(f"\n{red} of {len(folders)} repositories fail by default (errors only)")
    return int(any(row.problems for row in rows))


def lint(folder: Path, name: str) -> Row:
    """Lint one folder in a process of its own."""
    command = [sys.executable, "-P", "-m", "plugin_eval_ci", "lint", "--isolated", "--format", "json", str(folder)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONPATH": str(PROJECT)}, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    try:
        found = json.loads(run.stdout)
    except ValueError:
        return Row(name, run.returncode, Counter(), 1, _megabytes(folder), seconds)
    severities = Counter(finding["severity"] for finding in found["findings"])
    return Row(name, run.returncode, severities, len(found["internal_errors"]), _megabytes(folder), seconds)


def _megabytes(folder: Path) -> float:
    sizes = (path.stat().st_size for path in folder.rglob("*") if path.suffix in TEXT and path.is_file())
    return sum(sizes) / 1e6


if __name__ == "__main__":
    raise SystemExit(main())
