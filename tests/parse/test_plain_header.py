"""The short cut reads what YAML reads, or leaves it to YAML."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from plugin_eval_ci.parse import header, yaml_header

KEYS = st.sampled_from(["name", "description", "when_to_use", "license", "allowed-tools", "no", "On", "a", "x1"])
WORDS = st.text(alphabet="abcXYZ 019-_.,:;#'\"\\!?&*[]{}|>%@`~=<()/éß中\u3000\xa0\u2028\t", max_size=24)
VALUES = st.one_of(
    WORDS,
    WORDS.map(lambda text: f'"{text}"'),
    WORDS.map(lambda text: f"'{text}'"),
    st.sampled_from(
        [
            "yes",
            "No",
            "null",
            "true",
            "1",
            "1.5",
            "2024-01-01",
            "0x1f",
            "1.0.0",
            "1.2.3.4",
            "1_0.2.3",
            "1.0.0 # first",
            "10:20:30",
            "false",
            "True",
            "true # always",
            "中: 文",
            "中文 # 文",
            "éa:",
            "①",
            "ªb",
            "٣.1.2",
            "inf",
            "nan",
            "y",
            "e3",
            "Use when: x",
            "a #b",
            "a:",
            "x ",
            "=",
            "<<",
        ]
    ),
)


@settings(max_examples=400, deadline=None)
@given(st.lists(st.tuples(KEYS, st.sampled_from([": ", ":", ":  "]), VALUES), min_size=1, max_size=5))
@example([("name", ": ", "cash-report"), ("description", ": ", "Sums tills. Use when asked, e.g. at eight.")])
@example([("name", ": ", "a"), ("name", ": ", "b")])
@example([("a", ": ", "b: c")])
@example([("a", ": ", "b\x85c")])
def test_agrees_with_yaml(rows):
    lines = [f"{key}{colon}{value}" for key, colon, value in rows]
    if any("\n" in line for line in lines):
        return
    plain = header.parse(lines, len(lines) + 2)
    if plain is not None:
        assert plain == yaml_header.parse(lines, len(lines) + 2)


@pytest.mark.parametrize(
    "lines",
    [
        ["name: cash-report", "description: Sums the tills of a day. Use when someone asks for the takings."],
        ['name: "cash-report"', "description: 'Sums: the tills # of a day'"],
        ["name: a", "license: MIT", "argument-hint: file"],
        ["description: Reads 中文 files, too"],
        ["description: 日本語翻訳：このファイルは（翻訳）が必要です。", "license: Ärzte"],
        ["name: a", "version: 1.0.0", "b: 10.200.3"],
        ["name: a", "user-invocable: true", "disable-model-invocation: false"],
    ],
)
def test_takes_the_common_ones(lines):
    assert header.parse(lines, len(lines) + 2) is not None
    assert header.parse(lines, len(lines) + 2) == yaml_header.parse(lines, len(lines) + 2)


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [""],
        ["name: yes"],
        ["name: 1"],
        ["version: 1.0"],
        ["version: 1.0.0.0"],
        ["version: ٣.1.2"],
        ["a: True"],
        ["a: true # b"],
        ["a: 中: 文"],
        ["a: 中 # 文"],
        ["a: 「中」"],
        ["a: b: c"],
        ["a: b # c"],
        ["a: >-", "  b"],
        ["a: [b]"],
        ["a:"],
        ["# c"],
        ["a: b", "a: c"],
        ["a: b\xa0"],
        ["no: x"],
    ],
)
def test_leaves_the_rest(lines):
    assert header.parse(lines, len(lines) + 2) is None
