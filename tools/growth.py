"""How the cost of a run grows with its input: each kind of input in doubling sizes, and the exponent of the time.

    python tools/growth.py [--kind WORD] [--pull-request N]

Prints processor seconds beyond an empty run, per size, and the steepest exponent over two doublings: 1 is linear, 2 is quadratic. Exit 1 when
an exponent is above the limit; what takes less than 0.2 s is not judged. ``--pull-request 10000`` also measures one
pull request that adds that many skills: seconds, megabytes, exit code.
"""

from __future__ import annotations

import argparse
import compileall
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parent.parent
LIMIT = 1.25  # the exponent
JUDGED = 0.2  # seconds at the largest size
KILOBYTES = (20, 40, 80, 160)
HEADER_KILOBYTES = (7, 15, 30, 60)  # 64 KB is the limit of a header
ENOUGH = 8.0  # seconds: no larger size after that
ITEMS = (200, 400, 800, 1600)
ADDED = (250, 500, 1000, 2000)
DESCRIPTION = "Formats release notes. Use when a release is cut."
HEADER = f"---\nname: a\ndescription: {DESCRIPTION}\n"


Make = Callable[[Path, int], object]
Kind = tuple[str, Make, tuple[int, ...], tuple[str, ...]]


class Use(NamedTuple):
    """What one process took."""

    seconds: float
    megabytes: float
    code: int


