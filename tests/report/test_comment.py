"""The comment: its verdict, what is in it, that it fits, and that nothing a stranger wrote becomes markup."""

import copy
import io
import json
import re
from pathlib import Path

import pytest
from github_page import TRUSTED, as_github
from hypothesis import example, given, settings
from hypothesis import strategies as st
from made import letters

from plugin_eval_ci import cli
from plugin_eval_ci.commands import diff as command
from plugin_eval_ci.diff import Difference, Row, difference_without_base
from plugin_eval_ci.diff.load import read_difference
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.github.markers import marker
from plugin_eval_ci.model import Severity
from plugin_eval_ci.report.diff import comment as comment_markdown
from plugin_eval_ci.report.diff import json as diff_json
from plugin_eval_ci.report.diff.comment import LEAST, LIMIT, body, is_clean, render, verdict
from plugin_eval_ci.report.links import Links

jsonschema = pytest.importorskip("jsonschema")
SCHEMA = json.loads((Path(diff_json.__file__).parents[2] / "schemas" / "diff.schema.json").read_text("utf-8"))
LINKS = Links("https://git.example.org", "shop/store", "ab" * 20)


def finding(
    rule="ORPHAN_REFERENCE",
    severity="warning",
    path="skills/a/SKILL.md",
    line=9,
    message="the link is dead",
    fix="Mend it.",
):
    return {
        "rule": rule, "severity": severity, "anti_pattern": True, "path": path, "line": line, "column": None, "end_line": None,
        "message": message, "fix": fix, "target": None, "fingerprint": "0123456789abcdef", "state": "new",
    }  # fmt: skip


def host(*words):
    return {key: list(words) for key in ("tools", "denied", "commands", "hooks", "servers", "programs")}


def side(score=80.0, tokens=100, words=()):
    grade = None if score is None else "B-"
    cost = {"installed": 10, "activated": tokens, "bundle": tokens}
    return {
        "score": score,
        "grade": grade,
        "badge": "gold" if score else "no_badge",
        "context_cost": cost,
        "host": host(*words),
    }


def row(name="a", status="changed", before=80.0, after=80.0, new=(), fixed=(), old=0, words=(), kind="skill", **more):
    states = {
        "before": None if status in ("added", "present") else side(before),
        "after": None if status == "removed" else side(after, 130, words),
    }
    return {
        "status": status, "kind": kind, "path": f"skills/{name}/SKILL.md", "old_path": None, "name": name,
        "lines": {"added": 1, "removed": 2}, **states, "needs": {"added": host(*words), "removed": host()}, "new": list(new),
        "fixed": list(fixed), "old": old, **more,
    }  # fmt: skip


def report(*rows, base="1" * 40, **more):
    return {
        "schema_version": "1.0", "tool": {"name": "plugin-eval-ci", "version": "0.1.0"}, "methodology": "plugin-eval-ci/1",
        "base": base, "head": "2" * 40, "total": 40, "changed": list(rows), "plugins": [], "new_elsewhere": [],
        "fixed_elsewhere": [], "notes": [], "internal_errors": [], **more,
    }  # fmt: skip


def value(document) -> Difference:
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    return read_difference(json.dumps(document).encode(), "report.json")


# -- what it says


