"""What makes labels a poor measure; good ones stay without a note."""

from __future__ import annotations

import time

import pytest

from plugin_eval_ci.evals.trials.catalogue import Names
from plugin_eval_ci.evals.trials.labels import quality
from plugin_eval_ci.evals.trials.values import Labels, Prompt
from plugin_eval_ci.model import Skill

OWN = "shop:stock-report"
TOPICS = [
    "zinc",
    "bolts",
    "blue",
    "crates",
    "oak",
    "planks",
    "steel",
    "pipes",
    "wool",
    "socks",
    "glass",
    "jars",
    "rubber",
    "hoses",
    "paper",
    "rolls",
    "copper",
    "wire",
    "cork",
    "mats",
    "linen",
    "sheets",
    "tin",
    "cans",
    "silk",
    "ribbons",
    "clay",
    "pots",
    "lamp",
    "oil",
    "chalk",
    "sticks",
]


def good(**changes: object) -> list[Prompt]:
    """Eight of either side, two thirds in holdout, of different words."""
    prompts = []
    for at in range(18):
        positive = at < 9
        words = " ".join(TOPICS[(2 * at) % len(TOPICS) :][:2])
        text = f"any {words} spare, boss wants {at}" if positive else f"paint {words} green by {at} o'clock"
        kind = "implicit" if positive else "near_miss" if at % 2 else "unrelated"
        expect = (OWN,) if positive else ()
        split = "dev" if at % 3 == 2 else "holdout"
        prompts.append(Prompt(f"p{at}", text, OWN, expect, kind, split=split, line=at + 1)._replace(**changes))
    return prompts


def look(prompts: list[Prompt], stock: tuple[Skill, Names], kinds: bool = True) -> list[tuple[str, int, str]]:
    notes = quality.notes_on(Labels(OWN, "f", "", tuple(prompts)), *stock, kinds)
    return [(note.level, note.line, note.message) for note in notes]


def test_good_labels_have_no_notes(stock: tuple[Skill, Names]) -> None:
    assert look(good(), stock) == []


@pytest.mark.parametrize(
    "text",
    [
        "use stock-report now", "use Stock-Report now", "run /stock-report", "shop:stock-report please", "/shop:stock-report",
        "the `stock-report` thing", "open stock-report.", "try stock-report/other",
    ],
)  # fmt: skip
def test_a_prompt_that_names_the_skill_is_not_tried(stock: tuple[Skill, Names], text: str) -> None:
    prompts = good()
    prompts[3] = prompts[3]._replace(text=text)
    ((level, line, message),) = look(prompts, stock)
    assert (level, line) == ("error", 4) and "p3 names the skill" in message
    labels = Labels(OWN, "f", "", tuple(prompts))
    assert len(quality.usable_prompts(labels, quality.notes_on(labels, *stock))) == 17
    prompts[3] = prompts[3]._replace(kind="explicit")
    assert look(prompts, stock) == []


@pytest.mark.parametrize(
    "text",
    ["a stock report for me", "restock-report", "stock-reports differ", "stock-report-2 is gone", "report the stock"],
)
def test_words_that_only_look_like_the_name(stock: tuple[Skill, Names], text: str) -> None:
    prompts = good()
    prompts[3] = prompts[3]._replace(text=text)
    assert look(prompts, stock) == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("use the pdf skill", True), ("use the `pdf` skill", True), ("/pdf this", True), ("open skill pdf", True), ("skill: pdf", True),
        ("$pdf go", True), ("docs:pdf", True), ("make a pdf of it", False), ("see a/pdf", False), ("./pdf/x", False),
        ("pdf skills are rare", False), ("x.pdf", False), ("skillpdf", False), ("", False),
    ],
)  # fmt: skip
def test_a_name_that_is_a_word(text: str, named: bool) -> None:
    assert quality.names_skill(text, Names("docs:pdf", {"pdf": "docs:pdf", "docs:pdf": "docs:pdf"})) is named