# One piece of a page's body, by its number; repeated until the page is large enough.
BODIES: dict[str, Callable[[int], str]] = {
    "headings and links to them": lambda i: f"## h{i}\n\n[a](#h{i})\n\n",
    "links to no heading": lambda i: f"[a](#gone{i})\n",
    "headings": lambda i: f"## Heading {i}\n\n",
    "headings of one text": lambda i: "## Usage\n\n",
    "links to missing files": lambda i: f"[a](references/f{i}.md)\n",
    "links to one file": lambda i: "[a](references/a.md)\n",
    "links out of the skill": lambda i: f"[a](../../../../f{i}.md)\n",
    "addresses": lambda i: f"[a](https://example.com/{i})\n",
    "bare addresses": lambda i: f"See https://example.com/{i} for it.\n",
    "images": lambda i: f"![a](assets/f{i}.png)\n",
    "reference definitions": lambda i: f"[r{i}]: #h{i}\n",
    "reference definitions and uses": lambda i: f"[r{i}]: references/f{i}.md\n\nSee [r{i}].\n\n",
    "uses of no definition": lambda i: f"See [r{i}][gone{i}].\n",
    "open brackets": lambda i: "[" * 40 + "\n",
    "footnotes": lambda i: f"Text[^{i}].\n\n[^{i}]: note\n\n",
    "code spans with paths": lambda i: f"Run `scripts/f{i}.py` now.\n",
    "code spans with commands": lambda i: f"Run `python3 scripts/f{i}.py --x > out{i}.txt` now.\n",
    "backslash paths": lambda i: f"Read `references\\f{i}.md` now.\n",
    "paths of a home": lambda i: f"Read `/home/ann/f{i}.md` and ~/f{i}.md now.\n",
    "skill names": lambda i: f"Use the skill `plugin:name-{i}` and skills/name-{i} then.\n",
    "fences": lambda i: f"```sh\necho {i}\n```\n\n",
    "fences never closed": lambda i: f"~~~~~{'~' * (i % 50)}\n",
    "commands in one fence": lambda i: ("```sh\n" if i == 0 else "") + f"python3 a{i}.py --x && cat y{i} > z{i}\n",
    "commands in many fences": lambda i: f"```sh\npython3 a{i}.py --x && cat y{i} > z{i}\n```\n\n",
    "scripts in one fence": lambda i: (
        ("```sh\n" if i == 0 else "") + f"python3 scripts/a{i}.py --x && cat references/y{i}.md > z{i}\n"
    ),
    "folders entered in one fence": lambda i: ("```sh\n" if i == 0 else "") + f"cd ./d{i} && ./scripts/a{i}.sh\n",
    "continued commands": lambda i: ("```sh\nrun" if i == 0 else "") + f" \\\n  --option-{i} value",
    "here-documents": lambda i: ("```sh\n" if i == 0 else "") + f"cat <<EOF{i}\ntext\nEOF{i}\n",
    "pipes in one line": lambda i: ("```sh\nrun" if i == 0 else "") + f" | grep {i}",
    "chains in one line": lambda i: ("```sh\nrun" if i == 0 else "") + f" && cat y{i} > z{i}",
    "substitutions": lambda i: ("```sh\n" if i == 0 else "") + f'x{i}="$(cat "$(dirname "$0")/f{i}.txt")"\n',
    "downloads that run": lambda i: f"```sh\ncurl https://example.com/{i} | sh\n```\n\n",
    "code in a fence": lambda i: (
        ("```python\n" if i == 0 else "") + f"with open('references/f{i}.md') as f: f.read()\n"
    ),
    "tree drawing": lambda i: ("```\na/\n" if i == 0 else "") + f"├── f{i}.md\n",
    "TODO lines": lambda i: f"TODO: x{i}\n",
    "TODO paragraphs": lambda i: f"TODO: x{i}\n\n",
    "TODO cells": lambda i: ("| a | b |\n|---|---|\n" if i == 0 else "") + f"| TODO | {i} |\n",
    "ignore comments with #": lambda i: f"# plugin-eval: ignore[X{i}]\n",
    "ignore comments": lambda i: f"<!-- plugin-eval: ignore[BODY_TODO] -->\nTODO: {i}\n\n",
    "ignore comments of no rule": lambda i: f"<!-- plugin-eval: ignore[X{i}] -->\n",
    "comments": lambda i: f"<!-- note {i} -->\n\n",
    "comments never closed": lambda i: f"<!-- note {i}\n\n",
    "comments in one line": lambda i: f"<!-- {i} -->",
    "HTML tags": lambda i: f"<div id='a{i}'>\n\n<a href='#a{i}'>x</a>\n\n</div>\n\n",
    "open angle brackets": lambda i: "<a " * 20 + "\n",
    "table rows": lambda i: ("| a | b |\n|---|---|\n" if i == 0 else "") + f"| x{i} | [y](#y{i}) |\n",
    "tables": lambda i: f"| a | b |\n|---|---|\n| x{i} | y |\n\n",
    "list items": lambda i: f"- item {i}\n",
    "nested lists": lambda i: "  " * (i % 60) + f"- item {i}\n",
    "numbered items": lambda i: f"{i + 1}. item\n",
    "quotes": lambda i: f"> quoted {i}\n\n",
    "nested quotes": lambda i: ">" * (i % 60 + 1) + f" quoted {i}\n",
    "emphasis": lambda i: f"**a{i} *b _c** ",
    "one long line of words": lambda i: f"word{i} ",
    "one long word": lambda i: "abcdefghij",
    "one line of dots and slashes": lambda i: "../a.b/",
    "lines of words": lambda i: f"Read the notes of release {i}, then write what changed.\n",
    "MUST and NEVER": lambda i: f"You MUST always do {i}. NEVER skip it.\n",
    "filler sentences": lambda i: "This skill helps you to do things better and more easily.\n\n",
    "tool names": lambda i: "Use the Bash tool, then AskUserQuestion and TodoWrite.\n\n",
    "hidden characters": lambda i: f"a\u200b\u2060b{i}\n",
    "tag characters": lambda i: "\U000e0041\U000e0042",
    "letters with many marks": lambda i: "e\u0301\u0302\u0303",
    "Japanese": lambda i: "リリースノートを書くときに使う。",
    "secrets": lambda i: f"key = ghp_{i:036d}\n",
    "long base64": lambda i: "QUJDREVGR0hJSktM",
    "blank lines": lambda i: "\n",
    "spaces": lambda i: " " * 40 + "\n",
    "carriage returns": lambda i: f"line {i}\r",
    "placeholders": lambda i: f"Open ${{CLAUDE_PLUGIN_ROOT}}/f{i} with $ARGUMENTS and {{name{i}}}.\n",
    "dynamic commands": lambda i: f"!`git log -{i}`\n\n",
    "backticks never closed": lambda i: "`" * (i % 80 + 1) + " ",
    "escapes and entities": lambda i: "\\*&amp;\\_&#35;",
    "rules of dashes": lambda i: "---\n",
}

