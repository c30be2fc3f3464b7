"""Markdown to facts: what counts, what does not, and the line of each."""

from __future__ import annotations

import time

import pytest

from plugin_eval_ci.model import Body
from plugin_eval_ci.parse import markdown


def parse(text: str, first_line: int = 1) -> Body:
    return markdown.parse(text, first_line)


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("# One\n\n## Two\n### Three ###\n", [(1, "One", 1), (2, "Two", 3), (3, "Three", 4)]),
        ("Title\n=====\n\nPart\n----\n", [(1, "Title", 1), (2, "Part", 4)]),
        ("Two\nlines\n===\n", [(1, "Two\nlines", 1)]),
        ("   ## Indented\n", [(2, "Indented", 1)]),
        ("####### Seven\n", []),
        ("##No blank\n", []),
        ("\\## Escaped\n", []),
        ("    ## In code\n", []),
        ("```\n## In a fence\n```\n", []),
        ("<!--\n## In a comment\n-->\n", []),
        ("> ## In a quotation\n", [(2, "In a quotation", 1)]),
        ("- ## In a list\n", [(2, "In a list", 1)]),
        ("##\n", [(2, "", 1)]),
        ("text\n\n---\n", []),  # a rule
        ("- item\n---\n", []),  # a rule, no setext heading
        ("| a |\n|---|\n", []),
    ],
)
def test_headings(text: str, headings: list[tuple[int, str, int]]) -> None:
    assert [tuple(heading) for heading in parse(text).headings] == headings


@pytest.mark.parametrize(
    ("text", "fences"),
    [
        ("```python\nx = 1\n```\n", [("python", "x = 1\n", 1, 3, True)]),
        ("~~~sh\nls\n~~~\n", [("sh", "ls\n", 1, 3, True)]),
        ("```\n```\n", [("", "", 1, 2, True)]),
        ("````markdown\n```python\nx\n```\n````\n", [("markdown", "```python\nx\n```\n", 1, 5, True)]),
        ("~~~\n```\n~~~\n", [("", "```\n", 1, 3, True)]),
        ("```\n~~~\n```\n", [("", "~~~\n", 1, 3, True)]),
        ("```a\n``\n````\n", [("a", "``\n", 1, 3, True)]),  # a longer run closes
        ("```py\nnever closed\n", [("py", "never closed\n", 1, 2, False)]),
        ("```py\n", [("py", "", 1, 1, False)]),
        ("text\n```\n", [("", "", 2, 2, False)]),
        ("- item\n\n  ```js\n  x\n  ```\n", [("js", "x\n", 3, 5, True)]),
        ("1. ```js\n   x\n   ```\n", [("js", "x\n", 1, 3, True)]),
        ("- ```js\n  x\nafter\n", [("js", "x\n", 1, 2, False)]),  # the list ends, and the fence with it
        ("> ```js\n> x\n> ```\n", [("js", "x\n", 1, 3, True)]),
        ("> - ```js\n>   x\n>   ```\n", [("js", "x\n", 1, 3, True)]),
        ("> ```js\n> x\nafter\n", [("js", "x\n", 1, 2, False)]),
        ("   ```\n   x\n   ```\n", [("", "x\n", 1, 3, True)]),
        ("```\nx\n```y\n```\n", [("", "x\n```y\n", 1, 4, True)]),  # a closing fence has no words
        ("```\na\n```\n```\nb\n```\n", [("", "a\n", 1, 3, True), ("", "b\n", 4, 6, True)]),
        ("    ```\n    x\n    ```\n", []),  # indented code
        ("\\```\nx\n\\```\n", []),
        ("`` ` ``\n", []),
        ("``` a ``` b\n", []),  # inline code
        ("<!--\n```\nx\n```\n-->\n", []),
    ],
)
def test_fences(text: str, fences: list[tuple[str, str, int, int, bool]]) -> None:
    assert [tuple(fence) for fence in parse(text).fences] == fences


@pytest.mark.parametrize(
    ("info", "language"),
    [
        ("python", "python"), ("Python", "python"), (" python", "python"), ("python title='a'", "python"),
        ("{python}", "python"),
        ("{.python}", "python"), ("c++", "c++"), ("c#", "c#"), ("", ""), ("\tjs", "js"), ("ts{1,3}", "ts{1,3"), ("日本",
        "日本"),
    ],
)  # fmt: skip
def test_the_language_is_the_first_word(info: str, language: str) -> None:
    assert parse(f"```{info}\nx\n```\n").fences[0].language == language


