"""A fault of ours costs one answer: everything else is still said, in every format, in one process and in several."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from report.test_schemas import check as check_schema

from plugin_eval_ci import cli
from plugin_eval_ci.analysis import resolve
from plugin_eval_ci.config import Config
from plugin_eval_ci.lint import check
from plugin_eval_ci.lint.evaluate import evaluate
from plugin_eval_ci.parse import header, json_lines, markdown
from plugin_eval_ci.rules import Rule, across, all_rules
from plugin_eval_ci.scoring import report as score_report
from plugin_eval_ci.scoring.static import layer as static
from plugin_eval_ci.util import faults, parallel

Repo = Callable[..., Path]
Break = Callable[..., None]
BAD = "skills/stock-report/SKILL.md"
GOOD = "skills/label-print/SKILL.md"
WORDS = "\x1b[31mboom\n::error::forged ##[error] <u7>`x`"
BODY = "# Work\n\nRead [x](references/gone.md), then [y](../gone/SKILL.md).\n\nTODO: write more.\n\n[z](nowhere.md)\n"


@pytest.fixture(autouse=True)
def _expected() -> Iterator[None]:
    yield
    faults.forget()


def text(name: str, more: str = "") -> str:
    return f"---\nname: {name}\ndescription: Handles {name} and what belongs to it.\nsurprise: 1\n{more}---\n{BODY}"


@pytest.fixture
def root(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = repo(
        {
            ".claude-plugin/plugin.json": '{"name": "shop", "version": 1}',
            BAD: text("stock-report"),
            GOOD: text("label-print"),
            "agents/helper.md": text("helper", "tools: [Nothing]\n"),
        }
    )
    monkeypatch.chdir(made)
    monkeypatch.delenv("PLUGIN_EVAL_DEBUG", raising=False)
    return made


@pytest.fixture(params=[1, 2], ids=["one process", "two processes"])
def processes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(parallel, "LEAST", 1)
    monkeypatch.setattr(parallel, "processes_for", lambda count: min(request.param, count) or 1)
    return int(request.param)


def broken(rule: Rule, error: BaseException, where: str, late: bool) -> Rule:
    """The rule as it is, but that it raises ``error`` on files whose path holds ``where``, at once or after all it has to say."""
    field = next(name for name in Rule._fields if name.startswith("on_") and getattr(rule, name))
    original = getattr(rule, field)

    def failing(about: object, *more: object) -> Iterator[object]:
        hit = where in (about.source.path if hasattr(about, "source") else where)
        if hit and not late:
            raise error
        yield from original(about, *more)
        if hit:
            raise error

    return rule._replace(**{field: failing})


@pytest.fixture
def breaks(monkeypatch: pytest.MonkeyPatch) -> Break:
    def change(name: str, error: BaseException | None = None, where: str = BAD, late: bool = False) -> None:
        for module, table in ((check, "SINGLE"), (across, "ACROSS")):
            rules = tuple(
                broken(rule, error or ValueError(WORDS), where, late) if rule.name == name else rule
                for rule in getattr(module, table)
            )
            monkeypatch.setattr(module, table, rules)

    return change


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def command(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        return (cli.run(list(words)), *capsys.readouterr())

    return command


def commit(root: Path) -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    for words in (["add", "-A"], ["-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "change"]):
        subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, env=clean)


def is_named(err: str, rule: str = "BODY_TODO", path: str = BAD) -> bool:
    line = (
        f"internal error: rule {rule} failed on {path} (ValueError: \\x1b[31mboom ::error::forged ## [error] <u7>`x`)"
    )
    return f"plugin-eval: {line}. This is a bug in plugin-eval; please report it.\n" in err


def found(output: str) -> list[tuple[str, str, int]]:
    return [(one["path"], one["rule"], one["line"]) for one in json.loads(output)["findings"]]


# --- lint ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("late", [False, True])
def test_other_findings_stay_and_so_does_what_the_rule_said_before(root, run, breaks, processes, late):
    code, before, _ = run("lint", "--format", "json", ".")
    assert code == 1 and (BAD, "BODY_TODO", 10) in found(before)
    breaks("BODY_TODO", late=late)
    code, after, err = run("lint", "--format", "json", ".")
    assert code == 4 and is_named(err)
    left = found(before) if late else [one for one in found(before) if one[:2] != (BAD, "BODY_TODO")]
    assert found(after) == left and (GOOD, "BODY_TODO", 10) in left
    check_schema("lint", after)
    assert json.loads(after)["internal_errors"] == [
        {
            "rule": "BODY_TODO",
            "step": "lint",
            "path": BAD,
            "exception": "ValueError",
            "message": " ".join(WORDS.split()),
        }
    ]


@pytest.mark.parametrize("rule", [rule.name for rule in all_rules() if rule.on_change is None])
def test_a_failing_rule_is_like_one_that_is_left_out(root, breaks, rule):
    resolve.forget()
    without = evaluate((".",), Config(ignore=(rule,))).checked
    breaks(rule, where="")
    checked = evaluate((".",), Config()).checked
    assert checked.findings == without.findings
    assert {fault.rule for fault in faults.noted()} <= {rule}


@pytest.mark.parametrize("output", ["text", "github", "sarif", "junit", "gitlab", "rdjson"])
def test_every_format(root, run, breaks, processes, output):
    _, before, _ = run("lint", "--format", output, ".")
    breaks("BODY_TODO", late=True)
    code, after, err = run("lint", "--format", output, ".")
    assert code == 4 and is_named(err)
    assert "\x1b" not in after and "\n::error::forged" not in after
    if output == "text":
        assert after == before
    elif output == "github":
        first, _, rest = after.partition("\n")
        assert rest == before
        assert first.startswith(f"::error file={BAD},line=1,title=INTERNAL_ERROR") and "rule BODY_TODO" in first
    elif output == "sarif":
        log, old = json.loads(after)["runs"][0], json.loads(before)["runs"][0]
        (invocation,) = log.pop("invocations")
        assert log == old and invocation["executionSuccessful"] is False
        (said,) = invocation["toolExecutionNotifications"]
        assert said["associatedRule"] == {"id": "BODY_TODO"} and said["exception"]["kind"] == "ValueError"
        assert said["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == BAD
    elif output == "junit":
        tree = ElementTree.fromstring(after)
        assert tree.get("errors") == "1" and tree.get("failures") == ElementTree.fromstring(before).get("failures")
        assert "BODY_TODO" in tree.find(".//error").get("message")
    else:
        old, new = (json.loads(some) for some in (before, after))
        rows = (lambda some: some) if output == "gitlab" else (lambda some: some["diagnostics"])
        assert rows(new)[1:] == rows(old) and "INTERNAL" in json.dumps(rows(new)[0])


@pytest.mark.parametrize("error", [RecursionError("deep"), MemoryError(), StopIteration(), AssertionError("no")])
def test_other_exceptions(root, run, breaks, processes, error):
    breaks("MISSING_TRIGGER", error)
    code, out, err = run("lint", "--format", "json", ".")
    assert code == 4 and f"rule MISSING_TRIGGER failed on {BAD}" in err
    assert (GOOD, "MISSING_TRIGGER", 3) in found(out) and (BAD, "BODY_TODO", 10) in found(out)


def test_an_exception_that_cannot_be_printed(root, run, breaks):
    class MuteError(Exception):
        def __str__(self) -> str:
            raise ValueError

    breaks("BODY_TODO", MuteError())
    code, _, err = run("lint", ".")
    assert code == 4 and f"rule BODY_TODO failed on {BAD} (MuteError)." in err


def test_an_interrupt_is_none(root, run, breaks):
    breaks("BODY_TODO", KeyboardInterrupt())
    assert run("lint", ".")[0] == 130


def test_a_developer_sees_where_it_comes_from(root, run, breaks, monkeypatch):
    breaks("BODY_TODO")
    monkeypatch.setenv("PLUGIN_EVAL_DEBUG", "1")
    with pytest.raises(ValueError, match="boom"):
        run("lint", ".")


@pytest.mark.parametrize("rule", ["COPY_NEAR_IDENTICAL", "KEY_UNKNOWN", "MANIFEST_VERSION", "IGNORE_UNUSED"])
def test_rules_about_more_than_one_document(root, run, breaks, rule):
    (root / BAD).write_text(text("stock-report").replace("TODO", "<!-- plugin-eval: ignore[BODY_HOLLOW] -->\nTODO"))
    breaks(rule, where="")
    code, out, err = run("lint", "--format", "json", ".")
    assert code == 4 and f"rule {rule} failed on" in err and (GOOD, "BODY_TODO", 10) in found(out)


def test_a_comment_about_the_failing_rule_is_not_called_unused(root, run, breaks):
    (root / BAD).write_text(text("stock-report").replace("TODO", "<!-- plugin-eval: ignore[BODY_TODO] -->\nTODO"))
    assert "IGNORE_UNUSED" not in run("lint", ".")[1]
    breaks("BODY_TODO")
    code, out, _ = run("lint", ".")
    assert code == 4 and "IGNORE_UNUSED" not in out


def test_many_faults_are_counted(repo, run, breaks, monkeypatch):
    monkeypatch.chdir(repo({f"skills/s{n}/SKILL.md": text(f"s{n}") for n in range(25)}))
    breaks("BODY_TODO", where="")
    _, out, err = run("lint", "--format", "json", ".")
    assert len(json.loads(out)["internal_errors"]) == 25
    assert err.count("internal error: rule") == 20 and "internal error: 5 more of this kind" in err


def test_a_hook(root, run, breaks):
    (root / GOOD).write_text(text("label-print"))
    breaks("FILE_BOM", where=GOOD)
    code, out, err = run("lint", "--hook", GOOD)
    assert code == 4 and is_named(err, "FILE_BOM", GOOD) and "BODY_TODO" in out


def test_fix(root, run, breaks):
    for path in (BAD, GOOD):
        (root / path).write_bytes(b"\xef\xbb\xbf" + (root / path).read_bytes())
    breaks("BODY_TODO")
    code, _, err = run("lint", "--fix", ".")
    assert code == 4 and is_named(err)
    assert not any((root / path).read_bytes().startswith(b"\xef") for path in (BAD, GOOD))


def test_a_correction_that_fails(root, run, monkeypatch):
    from plugin_eval_ci.commands import fix

    for path in (BAD, GOOD):
        (root / path).write_bytes(b"\xef\xbb\xbf" + (root / path).read_bytes())
    monkeypatch.setattr(fix, "apply_fixes", failing_for(fix.apply_fixes, lambda _, document, *__: document.source.path))
    code, out, err = run("lint", "--fix", ".")
    assert code == 4 and f"fixing failed on {BAD}" in err and "FILE_BOM" in out
    assert [(root / path).read_bytes()[:1] == b"\xef" for path in (BAD, GOOD)] == [True, False]


def failing_for(original: Callable, path_of: Callable, path: str = BAD) -> Callable:
    def function(*about, **more):
        if path in path_of(*about):
            raise ValueError(WORDS)
        return original(*about, **more)

    return function


def test_against_a_base(root, run, breaks, processes):
    commit(root)
    for path in (BAD, GOOD):
        (root / path).write_text((root / path).read_text() + "\nTODO: and more of it.\n\n[w](gone-too.md)\n")
    _, before, _ = run("lint", "--base", "HEAD", "--format", "json", ".")
    breaks("BODY_TODO")
    code, after, err = run("lint", "--base", "HEAD", "--format", "json", ".")
    assert code == 4 and is_named(err)
    assert found(after) == [one for one in found(before) if one[:2] != (BAD, "BODY_TODO")]
    for output in ("text", "json", "markdown"):
        code, out, err = run("diff", "HEAD", "--output", output, "--", ".")
        assert code == 4 and is_named(err)
        assert ("INTERNAL" not in out and "BODY\\_TODO" in out) or "BODY_TODO" in out
    check_schema("diff", run("diff", "HEAD", "--output", "json", "--", ".")[1])


# --- reading -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("module", "name"), [(markdown, "parse"), (header, "split")])
def test_a_document_that_cannot_be_read_costs_itself(root, run, monkeypatch, processes, module, name):
    _, before, _ = run("lint", "--format", "json", ".")
    (root / BAD).write_text(text("stock-report") + "\nunreadable for us\n")
    monkeypatch.setattr(module, name, failing_for(getattr(module, name), lambda words, *_: words, "unreadable for us"))
    code, after, err = run("lint", "--format", "json", ".")
    assert code == 4 and f"internal error: reading failed on {BAD} (ValueError" in err
    own = {one for one in found(before) if one[0] != BAD}
    assert own <= set(found(after)) and not [one for one in found(after) if one[0] == BAD]
    code, out, err = run("score", BAD.rpartition("/")[0], "--depth", "quick", "--output", "json")
    assert code == 4 and json.loads(out)["composite"]["score"] is None and "reading failed" in out
    code, out, err = run("report", ".", "--output", "json")
    scores = {one["path"]: one["score"] for one in json.loads(out)["targets"]}
    assert code == 4 and scores[BAD] is None and scores[GOOD] is not None


def test_a_manifest_that_cannot_be_read(root, run, monkeypatch):
    monkeypatch.setattr(json_lines, "parse", failing_for(json_lines.parse, lambda _: BAD))
    code, out, err = run("lint", "--format", "json", ".")
    assert code == 4 and "reading failed on .claude-plugin/plugin.json" in err and (BAD, "BODY_TODO", 10) in found(out)


# --- scores --------------------------------------------------------------------------------------------------------


def test_a_measurement_that_fails(root, run, monkeypatch, processes):
    _, before, _ = run("report", ".", "--output", "json")
    old = {one["path"]: one["score"] for one in json.loads(before)["targets"] if one["kind"] != "plugin"}
    failing = failing_for(static.token_efficiency, lambda skill: skill.source.path)
    monkeypatch.setattr(static, "token_efficiency", failing)
    for output in ("text", "markdown", "json", "html"):
        code, out, err = run("report", ".", "--output", output)
        assert code == 4 and f"scoring failed on {BAD} (ValueError" in err
        assert "scoring failed" in out and "\x1b" not in out
        assert output in ("text", "json") or not re.search(r"(?<!\\)<u7", out)
    report = json.loads(run("report", ".", "--output", "json")[1])
    scores = {one["path"]: one["score"] for one in report["targets"] if one["kind"] != "plugin"}
    assert scores == {**old, BAD: None}
    assert report["internal_errors"][0]["step"] == "score"
    assert "scoring failed" in next(one["reason"] for one in report["targets"] if one["path"] == BAD)


@pytest.mark.parametrize("output", ["text", "markdown", "json", "html"])
def test_a_score_of_one_skill(root, run, monkeypatch, output):
    monkeypatch.setattr(score_report, "skill_cost", failing_for(score_report.skill_cost, lambda s: s.source.path))
    code, out, err = run("score", "skills/stock-report", "--depth", "quick", "--output", output)
    assert code == 4 and f"scoring failed on {BAD}" in err and "scoring failed" in out
    if output == "json":
        check_schema("score", out)
        assert json.loads(out)["composite"]["score"] is None and json.loads(out)["internal_errors"]


@pytest.mark.parametrize(("rule", "measured"), [("ORPHAN_REFERENCE", False), ("BODY_TODO", True)])
def test_a_rule_that_counts_leaves_no_number(root, run, breaks, processes, rule, measured):
    breaks(rule)
    code, out, err = run("score", "skills/stock-report", "--depth", "quick", "--output", "json")
    assert code == 4 and is_named(err, rule)
    document = json.loads(out)
    assert (document["composite"]["score"] is not None) is measured
    assert any(f"rule {rule} failed" in note for note in document["notes"]) and document["findings"]
    code, out, err = run("report", ".", "--output", "json")
    assert code == 4 and is_named(err, rule)
    scores = {one["path"]: one["score"] for one in json.loads(out)["targets"]}
    assert (scores[BAD] is not None) is measured and scores[GOOD] is not None
