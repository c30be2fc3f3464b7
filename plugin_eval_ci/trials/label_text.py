"""Labels as the text of ``evals/triggers.yaml``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from plugin_eval_ci.trials.naming import NONE, TARGET
from plugin_eval_ci.trials.values import Labels, Prompt

_WORD = re.compile(r"[A-Za-z][\w-]*(?::[A-Za-z][\w-]*)?")
_YAML_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "none", "target"})
_UNSEEN = re.compile(  # also what turns the writing direction, has no width, or is a tag
    "[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
    "|[\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\U000e0000-\U000e0fff]"
)
HEAD = """\
# Which prompts this skill is for, and which it is not for: docs/triggers.md of plugin-eval-ci says what the keys mean.
"""
REVIEW = """\
#
# Not reviewed yet. For each prompt: would a user type this? Is `expect` right? Then write your name behind `reviewed_by:`. Change or
# delete what is not right, and add prompts of your own (source: human). `plugin-eval triggers check` says what is missing.
"""


def text_of(labels: Labels, skill: str) -> str:
    """The file for the skill of that name. It says the same when it is read again."""
    head = HEAD if labels.reviewed else HEAD + REVIEW
    notes = "".join(f"# {_line(note)}\n" for note in labels.notes)
    parts = [head + notes, f"schema: 1\nskill: {_scalar(skill)}\nprompts:\n"]
    return "".join((*parts, *(_prompt(prompt, labels.skill) for prompt in labels.prompts)))


def _prompt(prompt: Prompt, own: str) -> str:
    return "".join(f"{'  - ' if first == 'id' else '    '}{first}: {value}\n" for first, value in _keys(prompt, own))


def _keys(prompt: Prompt, own: str) -> Iterator[tuple[str, str]]:
    yield "id", _scalar(prompt.id)
    yield "prompt", _quoted(prompt.text)
    names = [TARGET if name == own else _scalar(name) for name in prompt.expect]
    yield "expect", NONE if not names else names[0] if len(names) == 1 else f"{{any_of: [{', '.join(names)}]}}"
    yield "kind", prompt.kind
    if prompt.family:
        yield "family", _scalar(prompt.family)
    yield "split", prompt.split
    yield "source", prompt.source if ":" not in prompt.source else _quoted(prompt.source)
    if not prompt.reviewed:
        yield "reviewed_by", ""
    elif prompt.source != "human":
        yield "reviewed_by", _quoted("somebody")
    if prompt.files:
        yield "files", "{" + ", ".join(f"{_quoted(path)}: {_quoted(text)}" for path, text in prompt.files) + "}"


def _scalar(word: str) -> str:
    plain = _WORD.fullmatch(word) and word.lower() not in _YAML_WORDS
    return word if plain else _quoted(word)


def _quoted(text: str) -> str:
    """A text between quotes that YAML and JSON read alike, with what cannot be seen written out."""
    return _UNSEEN.sub(_escaped, json.dumps(text, ensure_ascii=False))


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _line(text: str) -> str:
    return " ".join(_UNSEEN.sub(" ", text).split())
