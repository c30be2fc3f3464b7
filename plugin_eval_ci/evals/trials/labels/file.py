"""``evals/triggers.yaml`` to labels. Whatever is wrong with it is one sentence with its line."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from typing import TypeVar, get_args

from plugin_eval_ci.config import did_you_mean
from plugin_eval_ci.errors import UnreadableError
from plugin_eval_ci.evals.trials.catalogue import NONE, TARGET, Names
from plugin_eval_ci.evals.trials.values import Kind, Labels, Prompt, Split
from plugin_eval_ci.model import Skill, Value
from plugin_eval_ci.parse import source
from plugin_eval_ci.parse.documents import is_inside

MOST_BYTES = 2 << 20


def read_text(file: str, skill: Skill | None = None) -> str:
    """The text of a file. Raises ``UnreadableError`` if it is not UTF-8 text, or is outside the skill's repository."""
    real = os.path.realpath(file)
    if skill is not None and not is_inside(real, os.path.realpath(skill.root)):
        raise UnreadableError(1, "is a link to a file outside the repository; such files are not read")
    read = source.read_source(real, os.path.basename(file), MOST_BYTES)
    if read.problem is not None:
        raise UnreadableError(read.problem.line, f"cannot be read: {read.problem.message}")
    return read.text


MOST_CHARACTERS = 20_000  # of a prompt; and of a file that goes with it
MOST_FILES = 20
_ID = re.compile(r"[\w.-]{1,64}")
_T = TypeVar("_T", bound=str)


def values_by_key(entries: tuple[tuple[str, Value], ...], known: tuple[str, ...] = ()) -> dict[str, Value]:
    """Values by key; those without a place of their own stand where their key does."""
    given: dict[str, Value] = {}
    for key, value in entries:
        line = value.key_line
        if known and key not in known:
            close = did_you_mean(key, known)
            raise UnreadableError(
                line, f"unknown key {key[:60]!r}; {close + ' ' if close else ''}known: {', '.join(known)}"
            )
        if key in given:
            raise UnreadableError(line, f"{key[:60]!r} is given twice")
        given[key] = value
    return given


def text_in(key: str, node: Value) -> str:
    """Text as written, which may be neither empty nor very long."""
    if node.kind != "text":
        raise UnreadableError(node.line, f"{key} must be text{'; put it in quotes' if node.text else ''}")
    if not node.text.strip():
        raise UnreadableError(node.line, f"{key} is empty")
    if len(node.text) > MOST_CHARACTERS:
        raise UnreadableError(
            node.line, f"{key} has {len(node.text):,} characters; at most {MOST_CHARACTERS:,} are read"
        )
    return node.text


def word_in(key: str, node: Value) -> str:
    """Text without the space around it."""
    return text_in(key, node).strip()


def ident(key: str, node: Value) -> str:
    """A name for a prompt or a family."""
    if node.kind not in ("text", "number") or not _ID.fullmatch(node.text):
        raise UnreadableError(node.line, f"{key} may only contain letters, digits, dots and hyphens")
    return node.text


def choice_in(key: str, node: Value, among: tuple[_T, ...]) -> _T:
    """One of a few words."""
    word = word_in(key, node)
    for one in among:
        if one == word:
            return one
    close = did_you_mean(word, among)
    raise UnreadableError(node.line, f"{key} must be one of {', '.join(among)}{f'; {close}' if close else ''}")


def files_in(node: Value) -> tuple[tuple[str, str], ...]:
    """Paths with what stands in them, sorted."""
    if node.kind != "mapping":
        raise UnreadableError(node.line, "files must be a mapping of path: text")
    if len(node.entries) > MOST_FILES:
        raise UnreadableError(node.line, f"{len(node.entries):,} files; a prompt may have at most {MOST_FILES}")
    given = values_by_key(node.entries)
    for path, value in given.items():
        if not path.strip() or path.startswith(("/", "~")) or ".." in path.split("/"):
            raise UnreadableError(value.line, f"files: {path[:60]!r} must be a path inside the working folder")
        if value.kind not in ("text", "null") or len(value.text) > MOST_CHARACTERS:
            raise UnreadableError(
                value.line, f"files: {path[:60]!r} must have text of at most {MOST_CHARACTERS:,} characters"
            )
    return tuple(sorted((path, value.text if value.kind == "text" else "") for path, value in given.items()))