@pytest.mark.parametrize(
    ("document", "said", "clean"),
    [
        (report(), "✅ No new findings: no skill or agent changed", True),
        (report(row()), "✅ No new findings in 1 changed skill", True),
        (report(row(), row("b", fixed=[finding()])), "✅ No new findings in 2 changed skills, 1 fixed", True),
        (report(fixed_elsewhere=[finding()]), "✅ No new findings: no skill or agent changed, 1 fixed", True),
        (report(row(new=[finding()]), row("b"), row("c", kind="agent")), "⚠️ 1 new warning in 2 changed skills and 1 changed agent", False),
        (report(row(new=[finding(severity="error"), finding(severity="notice")])), "❌ 1 new error, 1 new notice in 1 changed skill", False),
        (report(row(new=[finding(severity="notice")] * 2)), "💡 2 new notices in 1 changed skill", False),
        (report(new_elsewhere=[finding()]), "⚠️ 1 new warning in 0 changed skills", False),
        (report(row(status="present"), base=None), "✅ No findings in 1 skill", True),
        (report(row(status="present", new=[finding()]), row("b", status="present"), base=None), "⚠️ 1 warning in 2 skills", False),
    ],
)  # fmt: skip
def test_the_verdict(document, said, clean):
    difference = value(document)
    assert verdict(difference) == said
    assert is_clean(difference) is clean
    assert body(difference).startswith(f"### {said}\n")


def table_rows(text):
    return [line for line in text.split("\n") if line.startswith("| ") and not line.startswith(("| Skill", "| ---"))]


@pytest.mark.parametrize(
    ("one", "cells"),
    [
        (row(after=85.5), "80.00 B- → **85.50 B** ▲ 5.50 | 0 | 0 | +30 activated · +30 bundle"),
        (row(before=90.0, after=70.0), "90.00 A- → **70.00 C-** ▼ 20.00 | 0 | 0 |"),
        (row(), "80.00 B- | 0 | 0 |"),
        (row(status="added", after=54.0), "added: **54.00 F** | 0 | 0 | +10 installed · +130 activated · +130 bundle"),
        (row(status="removed"), "80.00 B- → removed | 0 | 0 | −10 installed · −100 activated · −100 bundle"),
        (row(after=None), "80.00 B- → **not measured** |"),
        (row(before=None, after=None), "not measured | 0"),
        (row(new=[finding()], fixed=[finding()] * 2), "80.00 B- | **1** | **2** |"),
    ],
)
def test_a_row(one, cells):
    text = body(value(report(one)))
    assert table_rows(text) == [
        line for line in table_rows(text) if line.startswith(f"| **a**<br>`skills/a/SKILL.md` | {cells}")
    ]
    assert as_github(text).tags["td"] == 5


def test_without_a_base_there_is_no_before():
    text = body(value(report(row(status="present", after=61.0), base=None, notes=["The base is not at hand."])))
    assert table_rows(text) == [
        "| **a**<br>`skills/a/SKILL.md` | **61.00 D-** | 0 | 10 installed · 130 activated · 130 bundle |"
    ]
    assert "- The base is not at hand.\n" in text
    assert "host" not in text and "base" not in text.rsplit("<sub>")[1]


def test_rows_to_look_at_first_come_first():
    rows = [
        row("calm"), row("better", after=90.0), row("worse", after=60.0), row("warned", new=[finding()]),
        row("broken", new=[finding(severity="error")]),
    ]  # fmt: skip
    names = re.findall(r"(?m)^\| \*\*(\w+)\*\*", body(value(report(*rows))))
    assert names == ["broken", "warned", "worse", "calm", "better"]


def test_findings_say_rule_place_and_fix_and_where_to_read_more():
    text = body(
        value(report(row(new=[finding()]), new_elsewhere=[finding(path="skills/b/x y#.md", line=3, fix="")])),
        links=LINKS,
    )
    page = as_github(text)
    assert page.foreign == []
    assert f"{TRUSTED}skills/a/SKILL.md?plain=1#L9" in page.links
    assert f"{TRUSTED}skills/b/x%20y%23.md?plain=1#L3" in page.links
    assert sum(link.endswith("/docs/rules/ORPHAN_REFERENCE.md") for link in page.links) == 2
    assert (
        "The link is dead" in page.text
        and page.text.count("Fix: Mend it.") == 1
        and page.text.count("⚠️ warning ORPHAN") == 2
    )
    assert page.text.count("a file that this change does not touch") == 1


