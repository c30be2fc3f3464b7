"""The YAML of a frontmatter: each defect on the line to mend, each value as it was written, with libyaml and without."""

from __future__ import annotations

import time

import pytest
import yaml

from plugin_eval_ci.config import yaml_values as yaml_loader
from plugin_eval_ci.model import Header, Value
from plugin_eval_ci.parse import yaml_header

LOADERS = [pytest.param(yaml_loader.PORTABLE, id="python")]
if hasattr(yaml, "CSafeLoader"):
    LOADERS.append(pytest.param(yaml.CSafeLoader, id="libyaml"))


@pytest.fixture(params=LOADERS, autouse=True)
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_loader, "LOADER", request.param)


def parse(text: str) -> Header:
    lines = text.split("\n")
    return yaml_header.parse(lines, len(lines) + 2)


def kinds(header: Header) -> list[tuple[str, int]]:
    return [(note.kind, note.line) for note in header.notes]


QUOTES = "quotes"
BROKEN = [
    # text, line in the file (the opening fence is line 1), what the message says, what the fix says
    ("name: a\ndescription: Use: this", 3, "colon", QUOTES),
    ("name: a\ndescription: one two: three\nlicense: MIT", 3, "colon", QUOTES),
    ("description: a\n  user: hi\n  assistant: hello", 3, "colon", QUOTES),  # an agent's example dialogue
    ("name: a\nargument-hint: [file] [format]", 3, "end of a value", QUOTES),
    ("name: a\nargument-hint: [file\nlicense: MIT", 3, "never closed", QUOTES),
    ("name: a\nargument-hint: [file", 3, "never closed", QUOTES),
    ("name: a\nmetadata: {a: 1\nlicense: MIT", 3, "never closed", QUOTES),
    ('paths: [\n  "a"\n  "b"\n]', 4, "comma is missing", ""),
    ('name: a\ndescription: "open\nlicense: MIT\nmodel: x', 3, "quote is opened here", QUOTES),
    ("name: a\ndescription: 'open\nlicense: MIT", 3, "quote is opened here", QUOTES),
    ("name: a\ndescription: 'it's broken'", 3, "end of a value", QUOTES),
    ('name: a\ndescription: "say "hi" now"', 3, "end of a value", QUOTES),
    ('name: a\ndescription: "a", "b"', 3, "end of a value", QUOTES),
    ('name: a\ndescription: "a" and more', 3, "end of a value", QUOTES),
    ('name: a\ndescription: "C:\\windows"', 3, "not an escape", QUOTES),
    ("name: a\npaths: **/*.ts", 3, "alias", QUOTES),
    ("name: a\npaths: *.ts", 3, "alias", QUOTES),
    ("name: a\npaths:\n  - src/**\n  - *.ts", 5, "alias", ""),
    ("name: a\n**bold** words", 3, "alias", ""),
    ("name: a\ndescription: *nothing", 3, "alias", QUOTES),
    ("name: a\ndescription: & friends", 3, "anchor", QUOTES),
    ("name: a\ndescription: @scope/package", 3, "cannot begin with @", QUOTES),
    ("name: a\ndescription: `code` first", 3, "cannot begin with `", QUOTES),
    ("name: a\ndescription: %TEMP% files", 3, "cannot begin with %", QUOTES),
    ("name: a\ndescription: > folded on the line", 3, "begins a block", QUOTES),
    ("name: a\ndescription: |text", 3, "begins a block", QUOTES),
    ("name: a\ndescription: - one", 3, "list cannot begin", QUOTES),
    ("name: a\ndescription: ? one", 3, "complex key", QUOTES),
    ("name: a\nmetadata:\n\tauthor: b", 4, "tab", "spaces"),
    ("name: a\ntools:\n\t- Read", 4, "tab", "spaces"),
    ("\tname: a", 2, "tab", "spaces"),
    ("name: a\n description: b", 3, "colon", ""),
    ("metadata:\n  a: 1\n b: 2", 4, "indented differently", ""),
    ("tools:\n  - a\n - b", 4, "indented differently", ""),
    ("name: a\ndescription no colon\nlicense: MIT", 3, "neither key: value", "colon"),
    ("name: a\ndescription no colon", 3, "neither key: value", "colon"),
    ("description no colon\nlicense: MIT", 2, "neither key: value", "colon"),
    ("name: a\ndescription:no blank\nlicense: MIT", 3, "neither key: value", "blank"),
    ("description: >\nnot indented\nname: a", 3, "neither key: value", "indent"),
    ("name: a\n- one\n- two", 3, "end of a value", ""),
    ("name: a\n--- b", 3, "second YAML document", ""),
    ("name: a\n...\nlicense: MIT", 4, "second YAML document", ""),
    ("%YAML 1.2\nname: a", 3, "second YAML document", ""),
    ("a: &x 1\nb: &x 2", 3, "anchor", ""),
    ("name: a\ndescription: one # two\n  three", 3, "comment", QUOTES),
    ("name: a\ndescription: \x07bell", 3, "U+0007", "Remove"),
    ("name: ééé\ndescription: ééé\nlicense: \x1b[0m", 4, "U+001B", "Remove"),
    ("name: a\0b", 2, "U+0000", "Remove"),
    ("name: a\nlicense: b\ufffe", 3, "U+FFFE", "Remove"),
    ("name: a\n? [x, y]\n: z", 3, "key is a list or a mapping", "word"),
    ("name: a\n[x]: z", 3, "key is a list or a mapping", "word"),
    ("name: a\nhooks: !!python/object/apply:os.system [id]", 3, "never built", "tag"),
    ("name: a\nhooks: !custom value", 3, "never built", "tag"),
    ("name: a\nhooks:\n  x: !!python/name:os.system", 4, "never built", "tag"),
    ("description: !!str [a, b]", 2, "never built", "tag"),
    ("description: !!map text", 2, "never built", "tag"),
    ("description: !!binary aGk=", 2, "never built", "tag"),
    ("description: !!set {a}", 2, "never built", "tag"),
]