_WORD = re.compile(r"[A-Za-z][\w-]*(?::[A-Za-z][\w-]*)?")
_YAML_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "none", "target"})
_UNSEEN = re.compile(  # also what turns the writing direction, has no width, or is a tag
    "[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
    "|[\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\U000e0000-\U000e0fff]"
)
HEADING = """\
# Which prompts this skill is for, and which it is not for: docs/triggers.md of plugin-eval-ci says what the keys mean.
"""
REVIEW = """\
#
# Not reviewed yet. For each prompt: would a user type this? Is `expect` right? Then write your name behind `reviewed_by:`. Change or
# delete what is not right, and add prompts of your own (source: human). `plugin-eval triggers check` says what is missing.
"""


def text_of(labels: Labels, skill: str) -> str:
    """The file for the skill of that name. It says the same when it is read again."""
    head = HEADING if labels.reviewed else HEADING + REVIEW
    notes = "".join(f"# {_line(note)}\n" for note in labels.notes)
    parts = [head + notes, f"schema: 1\nskill: {_scalar(skill)}\nprompts:\n"]
    return "".join((*parts, *(_prompt_lines(prompt, labels.skill) for prompt in labels.prompts)))


def _prompt_lines(prompt: Prompt, own: str) -> str:
    return "".join(f"{'  - ' if first == 'id' else '    '}{first}: {value}\n" for first, value in _keys(prompt, own))


def _keys(prompt: Prompt, own: str) -> Iterator[tuple[str, str]]:
    yield "id", _scalar(prompt.id)
    yield "prompt", _quoted_text(prompt.text)
    names = [TARGET if name == own else _scalar(name) for name in prompt.expect]
    yield "expect", NONE if not names else names[0] if len(names) == 1 else f"{{any_of: [{', '.join(names)}]}}"
    yield "kind", prompt.kind
    if prompt.family:
        yield "family", _scalar(prompt.family)
    yield "split", prompt.split
    yield "source", prompt.source if ":" not in prompt.source else _quoted_text(prompt.source)
    if not prompt.reviewed:
        yield "reviewed_by", ""
    elif prompt.source != "human":
        yield "reviewed_by", _quoted_text("somebody")
    if prompt.files:
        yield (
            "files",
            "{" + ", ".join(f"{_quoted_text(path)}: {_quoted_text(text)}" for path, text in prompt.files) + "}",
        )


def _scalar(word: str) -> str:
    plain = _WORD.fullmatch(word) and word.lower() not in _YAML_WORDS
    return word if plain else _quoted_text(word)


def _quoted_text(text: str) -> str:
    """A text between quotes that YAML and JSON read alike, with what cannot be seen written out."""
    return _UNSEEN.sub(_escape, json.dumps(text, ensure_ascii=False))


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _line(text: str) -> str:
    return " ".join(_UNSEEN.sub(" ", text).split())


SCHEMA = "1"
MOST_PROMPTS = 2_000
HEAD = ("schema", "skill", "prompts")
KEYS = ("id", "prompt", "expect", "kind", "family", "split", "source", "reviewed_by", "files")
KINDS: tuple[Kind, ...] = get_args(Kind)
SPLITS: tuple[Split, ...] = get_args(Split)
_NEGATIVE: tuple[Kind, ...] = ("near_miss", "unrelated")
_SOURCE = re.compile(r"human|traffic|generated:[\w.:/-]{1,80}@\d{4}-\d\d-\d\d")


def labels_of(root: Value | None, skill: str, names: Names, file: str) -> Labels:
    """The labels that the file says; ``skill``: what its ``skill:`` may also be. Raises ``UnreadableError``."""
    if root is None or root.kind != "mapping":
        raise UnreadableError(1, "labels are a mapping with the keys " + ", ".join(HEAD))
    given = values_by_key(root.entries, HEAD)
    _head(given, skill, names)
    listed = given.get("prompts")
    if listed is None:
        raise UnreadableError(root.line, "prompts is missing")
    if listed.kind != "list" or not listed.items:
        raise UnreadableError(listed.line, "prompts must be a list with at least one prompt")
    if len(listed.items) > MOST_PROMPTS:
        raise UnreadableError(listed.line, f"{len(listed.items):,} prompts; at most {MOST_PROMPTS:,} are read")
    prompts = tuple(_prompt(item, names) for item in listed.items)
    _check_unique(prompts)
    return Labels(names.own, file, digest_of(prompts), prompts)