@pytest.mark.parametrize(
    ("text", "tables"),
    [
        ("| a | b |\n|---|---|\n| 1 | 2 |\n", 1),
        ("a | b\n--|--\n1 | 2\n", 1),
        ("|a|\n|:-:|\n", 1),
        ("> | a | b |\n> |---|---|\n", 1),
        ("- | a | b |\n  |---|---|\n", 1),
        ("|a|\n|-|\n|1|\n\n|b|\n|-|\n|2|\n", 2),
        ("| a | b |\n", 0),
        ("a | b\n\nc | d\n", 0),
        ("| a | b |\n|---|\n", 0),
        ("```\n| a | b |\n|---|---|\n```\n", 0),
        ("<!--\n| a | b |\n|---|---|\n-->\n", 0),
        ("    | a | b |\n    |---|---|\n", 0),
    ],
)
def test_tables(text: str, tables: int) -> None:
    assert parse(text).tables == tables


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[a](b.md)", [("b.md", 1)]),
        (
            "[a](b.md 'title') [c](<d e.md>) [f](g(h).md) [i](\\(j.md)",
            [("b.md", 1), ("d e.md", 1), ("g(h).md", 1), ("(j.md", 1)],
        ),
        ("[a](b%20c.md#d?e)", [("b%20c.md#d?e", 1)]),  # as written
        ("[a](é.md) [b](数据.md)", [("é.md", 1), ("数据.md", 1)]),
        ("[a]()", [("", 1)]),
        ("[](b.md)", [("b.md", 1)]),
        ("[a][r]\n\n[r]: b.md", [("b.md", 1)]),
        ("[r][]\n\n[r]: <b c.md> 'title'", [("b c.md", 1)]),
        ("text\n[R]\n\n[r]: b.md\n  'title'", [("b.md", 2)]),
        ("[r]: b.md\n\n[x][r]", [("b.md", 3)]),
        ("> [r]: b.md\n\n[x][r]", [("b.md", 3)]),
        ("![a](b.png)", [("b.png", 1)]),
        ("[![a](b.png)](c.md)", [("b.png", 1), ("c.md", 1)]),
        ("<https://example.org>", [("https://example.org", 1)]),
        ("<me@example.org>", [("mailto:me@example.org", 1)]),
        ("https://example.org me@example.org www.example.org", []),
        ("one\ntwo [a](b)\n\nthree\nfour [c](d)", [("b", 2), ("d", 5)]),
        ("a `x\ny` [b](c)\n[d](e)", [("c", 2), ("e", 3)]),  # code over two lines
        ("a `x\ny` [b][r]\n[d][r]\n\n[r]: e", [("e", 2), ("e", 3)]),
        ("[a\nb](c) [d](e)", [("c", 1), ("e", 2)]),
        ("[a](\nb.md\n) [c](d)", [("b.md", 1), ("d", 3)]),
        ("[a](b 'one\ntwo') [c](d)", [("b", 1), ("d", 2)]),
        ("<i\nb='c'> [d](e)", [("e", 2)]),
        ("a <!-- b\nc --> [d](e)", [("e", 2)]),
        ("line\\\n[a](b)  \n[c](d)", [("b", 2), ("d", 3)]),
        ("**[a](b)**\n_[c](d)_", [("b", 1), ("d", 2)]),
        ("# [a](b)\n\n[c](d)\n===", [("b", 1), ("d", 3)]),
        ("- [a](b)\n- x\n  [c](d)\n\n  [e](f)", [("b", 1), ("d", 3), ("f", 5)]),
        ("> x\n> [a](b)\n[c](d)", [("b", 2), ("d", 3)]),
        ("> - 1. [a](b)\n>\n>      [c](d)", [("b", 1), ("d", 3)]),
        ("| [a](b) |\n|---|\n| [c](d) |\n| [e](f\\|g) |", [("b", 1), ("d", 3), ("f|g", 4)]),
        ("<div>\n\n[a](b)\n\n</div>", [("b", 3)]),
        ("- [ ] [a](b)\n- [x] [c](d)", [("b", 1), ("d", 2)]),
        ("\u00a0\n[a](b)", [("b", 2)]),  # a line of a blank that Markdown does not know as such
        ("x\n\n\x0b\x0c\n\u3000\n[a](b)\n[c](d)", [("b", 5), ("d", 6)]),
        ("> \u00a0\n> [a](b)", [("b", 2)]),
        ("[a] (b.md)", []),
        ("\\[a](b.md)\n\n[a\\](b.md)\n\n!\\[a](b.md)", []),
        ("[a](b c.md)", []),
        ("`[a](b)` ``[c](d)``", []),
        ("```\n[a](b)\n```", []),
        ("~~~markdown\n[a](b)\n~~~", []),
        ("text\n\n    [a](b)", []),
        ("<!-- [a](b) -->", []),
        ("<!--\n\n[a](b)\n\n-->", []),
        ("x <!-- [a](b) --> y", []),
        ("<div>\n[a](b)\n</div>", []),
        ("<a href='b.md'>a</a>", [("b.md", 1)]),  # HTML says so too
        ("text <a class=x href=b.md>a</a>\nand <img alt='' src=\"c.png\">", [("b.md", 1), ("c.png", 2)]),
        ("<p>\n<img src='b.png'>\n<!-- <a href='no.md'> -->\n<A HREF='c.md'>c</A>\n</p>", [("b.png", 2), ("c.md", 4)]),
        ("<code><a href='b.md'></code> <!-- <a href='b.md'> --> `<a href='b.md'>`", []),
        ("<pre>\n<a href='b.md'>\n</pre>\n\n```\n<a href='b.md'>\n```", []),
        ("<a name='b.md'> <abbr href='b.md'> <a href>", []),
        ("<pre>\n[a](b)\n</pre>", []),
        ("[a][missing]", []),
        ("```\nnever closed\n\n[a](b)", []),
    ],
)
def test_links(text: str, links: list[tuple[str, int]]) -> None:
    assert [(link.target, link.line) for link in parse(text).links] == links