@pytest.mark.parametrize(("text", "line", "message", "fix"), BROKEN)
def test_a_defect_is_reported_on_the_line_to_mend(text: str, line: int, message: str, fix: str) -> None:
    header = parse(text)
    assert header.problem is not None
    assert header.fields == ()
    assert (header.problem.kind, header.problem.line) == ("FM_INVALID_YAML", line)
    assert message in header.problem.message
    assert fix in header.problem.fix and header.problem.fix.endswith(".")
    assert header.problem.message.isprintable()


def test_both_loaders_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    if len(LOADERS) < 2:
        pytest.skip("this PyYAML has no libyaml")
    for text in [case[0] for case in BROKEN] + SOUND:
        answers = []
        for one in (yaml.CSafeLoader, yaml_loader.PORTABLE):
            monkeypatch.setattr(yaml_loader, "LOADER", one)
            answers.append(parse(text))
        assert answers[0] == answers[1], text


SOUND = [
    "name: a\ndescription: http://example.org/a:b and 10:30 and a#b",
    "name: a\ndescription: \"quoted: 'with' # all\"",
    "name: a\ndescription: 'it''s fine'",
    "name: a\ndescription: plain\n  over two\n  lines",
    "name: a\ndescription:\n  on the next line",
    "name: a\ndescription: >-\n  folded: with\n  # everything\n  - in it",
    "name: a\ndescription: |\n  literal: *x\n\n  ---\n\n  more",
    "name: a\ndescription: |2-\n    kept",
    "name:\ta\ndescription: b\t\nlicense: c\td # e",
    "name: a\npaths: ['**/*.ts', \"*.js\"]",
    "name: a\npaths:\n- x\n- y",
    "name: a\nmetadata: {a: 1, b: [c, {d: e}]}",
    "name: a\ndescription: \u201ccurly\u201d \u2014 数据 🚀",
    "name: a\ndescription: [unfinished]",
    "name: a # comment\n# another\n\ndescription: b",
    "name: a\ndescription: a\u2028b\x85c",
    "'name': a\n\"description\": b",
    "? name\n: a",
    "name: a\ndescription: ''",
    "{name: a, description: b}",
    "name: a\ndescription: -foo",
    "name: a\ndescription: ?foo :bar",
    "name: a\nhooks: !!str 123",
    "name: a\nname2: ! b",
    "name: a\n...",
]


