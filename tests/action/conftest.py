"""A step of GitHub Actions in this process: a repository with a history, an event, and what the runner would read of it."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from runner_port import as_the_runner

from plugin_eval_ci.action import install
from plugin_eval_ci.action import main as start

Command = tuple[str, dict[str, str], str]


class Ran(NamedTuple):
    code: int
    outputs: dict[str, str]
    commands: list[Command]
    log: list[str]
    summary: str
    installed: bool

    @property
    def conclusion(self) -> str:
        return self.outputs["conclusion"]

    @property
    def findings(self) -> list[tuple[str, str]]:
        """Rule and file of each annotation."""
        return [(p["title"].partition(":")[0], p["file"]) for _, p, _ in self.commands if "file" in p]


def git(root: Path, *words: str) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    who = (
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example.org",
        "-c",
        "core.hooksPath=/dev/null",
        "-c",
        "protocol.file.allow=always",
    )
    done = subprocess.run(["git", *who, *words], cwd=root, capture_output=True, text=True, env=clean)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def commit(root: Path, message: str = "change") -> str:
    git(root, "add", "-A")
    git(root, "commit", "-qm", message, "--allow-empty")
    return git(root, "rev-parse", "HEAD")


def read_outputs(text: str) -> dict[str, str]:
    """The outputs as the runner reads them: ``name<<DELIMITER``, lines, the delimiter alone on a line."""
    lines, found = text.split("\n"), {}
    while lines and (line := lines.pop(0)):
        name, mark, delimiter = line.partition("<<")
        assert mark, line
        value = []
        while (line := lines.pop(0)) != delimiter:
            value.append(line)
        found[name] = "\n".join(value)
    return found


Step = Callable[..., Ran]


@pytest.fixture(autouse=True)
def _environment() -> Iterator[None]:
    """What a step says to its own git, in the environment, is not for the tests that follow."""
    before = dict(os.environ)
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture
def step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Step:
    """``step(root, "push", {...payload}, {"paths": …})``: one run of the action in ``root``."""
    environ = {
        name: value for name, value in os.environ.items() if not re.match("GITHUB_|RUNNER_|PEC_|INPUT_|GIT_", name)
    }
    installed: list[str] = []

    def ensure(temp: str, *_: object) -> str:
        installed.append(temp)
        return os.path.join(temp, "packages")  # the tests' own environment has them

    monkeypatch.setattr(install, "ensure", ensure)

    def run(
        root: Path, event: str, payload: object = None, inputs: Mapping[str, str] | None = None, **more: str
    ) -> Ran:
        files = {name: tmp_path / name for name in ("event.json", "output", "summary")}
        files["event.json"].write_text(payload if isinstance(payload, str) else json.dumps(payload or {}))
        files["output"].write_bytes(b"")
        files["summary"].write_text("what another step wrote\n")
        for name in list(os.environ):
            monkeypatch.delenv(name)
        given = {
            **environ,
            "GITHUB_EVENT_NAME": event, "GITHUB_EVENT_PATH": str(files["event.json"]), "GITHUB_WORKSPACE": str(root),
            "GITHUB_OUTPUT": str(files["output"]), "GITHUB_STEP_SUMMARY": str(files["summary"]), "RUNNER_TEMP": str(tmp_path / "temp"),
            "GITHUB_REPOSITORY": "acme/kit", "GITHUB_SERVER_URL": "https://github.example", "GITHUB_RUN_ID": "11",
            "GITHUB_API_URL": "http://127.0.0.1:9",
            **{f"PEC_{name.upper().replace('-', '_')}": value for name, value in (inputs or {}).items()},
            **more,
        }  # fmt: skip
        given.setdefault("GITHUB_SHA", git(root, "rev-parse", "HEAD") if (root / ".git").exists() else "")
        for name, value in given.items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(root)
        installed.clear()
        capfd.readouterr()
        code = start.run(os.environ)
        printed = capfd.readouterr()
        assert printed.err == "", "everything that is said passes the runner"
        commands, log = as_the_runner(printed.out)
        assert all(line.startswith("plugin-eval: ") for line in log), log
        summary = files["summary"].read_text()
        assert summary.startswith("what another step wrote\n")
        outputs = read_outputs(files["output"].read_text())
        return Ran(code, outputs, commands, log, summary.partition("\n")[2], bool(installed))

    return run


def pull_request(root: Path, foreign: bool = False) -> dict[str, object]:
    """The event for a checkout of a merge commit."""
    head = git(root, "rev-parse", "HEAD^2")
    base = git(root, "rev-parse", "HEAD^1")
    return {
        "pull_request": {
            "number": 7,
            "base": {"sha": base, "repo": {"full_name": "acme/kit"}},
            "head": {"sha": head, "repo": {"full_name": "fork/kit" if foreign else "acme/kit"}},
        }
    }


Change = Callable[[Path], None]


@pytest.fixture
def merged(repo: Callable[..., Path]) -> Callable[..., Path]:
    """``merged(files, change)``: a checkout of the merge commit of a pull request that does ``change`` to ``files``."""

    def build(files: Mapping[str, str | bytes], change: Change, name: str = "repo") -> Path:
        root = repo(files, name)
        commit(root, "base")
        git(root, "checkout", "-q", "-b", "topic")
        change(root)
        commit(root, "topic")
        git(root, "checkout", "-q", "main")
        git(root, "merge", "-q", "--no-ff", "-m", "merge", "topic")
        return root

    return build
