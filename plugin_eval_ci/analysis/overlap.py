"""Which descriptions say nearly the same, and which bodies are nearly copies: with the standard library, in time linear in the skills."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import log, sqrt
from typing import NamedTuple


class Pair(NamedTuple):
    """Two texts by their places in the sequence that was given, ``earlier`` before ``later``, and how alike they are, 0 to 1."""

    earlier: int
    later: int
    likeness: float


_WORD = re.compile(r"[^\W\d_][\w+#]{2,}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}")
_STOP = frozenset(
    """
    the and for with when use used uses using user users this that these those from into your you are can will
    has have any all also should asks ask needs need want wants wanting skill skills agent agents claude code
    help helps such via not must more most other than then them they its who how what which where while about
    between across based including include includes before after work works working task tasks set proactively
    expert create creating creates build building builds make making implement implementing implements write
    writing design designing specializing specialist masters master modern production comprehensive best
    practices patterns pattern new
    """.split()  # noqa: SIM905
)
_RARE = 40  # of one group that share a word: beyond that the word says nothing about two of them
_LEAST_WORDS = 5
_SHORT = 12  # characters: shorter lines are fences, braces, rules
_COMMON = 24  # a line in more bodies than that is boilerplate
_LEAST_LINES = 12
_SAMPLE = 3  # lines of which lengths point to bodies that may be alike; all lines are then compared


def similar_texts(texts: Sequence[str], least: float, groups: Sequence[str]) -> list[Pair]:
    """Pairs of one group whose words, weighted by how rare they are in all texts (TF-IDF), have a cosine of at least ``least``."""
    words = [Counter(_stem(word) for word in _WORD.findall(text.lower()) if word not in _STOP) for text in texts]
    frequency = Counter(word for counts in words for word in counts)
    total = len(texts)
    vectors = [_vector(counts, frequency, total) for counts in words]
    posting: dict[tuple[str, str], list[int]] = {}
    pairs = []
    for later, (group, vector) in enumerate(zip(groups, vectors, strict=True)):
        if len(vector) < _LEAST_WORDS:
            continue
        products: dict[int, float] = {}
        for word, weight in vector.items():
            known = posting.setdefault((group, word), [])
            for earlier in known:
                products[earlier] = products.get(earlier, 0.0) + weight * vectors[earlier][word]
            if len(known) < _RARE:
                known.append(later)
        pairs += [Pair(earlier, later, product) for earlier, product in products.items() if product >= least]
    return sorted(pairs)


def _vector(counts: Counter[str], frequency: Counter[str], total: int) -> dict[str, float]:
    weights = {word: (1 + log(count)) * log(1 + total / frequency[word]) for word, count in counts.items()}
    length = sqrt(sum(weight * weight for weight in weights.values()))
    return {word: weight / length for word, weight in weights.items()} if length else {}


_ENDINGS = ("ings", "ing", "ies", "ed", "es", "s")


@lru_cache(maxsize=16_384)  # descriptions share most of their words
def _stem(word: str) -> str:
    """A word without the commonest English endings: enough to bring forms of one word together."""
    for ending in _ENDINGS if word.endswith(_ENDINGS) else ():
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def copies(bodies: Sequence[str], least: float) -> Iterator[Pair]:
    """Bodies of which at least ``least`` of all lines are shared with an earlier one; each with the most alike of those."""
    first: dict[str, int] = {}
    compared: dict[int, str] = {}
    posting: dict[str, list[int]] = {}
    for later, body in enumerate(bodies):
        text = body.strip()
        same = first.setdefault(text, later)
        if same != later:
            if same in compared:
                yield Pair(same, later, 1.0)
            continue
        some = {line for line in text.split("\n") if not len(line) % _SAMPLE and len(line) >= _SHORT}
        if len(some) < _LEAST_LINES and len(_lines(text)) < _LEAST_LINES:
            continue
        shared = Counter(_posted(posting, some, later))
        near = [earlier for earlier, count in shared.items() if 2 * count >= len(some)]
        likely = [(_jaccard(_lines(text), _lines(compared[earlier])), -earlier) for earlier in near]
        likeness, earlier = max(likely, default=(0.0, 0))
        if likeness >= least:
            yield Pair(-earlier, later, likeness)
        compared[later] = text


@lru_cache(maxsize=64)
def _lines(text: str) -> frozenset[str]:
    """The lines of a text that say something; few bodies are near enough to another one for all of theirs to be compared."""
    return frozenset(line for line in text.split("\n") if len(line) >= _SHORT)


def _posted(posting: dict[str, list[int]], lines: Iterable[str], later: int) -> list[int]:
    """The earlier bodies that have one of the lines, once for each such line; ``later`` is added to those of every line."""
    met: list[int] = []
    for line in lines:
        known = posting.get(line)
        if known is None:
            posting[line] = [later]
        else:
            met += known
            if len(known) < _COMMON:
                known.append(later)
    return met


def _jaccard(one: frozenset[str], two: frozenset[str]) -> float:
    shared = len(one & two)
    return shared / (len(one) + len(two) - shared)
