"""3.5: the density of directives and near-duplicate lines."""

import pytest

from plugin_eval_ci.scoring.static.layer import meaningful_lines, repetition, token_efficiency

HEAD = "---\nname: stock-report\ndescription: x\n---\n"
WORDS = "abcdefghijklmnopqrstuvwxyz"


def text(lines: int, directives: int) -> str:
    """``lines`` lines in all, each different, with that many directives."""
    rows = [
        f"{'MUST ' if number < directives else ''}{WORDS[number % 26] * (1 + number // 26)}"
        for number in range(lines - 4)
    ]
    return HEAD + "\n".join(rows) + "\n"


@pytest.mark.parametrize(
    ("lines", "directives", "score"),
    [
        (20, 0, 1.0),
        (20, 2, 1.0),
        (20, 3, 0.9),
        (20, 4, 0.9),
        (20, 5, 0.8),
        (20, 10, 0.8),
        (20, 11, 0.6),
        (30, 3, 1.0),
        (30, 6, 0.9),
    ],
)
def test_density_steps(skill, lines, directives, score):
    assert token_efficiency(skill(text(lines, directives))).score == score


@pytest.mark.parametrize(
    ("body", "share"),
    [
        ("One.\nTwo.\n", 0.0),
        ("One.\nOne.\n", 0.5),
        ("One.\none!\n", 0.5),
        ("Row 1 of 20\nRow 17 of 3\n", 0.5),
        ("- one\n* one\n1. one\n", 1 / 3),
        ("```sh\nls\n```\n\n```sh\nls\n```\n", 0.5),
        ("```sh\na\n```\n\n```sh\nb\n```\n", 0.0),
        ("{\n}\n{\n}\na\n", 0.0),
        ("| a |\n| --- |\n| --- |\n", 0.0),
        ("***\n***\n", 0.0),
        ("", 0.0),
        ("  One  \nOne\n", 0.5),
        ("库存\n库存。\n", 0.5),
    ],
)
def test_repetition(skill, body, share):
    assert repetition(meaningful_lines(skill(HEAD + body).body)) == pytest.approx(share)


def test_repetition_costs_four_tenths(skill):
    assert token_efficiency(skill(HEAD + "One.\nOne.\nOne.\nOne.\n")).score == pytest.approx(1 - 0.4 * 0.75)


def test_frontmatter_is_not_compared(skill):
    assert meaningful_lines(skill("---\nname: a\nlicense: a\n---\nname: a\n").body) == ["name a"]


@pytest.mark.parametrize("row", ["`MUST`", "```\nMUST\n```", "<!-- MUST -->", "must", "MUSTER", "    MUST"])
def test_what_is_no_directive(skill, row):
    assert token_efficiency(skill(f"{HEAD}\n{row}\n")).score == 1.0


def test_where_to_begin(skill):
    parts = token_efficiency(skill(HEAD + "One MUST go.\n\nTwo.\nTwo.\n")).parts
    assert [part.line for part in parts[1:]] == [5, 8]
