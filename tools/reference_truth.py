"""Candidates for dead file references in a corpus, found without the rules, and how exact the rules are by what was decided of them.

    python tools/reference_truth.py list [--corpus DIR] [--half odd|even] [--each N]
    python tools/reference_truth.py count [--corpus DIR] [--dead FILE] [--write | --check]

A candidate is any token of a SKILL.md's body that looks like a relative path with an extension and that no folder from the skill up to
the repository's root has. ``list`` prints a sample drawn by digest, so many of each repository and kind of candidate, as JSON lines with
the sentence and whether a rule reports it. ``count`` holds the verdicts of ``references_by_hand.jsonl`` against the rules, half by half, and
so the lists of dead references: ``dead_by_hand.jsonl`` and the one of ``--dead`` (objects with ``skill`` and ``target``).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from precision import HALVES, NO_CORPUS, PAGE, findings_in, halves, put_into_page  # noqa: E402

VERDICTS = PROJECT / "tools" / "references_by_hand.jsonl"
DEAD = PROJECT / "tools" / "dead_by_hand.jsonl"
RULES = frozenset(
    {"REF_DEAD", "REF_CASE", "REF_ANCHOR", "REF_ESCAPE", "ORPHAN_REFERENCE", "DEAD_CROSS_REF", "REF_BACKSLASH"}
)
BUNDLED = frozenset({"references", "reference", "scripts", "assets", "examples", "templates", "resources", "workflows"})
TOKEN = re.compile(
    r"(?<![\w/\\.:@~$}>-])@?(?:\{baseDir\}/|\$\{?CLAUDE_\w+\}?/)?(?:\.{1,2}/)*[\w-][\w.-]*(?:[/\\][\w.-]+)*\.[A-Za-z]{1,5}(?![\w/-])"
)
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)")
FILES = re.compile(r"\.(?:md|py|sh|js|ts|mjs|json|ya?ml|txt|html|css|csv|ps1|toml)\Z")


Reported = dict[tuple[str, str], set[str]]  # by file below the corpus and plain path: the rules


class Candidate(NamedTuple):
    """A path that is not there. ``kind``: link, bundled (its first folder), bare (no folder) or other."""

    file: str  # the SKILL.md, below the corpus
    target: str
    line: int
    kind: str
    text: str


def main() -> int:
    """See the module's text."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("list", "count"))
    parser.add_argument("--corpus", type=Path, default=PROJECT / "../shared/corpus")
    parser.add_argument("--half", choices=HALVES, help="list: only repositories of this half")
    parser.add_argument("--each", type=int, default=6, help="list: candidates of one kind and repository")
    parser.add_argument("--dead", type=Path, help="count: a list of dead references that lies beside the corpus")
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--write", action="store_true", help="count: put the figures into docs/precision.md")
    parser.add_argument("--check", action="store_true", help="count: fail when docs/precision.md has other figures")
    options = parser.parse_args()
    if not options.corpus.is_dir():
        print(NO_CORPUS.format(options.corpus))
        return 2
    corpus = options.corpus.resolve()
    told = reported(corpus)
    if options.what == "list":
        for name, half in halves(corpus).items():
            if options.half in (None, half):
                _list(corpus, name, options.each, told)
        return 0
    misses, figures = counted(told, halves(corpus), [file for file in (DEAD, options.dead) if file and file.is_file()])
    print(*misses, *figures, sep="\n")
    return put_into_page(options.page, "references", "\n".join(figures), options.write, options.check)


def _list(corpus: Path, repository: str, each: int, told: Reported) -> None:
    by_kind: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates(corpus, repository):
        by_kind[candidate.kind].append(candidate)
    for _, found in sorted(by_kind.items()):
        found.sort(key=lambda item: sha256(f"{item.file}\0{item.target}".encode()).hexdigest())
        for item in found[:each]:
            rules = sorted(told.get((item.file, plain(item.target)), ()))
            print(json.dumps({**item._asdict(), "reported": rules, "of": len(found)}, ensure_ascii=False))


def candidates(corpus: Path, repository: str) -> Iterator[Candidate]:
    """Every missing path of the repository's skills, each once a file."""
    root = corpus / repository
    for current, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in (".git", "node_modules"))
        if "SKILL.md" in files:
            yield from _of_skill(corpus, root, Path(current))