def test_a_rule_of_another_engine_has_no_link():
    page = as_github(body(value(report(row(new=[finding(rule="vale/Google.We")])))))
    assert "vale/Google.We" in page.text and not [link for link in page.links if "Google" in link]


@pytest.mark.parametrize("path", ["../../evil", "/etc/passwd", "a/../../b", "a//b", "", "a\\..\\b", "./a", "x" * 1_000])
def test_no_link_leaves_the_repository(path):
    assert LINKS.to(path, 3) is None
    assert TRUSTED + path not in body(value(report(row(path=path, new=[finding(path=path)]))), links=LINKS)


@pytest.mark.parametrize(
    "links",
    [
        LINKS._replace(server="javascript:alert(1)//"),
        LINKS._replace(repository="a/b/../../c"),
        LINKS._replace(commit="main"),
        LINKS._replace(server="https://x)[y](https://evil"),
    ],
)
def test_no_link_is_made_of_odd_parts(links):
    assert links.to("skills/a/SKILL.md") is None


def test_what_is_asked_of_the_host_is_said_openly_and_only_when_it_is_new():
    plugin = {
        "path": "p", "name": "store", "listing": {"before": None, "after": None},
        "needs": {"added": {**host(), "hooks": ["Stop: npm test"], "servers": ["db: npx"]}, "removed": {**host(), "programs": ["jq"]}},
    }  # fmt: skip
    loud, _, quiet = body(value(report(row(), plugins=[plugin]))).partition("<details>")
    assert "**store** now also needs: hooks `Stop: npm test`; servers `db: npx`\n" in loud
    assert "no longer needs: programs `jq`" in quiet
    assert "its host" not in body(value(report(row())))


