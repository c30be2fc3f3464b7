"""File name = rule name = test folder = docs page; severities and weights are the contract's."""

import re
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from rule_trees import FOLDERS, one, run

import plugin_eval_ci.rules as package
from plugin_eval_ci.rules import all_names, all_rules, rule_named

ROOT = Path(__file__).resolve().parents[2]
HEADINGS = ["What it flags", "Why", "Bad", "Good", "How to turn it off"]
HELPERS = {"__init__", "single", "across", "base", "problems"}
ANTI_PATTERNS = {
    "OVER_CONSTRAINED": 0.10,
    "EMPTY_DESCRIPTION": 0.10,
    "MISSING_TRIGGER": 0.15,
    "BLOATED_SKILL": 0.10,
    "ORPHAN_REFERENCE": 0.05,
    "DEAD_CROSS_REF": 0.05,
}
LINKS = ("ORPHAN_REFERENCE", "DEAD_CROSS_REF")  # a dead link is an error
PORTABILITY = {
    "SKILL_OVER_CODEX_CAP": 0.15,
    "CLAUDE_TOOL_REFS": 0.10,
    "CLAUDE_TOOL_PROSE": 0.05,
    "AGENT_NAME_COLLISION": 0.10,
    "BARE_MODEL_ALIAS": 0.03,
}
# Rules that look at each skill, and at what lies around the skills.
TWO_CHECKS = {"FILE_UNREADABLE", "REF_ESCAPE", "SAFE_DOWNLOAD_RUN", "SAFE_DYNAMIC_COMMAND", "SAFE_SECRET"}
TWO_CHECKS |= {"HOOK_EVENT", "HOOK_INVALID", "HOOK_SCRIPT"}  # also of hooks in frontmatter
# Examples that are shortened, or that speak of files on disk.
NOT_WHOLE = {"DESC_LISTING_CUT", "SKILL_LONG", "OVER_CONSTRAINED", "DESC_TOO_LONG", "COMPAT_TOO_LONG", "DEAD_CROSS_REF", "REF_CASE"}
by_name = pytest.mark.parametrize("rule", all_rules(), ids=[rule.name for rule in all_rules()])


def _load(file):
    spec = spec_from_file_location(file.stem, file)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


rule_pages = _load(ROOT / "tools" / "rule_pages.py")


def test_every_file_is_a_rule_and_every_rule_a_file():
    files = {file.stem for file in Path(package.__file__).parent.glob("*.py")} - HELPERS
    assert {name.lower() for name in all_names()} == files
    assert len(all_rules()) == len(all_names())


def test_every_rule_has_a_test_folder_and_a_page():
    here = Path(__file__).parent
    folders = {place.name for place in here.iterdir() if place.is_dir() and place.name != "__pycache__"}
    assert folders == {folder.name for folder in FOLDERS.values()}
    assert {file.stem for file in rule_pages.FOLDER.glob("*.md")} == all_names() | {"README"}


def test_pages_are_up_to_date():
    assert rule_pages.main(["--check"]) == 0


def test_a_stale_page_is_named_and_mended(tmp_path, capsys):
    assert rule_pages.main([], tmp_path) == 0
    (tmp_path / "NO_SKILLS.md").write_text("old")
    (tmp_path / "GONE.md").write_text("old")
    assert rule_pages.main(["--check"], tmp_path) == 1
    assert capsys.readouterr().out.count("is stale") == 2
    assert rule_pages.main([], tmp_path) == 0
    assert rule_pages.main(["--check"], tmp_path) == 0


def test_a_rule_that_no_tuple_lists_is_named(tmp_path):
    (tmp_path / "new_rule.py").write_text("SEVERITY = 1\n")
    (tmp_path / "helper.py").write_text("WORDS = ()\n")
    (told,) = rule_pages.unlisted(tmp_path)
    assert told.startswith("plugin_eval_ci/rules/new_rule.py is not listed") and "SINGLE" in told
    assert rule_pages.unlisted() == []


@by_name
def test_the_docstring_is_a_whole_page(rule):
    text = rule_pages.docstring(rule)
    tokens = MarkdownIt("commonmark").parse(text)
    assert [tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h2"] == HEADINGS
    title = text.partition("\n")[0]
    assert title.endswith(".") and len(title) <= 80
    assert text.count(rule.name) >= 2
    for section in re.split(r"^## .+$", text, flags=re.MULTILINE)[1:]:
        assert section.strip()


@by_name
def test_a_rule_fits_on_one_screen(rule):
    source = Path(import_module(rule.module).__file__).read_text("utf-8")
    below = source.split('"""', 2)[2]
    assert below.count("\n") <= 85


@by_name
def test_exactly_one_check_is_set(rule):
    checks = sum(value is not None for key, value in rule._asdict().items() if key.startswith("on_"))
    assert checks == (2 if rule.name in TWO_CHECKS else 1)


def test_weights_are_the_contract_s():
    assert {rule.name: rule.weight for rule in all_rules() if rule.group == "anti-pattern"} == ANTI_PATTERNS
    assert {rule.name: rule.weight for rule in all_rules() if rule.group == "portability"} == PORTABILITY
    assert all(rule.weight is None for rule in all_rules() if rule.group not in ("anti-pattern", "portability"))


def test_only_known_rules_are_subsumed():
    assert all(name in all_names() for rule in all_rules() for name in rule.subsumes)
    assert rule_named("desc_missing").subsumes == ("EMPTY_DESCRIPTION", "MISSING_TRIGGER")


def test_rules_are_found_whatever_the_letter_case():
    assert rule_named("fm_missing") is rule_named("FM_MISSING")
    assert rule_named("fm") is None


@by_name
def test_the_examples_of_the_page_hold(rule):
    bad, good = (examples(rule, title) for title in ("Bad", "Good"))
    if bad is None or rule.name in NOT_WHOLE or rule.on_collection:
        return
    agent = rule.on_agent is not None
    assert [f.rule for f in run(one(bad, agent=agent), rule.name).findings][:1] == [rule.name]
    assert good is None or rule.name in ("ORPHAN_REFERENCE", "REF_DEAD") or not run(one(good, agent=agent), rule.name).findings


def examples(rule, title):
    """The Markdown example below a heading as a whole file, or None when the example is no Markdown."""
    section = rule_pages.docstring(rule).partition(f"## {title}\n")[2].partition("\n## ")[0]
    match = re.search(r"^(`{3,})markdown\n(.*?)^\1$", section, re.MULTILINE | re.DOTALL)
    if match is None:
        return None
    text = match[2]
    if rule.group != "header" and not text.startswith("---"):
        text = f"---\nname: stock-report\ndescription: Use when someone asks for stock levels.\n---\n\n{text}"
    return text.encode()
