"""Lints the inputs of a folder of suites and compares with what each expects: agree, missing, false.

Each suite is a folder with ``input/`` and ``expected.txt``, whose first line names the finding that is expected (``RULE_NAME …``), or says
``silent: … RULE_NAME`` for one that must not come, or which exit codes are right.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

_RULE = re.compile(r"\b[A-Z]{2,}(?:_[A-Z]+)+\b")
_NOTHING = frozenset({"REF_UNUSED"})  # advice that comes with many inputs


def main(folder: str) -> int:
    """Print one line for each suite and the totals; 1 when one does not agree."""
    counts = {"agree": 0, "missing": 0, "false": 0}
    for suite in sorted(place.parent for place in Path(folder).glob("*/expected.txt")):
        verdict, words = judged(suite)
        counts[verdict] += 1
        if verdict != "agree":
            print(f"{verdict:8} {suite.name}: {words}")
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    return 0 if counts["agree"] == sum(counts.values()) else 1


def judged(suite: Path) -> tuple[str, str]:
    """The verdict on one suite and what was expected."""
    wanted = (suite / "expected.txt").read_text(encoding="utf-8").strip().split("\n")[0]
    code, findings = linted(suite / "input")
    rules = {finding["rule"] for finding in findings}
    if code not in (0, 1, 2):
        return "missing", f"exit code {code}; expected: {wanted}"
    if wanted.startswith("silent"):
        forbidden = set(_RULE.findall(wanted)) & rules
        return (
            ("false", f"found {', '.join(sorted(forbidden))}; expected: {wanted}") if forbidden else ("agree", wanted)
        )
    if wanted.startswith("exit code"):
        return "agree", wanted
    if "exit code 2" in wanted and "linted" in wanted:
        place = next((suite / "input").rglob("agents/*.md"))
        named, _ = linted(suite / "input", str(place.relative_to(suite / "input")))
        skipped = named == 0 and not _
        return ("missing", wanted) if skipped else ("agree", wanted)
    named_rule = _RULE.match(wanted)
    if named_rule:
        hits = [finding for finding in findings if finding["rule"] == named_rule[0]]
        level = re.match(r"\S+ (error|warning|notice)\b", wanted)
        right = [one for one in hits if level is None or one["severity"] == level[1]]
        return (
            ("agree", wanted)
            if right
            else ("missing", f"found {', '.join(sorted(rules)) or 'nothing'}; expected: {wanted}")
        )
    return ("agree", wanted) if rules - _NOTHING else ("missing", f"found nothing; expected: {wanted}")


def linted(tree: Path, *names: str) -> tuple[int, list[dict[str, str]]]:
    """The exit code and the findings of a copy of ``tree``, which is a repository of its own."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "repository"
        shutil.copytree(tree, copy, symlinks=True)
        subprocess.run(["git", "init", "--quiet", str(copy)], check=True)
        command = [sys.executable, "-m", "plugin_eval_ci", "lint", "--isolated", "--format", "json", *(names or (".",))]
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
        try:
            return done.returncode, json.loads(done.stdout)["findings"]
        except (ValueError, KeyError):
            return done.returncode, []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
