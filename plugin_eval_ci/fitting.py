"""JSON in an answer, held to a schema: the part of JSON Schema that our requests use, and no more.

Known: type, enum, const, properties, required, additionalProperties: false, items, minItems, maxItems, minimum, maximum, minLength,
maxLength, anyOf. A schema with anything else is a mistake of ours and raises ``ValueError``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import NoReturn

from plugin_eval_ci.ask import Json

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*?)```", re.DOTALL)
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}
_BOUNDS = ("minItems", "maxItems", "minimum", "maximum", "minLength", "maxLength")
_WORDS = {"title", "description"}
_KNOWN = {
    "type",
    "enum",
    "const",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "anyOf",
    *_BOUNDS,
    *_WORDS,
}
_MOST_STARTS = 50  # braces that are tried as the beginning of JSON


def closed(**properties: Json) -> Json:
    """The schema of an object that has these and nothing else, in this order."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def data_of(text: str, schema: Json) -> Json | str:
    """The object in an answer: alone, in a code fence, or among words. A text says what does not fit, for a person and the model."""
    problem = "there is no JSON object in it"
    for value in _objects(text):
        wrong = problem_of(value, schema)
        if wrong is None and isinstance(value, dict):
            return value
        problem = wrong or "it is not an object"
    return problem


def problem_of(value: object, schema: Json, where: str = "the answer") -> str | None:
    """What is wrong with a value, None when it fits."""
    if unknown := set(schema) - _KNOWN:
        raise ValueError(f"no check for {sorted(unknown)}")
    if "anyOf" in schema:
        problems = [problem_of(value, _schema(one), where) for one in _list(schema["anyOf"])]
        return None if None in problems else problems[0]
    if (named := schema.get("type")) and not any(_is(value, one) for one in (_list(named) or [named])):
        return f"{where} must be of type {named}"
    allowed = [schema["const"]] if "const" in schema else _list(schema.get("enum", []))
    if allowed and not any(_same(value, one) for one in allowed):
        return f"{where} must be one of {json.dumps(allowed)}"
    return _out_of_bounds(value, schema, where) or _inside(value, schema, where)


def unknown_in(schema: object) -> tuple[str, ...]:
    """The words of a stranger's schema that are not known here, anywhere in it; what is no schema is named as such."""
    if not isinstance(schema, Mapping):
        return ("what is no object",)
    found = {str(key)[:40] for key in schema if key not in _KNOWN}
    properties = schema.get("properties", {})
    inner = [*properties.values()] if isinstance(properties, Mapping) else [properties]
    if "items" in schema:
        inner.append(schema["items"])
    kinds = schema.get("type", [])
    found.update(str(kind)[:40] for kind in (kinds if isinstance(kinds, list) else [kinds]) if str(kind) not in _TYPES)
    if schema.get("additionalProperties") not in (None, True, False):
        found.add("additionalProperties")
    found.update(bound for bound in _BOUNDS if bound in schema and type(schema[bound]) not in (int, float))
    for one in (*inner, *_list(schema.get("anyOf", []))):
        found.update(unknown_in(one))
    return tuple(sorted(found))


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


def made_up(schema: Json) -> object:
    """The smallest value that fits, for a run that only counts what it would ask."""
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else _list(schema["enum"])[0]
    if "anyOf" in schema:
        return made_up(_schema(_list(schema["anyOf"])[0]))
    kind = (_list(schema.get("type")) or [schema.get("type")])[0]
    if kind == "object":
        properties = _schema(schema.get("properties", {}))
        return {name: made_up(_schema(part)) for name, part in properties.items()}
    if kind == "array":
        return [made_up(_schema(schema["items"])) for _ in range(int(_number(schema.get("minItems", 0))))]
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


def _inside(value: object, schema: Json, where: str) -> str | None:
    if isinstance(value, list) and "items" in schema:
        inner = _schema(schema["items"])
        found = (problem_of(one, inner, f"{where}[{number}]") for number, one in enumerate(value))
        return next((problem for problem in found if problem), None)
    if not isinstance(value, dict):
        return None
    properties = _schema(schema.get("properties", {}))
    for name in _list(schema.get("required", [])):
        if name not in value:
            return f"{where} lacks {name!r}"
    for name, one in value.items():
        if name in properties:
            if problem := problem_of(one, _schema(properties[name]), f"{where}.{name}"):
                return problem
        elif schema.get("additionalProperties") is False:
            return f"{where} has {str(name)[:40]!r}, which is not asked for"
    return None


def _out_of_bounds(value: object, schema: Json, where: str) -> str | None:
    for low, high, size in (
        ("minItems", "maxItems", len(value) if isinstance(value, list) else None),
        ("minLength", "maxLength", len(value) if isinstance(value, str) else None),
        ("minimum", "maximum", value if isinstance(value, int | float) and not isinstance(value, bool) else None),
    ):
        if size is None:
            continue
        if low in schema and size < _number(schema[low]):
            return f"{where}: {low} is {schema[low]}, not {size}"
        if high in schema and size > _number(schema[high]):
            return f"{where}: {high} is {schema[high]}, not {size}"
    return None


def _is(value: object, kind: object) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES[str(kind)])


def _same(value: object, other: object) -> bool:
    return value == other and isinstance(value, bool) == isinstance(other, bool)


def _schema(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{value!r} is no schema")
    return value


def _list(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{value!r} is no number")
    return value


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")
