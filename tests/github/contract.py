"""Requests and answers against GitHub's own description (github-openapi.json says where it is from)."""

import json
import re
from pathlib import Path

import jsonschema

CONTRACT = json.loads((Path(__file__).parent / "github-openapi.json").read_text("utf-8"))


def operation(method, path):
    """The description of a request; None for one that GitHub does not have."""
    for pattern, methods in CONTRACT["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", pattern), path) and method.lower() in methods:
            return methods[method.lower()]
    return None


def breaches(method, path, query, body, status=None, answer=None) -> list[str]:
    """What GitHub's description says against a request, and against an answer (of a stub) with the keys that we read."""
    if path == "/graphql":
        return [] if isinstance(body, dict) and set(body) <= {"query", "variables"} else ["graphql body"]
    known = operation(method, path)
    if known is None:
        return [f"{method} {path}: no such operation"]
    found = [f"query {name}" for name in query if name not in known["query"]]
    for name, text in query.items():
        schema = known["query"].get(name, {})
        value = int(text) if schema.get("type") == "integer" and text.isdecimal() else text
        found += [f"query {name}: {error.message}" for error in _errors(value, schema)]
        found += [f"query {name}: over 100"] if name == "per_page" and int(text) > 100 else []
    if (body is None) != (known["body"] is None):
        found.append("body")
    elif body is not None:
        found += [f"body: {error.message}" for error in _errors(body, known["body"])]
        found += [f"body: {key} is unknown" for key in _unknown(body, known["body"])]
    if status is not None and status < 400:
        found += _answer(known["answers"], str(status), answer)
    return [f"{method} {path}: {one}" for one in found]


def _answer(answers, status, value):
    if status not in answers:
        return [f"answer {status}"]
    schema = answers[status]
    if schema is None:
        return [] if value is None else ["an answer where there is none"]
    said = [
        f"answer: {'/'.join(map(str, error.path))}: {error.message}"
        for error in _errors(_filled(value, schema), schema)
    ]
    return said + [f"answer: {key} is unknown" for key in _unknown(value, schema)]


def _errors(value, schema):
    return jsonschema.Draft202012Validator(schema).iter_errors(value)


def _alternatives(schema):
    return [
        schema,
        *(one for key in ("anyOf", "oneOf", "allOf") for part in schema.get(key, ()) for one in _alternatives(part)),
    ]


def _unknown(value, schema):
    """Keys that no alternative of the schema has."""
    if isinstance(value, list):
        items = [one["items"] for one in _alternatives(schema) if "items" in one]
        return [key for entry in value for key in _unknown(entry, {"anyOf": items})] if items else []
    properties = [one["properties"] for one in _alternatives(schema) if "properties" in one]
    if not isinstance(value, dict) or not properties:
        return []
    found = [key for key in value if not any(key in one for one in properties)]
    for key, inner in value.items():
        parts = [one[key] for one in properties if key in one]
        found += [f"{key}.{deeper}" for deeper in _unknown(inner, {"anyOf": parts})] if parts else []
    return found


def _filled(value, schema):
    """An answer with what a stub leaves out: keys that are required and that nobody reads there are not its business."""
    if isinstance(value, list):
        items = [one["items"] for one in _alternatives(schema) if "items" in one]
        return [_filled(entry, items[0]) if items else entry for entry in value]
    if not isinstance(value, dict):
        return value
    made = dict(value)
    for one in _alternatives(schema):
        for key in one.get("required", ()):
            made.setdefault(key, _some(one.get("properties", {}).get(key, {})))
        for key, inner in one.get("properties", {}).items():
            if key in value:
                made[key] = _filled(value[key], inner)
    return made


def _some(schema):
    kinds = {"string": "x", "integer": 1, "boolean": False, "array": [], "number": 1.0}
    for one in _alternatives(schema):
        if "enum" in one:
            return one["enum"][0]
        if one.get("type") == "object" or "properties" in one:
            return _filled({}, one)
        if one.get("type") in kinds:
            return kinds[one["type"]]
    return None
