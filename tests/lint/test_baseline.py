"""Baselines: what a team accepted stays silent, what is new speaks, and what is gone or over is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from plugin_eval_ci import cli
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.lint import baseline
from plugin_eval_ci.lint.baseline import Entry, apply, load, render
from plugin_eval_ci.model import CheckResult, Finding, Severity

Repo = Callable[..., Path]
A, B = "skills/a/SKILL.md", "skills/b/SKILL.md"
FILE = ".plugin-eval-baseline.json"
TEXT = "---\nname: {0}\ndescription: Makes {0}. Use when {0} is asked for.\n---\n\n# {0}\n\nwords\n\n"
DEAD = "See [x](references/gone.md).\n"
ONLY = ("--select", "ORPHAN_REFERENCE,FM_MISSING", "--fail-on", "warning")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """``run(root, "lint", …)``: code, output, and what was said beside it."""

    def command(root: Path, *words: str) -> tuple[int, str, str]:
        monkeypatch.chdir(root)
        capsys.readouterr()
        code = cli.run(list(words))
        return (code, *capsys.readouterr())

    return command


@pytest.fixture
def old(repo: Repo) -> Path:
    """An old repository: four findings in two skills, and a configuration that names a baseline."""
    return repo(
        {
            A: TEXT.format("a") + DEAD + "\n[y](references/y.md)\n",
            B: TEXT.format("b") + DEAD + "\n[v](references/v.md)\n",
            ".plugin-eval.yaml": f"baseline: {FILE}\n",
        }
    )


def entries(root: Path, name: str = FILE) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads((root / name).read_text())["entries"]
    return found


def test_green_on_day_one(old: Path, run: Callable[..., Any]) -> None:
    code, _out, err = run(old, "lint")
    assert code == 2 and f"{FILE}: the baseline cannot be read: No such file" in err
    assert run(old, "baseline", "--reason", "since 2024") == (0, f"{FILE}: {len(entries(old))} entries\n", "")
    assert [(e["rule"], e["path"], e["reason"]) for e in entries(old) if e["rule"] == "ORPHAN_REFERENCE"] == [
        ("ORPHAN_REFERENCE", A, "since 2024"),
        ("ORPHAN_REFERENCE", A, "since 2024"),
        ("ORPHAN_REFERENCE", B, "since 2024"),
        ("ORPHAN_REFERENCE", B, "since 2024"),
    ]
    total = len(entries(old))
    assert run(old, "lint") == (0, f"2 skills: nothing to report.\n{total} suppressed: {total} by baseline.\n", "")
    assert run(old, "lint", "--hook", A) == (0, "", "")
    summary = json.loads(run(old, "lint", "--format", "json")[1])["summary"]
    assert summary["suppressed"] == summary["suppressed_by"]["baseline"] == total
    assert run(old, "lint", "--isolated", "--fail-on", "warning")[0] == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("words", "many\n\nmore\n\nwords"),
        lambda text: text.replace("See [x]", "Always see [x]"),
        lambda text: text + "\nThe end.\n",
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("See [x](references/gone.md).\n", "") + "See [x](references/gone.md).\n",
    ],
)
def test_what_is_accepted_survives_changes(old: Path, run: Callable[..., Any], change: Callable[[str], str]) -> None:
    run(old, "baseline")
    text = (old / A).read_text()
    (old / A).write_bytes(change(text).encode())
    assert run(old, "lint", *ONLY)[0] == 0


def test_what_is_new_speaks(old: Path, run: Callable[..., Any]) -> None:
    run(old, "baseline")
    (old / A).write_text((old / A).read_text() + "\n[z](references/z.md)\n")
    code, out, err = run(old, "lint", *ONLY)
    assert (code, err) == (1, "") and "z.md" in out and "y.md" not in out and "4 suppressed: 4 by baseline" in out
    assert run(old, "lint", *ONLY, A)[0] == 1 and run(old, "lint", *ONLY, B)[0] == 0
    assert run(old, "lint", "--fail-on", "warning", "--baseline", "/dev/null", *ONLY)[0] == 2


def finding(print_: str, line: int = 1) -> Finding:
    return Finding("R", Severity.ERROR, False, "p", line, None, None, "m", "", "", print_ * 16, None)


def entry(print_: str, expires: str = "", reason: str = "") -> Entry:
    return Entry("R", "p", "m", print_ * 16, reason, expires)


@pytest.mark.parametrize(
    ("found", "accepted", "left", "idle", "expired"),
    [
        ("", [], "", 0, 0),
        ("a", [], "a", 0, 0),
        ("a", [entry("a")], "", 0, 0),
        ("aa", [entry("a")], "a", 0, 0),
        ("aa", [entry("a"), entry("a")], "", 0, 0),
        ("a", [entry("a"), entry("a")], "", 1, 0),
        ("ab", [entry("b"), entry("c")], "a", 1, 0),
        ("a", [entry("a", "2026-06-30")], "", 0, 0),  # the last day itself
        ("a", [entry("a", "2026-06-29")], "a", 0, 1),
        ("a", [entry("a", "2026-06-29"), entry("a")], "", 1, 0),  # the one that holds comes first
        ("a", [entry("a"), entry("a", "2026-06-29")], "", 1, 0),
        ("", [entry("a", "2026-06-29")], "", 1, 0),
    ],
)
def test_an_entry_hides_one_finding(found: str, accepted: list[Entry], left: str, idle: int, expired: int) -> None:
    findings = tuple(finding(letter, n) for n, letter in enumerate(found))
    result = apply(CheckResult(findings, ()), findings, accepted, "2026-06-30")
    assert "".join(f.fingerprint[0] for f in result.checked.findings) == left
    assert (len(result.idle), len(result.expired)) == (idle, expired)
    assert len(result.checked.suppressed) == len(found) - len(left)
    assert [f.message for f in result.checked.findings if "expired on 2026-06-29" in f.message] == [
        "m (its baseline entry expired on 2026-06-29)"
    ] * expired


def test_what_expired_counts_again(old: Path, run: Callable[..., Any]) -> None:
    run(old, "baseline", "--expires", "2020-01-01", "--reason", "soon")
    code, out, err = run(old, "lint", *ONLY)
    assert code == 1 and out.count("(its baseline entry expired on 2020-01-01)") == 4
    assert f"{FILE}: 4 entries expired; their findings count again" in err
    assert run(old, "baseline", "--update")[0] == 0 and {e["expires"] for e in entries(old)} == {"2020-01-01"}
    assert run(old, "baseline", "--update", "--add", "--expires", "2999-12-31")[0] == 0
    assert {(e["expires"], e["reason"]) for e in entries(old)} == {("2999-12-31", "soon")}
    assert run(old, "lint", "--fail-on", "warning")[0] == 0


def test_what_is_gone_is_said_and_dropped(old: Path, run: Callable[..., Any]) -> None:
    run(old, "baseline", "--reason", "old")
    total = len(entries(old))
    (old / A).write_text(TEXT.format("a"))
    code, _out, err = run(old, "lint")
    gone = [e for e in entries(old) if e["path"] == A]
    assert (
        code == 0
        and f"{FILE}: {len(gone)} of {total} baseline entries match no finding; `plugin-eval baseline --update` removes them\n"
        in err
    )
    # who looked elsewhere, or for something else, cannot tell
    for words in (["skills/b"], [A], ["--hook"], ["--select", "FM_MISSING"], ["--ignore", "ORPHAN_REFERENCE"]):
        assert "gone" not in run(old, "lint", *words)[2]
    assert "match no finding" in run(old, "lint", "skills/a")[2]
    assert run(old, "baseline", "--update", "skills/b")[1] == f"{FILE}: {total} entries\n"
    (old / B).write_text((old / B).read_text() + "\n[new](references/new.md)\n")
    assert (
        run(old, "baseline", "--update")[1]
        == f"{FILE}: {total - len(gone)} entries; removed {len(gone)} outdated entries; 1 new finding not accepted (use --add)\n"
    )
    assert {e["reason"] for e in entries(old)} == {"old"} and {e["path"] for e in entries(old)} == {B}
    assert run(old, "lint", "--fail-on", "warning")[0] == 1
    assert run(old, "baseline", "--update", "--add", "--reason", "new")[1].endswith("entries; added 1 new finding\n")
    assert sorted(e["reason"] for e in entries(old)) == ["new"] + ["old"] * (total - len(gone))
    assert run(old, "lint")[::2] == (0, "")


def test_a_skill_that_was_removed(old: Path, run: Callable[..., Any]) -> None:
    run(old, "baseline")
    (old / B).unlink()
    assert "match no finding" in run(old, "lint")[2]
    assert "match no finding" in run(old, "lint", "skills")[2]


def test_nothing_is_overwritten_unasked(old: Path, run: Callable[..., Any]) -> None:
    assert run(old, "baseline")[0] == 0
    before = (old / FILE).read_text()
    code, out, err = run(old, "baseline")
    assert (code, out) == (2, "") and f"{FILE} already exists" in err and (old / FILE).read_text() == before
    assert run(old, "baseline", "--update")[0] == 0 and (old / FILE).read_text() == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--expires", "tomorrow"], "'tomorrow' is not a valid date"),
        (["--expires", "2026-13-01"], "is not a valid date"),
        (["--expires", "2026-1-1"], "is not a valid date"),
        (["--add"], "--add needs --update"),
        (["docs"], "docs: no skills found here"),
        (["no/such"], "no such file or folder"),
        (["--output", "no/such/x.json"], "the directory no/such does not exist"),
        (["--isolated", "--config", "x"], "cannot be used together"),
    ],
)
def test_usage(old: Path, run: Callable[..., Any], words: list[str], said: str) -> None:
    (old / "docs").mkdir()
    code, out, err = run(old, "baseline", *words)
    assert (code, out) == (2, "") and said in err
    assert not (old / FILE).exists()


def test_without_a_configured_file(old: Path, run: Callable[..., Any]) -> None:
    (old / ".plugin-eval.yaml").unlink()
    (old / "ci").mkdir()
    code, out, _err = run(old, "baseline", "--output", "ci/accepted.json")
    assert code == 0 and "add `baseline: ci/accepted.json` to .plugin-eval.yaml" in out
    assert run(old, "lint", "--fail-on", "warning")[0] == 1
    assert run(old, "lint", "--fail-on", "warning", "--baseline", "ci/accepted.json")[0] == 0
    assert run(old / "skills", "lint", "--fail-on", "warning", "--baseline", "../ci/accepted.json")[0] == 0
    (old / A).write_text(TEXT.format("a"))
    assert (
        "`plugin-eval baseline --update --output ci/accepted.json` removes"
        in run(old, "lint", "--fail-on", "warning", "--baseline", "ci/accepted.json")[2]
    )
    assert run(old, "baseline")[0] == 0 and (old / FILE).exists()


def test_the_baseline_of_a_folder(repo: Repo, run: Callable[..., Any]) -> None:
    root = repo(
        {
            A: TEXT.format("a") + DEAD,
            "packages/x/" + A: TEXT.format("a") + DEAD,
            "packages/x/.plugin-eval.yaml": "baseline: accepted.json",
        }
    )
    assert run(root, "baseline", "packages/x")[0] == 0
    assert {e["path"] for e in entries(root, "packages/x/accepted.json")} == {"packages/x/" + A}
    code, out, _ = run(root, "lint", *ONLY)
    assert code == 1 and "packages/x" not in out and "1 suppressed: 1 by baseline" in out
    assert run(root / "packages/x", "lint", *ONLY, ".")[0] == 0


def test_a_nearer_file_without_a_baseline(old: Path, run: Callable[..., Any]) -> None:
    run(old, "baseline")
    (old / "skills/a/.plugin-eval.yaml").write_text("fail-on: error\n")
    code, out, err = run(old, "lint", *ONLY)
    assert (code, err) == (1, "") and f"{A}:" in out and f"{B}:" not in out  # shown again, and not called gone


def test_what_a_comment_hides_is_not_accepted_too(old: Path, run: Callable[..., Any]) -> None:
    (old / A).write_text(TEXT.format("a") + "<!-- plugin-eval: ignore[ORPHAN_REFERENCE] -->\n" + DEAD)
    run(old, "baseline")
    assert not [e for e in entries(old) if e["path"] == A]


def test_an_editor_is_told_the_same(old: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    run(old, "baseline")
    monkeypatch.chdir(old)
    from plugin_eval_ci.commands import lint

    options = lint.LintOptions()
    assert lint.run_text((old / A).read_bytes(), A, options, __import__("io").StringIO()) == 0


def test_the_file_is_for_review(old: Path, run: Callable[..., Any]) -> None:
    run(old, "baseline", "--reason", "wegen ä")
    text = (old / FILE).read_text("utf-8")
    schema = json.loads(files("plugin_eval_ci").joinpath("schemas/baseline.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(json.loads(text))
    rows = [(e["path"], e["rule"], e["message"]) for e in entries(old)]
    assert (
        rows == sorted(rows) and text.endswith("}\n") and '"reason": "wegen \\u00e4"' in text and str(old) not in text
    )
    assert render(load(str(old / FILE))) == text


def test_names_that_are_no_text() -> None:
    odd = Entry("R", "skills/\udce9/SKILL.md", "m", "a" * 16)
    assert json.loads(render([odd]))["entries"][0]["path"] == odd.path


ROW = '{"rule": "R", "path": "p", "message": "m", "fingerprint": "' + "a" * 16 + '"'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ":1: the baseline is not valid JSON"),
        ("{\n\n  oops", ":3: the baseline is not valid JSON"),
        ("[]", ":1: not a baseline of version 1"),
        ('{"version": 2, "entries": []}', "not a baseline of version 1"),
        ('{"version": 1}', "not a baseline of version 1"),
        ('{"version": 1, "entries": {}}', "not a baseline of version 1"),
        ("[" * 100_000, "not valid JSON"),
        ('{"version": ' + "9" * 5_000 + "}", "not valid JSON"),
        (b'{"version": 1,\n"\xe9"', ":2: the baseline is not UTF-8"),
        ('{"version": 1, "entries": [\n 3]}', "entry 1 of the baseline: an entry must be an object"),
        (
            '{"version": 1, "entries": [\n' + ROW + "},\n" + ROW + ', "x": 1}]}',
            ":3: entry 2 of the baseline: unknown key 'x'",
        ),
        (
            '{"version": 1, "entries": [\n' + ROW.replace('"p"', "1") + "}]}",
            ":2: entry 1 of the baseline: path must be text",
        ),
        ('{"version": 1, "entries": [\n' + ROW.replace('"m"', '""') + "}]}", "message must be text and not empty"),
        ('{"version": 1, "entries": [\n' + ROW.replace("aaaa", "AAAA") + "}]}", "16 hexadecimal digits"),
        (
            '{"version": 1, "entries": [\n' + ROW + ', "expires": "soon"}]}',
            "expires must be a day such as 2026-12-31, not 'soon'",
        ),
        ('{"version": 1, "entries": [\n' + ROW + ', "expires": "2026-02-30"}]}', "expires must be a day"),
        ('{"version": 1, "entries": [\n' + ROW + ', "reason": null}]}', "reason must be text"),
    ],
)
def test_what_is_no_baseline(tmp_path: Path, text: str | bytes, words: str) -> None:
    file = tmp_path / "b.json"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(UsageError) as raised:
        load(str(file))
    assert str(raised.value).startswith(f"{file}:") and words in str(raised.value)


def test_a_link_out_of_the_repository_is_not_read(old: Path, run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text("word-of-a-stranger")
    (old / FILE).symlink_to(tmp_path / "secret.json")
    code, out, err = run(old, "lint")
    assert (
        code == 2
        and f".plugin-eval.yaml:1: baseline: '{FILE}' is outside the repository" in err
        and "stranger" not in out + err
    )


def test_dates() -> None:
    assert baseline.is_date(baseline.today())
    assert not baseline.is_expired(entry("a"), "2999-01-01")
