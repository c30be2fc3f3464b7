"""The JSON reader: the values of the standard decoder, with lines; words for what is wrong; nothing takes long."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plugin_eval_ci.parse.json_lines import MAX_DEPTH, MAX_VALUES, parse

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
DOCUMENTS = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


def plain(value):
    """A value as the standard decoder gives it."""
    if value.kind == "mapping":
        return {key: plain(below) for key, below in value.entries}
    if value.kind == "list":
        return [plain(item) for item in value.items]
    return value.text if value.kind == "text" else json.loads(value.text)


def no_surrogates(data):
    """What stands for half of a surrogate pair."""
    text = json.dumps(data, ensure_ascii=False)
    return json.loads("".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text))


def every(value):
    yield value
    for below in (*value.items, *(below for _, below in value.entries)):
        yield from every(below)


@given(DOCUMENTS, st.sampled_from([None, 0, 2]), st.booleans())
@settings(max_examples=150, deadline=None)
def test_agrees_with_the_standard_decoder(data, indent, ascii_only):
    text = json.dumps(data, indent=indent, ensure_ascii=ascii_only)
    read = parse(text)
    assert read.problem is None
    assert plain(read.value) == no_surrogates(json.loads(text))


@given(st.text(alphabet="{}[]:,\"\\ \n\tntfalsereu0123456789.-+eE/*#'aNI<=\u201c", max_size=40))
@settings(max_examples=600, deadline=None)
def test_accepts_what_the_standard_accepts_and_nothing_else(text):
    def refuse(word):
        raise ValueError(word)

    try:
        expected = json.loads(text, parse_constant=refuse)
    except ValueError:
        read = parse(text)
        assert read.value is None and read.problem is not None
        lines = text.split("\n")
        assert 1 <= read.problem.line <= len(lines)
        assert read.problem.column is None or 1 <= read.problem.column <= len(lines[read.problem.line - 1]) + 1
        assert read.problem.message.isprintable() and read.problem.fix.endswith(".")
    else:
        assert plain(parse(text).value) == expected


@given(st.binary(max_size=60))
def test_any_bytes_as_text_give_an_answer(data):
    read = parse(data.decode("utf-8", "replace"))
    assert (read.value is None) != (read.problem is None)


@given(DOCUMENTS)
@settings(max_examples=80, deadline=None)
def test_lines_are_those_of_the_text(data):
    text = json.dumps(data, indent=1)
    lines = text.split("\n")
    for value in every(parse(text).value):
        begin = {"mapping": "{", "list": "[", "text": '"'}.get(value.kind, value.text)
        assert begin in lines[value.line - 1]
        assert 0 <= value.key_line <= value.line


def test_keys_and_values_have_lines_of_their_own():
    value = parse('{\n  "a":\n    [1,\n\n     {"b": 2}],\n  "c": "x"\n}').value
    assert value is not None
    entries = dict(value.entries)
    assert (entries["a"].key_line, entries["a"].line) == (2, 3)
    assert [item.line for item in entries["a"].items] == [3, 5]
    assert (entries["c"].key_line, entries["c"].line) == (6, 6)


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("", 1, 1, "the file is empty"),
        (" \n\n", 1, 1, "the file is empty"),
        ("{", 1, 1, "the file ends inside the { of line 1"),
        ('{\n  "a": [1,\n  2\n', 3, 3, "the file ends inside the [ of line 2"),
        ('{"a":', 1, 5, "the file ends inside the {"),
        ('{\n "a": 1,\n}', 2, 8, "a trailing comma before }"),
        ("[1,\n\n]", 1, 3, "a trailing comma before ]"),
        ('{"a" 1}', 1, 6, "a colon after the key"),
        ("{a: 1}", 1, 2, "a key without double quotes"),
        ("{'a': 1}", 1, 2, "not a quotation mark in JSON"),
        ("[“a”]", 1, 2, "not a quotation mark in JSON"),
        ("[1 2]", 1, 4, "a comma is missing"),
        ('{"a": 1\n "b": 2}', 2, 2, "a comma is missing"),
        ("{,}", 1, 2, "a key in double quotes or }"),
        ("[,1]", 1, 2, "a value or ]"),
        ('{"a": "x\ny"}', 1, 8, "a text is not closed on its line"),
        ('{"a": "\\x"}', 1, 8, "'\\x' is not an escape in JSON"),
        ('{"a": "\\u12"}', 1, 8, "is not an escape in JSON"),
        ('{"a": "b\tc"}', 1, 9, "the control character U+0009"),
        ("[NaN]", 1, 2, "NaN is not a JSON value"),
        ("[-Infinity]", 1, 2, "-Infinity is not a JSON value"),
        ("[01]", 1, 2, "'01' is not a valid JSON number"),
        ("[.5]", 1, 2, "'.5' is not a valid JSON number"),
        ("[True]", 1, 2, "'True' without double quotes"),
        ("// x\n{}", 1, 1, "a comment"),
        ('{"a": 1, /* x */ "b": 2}', 1, 10, "a comment"),
        ("# x\n{}", 1, 1, "a comment"),
        ("{} x", 1, 4, "text after the end"),
        ('{"a": 1}}', 1, 9, "text after the end"),
        ("[}", 1, 2, "} does not close the [ of line 1"),
        ("<<<<<<< HEAD\n{}", 1, 1, "unfinished merge"),
        ("\x00", 1, 1, "'\\x00' where a value is expected"),
    ],
)
def test_says_what_is_wrong_and_where(text, line, column, words):
    problem = parse(text).problem
    assert problem is not None
    assert (problem.line, problem.column) == (line, column)
    assert words in problem.message


def test_a_byte_order_mark_is_noted_and_read_over():
    read = parse('\ufeff{"a": 1}')
    assert read.value is not None and [note.line for note in read.notes] == [1]
    assert "byte order mark" in read.notes[0].message


def test_equal_keys_are_noted_and_both_kept():
    read = parse('{"a": 1,\n"a": 2,\n"b": {"a": 3}}')
    assert read.value is not None and [key for key, _ in read.value.entries] == ["a", "a", "b"]
    assert [(note.line, "line 1" in note.message) for note in read.notes] == [(2, True)]


def test_notes_are_bounded():
    assert len(parse("{" + ",".join(['"a": 1'] * 5000) + "}").notes) == 20


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"\\ud83d\\ude00"', "😀"),
        ('"\\ud83d"', "\ufffd"),
        ('"\\ude00\\ud83d"', "\ufffd\ufffd"),
        ('"\\ud83d x \\ude00"', "\ufffd x \ufffd"),
        ('"\\u0000\\n\\/"', "\x00\n/"),
    ],
)
def test_escapes(text, value):
    read = parse(text)
    assert read.value is not None and read.value.text == value
    read.value.text.encode("utf-8")


def test_numbers_keep_their_spelling():
    for text in ("1e999", "-0", "9" * 5000, "1.50"):
        value = parse(text).value
        assert value is not None and (value.kind, value.text) == ("number", text)


def test_deep_nesting_is_refused_with_its_line():
    assert parse("[" * MAX_DEPTH + "]" * MAX_DEPTH).problem is None
    problem = parse("[\n" * 100_000).problem
    assert problem is not None and problem.line == MAX_DEPTH + 1 and "nested" in problem.message
    problem = parse('{"a":' * 100_000).problem
    assert problem is not None and "nested" in problem.message


def test_too_many_values_are_refused():
    problem = parse("[" + "0," * MAX_VALUES + "0]").problem
    assert problem is not None and "values" in problem.message


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "' + "x" * (4 << 20) + '"}',
        '"' + "\\n" * (2 << 20) + '"',
        '"' + "\\ud800" * (600 << 10) + '"',
        "[" + "9" * (4 << 20) + "]",
        " " * (4 << 20),
        "\n" * (4 << 20) + "x",
        '"' + "\\" * ((4 << 20) + 1),
        "-" * (4 << 20),
        "a" * (4 << 20),
        '{"a": 1,' + "\n" * (4 << 20) + "}",
        "[" + ",".join(['"a"'] * 200_000) + ",]",
    ],
    ids=range(11),
)
def test_four_megabytes_take_no_long(text):
    start = time.process_time()
    parse(text)
    assert time.process_time() - start < 8
