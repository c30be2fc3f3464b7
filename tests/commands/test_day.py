"""The day that a report carries."""

import datetime

import pytest

from plugin_eval_ci.commands.report_date import day_of
from plugin_eval_ci.errors import UsageError


def test_what_is_given_wins():
    assert day_of("2026-11-30", {"SOURCE_DATE_EPOCH": "0"}) == "2026-11-30"
    assert day_of("2024-02-29", {}) == "2024-02-29"


def test_reproducible_builds_say_the_day_in_seconds():
    assert day_of(None, {"SOURCE_DATE_EPOCH": "1796083199"}) == "2026-11-30"
    assert day_of(None, {"SOURCE_DATE_EPOCH": "0"}) == "1970-01-01"


def test_else_it_is_today():
    before = datetime.datetime.now(datetime.UTC).date().isoformat()
    assert before <= day_of(None, {}) <= datetime.datetime.now(datetime.UTC).date().isoformat()
    assert before <= day_of("", {"SOURCE_DATE_EPOCH": ""})


@pytest.mark.parametrize("day", ["2026-11-31", "2026-1-1", "20261130", "yesterday", "2026-11-30\n", "٢٠٢٦-11-30"])
def test_what_is_no_day_is_refused(day):
    with pytest.raises(UsageError, match="--date"):
        day_of(day, {})


@pytest.mark.parametrize("epoch", ["-1", "1e9", "now", "9" * 12, "9" * 40])
def test_what_are_no_seconds_is_refused(epoch):
    with pytest.raises(UsageError, match="SOURCE_DATE_EPOCH"):
        day_of(None, {"SOURCE_DATE_EPOCH": epoch})