def listing(characters, dropped):
    budgets = [{"context": 200_000, "characters": 8_000, "dropped": dropped}]
    return {"skills": 9, "characters": characters, "tokens": characters // 4, "budgets": budgets}


@pytest.mark.parametrize(("dropped", "loud"), [([], False), (["store:z"], True)])
def test_descriptions_that_get_lost_are_said_openly(dropped, loud):
    change = {"before": listing(7_000, []), "after": listing(8_100, dropped)}
    plugin = {"path": "p", "name": "store", "listing": change, "needs": {"added": host(), "removed": host()}}
    text = body(value(report(row(), plugins=[plugin])))
    assert text.count("listing 7,000 → 8,100 characters") == 1
    assert ("listing 7,000" in text.partition("<details>")[0]) is loud
    assert ("0 → 1 skills without a description" in text) is loud


@pytest.mark.parametrize(("first", "second"), [(0, 1), (1, 0), (0, 0), (1, 3), (3, 1)])
def test_a_forged_listing_may_know_other_windows_on_each_side(first, second):
    sides = [
        {**listing(7_000, ["store:z"]), "budgets": listing(7_000, ["store:z"])["budgets"] * n} for n in (first, second)
    ]
    change = dict(zip(("before", "after"), sides, strict=True))
    plugin = {"path": "p", "name": "store", "listing": change, "needs": {"added": host(), "removed": host()}}
    text = comment_markdown.render(
        read_difference(json.dumps(report(row(), plugins=[plugin])).encode(), "report.json"), "default"
    )
    assert ("without a description" in text) is (second > 0)


def test_what_has_no_room_is_not_written(monkeypatch):
    written = []
    monkeypatch.setattr("plugin_eval_ci.report.diff.comment.for_markdown", lambda text: written.append(text) or "text")
    findings = [finding(message=f"{letters(n)} " + "x" * 50) for n in range(20_000)]
    document = report(row(new=findings, fixed=findings, words=("Read",)), new_elsewhere=findings)
    text = body(read_difference(json.dumps(document).encode(), "report.json"), LEAST)
    assert (
        len(written) < 1_000 and "40,000 new warnings" in text and re.search(r"… and 39,\d{3} (?:findings )?more", text)
    )


def test_old_findings_are_counted_only():
    assert "3 findings in these files existed before and are not listed." in body(
        value(report(row(old=1), row("b", old=2)))
    )
    assert "before" not in body(value(report(row())))


# -- what fits


def many(count, text="the link leads to 'references/é🦊.md', which does not exist"):
    return report(
        *(
            row(
                f"skill-{n}",
                new=[finding(path=f"skills/skill-{n}/SKILL.md", message=f"{letters(n)} {text}")] * 3,
                words=("Read",),
            )
            for n in range(count)
        )
    )


@pytest.mark.parametrize("limit", [LIMIT, 20_000, LEAST])
@pytest.mark.parametrize("count", [40, 4_000])
def test_the_limit_cuts_whole_rows_and_says_so(count, limit):
    text = render(value(many(count)), "default", limit, LINKS)
    assert len(text.encode()) <= limit
    page = as_github(text)
    assert page.foreign == []
    assert page.tags["table"] == 1 and page.tags["td"] % 5 == 0
    assert text.count("<details>") == text.count("</details>")
    if count == 4_000:
        assert len(text.encode()) > limit * 0.9
        said = re.search(r"… and ([\d,]+) more skills and agents", text)
        assert said and int(said[1].replace(",", "")) == 4_000 - page.tags["td"] // 5
        assert re.search(r"… and [\d,]+ (?:findings|entries) more", text)


def test_what_fits_is_whole():
    text = render(value(many(5)), "default", LIMIT)
    assert "more findings" not in text


@pytest.mark.parametrize("character", ["@", "x", "<", "|", "🦊", "\U000e0041", "\u202e"])
def test_the_least_limit_has_room_for_what_cannot_be_left_out(character):
    long = character * 3_000
    fixed = [finding(path=long, message=long, fix=long)]
    rows = [row(name=long, path=long, old_path=long, new=fixed, fixed=fixed, old=10**11, words=[long] * 60)]
    document = report(*rows, new_elsewhere=fixed, notes=[long] * 30, methodology="p/" + "1" * 39)
    document["changed"][0]["path"] = long
    assert len(render(value(document), "k" * 64, LEAST, LINKS).encode()) <= LEAST


# -- what comes in

NAMES = ("name", "path", "old_path")
MARKUP = [
    "@octocat", "@org/team", "#1", "fixes #1", "GH-12", "a/b#3", "`", "``", "```", "~~~", "|", "\\", "\\|", "<", ">", "&", "&lt;", "&#35;1",
    "&commat;x", "<img src=x>", "<!--", "-->", "<!-- plugin-eval-ci:comment:default -->", "</details>", "<details>", "</td>", "<script>",
    "[a](https://evil.example)", "![a](https://evil.example/p.png)", "[a]: https://evil.example", "[^1]", "https://evil.example", "www.evil.example",
    "mailto:a@evil.example", "a@evil.example", "ftp://evil.example", "\n", "\r\n", "\t", "\n\n", "    ", "# ", "## x", "- ", "* ", "1. ", "> ",
    "> [!WARNING]", "---", "===", "**", "__", "_", "*", "~~", "$", "$$", "$`", ":tada:", ":+1:", "\0", "\x1b[31m", "\u202e", "\u2028", "\u200b",
    "\ud800", "é", "🦊", "x", " ", "(", ")", "[", "]", "!", "{", "}", "'", '"', "xmpp:a@b.example",
]  # fmt: skip
HOSTILE = st.lists(st.sampled_from(MARKUP) | st.text(max_size=3), max_size=12).map("".join)


def spread(text) -> Difference:
    """A report with ``text`` wherever a report has words."""
    bad = finding(path=text, message=text, fix=text, rule="x/" + (re.sub(r"[^!-~]", "", text)[:120] or "y"))
    good = finding(path=text, message=text, fix=text)
    one = row(name=text, path=text, old_path=text, new=[bad, good], fixed=[bad, good], words=[text, text + "z"])
    two = row(name=text, path=text, status="added", words=[text])
    change = {"before": listing(10, [text]), "after": listing(20, [text, "y"])}
    plugin = {"path": text, "name": text, "listing": change, "needs": {"added": host(text), "removed": host(text)}}
    document = report(one, two, plugins=[plugin], new_elsewhere=[bad], fixed_elsewhere=[good], notes=[text])
    return read_difference(json.dumps(document).encode(), "report.json")


@given(HOSTILE)
@settings(max_examples=200, deadline=None)
@example("[^1]: x")
@example(":tada:")
@example("`:tada:A")
@example("`a`|`b`")
@example("a\\|b")
@example("$`x`$")
@example("\\")
@example("x:y@z")
@example("@__")
def test_nothing_a_stranger_wrote_becomes_markup(text):
    difference = spread(text)
    for links in (None, LINKS):
        page = as_github(render(difference, "default", LIMIT, links))
        assert page.foreign == []
        assert page.tags["table"] == 1 and page.tags["td"] == 10 and page.tags["h3"] == 1 and page.tags["h4"] == 2
        assert page.tags["details"] == 2


def test_the_harness_would_see_it():
    for bad in (
        "<b>x</b>",
        "[a](https://evil.example)",
        "www.evil.example",
        "![a](x)",
        "@octocat",
        "fixes #1",
        "<!-- x -->",
        ":tada:",
        "[^1]\n\n[^1]: x",
    ):
        assert as_github(bad).foreign, bad
    assert as_github("plain `@octocat` text").foreign == []


# -- the reader


def broken(place, new):
    document = copy.deepcopy(report(row(new=[finding()])))
    at = document
    for step in place[:-1]:
        at = at[step]
    at[place[-1]] = new
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not valid JSON (line 1, column 1)"),
        (b"[" * 100_000, "not valid JSON"),
        (b'{"schema_version": 1' + b"0" * 5_000 + b"}", "not valid JSON"),
        (b"\xff\xfe", "not valid JSON (line 1, column 1)"),
        (b"[]", "the document must be an object"),
        (b"{}", "not a report that this version can read (expected the output of plugin-eval diff --format json)"),
        (
            broken(["schema_version"], "2.0"),
            "not a report that this version can read (expected the output of plugin-eval diff --format json)",
        ),
        (broken(["base"], "main"), "base must be a commit or null"),
        (broken(["head"], ["x"]), "head must be a commit or null"),
        (broken(["methodology"], "<b>"), "methodology must be a version"),
        (broken(["changed"], {}), "changed must be a list"),
        (broken(["changed", 0], 3), "changed[0] must be an object"),
        (
            broken(["changed", 0, "status"], "evil"),
            "changed[0].status must be one of added, removed, renamed, changed, present",
        ),
        (broken(["changed", 0, "name"], 3), "changed[0].name must be text"),
        (
            broken(["changed", 0, "after", "score"], 101),
            "changed[0].after.score must be a number from 0 to 100, or null",
        ),
        (
            broken(["changed", 0, "after", "score"], True),
            "changed[0].after.score must be a number from 0 to 100, or null",
        ),
        (broken(["changed", 0, "after", "score"], float("nan")), "not valid JSON"),
        (broken(["changed", 0, "new", 0, "rule"], "a b"), "changed[0].new[0].rule must be the name of a rule"),
        (
            broken(["changed", 0, "new", 0, "severity"], "fatal"),
            "changed[0].new[0].severity must be one of notice, warning, error",
        ),
        (
            broken(["changed", 0, "new", 0, "line"], -1),
            "changed[0].new[0].line must be a whole number from 1 to 1000000000000",
        ),
        (broken(["changed", 0, "old"], 10**30), "changed[0].old must be a whole number from 0 to 1000000000000"),
        (broken(["changed", 0, "needs"], None), None),
        (broken(["notes"], [1]), "notes[0] must be text"),
        (broken(["plugins"], [{"name": "x", "listing": 3}]), "plugins[0].listing must be an object"),
        (broken(["changed"], [{}] * 20_001), "changed has more than 20,000 entries"),
        (broken(["something new"], {"x": 1}), None),
    ],
)
def test_what_is_no_report_is_named_with_its_place(data, said):
    if said is None:
        assert read_difference(data, "report.json").rows[0].name == "a"
        return
    with pytest.raises(UsageError) as caught:
        read_difference(data, "report.json")
    assert str(caught.value) == f"report.json: {said}"


