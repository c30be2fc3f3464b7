"""How long a step of the action takes, from a cold start on, and what its parts take.

Usage: python tools/action_bench.py [--runs N] [--skills N]. Each run is the whole process, from ``run.sh``, in a throw-away repository with one
changed skill; packages come from the package index that pip is set to use. Medians are printed, in seconds, and each part's share.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SKILL = "---\nname: {0}\ndescription: Handles {0}. Use when somebody asks about {0}.\n---\n\n# About {0}\n\n{1}\n"
PARTS = ("finding what changed", "installing packages", "mode lint")
TIME = re.compile(r"^plugin-eval: time: (.+): ([0-9.]+) s$", re.MULTILINE)


def main() -> int:
    """Print a table; 1 when a run with nothing to do installed something or a run did not end as it should."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--skills", type=int, default=100)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="plugin-eval-bench-") as folder:
        place = Path(folder)
        root = repository(place, given.skills)
        cold = [step(place, root, "skill", fresh=True) for _ in range(given.runs)]
        warm = [step(place, root, "skill", fresh=False) for _ in range(given.runs)]
        idle = [step(place, root, "docs", fresh=True) for _ in range(given.runs)]
    print(
        f"one changed skill of {given.skills}, medians of {given.runs} runs on {os.cpu_count()} processors, Python {sys.version.split()[0]}"
    )
    table("cold: the job's first step, packages installed", cold)
    table("again: a second step of the job", warm)
    table("nothing to do", idle)
    installed = [run for run in idle if "installing packages" in run]
    print("with nothing to do, nothing was installed" if not installed else "INSTALLED WITH NOTHING TO DO")
    return int(bool(installed))


def repository(place: Path, skills: int) -> Path:
    """Branches ``skill`` and ``docs`` are merge commits that change one skill, or a page that is none."""
    root = place / "repository"
    for number in range(skills):
        write(root / f"skills/skill-{number}/SKILL.md", SKILL.format(f"skill-{number}", "Read the export."))
    write(root / "docs/page.md", "one\n")
    git(root, "init", "-q", "-b", "main")
    commit(root)
    for name, file, text in (
        ("skill", "skills/skill-7/SKILL.md", SKILL.format("skill-7", "See [x](references/gone.md).")),
        ("docs", "docs/page.md", "two\n"),
    ):
        git(root, "checkout", "-q", "-b", f"topic-{name}", "main")
        write(root / file, text)
        commit(root)
        git(root, "checkout", "-q", "-b", name, "main")
        git(root, "merge", "-q", "--no-ff", "-m", "merge", f"topic-{name}")
    return root


def write(file: Path, text: str) -> None:
    """Write a file and the folders above it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def commit(root: Path) -> None:
    """Commit everything."""
    git(root, "add", "-A")
    git(root, "commit", "-qm", "change")


def git(root: Path, *words: str) -> str:
    """What git says; a failure is an exception."""
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words]
    return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout.strip()


def step(place: Path, root: Path, branch: str, fresh: bool) -> dict[str, float]:
    """One run: seconds by part, and ``whole``. ``fresh``: as the first step of a job."""
    temp = place / "temp"
    if fresh:
        shutil.rmtree(temp, ignore_errors=True)
    temp.mkdir(exist_ok=True)
    git(root, "checkout", "-q", branch)
    sides = {side: {"sha": git(root, "rev-parse", f"HEAD^{number}")} for number, side in ((1, "base"), (2, "head"))}
    write(place / "event.json", json.dumps({"pull_request": {"number": 7, **sides}}))
    environ = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "PYTHON", "PEC_"))},
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_EVENT_PATH": str(place / "event.json"),
        "GITHUB_SHA": git(root, "rev-parse", "HEAD"),
        "GITHUB_WORKSPACE": str(root),
        "GITHUB_OUTPUT": str(place / "output"),
        "GITHUB_STEP_SUMMARY": str(place / "summary"),
        "GITHUB_ACTION_PATH": str(ROOT),
        "RUNNER_TEMP": str(temp),
        "RUNNER_DEBUG": "1",
    }
    begun = time.perf_counter()
    done = subprocess.run(["bash", str(ROOT / "action/run.sh")], cwd=root, env=environ, capture_output=True, text=True)
    whole = time.perf_counter() - begun
    if done.returncode != (1 if branch == "skill" else 0):
        sys.exit(f"the step ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return {**{name: float(seconds) for name, seconds in TIME.findall(done.stdout)}, "whole": whole}


def table(title: str, runs: list[dict[str, float]]) -> None:
    """The medians of each part and its share of the whole."""
    middle = {
        name: statistics.median(run[name] for run in runs)
        for name in (*PARTS, "whole")
        if all(name in run for run in runs)
    }
    whole = middle.pop("whole")
    rest = whole - sum(middle.values())
    print(f"\n{title}: {whole:.2f} s")
    for name, seconds in {**middle, "starting bash and Python, the rest": rest}.items():
        print(f"  {seconds:6.2f} s  {seconds / whole:4.0%}  {name}")


if __name__ == "__main__":
    sys.exit(main())
