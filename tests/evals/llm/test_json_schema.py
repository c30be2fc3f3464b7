"""Our checker of JSON against a schema agrees with the one everybody uses, and reads JSON out of an answer."""

from __future__ import annotations

import json
import re

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plugin_eval_ci.evals.llm.json_schema import data_of, for_service, problem_of, schema_problem, smallest_value

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 5},
        "score": {"type": "number", "enum": [0, 0.25, 0.5, 0.75, 1]},
        "count": {"type": "integer", "minimum": 1, "maximum": 3},
        "sure": {"type": "boolean"},
        "kind": {"const": "a"},
        "maybe": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "either": {"type": ["string", "integer"]},
        "list": {
            "type": "array",
            "minItems": 1,
            "maxItems": 2,
            "items": {
                "type": "object",
                "properties": {"x": {"type": "string"}},
                "required": ["x"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["name", "score"],
    "additionalProperties": False,
}
JUDGE = jsonschema.Draft202012Validator(SCHEMA)
GOOD = {"name": "n", "score": 0.5}

leaves = st.none() | st.booleans() | st.integers(-1, 4) | st.sampled_from([0.25, 0.3, 1.0, 2.0]) | st.text(max_size=7)
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["x", "y"]), inner)
)
objects = st.fixed_dictionaries({}, optional=dict.fromkeys([*SCHEMA["properties"], "other"], values))
near = st.fixed_dictionaries(
    {"name": st.sampled_from(["", "n", "longer"]), "score": st.sampled_from([0.5, 1, True, 0.4, "1"])},
    optional={
        "count": st.sampled_from([0, 1, 2.0, 2.5, 4, True]),
        "kind": st.sampled_from(["a", "b"]),
        "maybe": st.sampled_from(["s", None, 1]),
        "either": st.sampled_from(["s", 1, 1.5, None]),
        "list": st.lists(st.sampled_from([{"x": "1"}, {"x": 1}, {}, {"x": "1", "y": 1}]), max_size=3),
    },
)


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(values | objects | near)
def test_it_agrees_with_jsonschema(value) -> None:
    problem = problem_of(value, SCHEMA)
    assert (problem is None) == JUDGE.is_valid(value), problem


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(GOOD),
        f"  {json.dumps(GOOD, indent=2)}\n",
        f"Here:\n```json\n{json.dumps(GOOD)}\n```",
        f"```\n{json.dumps(GOOD)}\n```",
        f"I looked at {{this}} and say {json.dumps(GOOD)} because {{that}}",
        f'{{"name": "first"}} {json.dumps(GOOD)}',
    ],
)
def test_the_object_is_found_in_an_answer(text) -> None:
    assert data_of(text, SCHEMA) == GOOD


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no JSON"),
        ("none", "no JSON"),
        ("[" * 200_000, "no JSON"),
        ("{" * 200_000, "no JSON"),
        ('{"name": "n", "score": NaN}', "no JSON"),
        ('{"name": "n"}', "'score' is a required property"),
        ('{"name": "n", "score": 0.6}', "answer.score: 0.6 is not one of [0, 0.25, 0.5, 0.75, 1]"),
        ('{"name": "n", "score": 0.5, "other": 1}', "'other' was unexpected"),
        ('{"name": "n", "score": 0.5, "list": [{"x": 1}]}', "answer.list[0].x: 1 is not of type 'string'"),
        ("[1]", "is not of type 'object'"),
    ],
    ids=range(10),
)
def test_what_does_not_fit_is_said_in_words(text, says) -> None:
    assert says in str(data_of(text, SCHEMA))


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(st.text(alphabet='{}[]",:ab01 `\n'))
def test_whatever_comes_is_read_without_an_error(text) -> None:
    found = data_of(text, SCHEMA)
    assert isinstance(found, str) or JUDGE.is_valid(found)


def test_bounds_become_words_for_the_service_and_the_rest_stays() -> None:
    said = for_service(SCHEMA)
    assert said["properties"]["list"]["description"] == "(minItems 1, maxItems 2)"
    assert said["properties"]["name"] == {"type": "string", "description": "(minLength 1, maxLength 5)"}
    assert not any(f'"{word}"' in json.dumps(said) for word in ("minItems", "maxLength", "minimum"))
    plain = {"type": "object", "properties": {"a": {"enum": [1]}}, "required": ["a"], "additionalProperties": False}
    assert for_service(plain) == plain


def test_a_made_up_value_fits() -> None:
    assert problem_of(smallest_value(SCHEMA), SCHEMA) is None


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ({"$ref": "https://example.org/schema"}, r"\$ref: not among"),
        ({"properties": {"a": {"items": {"pattern": "(a+)+b"}}}}, "pattern: not among"),
        ({"anyOf": [{"$dynamicRef": "#a"}, {"uniqueItems": True}]}, r"\$dynamicRef, uniqueItems: not among"),
        ({"properties": {"a": {"type": "strin"}}}, r"schema\.properties\.a\.type"),
        ({"required": "a"}, r"schema\.required: 'a' is not of type 'array'"),
        ([], "the schema: "),
    ],
)
def test_a_schema_that_cannot_be_checked_says_why(schema, why) -> None:
    assert re.search(why, schema_problem(schema) or "")


def test_a_key_may_be_called_like_a_word_of_json_schema() -> None:
    schema = {"properties": {"pattern": {"const": {"$ref": 1}}, "$ref": {"enum": [{"format": 1}]}}}
    assert schema_problem(schema) is None
    assert problem_of({"pattern": {"$ref": 1}}, schema) is None


def test_a_schema_without_a_bottom_is_refused() -> None:
    schema: dict[str, object] = {}
    for _ in range(300):
        schema = {"items": schema}
    assert "too deeply" in (schema_problem(schema) or "")


def test_what_is_said_of_a_long_answer_is_short() -> None:
    assert len(str(data_of(json.dumps({"name": "x" * 9_000, "score": 1}), SCHEMA))) < 400
