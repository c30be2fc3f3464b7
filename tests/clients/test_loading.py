"""A skill has an error exactly where a client that was run drops it, or shows another name than the one that is written.

The verdicts were measured with the versions of ``profiles/loading.json``, one variant a skill, each next to a good one.
"""

from __future__ import annotations

import json

import pytest

from plugin_eval_ci.clients.loading import dropped_by, loading, units
from plugin_eval_ci.config import Config
from plugin_eval_ci.lint.evaluate import evaluate
from plugin_eval_ci.model import Severity

DESCRIPTION = "description: Builds the stock report. Use when someone asks for stock levels.\n"


def with_lines(*lines: str, name: str | None = "name: a\n", description: str = DESCRIPTION) -> bytes:
    extra = "".join(f"{line}\n" for line in lines)
    return f"---\n{name or ''}{description}{extra}---\nLoad the export.\n".encode()


def named(value: str) -> bytes:
    return with_lines(name=f"name: {value}\n")


def described(value: str) -> bytes:
    return with_lines(description=f"description: {value}\n")


DROPPED = {
    "file without a header": b"# Title\n",
    "blank line first": b"\n" + with_lines(),
    "comment first": b"<!-- x -->\n" + with_lines(),
    "never closed": b"---\nname: a\n" + DESCRIPTION.encode(),
    "closed with dots": with_lines().replace(b"\n---\n", b"\n...\n"),
    "four dashes": with_lines().replace(b"---\n", b"----\n"),
    "byte order mark": b"\xef\xbb\xbf" + with_lines(),
    "blank after the first fence": b"--- " + with_lines()[3:],
    "tab after the first fence": b"---\t" + with_lines()[3:],
    "line ends of CR alone": with_lines().replace(b"\n", b"\r"),
    "Latin-1 in the text": with_lines() + b"caf\xe9\n",
    "Latin-1 in the header": with_lines("license: caf\u00e9").decode().encode("latin-1"),
    "UTF-16": with_lines().decode().encode("utf-16"),
    "NUL in the header": with_lines("license: a\0b"),
    "empty header": b"---\n---\ntext\n",
    "header of a list": b"---\n- a\n---\ntext\n",
    "header of words": b"---\nwords\n---\ntext\n",
    "key twice": with_lines("license: a", "license: b"),
    "key twice in metadata": with_lines("metadata:", "  a: 1", "  a: 2"),
    "colon in a value": described("Stock: levels. Use when: asked"),
    "unknown escape": described('"a\\d b"'),
    "words after a quotation": described('"a" and b'),
    "tab as indentation": with_lines("metadata:", "\ta: b"),
    "two hints in brackets": with_lines("argument-hint: [a] [b]"),
    "tag of an object": with_lines("license: !a b"),
    "no name": with_lines(name=None),
    "key in capitals": with_lines(name="Name: a\n"),
    "name of 65": named("n" * 65),
    "name of 33 emoji": named("\U0001f600" * 33),
    "name with a colon": named("a:b"),
    **{
        f"name {value}": named(value)
        for value in ("", "null", "~", '""', '" "', "5", "1e3", "0o17", "007", ".inf", "-5", "1_000")
    },
    **{
        f"name {value}": named(value)
        for value in ("12:30", "true", "2024-01-01", "[a]", "{a: b}", "caf\u00e9", "a/b", "_ab", "-ab")
    },
    **{f"name {value}": named(value) for value in ("a@b", "a+b", "a,b", "a(b)", "ab\U0001f600", "a\u200bb", '"<b>"')},
    **{
        f"description {value}": described(value)
        for value in ("", "null", '""', "5", "1.5", "1e3", "true", "2024-01-01", "[a]", "{a: b}")
    },
    "no description": with_lines(description=""),
    "description of 1,025": described("x" * 1025),
    "description of 600 emoji": described("\U0001f600" * 600),
    "description with blanks at its end": described('"' + "x" * 1024 + '  "'),
    **{
        f"{key} {value}": with_lines(f"{key}: {value}")
        for key in ("disable-model-invocation", "user-invocable")
        for value in ("yes", "no", "on", "y", "1", "0", "null", "", "~", "'true'", "maybe", "[true]", "{a: b}")
    },
    **{
        f"argument-hint {value}": with_lines(f"argument-hint: {value}")
        for value in ("5", "1e3", "true", "[a]", "[]", "{a: b}")
    },
    **{
        f"allowed-tools {value}": with_lines(f"allowed-tools: {value}")
        for value in ("", "null", "5", "true", "[1]", "[null]", "[[a]]", "{a: b}")
    },
    **{
        f"metadata {value}": with_lines(f"metadata: {value}")
        for value in ("null", "5", "a", '""', "true", "[a]", "[]", "2024-01-01")
    },
    "above a million bytes": with_lines() + b"word word\n" * 100_100,
}
LOADED = {
    "plain": with_lines(),
    "CRLF": with_lines().replace(b"\n", b"\r\n"),
    "no line end": with_lines().rstrip(b"\n"),
    "blank after the last fence": with_lines().replace(b"\n---\n", b"\n--- \n"),
    "NUL in the text": with_lines() + b"a\0b\n",
    "no text": with_lines().replace(b"Load the export.\n", b""),
    "anchors": with_lines("license: &x MIT", "compatibility: *x"),
    "header of 70,000 characters": with_lines(f'compatibility: "{"x" * 70_000}"'),
    "forty levels": with_lines("metadata:", *(f"{'  ' * depth}a:" for depth in range(1, 41)), "  " * 41 + "a: b"),
    "name is not the folder's": named("b"),
    **{f"name {value}": named(value) for value in ("A", "a_b", "a.b", "a b", "a--b", "a-", "claude-a", "no", "on", "yes", "1.2.3", '"5"')},
    "name of 64": named("n" * 64),
    "description of 1,024": described("x" * 1024),
    "description of 500 emoji": described("\U0001f600" * 500),
    "description of 1,000 CJK characters": described("\u8a9e" * 1000),
    "folded description": described(">\n  Builds the report.\n  Use when asked."),
    **{f"description {value}": described(value) for value in ("yes", "no", "1.2.3", '"5"', "Does <b>. Use when asked", "C # x. Use when asked")},
    **{f"user-invocable {value}": with_lines(f"user-invocable: {value}") for value in ("true", "True", "TRUE", "false", "FALSE")},
    **{f"argument-hint {value}": with_lines(f"argument-hint: {value}") for value in ("a", '"[a]"', "", "null", "yes", "2024-01-01", '""')},
    **{f"allowed-tools {value}": with_lines(f"allowed-tools: {value}") for value in ("Read", "Read, Write", "[Read]", "[]", '""', "yes")},
    **{f"metadata {value}": with_lines(f"metadata: {value}") for value in ("", "{a: b}", "{a: {b: c}}", "{version: 1.0}")},
    **{
        f"{key} {value}": with_lines(f"{key}: {value}")
        for key in ("license", "compatibility", "context", "model", "paths", "arguments", "zzbogus")
        for value in ("5", "true", "null", "[a]", "{a: b}")
    },
    "compatibility of 501": with_lines("compatibility: " + "c" * 501),
    "unknown effort": with_lines("effort: ultra"),
}  # fmt: skip


