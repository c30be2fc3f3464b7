"""Check the English of the documents: phrases that a native reader stumbles on, spelling, and the length of the README.

Usage: python tools/words_check.py [--strings]. With --strings the strings of the program are checked too.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README_WORDS = 900
STUMBLES = re.compile(
    r"(?<!here )\b(?:is|are|was)\s+(?:no|none)\b(?!\s+(?:longer|more))|\bis\s+there\s+already\b|\bmend(?:s|ed|ing)?\b|\bour\s+fault\b|\bof\s+one\s+name\b"
    r"|\bof\s+now\b|\bexclude\s+each\s+other\b|\bfor\s+want\s+of\b|\blooked\s+at\b|\bbeside\b|\bsaid\s+so\b|\bsays\s+so\b|\band\s+said\b|\bare\s+the\s+most\b"
    r"|\bbrings?\s+it(?:self)?\b|\bhears\s+nothing\b|\bthat\s+are\s+none\b|\bis\s+asked\s+about\b",
)
NOT_ENGLISH = re.compile(
    r"<!-- generated:.*?<!-- end of generated[^>]*-->|<!-- figures: begin -->.*?<!-- figures: end -->|^```.*?^```|`[^`\n]*`",
    re.M | re.S,
)
IGNORED = "caf,copie,execut,exemple,feilds,integrat,mian,oder,projet,sie,ue"  # other languages, a regular expression, and the misspelt examples of rules


def documents() -> list[Path]:
    """The pages that people write by hand."""
    return [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "CHANGELOG.md",
        *sorted(ROOT.glob("docs/*.md")),
        *sorted(ROOT.glob("examples/*/README.md")),
    ]


def prose(text: str) -> str:
    """The text with generated parts and code blanked, line for line."""
    return NOT_ENGLISH.sub(lambda found: "\n" * found[0].count("\n"), text)


def strings(file: Path) -> Iterator[tuple[int, str]]:
    """The strings of a module that are sentences, with their lines."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value.split()) > 2:
            yield node.lineno, node.value


def stumbles(place: str, first: int, text: str) -> Iterator[str]:
    """One message for each phrase in a text that begins at line ``first``."""
    for found in STUMBLES.finditer(text):
        line = first + text.count("\n", 0, found.start())
        yield f"{place}:{line}: '{' '.join(found[0].split())}' reads as translated; see CONTRIBUTING.md, \"Words\""


def misspelt(texts: list[tuple[str, str]]) -> Iterator[str]:
    """One message for each word that codespell knows as misspelt, in (place, text) pairs."""
    with tempfile.TemporaryDirectory() as name:
        for number, (_, text) in enumerate(texts):
            (Path(name) / f"{number}.txt").write_text(text, encoding="utf-8", errors="replace")
        command = [sys.executable, "-m", "codespell_lib", f"--ignore-words-list={IGNORED}", name]
        printed = subprocess.run(command, capture_output=True, text=True).stdout
    for line in printed.splitlines():
        file, _, rest = line.removeprefix(f"{name}{os.sep}").partition(".txt:")
        yield f"{texts[int(file)][0]}:{rest}"


def main() -> int:
    """Print every fault; 1 when there is one."""
    pages = [(str(page.relative_to(ROOT)), prose(page.read_text(encoding="utf-8"))) for page in documents()]
    faults = [fault for place, text in pages for fault in stumbles(place, 1, text)]
    if "--strings" in sys.argv[1:]:
        for file in sorted((ROOT / "plugin_eval_ci").rglob("*.py")):
            place = str(file.relative_to(ROOT))
            found = list(strings(file))
            faults += [fault for line, text in found for fault in stumbles(place, line, text)]
            if "languages" not in file.parts:
                lines = [""] * max([0, *(line for line, _ in found)])
                for line, text in found:
                    lines[line - 1] += f" {text}".replace("\n", " ")
                pages.append((place, "\n".join(lines)))
    faults += misspelt(pages)
    words = len(
        re.sub(r"^```.*?^```", " ", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.M | re.S).split()
    )
    if words > README_WORDS:
        faults.append(
            f"README.md: {words} words without code (at most {README_WORDS}): move something to a page of docs/"
        )
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
