"""tools/growth.py: what counts as growing too fast."""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))

import growth


def test_linear_time_has_exponent_one_and_quadratic_time_two():
    assert growth.exponent([0.5, 1, 2, 4]) == 1
    assert growth.exponent([0.1, 0.4, 1.6, 6.4]) == 2


def test_a_limit_that_makes_the_largest_sizes_cheap_hides_nothing():
    assert growth.exponent([0.1, 0.4, 1.6, 1.6]) == 2


def test_what_takes_no_time_is_not_judged():
    assert growth.exponent([0.01, 0.02, 0.05, 0.19]) is None


def test_what_was_stopped_before_it_could_be_judged_is_too_steep():
    assert growth.exponent([9.0]) == math.inf


def test_every_kind_of_page_has_the_size_that_it_is_measured_at(tmp_path):
    for name, piece in growth.BODIES.items():
        assert len(growth.grown(piece, 2_000).encode()) >= 2_000, name
