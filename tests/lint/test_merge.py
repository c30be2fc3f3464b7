"""Findings of other engines: what is taken, what is the same as ours, and what a hostile or broken log can do."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugin_eval_ci import cli
from plugin_eval_ci.cli.lint import FORMATS
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.lint.merge import sarif
from plugin_eval_ci.lint.merge.findings import EQUIVALENTS, merge
from plugin_eval_ci.lint.merge.sarif import Place, read_sarif
from plugin_eval_ci.model import CheckResult, Finding, Severity
from plugin_eval_ci.rules import all_names

NOTHING = CheckResult((), ())


def result(rule="REF-002", uri="skills/a/SKILL.md", line=8, text="broken link", **more):
    region = {"startLine": line} if line is not None else {}
    place = {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}
    return {"ruleId": rule, "level": "error", "message": {"text": text}, "locations": [place], **more}


def log(*results, engine="agnix", **run):
    driver = {"name": engine, **run.pop("driver", {})}
    return {"version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": list(results), **run}]}


@pytest.fixture
def write(tmp_path):
    def to_file(document, name="other.sarif"):
        file = tmp_path / name
        file.write_bytes(document if isinstance(document, bytes) else json.dumps(document).encode())
        return str(file)

    return to_file


@pytest.fixture
def taken(write, tmp_path):
    """``taken(document)``: the findings of a log, for a root of ``tmp_path``."""
    return lambda document: read_sarif(write(document), str(tmp_path)).findings


def ours(rule, line, path="skills/a/SKILL.md"):
    return Finding(rule, Severity.WARNING, False, path, line, None, None, "ours", "", "", "0" * 16, None)


def test_a_result_becomes_a_finding(taken):
    region = {"startLine": 8, "startColumn": 5, "endLine": 9, "endColumn": 1}
    place = {"physicalLocation": {"artifactLocation": {"uri": "skills/a%20b/SKILL.md"}, "region": region}}
    (found,) = taken(log(result(locations=[place], text="broken\n  link")))
    assert (found.rule, found.severity, found.path) == ("agnix/REF-002", Severity.ERROR, "skills/a b/SKILL.md")
    assert (found.line, found.column, found.end_line, found.message) == (8, 5, 9, "broken link")
    assert not found.anti_pattern and found.weight is None


@pytest.mark.parametrize(
    ("more", "severity"),
    [
        ({"level": "error"}, Severity.ERROR),
        ({"level": "warning"}, Severity.WARNING),
        ({"level": "note"}, Severity.NOTICE),
        ({"level": "none"}, Severity.NOTICE),
        ({"level": "fatal"}, Severity.WARNING),
        ({"level": None}, Severity.WARNING),
    ],
)
def test_levels(taken, more, severity):
    assert [found.severity for found in taken(log(result(**more)))] == [severity]


def test_a_missing_level_is_the_rules_own(taken):
    rules = [{"id": "other"}, {"id": "REF-002", "defaultConfiguration": {"level": "note"}}]
    by_id, by_index = result(), result()
    del by_id["level"], by_index["level"], by_index["ruleId"]
    by_index["ruleIndex"] = 1
    assert [(f.rule, f.severity) for f in taken(log(by_id, by_index, driver={"rules": rules}))] == [
        ("agnix/REF-002", Severity.NOTICE)
    ] * 2


@pytest.mark.parametrize(
    "more",
    [
        {"kind": "pass"},
        {"kind": "notApplicable"},
        {"baselineState": "absent"},
        {"suppressions": [{"kind": "inSource"}]},
        {"suppressions": [{"kind": "external", "status": "accepted"}]},
    ],
)
def test_what_is_no_defect_is_left_out(taken, more):
    assert taken(log(result(**more))) == ()


def test_a_suppression_that_was_turned_down_hides_nothing(taken):
    assert len(taken(log(result(suppressions=[{"kind": "external", "status": "rejected"}])))) == 1


def test_messages_may_come_from_the_rule(taken):
    rules = [{"id": "REF-002", "messageStrings": {"default": {"text": "no {0} in {1}"}}}]
    by_id = result()
    by_id["message"] = {"id": "default", "arguments": ["x.md", "y"]}
    assert [found.message for found in taken(log(by_id, driver={"rules": rules}))] == ["no x.md in y"]


@pytest.mark.parametrize(
    ("region", "expected"),
    [
        ({}, (1, None, None)),
        ({"startLine": 0, "startColumn": 0, "endLine": -3}, (1, None, None)),
        ({"startLine": -(10**30)}, (1, None, None)),
        ({"startLine": 10**30}, (2**31 - 1, None, None)),
        ({"startLine": 5, "endLine": 3}, (5, None, None)),
        ({"startLine": 5, "endLine": 5}, (5, None, None)),
    ],
)
def test_lines_are_lines(taken, region, expected):
    place = {"physicalLocation": {"artifactLocation": {"uri": "a.md"}, "region": region}}
    (found,) = taken(log(result(locations=[place])))
    assert (found.line, found.column, found.end_line) == expected


def test_a_finding_without_a_place_is_about_the_repository(taken):
    found = taken(log(result(locations=[]), result(uri="")))
    assert [(f.path, f.line) for f in found] == [(".", 1), (".", 8)]


def test_an_artifact_may_be_named_by_its_number(taken):
    place = {"physicalLocation": {"artifactLocation": {"index": 1}}}
    artifacts = [{"location": {"uri": "a.md"}}, {"location": {"uri": "b.md"}}]
    assert [f.path for f in taken(log(result(locations=[place]), artifacts=artifacts))] == ["b.md"]


@pytest.mark.parametrize(
    ("uri", "base", "expected"),
    [
        ("skills/a/SKILL.md", "", "skills/a/SKILL.md"),
        ("./skills//a/../b/SKILL.md", "", "skills/b/SKILL.md"),
        ("skills\\a\\SKILL.md", "", "skills/a/SKILL.md"),
        ("skills/%E5%BA%93/SKILL.md", "", "skills/库/SKILL.md"),
        ("skills/%FF.md", "", "skills/\udcff.md"),
        ("/home/r/a.md", "", "a.md"),
        ("file:///home/r/a%20b.md", "", "a b.md"),
        ("file://localhost/home/r/a.md", "", "a.md"),
        ("file:/home/r/a.md", "", "a.md"),
        ("FILE:///home/r/", "", "."),
        ("a.md", "file:///home/r/sub/", "sub/a.md"),
        ("a.md", "file:///github/workspace/", "a.md"),
        ("../a.md", "file:///home/r/sub/", "a.md"),
        (".", "", "."),
        ("../../etc/passwd", "", None),
        ("a/../../x", "", None),
        ("%2e%2e/x", "", None),
        ("..%5Cx", "", "..\\x"),
        ("/etc/passwd", "", None),
        ("file:///etc/passwd", "", None),
        ("file://host/home/r/a.md", "", "host/home/r/a.md"),
        ("/home/rr/a.md", "", None),
        ("//home/r/a.md", "", "a.md"),
        ("C:/home/r/a.md", "", None),
        ("file:///C:/r/a.md", "", None),
        ("https://x.example/a.md", "", None),
        ("pkg:npm/x", "", None),
    ],
)
def test_paths_stay_inside(uri, base, expected):
    assert Place("/home/r").relative(uri, base) == expected


@given(
    st.text(st.sampled_from("./\\%2eEfFile:Cac#?\0\n é")) | st.text(), st.text(st.sampled_from("./\\%2eEfile:C#?\0\n"))
)
def test_no_address_leads_out(uri, base):
    path = Place("/home/r").relative(uri, base)
    assert path is None or (
        not path.startswith(("/", "../")) and path != ".." and "/../" not in f"{path}/" and "\0" not in path
    )


def test_results_outside_are_counted(write, tmp_path):
    file = write(log(result(uri="../x.md"), result(uri="/etc/passwd"), result()))
    merged = merge(NOTHING, [file], str(tmp_path))
    assert len(merged.checked.findings) == 1 and merged.outside == 2


@pytest.mark.parametrize(
    ("engine", "rule", "line", "mine", "my_line", "same"),
    [
        ("agnix", "REF-002", 8, "ORPHAN_REFERENCE", 8, True),
        ("agnix", "REF-002", 8, "ORPHAN_REFERENCE", 9, False),
        ("agnix", "REF-002", 8, "NAME_FORMAT", 8, False),
        ("agnix", "AS-003", 2, "DESC_MISSING", 1, True),
        ("agnix", "AS-017", 2, "NAME_DIR_MISMATCH", 2, True),
        ("agnix", "AS-017", 2, "NAME_FORMAT", 2, False),
        ("agnix", "AS-016", 2, "FM_INVALID_YAML", 3, True),
        ("agnix", "AS-999", 8, "ORPHAN_REFERENCE", 8, False),
        ("other", "REF-002", 8, "ORPHAN_REFERENCE", 8, False),
        ("skillsaw", "agentskill-valid", None, "FM_UNCLOSED", 1, True),
        ("skillsaw", "agentskill-name", 2, "NAME_DIR_MISMATCH", 2, True),
        ("skillsaw", "content-broken-internal-reference", 8, "DEAD_CROSS_REF", 8, True),
        ("skilllint", "LK001", 8, "ORPHAN_REFERENCE", 8, True),
        ("plugin-eval-ci", "BLOATED_SKILL", 8, "BLOATED_SKILL", 8, True),
        ("plugin-eval-ci", "BLOATED_SKILL", 8, "BLOATED_SKILL", 9, False),
    ],
)
def test_what_we_found_is_not_said_twice(write, tmp_path, engine, rule, line, mine, my_line, same):
    file = write(log(result(rule, line=line), engine=engine))
    for checked in (CheckResult((ours(mine, my_line),), ()), CheckResult((), (ours(mine, my_line),))):
        merged = merge(checked, [file], str(tmp_path))
        assert len(merged.checked.findings) == len(checked.findings) + (not same) and merged.repeated == same
    elsewhere = merge(CheckResult((ours(mine, my_line, "other.md"),), ()), [file], str(tmp_path))
    assert len(elsewhere.checked.findings) == 2


@pytest.mark.parametrize(("rule", "mine"), [("AS-023", "REF_UNUSED"), ("CC-SK-017", "KEY_UNKNOWN")])
def test_what_a_file_has_many_of_is_known_by_its_name(write, tmp_path, rule, mine):
    file = write(log(result(rule, line=5, text="'a' is odd"), result(rule, line=5, text="'b' is odd")))
    merged = merge(CheckResult((ours(mine, 1)._replace(target="'a'"),), ()), [file], str(tmp_path))
    assert [found.message for found in merged.checked.findings] == ["ours", "'b' is odd"]


def test_equivalents_name_rules_of_ours():
    assert frozenset().union(*EQUIVALENTS.values()) <= all_names()


def test_a_log_that_is_merged_twice_counts_once(write, tmp_path):
    document = log(result(), result(line=9), result(text="another"))
    files = [write(document, "a.sarif"), write(document, "b.sarif")]
    merged = merge(NOTHING, files, str(tmp_path))
    assert len(merged.checked.findings) == 3 and merged.repeated == 3
    assert len({found.fingerprint for found in merged.checked.findings}) == 3


def test_fingerprints_survive_moved_lines(write, tmp_path):
    def prints(*lines):
        merged = merge(NOTHING, [write(log(*(result(line=line) for line in lines)))], str(tmp_path))
        return [found.fingerprint for found in merged.checked.findings]

    assert prints(8, 20) == prints(11, 23) and len(prints(8, 20)[0]) == 16


def test_findings_are_in_order(write, tmp_path):
    file = write(log(result(uri="z.md"), result(uri="a.md", line=3), result(uri="a.md", line=2)))
    merged = merge(CheckResult((ours("NO_SKILLS", 1, "m.md"),), ()), [file], str(tmp_path))
    assert [(found.path, found.line) for found in merged.checked.findings] == [
        ("a.md", 2),
        ("a.md", 3),
        ("m.md", 1),
        ("z.md", 8),
    ]


def test_words_of_a_stranger_are_cut_and_on_one_line(taken):
    rule, text = "x\n::error::" + "y" * 500, "a\n" * 5000 + "\ud800"
    (found,) = taken(log(result(rule, text=text), engine="bad\x1b[31m engine"))
    assert (
        "\n" not in found.rule
        and "::" not in found.rule
        and len(found.rule) < 210
        and found.rule.startswith("bad-31m-engine/x-")
    )
    assert len(found.message) == sarif.MOST_CHARACTERS and "\n" not in found.message
    (found,) = taken(log(result(text="\ud800x")))
    assert found.message == "?x"


DAMAGED = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"\xff\xfe\x00",
    b"[" * 100_000,
    b'{"version": "2.1.0", "runs": [{"results": [{"ruleIndex": ' + b"9" * 5000 + b"}]}]}",
    {"runs": []},
    {"version": "1.0.0", "runs": []},
    {"version": 2, "runs": []},
    {"version": "2.1.0"},
    {"version": "2.1.0", "runs": {}},
    {"version": "2.1.0", "runs": [1]},
    log(1),
    log(result(message="text")),
    log(result(ruleId=5)),
    log(result(ruleIndex="0")),
    log(result(ruleIndex=True)),
    log(result(locations={})),
    log(result(locations=[1])),
    log(result(line="8")),
    log(result(uri=["a.md"])),
    log(result(suppressions=[1])),
    log(engine=3),
    log(driver={"rules": [1]}),
    log(result(), artifacts={}),
    log(result(), originalUriBaseIds=[]),
]


@pytest.mark.parametrize("document", DAMAGED)
def test_a_damaged_log_is_wrong_usage(write, tmp_path, document):
    file = write(document)
    with pytest.raises(UsageError) as caught:
        read_sarif(file, str(tmp_path))
    assert str(caught.value).startswith(f"{file}: ") and "\n" not in str(caught.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.data())
def test_no_log_is_a_traceback(tmp_path_factory, data):
    document = log(result(), result(message={"id": "x", "arguments": ["y"]}), driver={"rules": [{"id": "REF-002"}]})
    for _ in range(data.draw(st.integers(1, 3))):
        replace_somewhere(document, data)
    file = tmp_path_factory.getbasetemp() / "any.sarif"
    file.write_text(json.dumps(document))
    try:
        merge(NOTHING, [str(file)], str(file.parent))
    except UsageError as error:
        assert str(file) in str(error)


def replace_somewhere(node, data):
    """Put any value at a place of ``node`` that is drawn."""
    while isinstance(node, dict | list) and node:
        key = data.draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
        if not isinstance(node[key], dict | list) or not node[key] or data.draw(st.booleans()):
            node[key] = data.draw(JSON)
            return
        node = node[key]


def test_sizes_are_bounded(write, tmp_path, monkeypatch):
    file = write(log(*[result()] * 4))
    monkeypatch.setattr(sarif, "MOST_RESULTS", 3)
    with pytest.raises(UsageError, match="more than 3 results"):
        read_sarif(file, str(tmp_path))
    monkeypatch.setattr(sarif, "MOST_BYTES", 10)
    with pytest.raises(UsageError, match="larger than"):
        read_sarif(file, str(tmp_path))


@pytest.mark.parametrize("file", ["no-such.sarif", "."])
def test_a_log_that_is_no_file_is_wrong_usage(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="no such file"):
        read_sarif(file, str(tmp_path))


# --- the door ---


@pytest.fixture
def dead_link(repo, skill_text, inside):
    """A skill with a dead link, whose repository is the working directory; gives the link's line."""
    text = skill_text(body="See [x](references/data.md).")
    inside(repo({"skills/stock-report/SKILL.md": text}))
    return text.split("\n").index("See [x](references/data.md).") + 1


