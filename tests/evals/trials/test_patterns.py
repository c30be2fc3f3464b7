"""Patterns agree with Python's engine, and take no longer for a pattern that makes that one hang."""

from __future__ import annotations

import contextlib
import re
import time

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from plugin_eval_ci.evals.trials.lift.checks import MOST_CHARACTERS, Pattern, PatternError

ATOMS = ["a", "b", ".", "[ab]", "[^a]", r"\w", r"\s", r"\D", "(?:a|b)", "(a|)", "A", " ", r"\n", "[a-c1]", "(?i:b)"]
ANCHORS = ["^", r"\b", r"\A"]
REPEATS = ["", "", "", "*", "+", "?", "{0,2}", "{2}", "*?"]
PIECES = st.one_of(st.sampled_from(ANCHORS), st.builds("{}{}".format, st.sampled_from(ATOMS), st.sampled_from(REPEATS)))
PATTERNS = st.lists(PIECES, min_size=1, max_size=5).map("".join)
ENDS = st.sampled_from(["", "", "$"])


@settings(max_examples=600)
@given(
    st.builds("{}{}".format, PATTERNS, ENDS),
    st.text("abAB \n1x", max_size=9),
    st.sampled_from(["", "i", "m", "s", "im"]),
    st.booleans(),
)
def test_it_finds_what_python_finds(pattern: str, text: str, flags: str, loop: bool) -> None:
    source = f"(?{flags}:(?:{pattern})*x)" if loop else f"(?{flags}:{pattern})" if flags else pattern
    assert Pattern(source).found_in(text) == bool(re.search(source, text))


@pytest.mark.parametrize("pattern", ["(a+)+b", "(a|a)*b", ".*a.*a.*a.*a.*b", "(a?){60}a{60}b", "(?:a|b)*a(?:a|b){90}c"])
def test_a_pattern_that_hangs_other_engines_ends(pattern: str) -> None:
    begun = time.perf_counter()
    assert not Pattern(pattern).found_in("a" * MOST_CHARACTERS)
    assert time.perf_counter() - begun < 20  # a slow machine; the other engine needs longer than there is time


def test_a_large_pattern_on_a_text_without_a_rhythm_ends() -> None:
    text = bin(3**12_000)[2:].replace("0", "a").replace("1", "b")
    begun = time.perf_counter()
    assert not Pattern("(?:(a|b)*a(a|b){900}c)").found_in(text)
    assert time.perf_counter() - begun < 20


def test_text_and_pattern_of_other_scripts() -> None:
    assert Pattern("^\\pL+ 数据$").found_in("größe 数据\n")
    assert Pattern("É", exact=False).found_in("é")
    assert Pattern("a").found_in("\ud800a")
    assert not Pattern("b$").found_in("b\n\n")


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        (r"(a)\1", "escape sequence"),
        ("(?=a)a", "perl operator"),
        ("(?<!a)b", "perl operator"),
        ("(?>a+)b", "perl operator"),
        ("a++b", "repetition"),
        ("(a", "RE2 rejects it"),
        ("a{5000}", "repetition size"),
        ("(((a{40}){40}){40})", "repetition size"),
        (r"(\pL*\pN*){500}x", "too large"),
        ("\ud800", "half a character"),
        ("a" * 2_001, "characters"),
        ("(" * 1_500 + ")" * 400, "RE2 rejects it"),
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
