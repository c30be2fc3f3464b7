"""``score --output html|badge|shields``: what carries a day, and what does not."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from plugin_eval_ci import cli


@pytest.fixture
def run(repo, skill_text, inside, capsys, monkeypatch) -> Callable[..., tuple[int, str, str]]:
    """``run("--output", "badge")``: exit code, output and what was said about the plugin ``shop``."""
    root: Path = repo(
        {
            "shop/.claude-plugin/plugin.json": '{"name": "shop"}',
            "shop/skills/stock-report/SKILL.md": skill_text(),
            "shop/skills/label-print/SKILL.md": skill_text("label-print"),
        }
    )
    inside(root)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)

    def call(*words: str, path: str = "shop") -> tuple[int, str, str]:
        code = cli.run(["score", path, "--depth", "quick", *words])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.mark.parametrize(
    ("output", "start"), [("badge", "<svg "), ("shields", '{"schemaVersion": 1'), ("html", "<!DOCTYPE html>")]
)
def test_the_output_is_of_its_kind_and_alone(run, output, start):
    code, out, err = run("--output", output)
    assert code == 0 and out.startswith(start) and out.endswith("\n") and err == ""


@pytest.mark.parametrize("output", ["badge", "html"])
def test_the_day_is_given_or_the_build_s(run, output, monkeypatch):
    assert "2026-11-30" in run("--output", output, "--date", "2026-11-30")[1]
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert "2023-11-14" in run("--output", output)[1]
    assert "2026-11-30" in run("--output", output, "--date", "2026-11-30")[1]


def test_the_same_day_gives_the_same_bytes(run):
    for output in ("badge", "shields", "html"):
        words = ("--output", output, "--date", "2026-11-30")
        assert run(*words) == run(*words)


def test_a_day_that_is_none_is_wrong_usage(run):
    code, out, err = run("--output", "badge", "--date", "tomorrow")
    assert code == 2 and out == "" and "--date" in err


def test_other_outputs_carry_no_day(run):
    for output in ("text", "markdown", "json"):
        assert "2026-11-30" not in run("--output", output, "--date", "2026-11-30")[1]


def test_a_threshold_still_decides_the_exit_code(run):
    code, out, err = run("--output", "shields", "--threshold", "100")
    assert code == 1 and json.loads(out)["label"] == "plugin eval" and "below the threshold 100" in err


def test_compare_has_no_page(capsys):
    assert cli.run(["compare", "a", "b", "--format", "html"]) == 2
    assert "html" in capsys.readouterr().err


def test_a_report_is_printed_and_written_as_a_page(run, capsys, tmp_path):
    words = ["report", "shop", "--date", "2026-11-30", "--output", "html", "--output-dir", str(tmp_path / "out")]
    assert cli.run(words) == 0
    page = capsys.readouterr().out
    assert page.startswith("<!DOCTYPE html>") and "label-print" in page and "2026-11-30" in page
    assert (tmp_path / "out/report.html").read_text(encoding="utf-8") == page
    names = {file.relative_to(tmp_path / "out").as_posix() for file in (tmp_path / "out").rglob("*.*")}
    assert names >= {"badge.svg", "badge.json", "badges/plugin-shop.svg", "badges/plugin-shop.json"}


def test_a_folder_of_several_plugins_says_that_it_is_none(run):
    (Path("more") / ".claude-plugin").mkdir(parents=True)
    (Path("more") / ".claude-plugin" / "plugin.json").write_text('{"name": "more"}')
    said = "2 plugins are scored here as if they were one; `plugin-eval report .` scores each"
    code, out, err = run("--output", "json", path=".")
    assert code == 0 and said in err and said in json.loads(out)["notes"]


@pytest.mark.parametrize("path", ["shop", "shop/skills/stock-report", "."])
def test_one_plugin_needs_no_such_words(run, path):
    _, out, err = run(path=path)
    assert "as if they were one" not in out + err


@pytest.mark.parametrize("of_its_own", [False, True])
def test_an_outline_without_content_is_called_out_beside_its_score(repo, skill_text, inside, capsys, of_its_own):
    sections = ["Overview", "When to use", "Workflow", "Examples", "Troubleshooting"]
    generic = "\n\n".join(f"## {title}\n\nFollow best practices and review the result." for title in sections)
    said = "Shelf A4 holds twelve boxes; yard pallets lost in Lisbon count double, torn cartons never."
    inside(repo({"s/stock-report/SKILL.md": skill_text(body=generic + (f"\n\n{said}" if of_its_own else ""))}))
    assert cli.run(["score", "s/stock-report", "--depth", "quick"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert ("the score does not mean that the skill is useful" in out) is not of_its_own
    assert ("BODY_HOLLOW" in out) is not of_its_own
