"""What makes labels a poor measure: too few, one-sided, worded like the description, near-duplicates, not reviewed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from plugin_eval_ci.evals.trials.catalogue import Names
from plugin_eval_ci.evals.trials.values import Labels, Prompt
from plugin_eval_ci.model import Skill

LEAST = 8  # prompts on each side
SPAN = 6  # words in a row that a prompt may share with the description
SPAN_CHARACTERS = 14  # the same where words are not separated
LARGEST = 1 / 3  # of the prompts of a side that one family may be
SPLIT_GAP = 0.2  # between the shares of positives in dev and in holdout
ALIKE = 0.6  # of the pairs of neighbouring words: near-duplicates
_MOST_COMPARED = 600  # prompts; of more only the equal ones are found
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class Note(NamedTuple):
    """Something wrong. ``error``: the prompt is not tried, or nothing can be concluded. ``prompt``: its id, empty for all together."""

    level: Literal["error", "warning"]
    line: int
    message: str
    prompt: str = ""


def notes_on(labels: Labels, skill: Skill, names: Names, kinds: bool = True) -> tuple[Note, ...]:
    """All that is wrong, by line. ``kinds``: whether somebody said of what kind each prompt is."""
    found = [
        *_name_notes(labels.prompts, names),
        *_leaks(labels.prompts, f"{skill.description}\n{skill.when_to_use}"),
        *_sides(labels, kinds),
        *_families(labels),
        *_splits(labels.prompts),
        *_duplicates(labels.prompts),
        *_review_notes(labels.prompts),
    ]
    return tuple(sorted(found, key=lambda note: note.line))


def usable_prompts(labels: Labels, notes: Sequence[Note]) -> tuple[Prompt, ...]:
    """The prompts that may be tried."""
    refused = {note.prompt for note in notes if note.level == "error" and note.prompt}
    return tuple(prompt for prompt in labels.prompts if prompt.id not in refused)


def names_skill(text: str, names: Names) -> bool:
    """Whether a text calls the skill by its name. A name of one word is also an ordinary word unless it is called a skill or a command."""
    own = {word for word, listed in names.meant.items() if listed == names.own}
    for word in own:
        part = re.escape(word)
        calling = rf"[/$@]{part}(?![\w-])|(?<![\w-]){part}[\s`'\"*]+skill\b|\bskill[\s`'\"*:]+{part}(?![\w-])"
        pattern = rf"(?<![\w-]){part}(?![\w-])" if re.search(r"[-:_]", word) else rf"(?<![\w/.~])(?:{calling})"
        if re.search(pattern, text, re.IGNORECASE):
            return True
    return False


def _name_notes(prompts: Sequence[Prompt], names: Names) -> Iterator[Note]:
    for prompt in prompts:
        if prompt.kind != "explicit" and names_skill(prompt.text, names):
            message = f"{prompt.id} names the skill, so it tests nothing; remove the name, or set kind: explicit"
            yield Note("error", prompt.line or 1, message, prompt.id)


def _leaks(prompts: Sequence[Prompt], description: str) -> Iterator[Note]:
    said = frozenset(_in_order(description))
    for prompt in prompts:
        if shared := next((span for span in _in_order(prompt.text) if span in said), None):
            words = " ".join(shared)[:80]
            message = (
                f"{prompt.id} copies words of the description ({words!r}), so it tests matching, not understanding"
            )
            yield Note("warning", prompt.line or 1, message, prompt.id)


def _sides(labels: Labels, kinds: bool) -> Iterator[Note]:
    positives = [one for one in labels.prompts if labels.skill in one.expect]
    negatives = [one for one in labels.prompts if labels.skill not in one.expect]
    for side, what in ((positives, "positive"), (negatives, "negative")):
        if not side:
            yield Note("error", 1, f"one-sided: without a {what} prompt nothing can be concluded")
        elif len(side) < LEAST:
            yield Note(
                "warning",
                1,
                f"{len(side)} {what} prompt{'s' * (len(side) != 1)}; at least {LEAST} are needed for a useful interval",
            )
    near = sum(one.kind in ("near_miss", "adversarial") for one in negatives)
    if kinds and negatives and 2 * near < len(negatives):
        yield Note(
            "warning", 1, f"{near} of {len(negatives)} negative prompts are near misses; at least half should be"
        )


def _families(labels: Labels) -> Iterator[Note]:
    for positive in (True, False):
        side = [one for one in labels.prompts if (labels.skill in one.expect) is positive]
        sizes = Counter(one.family for one in side if one.family)
        for family, size in sizes.items():
            if size > 3 and size > LARGEST * len(side):
                first = next(one for one in side if one.family == family)
                what = "positive" if positive else "negative"
                message = f"the family {family} is {size} of {len(side)} {what} prompts: they count as one observation"
                yield Note("warning", first.line or 1, message)
    places: dict[str, Prompt] = {}
    for one in labels.prompts:
        first = places.setdefault(one.family, one)
        if one.family and first.split != one.split:
            message = f"the family {one.family} is in both dev and holdout, so holdout would test what was tuned on dev"
            yield Note("warning", one.line or 1, message)
            places[one.family] = one._replace(split=one.split)


def _splits(prompts: Sequence[Prompt]) -> Iterator[Note]:
    parts = [[one for one in prompts if one.split == split] for split in ("dev", "holdout")]
    if not all(parts):
        return
    shares = [sum(one.home in one.expect for one in part) / len(part) for part in parts]
    if abs(shares[0] - shares[1]) > SPLIT_GAP:
        message = (
            f"not stratified: {shares[0]:.0%} of the prompts in dev are positive, {shares[1]:.0%} of those in holdout"
        )
        yield Note("warning", 1, message)


def _duplicates(prompts: Sequence[Prompt]) -> Iterator[Note]:
    """Near-duplicates that count as two observations, or stand on both sides of a split."""
    pairs = [_pairs(one.text) for one in prompts]
    equal: dict[tuple[str, ...], int] = {}
    for at, one in enumerate(prompts):
        first = equal.setdefault(tuple(_words(one.text)), at)
        others = range(at) if len(prompts) <= _MOST_COMPARED else (first,) if first != at else ()
        for before in others:
            other = prompts[before]
            if (one.cluster != other.cluster or one.split != other.split) and _alike(pairs[at], pairs[before]):
                message = f"{one.id} is nearly the same as {other.id} (line {other.line}); give both the same family and split"
                yield Note("warning", one.line or 1, message, one.id)
                break


def _review_notes(prompts: Sequence[Prompt]) -> Iterator[Note]:
    unseen = [one for one in prompts if not one.reviewed]
    if unseen:
        message = f"{len(unseen)} of {len(prompts)} prompts are not reviewed; results that use them are marked as such"
        yield Note("warning", unseen[0].line or 1, message)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _in_order(text: str) -> Iterator[tuple[str, ...]]:
    words = _words(text)
    for size in (SPAN + 1, SPAN_CHARACTERS + 1):
        for at in range(len(words) - size + 1):
            span = tuple(words[at : at + size])
            if size > SPAN + 1 or not any(_UNSPACED.match(word) for word in span):
                yield span


def _pairs(text: str) -> frozenset[tuple[str, str]]:
    words = ["", *_words(text), ""]
    return frozenset(pairwise(words))


def _alike(one: frozenset[tuple[str, str]], other: frozenset[tuple[str, str]]) -> bool:
    return len(one & other) >= ALIKE * len(one | other)
