"""What a stranger's repository can do to the tool: make it slow, make it read elsewhere, make it print or crash."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import plugin_eval_ci
from plugin_eval_ci import cli
from plugin_eval_ci.analysis.references import anchors
from plugin_eval_ci.analysis.references import anchors as glance
from plugin_eval_ci.analysis.references import types as mention
from plugin_eval_ci.analysis.resolve import MAX_CANDIDATES, sentence
from plugin_eval_ci.analysis.resolve.intent import is_made_in_shell
from plugin_eval_ci.analysis.resolve.sentence import sentence_around
from plugin_eval_ci.analysis.safety import comments
from plugin_eval_ci.config import Config
from plugin_eval_ci.lint import check
from plugin_eval_ci.lint.evaluate import evaluate
from plugin_eval_ci.parse import header, markdown, yaml_header
from plugin_eval_ci.util.lazy import Lazy

Repo = Callable[..., Path]
Text = Callable[..., str]


# --- time ----------------------------------------------------------------------------------------------------------


def seconds(call: Callable[[], object]) -> float:
    best = 9.0
    for _ in range(3):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best


def drained(pattern: re.Pattern[str]) -> Callable[[str], object]:
    return lambda text: sum(1 for _ in pattern.finditer(text))


def compiled(pattern: re.Pattern[str] | Lazy) -> re.Pattern[str]:
    return pattern() if isinstance(pattern, Lazy) else pattern


RUNS = (" ", "\t", "a", "a-", "a.", "[", "[a](", "(", "<", "`", "` ", "-", "# ", "#", '"', "'", "> ", "{#", "0", "\n")
SCANS: dict[str, Callable[[str], object]] = {
    "almost a fence": lambda text: compiled(header._ALMOST).match(f"--{text}\x01 \x01"),
    "code of a page": drained(compiled(glance._CODE)),
    "headings of a page": drained(compiled(glance._HEADING)),
    "markup of a heading": drained(compiled(anchors._MARKUP)),
    "names of a sentence": drained(compiled(mention._NAMES)),
    "addresses of a comment": drained(compiled(comments._ADDRESS)),
    "lines in quotations": drained(markdown._QUOTATIONS),
    "a file that is made": lambda text: is_made_in_shell(text, text[:1].strip() or "x"),
}


@pytest.mark.parametrize("name", SCANS)
def test_time_grows_with_length(name: str) -> None:
    for run in RUNS:
        texts = [(run * size)[:size] + tail for size in (20_000, 80_000) for tail in ("\x01",)]
        short, long = (seconds(lambda text=text: SCANS[name](text)) for text in texts)  # type: ignore[misc]
        assert long < max(0.02, 10 * short), f"{run!r}: {short:.4f} s, then {long:.4f} s"


@pytest.mark.parametrize("run", [" ", "\t", f" {sentence.SIGN}", f"{sentence.SIGN}, ", "a ", "- ", "` "])
def test_a_sentence_is_judged_at_once(run: str) -> None:
    from plugin_eval_ci.analysis.resolve.intent import is_exempt, is_instruction

    line = f"{(run * 400)[:400]} skills/a-b {(run * 400)[:400]}"
    at = line.index("skills/")
    place = sentence_around([line], 0, at, at + 10)
    assert seconds(lambda: (is_instruction(place), is_exempt(place, loosely=True))) < 0.2


def repeated(unit: str, paragraphs: int = 12) -> str:
    line = (unit * 70)[:70]
    return "\n\n".join(["\n".join([line] * 300)] * paragraphs)


DOCUMENTS = {
    "links without an end": repeated("[a]("),
    "labels": repeated("[a]"),
    "images in images": "\n\n".join(["![" * 1300 + "a" + "](b)" * 1300] * 8),
    "cells": "|" + "a|" * 100 + "\n|" + "-|" * 100 + "\n" + "\n".join(["|" + "`x`|" * 100] * 320),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_markdown_is_read_up_to_a_budget(name: str) -> None:
    text = DOCUMENTS[name]
    plain = "\n".join(["a b c d e f g h `i` k l m n o p q r s t u v w x y z"] * (len(text) // 52))
    body = markdown.parse(text, 1)
    assert body.cut_line is not None
    assert seconds(lambda: markdown.parse(text, 1)) < 60 * max(seconds(lambda: markdown.parse(plain, 1)), 0.02)


def test_lazy_lines_of_many_quotations_cost_no_more_than_other_lines() -> None:
    lazy = "\n".join(["a"] * 9_000)
    assert seconds(lambda: markdown.parse(">" * 90 + "a\n" + lazy, 1)) < 6 * seconds(
        lambda: markdown.parse("a\n" + lazy, 1)
    )
    assert markdown.parse("> > > a\nb [c](d)", 1).links, "a quotation in a quotation is text"


def test_what_was_cut_is_said(repo: Repo, skill_text: Text) -> None:
    root = repo({"skills/stock-report/SKILL.md": skill_text(body=repeated("[a]"))})
    assert "FILE_TOO_LARGE" in {finding.rule for finding in evaluate((str(root),), Config()).checked.findings}


def test_many_references_to_other_skills(repo: Repo, skill_text: Text) -> None:
    body = "\n\n".join(" ".join(f"See `skills/a-{row}-{n}`." for n in range(15)) for row in range(400))
    root = repo({"skills/stock-report/SKILL.md": skill_text(body=body)})
    found = [f for f in evaluate((str(root),), Config()).checked.findings if f.rule == "DEAD_CROSS_REF"]
    assert any(str(MAX_CANDIDATES) in finding.message for finding in found)
    assert len(found) <= check.MAX_HITS + 1


def test_findings_of_one_rule_in_one_file_are_counted_not_listed(repo: Repo, skill_text: Text) -> None:
    body = "\n".join(f"[a](references/m{n}.md)" for n in range(1_000))
    root = repo({"skills/stock-report/SKILL.md": skill_text(body=body)})
    findings = evaluate((str(root),), Config()).checked.findings
    dead = [finding for finding in findings if finding.target == "more"]
    assert len(dead) == 1
    assert dead[0].message.startswith("800 more")
    assert len([finding for finding in findings if finding.rule == dead[0].rule]) == check.MAX_HITS + 1


@pytest.mark.parametrize("kind", ["plugin", "marketplace"])
def test_long_lists_in_a_manifest_are_cut_and_it_is_said(repo: Repo, skill_text: Text, kind: str) -> None:
    many = {"name": "p", "skills": [f"./s{n}" for n in range(12_000)]}
    if kind == "marketplace":
        many = {"name": "p", "plugins": [{"name": f"p{n}", "source": f"./p{n}"} for n in range(12_000)]}
    files = {f".claude-plugin/{kind}.json": json.dumps(many), "skills/stock-report/SKILL.md": skill_text()}
    findings = evaluate((str(repo(files)),), Config()).checked.findings
    assert any(f.rule == "MANIFEST_INVALID" and "first 10,000 are read" in f.message for f in findings)


# --- reading elsewhere ---------------------------------------------------------------------------------------------


@pytest.fixture
def opened() -> Iterator[list[str]]:
    names: list[str] = []
    watching = [True]

    def watch(event: str, details: tuple[object, ...]) -> None:
        if watching[0] and event in ("open", "os.listdir", "os.scandir"):
            names.append(str(details[0]))

    sys.addaudithook(watch)
    yield names
    watching[0] = False


def test_nothing_is_read_through_links_that_leave(
    repo: Repo, skill_text: Text, tmp_path: Path, opened: list[str]
) -> None:
    outside = tmp_path / "outside"
    (outside / "skills/x").mkdir(parents=True)
    (outside / "skills/x/SKILL.md").write_text(skill_text("x"))
    (outside / "agents").mkdir()
    (outside / "agents/y.md").write_text(skill_text("y"))
    (outside / ".claude-plugin").mkdir()
    for name in ("plugin.json", ".claude-plugin/plugin.json"):
        (outside / name).write_text('{"name": "stranger"}')
    market = {
        "name": "m",
        "owner": {"name": "o"},
        "plugins": [{"name": "a", "source": "./far"}, {"name": "b", "source": "./near"}],
    }
    root = repo(
        {
            ".claude-plugin/marketplace.json": json.dumps(market),
            "near/.claude-plugin/plugin.json": json.dumps(
                {"name": "near", "skills": ["./there"], "agents": ["./others"]}
            ),
            "near/skills/stock-report/SKILL.md": skill_text(),
            "own/skills/label-print/SKILL.md": skill_text("label-print"),
            "own/.claude-plugin/keep": "",
        }
    )
    (root / "far").symlink_to(outside)
    (root / "near/there").symlink_to(outside / "skills")
    (root / "near/others").symlink_to(outside / "agents")
    (root / "own/.claude-plugin/plugin.json").symlink_to(outside / "plugin.json")
    opened.clear()
    evaluation = evaluate((str(root),), Config())
    assert [skill.name for skill in evaluation.collection.skills] == ["stock-report", "label-print"]
    assert not evaluation.collection.agents
    assert "stranger" not in {plugin.name for plugin in evaluation.collection.plugins}
    escaped = {f.path for f in evaluation.checked.findings if f.rule == "REF_ESCAPE"}
    assert {"far", "near/there", "near/others"} <= escaped
    links = (
        str(root / "far"),
        str(root / "near/there"),
        str(root / "near/others"),
        str(root / "own/.claude-plugin/plugin.json"),
    )
    assert not [name for name in opened if name.startswith((str(outside), *links))]


# --- what is not read is said --------------------------------------------------------------------------------------


def test_folders_that_are_not_read_are_findings(
    repo: Repo, skill_text: Text, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    deep = "/".join(["d"] * 50)
    root = repo(
        {"skills/stock-report/SKILL.md": skill_text(), "skills/closed/SKILL.md": "x", f"{deep}/skills/z/SKILL.md": "z"}
    )
    closed, scandir = str(root / "skills/closed"), os.scandir

    def refusing(path: str) -> object:
        if str(path) == closed:
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.chdir(root)
    assert cli.run(["lint"]) == cli.FINDINGS
    out = capsys.readouterr().out
    assert out.count("FILE_UNREADABLE") >= 2
    assert "Permission denied" in out
    assert "48 folders deep" in out
    assert cli.run(["lint", closed, "skills/stock-report"]) in (cli.FINDINGS, cli.USAGE)
    assert "Permission denied" in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["fifo", "folder"])
def test_a_configuration_that_is_no_file(
    repo: Repo, skill_text: Text, kind: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = repo({"skills/stock-report/SKILL.md": skill_text()})
    (os.mkfifo if kind == "fifo" else os.mkdir)(root / ".plugin-eval.yaml")
    monkeypatch.chdir(root)
    assert cli.run(["lint"]) == cli.USAGE
    assert "not a regular file" in capsys.readouterr().err


def test_private_characters_are_no_line_breaks() -> None:
    read = yaml_header.parse(['name: "\\ue085\\ue028"', "description: a\u2028b"], 4)
    assert (read.text("name"), read.text("description")) == ("\ue085\ue028", "a\u2028b")


@pytest.mark.parametrize("line", ['name: "\\UFFFFFFFF"', 'x: "\\UFFFFFFFF" # plugin-eval: ignore NAME_TYPE'])
def test_a_character_that_is_none(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from plugin_eval_ci.analysis import ignore_comments as own
    from plugin_eval_ci.config import yaml_values as yaml_loader

    monkeypatch.setattr(yaml_loader, "LOADER", yaml_loader.PORTABLE)
    assert yaml_header.parse([line], 3).problem is not None
    assert isinstance(list(own.in_header([line])), list)


# --- the command line ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", ".", "--threshold", "nan"],
        ["lint", ""],
        ["score", ""],
        ["lint", "a\0b"],
        ["lint", "--stdin-filename", ""],
    ],
    ids=repr,
)
def test_wrong_usage(arguments: list[str], repo: Repo, skill_text: Text, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repo({"skills/stock-report/SKILL.md": skill_text()}))
    assert cli.run(arguments) == cli.USAGE


@pytest.mark.parametrize(
    "arguments", [["lint"], ["score"], ["lint", "--config"], ["lint", "--format"], ["lint", "--merge"], []], ids=repr
)
def test_nothing_forges_a_line_on_standard_error(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.run([*arguments, "x\x1b[31m\n::error::forged"]) == cli.USAGE
    err = capsys.readouterr().err
    assert "\x1b" not in err
    assert not [line for line in err.splitlines() if line.startswith("::")]


@pytest.mark.parametrize("output", ["json", "sarif", "gitlab", "rdjson"])
def test_json_is_ascii(
    output: str, repo: Repo, skill_text: Text, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    body = "[a](references/x\u0085\u009b\u2028\u202ey.md) and MUST"
    monkeypatch.chdir(repo({"skills/stock-report/SKILL.md": skill_text(body=body, description="\u202e\u2028")}))
    cli.run(["lint", "--format", output])
    out = capsys.readouterr().out
    assert out.isascii()
    json.loads(out)


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    start = f"{sys.executable} -P -m plugin_eval_ci"
    root = str(Path(plugin_eval_ci.__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": root}
    return subprocess.run(
        ["sh", "-c", command.replace("TOOL", start)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.skipif(os.name != "posix", reason="a shell")
@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("TOOL lint >&-", 0),
        ("TOOL lint 2>&- >&-", 0),
        ("TOOL lint --stdin-filename SKILL.md <&-", 2),
        ("TOOL lint nothing-here 2>/dev/full", 2),
        ("mkdir gone && cd gone && rmdir ../gone && TOOL lint", 2),
    ],
)
def test_closed_doors(command: str, code: int, repo: Repo, skill_text: Text) -> None:
    done = shell(command, repo({"skills/stock-report/SKILL.md": skill_text()}))
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr


def test_an_interrupt_while_modules_are_loaded(tmp_path: Path) -> None:
    source = (
        "import builtins, os, signal, sys\n"
        "from plugin_eval_ci import __main__\n"
        "load = builtins.__import__\n"
        "def slow(name, *more):\n"
        "    if name == 'click':\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "    return load(name, *more)\n"
        "builtins.__import__ = slow\n"
        "__main__.main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", source], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (130, "")


def test_a_link_that_the_system_will_not_follow(repo: Repo, skill_text: Text, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repo({"skills/stock-report/SKILL.md": skill_text()})
    (root / "skills/cwd").symlink_to("/nowhere")
    realpath = os.path.realpath

    def refusing(path: str, **more: bool) -> str:
        if str(path).endswith("skills/cwd"):
            raise PermissionError(13, "Permission denied")
        return realpath(path, **more)

    monkeypatch.setattr(os.path, "realpath", refusing)
    assert [skill.name for skill in evaluate((str(root),), Config()).collection.skills] == ["stock-report"]


def test_every_module_is_importable() -> None:
    """So that no pattern of a module that is seldom loaded is broken."""
    for module in pkgutil.walk_packages(plugin_eval_ci.__path__, "plugin_eval_ci."):
        loaded = vars(importlib.import_module(module.name)) if not module.name.endswith("__main__") else {}
        for value in list(loaded.values()):
            if isinstance(value, Lazy):
                value()