def test_a_large_report_is_refused_unread():
    with pytest.raises(UsageError, match="larger than 32 MiB"):
        read_difference(b" " * (32 * 1024**2 + 1), "x")


def test_a_grade_cannot_be_claimed():
    document = report(row(after=12.0))
    document["changed"][0]["after"] |= {"grade": "A+", "badge": "platinum"}
    after = value(document).rows[0].after
    assert after is not None and (after.grade, after.badge) == ("F", "no_badge")


def test_written_and_read_again_it_is_the_same():
    document = report(
        row(new=[finding()], words=("Read",)), row("b", status="removed"), new_elsewhere=[finding()], notes=["Hm."]
    )
    once = value(document)
    again = read_difference(diff_json.render(once).encode(), "x")
    assert again == once and body(again) == body(once)


def test_everything_without_a_base(evaluation):
    difference = difference_without_base(evaluation, notes=("No base.",))
    assert difference.base is None and {one.status for one in difference.rows} == {"present"}
    assert [one.name for one in difference.rows] == ["label-print", "stock-report", "broken", "counter"]
    assert sum(len(one.new) for one in difference.rows) + len(difference.elsewhere) == len(evaluation.checked.findings)
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(diff_json.render(difference)))
    text = body(difference)
    assert as_github(text).foreign == [] and text.startswith("### ")
    assert not any(need for one in difference.rows for need in one.needs if need.any)


