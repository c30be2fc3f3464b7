"""A report read back: the same value; and every way in which a stranger's JSON can be no report."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surveys import sample, survey, target

from plugin_eval_ci.report.survey import json as survey_json
from plugin_eval_ci.survey.load import NewerError, read_file, read_report
from plugin_eval_ci.survey.report import Market, Shard
from plugin_eval_ci.survey.targets import without_names
from plugin_eval_ci.util.json_values import DamagedError


def whole():
    """The sample as a builder makes it: no names of skills that keep their description."""
    found = sample()
    targets = tuple(one._replace(listing=without_names(one.listing)) if one.listing else one for one in found.targets)
    listing = next(one.listing for one in targets if one.listing)
    return found._replace(targets=targets, markets=(Market("marketplace.json", listing),), notes=("a note",))


def document(**changes):
    found = json.loads(survey_json.render(whole()))
    return json.dumps(found | changes).encode()


def test_what_is_written_is_read_back():
    for one in (whole(), whole()._replace(shards=(Shard(2, 8),)), survey(), survey(target("a\udce9/SKILL.md"))):
        assert read_report(survey_json.render(one).encode()) == one


def test_keys_that_are_not_known_are_ignored():
    assert read_report(document(more=1)) == whole()


def test_what_can_be_derived_is_not_believed():
    found = json.loads(survey_json.render(whole()))
    for one in found["targets"]:
        one |= {"badge": "platinum", "grade": "A+", "confidence_label": "Certified"}
    assert read_report(json.dumps(found | {"summary": None}).encode()) == whole()


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"null", b"1", b"\xff", b"[" * 100_000, b"9" * 5_000, b'{"version": 1, "ski', b'{"version": 999, "other": []}'],
)  # fmt: skip
def test_what_is_no_report_at_all(data):
    with pytest.raises(DamagedError):
        read_report(data)


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"kind": "lint"}, "not a report"),
        ({"schema_version": None}, "schema_version"),
        ({"schema_version": "one"}, "schema_version"),
        ({"date": "yesterday"}, "date"),
        ({"date": 20261130}, "date"),
        ({"depth": "deepest"}, "depth"),
        ({"targets": {}}, "targets"),
        ({"targets": [1]}, r"targets\[0\]"),
        ({"targets": [{"kind": "thing"}]}, r"targets\[0\].kind"),
        ({"targets": [{"kind": "skill", "score": 101}]}, "score"),
        ({"targets": [{"kind": "skill", "score": float("nan")}]}, "score"),
        ({"targets": [{"kind": "skill", "score": float("inf")}]}, "score"),
        ({"targets": [{"kind": "skill", "score": 10**400}]}, "score"),
        ({"targets": [{"kind": "skill", "score": True}]}, "score"),
        ({"targets": [{"kind": "skill", "path": 1}]}, "path"),
        ({"targets": [{"kind": "skill", "context_cost": {"installed": -1}}]}, "installed"),
        ({"targets": [{"kind": "skill", "dimensions": {"x": 2}}]}, "dimensions"),
        ({"targets": [{"kind": "skill", "listing": {}}]}, "budgets"),
        ({"targets": [{"kind": "skill", "owners": [1]}]}, r"owners\[0\]"),
        ({"findings": [{"severity": "fatal"}]}, "severity"),
        ({"findings": [{"severity": "error", "line": "1"}]}, "line"),
        ({"shards": {"numbers": [3], "total": 2}}, "shards"),
        ({"shards": {"numbers": [1, 1], "total": 2}}, "shards"),
        ({"shards": {"numbers": [], "total": 2}}, "shards"),
        ({"history": [{"date": "x"}]}, r"history\[0\]"),
        ({"markets": [{"path": "m"}]}, "listing"),
        ({"notes": "x"}, "notes"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(changes, place):
    with pytest.raises(DamagedError, match=place):
        read_report(document(**changes))


def test_a_later_form_is_told_from_a_damaged_one():
    with pytest.raises(NewerError, match=r"9\.0"):
        read_report(document(schema_version="9.0"))


def test_a_file_that_is_none(tmp_path):
    with pytest.raises(OSError, match="No such file"):
        read_file(str(tmp_path / "none.json"))


@settings(max_examples=200, deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["kind", "targets", "path", "score", "findings", "date", "x"]), inner, max_size=4), max_leaves=20), st.sampled_from(["targets", "findings", "shards", "history", "markets", "notes", "tool", "depth", "name", "methodology"]))  # fmt: skip
def test_any_json_is_a_report_or_damaged(value, key):
    try:
        read_report(document(**{key: value}))
    except DamagedError as error:
        assert str(error)
