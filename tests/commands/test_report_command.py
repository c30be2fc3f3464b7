"""``plugin-eval report`` and ``merge`` as typed: the history of case 180, outputs, judgements, shards, wrong usage."""

import json
import os
import sys

import pytest

from plugin_eval_ci.cli import run

DAY = ("--date", "2026-11-30")


@pytest.fixture
def shelf(repo, skill_text, monkeypatch):
    """A repository with one plugin of two skills and a skill of none; the working directory."""
    root = repo(
        {
            "plugins/shop/.claude-plugin/plugin.json": '{"name": "shop"}',
            "plugins/shop/skills/stock-report/SKILL.md": skill_text("stock-report"),
            "plugins/shop/skills/labels/SKILL.md": skill_text("labels", description="Prints labels."),
            "skills/alone/SKILL.md": skill_text("alone", body="Other words."),
        },
        "shelf",
    )
    monkeypatch.chdir(root)
    return root


def said(capsys, *arguments, code=0):
    assert run([*arguments]) == code
    return capsys.readouterr()


def week(capsys, name, day, *more):
    """Write the JSON of one week to a file beside the repository."""
    text = said(capsys, "report", "--output", "json", "--date", day, *more).out
    with open(f"../{name}", "w", encoding="utf-8") as stream:
        stream.write(text)
    return json.loads(text)


def test_the_first_report_compares_nothing(shelf, capsys):
    found = said(capsys, "report", *DAY)
    assert "This is the first report." in found.out and "plugins/shop" in found.out
    assert found.err == ""


def test_the_same_input_is_the_same_report_byte_for_byte(shelf, capsys):
    for output in ("json", "markdown", "text", "badge", "shields"):
        one = said(capsys, "report", *DAY, "--output", output).out
        assert said(capsys, "report", *DAY, "--output", output).out == one


def test_a_week_without_a_change(shelf, capsys):
    week(capsys, "w1.json", "2026-11-23")
    found = week(capsys, "w2.json", "2026-11-30", "--previous", "../w1.json")
    since = found["since"]
    assert since["date"] == "2026-11-23" and since["comparable"]
    assert not any(since[key] for key in ("added", "gone", "moved", "better", "worse", "lost", "new", "fixed"))
    assert [past["date"] for past in found["history"]] == ["2026-11-23"]
    third = week(capsys, "w3.json", "2026-12-07", "--previous", "../w2.json")
    assert [past["date"] for past in third["history"]] == ["2026-11-23", "2026-11-30"]


def test_added_removed_renamed_better_and_worse(shelf, capsys, skill_text):
    week(capsys, "w1.json", "2026-11-23")
    (shelf / "skills/added").mkdir()
    (shelf / "skills/added/SKILL.md").write_text(skill_text("added", body="New."))
    os.rename(shelf / "skills/alone", shelf / "skills/renamed")
    (shelf / "skills/renamed/SKILL.md").write_text(skill_text("renamed", body="Other words.").replace("# About renamed", "# About alone"))  # fmt: skip
    labels = shelf / "plugins/shop/skills/labels/SKILL.md"
    labels.write_text(labels.read_text().replace("Prints labels.", "Prints labels. Use when boxes arrive."))
    (shelf / "plugins/shop/skills/stock-report/SKILL.md").unlink()
    since = week(capsys, "w2.json", "2026-11-30", "--previous", "../w1.json")["since"]
    assert [one["path"] for one in since["added"]] == ["skills/added/SKILL.md"]
    assert [one["path"] for one in since["gone"]] == ["plugins/shop/skills/stock-report/SKILL.md"]
    assert [(one["from"], one["path"]) for one in since["moved"]] == [("skills/alone/SKILL.md", "skills/renamed/SKILL.md")]  # fmt: skip
    assert "plugins/shop/skills/labels/SKILL.md" in [one["path"] for one in since["better"]]
    assert any(one["rule"] == "MISSING_TRIGGER" for one in since["fixed"])


@pytest.mark.parametrize(
    "text",
    [
        '{"version": 1, "skills": {"skills/stock-report": 71.5}}',
        '{"version": 1, "ski',
        "",
        '{"version": 999, "other": []}',
        '{"schema_version": "9.0", "kind": "report"}',
    ],
)
def test_a_damaged_or_newer_history_is_said_and_the_report_starts_over(shelf, capsys, text):
    (shelf / "history.json").write_text(text)
    found = said(
        capsys,
        "report",
        *DAY,
        "--previous",
        "history.json",
        "--output",
        "markdown",
        "--fail-on-regression",
        "0",
        code=3,
    )
    assert "cannot be used" in found.err and "cannot be used" in found.out
    assert "This is the first report." in found.out and "--fail-on-regression was not applied" in found.err