def test_lines_are_those_of_the_file() -> None:
    body = parse("\n## A\n\n[b](c) `d`\n\n```\n```\n", first_line=5)
    assert body.headings[0].line == 6
    assert body.links[0].line == 8
    assert body.code_spans[0].line == 8
    assert (body.fences[0].line, body.fences[0].end_line) == (10, 11)


def test_text_of_links_and_images() -> None:
    links = parse("[one *two*\n`three`](a) ![four **five**](b) <https://c.d>").links
    assert [(link.text, link.image) for link in links] == [
        ("one two three", False), ("four **five**", True), ("https://c.d", False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("use `a` and `` b`c ``", [("a", 1), ("b`c", 1)]),
        ("`a\nb` x `c`\n`d`", [("a b", 1), ("c", 2), ("d", 3)]),
        ("`` a\n b\n``\n`c`", [("a  b", 1), ("c", 4)]),
        ("[`a`](b)", [("a", 1)]),
        ("| `a` |\n|---|\n| `b` |", [("a", 1), ("b", 3)]),
        ("# `a`\n- `b`\n> `c`", [("a", 1), ("b", 2), ("c", 3)]),
        ("`a", []),
        ("\\`a\\`", []),
        ("``` a ``", []),
        ("```\n`a`\n```", []),
        ("<!-- `a` -->", []),
    ],
)
def test_code_spans(text: str, spans: list[tuple[str, int]]) -> None:
    assert [(span.text, span.line) for span in parse(text).code_spans] == spans


def test_the_words_around_a_code_span() -> None:
    span = parse("use the `Read` tool").code_spans[0]
    assert (span.before, span.after) == ("use the ", " tool")


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("one\ntwo", [(1, "one"), (2, "two")]),
        (
            "# Head\n\n- item\n> said\n\n| a |\n|---|\n| b |",
            [(1, "Head"), (3, "item"), (4, "said"), (6, "a"), (8, "b")],
        ),
        ("a `code` b", [(1, "a \ufffc b")]),
        ("a `x\ny` b\nc", [(1, "a \ufffc"), (2, " b"), (3, "c")]),
        ("a [b](c 'd\ne') f\ng", [(1, "a b"), (2, " f"), (3, "g")]),
        ("```\ncode\n```\ntext", [(4, "text")]),
        ("text\n\n    code\n", [(1, "text")]),
        ("<!-- comment -->\ntext", [(2, "text")]),
        ("<!--\ncomment\n-->\n\ntext <!-- more --> end", [(5, "text  end")]),
        ("<div class='x'>words</div>", [(1, "words")]),
        ("<details>\n<summary>One</summary>\n\ntwo\n\n</details>", [(2, "One"), (4, "two")]),
        ("MUST&nbsp;NOT &lt; \\*", [(1, "MUST\xa0NOT < *")]),
        ("[r]: a.md\n\ntext", [(3, "text")]),
        ("hard  \nbreak\\\nhere", [(1, "hard"), (2, "break"), (3, "here")]),
    ],
)
def test_prose_is_what_a_reader_reads(text: str, prose: list[tuple[int, str]]) -> None:
    found = [(line.line, line.text) for line in parse(text).prose]
    assert [(line, words.rstrip() if words.strip() else words) for line, words in found] == prose


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("say [link](a) word", "say  word"),
        ('say "quoted" word', "say   word"),
        ("say \u201cquoted\u201d \u300cquoted\u300d \u00abquoted\u00bb word", "say       word"),
        ("> quoted", ""),
        ('an inch is 1" long', 'an inch is 1" long'),
        ("say `code` word", "say \ufffc word"),
    ],
)
def test_plain_prose_has_no_quotations_and_no_titles(text: str, plain: str) -> None:
    assert parse(text).prose[0].plain == plain


