"""Real repositories: a remote that serves partial clones, and the command line in a clone of it."""

import json
import os
import subprocess

import pytest

from plugin_eval_ci import cli

WHO = (
    "-c",
    "user.name=T",
    "-c",
    "user.email=t@example.test",
    "-c",
    "commit.gpgsign=false",
    "-c",
    "protocol.file.allow=always",
)


@pytest.fixture
def git():
    """``git(root, "mv", "a", "b")``."""

    def call(root, *words):
        env = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull}
        done = subprocess.run(["git", *WHO, *words], cwd=root, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return call


@pytest.fixture
def remote(repo, git):
    """``remote([files, files])``: a repository with one commit for each; a text of None removes the file."""

    def build(steps, name="remote"):
        root = repo({}, name)
        git(root, "config", "uploadpack.allowFilter", "true")
        git(root, "config", "uploadpack.allowAnySHA1InWant", "true")
        for files in steps:
            for path, text in files.items():
                if text is None:
                    (root / path).unlink()
                else:
                    (root / path).parent.mkdir(parents=True, exist_ok=True)
                    (root / path).write_text(text)
            git(root, "add", "-A")
            git(root, "commit", "-qm", "x")
        return root

    return build


@pytest.fixture
def clone(git, tmp_path):
    """``clone(remote, "--filter=blob:none")``."""

    def make(source, *words, name="clone"):
        git(tmp_path, "clone", "-q", *words, f"file://{source}", name)
        return tmp_path / name

    return make


@pytest.fixture
def lint(capsys, monkeypatch):
    """``lint(root, "--base", "HEAD~1")``: exit code, findings as JSON has them, and what is printed beside."""

    def call(root, *words):
        monkeypatch.chdir(root)
        capsys.readouterr()
        code = cli.run(["lint", "--format", "json", *words])
        printed = capsys.readouterr()
        return code, json.loads(printed.out)["findings"], printed.err

    return call
