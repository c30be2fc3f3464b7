"""Changes that must not matter, and changes that must matter in one place only."""

import pytest

from plugin_eval_ci.scoring.report import ScoreReport

TRIGGER = "Builds the weekly stock report from the export. Use when someone asks for stock levels."
BODY = """# Stock report

Reads the `export` that it receives as its input, and returns a table. The output format is fixed.

## When to use

Before the shop opens. See also [label-print](../label-print/SKILL.md).

## Steps

Open the export, count the boxes, then read [the fields](references/fields.md).

```sh
stock export --week 12
```

```python
rows = read("export.csv")
```

## Examples

| shelf | boxes |
| --- | --- |
| A | 12 |

## Troubleshooting

An empty export means that the till is still open.
"""
HEAD = f"---\nname: stock-report\ndescription: {TRIGGER}\n---\n\n"
GOOD = HEAD + BODY
FILES = {"references/fields.md": "boxes: a number\n"}
OTHERS = {
    "skills/label-print/SKILL.md": f"---\nname: label-print\ndescription: {TRIGGER}\n---\n\n# Label print\n\nPrints.\n"
}


def numbers(report: ScoreReport) -> dict[str, float]:
    static = report.layers[0]
    return {"composite": report.composite.score, "layer": static.score, **{s.name: s.score for s in static.sub_scores}}


@pytest.fixture
def good(scored) -> dict[str, float]:
    report = scored(GOOD, FILES, others=OTHERS)
    assert not report.anti_patterns
    return numbers(report)


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\r"),
        "\ufeff" + GOOD,
        "\n".join(
            line + ("  " if line and line != "---" and not line.startswith(("#", "`")) else "")
            for line in GOOD.split("\n")
        ),
        GOOD.rstrip("\n"),
        GOOD.replace(f"name: stock-report\ndescription: {TRIGGER}\n", f"description: {TRIGGER}\nname: stock-report\n"),
        GOOD.replace(TRIGGER, f'"{TRIGGER}"'),
        GOOD.replace("```", "~~~"),
    ],
    ids=["crlf", "cr", "bom", "trailing-blanks", "no-final-newline", "keys", "quotes", "tildes"],
)
def test_what_changes_nothing(scored, good, text):
    assert numbers(scored(text, FILES, others=OTHERS)) == good


def test_a_moved_folder_changes_nothing(scored, good):
    others = {name.replace("skills/", "plugins/shop/skills/"): text for name, text in OTHERS.items()}
    assert numbers(scored(GOOD, FILES, "plugins/shop/skills/stock-report", others)) == good


DIRECTIVES = "\n".join(
    f"You MUST count {word} boxes."
    for word in ("red", "blue", "green", "new", "old", "big", "flat", "wet", "dry", "raw")
)
CHANGES = {
    "trigger removed": (
        GOOD.replace("Use when someone asks for stock levels.", "It holds all of the stock levels."),
        "frontmatter_quality",
    ),
    "name removed": (GOOD.replace("name: stock-report\n", ""), "frontmatter_quality"),
    "description cut": (GOOD.replace(TRIGGER, "Use when stock is low."), "frontmatter_quality"),
    "link broken": (GOOD.replace("../label-print/", "../label-prnt/"), "ecosystem_coherence"),
    "related removed": (GOOD.replace("See also", "And"), "ecosystem_coherence"),
    "examples renamed": (GOOD.replace("## Examples", "## Shelves"), "structural_completeness"),
    "troubleshooting renamed": (GOOD.replace("## Troubleshooting", "## Tills"), "structural_completeness"),
    "table removed": (GOOD.replace("| --- | --- |\n", ""), "structural_completeness"),
    "language removed": (GOOD.replace("```python", "```"), "structural_completeness"),
    "inputs not said": (GOOD.replace("that it receives as its input, and", "and"), "orchestration_wiring"),
    "outputs not said": (
        GOOD.replace("and returns a table. The output format is fixed", "and counts"),
        "orchestration_wiring",
    ),
    "orchestrates": (GOOD.replace("Before the shop opens.", "It orchestrates several agents."), "orchestration_wiring"),
    "twenty directives": (
        GOOD + DIRECTIVES + "\n" + DIRECTIVES.replace("MUST", "ALWAYS").replace("count", "weigh") + "\n",
        "token_efficiency",
    ),
    "lines doubled": (GOOD + "An empty export means that the till is still open.\n" * 3, "token_efficiency"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_lowers_one_sub_score(scored, good, change):
    text, name = CHANGES[change]
    worse = numbers(scored(text, FILES, others=OTHERS))
    assert worse[name] < good[name]
    assert worse["composite"] < good["composite"]
    assert {key: value for key, value in worse.items() if value > good[key]} == {}
    assert {key for key in worse if worse[key] != good[key]} == {name, "layer", "composite"}


@pytest.mark.parametrize(
    ("text", "files", "flag"),
    [
        (CHANGES["trigger removed"][0], FILES, "MISSING_TRIGGER"),
        (CHANGES["link broken"][0], FILES, "DEAD_CROSS_REF"),
        (CHANGES["twenty directives"][0], FILES, "OVER_CONSTRAINED"),
        (GOOD, {"references/other.md": "x\n"}, "ORPHAN_REFERENCE"),
        (GOOD.replace(TRIGGER, "Use when low."), FILES, "EMPTY_DESCRIPTION"),
    ],
)
def test_a_flag_costs_five_per_cent(scored, text, files, flag):
    report = scored(text, files, others=OTHERS)
    assert [finding.rule for finding in report.anti_patterns] == [flag]
    assert report.composite.anti_pattern_penalty == 0.95
