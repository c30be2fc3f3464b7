"""Fixtures that every test may use: a repository made from a dictionary, and texts of skills."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from plugin_eval_ci.util import faults

collect_ignore_glob = ["rules/*/*", "analysis/safety/*/*"]  # inputs, some of which are named like tests

# How fast an example runs is for the bench to say: a busy machine fails no test.
settings.register_profile("ours", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ours")

Files = Mapping[str, str | bytes]


@pytest.fixture(autouse=True)
def _no_faults() -> Iterator[None]:
    """A fault of ours fails the test that meets it, though it costs a run one answer only; a test about faults forgets them itself."""
    faults.forget()
    yield
    assert not faults.noted()


def write_files(root: Path, files: Files) -> None:
    """Write ``files`` below ``root``: text is encoded as UTF-8 with its line ends left alone, bytes are written as they are."""
    for name, content in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content)


@pytest.fixture(scope="session")
def _git_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("git")
    command = ["git", "init", "-q", "--template=", "-b", "main", str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    return folder / ".git"


@pytest.fixture
def repo(tmp_path: Path, _git_template: Path) -> Callable[..., Path]:
    """``repo({"skills/a/SKILL.md": text})``: a git repository with those files; ``git=False`` leaves ``git init`` out."""

    def build(files: Files, name: str = "repo", git: bool = True) -> Path:
        root = tmp_path / name
        root.mkdir(parents=True, exist_ok=True)
        if git and not (root / ".git").exists():
            shutil.copytree(_git_template, root / ".git")
        write_files(root, files)
        return root

    return build


@pytest.fixture
def skill_text() -> Callable[..., str]:
    """``skill_text("name", body="…")``: a SKILL.md without defects; ``extra`` holds more frontmatter lines. The body is on line 8."""

    def text(name: str = "stock-report", description: str = "", body: str = "", extra: str = "") -> str:
        said = description or f"Handles {name}. Use when somebody asks about {name}."
        more = extra.rstrip("\n") + "\n" if extra else ""
        return f"---\nname: {name}\ndescription: {said}\n{more}---\n\n# About {name}\n\n{body or f'Read the export of {name}.'}\n"

    return text


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch) -> Callable[[str | os.PathLike[str]], None]:
    """``inside(folder)``: the working directory for the rest of the test."""
    return monkeypatch.chdir


@pytest.fixture(autouse=True)
def _no_models(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test asks a model because somebody's environment has a key, and none reads or writes somebody's cache."""
    for name in [name for name in os.environ if name.startswith(("ANTHROPIC_", "PLUGIN_EVAL_MODEL_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PLUGIN_EVAL_CACHE", str(tmp_path_factory.getbasetemp() / "no-cache"))
