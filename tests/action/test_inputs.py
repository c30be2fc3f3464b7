"""Inputs: strict words, and the name of the input in what is said about a wrong one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from plugin_eval_ci.action import inputs
from plugin_eval_ci.errors import UsageError

ACTION = yaml.safe_load((Path(__file__).resolve().parents[2] / "action.yml").read_text())


def given(**values: str) -> inputs.Inputs:
    return inputs.read_inputs({f"PEC_{name.upper()}": value for name, value in values.items()})


def test_nothing_given_is_every_default() -> None:
    read = given()
    assert (read.mode, read.paths, read.scope, read.only_new, read.fail_on, read.comment) == (
        "auto",
        (".",),
        "auto",
        None,
        None,
        "off",
    )
    assert read.annotations and read.summary and read.threshold is None and read.comment_key == "default"


def test_the_defaults_of_the_action_are_ours() -> None:
    values = {
        f"PEC_{name.upper().replace('-', '_')}": str(one.get("default", "")) for name, one in ACTION["inputs"].items()
    }
    assert inputs.read_inputs(values) == given()


def test_each_input_reaches_its_variable_and_no_other() -> None:
    (step,) = ACTION["runs"]["steps"]
    names = {
        name: ("PEC_TOKEN" if name == "github-token" else f"PEC_{name.upper().replace('-', '_')}")
        for name in ACTION["inputs"]
    }
    assert step["env"] == {variable: "${{ inputs." + name + " }}" for name, variable in names.items()}
    assert "${{" not in step["run"] and "uses" not in step
    assert all("required" not in one for one in ACTION["inputs"].values())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mode", "Lint"), ("mode", "lint score"), ("scope", "some"), ("only-new", "yes"), ("only-new", "True"), ("annotations", "1"),
        ("annotations", "auto"), ("summary", "TRUE"), ("summary", "no"), ("comment", "true"), ("issue", "on"), ("fail-on", "warn"),
        ("threshold", "gold"), ("threshold", "101"), ("threshold", "-1"), ("threshold", "nan"), ("fail-on-regression", "five"),
        ("comment-key", "a b"), ("comment-key", "-->"), ("comment-key", "a--b"), ("comment-key", "x" * 61), ("comment-key", "../x"),
        ("depth", "Deep"), ("depth", "deepest"), ("max-cost", "0"), ("max-cost", "-1"), ("max-cost", "nan"), ("max-cost", "inf"),
        ("max-cost", "$5"), ("base", "a\nb"), ("config", "a\0b"), ("output-dir", "a\r\nb"),
        ("gate", "yes"), ("gate", "auto"), ("gate-margin", "0"), ("gate-margin", "100"), ("gate-margin", "five"),
    ],
)  # fmt: skip
def test_a_wrong_value_names_its_input(name: str, value: str) -> None:
    with pytest.raises(UsageError, match=rf"^input {name}: ") as raised:
        given(**{name.replace("-", "_"): value})
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("mode", "score", "score"), ("only_new", "true", True), ("only_new", "false", False), ("only_new", "auto", None),
        ("annotations", "false", False), ("annotations", "", True), ("summary", " true ", True), ("fail_on", "never", "never"),
        ("threshold", "72.5", 72.5), ("threshold", "0", 0.0), ("comment_key", "weekly_2.x-y", "weekly_2.x-y"), ("base", " main ", "main"),
        ("depth", "", "quick"), ("depth", "thorough", "thorough"), ("max_cost", "", 1.0), ("max_cost", "0.25", 0.25),
        ("gate", "", False), ("gate", "true", True), ("gate_margin", "", 5.0), ("gate_margin", "7.5", 7.5),
        ("paths", "a b\n\n c,d \r\na b\n", ("a b", "c,d")), ("paths", "\n \n", (".",)), ("paths", "-x\n--help", ("-x", "--help")),
    ],
)  # fmt: skip
def test_a_right_value_is_read(name: str, value: str, expected: object) -> None:
    assert getattr(given(**{name: value}), name) == expected


def test_the_choices_stand_in_the_descriptions() -> None:
    for name, words in (
        ("mode", inputs.MODES),
        ("scope", inputs.SCOPES),
        ("fail-on", inputs.LEVELS),
        ("issue", inputs.ISSUES),
        ("depth", inputs.DEPTHS),
        ("comment", inputs.COMMENTS),
    ):
        described = ACTION["inputs"][name]["description"]
        assert [word for word in words if f"`{word}`" not in described] == [], name


def test_outputs_are_those_of_the_step() -> None:
    for name, one in ACTION["outputs"].items():
        assert one["value"] == "${{ steps.run.outputs." + name + " }}"
        assert re.search(r"\S\.$", one["description"])
