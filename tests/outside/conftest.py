"""Packages from npm, pinned with hashes in npm/package-lock.json and installed once beside it."""

import hashlib
import shutil
import subprocess
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
