"""What was accepted in a baseline is one text: another secret, path or description on the same line is a new finding."""

import re

import pytest
from rule_trees import FOLDERS, document, inputs, one, run

from plugin_eval_ci.lint.check import _SIZES

SINGLE = [(rule, name) for rule, name in inputs() if name.startswith("bad-") and name.endswith(".md")]
_WORD = re.compile(r"[A-Za-z][\w-]{3,}")
_MOST = 12  # changed words of one line


@pytest.mark.parametrize(("rule", "name"), SINGLE, ids=[f"{rule}-{name}" for rule, name in SINGLE])
def test_another_text_needs_another_entry(rule, name):
    agent = name.endswith(".agent.md")
    data = (FOLDERS[rule] / name).read_bytes()
    collection = one(data, agent=agent)
    text = document(collection).source.text
    for old in [finding for finding in run(collection, rule).findings if finding.rule == rule][:3]:
        for changed in other_lines(text, old.line):
            again = [new for new in run(one(changed.encode(), agent=agent), rule).findings if new.line == old.line]
            for new in again:
                quoted = (new.message, new.target) != (old.message, old.target)
                if len(again) == 1 and new.target not in _SIZES and (quoted or is_place(old)):
                    assert new.fingerprint != old.fingerprint, (old.message, new.message)


def other_lines(text, number):
    """The text with one word of a line changed, for each of its words."""
    lines = text.split("\n")
    line = lines[number - 1]
    for word in list(_WORD.finditer(line))[:_MOST]:
        middle = word.start() + len(word[0]) // 2
        letter = "x" if line[middle] != "x" else "y"
        other = line[:middle] + letter + line[middle + 1 :]
        yield "\n".join([*lines[: number - 1], other, *lines[number:]])


def is_place(finding):
    """Whether the target names a place rather than what was found there."""
    return re.fullmatch(r"[\w-]*", finding.target) is not None