def test_a_history_that_is_not_there(shelf, capsys):
    assert "--previous none.json: no such file" in said(capsys, "report", *DAY, "--previous", "none.json", code=2).err
    assert "--previous .: is a directory" in said(capsys, "report", *DAY, "--previous", ".", code=2).err
    assert "--previous none.json" in said(capsys, "merge-reports", "x.json", "--previous", "none.json", code=2).err
    assert "needs --previous" in said(capsys, "report", *DAY, "--fail-on-regression", "5", code=2).err


def test_another_methodology_is_not_comparable(shelf, capsys):
    found = week(capsys, "w1.json", "2026-11-23")
    (shelf / "old.json").write_text(json.dumps(found | {"methodology": "plugin-eval-ci/0"}))
    told = said(capsys, "report", *DAY, "--previous", "old.json", "--fail-on-regression", "0")
    assert "plugin-eval-ci/0" in told.out and "was not applied" in told.err
    assert week(capsys, "w2.json", "2026-11-30", "--previous", "old.json")["history"] == []


def test_threshold(shelf, capsys):
    low = said(capsys, "report", *DAY, "--threshold", "99", code=1).err
    assert "plugins/shop (" in low and "skills/alone/SKILL.md (" in low and "below the threshold 99" in low
    assert "stock-report" not in low  # a member counts in its plugin
    assert said(capsys, "report", *DAY, "--threshold", "1").err == ""


def test_threshold_with_nothing_measured(repo, capsys, monkeypatch):
    monkeypatch.chdir(repo({"skills/a/SKILL.md": b"\0"}))
    assert "nothing was measured" in said(capsys, "report", *DAY, "--threshold", "1", code=3).err


def test_fail_on_regression(shelf, capsys):
    week(capsys, "w1.json", "2026-11-23")
    report = shelf / "plugins/shop/skills/stock-report/SKILL.md"
    report.write_text(report.read_text().replace(" Use when somebody asks about stock-report.", ""))
    arguments = ("report", *DAY, "--previous", "../w1.json", "--fail-on-regression")
    low = said(capsys, *arguments, "1", code=1).err
    assert "plugins/shop/skills/stock-report/SKILL.md (−" in low
    assert said(capsys, *arguments, "99").err == ""
    report.write_bytes(b"\0")
    assert "no longer measured" in said(capsys, *arguments, "99", code=1).err


def test_output_dir(shelf, capsys, tmp_path):
    said(capsys, "report", *DAY, "--output-dir", "../out/deep")
    folder = tmp_path / "out/deep"
    names = {os.path.relpath(os.path.join(at, name), folder) for at, _, files in os.walk(folder) for name in files}
    assert {"report.json", "report.md", "badge.svg", "badge.json", "badges/plugin-shop.svg", "badges/plugin-shop.json"} <= names  # fmt: skip
    assert (folder / "report.json").read_text() == said(capsys, "report", *DAY, "--output", "json").out


def test_a_link_in_the_output_dir_is_replaced_not_followed(shelf, capsys, tmp_path):
    (tmp_path / "precious").write_text("mine")
    os.makedirs("out")
    os.symlink(tmp_path / "precious", "out/report.json")
    said(capsys, "report", *DAY, "--output-dir", "out")
    assert (tmp_path / "precious").read_text() == "mine" and not os.path.islink("out/report.json")


@pytest.mark.parametrize(("link", "given"), [("out", "out"), ("out", "out/deep"), ("here/badges", "here")])
def test_a_link_in_the_checkout_does_not_choose_another_folder(shelf, capsys, tmp_path, link, given):
    (tmp_path / "elsewhere").mkdir()
    os.makedirs(os.path.dirname(link) or ".", exist_ok=True)
    os.symlink(tmp_path / "elsewhere", link)
    assert "is a link that leads out of" in said(capsys, "report", *DAY, "--output-dir", given, code=2).err
    assert os.listdir(tmp_path / "elsewhere") == []


def test_a_link_that_stays_or_that_is_named_from_elsewhere_is_fine(shelf, capsys, tmp_path):
    os.makedirs("real")
    os.symlink("real", "alias")
    os.symlink(tmp_path / "mine", tmp_path / "theirs")
    (tmp_path / "mine").mkdir()
    for given in ("alias", str(tmp_path / "theirs")):
        said(capsys, "report", *DAY, "--output-dir", given)
    assert os.path.isfile("real/badges/plugin-shop.svg") and (tmp_path / "mine/report.html").is_file()


