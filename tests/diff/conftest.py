"""Small repositories with one commit, and the command line over them."""

import json
import os
import subprocess

import pytest

from plugin_eval_ci import cli

WHO = ["-c", "user.name=T", "-c", "user.email=t@example.test", "-c", "commit.gpgsign=false"]


@pytest.fixture
def git():
    """``git(root, "mv", "a", "b")``."""

    def call(root, *words):
        env = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull}
        done = subprocess.run(["git", *WHO, *words], cwd=root, env=env, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    return call


@pytest.fixture
def committed(repo, git):
    """``committed(files)``: a repository whose only commit holds them."""

    def build(files):
        root = repo(files)
        git(root, "add", "-A")
        git(root, "commit", "-qm", "x")
        return root

    return build


@pytest.fixture
def since(capsys, monkeypatch):
    """``since(root)``: exit code and findings of ``lint --base HEAD``, as the JSON has them."""

    def call(root, *words):
        monkeypatch.chdir(root)
        capsys.readouterr()
        code = cli.run(["lint", "--base", "HEAD", "--format", "json", *words])
        return code, json.loads(capsys.readouterr().out)["findings"]

    return call