def errors(root, data: bytes, name: str = "SKILL.md") -> list[str]:
    folder = root / ".agents" / "skills" / "a"
    folder.mkdir(parents=True)
    (root / ".git").mkdir()
    (folder / name).write_bytes(data)
    found = evaluate((str(root),), Config()).checked.findings
    return [f"{one.rule}: {one.message}" for one in found if one.severity == Severity.ERROR]


@pytest.mark.parametrize("kind", DROPPED)
def test_what_a_client_drops_is_an_error_that_names_it(tmp_path, kind):
    found = errors(tmp_path, DROPPED[kind])
    assert found
    assert any(client in line for line in found for client in loading().clients.values()), found


@pytest.mark.parametrize("kind", LOADED)
def test_what_every_client_loads_is_no_error(tmp_path, kind):
    assert errors(tmp_path, LOADED[kind]) == []


@pytest.mark.parametrize(
    "name",
    ["skill.md", "Skill.md", "SKILL.MD", "SKILLS.md", "SKILL.markdown", "SKILL.txt", "SKILL", "README.md", "a.md"],
)
def test_every_spelling_but_one_is_an_error(tmp_path, name):
    assert errors(tmp_path, with_lines(), name)


def test_the_table_has_every_client_and_no_other():
    table = loading()
    named = {name for names in (*table.drops.values(), *table.renames.values()) for name in names}
    assert named == set(table.clients)
    assert dropped_by("metadata") == f"{table.clients['codex']} drops this skill"
    assert " and " in dropped_by("byte-order-mark") and dropped_by("byte-order-mark").endswith(" drop this skill")
    assert json.dumps(table.drops)


def test_an_emoji_counts_as_two():
    assert (units("abc"), units("\u8a9e"), units("\U0001f600")) == (3, 1, 2)
