"""Each rule over its small files: what must speak, what must stay silent."""

import pytest
from rule_trees import FOLDERS, collection_of, expected, inputs, json_place, line_count, shown

INPUTS = list(inputs())


@pytest.mark.parametrize(("rule", "name"), INPUTS, ids=[f"{rule}-{name}" for rule, name in INPUTS])
def test_finds_what_is_expected(rule, name, tmp_path):
    collection = collection_of(rule, name, tmp_path)
    found = shown(collection, rule)
    wanted = of_input(rule, name, collection)
    assert [(f.path, f.line) for f in found] == [(path, hit["line"]) for path, hit in wanted]
    for finding, (_, hit) in zip(found, wanted, strict=True):
        assert hit.get("contains", "") in finding.message
        assert hit.get("target", finding.target) == finding.target
        assert hit.get("weight", finding.weight) == finding.weight
        assert hit.get("severity", finding.severity.word) == finding.severity.word
        assert 1 <= finding.line <= line_count(collection, finding.path)
        assert is_for_people(finding), finding


def of_input(rule, name, collection):
    """The expected hits as (path in the collection, hit), in the order of findings."""
    hits = []
    for file, rows in expected(rule).items():
        top, _, below = file.partition("/")
        if top == name:
            path = below or json_place(name) or (*collection.skills, *collection.agents)[0].source.path
            hits += [(path, row) for row in rows]
    return sorted(hits, key=lambda pair: (pair[0], pair[1]["line"]))


def is_for_people(finding):
    """Whether message and fix are words for people."""
    texts = (finding.message, finding.fix)
    return (
        all(text and text.isprintable() and len(text) < 300 for text in texts)
        and not any(word in text for text in texts for word in ("NoneType", "datetime", "ValueKind", "<class"))
        and finding.fix[0].isupper()
        and finding.fix.endswith((".", "'", "?"))
    )


@pytest.mark.parametrize("rule", FOLDERS)
def test_expected_findings_belong_to_inputs(rule):
    names = {entry.name for entry in FOLDERS[rule].iterdir()}
    for file, rows in expected(rule).items():
        assert file.partition("/")[0] in names
        assert file.startswith("bad-") and rows


@pytest.mark.parametrize("rule", FOLDERS)
def test_every_bad_input_speaks(rule):
    speaking = {file.partition("/")[0] for file in expected(rule)}
    bad = {entry.name for entry in FOLDERS[rule].iterdir() if entry.name.startswith("bad-")}
    assert speaking == bad


def test_as_many_inputs_stay_silent_as_speak():
    silent = sum(name.startswith("good-") for _, name in INPUTS)
    assert silent >= len(INPUTS) - silent
