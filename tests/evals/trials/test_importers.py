"""Labels in the forms of other tools: read as they are, in a fixed order, and told by file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from plugin_eval_ci.evals.trials.labels import BrokenLabels
from plugin_eval_ci.evals.trials.values import Labels
from tests.evals.trials.conftest import found_in

Shop = Callable[..., Path]
STOCK, PRICES = "shop:stock-report", "shop:price-list"
QUERIES = [{"query": "how many are left", "should_trigger": True}, {"query": "write a poem", "should_trigger": False}]
OURS = "prompts: [{prompt: mine, expect: target}]"
DOODLE = "model: claude-sonnet-4-5\nshould_fire:\n  - how many are left\nshould_not_fire:\n  - write a poem\n"
WAZA = """\
name: x-triggers
skill: stock-report
should_trigger_prompts:
  - prompt: how many are left
    reason: it counts
    confidence: high
should_not_trigger_prompts:
  - prompt: write a poem
    reason: no
"""
SENSEI = "skill: stock-report\nshouldTriggerPrompts:\n  - how many are left\nshouldNotTriggerPrompts: [write a poem]\n"
EXAM = "kind: trigger\nskill: stock-report\npositive:\n  - how many are left\nnegative:\n  - write a poem\n"
CALIPER = """\
skills: [../../SKILL.md]
tasks:
  - name: fires
    prompt: how many are left
    activates: [stock-report]
  - {name: silent, prompt: write a poem, activates: []}
  - {name: neighbour, prompt: what does it cost, activates: [price-list]}
  - {name: no claim, prompt: do a thing, expect: it is done}
  - {name: gone, prompt: do another, activates: [nobody]}
