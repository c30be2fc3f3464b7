"""How a report grows: 3,000 plugins with 8,000 skills, on one machine and in 8 shards; sizes of every format against GitHub's limits.

Usage: python tools/bench_scale.py [--plugins N] [--shards N] [--keep DIR]. Exit 1 when a limit does not hold.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
GROWTH_LIMIT = 1.5  # x linear, from a tenth of the plugins to all of them
SUMMARY_LIMIT = 1 << 20  # bytes of a job's summary
ISSUE_LIMIT = 65_536  # characters of an issue
_SKILLS = 8 / 3  # a plugin, on average
_WORDS = """
    account archive audit balance batch branch budget cache chart check client column commit contract count customer data date
    deploy design diff document draft entry error event export field file filter flow form format graph group header history
    image import index invoice issue item key label layer layout ledger letter limit line link list log mail map merge message
    metric model module note number offer office order output owner package page parcel part path payment period plan point
    policy portal price process product project query queue range rate record region release report request result review
    role route row rule sample scale schema scope script section server service shelf sheet shift signal size source stage
    step stock store stream style summary supplier table task team template test text theme ticket till time token tool topic
    trace track type unit update user value vendor version view visit wage week window writer year zone
""".split()  # noqa: SIM905
_FENCES = ("sh", "python", "json", "yaml", "sql")


class Run(NamedTuple):
    """One process and its children: seconds on the clock and of processors, and the most memory that one of them had, in MiB."""

    seconds: float
    processor: float
    memory: float

    def row(self, what: str, more: str = "") -> str:
        """A line of the table."""
        return f"{what:<26} {self.seconds:8.1f} s  {self.processor:8.1f} s  {self.memory:8.0f} MiB{more}"


def main() -> int:
    """Make the collection, run everything, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plugins", type=int, default=3_000)
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--keep", help="Make everything here, and leave it.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        return _bench(Path(options.keep or temporary), options.plugins, options.shards)