@pytest.mark.parametrize(
    ("text", "leaks"),
    [
        ("tell me how much of a thing is left", True),  # seven words of the description
        ("Asks: HOW MUCH, of a thing is left?", True),
        ("how much of a thing is here", False),  # six
        ("what is left of a thing in the depot", False),
    ],
)
def test_words_of_the_description(stock: tuple[Skill, Names], text: str, leaks: bool) -> None:
    prompts = good()
    prompts[3] = prompts[3]._replace(text=text)
    assert bool(look(prompts, stock)) is leaks


def test_leaks_where_words_are_not_separated(stock: tuple[Skill, Names]) -> None:
    from plugin_eval_ci.evals.trials.labels.quality import _leaks

    said = "倉庫に残っている商品の数を数えて報告します。"
    copied = Prompt("a", "倉庫に残っている商品の数を数えて", OWN, (OWN,))
    short = Prompt("b", "倉庫に残っている商品", OWN, (OWN,))
    assert [note.prompt for note in _leaks([copied, short], said)] == ["a"]


def test_one_sided_sets(stock: tuple[Skill, Names]) -> None:
    assert look(good()[:9], stock) == [("error", 1, "one-sided: without a negative prompt nothing can be concluded")]
    assert look(good()[9:], stock) == [("error", 1, "one-sided: without a positive prompt nothing can be concluded")]


def test_too_few(stock: tuple[Skill, Names]) -> None:
    few = [one for at, one in enumerate(good()) if at not in (0, 1, 2)]
    (note,) = look(few, stock)
    assert "6 positive prompts; at least 8" in note[2]
    assert look([one for at, one in enumerate(good()) if at not in (0, 17)], stock) == []


def test_near_misses(stock: tuple[Skill, Names]) -> None:
    prompts = [one._replace(kind="unrelated") if not one.expect else one for one in good()]
    (note,) = look(prompts, stock)
    assert "0 of 9 negative prompts are near misses" in note[2]
    assert look(prompts, stock, kinds=False) == []
    assert look([one._replace(kind="adversarial") if not one.expect else one for one in good()], stock) == []


def test_families(stock: tuple[Skill, Names]) -> None:
    prompts = good(split="holdout")
    assert look([one._replace(family=f"f{at // 2}") for at, one in enumerate(prompts)], stock) == []
    (note,) = look([one._replace(family="f") if at < 4 else one for at, one in enumerate(prompts)], stock)
    assert note[1] == 1 and "the family f is 4 of 9 positive prompts" in note[2]
    split = good()
    (note,) = look([one._replace(family="f") if at in (1, 2) else one for at, one in enumerate(split)], stock)
    assert note[1] == 3 and "in both dev and holdout" in note[2]


def test_the_split_is_stratified(stock: tuple[Skill, Names]) -> None:
    (note,) = look([one._replace(split="dev" if one.expect else "holdout") for one in good()], stock)
    assert "not stratified: 100% of the prompts in dev are positive, 0% of those in holdout" in note[2]
    assert look(good(split="dev"), stock) == []


def test_near_duplicates(stock: tuple[Skill, Names]) -> None:
    prompts = good()
    prompts[4] = prompts[4]._replace(text=prompts[0].text.replace("boss", "my boss").upper())
    (note,) = look(prompts, stock)
    assert note[1] == 5 and "p4 is nearly the same as p0 (line 1)" in note[2]
    same = [one._replace(family="f", split="holdout") if at in (0, 4) else one for at, one in enumerate(prompts)]
    assert look(same, stock) == []


def test_unreviewed(stock: tuple[Skill, Names]) -> None:
    prompts = good()
    prompts[5] = prompts[5]._replace(reviewed=False)
    (note,) = look(prompts, stock)
    assert note[:2] == ("warning", 6) and "1 of 18 prompts are not reviewed" in note[2]


def test_many_prompts_take_no_long_time(stock: tuple[Skill, Names]) -> None:
    words = "lorem ipsum dolor sit amet " * 37  # 2 MB in all, the most that is read
    prompts = [Prompt(f"p{at}", f"{words}{at % 1_900}", OWN, (OWN,) if at % 2 else ()) for at in range(2_000)]
    started = time.monotonic()
    notes = look(prompts, stock)
    assert time.monotonic() - started < 30
    assert sum("nearly the same" in note[2] for note in notes) == 100