# One piece of a page's header, by its number.
HEADERS: dict[str, Callable[[int], str]] = {
    "header: unknown keys": lambda i: f"key{i}: value\n",
    "header: one key again": lambda i: "version: 1\n",
    "header: metadata": lambda i: ("metadata:\n" if i == 0 else "") + f"  key{i}: value\n",
    "header: list of tools": lambda i: ("allowed-tools:\n" if i == 0 else "") + f"  - Bash(git log{i}:*)\n",
    "header: line of tools": lambda i: ("allowed-tools: Read" if i == 0 else "") + f", Bash(git log{i}:*)",
    "header: unknown tools": lambda i: ("allowed-tools: Read" if i == 0 else "") + f", Tool{i}",
    "header: long value": lambda i: ("compatibility: x" if i == 0 else "") + f" word{i}",
    "header: folded value": lambda i: ("compatibility: >\n" if i == 0 else "") + f"  word {i} and more\n",
    "header: comments": lambda i: f"# note {i}\n",
    "header: ignore comments": lambda i: f"# plugin-eval: ignore[X{i}]\n",
    "header: keys and ignore comments": lambda i: f"k{i}: v # plugin-eval: ignore[KEY_UNKNOWN]\n",
    "header: anchors": lambda i: f"k{i}: &a{i} x\nl{i}: *a{i}\n",
    "header: nested lists": lambda i: ("x: " if i == 0 else "") + ("[" * 20 + "1" + "]" * 20 if i == 0 else ""),
    "header: broken lines": lambda i: f"key{i}: a: b\n",
}


def skill(name: str, text: str = DESCRIPTION, body: str = "Write the notes.\n") -> str:
    """A sound skill."""
    return f"---\nname: {name}\ndescription: {text}\n---\n# {name}\n\n{body}"


def plugin(root: Path, **more: object) -> None:
    """A manifest at ``root``."""
    write(
        root / ".claude-plugin/plugin.json",
        json.dumps({"name": "p", "version": "1.0.0", "description": "A plugin.", **more}),
    )
    write(root / "skills/a/SKILL.md", skill("a"))


def write(path: Path, text: str) -> None:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")


def skills(
    root: Path, count: int, name: str = "n{}", text: str = DESCRIPTION, body: str = "Write the notes.\n"
) -> None:
    """So many skills; ``{}`` is the number of each."""
    for i in range(count):
        write(
            root / f"skills/n{i}/SKILL.md",
            skill(name.format(i), text.replace("{}", str(i)), body.replace("{}", str(i))),
        )


def agents(root: Path, count: int, name: str = "n{}") -> None:
    """A plugin with so many agents."""
    plugin(root)
    for i in range(count):
        write(root / f"agents/n{i}.md", skill(name.format(i)))


def plugins(root: Path, count: int) -> None:
    """A marketplace of so many plugins, each with a skill."""
    entries = [{"name": f"p{i}", "source": f"./plugins/p{i}", "description": "x"} for i in range(count)]
    write(
        root / ".claude-plugin/marketplace.json", json.dumps({"name": "m", "owner": {"name": "o"}, "plugins": entries})
    )
    for i in range(count):
        write(root / f"plugins/p{i}/.claude-plugin/plugin.json", json.dumps({"name": f"p{i}", "version": "1.0.0"}))
        write(root / f"plugins/p{i}/skills/n{i}/SKILL.md", skill(f"n{i}"))


def entries(root: Path, count: int, name: str = "p{}", source: str = "./plugins/p{}") -> None:
    """A marketplace with so many entries for what is not there."""
    found = [{"name": name.format(i), "source": source.format(i)} for i in range(count)]
    write(root / ".claude-plugin/marketplace.json", json.dumps({"name": "m", "owner": {"name": "o"}, "plugins": found}))


def hooks(root: Path, count: int, event: str = "Stop") -> None:
    """A plugin with so many hooks whose scripts are missing."""
    groups = [{"hooks": [{"type": "command", "command": f"${{CLAUDE_PLUGIN_ROOT}}/h{i}.sh"}]} for i in range(count)]
    plugin(root)
    found = {event: groups} if event else {f"Event{i}": [group] for i, group in enumerate(groups)}
    write(root / "hooks/hooks.json", json.dumps({"hooks": found}))


def servers(root: Path, count: int) -> None:
    """A plugin with so many servers whose programs are missing."""
    plugin(root)
    found = {f"s{i}": {"command": "python3", "args": [f"${{CLAUDE_PLUGIN_ROOT}}/s{i}.py"]} for i in range(count)}
    write(root / ".mcp.json", json.dumps({"mcpServers": found}))


def references(root: Path, count: int, linked: bool, chain: bool = False) -> None:
    """A skill with so many reference files."""
    links = "".join(f"[a](references/f{i}.md)\n" for i in range(count if linked else 1 if chain else 0))
    write(root / "skills/a/SKILL.md", skill("a", body=links or "Write.\n"))
    for i in range(count):
        write(root / f"skills/a/references/f{i}.md", f"# f{i}\n\n[a](f{i + 1}.md)\n" if chain else f"# f{i}\n\nText.\n")