def test_an_output_dir_that_is_a_file(shelf, capsys):
    (shelf / "file").write_text("")
    assert "--output-dir file: " in said(capsys, "report", *DAY, "--output-dir", "file", code=2).err


def test_shards_and_their_merge(shelf, capsys, tmp_path):
    week(capsys, "w1.json", "2026-11-23")
    for n in (1, 2, 3):
        said(capsys, "report", *DAY, "--shard", f"{n}/3", "--output-dir", f"../part{n}")
        assert os.listdir(tmp_path / f"part{n}") == ["report.json"]
    parts = [f"../part{n}/report.json" for n in (3, 1, 2)]
    for output in ("json", "markdown", "text"):
        previous = ("--previous", "../w1.json", "--output", output)
        assert said(capsys, "merge", *parts, *previous).out == said(capsys, "report", *DAY, *previous).out
    partly = said(capsys, "merge", *parts[:2])
    assert "incomplete: 2 of 3 shards; missing: 2" in partly.err and "incomplete" in partly.out
    assert "--threshold needs all shards" in said(capsys, "merge", *parts[:2], "--threshold", "1", code=2).err
    assert "below the threshold" in said(capsys, "merge", *parts, "--threshold", "99", code=1).err


def test_merge_refuses(shelf, capsys):
    said(capsys, "report", *DAY, "--shard", "1/2", "--output-dir", "../one")
    part = "../one/report.json"
    assert "both contain shard 1 of 2" in said(capsys, "merge", part, part, code=2).err
    (shelf / "bad.json").write_text("{")
    assert "bad.json: not valid JSON" in said(capsys, "merge", part, "bad.json", code=2).err
    assert "none.json: cannot be read: No such file" in said(capsys, "merge", "none.json", code=2).err
    said(capsys, "merge", code=2)


def test_a_whole_report_in_another_format(shelf, capsys):
    week(capsys, "w1.json", "2026-11-23")
    assert "# Plugin scores of shelf" in said(capsys, "merge", "../w1.json", "--output", "markdown").out


@pytest.mark.parametrize("shard", ["0/2", "3/2", "1", "a/b", "1/0", "1/257", "-1/2", "1/2/3", "", "²/3"])
def test_a_shard_that_is_none(shelf, capsys, shard):
    assert "--shard" in said(capsys, "report", "--shard", shard, code=2).err


@pytest.mark.parametrize("more", [("--threshold", "1"), ("--previous", "x.json"), ("--fail-on-regression", "1")])
def test_a_shard_is_not_judged(shelf, capsys, more):
    assert (
        f"--shard and {more[0]} cannot be used together" in said(capsys, "report", "--shard", "1/2", *more, code=2).err
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--date", "today"), "--date"),
        (("--threshold", "nan"), "--threshold"),
        (("--threshold", "101"), "--threshold"),
        (("--fail-on-regression", "nan"), "--fail-on-regression"),
        (("--format", "pdf"), "--format"),
        (("--isolated", "--config", "x"), "cannot be used together"),
    ],
)
def test_wrong_usage(shelf, capsys, arguments, words):
    assert words in said(capsys, "report", *arguments, code=2).err


def test_nothing_to_score(repo, capsys, monkeypatch):
    monkeypatch.chdir(repo({"README.md": "Hello."}))
    assert "no skills found here" in said(capsys, "report", code=2).err
    assert "no such file" in said(capsys, "report", "gone", code=2).err


def test_a_path_that_gave_nothing_beside_one_that_did(shelf, capsys):
    found = said(capsys, "report", *DAY, "plugins", "gone", code=2)
    assert "gone: no such file or folder" in found.err and "plugins/shop" in found.out


def test_depth_and_name(shelf, capsys):
    found = said(capsys, "report", *DAY, "--depth", "deep", "--name", "acme/shelf")
    assert "only the static layer ran" in found.err and found.out.startswith("acme/shelf  2026-11-30, depth quick")


def test_progress_is_for_a_terminal_only(shelf, capsys, monkeypatch):
    from plugin_eval_ci.commands import report as progress

    monkeypatch.setattr(progress, "_FIRST", 0.0)
    monkeypatch.setattr(progress, "_EVERY", 0.0)
    assert said(capsys, "report", *DAY).err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    lines = said(capsys, "report", *DAY).err.split("\r")
    assert any("of 3, about" in line for line in lines) and lines[-1] == "" and lines[-2].strip() == ""
