"""Nothing that a repository configures is run, and no secret reaches a program that is started."""

import os
import stat
import sys
from pathlib import Path

import pytest

from plugin_eval_ci import cli
from plugin_eval_ci.git import changes, numstat, process, snapshot, without_secrets

A, LIST = "skills/a/SKILL.md", "skills/a/references/list.md"


@pytest.fixture
def evil(tmp_path):
    """A program that leaves a trace when it is started."""
    program, trace = tmp_path / "evil.sh", tmp_path / "trace"
    program.write_text(f'#!/bin/sh\necho "$0 $*" >> {trace}\ncat\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program), trace


@pytest.fixture
def root(remote, skill_text):
    """Two commits, and a working tree in which every file was touched."""
    text = skill_text("a", body="Read [it](references/list.md).")
    path = remote([{A: text, LIST: "# List\n", ".gitattributes": "*.md filter=evil diff=evil\n"}, {LIST: "# Lists\n"}])
    (path / A).write_text(text + "\nMore.\n")
    for file in (A, LIST):
        os.utime(path / file, (1, 1))
    return path


def everything(root, monkeypatch):
    monkeypatch.chdir(root)
    monkeypatch.setattr(process, "_keys", process._keys.__wrapped__)
    for words in (
        ["lint", "--base", "HEAD~1"],
        ["diff", "HEAD~1"],
        ["diff", "HEAD~1", "HEAD"],
        ["lint"],
        ["lint", "--base", "origin/none"],
    ):
        cli.run(words)  # fmt: skip
    changes(str(root), "HEAD~1", None)
    numstat(str(root), "HEAD~1", None)
    with snapshot(str(root), "HEAD", lambda _: True):
        pass


SETTINGS = [
    ("filter.evil.clean",), ("filter.evil.process",), ("filter.evil.smudge",), ("diff.evil.textconv",), ("diff.evil.command",),
    ("diff.external",), ("core.fsmonitor",), ("core.sshCommand",), ("core.pager",), ("core.alternateRefsCommand",), ("core.askPass",),
    ("credential.helper",), ("remote.origin.uploadpack",), ("filter.evil.clean", "filter.evil.process"),
]  # fmt: skip


@pytest.mark.parametrize("keys", SETTINGS, ids=",".join)
def test_no_setting_starts_a_program(root, git, evil, monkeypatch, keys):
    program, trace = evil
    for key in keys:
        git(root, "config", key, program)
    git(root, "config", "filter.evil.required", "true")
    everything(root, monkeypatch)
    assert not trace.exists(), trace.read_text()


@pytest.mark.parametrize("name", ["evil", "E v.il", "ä", 'q"uo\\te', "a=b", "a]b"])
def test_whatever_a_filter_is_called(root, evil, monkeypatch, name):
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    with open(root / ".git/config", "a", encoding="utf-8") as stream:
        stream.write(f'[FILTER "{quoted}"]\n\tCLEAN = {evil[0]}\n\trequired\n')
    (root / ".gitattributes").write_text(f"*.md filter={name.split()[0]}\n")
    everything(root, monkeypatch)
    assert not evil[1].exists()


def test_a_filter_of_an_included_file_and_of_a_worktree(root, git, evil, monkeypatch):
    (root / ".git/more").write_text(f'[filter "evil"]\n\tclean = {evil[0]}\n')
    git(root, "config", "include.path", "more")
    git(root, "config", "extensions.worktreeConfig", "true")
    git(root, "config", "--worktree", "filter.evil.process", evil[0])
    everything(root, monkeypatch)
    assert not evil[1].exists()


def test_a_submodule_with_settings_of_its_own(root, remote, git, evil, monkeypatch, tmp_path):
    library = remote([{"x.md": "x\n", ".gitattributes": "*.md filter=evil\n"}], "library")
    git(root, "submodule", "add", "-q", f"file://{library}", "lib")
    git(root, "commit", "-qm", "lib")
    git(root / "lib", "config", "filter.evil.clean", evil[0])
    git(root / "lib", "config", "core.fsmonitor", evil[0])
    os.utime(root / "lib/x.md", (1, 1))
    everything(root, monkeypatch)
    assert not evil[1].exists()


@pytest.mark.parametrize("hook", ["post-index-change", "fsmonitor-watchman", "reference-transaction", "post-checkout"])
def test_no_hook_is_run(root, git, evil, monkeypatch, hook):
    folder = root / ".git/hooks"
    folder.mkdir(exist_ok=True)
    (folder / hook).write_bytes(Path(evil[0]).read_bytes())
    (folder / hook).chmod(0o755)
    everything(root, monkeypatch)
    assert not evil[1].exists()


@pytest.mark.parametrize("url", ["ext::{} x", "ssh://host.invalid/x", "{}"])
def test_a_partial_clone_gets_its_files_without_a_program(root, clone, git, evil, monkeypatch, url):
    copy = clone(root, "--filter=blob:none")
    git(copy, "config", "remote.origin.url", url.format(evil[0]))
    git(copy, "config", "protocol.ext.allow", "always")
    git(copy, "config", "core.sshCommand", evil[0])
    git(copy, "config", "remote.origin.uploadpack", evil[0])
    monkeypatch.chdir(copy)
    cli.run(["lint", "--base", "HEAD~1"])
    assert not evil[1].exists()


def test_the_traps_work(root, git, evil):
    """Without care git would start them, so the tests above can fail."""
    git(root, "config", "filter.evil.clean", evil[0])
    git(root, "diff", "HEAD~1")
    assert evil[1].exists()


SECRETS = {"GITHUB_TOKEN": "a", "PEC_TOKEN": "b", "ANTHROPIC_API_KEY": "c", "PEC_ANTHROPIC_API_KEY": "d", "ACTIONS_RUNTIME_TOKEN": "e",
           "AWS_SECRET_ACCESS_KEY": "f", "NPM_PASSWORD": "g", "INPUT_GITHUB-TOKEN": "h", "ANTHROPIC_AUTH_TOKEN": "i"}  # fmt: skip


def test_git_sees_no_secret(root, monkeypatch, tmp_path):
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, f"secret-{value}")
    folder, seen = tmp_path / "bin", tmp_path / "seen"
    folder.mkdir()
    real = next(f"{place}/git" for place in os.environ["PATH"].split(":") if os.path.exists(f"{place}/git"))
    (folder / "git").write_text(f'#!{sys.executable}\nimport os, sys\nopen({str(seen)!r}, "a").write(repr(dict(os.environ)))\n'
                                f'os.execv({real!r}, ["git", *sys.argv[1:]])\n')  # fmt: skip
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    everything(root, monkeypatch)
    assert seen.exists() and "secret-" not in seen.read_text()


def test_what_is_no_secret_stays():
    kept = {
        "PATH": "x",
        "HOME": "y",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "HTTPS_PROXY": "p",
        "SSH_AUTH_SOCK": "s",
        "KEYBOARD": "k",
    }
    assert without_secrets({**kept, **SECRETS}) == kept