def in_plugin(root: Path, count: int) -> None:
    """A plugin with so many skills."""
    plugin(root)
    skills(root, count)


def named_in_manifest(root: Path, count: int) -> None:
    """A plugin whose manifest names each of its skills."""
    plugin(root, skills=[f"./skills/n{i}" for i in range(count)])
    skills(root, count)


def files(root: Path, count: int, name: str, text: str) -> None:
    """A skill, and so many other files."""
    skills(root, 1)
    for i in range(count):
        write(root / name.format(i), text)


TREES: dict[str, Make] = {
    "skills": skills,
    "skills of one name": lambda root, n: skills(root, n, name="one"),
    "skills of one text": lambda root, n: skills(
        root, n, body="Write down the notes of the release and check them.\n" * 20
    ),
    "skills of like descriptions": lambda root, n: skills(
        root, n, text="Formats release notes for product {} of the team. Use when release {} is cut."
    ),
    "skills with a dead link": lambda root, n: skills(root, n, body="[a](references/gone{}.md)\n"),
    "skills that name the next": lambda root, n: skills(
        root, n, body="Then use skills/n{}/SKILL.md and the n{} skill.\n"
    ),
    "skills with a TODO": lambda root, n: skills(root, n, body="TODO: write {}\n"),
    "skills in one plugin": in_plugin,
    "skills named in a manifest": named_in_manifest,
    "paths of a manifest that are not there": lambda root, n: plugin(root, skills=[f"./more/n{i}" for i in range(n)]),
    "keywords of a manifest": lambda root, n: plugin(root, keywords=[f"k{i}" for i in range(n * 10)]),
    "unknown keys of a manifest": lambda root, n: plugin(root, **{f"k{i}": i for i in range(n)}),
    "agents": agents,
    "agents of one name": lambda root, n: agents(root, n, "one"),
    "plugins": plugins,
    "marketplace entries": entries,
    "marketplace entries of one name": lambda root, n: entries(root, n, "p"),
    "marketplace entries that escape": lambda root, n: entries(root, n, source="../../p{}"),
    "hooks": hooks,
    "hooks of unknown events": lambda root, n: hooks(root, n, ""),
    "servers": servers,
    "reference files": lambda root, n: references(root, n, linked=True),
    "reference files without a link": lambda root, n: references(root, n, linked=False),
    "reference files in a chain": lambda root, n: references(root, n, linked=False, chain=True),
    "scripts": lambda root, n: files(root, n, "skills/n0/scripts/s{}.sh", "#!/bin/sh\ncat f\n"),
    "files of other kinds": lambda root, n: files(root, n, "src/f{}.txt", "x\n"),
}


def pull_request(root: Path, count: int) -> None:
    """A repository whose last commit adds so many skills, each with a finding."""
    plugin(root)
    _commit(root, "base")
    skills(root, count, body="[a](references/gone.md)\n\nWrite the notes.\n")
    _commit(root, "change")


def changed(root: Path, count: int) -> None:
    """A repository whose last commit changes so many skills."""
    plugin(root)
    skills(root, count)
    _commit(root, "base")
    skills(root, count, body="[a](references/gone.md)\n\nWrite the notes.\n")
    _commit(root, "change")


def moved(root: Path, count: int) -> None:
    """A repository whose last commit moves so many skills."""
    plugin(root)
    skills(root, count)
    _commit(root, "base")
    (root / "skills").rename(root / "other")
    _commit(root, "change")


def removed(root: Path, count: int) -> None:
    """A repository whose last commit removes so many skills."""
    skills(root, count)
    write(root / "README.md", "# r\n")
    _commit(root, "base")
    (root / "skills").rename(root.parent / "gone")
    plugin(root)
    _commit(root, "change")


CHANGES: dict[str, tuple[Make, tuple[str, ...]]] = {
    "lint --base: skills added": (pull_request, ("lint", "--base", "HEAD~1")),
    "diff: skills added": (pull_request, ("diff", "HEAD~1")),
    "diff: skills changed": (changed, ("diff", "HEAD~1")),
    "diff: skills moved": (moved, ("diff", "HEAD~1")),
    "diff: skills removed": (removed, ("diff", "HEAD~1")),
}


def _commit(root: Path, message: str) -> None:
    settings = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", "-c", "gc.auto=0"]
    for words in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", message]):
        subprocess.run(["git", "-C", str(root), *settings, *words], check=True)


