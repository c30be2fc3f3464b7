"""3.1: every step of frontmatter_quality, just below and at its threshold."""

import pytest

from plugin_eval_ci.scoring.measurement import Rank
from plugin_eval_ci.scoring.static.frontmatter_quality import frontmatter_quality


def header(description: str, more: str = "") -> str:
    return f"---\nname: stock-report\ndescription: {description}\n{more}---\n\n# Stock report\n"


# A text of one letter says nothing: only its length counts. From 40 characters on, trigger quality adds 0.06.
@pytest.mark.parametrize(
    ("length", "points"),
    [
        (1, 0.0),
        (9, 0.0),
        (10, 0.05),
        (29, 0.05),
        (30, 0.15),
        (39, 0.15),
        (40, 0.21),
        (59, 0.21),
        (60, 0.26),
        (99, 0.26),
        (100, 0.31),
    ],
)
def test_length_steps(skill, length, points):
    assert frontmatter_quality(skill(header("x" * length))).score == pytest.approx(0.15 + points, abs=1e-12)


@pytest.mark.parametrize(
    ("length", "points"), [(4, 0.0), (5, 0.05), (14, 0.05), (15, 0.15), (20, 0.21), (30, 0.26), (50, 0.31)]
)
def test_a_chinese_character_counts_two(skill, length, points):
    assert frontmatter_quality(skill(header("货" * length))).score == pytest.approx(0.15 + points, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("---\nname: stock-report\n---\n", 0.15),
        ("---\nname: other\n---\n", 0.15),
        ("---\nlicense: MIT\n---\n", 0.10),
        ('---\nname: ""\n---\n', 0.10),
        ("---\nname:\n---\n", 0.10),
        ("---\nname: 12\n---\n", 0.0),
        ("---\nname: [a]\n---\n", 0.0),
        ("---\nname: stock-report\ndescription: [a]\n---\n", 0.0),
        ("---\nname: stock-report\ndescription:\n---\n", 0.15),
        ("---\nname: a: b\n---\n", 0.0),
        ("---\nname: stock-report\n", 0.0),
        ("# Stock report\n", 0.0),
        ("\n---\nname: stock-report\n---\n", 0.0),
        ("", 0.0),
    ],
)
def test_name(skill, text, points):
    assert frontmatter_quality(skill(text)).parts[0].points == points


# Each pair differs in one thing; the difference is that thing's points times 0.60.
@pytest.mark.parametrize(
    ("without", "with_it", "points"),
    [
        ("Writes stock reports, always in the same form it had.", "Writes stock reports. Use when stock is low.", 0.25),
        (
            "Writes stock reports once more than was asked of it.",
            "Writes stock reports proactively, as asked of it.",
            0.15,
        ),
        ("Writes stock reports once more than was asked of it.", "Writes stock reports automatically, as asked.", 0.10),
        ("Use when stock is low and the shelf has been empty.", "Use when stock is low, the shelf is empty.", 0.10),
        (
            "Use when stock is low, empty, old or lost in a shop.",
            "Use when stock is low or lost in a large shop.",
            -0.10,
        ),
        (
            "Use when stock is low and the shelf has been empty.",
            "Use when reading exports of a shelf that is empty.",
            0.15,
        ),
    ],
)
def test_trigger_quality_parts(skill, without, with_it, points):
    before = frontmatter_quality(skill(header(f"{without}".ljust(60, "x"))))
    after = frontmatter_quality(skill(header(f"{with_it}".ljust(60, "x"))))
    assert after.score - before.score == pytest.approx(0.6 * points, abs=1e-9)


@pytest.mark.parametrize(
    ("description", "points"),
    [
        ("Use when stock is low.", 0.0),
        ("Use when stock is low, or old.", 0.06),
        ("Use when stock is low, old, or gone.", 0.06),
        ("Use when stock is low, old, gone, or lost.", 0.12),
        ("Use when stock is low, old, gone, lost, or sold.", 0.12),
        ("Stock that is low, old, gone, lost.", 0.0),
    ],
)
def test_contexts_are_the_items_after_the_first(skill, description, points):
    assert frontmatter_quality(skill(header(description))).parts[5].points == pytest.approx(points)


