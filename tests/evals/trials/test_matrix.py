"""The matrix by hand."""

from __future__ import annotations

import pytest
from trial_maker import A, B, C, prompt, tried

from plugin_eval_ci.evals.trials.report_values import matrix_of
from plugin_eval_ci.evals.trials.values import Trial

D = "q:d"  # not of the plugin


def field() -> list[Trial]:
    return [
        *tried(prompt("1", A), A, A, B),
        *tried(prompt("2", A), f"{A}+{B}", "-", D),
        *tried(prompt("3", B, home=B), B, B, B),
        *tried(prompt("4"), "-", "-", "invalid_name"),
        *tried(prompt("5", A, B), B, A),  # in the line of its home, where both are right
        *tried(prompt("6", A, B, home=C), C),  # in nobody's
    ]


def shares(line) -> list[float]:
    return [cell.value for cell in line.cells]


def test_by_hand() -> None:
    got = matrix_of(field(), (A, B, C))
    assert got.columns == (A, B, C, "other", "none")
    assert shares(got.lines[0]) == pytest.approx([(2 / 3 + 1 / 6 + 1) / 3, (1 / 3 + 1 / 6) / 3, 0, 1 / 9, 1 / 9])
    assert shares(got.lines[1]) == [0, 1, 0, 0, 0]
    assert shares(got.unexpected) == [0, 0, 0, 0, 1]
    assert (got.lines[0].prompts, got.lines[0].runs) == (3, 8)
    assert got.lines[2] == (C, (), 0, 0, "no prompt was tried")


def test_who_takes_whose() -> None:
    taken = matrix_of(field(), (A, B, C)).taken
    assert [(one.taker, one.owner, round(one.share.value, 3)) for one in taken] == [(B, A, 0.167), ("other", A, 0.111)]
    for one in taken:
        assert 0 < one.share.interval.low < one.share.value < one.share.interval.high


def test_nothing_is_taken_where_nothing_is() -> None:
    assert matrix_of(tried(prompt("1", A), A, "-"), (A, B)).taken == ()
    assert matrix_of([], (A, B)).taken == ()


def test_a_line_of_failures_has_no_cells() -> None:
    got = matrix_of(
        [*tried(prompt("1", A), A, "timeout", "timeout"), *tried(prompt("2", B, home=B), B, "budget")], (A, B)
    )
    assert got.lines[0] == (A, (), 1, 1, "2 of 3 trials failed")
    assert shares(got.lines[1]) == [0, 1, 0, 0]
