"""Where the frontmatter begins and ends, and what is said when it does not."""

from __future__ import annotations

import pytest

from plugin_eval_ci.model import Header
from plugin_eval_ci.parse import header

GOOD = "name: stock-report\ndescription: Builds the weekly stock report."


def head(text: str) -> Header:
    return header.split(text)[0]


@pytest.mark.parametrize(
    ("text", "end", "below", "first_line"),
    [
        (f"---\n{GOOD}\n---\n# Body\n", 4, "# Body\n", 5),
        (f"---\n{GOOD}\n---", 4, "", 5),  # no newline at the end of the file
        (f"---\n{GOOD}\n---\n", 4, "", 5),
        (f"---\n\n{GOOD}\n\n---\n", 6, "", 7),  # blank lines inside
        (f"---\n# a comment\n{GOOD}\n---\n", 5, "", 6),
        (f"---\n{GOOD}\n---\n\n---\n\nb\n\n---\n", 4, "\n---\n\nb\n\n---\n", 5),  # rules in the body
        (f"---\n{GOOD}\nlicense: a --- b\n---\n", 5, "", 6),  # --- inside a value
        (f"---\n{GOOD}\nlicense: ---a\n---\n", 5, "", 6),
        (f'---\n{GOOD}\nlicense: "---"\n---\n', 5, "", 6),
        (f"---\n{GOOD}\nlicense: |\n  ---\n  a: b\n---\n", 7, "", 8),  # an indented fence is text of the block
        (f"---\n{GOOD}\nlicense: >-\n  one\n\n  ---\n---\n", 8, "", 9),
        (f"---\n{GOOD}\n---\n```yaml\n---\nname: other\n---\n```\n", 4, "```yaml\n---\nname: other\n---\n```\n", 5),
    ],
)
def test_a_sound_header(text: str, end: int, below: str, first_line: int) -> None:
    found, rest, line = header.split(text)
    assert found.problem is None
    assert found.notes == ()
    assert (found.end_line, rest, line) == (end, below, first_line)
    assert found.text("name") == "stock-report"
    assert found.text("description") == "Builds the weekly stock report."


