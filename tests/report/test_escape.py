"""Hostile strings: what a stranger's file may hold, made visible or harmless."""

import pytest
from markdown_it import MarkdownIt

from plugin_eval_ci.report.escape import for_markdown, for_terminal, markdown_code

HOSTILE = [
    "\x1b[31mred\x1b[0m", "\x1b]8;;https://example.org\x07link", "\x9b31m", "a\rb", "a\nb", "a\tb", "a\0b",
    "a\x7fb", "a\x85b",
    "\u202egnp.exe", "\u2066a\u2069", "a\u200eb", "a\u200bb", "\ufeffa", "a\u2028b", "a\u2029b", "a\u00adb",
    "\U000e0041\U000e007f", "a\udc80b",
    "a\u061cb", "a\ufff9b", "\u3164",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_terminal_shows_what_it_would_obey(text):
    shown = for_terminal(text)
    assert shown.isprintable()
    assert "\\" in shown
    shown.encode("utf-8")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[0m", "\\x1b[0m"),
        ("a\nb", "a\\nb"),
        ("\u202e", "\\u202e"),
        ("\U000e0041", "\\U000e0041"),
        ("\udc80", "\\udc80"),
    ],
)
def test_how_it_is_shown(text, shown):
    assert for_terminal(text) == shown


@pytest.mark.parametrize("text", ["plain", "Größe", "库存", "👩‍💻", "می‌خواهم", "a|b `c` <d>", "C:\\x", "→ ★"])
def test_terminal_leaves_ordinary_text(text):
    assert for_terminal(text) == text


MARKUP = [
    "a | b", "`code`", "``` fence", "<script>alert(1)</script>", "<!-- hidden", "[a](https://example.org)",
    "![a](b.png)", "**a**", "_a_", "~~a~~",
    "# a", "> a", "- a", "+ a", "* a", "1. a", "1) a", "=== a", "--- a", "&lt;b&gt;", "&#64;a", "a\\", "\\`a`",
    "https://example.org", "www.example.org",
    "<https://example.org>", "a@example.org", "[a]: https://example.org", "    a", "\ta", "a  \nb", "$a$", "[^1]",
    "- [ ] a", "| --- |", "http://a.b|c`d",
]  # fmt: skip


@pytest.mark.parametrize("text", [*MARKUP, *HOSTILE])
def test_markdown_is_one_paragraph_of_text(text):
    parser = MarkdownIt("gfm-like", {"linkify": False}).enable("table")
    tokens = parser.parse(for_markdown(text))
    assert [token.type for token in tokens] in ([], ["paragraph_open", "inline", "paragraph_close"])
    for token in tokens:
        assert {child.type for child in token.children or []} <= {"text", "text_special"}


@pytest.mark.parametrize("text", [text for text in MARKUP if text.strip() == text and "\n" not in text])
def test_markdown_reads_as_it_was(text):
    tokens = MarkdownIt("commonmark").parse(for_markdown(text))
    read = "".join(child.content for child in tokens[1].children or [])
    assert read.replace("\u200b", "") == text


@pytest.mark.parametrize("text", [*MARKUP, *HOSTILE, "a|b|c"])
def test_markdown_stays_in_its_table_cell(text):
    table = f"| A | B |\n| --- | --- |\n| {for_markdown(text)} | end |\n"
    tokens = MarkdownIt("commonmark").enable("table").parse(table)
    cells = [tokens[place + 1].content for place, token in enumerate(tokens) if token.type == "td_open"]
    assert len(cells) == 2
    assert cells[1] == "end"


@pytest.mark.parametrize(
    "text",
    [
        "@octocat",
        "hi @octocat",
        "(@octocat)",
        "org/name#12",
        "#12",
        "GH-12",
        "gh-12",
        "@org/team",
        "a@example.org",
        "http://x",
        "www.x.org",
    ],
)
def test_nothing_is_left_that_github_would_link(text):
    shown = for_markdown(text).replace("\\", "")
    assert text not in shown
    assert shown.replace("\u200b", "") == text


@pytest.mark.parametrize(
    "text",
    [
        "(now 17); 100 or more", "token_efficiency and a_b_c", "name-dir, one - two", "{baseDir}/x", "a > b -> c", "C#",
        "this & that", "Stop!", "{a: 'b'}", "größe_cm", "2 files. 3) more",
    ],
)  # fmt: skip
def test_what_needs_no_escape(text):
    assert for_markdown(text) == text


TRICKS = [
    "_a_b_", "a__b__ c", "__init__", "a _b_", "_", "a_", "(_a_)", "a_*b*_c", "é_a_", "#", "a #", "a ##", "a_#", "&amp",
    "!&lt;", "![a](b)", "](b)", "[a](b", "a](javascript:x)", "\\_a_", "\\(a\\)", "$`a`$", "{{a}}", "<a", "a>b", "a\n> b",
    "x_~~a~~_y", "a*b*c", "a\u0301_b_", "http_www.a.org", "[[a]]", "a`b_c_`d", "[!NOTE]", ":---", "---|---",
]  # fmt: skip


@pytest.mark.parametrize("text", [*TRICKS, *MARKUP])
@pytest.mark.parametrize(
    "around", ["{}", "**a** {}: b", "- {}", "## {}", "| {} | b |\n| --- | --- |", "1. {} *Fix:* a_b"]
)
def test_tricks_stay_text_wherever_they_stand(text, around):
    """Compared with a letter in the same place: the same tokens, and the text that was meant."""
    parser = MarkdownIt("gfm-like", {"linkify": False, "html": True})

    def shape(inserted: str) -> tuple[list[str], str]:
        found, words = [], ""
        for token in parser.parse(around.format(inserted)):
            found.append(token.type)
            found += [child.type for child in token.children or [] if not child.type.startswith("text")]
            words += "".join(child.content for child in token.children or [])
        return found, words.replace("\u200b", "")

    shown = " ".join(text.split())
    kinds, words = shape("ZZZ")
    assert shape(for_markdown(text)) == (kinds, words.replace("ZZZ", shown))


@pytest.mark.parametrize(
    "text", ["a/b.md:3", "a_b/*c*.md", "<b>", "@octocat", "a`b", "``", "a|b", "", " ", "`", "a\nb", *HOSTILE]
)
def test_code_is_code_or_text(text):
    shown = markdown_code(text)
    assert shown.isprintable()
    table = f"| A | B |\n| --- | --- |\n| {shown} | end |\n"
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(table)
    cells = [tokens[place + 1] for place, token in enumerate(tokens) if token.type == "td_open"]
    assert [cell.content for cell in cells][1:] == ["end"]
    assert {child.type for child in cells[0].children} <= {"text", "text_special", "code_inline"}


@pytest.mark.parametrize("text", ["##[error]x", "skills/##[group]a/SKILL.md", "a\n##[add-mask]b"])
def test_code_is_no_command_of_a_log(text):
    assert "##[" not in markdown_code(text)


@pytest.mark.parametrize("text", ["## a", "a[1]", "#[a]", "skills/a/SKILL.md"])
def test_other_code_stays_code(text):
    assert markdown_code(text) == f"`{text}`"
