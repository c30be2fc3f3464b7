"""Checks by code: each with an answer that passes and one that does not."""

from __future__ import annotations

import json

import pytest

from plugin_eval_ci.evals.trials.lift.checks import Check, passes, problem_with

SCHEMA = json.dumps({"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}})
JSON_FENCE = 'Here:\n```json\n{"a": 1}\n```\n'


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        (Check("contains", ("Total", "sum")), "the SUM and the total", "the total"),
        (Check("contains", ("Total",), exact=True), "Total", "total"),
        (Check("contains_any", ("a1", "b2")), "b2", "c3"),
        (Check("not_contains", ("error", "sorry")), "fine", "Sorry"),
        (Check("regex", (r"\d{4}-\d\d",), exact=True), "in 2026-11", "in 26-11"),
        (Check("regex", ("^done$",)), "DONE", "not done yet"),
        (Check("not_regex", ("todo",)), "ready", "a TODO"),
        (Check("json"), '{"a": [1]}', "{a: 1}"),
        (Check("json"), JSON_FENCE, "```json\n{\n```\n"),
        (Check("json_schema", schema=SCHEMA), JSON_FENCE, '{"a": "one"}'),
        (Check("max_length", number=5), "12345", "123456"),
        (Check("min_length", number=5), "12345", "1234"),
        (Check("code", ("python",)), "```python\nx = 1\n```\n", "```python\nx = = 1\n```\n"),
        (Check("code"), "```yaml\na: 1\n```\n```json\n{}\n```\n", "```yaml\na: 1\n```\n```json\n{\n```\n"),
        (Check("code"), "```toml\na = 1\n```\n", "no code at all"),
    ],
)
def test_a_check_tells_good_from_bad(check: Check, good: str, bad: str) -> None:
    assert problem_with(check) is None
    assert passes(check, good) is True
    assert passes(check, bad) is False


@pytest.mark.parametrize(
    ("check", "why"),
    [
        (Check("regex", (r"(a)\1",)), "escape sequence"),
        (Check("not_regex", ("(",)), "RE2 rejects it"),
        (Check("json_schema", schema='{"$ref": "#/a"}'), r"\$ref"),
        (Check("json_schema", schema='{"properties": {"a": {"pattern": "x"}}}'), "pattern"),
        (Check("json_schema", schema='{"properties": [1]}'), "not of type 'object'"),
        (Check("json_schema", schema='{"items": {"type": "strin"}}'), "strin"),
        (Check("json_schema", schema='{"minLength": "2"}'), "minLength"),
        (Check("json_schema", schema='{"minItems": true}'), "minItems"),
        (Check("json_schema", schema='{"type": {"a": []}}'), "schema.type"),
        (Check("code", ("cobol",)), "cobol"),
        (Check("contains", ("",)), "empty"),
    ],
)
def test_a_check_that_cannot_be_made_says_why(check: Check, why: str) -> None:
    assert why.replace("\\", "") in (problem_with(check) or "")


def test_code_in_an_answer_is_read_and_never_run(tmp_path) -> None:
    mark = tmp_path / "ran"
    code = f"```python\nopen({str(mark)!r}, 'w').close()\n```\n"
    assert passes(Check("code"), code) is True
    assert not mark.exists()


def test_an_answer_nested_without_end_fails_quietly() -> None:
    deep = "[" * 60_000
    assert passes(Check("json"), deep) is False
    assert passes(Check("json_schema", schema=SCHEMA), f"```json\n{deep}\n```") is False
    assert passes(Check("code"), f"```json\n{deep}\n```\n") is False