@pytest.mark.parametrize(
    ("text", "kind", "line", "words"),
    [
        ("", "FM_MISSING", 1, "line 1 is not ---"),
        ("\n\n", "FM_MISSING", 1, "line 1 is not ---"),
        ("   \n\t\n", "FM_MISSING", 1, "line 1 is not ---"),
        ("# Title\n\nText\n", "FM_MISSING", 1, "line 1 is not ---"),
        ("name: a\ndescription: b\n", "FM_MISSING", 1, "line 1 is not ---"),
        (f"{GOOD}\n---\n", "FM_MISSING", 1, "line 1 is not ---"),
        (f"----\n{GOOD}\n----\n", "FM_MISSING", 1, "'----'"),
        (f"--\n{GOOD}\n--\n", "FM_MISSING", 1, "'--'"),
        (f"\\---\n{GOOD}\n\\---\n", "FM_MISSING", 1, "'\\\\---'"),
        (f"\u2014\n{GOOD}\n\u2014\n", "FM_MISSING", 1, "\u2014"),  # an em dash, by autocorrection
        (f"\u2013\u2013\u2013\n{GOOD}\n\u2013\u2013\u2013\n", "FM_MISSING", 1, "\u2013"),
        (f"+++\n{GOOD}\n+++\n", "FM_MISSING", 1, "'+++'"),  # TOML
        (f"***\n{GOOD}\n***\n", "FM_MISSING", 1, "'***'"),
        (f" ---\n{GOOD}\n ---\n", "FM_MISSING", 1, "---"),  # indented
        (f"---yaml\n{GOOD}\n---\n", "FM_MISSING", 1, "'---yaml'"),
        (f"--- # comment\n{GOOD}\n---\n", "FM_MISSING", 1, "line 1"),
        (f"```yaml\n{GOOD}\n```\n", "FM_MISSING", 1, "code fence"),
        (f"~~~\n{GOOD}\n~~~\n", "FM_MISSING", 1, "code fence"),
        ('{"name": "a"}\n', "FM_MISSING", 1, "line 1 is not ---"),
        ("../../shared/SKILL.md", "FM_MISSING", 1, "line 1 is not ---"),  # a link checked out as text
        (f"\n---\n{GOOD}\n---\n", "FM_NOT_FIRST", 1, "blank lines"),
        (f"\n\n  \n---\n{GOOD}\n---\n", "FM_NOT_FIRST", 1, "line 4"),
        (f"# Title\n\n---\n{GOOD}\n---\n", "FM_NOT_FIRST", 1, "'# Title'"),
        (f"<!-- licence -->\n---\n{GOOD}\n---\n", "FM_NOT_FIRST", 1, "licence"),
        (f"```markdown\n---\n{GOOD}\n---\n# Body\n```\n", "FM_NOT_FIRST", 1, "```markdown"),
        (f"\ufeff---\n{GOOD}\n---\n", "FM_MISSING", 1, "line 1"),  # a second BOM
        ("---", "FM_UNCLOSED", 1, "never closed"),
        ("---\n", "FM_UNCLOSED", 1, "never closed"),
        (f"---\n{GOOD}\n", "FM_UNCLOSED", 1, "never closed"),
        (f"---\n{GOOD}\n\n# Body\n\ntext\n", "FM_UNCLOSED", 1, "never closed"),
        (f"---\n{GOOD}\n ---\n# Body\n", "FM_UNCLOSED", 1, "never closed"),
        (f"---\n{GOOD}\n----\n# Body\n", "FM_UNCLOSED", 1, "never closed"),
        (f"---\n{GOOD}\n\\---\n", "FM_UNCLOSED", 1, "never closed"),
        (f"---\n{GOOD}\n...\n# Body\n", "FM_UNCLOSED", 1, "never closed"),
        ("---\n---\n# Body\n", "FM_NOT_MAPPING", 1, "empty"),
        ("---\n\n---\n", "FM_NOT_MAPPING", 1, "empty"),
        ("---\n# only a comment\n---\n", "FM_NOT_MAPPING", 1, "empty"),
        ("---\n- a\n- b\n---\n", "FM_NOT_MAPPING", 2, "a list"),
        ("---\n\n[a, b]\n---\n", "FM_NOT_MAPPING", 3, "a list"),
        ("---\njust words\n---\n", "FM_NOT_MAPPING", 2, "a single value"),
        ("---\n42\n---\n", "FM_NOT_MAPPING", 2, "a single value"),
        ("---\nnull\n---\n", "FM_NOT_MAPPING", 2, "a single value"),
        ("---\n|\n  text\n---\n", "FM_NOT_MAPPING", 2, "a single value"),
    ],
)
def test_a_broken_one_names_its_line(text: str, kind: str, line: int, words: str) -> None:
    problem = head(text).problem
    assert problem is not None
    assert (problem.kind, problem.line) == (kind, line)
    assert words in problem.message
    assert problem.fix.endswith(".")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"---\n{GOOD}\n---\n", []),
        (f"--- \n{GOOD}\n---\n", [1]),
        (f"---\n{GOOD}\n---\t\n", [4]),
        (f"---  \n{GOOD}\n--- \t\n", [1, 4]),
    ],
)
def test_blanks_after_a_fence_are_noted_and_the_header_is_read(text: str, lines: list[int]) -> None:
    found = head(text)
    assert found.problem is None and found.text("name") == "stock-report"
    assert [(note.kind, note.line) for note in found.notes] == [("FM_FENCE_STYLE", line) for line in lines]


def test_no_key_is_taken_from_a_header_that_is_none() -> None:
    for text in ("---\nname: a\n", "name: a\n---\n", "```\n---\nname: a\n---\n```\n", "- name: a\n"):
        assert head(text).fields == ()


def test_the_body_below_a_late_header_keeps_its_lines() -> None:
    _, body, first_line = header.split("# Title\n---\nname: a\n---\nlast")
    assert (body.split("\n"), first_line) == (["# Title", "", "", "", "last"], 1)


def test_a_far_fence_is_a_rule_not_a_header() -> None:
    text = "text\n" * 200 + "---\nname: a\n---\n"
    problem = head(text).problem
    assert problem is not None and problem.kind == "FM_MISSING"


def test_two_rules_in_a_body_are_no_late_header() -> None:
    problem = head("# Title\n\n---\n\nSome words: here.\n\n---\n").problem
    assert problem is not None and problem.kind == "FM_MISSING"


def test_what_is_looked_up_by_key() -> None:
    found = head("---\nname: a\nname: ' b '\nother: [1]\n---\n")
    assert found.text("name") == "b"  # the last, as loaders do; blanks taken off
    assert found.text("other") is None
    assert (found.line("other"), found.line("absent"), found.field("absent")) == (4, 1, None)
