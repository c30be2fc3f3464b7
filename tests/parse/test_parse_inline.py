"""Inline content that is read without the parser: the same facts as with it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from plugin_eval_ci.parse import markdown as inline

PARSER = MarkdownIt("commonmark").enable("table")


def facts(found: inline.InlineFacts) -> tuple[object, ...]:
    return found.links, found.code_spans, [row for row in found.rows if row[1].strip()]


def same(content: str) -> bool:
    """Whether a paragraph was read without the parser; what was read is compared."""
    content = content.strip()
    plain = inline._only_code(content, 7) if content else None
    if plain is not None:
        assert facts(plain) == facts(inline._Inline(content, 7).read(PARSER, {}))
    return plain is not None


@pytest.mark.parametrize(
    "content",
    [
        "Run `make test` first.",
        "`a` and ``b`c`` and ` d `",
        "`a``b`",
        "an open ` tick",
        "``two` one`",
        "``` three `` two ` one",
        "snake_case and __init_file__x",
        "`*a*` and `[b](c)` and `<d>`",
        "[ ] a task, [x] another",
        "A & B, 3 < `4`",
        "array[0] (first)",
        "`  `",
        "` a`",
        "100 % & more; and so on",
        "**Name**: of `a` and `b`",
        "**Use `a` here:** then `c`",
        "**1. a** **b**`c`**d**",
        "die**ser** und **c `a` b** `c`",
        "**太字**は **a「a」** `b`",
        "fewer < 3 `a`",
    ],
)
def test_lines_with_no_markup_but_code(content: str) -> None:
    same(content)
    assert same(content.replace("<", "a").replace("__init", "init").replace("file__x", "file_x"))


@pytest.mark.parametrize(
    "content",
    [
        "**`a`**",
        "**a ** `b`",
        "**a:**b `c`",
        "***a** `b`",
        "**a*b** `c`",
        "**_a_** `b`",
        "**[a**](b) `c`",
        "**a\u00a0** `b`",
        "**a, b.** **c;**\u2003`d`",
        "1<5@a.b> `c`",
        "_a_ `b`",
        "[a](b) `c`",
        "[a][b] `c`",
        "\\`a`",
        "<b>`a`</b>",
        "`a` &amp; b",
        "`a`\nb",
        "`a`_b_",
        "a" * 3_000,
    ],
)
def test_lines_with_other_markup_are_left_to_the_parser(content: str) -> None:
    if len(content) < inline._MAX_PLAIN:
        assert not same(content)
    before = inline._Inline(content, 7).read(PARSER, {})
    assert facts(inline.parse_inline(content, 7, PARSER, {})) == facts(before)


def test_a_link_by_reference_is_left_to_the_parser() -> None:
    environment: dict[str, object] = {}
    PARSER.parse("[a]: b\n", environment)
    assert [link.target for link in inline.parse_inline("see [a]", 1, PARSER, environment).links] == ["b"]
    assert inline.parse_inline("see [a]", 1, PARSER, {}).links == []


PIECES = st.sampled_from(
    ["`", "``", "```", " ", "a", "B9", "_", "*", "[", "]", "(", ")", "&", "amp;", "#38;", "!", "<", ">", "\\", "\u00e9", "~", ".", "\t", "[x]", "](", ":", "http://a.b", "@", "**", "**a", "a**", "\u3002"]
)  # fmt: skip


@settings(max_examples=600, deadline=None)
@given(st.lists(PIECES, max_size=14).map("".join))
def test_any_line_gives_the_same_facts(content: str) -> None:
    same(content)