@pytest.mark.parametrize("text", SOUND)
def test_sound_yaml_is_silent(text: str) -> None:
    header = parse(text)
    assert header.problem is None
    assert header.notes == ()
    assert header.text("name") == "a"


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("no", "boolean"), ("NO", "boolean"), ("on", "boolean"), ("Off", "boolean"), ("yes", "boolean"), ("true",
        "boolean"),
        ("null", "null"), ("Null", "null"), ("~", "null"), ("", "null"),
        ("1", "number"), ("007", "number"), ("1_000", "number"), ("0x1F", "number"), ("12:30:45", "number"), ("1.5",
        "number"), (".inf", "number"),
        ("2024-01-01", "date"), ("2024-13-45", "date"), ("2024-01-01T10:00:00Z", "date"),
        ("nope", "text"), ("y", "text"), ("n", "text"), ("1.2.3", "text"), ("2024-1", "text"), ("1e3", "text"), ("=",
        "text"), ("<<", "text"),
        ('"no"', "text"), ("'2024-01-01'", "text"), ('""', "text"), ("!!str 2024-01-01", "text"),
    ],
)  # fmt: skip
def test_scalars_keep_the_spelling_of_their_author(written: str, kind: str) -> None:
    field = parse(f"name: {written}").field("name")
    assert field is not None
    assert field.value.kind == kind
    assert field.value.text == written.removeprefix("!!str ").strip("\"'")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("d: >-\n  one\n  two\n\n  three", "one two\nthree"),
        ("d: |\n  one\n  two", "one\ntwo\n"),
        ("d: |-\n  # not a comment\n  a: b", "# not a comment\na: b"),
        ("d: >+\n  one\n", "one\n\n"),
        ('d: "a\\nb \\u00e9 \\x41"', "a\nb é A"),
        ('d: "one\n  two"', "one two"),
        ("d: one\n  two\n\n  three", "one two\nthree"),
        ("d: a\u2028b\u2029c\x85d", "a\u2028b\u2029c\x85d"),
        ("d: a --- b", "a --- b"),
        ("d: a#b", "a#b"),
    ],
)
def test_text_is_folded_as_yaml_says(text: str, value: str) -> None:
    field = parse(text).field("d")
    assert field is not None and field.value == Value("text", value, field.value.line)


def test_every_value_has_its_line() -> None:
    header = parse("name: a\n\nmetadata:\n  x: 1\n  y:\n    - b\n    - c\ndescription: >\n  text\nlast: z")
    assert [(field.key, field.line, field.value.line) for field in header.fields] == [
        ("name", 2, 2), ("metadata", 4, 5), ("description", 9, 9), ("last", 11, 11),
    ]  # fmt: skip
    metadata = header.fields[1].value
    assert [(key, value.kind, value.line) for key, value in metadata.entries] == [("x", "number", 5), ("y", "list", 7)]
    assert [(item.text, item.line) for item in metadata.entries[1][1].items] == [("b", 7), ("c", 8)]


def test_lines_after_unicode_breaks_are_those_of_an_editor() -> None:
    header = parse("name: a\u2028b\x85c\u2029d\ndescription: Use: this")
    assert header.problem is not None and header.problem.line == 3


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("1: a\ntrue: b\nnull: c\n~: d\n2024-01-01: e\n'': f", ["1", "true", "null", "~", "2024-01-01", ""]),
        ("key with spaces: a\nключ: b\n🚀: c", ["key with spaces", "ключ", "🚀"]),
        ("Name: a\nname: b", ["Name", "name"]),
    ],
)
def test_keys_that_are_no_plain_words(text: str, keys: list[str]) -> None:
    header = parse(text)
    assert header.problem is None and header.notes == ()
    assert [field.key for field in header.fields] == keys


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("name: a\nname: b", [("FM_DUPLICATE_KEY", 3)]),
        ("name: a\nx: 1\nname: b\nname: c", [("FM_DUPLICATE_KEY", 4), ("FM_DUPLICATE_KEY", 5)]),
        ("name: a\n'name': b", [("FM_DUPLICATE_KEY", 3)]),
        ("metadata:\n  a: 1\n  b: 2\n  a: 3", [("FM_DUPLICATE_KEY", 5)]),
        ("metadata: {a: 1, a: 2}", [("FM_DUPLICATE_KEY", 2)]),
        ("hooks:\n  - a: 1\n    a: 2", [("FM_DUPLICATE_KEY", 4)]),
        ("metadata:\n  a: 1\nother:\n  a: 1", []),
        ("hooks:\n  - a: 1\n  - a: 2", []),
        ("name: a\nNAME: b", []),
    ],
)
def test_duplicate_keys(text: str, notes: list[tuple[str, int]]) -> None:
    header = parse(text)
    assert header.problem is None
    assert kinds(header) == notes
    assert all(note.message.count("line ") == 1 for note in header.notes)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: &x [1]\nb: 2\nc: *x", 4),
        ("a: &x [1]\nc: *x\nd: *x", 3),
        ("a: &x 1\nb:\n  - 0\n  - *x", 5),
        ("a: &x {k: v}\n<<: *x", 3),
        ("a: &x {k: v}\nb:\n  <<: *x\n  z: 1", 4),
        ("a: &x\n  b: *x", 3),  # contains itself
        ("a: &x [*x]", 2),
        ("a: &x k\n*x : v", 3),
    ],
)
def test_aliases_are_reported_once_where_they_are_used(text: str, line: int) -> None:
    header = parse(text)
    assert header.problem is None
    assert kinds(header) == [("FM_ALIAS", line)]


