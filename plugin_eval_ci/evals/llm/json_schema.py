"""JSON in an answer, held to a schema by jsonschema.

Of JSON Schema all is known but what lets a stranger's schema reach out or take long: references, patterns, and what else jsonschema would
search or follow without a bound.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import NoReturn

from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.evals.llm.request import Json

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*?)```", re.DOTALL)
_BOUNDS = ("minItems", "maxItems", "minimum", "maximum", "minLength", "maxLength")
_WORDS = {"$comment", "default", "description", "examples", "title"}  # say something to a reader, and allow everything
_ONE = {"additionalProperties", "contains", "items", "not"}  # hold a schema
_MANY = {"allOf", "anyOf", "oneOf", "prefixItems"}
_KNOWN = {
    *_BOUNDS, *_WORDS, *_ONE, *_MANY, "type", "enum", "const", "properties", "required", "exclusiveMinimum", "exclusiveMaximum",
    "minProperties", "maxProperties", "minContains", "maxContains",
}  # fmt: skip
_MOST_SHOWN = 300  # characters of what jsonschema says: it quotes the value
INSTALL = "pip install 'plugin-eval-ci[llm]'"
_MOST_STARTS = 50  # braces that are tried as the beginning of JSON


def object_schema(**properties: Json) -> Json:
    """The schema of an object that has these and nothing else, in this order."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def data_of(text: str, schema: Json) -> Json | str:
    """The object in an answer: alone, in a code fence, or among words. A text says what does not fit, for a person and the model."""
    problem = "it has no JSON object"
    for value in _objects(text):
        wrong = problem_of(value, schema)
        if wrong is None and isinstance(value, dict):
            return value
        problem = wrong or "it is not an object"
    return problem


def problem_of(value: object, schema: Json, where: str = "the answer") -> str | None:
    """What is wrong with a value, None when it fits."""
    try:
        from jsonschema import Draft202012Validator
        from jsonschema.exceptions import best_match
        from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]
    except ImportError:
        raise UsageError(f"JSON is checked against a schema by jsonschema: {INSTALL}") from None
    try:
        error = best_match(Draft202012Validator(schema, registry=REGISTRY).iter_errors(value))  # fetches nothing
    except RecursionError:
        return f"{where} is nested too deeply to be checked"
    if error is None:
        return None
    message = error.message if len(error.message) <= _MOST_SHOWN else f"{error.message[:_MOST_SHOWN]}…"
    return f"{where}{error.json_path.removeprefix('$')}: {message}"


def schema_problem(schema: object) -> str | None:
    """Why a stranger's schema cannot be checked, None when it can."""
    if unknown := sorted(set(_unknown_in(schema))):
        return f"{', '.join(unknown)}: not among the words of JSON Schema that are checked here"
    return problem_of(schema, {"$ref": "https://json-schema.org/draft/2020-12/schema"}, "the schema")


def _unknown_in(schema: object) -> Iterator[str]:
    if not isinstance(schema, Mapping):
        return
    yield from (str(key)[:40] for key in schema if key not in _KNOWN)
    properties = schema.get("properties", {})
    for one in (
        *(properties.values() if isinstance(properties, Mapping) else ()),
        *(schema[key] for key in _ONE & schema.keys()),
        *(part for key in _MANY & schema.keys() for part in _list(schema[key])),
    ):
        yield from _unknown_in(one)


def for_service(schema: Json) -> dict[str, object]:
    """The schema as the service takes it: bounds, which it refuses, become words of the description."""
    plain: dict[str, object] = {}
    for key, value in schema.items():
        if key == "properties" and isinstance(value, Mapping):
            plain[key] = {name: for_service(_schema(part)) for name, part in value.items()}
        elif key == "items":
            plain[key] = for_service(_schema(value))
        elif key == "anyOf":
            plain[key] = [for_service(_schema(part)) for part in _list(value)]
        elif key not in _BOUNDS:
            plain[key] = value
    bounds = ", ".join(f"{key} {schema[key]}" for key in _BOUNDS if key in schema)
    if bounds:
        plain["description"] = f"{plain.get('description', '')} ({bounds})".strip()
    return plain


def smallest_value(schema: Json) -> object:
    """The smallest value that fits, for a run that only counts what it would ask."""
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else _list(schema["enum"])[0]
    if "anyOf" in schema:
        return smallest_value(_schema(_list(schema["anyOf"])[0]))
    kind = (_list(schema.get("type")) or [schema.get("type")])[0]
    if kind == "object":
        properties = _schema(schema.get("properties", {}))
        return {name: smallest_value(_schema(part)) for name, part in properties.items()}
    if kind == "array":
        return [smallest_value(_schema(schema["items"])) for _ in range(int(_number(schema.get("minItems", 0))))]
    if kind == "string":
        return "x" * max(1, int(_number(schema.get("minLength", 0))))
    if kind in ("number", "integer"):
        return schema.get("minimum", 0)
    return kind == "boolean" or None


def _objects(text: str) -> Iterator[object]:
    """Whatever can be read as JSON, the likeliest first."""
    for part in (text, *_FENCED.findall(text)):
        try:
            yield json.loads(part, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            continue
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    start, tried = text.find("{"), 0
    while start >= 0 and tried < _MOST_STARTS:
        tried += 1
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            yield value
        start = text.find("{", end)


def _schema(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{value!r} is not a schema")
    return value


def _list(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{value!r} is not a number")
    return value


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not valid JSON")