def _bench(place: Path, plugins: int, shards: int) -> int:
    small, large, out = place / "small", place / "large", place / "out"
    few, many = collection(small, plugins // 10), collection(large, plugins)
    print(f"{plugins:,} plugins, {many:,} skills; {os.cpu_count()} processors")
    tenth = report(small, out / "small")
    whole = report(large, out / "whole")
    one = report(large, out / "one", processes=1)
    # What other programs on the machine do is not counted.
    growth = whole.processor / tenth.processor / (many / few)
    print(f"{'':<26} {'clock':>10}  {'processors':>10}  {'memory':>12}")
    print(whole.row("one machine"))
    print(one.row("one processor"))
    parts = [report(large, out / str(n), "--shard", f"{n}/{shards}", processes=1) for n in range(1, shards + 1)]
    files = [str(out / str(n) / "report.json") for n in range(1, shards + 1)]
    merged = run("merge", *files, "--output-dir", str(out / "merged"), cwd=large)
    parts.sort(key=lambda part: part.processor)
    print(parts[-1].row(f"longest of {shards} shards", f"  (the shortest: {parts[0].processor:.1f} s)"))
    print(merged.row("merge"))
    print(f"growth from a tenth        {growth:8.2f} x linear")
    same = all(
        (out / "whole" / name).read_bytes() == (out / "merged" / name).read_bytes()
        for name in ("report.json", "report.md")
    )
    print(f"merged equals unsharded    {'yes' if same else 'NO'}")
    held = sizes(out / "whole", large)
    return int(not (same and held and growth <= GROWTH_LIMIT))


def sizes(folder: Path, repository: Path) -> bool:
    """Print how large each format is; whether those that GitHub shows are within its limits."""
    for name in ("report.json", "report.md", "report.html"):
        if (folder / name).is_file():
            data = (folder / name).read_bytes()
            print(f"{name:<24} {len(data):12,} bytes  {len(gzip.compress(data)):12,} compressed")
    issue = _issue(folder / "report.json")
    print(f"as an issue              {len(issue.encode()):12,} bytes")
    return (folder / "report.md").stat().st_size < SUMMARY_LIMIT and len(issue) < ISSUE_LIMIT


def _issue(file: Path) -> str:
    sys.path.insert(0, str(ROOT))
    from plugin_eval_ci.report.survey import markdown as survey_markdown
    from plugin_eval_ci.survey.load import read_file

    return survey_markdown.render(read_file(str(file)), None, survey_markdown.ISSUE)


def report(repository: Path, out: Path, *more: str, processes: int | None = None) -> Run:
    """One run over a repository."""
    return run(
        "report", ".", "--date", "2026-11-30", "--output-dir", str(out), *more, cwd=repository, processes=processes
    )


def run(*arguments: str, cwd: Path, processes: int | None = None) -> Run:
    """One process of ours, which must end well."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    if processes is not None:
        environment["PLUGIN_EVAL_PROCESSES"] = str(processes)
    start = time.monotonic()
    command = [sys.executable, "-P", "-m", "plugin_eval_ci", *arguments]
    child = subprocess.Popen(command, cwd=cwd, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(arguments)} ended with status {os.waitstatus_to_exitcode(status)}")
    return Run(time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def collection(root: Path, plugins: int) -> int:
    """Write a marketplace of that many plugins; how many skills they have."""
    luck = random.Random(plugins)
    names = [f"{a}-{b}-{n}" for n in range(plugins) for a, b in [luck.sample(_WORDS, 2)]]
    total = 0
    for name in names:
        skills = min(12, 1 + int(luck.expovariate(1 / (_SKILLS - 0.6))))
        total += skills
        plugin(root / "plugins" / name, name, skills, luck)
    entries = [{"name": name, "source": f"./plugins/{name}", "description": f"Helps with {name}."} for name in names]
    market = {"name": "shelf", "owner": {"name": "Acme"}, "plugins": entries}
    write(root / ".claude-plugin/marketplace.json", json.dumps(market, indent=2))
    write(
        root / ".github/CODEOWNERS", "".join(f"/plugins/{name}/ @acme/team-{n % 90}\n" for n, name in enumerate(names))
    )
    write(root / ".git/HEAD", "ref: refs/heads/main\n")
    return total


def plugin(folder: Path, name: str, skills: int, luck: random.Random) -> None:
    """A plugin with skills, every third one with an agent."""
    write(
        folder / ".claude-plugin/plugin.json",
        json.dumps({"name": name, "version": "1.0.0", "description": f"Helps with {name}."}),
    )
    for number in range(skills):
        one = "-".join([*luck.sample(_WORDS, 2), str(number)])
        own = folder / "skills" / one
        write(own / "SKILL.md", skill(one, luck))
        if luck.random() < 0.5:
            write(own / "references/details.md", "\n\n".join(sentence(luck, 60) for _ in range(20)))
    if luck.random() < 0.33:
        write(
            folder / "agents/reviewer.md",
            f"---\nname: reviewer\ndescription: {sentence(luck, 18)}\nmodel: sonnet\n---\n\n{sentence(luck, 80)}\n",
        )


def skill(name: str, luck: random.Random) -> str:
    """A text as long as most are, of all the parts that Markdown has, some of them wrong."""
    about = sentence(luck, luck.randint(10, 40)) + (" Use when somebody asks for it." if luck.random() < 0.7 else "")
    parts = [f"---\nname: {name}\ndescription: {about}\n---", f"# {name.replace('-', ' ').title()}"]
    for _ in range(luck.randint(4, 14)):
        parts.append(f"## {sentence(luck, 3)}")
        parts += [sentence(luck, luck.randint(20, 90)) for _ in range(luck.randint(1, 3))]
        kind = luck.randrange(5)
        if kind == 0:
            parts.append(f"```{luck.choice(_FENCES)}\n" + "\n".join(sentence(luck, 6) for _ in range(8)) + "\n```")
        elif kind == 1:
            parts.append("\n".join(f"- {sentence(luck, 12)}" for _ in range(6)))
        elif kind == 2:
            parts.append(
                "| a | b |\n| --- | --- |\n"
                + "\n".join(f"| {luck.choice(_WORDS)} | {sentence(luck, 5)} |" for _ in range(5))
            )
    if luck.random() < 0.5:
        parts.append("Read [the details](references/details.md) and use the `Bash` tool.")
    return "\n\n".join(parts) + "\n"


def sentence(luck: random.Random, words: int) -> str:
    """Words without a meaning."""
    return " ".join(luck.choices(_WORDS, k=words)).capitalize() + "."


def write(file: Path, text: str) -> None:
    """Write a file and the folders above it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
