"""Directives are counted in one place, for the rule, the score and the JSON alike."""

import pytest

from plugin_eval_ci.parse.facts import directive_lines
from plugin_eval_ci.parse.markdown import parse


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("You MUST count.", 1),
        ("**NEVER** and _ALWAYS_ and MUST, ALWAYS.", 4),
        ("必须MUST运行", 1),
        ("MUST-have", 1),
        ("MUST_HAVE and IS_MUST and MUSTER and must", 0),
        ("`MUST` in code", 0),
        ("```\nMUST\n```", 0),
        ("<!-- MUST -->", 0),
    ],
)
def test_directives(text: str, count: int) -> None:
    assert len(directive_lines(parse(text, 1))) == count