def digest_of(prompts: Iterable[Prompt]) -> str:
    """Of what is tried and counted: who reviewed a prompt, where it stands and in which order changes nothing."""
    content = sorted(
        (one.id, one.text, one.home, one.expect, one.kind, one.family, one.split, one.files) for one in prompts
    )
    return hashlib.sha256(json.dumps(content, separators=(",", ":")).encode()).hexdigest()[:16]


def id_of(text: str) -> str:
    """The id of a prompt that was given none: the same for the same text."""
    return "p-" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _head(given: dict[str, Value], skill: str, names: Names) -> None:
    schema = given.get("schema")
    if schema is not None and (schema.kind != "number" or schema.text != SCHEMA):
        raise UnreadableError(schema.line, f"schema must be {SCHEMA}; no other version is supported")
    named = given.get("skill")
    if named is not None and word_in("skill", named) not in (skill, names.own):
        raise UnreadableError(named.line, f"these are the labels of {named.text[:60]!r}, not of {skill!r}")


def _prompt(node: Value, names: Names) -> Prompt:
    if node.kind != "mapping":
        raise UnreadableError(node.line, "a prompt is a mapping with the keys " + ", ".join(KEYS))
    given = values_by_key(node.entries, KEYS)
    for key in ("prompt", "expect"):
        if key not in given:
            raise UnreadableError(node.line, f"the prompt has no {key}")
    text = text_in("prompt", given["prompt"])
    expect = _expectation(given["expect"], names)
    source = word_in("source", given["source"]) if "source" in given else "human"
    if not _SOURCE.fullmatch(source):
        raise UnreadableError(given["source"].line, "source must be human, traffic or generated:MODEL@YYYY-MM-DD")
    reviewer = given.get("reviewed_by")
    reviewed = (
        source == "human" if reviewer is None or reviewer.kind == "null" else bool(text_in("reviewed_by", reviewer))
    )
    return Prompt(
        ident("id", given["id"]) if "id" in given else id_of(text),
        text,
        names.own,
        expect,
        _kind(given.get("kind"), expect, names),
        ident("family", given["family"]) if "family" in given else "",
        choice_in("split", given["split"], SPLITS) if "split" in given else "holdout",
        source,
        reviewed,
        files_in(given["files"]) if "files" in given else (),
        node.line,
    )


def _kind(node: Value | None, expect: tuple[str, ...], names: Names) -> Kind:
    """As given; else ``direct`` where a skill is right, ``near_miss`` where another one is, ``unrelated`` where none is."""
    positive = names.own in expect
    if node is None:
        return "direct" if positive else "near_miss" if expect else "unrelated"
    kind = choice_in("kind", node, KINDS)
    if positive and kind in _NEGATIVE:
        raise UnreadableError(node.line, f"a prompt for which the skill is right cannot be {kind}")
    return kind


def _expectation(node: Value, names: Names) -> tuple[str, ...]:
    if node.kind == "text":
        return () if node.text.strip() == NONE else (_listed_skill(node, names),)
    if node.kind != "mapping" or [key for key, _ in node.entries] != ["any_of"]:
        raise UnreadableError(
            node.line, f"expect must be {TARGET}, {NONE}, the name of a skill, or {{any_of: [names]}}"
        )
    among = node.entries[0][1]
    if among.kind != "list" or not among.items:
        raise UnreadableError(among.line, "any_of must be a list of at least one name")
    return tuple(sorted({_listed_skill(item, names) for item in among.items}))


def _listed_skill(node: Value, names: Names) -> str:
    word = word_in("expect", node)
    if word == NONE:
        raise UnreadableError(node.line, f"any_of cannot contain {NONE}: a prompt either needs a skill or does not")
    try:
        return names.of(word)
    except LookupError as error:
        raise UnreadableError(node.line, f"expect: {error.args[0]}") from None


def _check_unique(prompts: Iterable[Prompt]) -> None:
    seen: dict[str, Prompt] = {}
    for prompt in prompts:
        first = seen.setdefault(prompt.id, prompt)
        if first is not prompt:
            what = "the same prompt" if first.text == prompt.text else f"the id {prompt.id!r}"
            raise UnreadableError(prompt.line or 1, f"{what} is already on line {first.line}")
