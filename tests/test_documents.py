"""Links in the documents lead to files that exist, and to headings that those files have."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/rules/*.md"), *ROOT.glob("examples/*/README.md")]


def prose(page: Path) -> str:
    return re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """What GitHub makes of the headings."""
    return {
        re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-")
        for head in re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    }


def dead(page: Path, text: str) -> list[str]:
    found = []
    for link in re.findall(r'(?:\]\(|src="|srcset=")([^)"\s]+)', text):
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        if not re.match(r"[a-z]+:", link) and not (target.exists() and (not anchor or anchor in anchors(target))):
            found.append(link)
    return found


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_links(page: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", prose(page)) if page.parent.name == "rules" else prose(page)
    assert dead(page, text) == []


def test_dead_links_would_be_found() -> None:
    page = ROOT / "README.md"
    assert dead(
        page, "[a](docs/none.md) [b](docs/models.md#none) ![c](docs/images/badge.svg) [d](https://example.org/x)"
    ) == ["docs/none.md", "docs/models.md#none"]


GITHUBS = {"Resource not accessible by integration", "Advanced Security must be enabled"}


def messages(page: Path) -> Iterator[str]:
    """What tables headed "message" quote, in parts without placeholders."""
    for table in re.findall(r"^\| message \|.*\n(?:\|.*\n)+", page.read_text("utf-8"), re.MULTILINE):
        for quoted in re.findall(r"^\| `([^`]+)`", table, re.MULTILINE):
            yield from (
                part.strip()
                for part in re.split(r"…|\b[A-Z]{2,}\b|\b[A-Z]+ |\S*\d\S*|plugin-eval-ci|[():]", quoted)
                if len(part.split()) > 2
            )


def strings() -> str:
    """Every string of the program."""
    trees = [ast.parse(file.read_text("utf-8")) for file in (ROOT / "plugin_eval_ci").rglob("*.py")]
    return "\n".join(
        node.value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def test_quoted_messages_are_those_of_the_program() -> None:
    quoted = {part for page in PAGES if page.parent.name == "docs" for part in messages(page)}
    known = strings()
    assert len(quoted) > 5
    assert sorted(part for part in quoted - GITHUBS if part.removeprefix("GitHub ") not in known) == []
