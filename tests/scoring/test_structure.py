"""3.3 and 3.4: every step, just below and at its threshold."""

import pytest

from plugin_eval_ci.scoring.measurement import Rank
from plugin_eval_ci.scoring.static.structure import progressive_disclosure, structural_completeness

HEAD = "---\nname: stock-report\ndescription: x\n---\n"


def lines(count: int) -> str:
    return HEAD + "".join(f"Row {number}.\n" for number in range(count - 4))


@pytest.mark.parametrize(
    ("count", "plain", "with_references"),
    [
        (5, 0.20, 0.35), (99, 0.20, 0.35), (100, 0.50, 0.65), (199, 0.50, 0.65), (200, 0.60, 0.75),
        (400, 0.60, 0.75), (401, 0.60, 0.85),
        (600, 0.60, 0.85), (601, 0.40, 0.65), (800, 0.40, 0.65), (801, 0.15, 0.40), (2000, 0.15, 0.40),
    ],
)  # fmt: skip
def test_line_steps(skill, count, plain, with_references):
    assert progressive_disclosure(skill(lines(count))).score == plain
    assert progressive_disclosure(skill(lines(count), {"references/a.md": "x"})).score == with_references


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_final_newline_is_no_line(skill, end):
    assert progressive_disclosure(skill(lines(600).rstrip("\n") + end)).score == 0.60


@pytest.mark.parametrize(
    ("files", "score"),
    [
        ({}, 0.20),
        ({"references/deep/er/a.md": "x"}, 0.35),
        ({"references/a.md": ""}, 0.20),
        ({"assets/a.md": "x"}, 0.35),
        ({"assets/a.md": "x", "references/a.md": "x"}, 0.50),
        ({"scripts/a.py": "x", "reference/a.md": "x"}, 0.20),
    ],
)
def test_references_and_assets(skill, files, score):
    assert progressive_disclosure(skill(lines(20), files)).score == score


def body(*blocks: str) -> str:
    return HEAD + "\n# Stock report\n\n" + "\n\n".join(blocks) + "\n"


def sections(count: int) -> list[str]:
    return [f"{'##' if number % 2 else '###'} Part {number}" for number in range(count)]


def fences(count: int, *named: str) -> list[str]:
    return [f"```{named[number] if number < len(named) else ''}\nrow {number}\n```" for number in range(count)]


@pytest.mark.parametrize(
    ("count", "score"), [(0, 0), (1, 0), (2, 0.10), (3, 0.10), (4, 0.15), (5, 0.15), (6, 0.20), (40, 0.20)]
)
def test_heading_steps(skill, count, score):
    assert structural_completeness(skill(body(*sections(count)))).score == score


@pytest.mark.parametrize(
    ("count", "score"), [(0, 0), (1, 0.10), (2, 0.10), (3, 0.15), (4, 0.15), (5, 0.20), (30, 0.20)]
)
def test_fence_steps(skill, count, score):
    assert structural_completeness(skill(body(*fences(count)))).score == score


@pytest.mark.parametrize(
    ("named", "score"),
    [([], 0.20), (["sh"], 0.20), (["sh", "SH"], 0.20), (["sh", "python"], 0.30), (["sh", "python", "json"], 0.35)],
)
def test_language_steps(skill, named, score):
    assert structural_completeness(skill(body(*fences(5, *named)))).score == score


@pytest.mark.parametrize(
    ("block", "score"),
    [
        ("## Examples", 0.15), ("### Usage notes", 0.15), ("## Beispiele", 0.15), ("# Examples", 0),
        ("#### Examples", 0),
        ("```\n## Examples\n```", 0.10), ("For example, this.", 0),
        ("## Troubleshooting", 0.15), ("### Common issues", 0.15), ("## FAQ", 0.15), ("## Trouble", 0),
        ("| a | b |\n| --- | --- |\n| 1 | 2 |", 0.10), ("a | b | c | d", 0), ("```\n| a | b |\n```", 0.10),
        ("It helps with the decision.", 0.05), ("When to use it: now.", 0.05), ("There is a trade-off.", 0.05),
        ("```\ndecision = 1\n```", 0.10), ("<!-- a decision -->", 0),
    ],
)  # fmt: skip
def test_sections_tables_and_choices(skill, block, score):
    """A fence alone gives 0.10; a single section is below the first step."""
    assert structural_completeness(skill(body(block))).score == score


def test_everything_is_one(skill):
    parts = [
        *sections(4),
        "## Examples",
        "## FAQ",
        *fences(5, "sh", "python", "json"),
        "| a |\n| --- |\n| 1 |",
        "A comparison.",
    ]
    assert structural_completeness(skill(body(*parts))).score == 1.0


@pytest.mark.parametrize("count", [5, 18, 99, 199])
def test_a_short_file_is_not_to_be_padded(skill, count):
    parts = progressive_disclosure(skill(lines(count))).parts
    assert parts[0].rank is Rank.LAST and "do not pad" in parts[0].advice and parts[0].advice.startswith("If ")
    assert not any("references/" in part.advice for part in parts)


@pytest.mark.parametrize("count", [200, 600, 601, 900])
def test_a_long_file_is_divided_by_one_change(skill, count):
    parts = [part for part in progressive_disclosure(skill(lines(count))).parts if part.points < part.best]
    assert len({part.edit for part in parts if "references/" in part.advice}) == 1
    assert "references/" in parts[0].advice and parts[0].rank is Rank.PLAIN


def test_languages_are_asked_for_where_blocks_have_none(skill):
    named = structural_completeness(skill(body(*fences(1, "sh")))).parts
    assert not any("language" in part.advice for part in named)
    bare = structural_completeness(skill(body(*fences(2, "sh")))).parts
    assert any("1 without" in part.advice and part.line for part in bare)
