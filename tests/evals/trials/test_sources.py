"""What the joint interval draws is what the numbers are made of."""

from __future__ import annotations

import pytest
from jointly import joint
from trial_maker import A, field, prompt, tried

from plugin_eval_ci.evals.trials.layer_values import of_judges, of_prompts, of_tasks
from plugin_eval_ci.evals.trials.triggering.numbers import triggering_numbers


def test_all_prompts_give_the_numbers_themselves() -> None:
    measured = triggering_numbers(field(), A)
    source = of_prompts(measured, "f1", "agreement")
    assert source.values(source.items) == pytest.approx(
        {"f1": measured.f1.value, "agreement": measured.agreement.value}
    )
    assert source.intervals == {"f1": measured.f1.interval, "agreement": measured.agreement.interval}
    assert [len(stratum) for stratum in source.strata] == [3, 2]  # wrong ones, right ones


def test_a_family_of_both_kinds_is_drawn_whole() -> None:
    trials = [
        *tried(prompt("1", A, family="f"), A, A),
        *tried(prompt("2", family="f"), A, A),
        *tried(prompt("3", A), "-", "-"),
    ]
    source = of_prompts(triggering_numbers(trials, A), "f1", "agreement")
    assert [len(stratum) for stratum in source.strata] == [1, 1]


def test_what_was_not_measured_is_not_drawn() -> None:
    one_run = [*tried(prompt("1", A), A), *tried(prompt("2"), "-")]
    assert of_prompts(triggering_numbers(one_run, A), "f1", "agreement").values([(1, 1, 0, 1, 0, 0)]) == {"f1": 1.0}
    no_negatives = tried(prompt("1", A), A, A)
    assert of_prompts(triggering_numbers(no_negatives, A), "f1", "agreement").values([(1, 1, 0, 0, 1, 1)]) == {
        "agreement": 1.0
    }


def test_tasks() -> None:
    tasks = [(1.0, 500.0), (0.5, 300.0), (0.0, 100.0)] * 4
    source = of_tasks(tasks, "share", "tokens", lambda cost: 1 - cost / 1_000)
    assert source.values(source.items) == pytest.approx({"share": 0.5, "tokens": 0.7})
    assert source.intervals["share"].low < 0.5 < source.intervals["share"].high
    assert source.intervals["tokens"][:2] == (0.5, 0.9)  # a higher cost is a lower score
    assert of_tasks(tasks[:3], "share", "tokens", lambda cost: cost).intervals.keys() == {"share"}
    assert of_tasks(tasks[:1], "share", "tokens", lambda cost: cost).intervals == {}


def test_judges_count_alike_however_many_samples_they_gave() -> None:
    source = of_judges([(1.0, 1.0, 1.0), (0.0,)], "judge")
    assert source.values(source.items) == {"judge": 0.5}
    assert joint([source], lambda values: values["judge"], seed=1).low < 0.25


def test_of_a_single_judge_the_samples_are_drawn() -> None:
    source = of_judges([(1.0, 0.5, 0.75)], "judge")
    assert source.values(source.items) == {"judge": 0.75}
    assert source.df == 2


def test_no_order_changes_the_interval() -> None:
    tasks = [(1.0, 500.0), (0.5, 300.0), (0.0, 100.0), (0.25, 50.0)]
    judges = [(0.5, 0.75), (1.0, 0.25), (0.0, 0.5)]

    def interval(tasks, judges, trials):
        sources = [
            of_tasks(tasks, "a", "b", lambda cost: 1 - cost / 1_000),
            of_judges(judges, "c"),
            of_prompts(triggering_numbers(trials, A), "d", "e"),
        ]
        return joint(sources, lambda values: sum(values[name] for name in "abcde"), seed=1, resamples=200)

    turned = interval(tasks[::-1], [one[::-1] for one in judges[::-1]], field()[::-1])
    assert turned == interval(tasks, judges, field())
