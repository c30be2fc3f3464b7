"""Which reference pages are parsed, and the links of raw HTML."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from plugin_eval_ci.analysis.references import pages
from plugin_eval_ci.analysis.references.anchors import is_of_interest
from plugin_eval_ci.parse import markdown
from plugin_eval_ci.parse.documents import Location, parse_skill


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("[a](b.md)", True),
        ("[a](<b c.md>)", True),
        ("[a](../b/SKILL.md)", True),
        ("![a](img/b.png)", True),
        ("[a]: b.md", True),
        ('<a href="b.md">b</a>', True),
        ("<img src='b.png'>", True),
        ("[a](#gone)\n\n# Here", True),
        ("```\n[a](#x)\n```\n[a](b.md)", True),
        ("Words only.", False),
        ("[a](https://example.org/x.md)", False),
        ("[a](mailto:a@example.org)", False),
        ("[a](#here)\n\n# Here", False),
        (
            "[a](#the-run-command)\n\n## The `run` command",
            True,
        ),  # code is taken out of the look; the parser then sees it
        ("```markdown\n[a](b.md)\n```", False),
        ("~~~\n[a](b.md)\n~~~", False),
        ("`[a](b.md)`", False),
        ("[a]: https://example.org/x", False),
        ('<a href="https://example.org">b</a>', False),
        ("[a]() and [b]( )", False),
    ],
)
def test_a_page_is_worth_parsing(text: str, answer: bool) -> None:
    assert is_of_interest(text, lambda target: False) is answer


def test_links_known_to_be_in_order_need_no_parser() -> None:
    assert not is_of_interest("[a](b.md) and [c](d.md)", lambda target: True)
    assert is_of_interest("[a](b.md) and [c](d.md)", lambda target: target == "b.md")


@pytest.mark.parametrize(
    ("link", "parsed"),
    [
        ("../SKILL.md", False),
        ("../references/../SKILL.md", False),
        ("../skill.md", True),
        ("../../SKILL.md", True),
        ("../other/SKILL.md", True),
        ("../SKILL.md#steps", True),
        ("${CLAUDE_SKILL_DIR}/../SKILL.md", True),
    ],
)
def test_a_page_that_only_leads_back_is_not_parsed(repo: Callable[..., Path], link: str, parsed: bool) -> None:
    root = repo({"skills/a/SKILL.md": "---\nname: a\n---\n", "skills/a/references/b.md": f"[back]({link})\n"})
    skill = parse_skill(Location(str(root / "skills/a/SKILL.md"), "skills/a/SKILL.md", str(root), None))
    assert bool(list(pages(skill))) is parsed


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ('<a href="x.md">a</a>', [("x.md", 1, False)]),
        ("<p>\n<img alt='a' src='x.png'>\n</p>", [("x.png", 2, True)]),
        ('words\n<a class=b href=x.md>a</a> and <img src="y.png"/>', [("x.md", 2, False), ("y.png", 2, True)]),
        ("<div>\n<!-- <a href='x.md'> -->\n<A HREF='y.md'>\n</div>", [("y.md", 3, False)]),
        ("| a |\n|---|\n| <a href='x.md'>b</a> |", [("x.md", 3, False)]),
        ("<pre><a href='x.md'>a</a></pre>", []),
        ("a <code><a href='x.md'>b</a></code>", []),
        ("`<a href='x.md'>`", []),
        ("```html\n<a href='x.md'>\n```", []),
        ("<!-- <img src='x.png'> -->", []),
        ("<a name='x'>a</a> <a data-href='x.md'>", []),
        ("<script>\nlet a = \"<a href='x.md'>\"\n</script>", []),
        ("a \\<a href='x.md'>", []),
        ("<a href=''>a</a>", []),
    ],
)
def test_links_of_raw_html(text: str, links: list[tuple[str, int, bool]]) -> None:
    assert [(link.target, link.line, link.image) for link in markdown.parse(text, 1).links] == links
