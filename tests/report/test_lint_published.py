"""JUnit, GitLab and rdjson against what their readers publish (see ``published/README.md``), whatever the names and messages hold."""

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree
from made import HOSTILE, SMALL, evaluation, finding, skill

from plugin_eval_ci.model import Severity
from plugin_eval_ci.report.lint import gitlab as lint_gitlab
from plugin_eval_ci.report.lint import junit as lint_junit
from plugin_eval_ci.report.lint import rdjson as lint_rdjson

PUBLISHED = Path(__file__).parent / "published"
JUNIT = etree.XMLSchema(etree.parse(PUBLISHED / "junit-10.xsd"))
GITLAB = json.loads((PUBLISHED / "gitlab.json").read_text("utf-8"))
RDJSON = json.loads((PUBLISHED / "rdjson.json").read_text("utf-8"))
# What ends a CDATA section, what XML 1.0 cannot hold at all, half a character, an entity.
NASTY = ["]]>", "<![CDATA[", "<!--", "&#0;", "&amp;", "\"'", "\x00", "\x0b\x1f", "\ufffe\uffff", "\ud83d", "\udcff"]
NASTY += ["<failure>", "\r\n", "\t", "\x85\u2028"]
TEXT = st.lists(st.sampled_from(NASTY) | HOSTILE, max_size=6).map("".join)


def junit(text):
    document = etree.fromstring(text.encode("utf-8"))
    JUNIT.assertValid(document)
    return document


def known_fields(value, schema):
    """Every field is one that the schema names: reviewdog's parser refuses a document with any other."""
    if "$ref" in schema:
        return known_fields(value, RDJSON["definitions"][schema["$ref"].rpartition("/")[2]])
    if isinstance(value, list):
        return all(known_fields(one, schema["items"]) for one in value)
    if isinstance(value, dict):
        fields = schema.get("properties", {})
        return value.keys() <= fields.keys() and all(known_fields(value[key], fields[key]) for key in value)
    return True


def rdjson(text):
    document = json.loads(text)
    jsonschema.validate(document, RDJSON)
    assert known_fields(document, RDJSON)
    return document


def gitlab(text):
    document = json.loads(text)
    jsonschema.validate(document, GITLAB)
    return document


@pytest.mark.parametrize("one", [SMALL, evaluation([]), evaluation([], [skill("skills/a/SKILL.md", "x\n")])])
def test_what_is_published_accepts_our_documents(one):
    junit(lint_junit.render(one))
    rdjson(lint_rdjson.render(one))
    gitlab(lint_gitlab.render(one))


@pytest.mark.parametrize("old", ['<testcase name="no', "<testsuite name", "<failure type", "<system-out>"])
def test_the_schema_of_junit_refuses_what_it_does_not_know(old):
    text = lint_junit.render(SMALL)
    bad = {"<system-out>": text.replace(old, "<note/><system-out>", 1)}.get(
        old, text.replace(old, f'<x a="1"/>{old}', 1)
    )
    with pytest.raises(etree.DocumentInvalid):
        junit(bad)
    with pytest.raises(etree.DocumentInvalid):  # Jenkins refuses the whole file for an attribute of ours
        junit(text.replace("<testcase ", '<testcase file="a.md" ', 1))


def test_the_facts_refuse_a_wrong_shape():
    diagnostics = {"diagnostics": [{"message": "x", "severity": "NOTICE"}]}
    for bad in (diagnostics, {"diagnostics": {}}, {"diagnostics": [{"location": {"range": {"start": {"line": "1"}}}}]}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, RDJSON)
    assert not known_fields({"diagnostics": [{"note": "x"}]}, RDJSON)
    for bad in ({}, [{"description": "x", "fingerprint": "y", "severity": "note", "location": {}}], [{}]):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, GITLAB)


def unlike_any(document):
    """Half a character cannot be sent: every text of a document can be written as UTF-8."""
    json.dumps(document, ensure_ascii=False).encode("utf-8")
    return document


@settings(deadline=None)  # the machine of a test run may be busy
@given(st.lists(st.tuples(TEXT, TEXT, TEXT, TEXT, st.sampled_from(Severity)), min_size=1, max_size=4))
@example([(nasty, nasty, nasty, nasty, Severity.ERROR) for nasty in NASTY])
@example([("", "", "", "", Severity.NOTICE)])
def test_hostile_names_and_messages_keep_every_document_valid(rows):
    one = evaluation(
        [
            finding(f"engine/{rule}", severity, f"s/{path}", line + 1, column=line + 1, message=message, fix=fix)
            for line, (rule, path, message, fix, severity) in enumerate(rows)
        ],
        [skill(f"s/{rows[0][1]}", rows[0][2])],
    )
    root = junit(lint_junit.render(one))
    failing = [row for row in rows if row[4] is not Severity.NOTICE]
    assert len(list(root.iter("failure", "system-out"))) <= len(rows)
    assert bool(list(root.iter("failure"))) == bool(failing) and root.get("failures") == str(
        len(list(root.iter("failure")))
    )
    diagnostics = unlike_any(rdjson(lint_rdjson.render(one)))["diagnostics"]
    assert len(diagnostics) == len(rows) and all(d["location"]["range"]["start"]["line"] for d in diagnostics)
    entries = unlike_any(gitlab(lint_gitlab.render(one)))
    assert len({entry["fingerprint"] for entry in entries}) == len(rows)


def test_very_long_texts_are_valid_too():
    long = "x]]>\x00\n" * 100_000
    one = evaluation([finding("engine/" + long, path=f"s/{long}", message=long, fix=long)])
    junit(lint_junit.render(one))
    rdjson(lint_rdjson.render(one))
    gitlab(lint_gitlab.render(one))
