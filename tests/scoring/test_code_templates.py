"""Fenced blocks that parse and that do not, at the line of the document; nothing of them is executed."""

import sys
import time

import pytest

from plugin_eval_ci.model import Body, Fence
from plugin_eval_ci.scoring.static.code_templates import BrokenBlock, parses, templates_of


def blocks(*pairs: tuple[str, str]) -> Body:
    return Body(
        fences=tuple(Fence(language, text, 10 * n, 10 * n + 5, True) for n, (language, text) in enumerate(pairs, 1))
    )


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("json", '{"a": [1, null]}'), ("jsonl", '{"a": 1}\n\n{"b": 2}\n'), ("ndjson", "1\n2"),
        ("yaml", "a: 1\n---\nb: [x, y]\n"), ("yml", "name: ${{ github.ref }}\n"), ("yaml", "!custom {a: 1}"),
        ("toml", 'a = 1\n[b]\nc = "d"\n'), ("python", "def f(x):\n    ...\n"), ("py", "await go()\n"),
        ("python3", "x = '\\d'\n"), ("xml", "<a b='1'><c/></a>"), ("xml", "\n<?xml version='1.0'?>\n<a/>\n"),
    ],
)  # fmt: skip
def test_what_parses(language, text):
    assert parses(language, text) is True
    assert templates_of(blocks((language, text))) == (1, ())


@pytest.mark.parametrize(
    ("language", "text", "line"),
    [
        ("json", '{"a": 1,\n}', 12), ("json", "{...}", 11), ("jsonl", '{"a": 1}\n{"b": \n', None), ("yaml", "a: 1\nb: [\n", 13),
        ("yaml", "a: *nobody", 11), ("toml", "a = \n", None), ("python", "x = 1\ndef f(:\n    pass\n", 12),
        ("python", "if True:\nx = 1\n", 12), ("xml", "<a>\n<b></a>", 12),
    ],
)  # fmt: skip
def test_what_does_not(language, text, line):
    assert parses(language, text) is False
    (broken,) = templates_of(blocks((language, text))).broken
    assert broken.language == language and broken.message and "\n" not in broken.message
    assert line is None or broken.line == line


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("", "{"), ("bash", "if ["), ("text", "{"), ("jsonc", "{// x\n}"), ("json", " \n"), ("python", ">>> 1 +\n"),
        ("python", "  >>> x\n  1\n"), ("xml", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"), ("json", "[" * 200_000),
    ],
)  # fmt: skip
def test_what_is_not_checked(language, text):
    assert parses(language, text) is None
    assert templates_of(blocks((language, text))).share is None


def test_the_share():
    found = templates_of(blocks(("json", "{}"), ("json", "{"), ("bash", "{"), ("yaml", "a: 1")))
    assert found.share == round(2 / 3, 9)
    assert [(one.language, one.line) for one in found.broken] == [("json", 21)]
    assert BrokenBlock("json", 21, found.broken[0].message) == found.broken[0]


def test_nothing_is_executed(tmp_path):
    mark = tmp_path / "mark"
    assert parses("python", f"open({str(mark)!r}, 'w').write('x')\nraise SystemExit") is True
    assert parses("yaml", f"!!python/object/apply:os.mkdir [{str(mark)!r}]") is True
    assert not mark.exists()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("json", "[" * 90_000), ("python", "(" * 90_000), ("python", "-" * 90_000 + "1"), ("python", "x" + ".a" * 45_000),
        ("yaml", "[" * 20_000), ("xml", "<a>" * 30_000), ("toml", "a = " + "[" * 50_000),
        ("yaml", "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(f"b{n}: &b{n} [*a,*a,*a,*a,*a]\n" for n in range(200))),
    ],
)  # fmt: skip
def test_hostile_text_ends_soon(language, text):
    start, limit = time.monotonic(), sys.getrecursionlimit()
    parses(language, text)
    assert time.monotonic() - start < 20 and sys.getrecursionlimit() == limit
