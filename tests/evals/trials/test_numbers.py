"""Numbers of trials by hand, and what must not change them: the order of the trials, failures, what other skills' labels say."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trial_maker import A, B, C, field, prompt, tried

from plugin_eval_ci.evals.trials.report_values import matrix_of
from plugin_eval_ci.evals.trials.triggering.numbers import Triggering, triggering_numbers
from plugin_eval_ci.evals.trials.values import Prompt, Trial, Unmeasurable


def test_by_hand() -> None:
    """Recall (1 + ⅓)/2 = ⅔, false triggers (⅓ + 0 + ⅓)/3 = 2/9; TP 4/3, FN ⅔, FP ⅔."""
    got = triggering_numbers(field(), A)
    assert isinstance(got, Triggering)
    assert (got.positives, got.negatives, got.clusters) == (2, 3, 5)
    values = [got.recall, got.false_triggers, got.specificity, got.precision, got.f1, got.balanced_accuracy, got.youden]
    want = [2 / 3, 2 / 9, 7 / 9, 2 / 3, 2 / 3, 13 / 18, 4 / 9]
    assert [one.value for one in values] == pytest.approx(want)
    for one in values:
        assert one.interval.low < one.value < one.interval.high
    assert got.flaky == 3 / 5
    assert got.passed == 4 / 5  # prompt 2 fired once in three
    assert dict(got.lost) == pytest.approx({B: 1 / 6, "none": 1 / 6})
    assert got.routed.value == pytest.approx(2 / 3)
    # Pairs of runs that chose the same, of the prompts of this skill: 1, 0, ⅓, 1.
    assert got.agreement.value == pytest.approx(2 * (1 + 0 + 1 / 3 + 1) / 4 - 1)
    assert got.usable == 1.0
    assert dict(got.outcomes) == {"answered": 5, "chose": 9, "other_tools": 1}


def test_what_was_chosen_is_in_the_table_of_prompts() -> None:
    row = next(row for row in triggering_numbers(field(), A).rows if row.prompt.id == "2")
    assert (row.positive, row.hits, row.served, row.runs, row.alike) == (True, 1, 1, 3, 0.0)
    assert dict(row.chosen) == {A: 1, B: 1, "none": 1}


def test_several_skills_are_right() -> None:
    """The home is served by any of them; the other learns nothing from it; a third must stay away."""
    trials = [*tried(prompt("1", A, B), B, B), *tried(prompt("2", A), A, A)]
    assert triggering_numbers(trials, A).recall.value == 1.0
    assert [row.prompt.id for row in triggering_numbers(trials, B).rows] == ["2"]
    assert triggering_numbers(trials, C).false_triggers.value == 0.0


def test_a_sibling_that_is_expected_in_the_labels_of_another_skill() -> None:
    trials = tried(prompt("1", B), A, B)
    assert triggering_numbers(trials, A).false_triggers.value == 0.5
    assert triggering_numbers(trials, B).recall.value == 0.5


def test_a_prompt_counts_once_however_many_runs_it_had() -> None:
    trials = [*tried(prompt("1", A), *[A] * 9), *tried(prompt("2", A), "-")]
    assert triggering_numbers(trials, A).recall.value == 0.5


def test_several_skills_were_chosen() -> None:
    trials = [*tried(prompt("1", A), f"{A}+{B}", f"{B}+{C}"), *tried(prompt("2"), f"{A}+{B}")]
    got = triggering_numbers(trials, A)
    assert (got.recall.value, got.false_triggers.value) == (0.5, 1.0)
    assert dict(got.lost) == {B: 0.25, C: 0.25}


def test_an_error_is_never_a_miss() -> None:
    got = triggering_numbers([*tried(prompt("1", A), A, A, A, "timeout"), *tried(prompt("2"), "-", "-", "-", "-")], A)
    assert (got.recall.value, got.usable) == (1.0, 7 / 8)
    assert dict(got.outcomes) == {"answered": 4, "chose": 3, "timeout": 1}


@pytest.mark.parametrize("kind", ["infra_error", "timeout", "refusal", "truncated", "malformed", "bad_request"])
def test_too_many_failures_measure_nothing(kind: str) -> None:
    good = tried(prompt("1", A), A, A, A)
    assert isinstance(triggering_numbers([*good, *tried(prompt("2"), kind)], A), Triggering)  # 75 % are usable
    got = triggering_numbers([*good, *tried(prompt("2"), kind, kind)], A)
    assert isinstance(got, Unmeasurable)
    assert "2 of 5 trials failed" in got.reason
    assert dict(got.outcomes) == {"chose": 3, kind: 2}


def test_what_was_never_sent_is_missing_and_not_failed() -> None:
    trials = [*tried(prompt("1", A), A, "budget", "not_recorded"), *tried(prompt("2"), "-", "cancelled", "budget")]
    assert triggering_numbers(trials, A).usable == 1.0
    nothing = triggering_numbers(tried(prompt("1", A), "budget", "budget"), A)
    assert isinstance(nothing, Unmeasurable)
    assert nothing.reason == "no trial was made"


def test_no_prompt_says_anything() -> None:
    assert triggering_numbers([], A) == Unmeasurable("no prompt covers it")
    assert isinstance(triggering_numbers(tried(prompt("6", home=B), "-"), A), Unmeasurable)


def test_one_sided_labels_give_one_sided_numbers() -> None:
    got = triggering_numbers([*tried(prompt("1", A), A), *tried(prompt("2", A), "-")], A)
    assert got.recall.value == 0.5
    assert [got.false_triggers, got.specificity, got.precision, got.f1, got.balanced_accuracy, got.youden] == [None] * 6


def test_a_skill_that_never_fires_has_no_precision() -> None:
    got = triggering_numbers([t for name in "1234" for t in tried(prompt(name, *[A] * (name < "3")), "-", "-")], A)
    assert (got.recall.value, got.f1.value, got.precision) == (0.0, 0.0, None)
    assert got.f1.interval.low == 0.0
    assert 0.5 < got.f1.interval.high < 1
    assert dict(got.lost) == {"none": 1.0}


def test_a_perfect_record_is_not_certain() -> None:
    """Drawing again from runs that all agree would give an interval without width."""
    got = triggering_numbers(
        [t for n in range(20) for t in tried(prompt(str(n), *[A] * (n < 10)), *[A if n < 10 else "-"] * 3)], A
    )
    for one in (got.recall, got.specificity, got.precision, got.f1, got.balanced_accuracy, got.youden, got.agreement):
        assert one.value == one.interval.high == 1.0
        assert one.interval.low < 0.85


def test_families_are_the_clusters() -> None:
    apart = [t for n in range(12) for t in tried(prompt(str(n), A), *[A if n % 3 else "-"] * 2)]
    together = [t._replace(prompt=t.prompt._replace(family=str(int(t.prompt.id) % 3))) for t in apart]
    one, other = triggering_numbers(apart, A), triggering_numbers(together, A)
    assert one.recall.value == other.recall.value
    assert (one.clusters, other.clusters) == (12, 3)
    assert other.recall.interval.high - other.recall.interval.low > 1.3 * (
        one.recall.interval.high - one.recall.interval.low
    )
    assert one.icc == pytest.approx(1.0)
    assert one.design_effect == pytest.approx(2.0)


def test_where_the_skill_stood() -> None:
    trials = [
        *tried(prompt("1", A), A, A, position=0),
        *tried(prompt("2", A), A, "-", position=3),
        *tried(prompt("3", A), "-", "-", position=8),
        *tried(prompt("4"), "-", A, position=8),  # says nothing about recall
        *tried(prompt("5", A, home=B), "-", position=0),  # the position is its home's
    ]
    thirds = triggering_numbers(trials, A).thirds
    assert [(third.place, third.recall.value, third.runs) for third in thirds] == [
        ("first", 1.0, 2), ("middle", 0.5, 2), ("last", 0.0, 2)
    ]  # fmt: skip
    assert [third.recall for third in triggering_numbers(field(), A).thirds] == [None] * 3


TRIALS = st.builds(
    lambda name, home, expect, family, run, result, chosen, position: Trial(
        Prompt(name, name, home, tuple(sorted(expect)), family=family), run, result, tuple(sorted(chosen)), position, listed=9
    ),
    st.sampled_from("uvwxyz"), st.sampled_from((A, B)), st.sets(st.sampled_from((A, B, C)), max_size=2), st.sampled_from(("", "f", "g")),
    st.integers(0, 4), st.sampled_from(("chose", "answered", "invalid_name", "timeout", "budget")),
    st.sets(st.sampled_from((A, B, C, "q:z")), max_size=3), st.integers(0, 8),
)  # fmt: skip


def consistent(trials: list[Trial]) -> list[Trial]:
    """One prompt of an id, one trial of a run, and only what chose has chosen."""
    prompts: dict[tuple[str, str], Prompt] = {}
    kept: dict[tuple[str, str, int], Trial] = {}
    for one in trials:
        key = one.prompt.home, one.prompt.id
        one = one._replace(prompt=prompts.setdefault(key, one.prompt))
        if (one.result == "chose") == bool(one.chosen):
            kept.setdefault((*key, one.run), one)
    return list(kept.values())


@settings(deadline=None, max_examples=300)
@given(st.lists(TRIALS, max_size=40).map(consistent), st.integers(0, 1000))
def test_no_order_changes_a_number(trials: list[Trial], seed: int) -> None:
    turned = random.Random(seed).sample(trials, len(trials))
    for skill in (A, B, C):
        assert triggering_numbers(turned, skill) == triggering_numbers(trials, skill)
    assert matrix_of(turned, (A, B)) == matrix_of(trials, (A, B))


@settings(deadline=None, max_examples=300)
@given(st.lists(TRIALS, max_size=40).map(consistent))
def test_whatever_was_tried(trials: list[Trial]) -> None:
    """Shares are shares, intervals hold their value, and the numbers agree with each other."""
    for skill in (A, B, C):
        got = triggering_numbers(trials, skill)
        if isinstance(got, Unmeasurable):
            continue
        for one in (
            got.recall,
            got.false_triggers,
            got.precision,
            got.f1,
            got.balanced_accuracy,
            got.agreement,
            got.routed,
        ):
            if one is not None:
                assert 0 <= one.value <= 1
                if one.interval is not None:
                    assert 0 <= one.interval.low <= one.value + 1e-12
                    assert one.value - 1e-12 <= one.interval.high <= 1
        if got.f1 is not None and got.precision is not None and got.f1.value > 0:
            assert got.f1.value == pytest.approx(2 / (1 / got.precision.value + 1 / got.recall.value))
        if got.recall is not None:
            assert sum(share for _, share in got.lost) == pytest.approx(1 - got.recall.value)
    for line in (*matrix_of(trials, (A, B)).lines, matrix_of(trials, (A, B)).unexpected):
        assert not line.cells or sum(cell.value for cell in line.cells) == pytest.approx(1)