def grown(piece: Callable[[int], str], size: int) -> str:
    """Pieces until the text has ``size`` bytes, or until they are empty."""
    parts, length, number = [], 0, 0
    while length < size and (text := piece(number)):
        parts.append(text)
        length += len(text.encode())
        number += 1
    return "".join(parts)


def body(piece: Callable[[int], str], root: Path, size: int) -> None:
    """One skill with a body of ``size`` KB."""
    write(root / "skills/a/SKILL.md", f"{HEADER}---\n# a\n\n{grown(piece, size * 1000)}\n")


def header(piece: Callable[[int], str], root: Path, size: int) -> None:
    """One skill with a header of ``size`` KB."""
    write(root / "skills/a/SKILL.md", f"{HEADER}{grown(piece, size * 1000)}\n---\n# a\n\nWrite the notes.\n")


def used(root: Path, arguments: tuple[str, ...]) -> Use:
    """What a run on ``root`` takes, as the system counts it for that process."""
    command = [sys.executable, "-P", "-m", "plugin_eval_ci", *arguments]
    with (root.parent / "output").open("wb") as output:
        process = subprocess.Popen(
            command, cwd=root, stdout=output, stderr=output, env={**os.environ, "PYTHONPATH": str(PROJECT)}
        )
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Use(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, process.returncode)


def measured(make: Make, size: int, arguments: tuple[str, ...]) -> Use:
    """What a run on an input of that size takes."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place, "repository")
        root.mkdir()
        make(root, size)
        return used(root, arguments)


def exponent(seconds: list[float]) -> float | None:
    """The steepest of all pairs of doublings that end above what is judged: a limit may make the largest sizes cheap again.

    Small times count as a tenth of a second: they hold what is loaded only when it is needed, and a paragraph above the limit of the
    Markdown parser is read in another way that has a price of its own.
    """
    counted = [max(value, 0.1) for value in seconds]
    pairs = zip(counted, counted[2:], strict=False)
    steep = [math.log2(last / first) / 2 for first, last in pairs if last > JUDGED]
    return max(steep) if steep else math.inf if len(counted) < 3 else None


def main(arguments: list[str] | None = None) -> int:
    """Print a row per kind; 1 if one grows too fast or does not end with 0 or 1."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--kind", default="", help="only kinds with this word")
    parser.add_argument("--pull-request", type=int, metavar="N", help="measure one pull request that adds N skills")
    options = parser.parse_args(arguments)
    lint = ("lint", "--isolated", ".")
    kinds: list[Kind] = [(name, partial(body, piece), KILOBYTES, lint) for name, piece in BODIES.items()]
    kinds += [(name, partial(header, piece), HEADER_KILOBYTES, lint) for name, piece in HEADERS.items()]
    kinds += [(name, make, ITEMS, lint) for name, make in TREES.items()]
    kinds += [(name, make, ADDED, words) for name, (make, words) in CHANGES.items()]
    kinds = [kind for kind in kinds if options.kind in kind[0]]
    compileall.compile_dir(PROJECT / "plugin_eval_ci", quiet=1)  # as an installed package is
    idle = min(measured(lambda root, n: skills(root, n), 1, lint).seconds for _ in range(3))
    print(f"{'kind':42} {'sizes':>18}   seconds beyond {idle:.2f}          exponent")
    bad = 0
    for name, make, sizes, words in kinds:
        runs: list[Use] = []
        for size in sizes:
            runs.append(measured(make, size, words))
            if runs[-1].seconds > ENOUGH:
                break
        seconds = [run.seconds - idle for run in runs]
        codes = {run.code for run in runs} - {0, 1}
        power = exponent(seconds)
        steep = power is not None and power > LIMIT
        bad += bool(codes) or steep
        words_of = [f"{value:7.2f}" for value in seconds]
        rest = "      -" if power is None else f"  {power:5.2f}"
        marks = ("  TOO STEEP" if steep else "") + (f"  exit code {sorted(codes)}" if codes else "")
        print(f"{name:42} {sizes[0]:>8} to {sizes[-1]:>6} {' '.join(words_of)} {rest}{marks}", flush=True)
    print(f"{len(kinds)} kinds, {bad} with a problem")
    if options.pull_request:
        for name, (make, words) in list(CHANGES.items())[:2]:
            use = measured(make, options.pull_request, words)
            print(f"{name}, {options.pull_request}: {use.seconds:.1f} s, {use.megabytes:.0f} MB, exit code {use.code}")
    return int(bad > 0)


if __name__ == "__main__":
    raise SystemExit(main())
