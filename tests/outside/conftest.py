"""Packages from npm, pinned with hashes in npm/package-lock.json and installed once beside it; a local language model."""

import contextlib
import hashlib
import importlib.util
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

NPM = Path(__file__).parent / "npm"


@pytest.fixture(scope="session")
def node_modules() -> Path:
    """The folder of the packages; a test that needs them is skipped, saying why, where npm is not there or reaches no registry."""
    if not (shutil.which("node") and shutil.which("npm")):
        pytest.skip("node and npm are not installed (Debian, Ubuntu: apt install nodejs npm)")
    modules, wanted = NPM / "node_modules", hashlib.sha256((NPM / "package-lock.json").read_bytes()).hexdigest()
    mark = modules / ".installed"
    if not mark.exists() or mark.read_text() != wanted:
        words = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        done = subprocess.run(words, cwd=NPM, capture_output=True, text=True, timeout=600)
        if done.returncode:
            pytest.skip(f"npm ci does not succeed: {done.stderr.strip().splitlines()[-1:]}")
        mark.write_text(wanted)
    return modules


@pytest.fixture(scope="session")
def local_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a small real language model behind the Messages API; skipped, saying why, where it cannot run."""
    place = Path(__file__).resolve().parents[2] / "tools" / "local_model.py"
    spec = importlib.util.spec_from_file_location("local_model", place)
    assert spec is not None and spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    with contextlib.ExitStack() as stack:
        try:
            url = stack.enter_context(tool.serving(tmp_path_factory.mktemp("model") / "log"))
        except tool.UnavailableError as error:
            pytest.skip(str(error))
        yield url