def _of_skill(corpus: Path, root: Path, folder: Path) -> Iterator[Candidate]:
    file = folder / "SKILL.md"
    lines = file.read_text(encoding="utf-8", errors="replace").split("\n")
    begin = (
        next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), 0) if lines[0][:3] == "---" else 0
    )
    upwards = [folder, *(parent for parent in folder.parents if parent == root or root in parent.parents)]
    seen: set[str] = set()
    for number, line in enumerate(lines[begin:], begin + 1):
        links = {match[1].partition("#")[0] for match in LINK.finditer(line)}
        for target in [*links, *(match[0] for match in TOKEN.finditer(line) if match[0] not in links)]:
            path = plain(target)
            if not path or path in seen or re.match(r"[a-z][a-z+.-]*:|[/#?<$]", target, re.I):
                continue
            if not FILES.search(path) and target not in links:
                continue
            seen.add(path)
            if not any(os.path.exists(base / path) for base in upwards):
                yield Candidate(
                    str(file.relative_to(corpus)),
                    target,
                    number,
                    _kind(folder, path, target in links),
                    line.strip()[:300],
                )


def _kind(folder: Path, path: str, link: bool) -> str:
    first = path.split("/")[0]
    if link:
        return "link"
    if "/" not in path:
        return "bare"
    return "bundled" if first in BUNDLED or first == ".." or (folder / first).is_dir() else "other"


def reported(corpus: Path) -> Reported:
    """The rules that report a path, by file and path."""
    found: Reported = defaultdict(set)
    for finding in (item.finding for item in findings_in(corpus)):
        if finding.rule in RULES:
            found[finding.path, plain(finding.target)].add(finding.rule)
    return found


def plain(target: str) -> str:
    """A path without what leads to it or follows it: ``./``, ``@``, a variable, an anchor."""
    path = re.sub(r"\A@?(?:\{baseDir\}/|\$\{?CLAUDE_\w+\}?/)?(?:\./)?", "", target.replace("\\", "/"))
    return path.partition("#")[0].rstrip("/")


def lines_of(file: Path) -> list[dict[str, str]]:
    """The objects of a JSONL file."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def counted(told: Reported, half_of: Mapping[str, str], lists: Sequence[Path]) -> tuple[list[str], list[str]]:
    """What was missed or is false, a line each, and the figures as a Markdown table."""
    wrong = []
    table = ["| what | half | dead | found | missed | false | precision | recall |", "| --- " * 2 + "| ---: " * 6 + "|"]
    lines = [line for line in lines_of(VERDICTS) if line["verdict"] != "debatable"]
    for title, links in (("links", True), ("other paths", False)):
        for half in HALVES:
            hits = misses = extra = 0
            for line in lines:
                if half_of.get(line["file"].partition("/")[0]) != half or (line["kind"] == "link") != links:
                    continue
                found, dead = (line["file"], plain(line["target"])) in told, line["verdict"] == "true"
                hits, misses, extra = hits + (found and dead), misses + (dead > found), extra + (found > dead)
                if found != dead:
                    wrong.append(f"{'missed' if dead else 'false'} {line['file']} {line['target']}: {line['reason']}")
            table.append(_line(title, half, hits, misses, extra))
    known = {(line["skill"], plain(line["target"])) for file in lists for line in lines_of(file)}
    for half in HALVES:
        listed = [item for item in sorted(known) if half_of.get(item[0].partition("/")[0]) == half]
        missed = [item for item in listed if not any(target == item[1] and _in(path, item[0]) for path, target in told)]
        wrong += [f"missed {skill} {target}: listed as dead" for skill, target in missed]
        table.append(_line("lists of dead references", half, len(listed) - len(missed), len(missed), None))
    return wrong, table


def _in(path: str, folder: str) -> bool:
    return path.startswith(folder + "/")


def _line(title: str, half: str, hits: int, misses: int, extra: int | None) -> str:
    precision = "" if extra is None or not hits + extra else f"{hits / (hits + extra):.1%}"
    recall = f"{hits / (hits + misses):.1%}" if hits + misses else ""
    return f"| {title} | {half} | {hits + misses} | {hits} | {misses} | {'' if extra is None else extra} | {precision} | {recall} |"


if __name__ == "__main__":
    sys.exit(main())
