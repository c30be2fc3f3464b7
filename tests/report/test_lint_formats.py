"""Each output format of lint: read back as its consumer reads it, compared with a snapshot, and safe for hostile text."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree

import jsonschema
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from made import HOSTILE, PIECES, SMALL, evaluation, finding, skill
from runner_port import as_the_runner, new_command, old_command

from plugin_eval_ci import __version__, cli
from plugin_eval_ci.cli.lint import FORMATS as NAMES
from plugin_eval_ci.model import Severity
from plugin_eval_ci.report import rules as rule_pages
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.lint import github as lint_github
from plugin_eval_ci.report.lint import gitlab, junit, rdjson
from plugin_eval_ci.report.lint import sarif as lint_sarif
from plugin_eval_ci.report.lint import text as lint_text

SNAPSHOTS = Path(__file__).parent / "lint_formats"
FORMATS = {
    "github": (lint_github.render, "txt"),
    "sarif": (lint_sarif.render, "json"),
    "junit": (junit.render, "xml"),
    "gitlab": (gitlab.render, "json"),
    "rdjson": (rdjson.render, "json"),
}


@pytest.fixture
def _pages(monkeypatch):
    """Short rule pages, so that a snapshot does not change with every word of the docs."""
    text = "Title of {0}.\n\n## What it flags\n\nWhat {0}\nflags.\n\n## Why\n\nBecause."
    monkeypatch.setattr(rule_pages, "doc_of", lambda rule: text.format(rule.name))


@pytest.mark.usefixtures("_pages")
@pytest.mark.parametrize("name", FORMATS)
def test_the_whole_output_is_as_it_was(name):
    render, extension = FORMATS[name]
    output = render(SMALL).replace(__version__, "VERSION")
    file = SNAPSHOTS / f"{name}.{extension}"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        file.write_text(output, encoding="utf-8")
    assert output == file.read_text(encoding="utf-8"), "if this is meant: UPDATE_SNAPSHOTS=1 pytest tests/report"


# --- GitHub ---


def test_the_port_reads_what_the_runner_reads():
    assert new_command("  ::error file=a%2Cb,line=1::x%0Ay") == ("error", {"file": "a,b", "line": "1"}, "x\ny")
    assert new_command("::error file=a::b.md,line=1::x") == ("error", {"file": "a"}, "b.md,line=1::x")
    assert new_command("::error file=a,b.md::x") == ("error", {"file": "a"}, "x")
    assert new_command("x ::error::y") is None and new_command("::eror::y") is None and new_command("::error") is None
    assert old_command("words ##[add-mask]x") and not old_command("words ## [add-mask]x")


@given(st.lists(st.tuples(HOSTILE.filter(bool), HOSTILE, HOSTILE, st.sampled_from(Severity)), min_size=1, max_size=4))
def test_the_runner_sees_our_commands_and_no_others(rows):
    findings = [
        finding(f"engine/{message[:300]}", severity, path, number + 1, column=number + 1, message=message, fix=fix)
        for number, (path, message, fix, severity) in enumerate(rows)
    ]
    assume(all(found.path not in (".",) for found in findings))
    output = lint_github.render(evaluation(findings))
    output.encode("utf-8")
    commands, plain = as_the_runner(output)
    assert not plain
    expected = sorted(findings, key=lambda found: (-found.severity, found.path, found.line))
    for found, (level, properties, data) in zip(expected, commands, strict=True):
        assert level == found.severity.word
        assert set(properties) <= {"file", "line", "col", "title"}
        assert (properties["line"], properties["col"]) == (str(found.line), str(found.column))
        assert properties.get("file", "") == path_as_written(found.path).lstrip("=")
        assert data == message_as_written(found)
        assert properties["title"].startswith("engine/")


@given(st.lists(st.tuples(HOSTILE.filter(bool), HOSTILE, HOSTILE, HOSTILE), max_size=4))
def test_the_runner_sees_no_command_in_plain_text(rows):
    findings = [
        finding(f"engine/{rule}", Severity.WARNING, path, number + 1, message=message, fix=fix)
        for number, (path, message, fix, rule) in enumerate(rows)
    ]
    commands, plain = as_the_runner(lint_text.render(evaluation(findings), lint_text.How()))
    assert not commands and len(plain) >= len(rows)


@pytest.mark.parametrize("text", ["::error::x", " \t::add-mask::x", "\u3000::group::x", "a ##[error]x", "###[group]"])
def test_a_command_is_broken_and_can_still_be_read(text):
    shown = for_terminal(text)
    assert as_the_runner(f"{shown}\n") == ([], [shown]) and shown.replace("\\", "").replace(" ", "")[
        -6:
    ] in text.replace(" ", "")


@pytest.mark.parametrize("text", ["std::vector", "## [x]", "a ::error::x", "#[x]", ": :"])
def test_what_is_no_command_is_left_alone(text):
    assert for_terminal(text) == text


def path_as_written(path):
    shown = "".join(
        for_terminal(c) if (c.isascii() and not c.isprintable() and c not in "\r\n") or "\x7f" <= c < "\xa0" or c in "\u2028\u2029"
        or "\ud800" <= c <= "\udfff" else c
        for c in path
    )  # fmt: skip
    return shown.replace("##[", "## [")


def message_as_written(found):
    text = for_terminal(found.message) + (f"\nfix: {for_terminal(found.fix)}" if found.fix else "")
    return text.replace("##[", "## [")


def test_paths_of_names_that_people_use_reach_the_file():
    for path in (
        "skills/a,b/SKILL.md",
        "skills/50%/SKILL.md",
        "skills/c:d/SKILL.md",
        "skills/e\nf/SKILL.md",
        "skills/库 é/SKILL.md",
    ):
        ((_, properties, _),), _ = as_the_runner(lint_github.render(evaluation([finding(path=path)])))
        assert properties["file"] == path


def test_messages_and_titles_are_as_long_as_the_runner_keeps():
    long = finding("x/" + "r" * 400, message="😀%\n" * 3000)
    ((_, properties, data),), _ = as_the_runner(lint_github.render(evaluation([long])))
    assert len(properties["title"].encode("utf-16-le")) // 2 == 255 and properties["title"].endswith("…")
    assert len(data.encode("utf-16-le")) // 2 <= 4096 and data.endswith("…")
    ((_, _, data),), _ = as_the_runner(lint_github.render(evaluation([finding(message="y" * 5000)])))
    assert len(data) == 4096 and data.endswith("/docs/rules/ORPHAN_REFERENCE.md")


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ({"column": 4}, {"line": "5", "col": "4"}),
        ({"column": 4, "end_line": 5}, {"line": "5", "endLine": "5", "col": "4"}),
        ({"column": 4, "end_line": 6}, {"line": "5", "endLine": "6"}),
        ({"end_line": 4}, {"line": "5"}),
        ({"path": "."}, {}),
    ],
)
def test_places_are_those_that_the_runner_keeps(place, expected):
    ((_, properties, _),), _ = as_the_runner(lint_github.render(evaluation([finding(line=5, **place)])))
    assert {key: value for key, value in properties.items() if key not in ("file", "title")} == expected
    assert ("file" in properties) == (place.get("path") != ".")


def test_ten_of_each_level_and_a_line_about_the_rest():
    findings = [finding("a/b", severity, path=f"s/{number:02}.md") for number in range(13) for severity in Severity][
        :-1
    ]
    commands, plain = as_the_runner(lint_github.render(evaluation(findings)))
    assert [level for level, _, _ in commands] == ["error"] * 10 + ["warning"] * 10 + ["notice"] * 10
    assert [properties["file"] for _, properties, _ in commands[:10]] == [f"s/{number:02}.md" for number in range(10)]
    assert plain == ["plugin-eval: 8 more than GitHub shows as annotations: 2 errors, 3 warnings, 3 notices."]


def test_a_key_ranks_before_severity_and_place():
    findings = [finding("a/b", path=f"s/{number:02}.md") for number in range(12)]
    commands, plain = as_the_runner(lint_github.render(evaluation(findings), key=lambda found: found.path != "s/11.md"))
    assert commands[0][1]["file"] == "s/11.md" and len(commands) == 10 and len(plain) == 1


# --- the other formats ---

RDJSON = {
    "type": "object",
    "required": ["diagnostics", "source"],
    "additionalProperties": False,
    "$defs": {
        "severity": {"enum": ["ERROR", "WARNING", "INFO"]},
        "position": {
            "type": "object",
            "required": ["line"],
            "additionalProperties": False,
            "properties": {"line": {"type": "integer", "minimum": 1}, "column": {"type": "integer", "minimum": 1}},
        },
    },
    "properties": {
        "severity": {"$ref": "#/$defs/severity"},
        "source": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "url": {"type": "string"}},
            "additionalProperties": False,
        },
        "diagnostics": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["message", "location", "severity", "code"],
                "additionalProperties": False,
                "properties": {
                    "message": {"type": "string", "minLength": 1},
                    "severity": {"$ref": "#/$defs/severity"},
                    "code": {
                        "type": "object",
                        "required": ["value"],
                        "properties": {"value": {"type": "string"}, "url": {"type": "string"}},
                        "additionalProperties": False,
                    },
                    "location": {
                        "type": "object",
                        "required": ["path", "range"],
                        "additionalProperties": False,
                        "properties": {
                            "path": {"type": "string"},
                            "range": {
                                "type": "object",
                                "required": ["start"],
                                "additionalProperties": False,
                                "properties": {
                                    "start": {"$ref": "#/$defs/position"},
                                    "end": {"$ref": "#/$defs/position"},
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}
GITLAB = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "additionalProperties": False,
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": "^[^/]"},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}


@given(HOSTILE, HOSTILE.filter(bool), st.sampled_from(Severity), st.integers(1, 9), st.none() | st.integers(1, 9))
def test_documents_keep_their_shape_whatever_the_text(message, path, severity, line, column):
    path = f"s/{path}"
    one = evaluation([finding("a/b", severity, path, line, column=column, message=message or "x", fix=message)])
    for render, schema in ((rdjson.render, RDJSON), (gitlab.render, GITLAB)):
        output = render(one)
        output.encode("utf-8")
        jsonschema.validate(json.loads(output), schema)
    result = json.loads(lint_sarif.render(one))["runs"][0]["results"][0]
    address = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    on_disk = re.sub("[\ud800-\udc7f\udd00-\udfff]", "\ufffd", path).encode("utf-8", "surrogateescape")
    assert address.isascii() and not re.search("[ :%](?![0-9A-F]{2})", address) and unquote_to_bytes(address) == on_disk
    assert "](" not in result["message"]["text"]
    root = ElementTree.fromstring(junit.render(one).encode("utf-8"))
    assert root.tag == "testsuites" and len(root.findall("testsuite/testcase")) == 1


def test_junit_has_the_shape_that_jenkins_accepts():
    root = ElementTree.fromstring(junit.render(SMALL).encode())
    suites = {suite.get("name"): suite for suite in root}
    assert set(suites) == {".", "skills/a/SKILL.md", "skills/b, c/SKILL.md", "skills/clean/SKILL.md"}
    for suite in suites.values():
        cases = suite.findall("testcase")
        assert suite.get("tests") == str(len(cases)) and suite.get("failures") == str(
            len(suite.findall("testcase/failure"))
        )
        assert {key for case in cases for key in case.attrib} <= {"name", "classname"}
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("5", "3", "0")
    names = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    assert len(set(names)) == len(names)
    assert suites["skills/b, c/SKILL.md"].find("testcase/system-out") is not None  # a notice passes


def test_junit_puts_one_rule_of_one_file_into_one_case():
    root = ElementTree.fromstring(
        junit.render(evaluation([finding(line=2, message="first\x00\ufffe"), finding(line=5, message="second")]))
    )
    (failure,) = root.iter("failure")
    assert failure.get("message") == "first\\x00\ufffd (and 1 more)" and failure.text.count("\n") == 1


def test_gitlab_gets_each_fingerprint_once():
    entries = json.loads(gitlab.render(evaluation([finding(), finding(line=2), finding(line=3)])))
    assert len({entry["fingerprint"] for entry in entries}) == 3


def test_reviewdog_gets_no_markup_and_columns_in_bytes():
    one = evaluation(
        [finding(line=2, column=4, message="@team see <img> #1")], [skill("skills/a/SKILL.md", "x\né😀x\n")]
    )
    (diagnostic,) = json.loads(rdjson.render(one))["diagnostics"]
    assert diagnostic["location"]["range"] == {"start": {"line": 2, "column": 8}}
    assert (
        "@team" not in diagnostic["message"]
        and not re.search(r"(?<!\\)<img", diagnostic["message"])
        and "suggestions" not in diagnostic
    )


def sarif(value):
    (run,) = json.loads(lint_sarif.render(value))["runs"]
    return run


def test_sarif_has_what_code_scanning_asks_for():
    run = sarif(SMALL)
    rules = run["tool"]["driver"]["rules"]
    assert (
        run["automationDetails"]["id"] == "plugin-eval-ci/lint/"
        and run["tool"]["driver"]["semanticVersion"] == __version__
    )
    for rule in rules:
        texts = (
            rule["shortDescription"]["text"],
            rule["fullDescription"]["text"],
            rule["help"]["text"],
            rule["help"]["markdown"],
        )
        assert all(texts) and all(len(text) <= 1024 for text in texts[:2])
        assert rule["properties"]["problem.severity"] in ("error", "warning", "recommendation")
        assert "security-severity" not in rule["properties"] and "security" not in rule["properties"]["tags"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] and result["message"]["text"]
        region = result["locations"][0]["physicalLocation"]["region"]
        assert set(region) == {"startLine", "startColumn", "endLine", "endColumn"}
        assert region["startLine"] == region["endLine"] and region["endColumn"] > region["startColumn"] >= 1
        assert result["partialFingerprints"]["pluginEvalFingerprint/v1"]
    assert [result["level"] for result in run["results"]] == ["error", "error", "warning", "note"]


def test_sarif_counts_columns_in_utf16_units():
    one = evaluation([finding(line=1, column=3)], [skill("skills/a/SKILL.md", "😀éx\n")])
    region = sarif(one)["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert (region["startColumn"], region["endColumn"]) == (4, 5)


def test_sarif_keeps_five_thousand_and_the_errors_first():
    findings = [finding(line=number + 1) for number in range(5001)] + [finding("NO_SKILLS", Severity.ERROR)]
    run = sarif(evaluation(findings))
    assert (
        len(run["results"]) == 5000
        and run["results"][0]["ruleId"] == "NO_SKILLS"
        and run["properties"] == {"resultsLeftOut": 2}
    )


def test_sarif_names_the_file_that_a_link_leads_to(repo):
    root = repo({"shared/real.md": "x\n", "skills/a/x": ""})
    (root / "skills/a/SKILL.md").symlink_to("../../shared/real.md")
    one = evaluation([finding()], [skill("skills/a/SKILL.md", "x\n", str(root))], str(root))
    assert sarif(one)["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "shared/real.md"


def test_nothing_found_is_a_document_all_the_same():
    nothing = evaluation([])
    assert lint_github.render(nothing) == "" and json.loads(gitlab.render(nothing)) == []
    assert sarif(nothing)["results"] == [] and json.loads(rdjson.render(nothing))["diagnostics"] == []
    assert ElementTree.fromstring(junit.render(nothing)).get("tests") == "0"


# --- the door ---


def test_every_format_is_a_module_and_every_module_a_format():
    modules = {file.stem for file in Path(lint_github.__file__).parent.glob("[a-z]*.py")} - {
        "markdown",
        "positions",
        "statistics",
    }
    assert set(NAMES) == modules


@pytest.mark.parametrize("name", NAMES)
def test_the_command_writes_every_format(name, repo, inside, capsys, skill_text):
    inside(repo({"skills/a,b/SKILL.md": skill_text("other"), "skills/stock-report/SKILL.md": skill_text()}))
    assert cli.run(["lint", "--fail-on", "warning", "--format", name]) == 1
    output = capsys.readouterr().out
    assert "NAME_DIR_MISMATCH" in output and output.endswith("\n")


def test_text_loads_none_of_the_other_formats(repo, skill_text):
    root = repo({"skills/stock-report/SKILL.md": skill_text()})
    code = (
        "import sys; from plugin_eval_ci.cli import run; run(['lint', sys.argv[1]]);"
        "print(sorted(m for m in sys.modules if m.startswith('plugin_eval_ci') and m.rpartition('.')[2] in sys.argv[2:]))"
    )
    names = [f"lint_{name}" for name in NAMES if name != "text"] + [
        "merge",
        "sarif",
        "sarif_paths",
        "rule_pages",
        "places",
    ]
    done = subprocess.run([sys.executable, "-c", code, str(root), *names], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


# --- with Microsoft's validator ---


@pytest.fixture(scope="module")
def multitool(tmp_path_factory):
    folder = tmp_path_factory.mktemp("multitool")
    try:
        subprocess.run(
            ["npm", "install", "--silent", "@microsoft/sarif-multitool-linux@5.7.0"],
            cwd=folder,
            check=True,
            timeout=300,
        )
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"npm cannot install the validator: {type(error).__name__}")
    package = folder / "node_modules/@microsoft/sarif-multitool-linux"
    (package / "Sarif.Multitool").chmod(0o755)
    return package


# Notes that we leave: message ids, source control data, an address that cannot be reached, rule ids of another form, snippets,
# and rules of other engines, for which there is no address.
LEFT = {"SARIF2002", "SARIF2003", "SARIF2006", "SARIF2009", "SARIF2010", "SARIF2011", "SARIF2012"}


@pytest.mark.outside
def test_the_validator_finds_nothing_but_the_notes_we_know(multitool, tmp_path):
    hostile = [
        finding(path=f"s/{piece}", message=f"{piece}[x](1)", fingerprint=f"{n:016x}") for n, piece in enumerate(PIECES)
    ]
    log, report = tmp_path / "a.sarif", tmp_path / "report.sarif"
    log.write_text(
        lint_sarif.render(evaluation([*SMALL.checked.findings, *hostile], SMALL.collection.skills)), encoding="utf-8"
    )
    schema = json.loads((multitool / "sarif-2.1.0.json").read_text(encoding="utf-8-sig"))
    jsonschema.validate(json.loads(log.read_text(encoding="utf-8")), schema)
    options = [
        "-o",
        str(report),
        "--log",
        "ForceOverwrite",
        "--level",
        "Error;Warning;Note",
        "--kind",
        "Fail",
        "--rule-kind",
        "Sarif;Ghas",
    ]
    subprocess.run(
        [multitool / "Sarif.Multitool", "validate", log, *options], check=True, capture_output=True, timeout=120
    )
    (run,) = json.loads(report.read_text(encoding="utf-8-sig"))["runs"]
    notes = {(result.get("level", "warning"), result["ruleId"]) for result in run["results"]}
    assert {rule for _, rule in notes} <= LEFT and {level for level, _ in notes} <= {"note"}


def test_the_worst_comes_first_and_a_rule_that_speaks_often_folds():
    bad = finding("ORPHAN_REFERENCE", Severity.ERROR, line=99)
    often = [finding("DEAD_CROSS_REF", line=n + 1) for n in range(13)]
    notice = finding("KEY_UNKNOWN", Severity.NOTICE, line=1)
    found = evaluation([notice, *often, bad])
    text = lint_text.render(found, lint_text.How())
    heads = [line.split(": ")[1] for line in text.splitlines() if line.startswith("skills/a/")]
    assert heads == ["error ORPHAN_REFERENCE", *["warning DEAD_CROSS_REF"] * 10, "notice KEY_UNKNOWN"]
    assert "3 more DEAD_CROSS_REF findings; --all shows them" in text and "DEAD_CROSS_REF 13" in text
    assert lint_text.render(found, lint_text.How(every=True)).count("warning DEAD_CROSS_REF") == 13
    assert "More about" not in lint_text.render(found, lint_text.How(quiet=True))


def test_a_terminal_shows_the_line_with_a_caret(tmp_path):
    (tmp_path / "skills/a").mkdir(parents=True)
    (tmp_path / "skills/a/SKILL.md").write_text("one\n\t注 see [x](y)\n", encoding="utf-8")
    one = finding("ORPHAN_REFERENCE", line=2)._replace(column=8)
    lines = lint_text.finding_lines(one, False, str(tmp_path))
    line = next(n for n, text in enumerate(lines) if " | " in text)
    assert lines[line] == "    2 |  注 see [x](y)"
    # The wide letter takes two columns of the terminal, so the caret stands one further right than it would by letters.
    assert lines[line + 1] == "      | " + " " * 8 + "^"
    assert not any(" | " in text for text in lint_text.finding_lines(one._replace(line=9), False, str(tmp_path)))
