"""Candidates for dead file references in a corpus, found without the rules, and how exact the rules are by what was decided of them.

    python tools/reference_truth.py list [--corpus DIR] [--half odd|even] [--each N]
    python tools/reference_truth.py count [--corpus DIR] [--half odd|even]

A candidate is any token of a SKILL.md's body that looks like a relative path with an extension and that no folder from the skill up to
the repository's root has. ``list`` prints a sample drawn by digest, so many of each repository and kind of candidate, as JSON lines with
the sentence and whether a rule reports it. ``count`` holds the verdicts of ``references_by_hand.jsonl`` against the rules.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))

from plugin_eval_ci.config import Config  # noqa: E402
from plugin_eval_ci.lint.evaluate import evaluate  # noqa: E402

VERDICTS = PROJECT / "tools" / "references_by_hand.jsonl"
RULES = frozenset({"REF_DEAD", "REF_CASE", "ORPHAN_REFERENCE", "DEAD_CROSS_REF", "REF_BACKSLASH"})
BUNDLED = frozenset({"references", "reference", "scripts", "assets", "examples", "templates", "resources", "workflows"})
TOKEN = re.compile(
    r"(?<![\w/\\.:@~$}>-])@?(?:\{baseDir\}/|\$\{?CLAUDE_\w+\}?/)?(?:\.{1,2}/)*[\w-][\w.-]*(?:[/\\][\w.-]+)*\.[A-Za-z]{1,5}(?![\w/-])"
)
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)")
FILES = re.compile(r"\.(?:md|py|sh|js|ts|mjs|json|ya?ml|txt|html|css|csv|ps1|toml)\Z")


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
    parser.add_argument("--half", choices=("odd", "even"))
    parser.add_argument("--each", type=int, default=6, help="candidates of one kind and repository")
    options = parser.parse_args()
    corpus = options.corpus.resolve()
    names = sorted(path.name for path in corpus.iterdir() if path.is_dir())
    names = [name for at, name in enumerate(names, 1) if not options.half or (options.half == "odd") == (at % 2 == 1)]
    if options.what == "count":
        return _count(corpus, names)
    for name in names:
        _list(corpus, name, options.each)
    return 0


def _list(corpus: Path, repository: str, each: int) -> None:
    by_kind: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates(corpus, repository):
        by_kind[candidate.kind].append(candidate)
    told = reported(corpus, repository)
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


def reported(corpus: Path, repository: str) -> dict[tuple[str, str], set[str]]:
    """The rules that report a path, by file and path."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for finding in evaluate((str(corpus / repository),), Config()).checked.findings:
        if finding.rule in RULES:
            path = os.path.relpath(finding.path, repository) if finding.path.startswith(repository) else finding.path
            found[f"{repository}/{path}", plain(finding.target)].add(finding.rule)
    return found


def plain(target: str) -> str:
    """A path without what leads to it or follows it: ``./``, ``@``, a variable, an anchor."""
    path = re.sub(r"\A@?(?:\{baseDir\}/|\$\{?CLAUDE_\w+\}?/)?(?:\./)?", "", target.replace("\\", "/"))
    return path.partition("#")[0].rstrip("/")


def _count(corpus: Path, names: list[str]) -> int:
    lines = [json.loads(line) for line in VERDICTS.read_text(encoding="utf-8").splitlines()]
    told = {name: reported(corpus, name) for name in names}
    for title, links in (("links", True), ("outside links", False)):
        hits = misses = wrong = 0
        for line in lines:
            name = line["file"].partition("/")[0]
            if name not in told or (line["kind"] == "link") != links or line["verdict"] == "debatable":
                continue
            found = (line["file"], plain(line["target"])) in told[name]
            dead = line["verdict"] == "true"
            hits, misses, wrong = hits + (found and dead), misses + (dead and not found), wrong + (found and not dead)
            if found != dead:
                print("missed" if dead else "false", line["file"], line["target"], line["reason"])
        print(
            f"{title}: {hits} found, {misses} missed, {wrong} false; "
            f"precision {hits / max(1, hits + wrong):.1%}, recall {hits / max(1, hits + misses):.1%}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