@pytest.mark.parametrize(
    "text", ["a: &x 1", "a: '*x'", "a: a *b* c", "a: '&x *x'", "a: |\n  *x\n  &x", "a: [ '*' ]", "a: 2*x"]
)
def test_stars_that_are_no_aliases(text: str) -> None:
    header = parse(text)
    assert header.problem is None and header.notes == ()


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("description: Sorts tickets #1 first", 2, 28),
        ("name: a\ndescription: Sorts tickets  # by label", 3, 29),
        ("description: one\n  two # three", 3, 7),
        ("when_to_use: x # y", 2, 16),
        ("description: # all of it", 2, 14),
        ("description: 'a # b'", None, None),
        ("description: 'a' # b", None, None),
        ('description: "a # b"', None, None),
        ("description: |\n  a # b", None, None),
        ("description: >-\n  a\n  # b", None, None),
        ("description: C# and F#", None, None),
        ("description: a#b", None, None),
        ("description: a\n# a comment line\nname: b", None, None),
        ("name: a # said on purpose", None, None),
        ("metadata:\n  description: a # b", None, None),
    ],
)
def test_a_value_cut_by_a_comment(text: str, line: int | None, column: int | None) -> None:
    header = parse(text)
    assert header.problem is None
    assert [(note.kind, note.line, note.column) for note in header.notes] == (
        [("FM_TRUNCATED_COMMENT", line, column)] if line else []
    )


def bomb() -> str:
    return "a0: &a0 [x]\n" + "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 40))


HOSTILE = {
    "alias bomb": (bomb(), None),
    "deep flow list": ("a: " + "[" * 5_000, "FM_INVALID_YAML"),
    "deep flow map": ("a: " + "{a: " * 5_000, "FM_INVALID_YAML"),
    "deep flow list, closed": ("a: " + "[" * 200 + "]" * 200, "FM_INVALID_YAML"),
    "deep block list": ("a:\n  " + "- " * 20_000, "FM_INVALID_YAML"),
    "deep keys": ("? " * 20_000, "FM_INVALID_YAML"),
    "deep block map": ("\n".join(" " * n + "a:" for n in range(300)), "FM_INVALID_YAML"),
    "flow lists over lines": ("a: [\n" * 8_000, "FM_INVALID_YAML"),
    "anchors": ("&a " * 20_000, "FM_INVALID_YAML"),
    "tags": ("!a " * 20_000, "FM_INVALID_YAML"),
    "a long key": ("a" * 60_000 + ": b", "FM_INVALID_YAML"),
    "a long value": ("a: " + "b " * 30_000, None),
    "many lines": ("a:\n" + " b\n" * 20_000, None),
    "many keys": ("\n".join(f"k{n}: v" for n in range(6_000)), None),
    "too much": ("a: " + "b" * (64 * 1024), "FM_INVALID_YAML"),
    "quotes": ("a: " + "''" * 30_000, None),
    "an open quote": ("a: '" + "b " * 30_000, "FM_INVALID_YAML"),
    "escapes": ('a: "' + "\\x41" * 15_000 + '"', None),
    "merge keys": ("a: &a {<<: *a}", None),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_ends_soon(name: str) -> None:
    text, kind = HOSTILE[name]
    start = time.process_time()
    header = parse(text)
    assert time.process_time() - start < 4  # the Python loader on a slow machine; libyaml needs a tenth
    assert (header.problem.kind if header.problem else None) == kind


def test_depth_at_the_limit() -> None:
    for depth, sound in ((30, True), (31, True), (40, False)):
        assert (parse("a: " + "[" * depth + "]" * depth).problem is None) is sound


def test_the_size_at_the_limit() -> None:
    limit = yaml_header.MAX_CHARACTERS
    assert parse("a: " + "b" * (limit - 4)).problem is None
    assert parse("a: " + "b" * (limit - 3)).problem is not None
