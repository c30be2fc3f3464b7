"""The layer: weights, penalty, agents, and what cannot be measured."""

from math import fsum

import pytest

from plugin_eval_ci.model import Finding, Severity
from plugin_eval_ci.scoring.dimensions import STATIC_SUB_SCORES
from plugin_eval_ci.scoring.measurement import Rank, Unmeasured
from plugin_eval_ci.scoring.static.layer import agent_quality, anti_patterns, harness_portability, static_skill

TEXT = "---\nname: stock-report\ndescription: Writes the report. Use when stock is low.\n---\n\n# Stock report\n"


def finding(rule: str, weight: float | None, anti_pattern: bool = False, target: str = "") -> Finding:
    return Finding(
        rule, Severity.WARNING, anti_pattern, "a/SKILL.md", 1, None, None, "m", "f", target, "0" * 16, weight
    )


@pytest.mark.parametrize(
    ("weights", "score"),
    [((), 1.0), ((0.05,), 0.95), ((0.15, 0.10, 0.05), 0.70), ((0.9, 0.9), 0.0)],
)
def test_portability_sums_severities(weights, score):
    findings = [finding("CLAUDE_TOOL_REFS", weight) for weight in weights]
    assert (
        harness_portability([*findings, finding("NAME_FORMAT", None), finding("MISSING_TRIGGER", 0.15, True)]).score
        == score
    )


def test_one_flag_per_distinct_target():
    found = [
        finding("ORPHAN_REFERENCE", 0.05, True, "references/a.md"),
        finding("ORPHAN_REFERENCE", 0.05, True, "references/a.md"),
        finding("ORPHAN_REFERENCE", 0.05, True, "references/b.md"),
        finding("CLAUDE_TOOL_PROSE", 0.05),
    ]
    assert [one.target for one in anti_patterns(found)] == ["references/a.md", "references/b.md"]


@pytest.mark.parametrize(
    ("flags", "penalty"), [(0, 1.0), (1, 0.95), (2, 0.9), (9, 0.55), (10, 0.5), (11, 0.5), (40, 0.5)]
)
def test_the_layer_is_the_weighted_sum_times_the_penalty(skill, flags, penalty):
    found = [finding("DEAD_CROSS_REF", 0.05, True, str(number)) for number in range(flags)]
    measured = static_skill(skill(TEXT), found)
    scores = {score.name: score.score for score in measured.sub_scores}
    assert measured.score == round(fsum(row.weight * scores[row.name] for row in STATIC_SUB_SCORES) * penalty, 9)
    assert measured.flags == ("DEAD_CROSS_REF",) * flags


def test_every_sub_score_but_portability_feeds_its_dimension(skill):
    measured = static_skill(skill(TEXT), ())
    for row in STATIC_SUB_SCORES:
        score = next(score.score for score in measured.sub_scores if score.name == row.name)
        assert row.dimension is None or measured.dimension(row.dimension) == score
    assert measured.dimension("output_quality") is None


@pytest.mark.parametrize("data", [b"---\0binary", b"\xff\xfe-\0-\0", b"x" * ((1 << 20) + 1)])
def test_what_cannot_be_read_is_unmeasured(skill, data):
    measured = static_skill(skill(data), ())
    assert isinstance(measured, Unmeasured)
    assert "SKILL.md" in measured.reason


def test_an_empty_file_is_measured(skill):
    assert not isinstance(static_skill(skill(""), ()), Unmeasured)


@pytest.mark.parametrize(
    ("header", "score"),
    [
        ("name: stock-checker\n", 0.50),
        ("description: x\n", 0.50),
        (f"description: {'x' * 19}\n", 0.50),
        (f"description: {'x' * 20}\n", 0.55),
        (f"description: {'x' * 39}\n", 0.55),
        (f"description: {'x' * 40}\n", 0.60),
        (f"description: {'货' * 19}\n", 0.50),
        ("description: Use proactively.\n", 0.70),
        ("description: Do not use proactively.\n", 0.55),
        ("tools: Read, Grep\n", 0.60),
        ("tools: [Read]\n", 0.60),
        ("tools: []\n", 0.50),
        ("tools: ''\n", 0.50),
        ("tools: '*'\n", 0.50),
        ("disallowedTools: Bash\n", 0.60),
        ("model: inherit\n", 0.60),
        ("model:\n", 0.50),
        (f"description: Use proactively {'x' * 40}\ntools: Read\nmodel: inherit\n", 1.0),
        ("description: a: b\n", 0.50),
    ],
)
def test_agents(agent, header, score):
    report = agent(header)[1]
    assert report.layers[0].score == score
    assert report.composite.score == round(score * 100, 9)
    assert report.composite.dimensions == ()


def test_a_broken_agent_is_repaired_first(agent):
    one = agent("description: a: b\n")[0]
    (spoken,) = [part for part in agent_quality(one).parts if part.advice]
    assert spoken.rank is Rank.FIRST and one.header.problem.fix in spoken.advice and "unknown" in spoken.advice
