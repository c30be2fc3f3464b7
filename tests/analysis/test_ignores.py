"""Ignore comments: which lines they speak of, where they are only text, and what is said of those that do nothing."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from plugin_eval_ci import cli
from plugin_eval_ci.analysis.ignore_comments import Ignore, ignores_of, in_header, in_markdown
from plugin_eval_ci.config import Config
from plugin_eval_ci.lint.check import check
from plugin_eval_ci.lint.evaluate import evaluate, evaluate_text
from plugin_eval_ci.model import Collection, Source
from plugin_eval_ci.parse.documents import Location, parse_skill, parse_text
from plugin_eval_ci.parse.source import decode

Repo = Callable[..., Path]
NAMES = frozenset({"ORPHAN_REFERENCE", "MISSING_TRIGGER", "NAME_FORMAT"})
HEAD = "---\nname: a\ndescription: Makes a. Use when a is asked for.\n---\n"  # four lines
DEAD = "[x](references/gone.md)"
IT = "<!-- plugin-eval: ignore[ORPHAN_REFERENCE] -->"


def ignores(text: str) -> tuple[Ignore, ...]:
    source = Source("/r/SKILL.md", "SKILL.md", text, len(text), False, None)
    return ignores_of(source, *parse_text(source), NAMES)


def result(body: str, head: str = HEAD, **config: object):
    source = decode((head + body).encode(), "/r/skills/a/SKILL.md", "skills/a/SKILL.md")
    skill = parse_skill(Location(source.file, source.path, "/r", None), source)
    return check(Collection("/r", (skill,), (), (), ()), Config(**config))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        (f"{IT}\n{DEAD}\n", (6, 6)),
        (f"{IT}\n\n\n{DEAD}\n", (8, 8)),
        (f"{DEAD} {IT}\n", (5, 5)),
        (f"{IT} {DEAD}\n", (5, 5)),
        (f"words\n{DEAD} more words {IT} still\n", (6, 6)),
        (f"- one\n- {DEAD} {IT}\n", (6, 6)),
        (f"> {IT}\n> {DEAD}\n", (6, 6)),
        (f"# Title {IT}\n", (5, 5)),
        (f"| a | b |\n|---|---|\n| c | {DEAD} {IT} |\n", (7, 7)),
        (f"{IT}\n<!-- plugin-eval: ignore[NAME_FORMAT] -->\n{DEAD}\n", (7, 7)),
        ("<!-- plugin-eval: ignore[ORPHAN_REFERENCE]\n     a reason\n     of three lines -->\n" + DEAD, (8, 8)),
        (f"{DEAD} <!-- plugin-eval: ignore[ORPHAN_REFERENCE]\n over two lines -->\n", (5, 6)),
        (f"{IT}\n```sh\ncat x\n```\n", (6, 8)),  # the whole block
        (f"{IT}\n", (7, 7)),  # below the last line
        (f"  {IT}\n{DEAD}\n", (6, 6)),
        (f"<!-- other --> {IT}\n{DEAD}\n", (6, 6)),
        (f"[y]: x.md\nwords {IT}\n", (6, 6)),
        (f"*words* `code` [y](z) {IT}\n", (5, 5)),
        ("<!--plugin-eval:ignore[orphan_reference]-->\nx\n", (6, 6)),
        ("<!-- plugin-eval: ignore-file[ORPHAN_REFERENCE] -->\n", None),
        (f"{DEAD} <!-- plugin-eval: ignore-file[ORPHAN_REFERENCE] -->\n", None),
    ],
)
def test_what_a_comment_speaks_of(body: str, lines: tuple[int, int] | None) -> None:
    first = ignores(HEAD + body)[0]
    assert (first.rules, first.lines, first.problems) == (("ORPHAN_REFERENCE",), lines, ())


@pytest.mark.parametrize(
    "body",
    [
        f"```html\n{IT}\n```\n",
        f"~~~\n{IT}\n~~~\n",
        f"````\n```\n{IT}\n```\n````\n",
        f"`{IT}`\n",
        f"say ``{IT}`` here\n",
        f"    {IT}\n",
        f"- a\n\n      {IT}\n",
        f"```\n{IT}\n",
        f"\\{IT}\n",
        "<!-- plugin-eval: ignore[ORPHAN_REFERENCE] without an end\n",
        "plugin-eval: ignore[ORPHAN_REFERENCE]\n",
        "# plugin-eval: ignore[ORPHAN_REFERENCE]\n",
        "<!-- the plugin-eval ignore[ORPHAN_REFERENCE] -->\n",
    ],
)
def test_what_is_only_text(body: str) -> None:
    assert ignores(HEAD + body) == ()
    assert "ORPHAN_REFERENCE" in {finding.rule for finding in result(f"{DEAD}\n\n{body}").findings}


@pytest.mark.parametrize(
    ("header", "lines"),
    [
        ("name: a\n# plugin-eval: ignore[MISSING_TRIGGER] why\ndescription: x\n", (4, 4)),
        ("name: a\ndescription: x # plugin-eval: ignore[MISSING_TRIGGER]\n", (3, 3)),
        ("# plugin-eval: ignore[MISSING_TRIGGER]\n\n# words\ndescription: >\n  x\n  y\nname: a\n", (5, 7)),
        ("description: > # plugin-eval: ignore[MISSING_TRIGGER]\n  x\n  y\nname: a\n", (2, 4)),
        ("name: a\nmetadata:\n  # plugin-eval: ignore[MISSING_TRIGGER]\n  x: y\n", (5, 5)),
        ("name: a\nx: 'b' #plugin-eval: ignore[MISSING_TRIGGER]\n", (3, 3)),
        ("name: a\n# plugin-eval: ignore-file[MISSING_TRIGGER]\n", None),
        ("name: a\n# plugin-eval: ignore[MISSING_TRIGGER]\n", (4, 4)),
    ],
)
def test_comments_of_the_header(header: str, lines: tuple[int, int] | None) -> None:
    (one,) = ignores(f"---\n{header}---\n\nwords\n")
    assert (one.rules, one.lines, one.problems) == (("MISSING_TRIGGER",), lines, ())


@pytest.mark.parametrize(
    "header",
    [
        "description: '# plugin-eval: ignore[MISSING_TRIGGER]'\n",
        "description: |\n  # plugin-eval: ignore[MISSING_TRIGGER]\n",
        "description: >-\n  x\n\n  # plugin-eval: ignore[MISSING_TRIGGER]\nname: a\n",
        'description: "x\n  # plugin-eval: ignore[MISSING_TRIGGER]"\n',
        "description: x# plugin-eval: ignore[MISSING_TRIGGER]\n",
        "name: 'a\ndescription: x # plugin-eval: ignore[MISSING_TRIGGER]\n",
    ],
)
def test_a_number_sign_in_a_value_is_no_comment(header: str) -> None:
    assert ignores(f"---\n{header}---\n") == ()


def test_a_comment_after_a_block_and_in_broken_yaml() -> None:
    assert [c.line for c in in_header(["description: |", "  x", "# plugin-eval: ignore[A]", "name: a"])] == [4]
    assert [c.line for c in in_header(["name: [", "# plugin-eval: ignore[A]"])] == [3]


def test_a_comment_cuts_no_description() -> None:
    head = (
        "---\nname: a\ndescription: Makes a. Use when a is asked for. # plugin-eval: ignore[MISSING_TRIGGER] why\n---\n"
    )
    assert {f.rule for f in result("words\n", head).findings} == {"IGNORE_UNUSED"}


def test_reasons_and_several_rules() -> None:
    (one,) = ignores(HEAD + "<!-- plugin-eval: ignore[ORPHAN_REFERENCE, name_format ,]  made by\n  the build -->\nx\n")
    assert (one.rules, one.reason) == (("ORPHAN_REFERENCE", "NAME_FORMAT"), "made by the build")


def test_what_is_hidden_is_counted() -> None:
    checked = result(f"{IT}\n{DEAD}\n\n[y](references/gone2.md)\n")
    assert [f.line for f in checked.findings if f.rule == "ORPHAN_REFERENCE"] == [8]
    assert [(s.finding.rule, s.cause, s.reason) for s in checked.suppressed] == [("ORPHAN_REFERENCE", "comment", "")]
    whole = result(f"<!-- plugin-eval: ignore-file[ORPHAN_REFERENCE] why -->\n{DEAD}\n\n[y](references/gone2.md)\n")
    assert (whole.findings, [s.reason for s in whole.suppressed]) == ((), ["why", "why"])


@pytest.mark.parametrize(
    ("body", "lines", "words"),
    [
        (f"{IT}\nwords\n", [5], "ignores ORPHAN_REFERENCE, which finds nothing there"),
        ("<!-- plugin-eval: ignore-file[ORPHAN_REFERENCE] -->\n", [5], "finds nothing in this file"),
        ("words\n<!-- plugin-eval: ignore -->\n", [6], "names no rule, so it hides nothing: write ignore[RULE]"),
        ("<!-- plugin-eval: ignore[] -->\n", [5], "names no rule"),
        ("<!-- plugin-eval: ignore ORPHAN_REFERENCE -->\n", [5], "names no rule"),
        ("<!-- plugin-eval: ignore[ORPHAN_REFRENCE] -->\n", [5], "did you mean ORPHAN_REFERENCE?"),
        ("<!-- plugin-eval: disable[ORPHAN_REFERENCE] -->\n", [5], "'disable' is nothing that can be asked here"),
        ("<!-- plugin-eval: -->\n", [5], "nothing that can be asked"),
        (f"{DEAD}\n{IT}\n", [6], "finds nothing there"),
        (f"<!-- plugin-eval: ignore[ORPHAN_REFERENCE, NAME_FORMAT] -->\n{DEAD}\n", [5], "ignores NAME_FORMAT"),
        (f"{DEAD} {IT} {IT}\n", [], ""),
        (f"<!-- plugin-eval: ignore[NAME_DUPLICATE] -->\n{DEAD} {IT}\n", [], ""),  # one file does not tell
        ("<!-- plugin-eval: ignore-file[MISSING_TRIGGER] -->\n", [5], "MISSING_TRIGGER"),
    ],
)
def test_what_does_nothing_is_said(body: str, lines: list[int], words: str) -> None:
    found = [finding for finding in result(body).findings if finding.rule == "IGNORE_UNUSED"]
    assert [finding.line for finding in found] == lines
    assert all(words in finding.message for finding in found)


def test_only_rules_that_ran_are_judged() -> None:
    assert result(f"{IT}\nwords\n", ignore=frozenset({"ORPHAN_REFERENCE"})).findings == ()
    assert result(f"{IT}\nwords\n", select=frozenset({"IGNORE_UNUSED", "NAME_FORMAT"})).findings == ()
    assert len(result(f"{IT}\nwords\n", select=frozenset({"IGNORE_UNUSED", "ORPHAN_REFERENCE"})).findings) == 1
    assert result(f"{IT}\nwords\n", ignore=frozenset({"IGNORE_UNUSED"})).findings == ()
    hidden = result(f"{IT}\nwords\n", severity=(("IGNORE_UNUSED", None),))
    assert hidden.findings == () and [s.cause for s in hidden.suppressed] == ["configuration"]


def test_a_finding_that_another_stands_for_counts_as_use() -> None:
    head = "---\nname: a\n# plugin-eval: ignore-file[MISSING_TRIGGER] none is wanted\n---\n"
    assert "DESC_MISSING" in {f.rule for f in result("words\n", head).findings}
    assert "IGNORE_UNUSED" not in {f.rule for f in result("words\n", head).findings}


def test_a_score_sees_through_comments() -> None:
    checked = result(f"{IT}\n{DEAD}\n", comments=False)
    assert {f.rule for f in checked.findings} >= {"ORPHAN_REFERENCE"} and checked.suppressed == ()


def test_reference_files_and_agents(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    dead = "<!-- plugin-eval: ignore[REF_DEAD] why -->\n[x](gone.md)\n"
    root = repo(
        {
            "skills/a/SKILL.md": HEAD + "See [x](references/x.md) and [y](references/y.md) and [z](references/z.md).\n",
            "skills/a/references/x.md": dead,
            "skills/a/references/y.md": "<!-- plugin-eval: ignore[REF_DEAD] -->\nwords\n",
            "skills/a/references/z.md": "[x](gone.md)\n",
            ".claude/agents/b.md": "---\nname: b\n---\n<!-- plugin-eval: ignore-file[DESC_MISSING] -->\nwords\n",
        }
    )
    monkeypatch.chdir(root)
    checked = evaluate((".",), Config()).checked
    assert [
        (f.path, f.line, f.rule) for f in checked.findings if f.rule in ("REF_DEAD", "IGNORE_UNUSED", "DESC_MISSING")
    ] == [
        ("skills/a/references/y.md", 1, "IGNORE_UNUSED"),
        ("skills/a/references/z.md", 1, "REF_DEAD"),
    ]
    assert [s.finding.path for s in checked.suppressed] == [".claude/agents/b.md", "skills/a/references/x.md"]


def test_an_editor_sees_the_same(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"{HEAD}{IT}\n{DEAD}\n"
    monkeypatch.chdir(repo({"skills/a/SKILL.md": text}))
    assert (
        evaluate_text(text.encode(), "skills/a/SKILL.md", Config()).checked
        == evaluate(("skills/a/SKILL.md",), Config()).checked
    )


@pytest.mark.parametrize(
    "text",
    [
        "<!-- plugin-eval: ignore[X] -->\n" * 20_000,
        "<!-- plugin-eval:" * 15_000,
        "words <!-- plugin-eval:" * 10_000,
        "words " + "[" * 20_000 + " <!-- plugin-eval: ignore[X] -->\n",
        ("w " + "[" * 5_000 + " <!-- plugin-eval: ignore[X] -->\n\n") * 40,
        "<div><!--" + "<!--" * 60_000 + "plugin-eval:",
        "x <!-- plugin-eval: ignore[" + "A," * 50_000 + "] -->",
        "| <!-- plugin-eval: ignore[X] --> " * 5_000,
    ],
    ids=range(8),
)
def test_hostile_comments_cost_little(text: str) -> None:
    start = time.process_time()
    assert len(in_markdown(text, 1)) <= 1_000
    ignores(text[:250_000])
    assert time.process_time() - start < 5


@pytest.mark.parametrize("words", [[], ["--hook"]])
def test_the_count_in_the_text(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    root = repo({"skills/a/SKILL.md": f"{HEAD}{IT}\n{DEAD}\n", ".plugin-eval.yaml": ""})
    monkeypatch.chdir(root)
    assert cli.run(["lint", *words]) == 0
    assert capsys.readouterr().out == ("" if words else "1 skill: nothing to report.\n1 suppressed: 1 by comment.\n")
    (root / "skills/a/SKILL.md").write_text(f"{HEAD}{IT}\n{DEAD}\n\n[y](references/y.md) [z](nowhere/z.md)\n")
    (root / ".plugin-eval.yaml").write_text("severity: {REF_DEAD: off}")
    assert cli.run(["lint", *words]) == 1
    assert "2 suppressed: 1 by comment, 1 by configuration.\n" in capsys.readouterr().out
    assert cli.run(["lint", "--format", "json"]) == 1
    summary = json.loads(capsys.readouterr().out)["summary"]
    assert (summary["suppressed"], summary["suppressed_by"]) == (2, {"baseline": 0, "comment": 1, "configuration": 1})