PATHOLOGICAL = {
    "brackets": "[" * 7_000 + "\n",
    "brackets in lines": ("[" * 100 + "\n") * 230,
    "brackets in many paragraphs": ("[" * 7_000 + "\n\n") * 30,
    "brackets the wrong way round": ("]" * 3_500 + "[" * 3_500 + "\n\n") * 30,
    "one line of brackets": "[" * 400_000,
    "half links": ("[a](" * 50 + "\n") * 100,
    "link ends": "](references/" * 2_000,
    "nested links": ("[" * 50 + "a" + "](b)" * 50 + "\n") * 100,
    "half images": "![" * 4_000,
    "a table of 100,000 rows": "|a|b|\n|---|---|\n" + "|x|y|\n" * 100_000,
    "a table of links": "|a|b|\n|---|---|\n" + "|[x](y)|`c`|\n" * 3_000,
    "a table of 100,000 pipes": "|" * 100_000,
    "a wide table": "|" + "a|" * 3_000 + "\n|" + "---|" * 3_000 + "\n" + ("|" + "x|" * 3_000 + "\n") * 10,
    "lists in lists": "\n".join("  " * n + "- x" for n in range(400)),
    "lists in one line": "- " * 4_000 + "x",
    "quotes in quotes": ">" * 5_000 + " x",
    "many quotes": (">" * 200 + " x\n") * 500,
    "quotes and lists": ("> - " * 1_000 + "x\n") * 20,
    "200,000 backticks": "`" * 200_000,
    "backticks of every length": " ".join("`" * n for n in range(1, 600)),
    "mixed backticks": ("`a``b" * 1_000 + "\n") * 8,
    "stars": "*a_" * 7_000,
    "strong": ("**a _b " * 100 + "\n") * 30,
    "tag starts": ("<a " * 2_000 + "\n") * 30,
    "attributes": "<a " + 'a="b" ' * 1_300,
    "comment starts": ("<!-- " * 1_500 + "\n") * 30,
    "html blocks": "<div>\n" * 9_000,
    "html links": ("<a href='b' " * 500 + "\n") * 40,
    "html without an end": "<div>\n" + "<pre><code><!--" * 15_000,
    "html attributes without an end": "<div>\n" + "<a " + ("x" * 400 + " ") * 500,
    "cdata": ("<![CDATA[" * 800 + "\n") * 30,
    "definitions": "\n".join(f"[r{n}]: x{n}" for n in range(9_000)),
    "uses of one definition": "[a]: x\n\n" + ("[a][a]" * 1_000 + "\n") * 20,
    "broken definitions": "[a]:\n" * 9_000,
    "entities": "&a" * 4_000,
    "backslashes": "\\" * 7_900,
    "rules": "---\n" * 9_000,
    "fences": "```\n" * 9_999,
    "an ordered list": "\n".join(f"{n}. a" for n in range(4_000)),
    "setext": "a\n" * 9_000 + "===",
    "double quotes": ('"a ' * 2_000 + "`x`\n") * 20,
    "autolinks": ("<http://a" * 800 + "\n") * 30,
    "long lines": ("x" * 9_000 + "\n") * 100,
    "no lines": "",
    "blank lines": "\n" * 200_000,
    "wide blanks": "\u3000" * 7_000 + "`a`",
}


@pytest.mark.parametrize("name", PATHOLOGICAL)
def test_pathological_text_ends_soon(name: str) -> None:
    start = time.process_time()
    parse(PATHOLOGICAL[name])
    assert time.process_time() - start < 2  # below one second each on an idle machine


def test_the_part_of_a_large_file_that_is_read() -> None:
    body = parse("## head\n\nline\n" * 5_000, first_line=4)
    assert body.cut_line == 10_004
    assert len(body.headings) == 3_334
    assert parse("## head\n" * 100).cut_line is None


def test_a_line_that_is_data_is_left_out_and_nothing_else() -> None:
    body = parse(f"## One\n\n[a](b)\n{'x' * 9_000} [no](no)\n\n## Two\n[c](d)\n")
    assert [heading.line for heading in body.headings] == [1, 6]
    assert [(link.target, link.line) for link in body.links] == [("b", 3), ("d", 7)]
    assert body.cut_line is None
