"""Patterns agree with Python's engine, and take no longer for a pattern that makes that one hang."""

from __future__ import annotations

import contextlib
import re
import time

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from plugin_eval_ci.trials.patterns import MOST_CHARACTERS, Pattern, PatternError

ATOMS = ["a", "b", ".", "[ab]", "[^a]", r"\w", r"\s", r"\D", "(?:a|b)", "(a|)", "A", " ", r"\n", "[a-c1]", "(?i:b)"]
ANCHORS = ["^", "$", r"\b", r"\A", r"\Z"]
REPEATS = ["", "", "", "*", "+", "?", "{0,2}", "{2}", "*?"]
PIECES = st.one_of(st.sampled_from(ANCHORS), st.builds("{}{}".format, st.sampled_from(ATOMS), st.sampled_from(REPEATS)))
PATTERNS = st.lists(PIECES, min_size=1, max_size=5).map("".join)


@settings(max_examples=600)
@given(PATTERNS, st.text("abAB \n1x", max_size=9), st.sampled_from([0, re.I, re.M, re.S, re.I | re.M]), st.booleans())
def test_it_finds_what_python_finds(pattern: str, text: str, flags: int, loop: bool) -> None:
    source = f"(?:{pattern})*x" if loop else pattern
    assert Pattern(source, flags).found_in(text) == bool(re.search(source, text, flags))


@pytest.mark.parametrize("pattern", ["(a+)+b", "(a|a)*b", ".*a.*a.*a.*a.*b", "(a?){60}a{60}b", "(?:a|b)*a(?:a|b){90}c"])
def test_a_pattern_that_hangs_other_engines_ends(pattern: str) -> None:
    begun = time.perf_counter()
    assert not Pattern(pattern).found_in("a" * MOST_CHARACTERS)
    assert time.perf_counter() - begun < 20  # a slow machine; the other engine needs longer than there is time


def test_a_search_that_would_take_too_long_says_so() -> None:
    text = bin(3**12_000)[2:].replace("0", "a").replace("1", "b")
    with pytest.raises(PatternError, match="too long"):
        Pattern("(?:a|b)*a(?:a|b){95}c").found_in(text)


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        (r"(a)\1", "back-reference"),
        ("(?=a)a", "lookaround"),
        ("(?<!a)b", "lookaround"),
        ("(?>a+)b", "atomic"),
        ("a++b", "possessive"),
        ("(a)?(?(1)b|c)", "condition"),
        ("(a", "no regular expression"),
        ("a{5000}", "too large"),
        ("(((a{40}){40}){40})", "too large"),
        ("a" * 2_001, "characters"),
        ("(" * 1_500 + ")" * 400, "no regular expression"),
    ],
)
def test_what_cannot_be_searched_is_refused_with_the_reason(pattern: str, why: str) -> None:
    with pytest.raises(PatternError, match=why):
        Pattern(pattern)


@given(st.text(max_size=40))
def test_any_text_is_a_pattern_or_refused(source: str) -> None:
    assume("\x00" not in source)
    with contextlib.suppress(PatternError):
        Pattern(source).found_in("some text\n")