# -- the command


def test_the_command(tmp_path, capsys, monkeypatch):
    file = tmp_path / "report.json"
    file.write_text(json.dumps(report(row(new=[finding()]))))
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://git.example.org/")
    monkeypatch.setenv("GITHUB_REPOSITORY", "shop/store")
    assert cli.run(["comment", str(file), "--key", "nightly", "--commit", "ab" * 20]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"{marker('comment', 'nightly')}\n### ⚠️ 1 new warning in 1 changed skill\n")
    assert TRUSTED in text
    assert cli.run(["comment", str(file)]) == 0
    assert TRUSTED not in capsys.readouterr().out


def test_links_need_all_three():
    known = {"GITHUB_SERVER_URL": "https://git.example.org", "GITHUB_REPOSITORY": "shop/store"}
    assert command.links_to("ab" * 20, known) == LINKS
    assert command.links_to(None, known) is None
    assert command.links_to("ab" * 20, {}) is None


def test_standard_input(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(report(row())).encode())))
    assert cli.run(["comment", "-"]) == 0
    assert "No new findings" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["gone.json"], "gone.json: no such file"),
        (["report.json", "--key", "a-->b"], "key 'a-->b' is not valid"),
        (["report.json", "--key", ""], "key '' is not valid"),
        (["report.json", "--limit", "100"], "100 is not in the range x>=4000"),
        (["bad.json"], "bad.json: not valid JSON"),
    ],
)
def test_wrong_usage(words, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "report.json").write_text(json.dumps(report()))
    (tmp_path / "bad.json").write_text("{")
    assert cli.run(["comment", *words]) == 2
    said_there = capsys.readouterr()
    assert said in said_there.err and said_there.out == ""


def test_limits_are_declared_as_they_are():
    from plugin_eval_ci.cli import diff

    assert (diff.LIMIT, diff.LEAST) == (comment_markdown.LIMIT, comment_markdown.LEAST)
    assert set(comment_markdown.MARKS) == set(Severity) and Row._fields
