"""The JSON outputs and their schemas: each document is valid, each property is described, nothing else is allowed."""

import json
from importlib.resources import files

import pytest

from plugin_eval_ci.lint.fix import FIXABLE
from plugin_eval_ci.report import compare as compare_json
from plugin_eval_ci.report import rules as rules_json
from plugin_eval_ci.report.lint import json as lint_json
from plugin_eval_ci.report.score import json as score_json
from plugin_eval_ci.scoring.comparison import compare

jsonschema = pytest.importorskip("jsonschema")
NAMES = (
    "score",
    "lint",
    "compare",
    "baseline",
    "diff",
    "report",
    "rules",
    "judge",
    "corpus",
    "agreement",
    "gate",
    "triggers-check",
    "traces",
    "calibration",
)


def schema(name: str) -> dict:
    return json.loads(files("plugin_eval_ci").joinpath(f"schemas/{name}.schema.json").read_text(encoding="utf-8"))


def check(name: str, text: str) -> None:
    jsonschema.Draft202012Validator(schema(name)).validate(json.loads(text))


def objects(node):
    if isinstance(node, dict):
        if "properties" in node and "description" in node:
            yield node
        for value in node.values():
            yield from objects(value)
    elif isinstance(node, list):
        for value in node:
            yield from objects(value)


@pytest.mark.parametrize("name", NAMES)
def test_the_schema_is_one(name):
    jsonschema.Draft202012Validator.check_schema(schema(name))
    assert schema(name)["$schema"] == "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize("name", NAMES)
def test_every_property_is_described_and_nothing_else_allowed(name):
    found = list(objects(schema(name)))
    assert found
    for node in found:
        assert node["additionalProperties"] is False
        for key, value in node["properties"].items():
            assert value.get("description") or "$ref" in value, key


@pytest.mark.parametrize("name", ["stock-report", "label-print", "counter", "broken", "shop"])
def test_score(reports, name):
    check("score", score_json.render(reports[name]))


def test_lint(evaluation):
    check("lint", lint_json.render(evaluation))


def test_rules():
    check("rules", rules_json.render())
    rules = {rule["name"]: rule for rule in json.loads(rules_json.render())["rules"]}
    assert rules["FILE_BOM"]["fix"] == "drops the mark" and rules["NO_SKILLS"]["fix"] is None
    assert {name for name, rule in rules.items() if rule["fix"]} == set(FIXABLE)


def test_compare(reports):
    for one in ("stock-report", "label-print"):
        for other in ("stock-report", "label-print"):
            check("compare", compare_json.render_json(compare(reports[one], reports[other])))
    check("compare", compare_json.render_json(compare(reports["counter"], reports["broken"])))


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "command"},
        {"more": 1},
        {"composite": None},
        {"findings": [{}]},
        {"notes": [1]},
    ],
)
def test_what_is_not_valid(reports, change):
    document = json.loads(score_json.render(reports["stock-report"])) | change
    assert not jsonschema.Draft202012Validator(schema("score")).is_valid(document)