"""
CASE = "---\nmax_turns: 5\n---\nhow many are left\n"
FIRES = '---\ntype: tool_used\ntool: Skill\ninput_match: \'"skill"\\s*:\\s*"(?:[\\w-]+:)?stock-report"\'\nmin: 1\n---\nfires\n'
SILENT = FIRES.replace("min: 1", "min: 0\nmax: 0")


def labels_of(root: Path, skill: str = STOCK) -> Labels:
    found = found_in(root)
    assert not found.broken
    return next(one for one in found.labels if one.skill == skill)


def pairs(labels: Labels) -> list[tuple[str, tuple[str, ...]]]:
    return [(prompt.text, prompt.expect) for prompt in labels.prompts]


BOTH = [("how many are left", (STOCK,)), ("write a poem", ())]
FORMS = [
    ("skill-creator", {"evals/trigger_eval.json": json.dumps(QUERIES)}),
    ("skill-creator", {"evals/trigger-eval-set.json": json.dumps({"skill_name": "stock-report", "evals": QUERIES})}),
    ("skill-creator", {"evals/evals.json": json.dumps({"evals": [*QUERIES, {"prompt": "a task", "expected": "x"}]})}),
    ("skill-creator", {"evals/trigger-eval.json": json.dumps({"cases": [{"id": "a", "prompt": one["query"], "expected_trigger": one["should_trigger"]} for one in QUERIES]})}),
    ("doodle", {"eval.yaml": DOODLE}),
    ("waza", {"trigger_tests.yaml": WAZA}),
    ("waza", {"evals/trigger_tests.yaml": WAZA}),
    ("waza", {"evals/trigger_tests.yaml": SENSEI}),
    ("waza", {"tests/trigger_tests.yaml": json.dumps({"should_trigger": ["how many are left"], "should_not_trigger": ["write a poem"]})}),
    ("agent-exam", {"evals/routing.yaml": EXAM}),
    ("agent-exam", {"evals/routing.yml": EXAM.replace("stock-report", STOCK)}),
    ("caliper", {"evals/caliper/stock-report.eval.yaml": CALIPER}),
]  # fmt: skip


@pytest.mark.parametrize(("form", "files"), FORMS, ids=range(len(FORMS)))
def test_each_form_is_read_as_it_is(shop: Shop, form: str, files: dict[str, str]) -> None:
    labels = labels_of(shop(files))
    assert labels.form == form
    assert pairs(labels)[:2] == BOTH
    assert labels.file == f"shop/skills/stock-report/{next(iter(files))}"
    assert f"read from {labels.file} ({form})" in labels.notes[0]


def test_the_neighbours_and_the_unknown_of_caliper(shop: Shop) -> None:
    labels = labels_of(shop({"a.eval.yaml": CALIPER}))
    assert pairs(labels) == [*BOTH, ("what does it cost", (PRICES,))]
    assert "1 of 4 prompts are skipped: they expect a skill that is not listed here" in labels.notes


@pytest.mark.parametrize(
    ("files", "place"),
    [
        ({"shop/evals/stock-report/trigger_tests.yaml": WAZA}, "shop/evals/stock-report/trigger_tests.yaml"),
        ({"tests/stock-report/trigger_tests.yaml": WAZA}, "tests/stock-report/trigger_tests.yaml"),
        ({"evals/suites/s/tasks/t.yaml": EXAM}, "evals/suites/s/tasks/t.yaml"),
    ],
)
def test_those_that_stand_above(shop: Shop, files: dict[str, str], place: str) -> None:
    root = shop({}, **files)
    assert labels_of(root).file == place
    assert found_in(root).without == (PRICES,)


def test_cases_of_the_plugin_are_labels_of_the_skill_they_name(shop: Shop) -> None:
    root = shop(
        {},
        **{
            "shop/evals/one/prompt.md": CASE,
            "shop/evals/one/graders/fires.md": FIRES,
            "shop/evals/one/graders/words.md": "---\ntype: regex\npattern: x\n---\n",
            "shop/evals/two/prompt.md": "tell me a joke\n",
            "shop/evals/two/graders/silent.md": SILENT,
            "shop/evals/three/prompt.md": "no claim about skills\n",
            "shop/evals/three/graders/bash.md": "---\ntype: tool_used\ntool: Bash\n---\n",
            "shop/evals/four/prompt.md": "what does it cost\n",
            "shop/evals/four/graders/other.md": FIRES.replace("stock-report", "price\\-list"),
            "shop/evals/four/graders/silent.md": SILENT,
        },
    )
    labels = labels_of(root)
    assert labels.form == "claude plugin eval"
    assert sorted(pairs(labels)) == [
        ("how many are left", (STOCK,)),
        ("tell me a joke", ()),
        ("what does it cost", (PRICES,)),
    ]
    assert pairs(labels_of(root, PRICES)) == [("what does it cost", (PRICES,))]


def test_a_pattern_is_looked_at_and_never_run(shop: Shop) -> None:
    bomb = "(a+)+$" * 20 + "stock-report"
    root = shop(
        {
            "evals/one/prompt.md": CASE,
            "evals/one/graders/a.md": f"---\ntype: tool_used\ntool: Skill\ninput_match: '{bomb}'\n---\n",
        }
    )
    assert pairs(labels_of(root)) == BOTH[:1]


def test_the_order_of_discovery(shop: Shop) -> None:
    files = {"evals/triggers.yaml": OURS}
    for _, more in reversed(FORMS):
        files |= more
    root = shop(files)
    chosen = []
    while mine := [one for one in found_in(root).labels if one.skill == STOCK]:
        chosen.append(mine[0].form)
        (root / mine[0].file).unlink()
    assert list(dict.fromkeys(chosen)) == ["", "skill-creator", "doodle", "waza", "agent-exam", "caliper"]
    assert len(chosen) == len(files)


def test_a_prompt_that_names_the_skill_is_explicit(shop: Shop) -> None:
    queries = [*QUERIES, {"query": "use stock-report on this", "should_trigger": True}]
    labels = labels_of(shop({"evals/trigger_eval.json": json.dumps(queries)}))
    assert [prompt.kind for prompt in labels.prompts] == ["direct", "unrelated", "explicit"]


def test_a_prompt_that_stands_there_twice_counts_once(shop: Shop) -> None:
    labels = labels_of(shop({"evals/trigger_eval.json": json.dumps([*QUERIES, QUERIES[0]])}))
    assert pairs(labels) == BOTH and "1 of 3 prompts are duplicates" in labels.notes[1]


@pytest.mark.parametrize(
    ("file", "text", "line"),
    [
        ("evals/trigger_eval.json", "[{", 1),
        ("evals/trigger_eval.json", '[\n{"query": "a", "should_trigger": "yes"}]', 2),
        ("evals/trigger_eval.json", '[\n{"should_trigger": true}]', 2),
        ("evals/trigger_eval.json", '[{"query": "", "should_trigger": true}]', 1),
        ("evals/trigger_eval.json", "[" * 5_000, 1),
        ("trigger_tests.yaml", "should_trigger_prompts: x", 1),
        ("trigger_tests.yaml", "should_trigger_prompts:\n- reason: x\n", 2),
        ("trigger_tests.yaml", "should_trigger_prompts:\n- 42\n", 2),
    ],
)
def test_a_broken_file_whose_name_says_what_it_is(shop: Shop, file: str, text: str, line: int) -> None:
    (broken,) = found_in(shop({file: text})).broken
    assert isinstance(broken, BrokenLabels)
    assert (broken.file, broken.line) == (f"shop/skills/stock-report/{file}", line)


@pytest.mark.parametrize(
    "files",
    [
        {"eval.yaml": "tasks: [a, b"},
        {"eval.yaml": "name: suite\nskill: stock-report\ntasks: [tasks/*.yaml]\n"},
        {"eval.yaml": "# nothing\n"},
        {"evals/evals.json": json.dumps({"skill_name": "stock-report", "evals": [{"id": 1, "prompt": "a task"}]})},
        {"evals/trigger_eval.json": json.dumps({"skill_name": "price-list", "evals": QUERIES})},
        {"evals/triggers.json": "[]"},
        {"evals/trigger_results.json": json.dumps({"recall": 0.5})},
        {"trigger_tests.yaml": WAZA.replace("stock-report", "other")},
        {"evals/config.yaml": "kind: suite\npositive: [a]\n"},
        {"evals/routing.yaml": EXAM.replace("stock-report", "other")},
        {"a.eval.yaml": CALIPER.replace("[stock-report]", "[price-list]")},
        {"evals/one/prompt.md": CASE},
        {"evals/one/prompt.md": CASE, "evals/one/graders/a.md": "no head"},
        {"evals/one/prompt.md": CASE, "evals/one/graders/a.md": "---\ntype: tool_used\ntool: [\n---\n"},
        {"evals/one/prompt.md": "---\nx: 1\n---\n\n", "evals/one/graders/a.md": FIRES},
        {"references/trigger_eval.json": json.dumps(QUERIES)},
    ],
)  # fmt: skip
def test_what_is_no_labels_of_the_skill_stays_silent(shop: Shop, files: dict[str, str]) -> None:
    found = found_in(shop(files))
    assert found.labels == () and found.broken == ()
    assert found.without == (PRICES, STOCK)


def test_links_to_elsewhere_are_not_read(shop: Shop, tmp_path: Path) -> None:
    secret = tmp_path / "trigger.json"
    secret.write_text(json.dumps(QUERIES))
    root = shop({"evals/x": ""})
    (root / "shop/skills/stock-report/evals/trigger_eval.json").symlink_to(secret)
    (broken,) = found_in(root).broken
    assert "outside the repository" in broken.message
