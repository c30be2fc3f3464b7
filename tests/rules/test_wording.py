"""Names that are nearly the same: what the standard library finds, found faster."""

from difflib import get_close_matches

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plugin_eval_ci.analysis.wording import closest_name

NAMES = st.text(alphabet="abc-", max_size=10)


@settings(max_examples=300, deadline=None)
@given(NAMES, st.lists(NAMES, max_size=12, unique=True))
def test_agrees_with_the_standard_library(name, known):
    assert closest_name(name, known) == next(iter(get_close_matches(name, sorted(known), 1, 0.86)), "")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("ledger-merger", "ledger-merge"),
        ("Ledger-Merge", "ledger-merge"),
        ("ledger-merge-all", ""),
        ("merge-ledger", ""),
        ("invoice", ""),
        ("", ""),
    ],
)
def test_only_what_must_be_meant(name, found):
    assert closest_name(name, {"ledger-merge", "stock-report", ""}) == found
