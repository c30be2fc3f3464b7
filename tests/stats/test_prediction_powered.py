"""Corrections by hand, and how often their intervals hold the truth."""

from __future__ import annotations

import random
from math import sqrt

import pytest
from scipy import stats as reference

from plugin_eval_ci.stats.agreement_with_labels import kendall, spearman
from plugin_eval_ci.stats.prediction_powered import corrected_mean, corrected_score, corrected_share

PAIRS = [(0.0, 0.25), (0.5, 0.5), (0.5, 0.75), (1.0, 1.0)]
OTHERS = [0.25, 0.75, 0.75, 1.0]


def test_mean_by_hand() -> None:
    # labels 0, .5, .5, 1: mean .5; scores .25, .5, .75, 1: mean .625, variance 0.3125/3; covariance 0.375/3, so slope 1.2, halved
    # by 1 + 4/4 to 0.6; rest: -0.15, 0.2, 0.05, 0.4: mean 0.125; others: mean 0.6875, variance 0.296875/3
    found = corrected_mean(PAIRS, OTHERS)
    assert found.value == pytest.approx(0.125 + 0.6 * 0.6875)
    rest = [-0.15, 0.2, 0.05, 0.4]
    square = sum((one - 0.125) ** 2 for one in rest) / 3 / 4 + 0.36 * (0.296875 / 3) / 4
    half = reference.t.ppf(0.975, 3) * sqrt(square)
    assert found.interval.low == pytest.approx(found.value - half)
    assert found.interval.high == pytest.approx(min(1.0, found.value + half))
    assert (found.interval.method, found.interval.n) == ("ppi++", 4)


def test_a_judge_that_knows_nothing_is_left_out() -> None:
    labels = [0.0, 1.0, 0.0, 1.0]
    for scores in ([0.5] * 4, [1.0, 0.0, 1.0, 0.0]):
        found = corrected_mean(list(zip(labels, scores, strict=True)), [0.9] * 50)
        assert found.value == pytest.approx(0.5)
    assert corrected_mean(PAIRS, []).value == pytest.approx(0.5)
    assert corrected_mean(PAIRS[:1], OTHERS) is None


def test_share_by_hand() -> None:
    # sensitivity 9/10, specificity 7/10; 60 of 100 pass: (0.6 + 0.7 - 1) / 0.6 = 0.5
    found = corrected_share(60, 100, 9, 10, 7, 10)
    assert found.value == pytest.approx(0.5)

    def one(hits: int, n: int) -> float:
        return (hits + 1) / (n + 2) * (1 - (hits + 1) / (n + 2)) / n

    half = reference.t.ppf(0.975, 19) * sqrt((one(60, 100) + 0.25 * one(9, 10) + 0.25 * one(7, 10)) / 0.36)
    assert found.interval.low == pytest.approx(max(0.0, 0.5 - half))
    assert found.interval.high == pytest.approx(0.5 + half)


@pytest.mark.parametrize(
    "numbers", [(60, 100, 5, 10, 5, 10), (60, 100, 1, 10, 1, 10), (0, 0, 9, 10, 7, 10), (6, 9, 0, 0, 7, 9)]
)
def test_no_share_from_a_judge_that_guesses_or_without_both_kinds(numbers: tuple[int, ...]) -> None:
    assert corrected_share(*numbers) is None


def test_a_share_stays_between_0_and_1() -> None:
    low, high = corrected_share(1, 100, 9, 10, 7, 10), corrected_share(99, 100, 9, 10, 7, 10)
    assert (low.value, low.interval.low, high.value, high.interval.high) == (0.0, 0.0, 1.0, 1.0)


def test_one_score_by_hand() -> None:
    labels, scores = [0.0, 0.25, 0.5, 0.5], [0.25, 0.5, 0.75, 1.0]
    line = reference.linregress(scores, labels)
    found = corrected_score(list(zip(labels, scores, strict=True)), 0.75)
    assert line.slope < 1
    assert found.value == pytest.approx(line.intercept + line.slope * 0.75)
    left = sum((label - line.intercept - line.slope * one) ** 2 for label, one in zip(labels, scores, strict=True)) / 2
    off = (0.75 - 0.625) ** 2 / sum((one - 0.625) ** 2 for one in scores)
    half = reference.t.ppf(0.975, 2) * sqrt(left * (1 + 1 / 4 + off))
    assert found.interval.high == pytest.approx(min(1.0, found.value + half))
    assert corrected_score(PAIRS[:2], 0.5) is None
    assert corrected_score([(0.25, 0.5)] * 5, 0.9).value == pytest.approx(0.25)  # no slope to learn from


def draws(seed: int, labels: int, others: int, bias: float) -> tuple[list[tuple[float, float]], list[float]]:
    """Skills with a true level; people give it with noise to the nearest anchor, the judge too, with a bias."""
    draw = random.Random(seed)

    def anchor(value: float) -> float:
        return round(4 * min(1.0, max(0.0, value))) / 4

    def one() -> tuple[float, float]:
        level = draw.betavariate(2, 2)
        return anchor(level + draw.gauss(0, 0.1)), anchor(level + bias + draw.gauss(0, 0.1))

    return [one() for _ in range(labels)], [one()[1] for _ in range(others)]


def test_the_corrected_mean_holds_the_truth_where_the_judge_does_not() -> None:
    truth, held, wider, plain = 0.5, 0, 0, 0
    for seed in range(400):
        pairs, others = draws(seed, 30, 200, 0.15)
        found = corrected_mean(pairs, others).interval
        alone = corrected_mean(pairs, []).interval
        naive = sum(others) / len(others)
        half = 1.96 * sqrt(sum((one - naive) ** 2 for one in others) / 199 / 200)
        held += found.low <= truth <= found.high
        plain += naive - half <= truth <= naive + half
        wider += alone.high - alone.low > found.high - found.low
    assert 0.925 <= held / 400 <= 0.985
    assert plain / 400 < 0.05  # the judge alone, sure of itself and wrong
    assert wider / 400 > 0.95  # and the labels alone say less


def test_the_corrected_share_holds_the_truth() -> None:
    held = 0
    for seed in range(400):
        draw = random.Random(seed)
        truth = [draw.random() < 0.4 for _ in range(250)]
        judge = [draw.random() < (0.93 if one else 0.30) for one in truth]
        labelled = list(zip(truth[:60], judge[:60], strict=True))
        hits = [one for real, one in labelled if real]
        misses = [not one for real, one in labelled if not real]
        found = corrected_share(sum(judge[60:]), 190, sum(hits), len(hits), sum(misses), len(misses)).interval
        held += found.low <= 0.4 <= found.high
    assert 0.925 <= held / 400 <= 0.99


def test_the_line_holds_the_next_label() -> None:
    held = 0
    for seed in range(400):
        pairs, _ = draws(seed, 31, 0, 0.15)
        (label, score), known = pairs[0], pairs[1:]
        found = corrected_score(known, score).interval
        held += found.low <= label <= found.high
    assert 0.92 <= held / 400 <= 0.99


def test_ranks_agree_with_scipy() -> None:
    draw = random.Random(3)
    for _ in range(50):
        ones = [draw.randint(0, 4) / 4 for _ in range(12)]
        others = [draw.random() for _ in range(12)]
        assert spearman(ones, others) == pytest.approx(reference.spearmanr(ones, others).statistic)
        assert kendall(ones, others) == pytest.approx(reference.kendalltau(ones, others).statistic)
    assert spearman([1, 1, 1], [1, 2, 3]) is None
    assert kendall([1, 2, 3], [2, 2, 2]) is None
    assert spearman([1], [1]) is None and kendall([1], [1]) is None
