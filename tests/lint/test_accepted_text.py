"""A baseline entry covers the text that was accepted, and no other of the same kind."""

from __future__ import annotations

import pytest

from plugin_eval_ci.lint.check import findings_of
from plugin_eval_ci.model import Hit, Source
from plugin_eval_ci.rules import rule_named


def fingerprint(text: str, line: int, target: str) -> str:
    rule = rule_named("BODY_TODO")
    assert rule is not None
    source = Source("/r/SKILL.md", "SKILL.md", text, len(text), False, None)
    return findings_of("SKILL.md", source, [(rule, Hit(line, "m", "F.", target))])[0].fingerprint


@pytest.mark.parametrize(
    ("target", "before", "after"),
    [
        ("description", "description: Makes labels.", "description: Deletes labels."),
        ("description", "description: >\n  Makes\n  labels.", "description: >\n  Makes\n  mail."),
        ("description", "description: Its description.", "description: Another description."),
        ("allowed-tools", "allowed-tools:\n- Bash\n- Read", "allowed-tools:\n- Bash\n- Write"),
        ("name", '{ "name": "a", "version": "1" }', '{ "name": "b", "version": "1" }'),
        ("tools", "Use the tools `Read` and `Edit`.", "Use the tools `Read` and `Bash`."),
        ("TODO", "TODO: say which printer", "TODO: say which tray"),
        ("", "words", "other words"),
        ("x" * 80, "x" * 80 + " a", "x" * 80 + " b"),
    ],
)
def test_another_text_is_another_finding(target: str, before: str, after: str) -> None:
    one, two = fingerprint(before, 1, target), fingerprint(after, 1, target)
    assert one != two
    assert one == fingerprint(f"moved\n{before}\nname: x", 2, target)  # and the same text elsewhere is the same


@pytest.mark.parametrize("target", ["references/gone.md", "token 0123456789abcdef", "bytes", "lines"])
def test_other_words_on_the_line_change_nothing(target: str) -> None:
    assert fingerprint(f"See {target}.", 1, target) == fingerprint(f"Read {target} first.", 1, target)
