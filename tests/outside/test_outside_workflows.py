"""Our workflows, our action, our Dockerfile and every workflow that the documents offer, before the tools that know their formats."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.outside

HERE = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((HERE / ".github" / "workflows").glob("*.yml"))
DOCUMENTS = [HERE / "README.md", *sorted((HERE / "docs").glob("*.md"))]
FENCE = re.compile(r"^```yaml\n(.*?)^```", re.MULTILINE | re.DOTALL)


def program(name: str) -> str:
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed: pip install -r requirements/outside.txt")
    return found


def run(*words: str | Path, folder: Path = HERE) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program(str(words[0])), *map(str, words[1:])], cwd=folder, capture_output=True, text=True, timeout=120
    )


def clean(*words: str | Path, folder: Path = HERE) -> None:
    done = run(*words, folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr


def recipes() -> list[tuple[str, str]]:
    """(name, text) of every fenced workflow in the documents."""
    found = []
    for document in DOCUMENTS:
        for number, block in enumerate(FENCE.findall(document.read_text(encoding="utf-8"))):
            if re.search(r"^jobs:$", block, re.MULTILINE) and re.search(r"^on:", block, re.MULTILINE):
                found.append((f"{document.stem.lower()}-{number}", block))
    return found


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """The documents' workflows as the files of a repository."""
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    for name, text in recipes():
        (folder / f"{name}.yml").write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    return tmp_path


def test_schemas() -> None:
    clean("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *WORKFLOWS)
    clean("check-jsonschema", "--builtin-schema", "vendor.github-actions", HERE / "action.yml")
    clean("check-jsonschema", "--builtin-schema", "vendor.dependabot", HERE / ".github" / "dependabot.yml")


def test_actionlint() -> None:
    clean("actionlint", "-no-color")


def test_zizmor() -> None:
    clean("zizmor", "--offline", "--no-progress", "--persona=auditor", ".")


def test_zizmor_would_speak(tmp_path: Path) -> None:
    text = (HERE / "action.yml").read_text(encoding="utf-8")
    (tmp_path / "action.yml").write_text(text.replace('run: bash "', 'run: echo "${{ inputs.paths }}"; bash "'))
    assert "template-injection" in run("zizmor", "--offline", "--no-progress", ".", folder=tmp_path).stdout


def test_the_documents_offer_workflows() -> None:
    assert [name for name, _ in recipes()].count("readme-1") == 1
    assert len(recipes()) >= 2


def test_workflows_of_the_documents(repository: Path) -> None:
    files = sorted((repository / ".github" / "workflows").iterdir())
    clean("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *files)
    clean("actionlint", "-no-color", folder=repository)
    clean("zizmor", "--offline", "--no-progress", ".", folder=repository)
    short = (
        repository / ".github" / "workflows" / "readme-1.yml"
    )  # the shortest one that is safe; docs/action.md has it in full
    short.unlink()
    clean("zizmor", "--offline", "--no-progress", "--persona=auditor", ".", folder=repository)


def test_workflows_of_the_documents_give_inputs_that_the_action_has() -> None:
    inputs = set(re.findall(r"^  ([a-z-]+):$", (HERE / "action.yml").read_text(encoding="utf-8"), re.MULTILINE))
    for name, text in recipes():
        for block in re.findall(r"uses: plugin-eval-ci/plugin-eval-ci@.*\n +with:\n((?: {10}.*\n)+)", text):
            given = set(re.findall(r"^ {10}([a-z-]+):", block, re.MULTILINE))
            assert given <= inputs, name


def test_every_action_is_pinned_by_its_whole_commit() -> None:
    texts = [path.read_text(encoding="utf-8") for path in WORKFLOWS] + [text for _, text in recipes()]
    for used in re.findall(r"uses: (\S+)", "\n".join(texts)):
        assert used == "./" or re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}", used), used


def test_hadolint() -> None:
    clean("hadolint", HERE / "Dockerfile")


def test_hadolint_would_speak(tmp_path: Path) -> None:
    (tmp_path / "Dockerfile").write_text("FROM python:latest\nRUN cd /tmp && sudo ls\n")
    assert run("hadolint", tmp_path / "Dockerfile").returncode != 0


def test_shell_scripts() -> None:
    if shutil.which("shellcheck") is None:
        pytest.skip("shellcheck is not installed: apt install shellcheck")
    clean("shellcheck", *sorted((HERE / "tools").glob("*.sh")), *sorted((HERE / "action").glob("*.sh")))