def test_the_command_merges(dead_link, write, capsys):
    uri = "skills/stock-report/SKILL.md"
    document = log(result(uri=uri, line=dead_link), result("AS-024", uri, 1, "unpinned"), result(uri="/etc/passwd"))
    assert cli.run(["lint", "--fail-on", "error", "--merge", write(document)]) == 1
    said = capsys.readouterr()
    assert "agnix/AS-024" in said.out and "REF-002" not in said.out and "ORPHAN_REFERENCE" in said.out
    assert "skipped 1 finding" in said.err


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_takes_merged_findings(dead_link, write, capsys, name):
    cli.run(
        ["lint", "--format", name, "--merge", write(log(result("AS-024", "a\n::error::b.md", text="x\n::add-mask::y")))]
    )
    output = capsys.readouterr().out
    assert "agnix/AS-024" in output and "\n::add-mask" not in output and "\n::error::b" not in output


def test_a_damaged_log_ends_the_command(dead_link, write, capsys):
    assert cli.run(["lint", "--merge", write(b"{")]) == 2
    said = capsys.readouterr()
    assert "other.sarif: is not valid JSON (line 1" in said.err and not said.out


def test_an_editor_merges_nothing(write):
    assert cli.run(["lint", "--stdin-filename", "SKILL.md", "--merge", write(log())]) == 2
