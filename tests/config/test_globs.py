"""Globs fit what git would say they fit, and no pattern takes more time than its length times the path's."""

from __future__ import annotations

import time

import pytest

from plugin_eval_ci.config.globs import Glob


@pytest.mark.parametrize(
    ("glob", "fits", "others"),
    [
        ("a", ["a", "x/a", "x/y/a"], ["ab", "a/b", "A"]),
        ("/a", ["a"], ["x/a"]),
        ("a/b", ["a/b"], ["x/a/b", "a/b/c", "a/x/b"]),
        ("./a/b/", ["a/b"], ["a"]),
        ("a/**", ["a"], ["ab", "x/a"]),
        ("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["a", "b", "a/x/y"]),
        ("**/a", ["a", "x/a", "x/y/a"], ["a/x"]),
        ("**/a/**", ["a", "x/a"], ["b"]),
        ("**", ["a", "a/b", "."], []),
        ("***", ["a", "a/b"], []),
        ("a**b", ["ab", "axb", "x/ab"], ["a/b"]),
        ("*.md", ["a.md", "x/a.md", ".md"], ["a.mdx"]),
        ("x/*.md", ["x/a.md"], ["a.md", "x/y/a.md"]),
        ("a/*/c/**/e", ["a/b/c/e", "a/b/c/d/e", "a/b/c/c/e/e"], ["a/c/e", "a/b/c"]),
        ("?", ["a", "x/b"], ["ab", ""]),
        ("[ab]", ["a", "b"], ["c"]),
        ("[!a]", ["b"], ["a"]),
        ("[^a]", ["b"], ["a"]),
        ("[a", ["[a"], ["a"]),
        ("{a,b}", ["{a,b}"], ["a"]),
        ("a\\b", ["a\\b"], ["ab"]),
        ("(x)+", ["(x)+"], ["x"]),
        ("", [], ["", "a", "."]),
        ("/", [], ["", "a"]),
        ("# a", ["# a"], ["a"]),
    ],
)
def test_what_a_glob_fits(glob: str, fits: list[str], others: list[str]) -> None:
    assert [path for path in fits if not Glob(glob).matches(path)] == []
    assert [path for path in others if Glob(glob).matches(path)] == []


def test_what_a_glob_covers() -> None:
    assert all(Glob("old/**").covers(path) for path in ("old", "old/a", "old/a/b.md"))
    assert not Glob("old/**").covers("older/a")
    assert Glob("*.md").covers("x.md/y")


@pytest.mark.parametrize(
    "glob",
    [
        "*a" * 250,
        "**/" * 160 + "x",
        "**/a/" * 100,
        "?*" * 250,
        "[" * 500,
        "[a-" * 160,
        "*" * 500,
        "a*" * 249 + "b",
        "**/*a*a*a*a*a*a/" * 25 + "b",
    ],
)
def test_no_pattern_explodes(glob: str) -> None:
    paths = ["a" * 255, "/".join(["a"] * 1_000), "/".join(["a" * 200] * 20) + "/c"]
    start = time.process_time()
    for path in paths:
        Glob(glob).matches(path)
        Glob(glob).covers("/".join(path.split("/")[:50]))
    assert time.process_time() - start < 2
