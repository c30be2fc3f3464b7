"""What cannot lie in a repository as a file: links out of it, unreadable and huge files."""

import os

import pytest
from rule_trees import one, shown, tree

from plugin_eval_ci.lint.check import check
from plugin_eval_ci.config import Config

GOOD = "---\nname: {}\ndescription: Builds the stock report. Use when someone asks for stock levels.\n---\n\nText.\n"


@pytest.fixture
def root(tmp_path):
    place = tmp_path / "repository"
    (place / "skills" / "ok").mkdir(parents=True)
    (place / "skills" / "ok" / "SKILL.md").write_text(GOOD.format("ok"))
    return place


def test_a_folder_called_skill_md_cannot_be_read(root):
    (root / "skills" / "odd" / "SKILL.md").mkdir(parents=True)
    found = shown(tree(root), "FILE_UNREADABLE")
    assert [(f.path, f.line) for f in found] == [("skills/odd/SKILL.md", 1)]
    assert "is a folder" in found[0].message


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission_cannot_be_read(root):
    file = root / "skills" / "ok" / "SKILL.md"
    file.chmod(0)
    assert [f.line for f in shown(tree(root), "FILE_UNREADABLE")] == [1]


def test_an_unreadable_file_is_the_only_finding_about_it(root):
    (root / "skills" / "odd" / "SKILL.md").mkdir(parents=True)
    assert {f.rule for f in check(tree(root), Config()).findings} == {"FILE_UNREADABLE"}


def test_a_huge_file_is_not_read():
    found = check(one(GOOD.format("stock-report").encode() + b"x" * (1 << 20)), Config()).findings
    assert [(f.rule, f.line) for f in found] == [("FILE_TOO_LARGE", 1)]
    assert "1,048," in found[0].message


def test_the_line_is_named_where_reading_stops():
    found = shown(one((GOOD.format("stock-report") + "Count.\n" * 11_000).encode()), "FILE_TOO_LARGE")
    assert len(found) == 1
    assert found[0].line > 9_000 and f"{found[0].line - 1:,}" in found[0].message


def test_a_link_out_of_the_repository_is_named(root, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "SKILL.md").write_text(GOOD.format("secret"))
    (root / "skills" / "trap").symlink_to(outside)
    found = shown(tree(root), "REF_ESCAPE")
    assert [(f.path, f.line) for f in found] == [("skills/trap", 1)]


def test_a_link_inside_the_repository_is_fine(root):
    (root / "shared").mkdir()
    (root / "skills" / "ok").rename(root / "shared" / "ok")
    (root / "skills" / "ok").symlink_to("../shared/ok")
    collection = tree(root)
    assert not shown(collection, "REF_ESCAPE") and not shown(collection, "NAME_DIR_MISMATCH")


def test_a_file_saved_as_latin_1_is_still_checked():
    data = GOOD.format("stock-report").replace("Use when", "Not for").encode() + b"\xe9\n"
    rules = {f.rule for f in check(one(data), Config()).findings}
    assert rules == {"FILE_ENCODING", "MISSING_TRIGGER"}


def unread(text):
    return [(f.line, f.severity.word) for f in shown(one((GOOD.format("stock-report") + text).encode()), "FILE_TOO_LARGE")]


LINE = "See `x` and [the form](references/form.md) of it. "


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("\n" + LINE * 200 + "\n", [8]),  # one line of 10,000 characters
        ("\n" + (LINE * 20 + "\n") * 40, [8]),  # one paragraph of 40,000
        ("\n" + LINE * 200 + "\n\nText.\n\n" + (LINE * 20 + "\n") * 40, [8, 12]),
    ],
)
def test_a_line_or_paragraph_whose_links_are_not_read_is_named(text, lines):
    assert unread(text) == [(line, "notice") for line in lines]


@pytest.mark.parametrize(
    "text",
    ["\n" + LINE * 150 + "\n", "\n" + ((LINE * 20 + "\n") * 20 + "\n") * 3, "\n" + "word " * 8000 + "\n", "\n" + ("plain\n" * 6000)],
)
def test_what_is_read_or_holds_nothing_to_read_is_silent(text):
    assert unread(text) == []
