"""What no single file shows: what is counted though not shown, and how values appear in messages."""

import pytest
from rule_trees import one

from plugin_eval_ci.lint.check import check
from plugin_eval_ci.config import Config
from plugin_eval_ci.discover import NOTHING
from plugin_eval_ci.model import Collection, Value
from plugin_eval_ci.languages import trigger
from plugin_eval_ci.analysis.headers import plain_name, says_true
from plugin_eval_ci.rules.missing_trigger import says_plainly
from plugin_eval_ci.analysis.wording import kind_of, quote


def rules_of(text, **how):
    result = check(one(text.encode(), **how), Config())
    return {f.rule for f in result.findings}, {f.rule for f in result.subsumed}


def test_a_missing_description_is_one_finding_and_counts_as_two():
    shown, counted = rules_of("---\nname: stock-report\n---\n\nCount.\n")
    assert shown == {"DESC_MISSING"} and counted == {"EMPTY_DESCRIPTION", "MISSING_TRIGGER"}


def test_a_missing_description_of_a_skill_nobody_picks_counts_once():
    _, counted = rules_of("---\nname: stock-report\ndisable-model-invocation: true\n---\n\nText.\n")
    assert counted == {"EMPTY_DESCRIPTION"}


@pytest.mark.parametrize(
    "text", ["# Stock\n", "---\nname: a\n", "---\na: b: c\n---\n", "---\n- a\n---\n", "\n---\nname: a\n---\n"]
)
def test_a_broken_header_is_one_finding(text):
    shown, counted = rules_of(text)
    assert len(shown) == 1 and not counted


def test_one_wrong_name_is_one_finding():
    text = "---\nname: {}\ndescription: Builds the report. Use when someone asks for stock.\n---\n\nCount.\n"
    for name in ("Stock Report", "stock_report", "31", "", "stock-report-", "Stock-Report"):
        shown, _ = rules_of(text.format(name))
        assert len(shown) == 1, name


def test_an_agent_gets_no_rules_for_skills():
    text = "---\nname: Stock Counter\ndescription: Counts <b>stock</b>.\nmodel: inherit\n---\n\nText.\n"
    assert rules_of(text, agent=True) == (set(), set())


def test_findings_keep_their_fingerprint_when_the_text_around_changes():
    def prints(count):
        text = "---\nname: stock-report\ndescription: Builds the weekly report.\n---\n" + "You MUST count.\n\n" * count
        return {f.fingerprint for f in check(one(text.encode()), Config()).findings}

    assert prints(20) == prints(30) and len(prints(20)) == 2


def test_an_empty_collection_says_so():
    found = check(Collection("/nowhere", (), (), (), ((".", NOTHING),)), Config()).findings
    assert [(f.rule, f.path, f.line) for f in found] == [("NO_SKILLS", ".", 1)]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "'plain'"),
        ("two\nlines", "'two\\nlines'"),
        ("bidi\u202e", "'bidi\\u202e'"),
        ("\x1b[31m", "'\\x1b[31m'"),
        ("\udc80", "'\\udc80'"),
        ("库存", "'库存'"),
        ("x" * 81, "'" + "x" * 80 + "…'"),
        ("x" * 80, "'" + "x" * 80 + "'"),
    ],
)
def test_values_are_shown_safely(text, shown):
    assert quote(text) == shown


def test_many_invisible_characters_stay_short():
    assert len(quote("\u202e" * 80)) <= 84


def test_kinds_are_words():
    assert kind_of(Value("null", "", 1)) == "empty"
    assert kind_of(Value("boolean", "no", 1)) == "a boolean ('no')"


@pytest.mark.parametrize("text", ["true", "True", "YES", "on", "1"])
def test_what_claude_code_reads_as_true(text):
    assert says_true(Value("text", text, 1))


@pytest.mark.parametrize("value", [None, Value("boolean", "no", 1), Value("number", "11", 1), Value("list", "true", 1)])
def test_what_claude_code_does_not_read_as_true(value):
    assert not says_true(value)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Stock Report", "stock-report"),
        ("a__b..c", "a-b-c"),
        ("-x-", "x"),
        ("🚀", ""),
        ("rocket-\u202ex", "rocket-x"),
        ("É", "é"),
    ],
)
def test_the_nearest_name(text, plain):
    assert plain_name(text) == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Builds it. Use when someone asks.", True),
        ("You MUST use this before any release.", True),
        ("Builds it.\n\nUse\n  for reports.", True),
        ("Do not use when it is late.", False),
        ("Don't ever use it when late.", False),
        ("Builds reports.", False),
        ("It can be reused when needed.", False),
    ],
)
def test_the_short_cut_agrees_with_the_tables(text, plain):
    assert says_plainly(text) is plain
    assert not plain or trigger(text)
