"""``evals/triggers.yaml`` to labels. Whatever is wrong with it is one sentence with its line."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from typing import get_args

from plugin_eval_ci.config.node import Node, UnreadableError
from plugin_eval_ci.trials.label_nodes import choice_in, files_in, ident, keyed, text_in, word_in
from plugin_eval_ci.trials.naming import NONE, TARGET, Names
from plugin_eval_ci.trials.values import Kind, Labels, Prompt, Split

SCHEMA = "1"
MOST_PROMPTS = 2_000
HEAD = ("schema", "skill", "prompts")
KEYS = ("id", "prompt", "expect", "kind", "family", "split", "source", "reviewed_by", "files")
KINDS: tuple[Kind, ...] = get_args(Kind)
SPLITS: tuple[Split, ...] = get_args(Split)
_NEGATIVE: tuple[Kind, ...] = ("near_miss", "unrelated")
_SOURCE = re.compile(r"human|traffic|generated:[\w.:/-]{1,80}@\d{4}-\d\d-\d\d")


def labels_of(root: Node | None, skill: str, names: Names, file: str) -> Labels:
    """The labels that the file says; ``skill``: what its ``skill:`` may also be. Raises ``UnreadableError``."""
    if root is None or root.kind != "mapping":
        raise UnreadableError(1, "labels are a mapping with the keys " + ", ".join(HEAD))
    given = keyed(root.entries, HEAD)
    _head(given, skill, names)
    listed = given.get("prompts")
    if listed is None:
        raise UnreadableError(root.line, "prompts is missing")
    if listed.kind != "list" or not listed.items:
        raise UnreadableError(listed.line, "prompts must be a list with at least one prompt")
    if len(listed.items) > MOST_PROMPTS:
        raise UnreadableError(listed.line, f"{len(listed.items):,} prompts; at most {MOST_PROMPTS:,} are read")
    prompts = tuple(_prompt(item, names) for item in listed.items)
    _once(prompts)
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


def _head(given: dict[str, Node], skill: str, names: Names) -> None:
    schema = given.get("schema")
    if schema is not None and (schema.kind != "number" or schema.text != SCHEMA):
        raise UnreadableError(schema.line, f"schema must be {SCHEMA}: labels of another form are not read")
    named = given.get("skill")
    if named is not None and word_in("skill", named) not in (skill, names.own):
        raise UnreadableError(named.line, f"these are the labels of {named.text[:60]!r}, not of {skill!r}")


def _prompt(node: Node, names: Names) -> Prompt:
    if node.kind != "mapping":
        raise UnreadableError(node.line, "a prompt is a mapping with the keys " + ", ".join(KEYS))
    given = keyed(node.entries, KEYS)
    for key in ("prompt", "expect"):
        if key not in given:
            raise UnreadableError(node.line, f"the prompt has no {key}")
    text = text_in("prompt", given["prompt"])
    expect = _expected(given["expect"], names)
    source = word_in("source", given["source"]) if "source" in given else "human"
    if not _SOURCE.fullmatch(source):
        raise UnreadableError(given["source"].line, "source is human, traffic or generated:MODEL@YYYY-MM-DD")
    reviewer = given.get("reviewed_by")
    reviewed = (
        source == "human" if reviewer is None or reviewer.kind == "nothing" else bool(text_in("reviewed_by", reviewer))
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


def _kind(node: Node | None, expect: tuple[str, ...], names: Names) -> Kind:
    """As given; else ``direct`` where a skill is right, ``near_miss`` where another one is, ``unrelated`` where none is."""
    positive = names.own in expect
    if node is None:
        return "direct" if positive else "near_miss" if expect else "unrelated"
    kind = choice_in("kind", node, KINDS)
    if positive and kind in _NEGATIVE:
        raise UnreadableError(node.line, f"a prompt for which the skill is right cannot be {kind}")
    return kind


def _expected(node: Node, names: Names) -> tuple[str, ...]:
    if node.kind == "text":
        return () if node.text.strip() == NONE else (_listed(node, names),)
    if node.kind != "mapping" or [entry.key for entry in node.entries] != ["any_of"]:
        raise UnreadableError(node.line, f"expect is {TARGET}, {NONE}, the name of a skill, or {{any_of: [names]}}")
    among = node.entries[0].value
    if among.kind != "list" or not among.items:
        raise UnreadableError(among.line, "any_of must be a list of at least one name")
    return tuple(sorted({_listed(item, names) for item in among.items}))


def _listed(node: Node, names: Names) -> str:
    word = word_in("expect", node)
    if word == NONE:
        raise UnreadableError(node.line, f"{NONE} cannot stand in any_of: a prompt either needs a skill or does not")
    try:
        return names.of(word)
    except LookupError as error:
        raise UnreadableError(node.line, f"expect: {error.args[0]}") from None


def _once(prompts: Iterable[Prompt]) -> None:
    seen: dict[str, Prompt] = {}
    for prompt in prompts:
        first = seen.setdefault(prompt.id, prompt)
        if first is not prompt:
            what = "the same prompt" if first.text == prompt.text else f"the id {prompt.id!r}"
            raise UnreadableError(prompt.line or 1, f"{what} stands on line {first.line} already")
