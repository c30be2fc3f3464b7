"""Speed beside other programs and of a large repository: whole processes, in turns, the median of ratios."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

TOOLS = Path(sys.executable).parent
OURS = [str(TOOLS / "plugin-eval"), "lint", "--fail-on", "never"]
CORES = 2
SKILLS = 6_000
CHANGED = 10
PLUGINS, ONE_PLUGIN, FLAT = LAYOUTS = ("fifty to a plugin", "all in one plugin", "all in one folder")


class Ratio(NamedTuple):
    """The median, least and largest ratio of two commands run in turns, and the median seconds of each."""

    middle: float
    low: float
    high: float
    ours: float
    theirs: float


def beside_agnix(corpus: str, runs: int) -> Ratio | str:
    """The whole corpus with all rules on / agnix on the same folder, two cores for both; a text says why it was skipped."""
    agnix = TOOLS / "agnix"
    if not agnix.exists():
        return f"there is no {agnix.name} beside {Path(sys.executable).name}: make .venv/.dev installs it"
    with two_cores():
        # 1: it found something, as it does in this corpus. Its paths and ours are the same folder, absolute.
        return in_turns([*OURS, os.path.abspath(corpus)], [str(agnix), os.path.abspath(corpus)], runs, (0, 1))


def with_base(runs: int) -> tuple[str, Ratio] | str:
    """``lint --base HEAD`` / ``lint`` of a repository with 6,000 skills, ten of which changed: the layout in which it costs most."""
    found = [(layout, _with_base(runs, layout)) for layout in LAYOUTS]
    texts = [ratio for _, ratio in found if isinstance(ratio, str)]
    done = [(layout, ratio) for layout, ratio in found if not isinstance(ratio, str)]
    return texts[0] if texts else max(done, key=lambda one: one[1].middle)


def _with_base(runs: int, layout: str) -> Ratio | str:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "many")
        repository(root, SKILLS, layout)
        git = ["git", "-C", str(root), "-c", "user.name=bench", "-c", "user.email=bench@example.org"]
        try:
            for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "all"]):
                subprocess.run([*git, *words], check=True, capture_output=True)
        except FileNotFoundError:
            return "there is no git"
        for number in range(0, SKILLS, SKILLS // CHANGED):
            with open(skill_file(root, number, layout), "a", encoding="utf-8") as stream:
                stream.write("\nSee [what is not there](references/gone.md).\n")
        return in_turns([*OURS, "--base", "HEAD", str(root)], [*OURS, str(root)], runs, (0,))


def repository(root: Path, count: int, layout: str = PLUGINS) -> None:
    """A repository of ``count`` skills, each with a reference file."""
    for number in range(count):
        file = skill_file(root, number, layout)
        (file.parent / "references").mkdir(parents=True)
        (file.parent / "references" / "more.md").write_text("# More\n")
        body = "".join(
            f"## Part {part}\n\nRead [more](references/more.md) and run `tool {part}`.\n\n```sh\nls\n```\n\n"
            for part in range(8)
        )
        head = f"---\nname: skill-{number}\ndescription: Sorts list {number}. Use when someone asks for sorted lists, or for an order.\n---\n\n"
        file.write_text(head + body)


def skill_file(root: Path, number: int, layout: str = PLUGINS) -> Path:
    """The SKILL.md of one skill of ``repository``."""
    plugin = {PLUGINS: f"plugins/p{number // 50}", ONE_PLUGIN: "plugins/all", FLAT: "."}[layout]
    return root / plugin / "skills" / f"skill-{number}" / "SKILL.md"


def in_turns(ours: list[str], theirs: list[str], runs: int, codes: tuple[int, ...]) -> Ratio:
    """Run both commands in turns; the first turn warms the caches. ``codes`` are the exit codes of theirs that are in order."""
    pairs = [(seconds(ours, (0,)), seconds(theirs, codes)) for _ in range(runs + 1)][1:]
    ratios = sorted(mine / other for mine, other in pairs)
    middles = (statistics.median(pair[side] for pair in pairs) for side in (0, 1))
    return Ratio(statistics.median(ratios), ratios[0], ratios[-1], *middles)


def processor_seconds(command: list[str]) -> float:
    """Processor time, user and system, of one process and those it started; its exit code must be 0.

    What else the machine does changes it far less than wall time.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def seconds(command: list[str], codes: tuple[int, ...] = (0,)) -> float:
    """Wall time of one process, whose exit code must be one of ``codes``."""
    start = time.perf_counter()
    done = subprocess.run(command, cwd=tempfile.gettempdir(), check=False, capture_output=True)
    end = time.perf_counter()
    if done.returncode not in codes:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {done.stderr.decode(errors='replace')[-500:]}")
    return end - start


@contextmanager
def two_cores() -> Iterator[None]:
    """Keep this process and those that it starts to two cores, where the system can."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(before)[:CORES]))
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