def test_the_best_description_reaches_0_97(skill):
    when = "when reading exports, checking shelves, filling orders, or closing a shop"
    assert (
        frontmatter_quality(skill(header(f"Writes stock reports. Use proactively and automatically {when}."))).score
        == 0.97
    )


def test_the_phrases_of_when_to_use_count(skill):
    plain = frontmatter_quality(skill(header("Writes the weekly report about the stock.")))
    more = frontmatter_quality(
        skill(header("Writes the weekly report about the stock.", "when_to_use: Use when stock is low, or old.\n"))
    )
    assert more.score - plain.score == pytest.approx(0.6 * (0.25 + 0.10))


@pytest.mark.parametrize(
    "description",
    [
        "库存报告。当用户需要库存报告时使用。",
        "在庫レポート。在庫を確認する時に使用。",
        "Écrit le rapport. À utiliser quand le stock est bas.",
    ],
)
def test_triggers_of_other_languages_count(skill, description):
    assert frontmatter_quality(skill(header(description))).parts[2].points == pytest.approx(0.15)


def test_every_missing_part_says_what_to_do(skill):
    parts = frontmatter_quality(skill(header("x"))).parts
    spoken = {part.edit for part in parts if part.advice}
    assert all(part.advice or part.edit in spoken for part in parts if part.points < part.best)


def advice(parts) -> list[str]:
    return [part.advice for part in parts if part.points < part.best and part.advice]


@pytest.mark.parametrize("text", ["---\nname: a: b\n---\n", "---\nname: stock-report\n", "# Stock report\n", ""])
def test_a_header_that_cannot_be_read_is_repaired_before_anything_is_said_about_it(skill, text):
    one = skill(text)
    parts = frontmatter_quality(one).parts
    assert len(advice(parts)) == 1
    assert one.header.problem.fix in parts[0].advice and "unknown" in parts[0].advice
    assert (parts[0].rank, parts[0].line) == (Rank.FIRST, one.header.problem.line)


def test_a_name_of_another_kind_leaves_the_description_known(skill):
    parts = frontmatter_quality(skill("---\nname: 12\ndescription: x\n---\n")).parts
    assert "name as quoted text" in parts[0].advice and "unknown" not in parts[0].advice
    assert len(advice(parts)) > 1
    parts = frontmatter_quality(skill("---\nname: stock-report\ndescription: [a]\n---\n")).parts
    assert len(advice(parts)) == 1 and "unknown" in parts[0].advice


@pytest.mark.parametrize("description", ["''", "x", "x" * 50, "Use when stock is low.", "Writes reports of the stock."])
def test_nothing_asks_for_words_that_are_not_meant(skill, description):
    for part in frontmatter_quality(skill(header(description))).parts:
        if any(word in part.advice for word in ("proactively", "automatically")):
            assert part.advice.startswith("If ") and part.rank is Rank.IF_MEANT
    plain = [part for part in frontmatter_quality(skill(header(description))).parts if part.rank is Rank.PLAIN]
    lengths = [part for part in plain if "characters" in part.advice and part.points < part.best]
    assert len(lengths) <= 1


RULED_OUT = "If a model should pick it by its description, which its frontmatter now prevents"


@pytest.mark.parametrize(
    ("more", "ruled_out"),
    [
        ("", False),
        ("disable-model-invocation: false\n", False),
        ("paths: ''\n", False),
        ("disable-model-invocation: true\n", True),
        ('paths: ["**/*.csv"]\n', True),
    ],
)
def test_who_no_model_picks_is_advised_so_only_if_meant(skill, more, ruled_out):
    parts = frontmatter_quality(skill(header("Counts what is left on the shelves of one hall.", more))).parts
    says_when = next(part for part in parts if "Use when" in part.advice)
    assert says_when.advice.startswith(RULED_OUT) is ruled_out
    assert (says_when.rank is Rank.IF_MEANT) is ruled_out
    proactive = next(part for part in parts if "proactively" in part.advice)
    assert proactive.advice.startswith("If ") and proactive.advice.count("If ") == 1


def test_the_number_is_the_same_whoever_picks_it(skill):
    plain = frontmatter_quality(skill(header("Counts what is left on the shelves of one hall.")))
    hidden = frontmatter_quality(skill(header("Counts what is left on the shelves of one hall.", "disable-model-invocation: true\n")))  # fmt: skip
    assert plain.score == hidden.score
