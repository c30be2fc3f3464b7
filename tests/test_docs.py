"""Links in the documents lead to files that exist, and to headings that those files have."""

from __future__ import annotations

import re
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
