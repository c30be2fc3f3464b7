"""The real pre-commit and prek run our three hooks, from a clean copy of this checkout, on a repository of odd names."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.outside

HERE = Path(__file__).resolve().parents[2]
RUNNERS = ["pre-commit", "prek"]
HOOKS = ["plugin-eval-lint", "plugin-eval-skills", "plugin-eval-all"]
CONFIG = """repos:
- repo: {source}
  rev: {revision}
  hooks:
  - id: plugin-eval-lint
  - id: plugin-eval-skills
  - id: plugin-eval-all
"""


def program(name: str) -> str:
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed: pip install {name}")
    return found


def call(folder: Path, *words: str, code: int | None = 0, **environment: str) -> str:
    clean = {
        name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PYTHON", "VIRTUAL_ENV"))
    }
    done = subprocess.run(
        words, cwd=folder, capture_output=True, text=True, errors="replace", env=clean | environment, timeout=600
    )
    said = done.stdout + done.stderr
    assert code is None or done.returncode == code, f"{' '.join(words)}: exit {done.returncode}\n{said}"
    return said


def git(folder: Path, *words: str, code: int | None = 0) -> str:
    return call(
        folder,
        "git",
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example.org",
        "-c",
        "core.hooksPath=/dev/null",
        *words,
        code=code,
    )


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean copy of this checkout, committed: what a user's ``repo:`` points at."""
    root = tmp_path_factory.mktemp("source")
    names = git(HERE, "ls-files", "-co", "--exclude-standard", "-z").split("\0")
    for name in filter(None, names):
        if (HERE / name).is_file() and not name.startswith(("tests/", "examples/", "docs/")):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(HERE / name, root / name, follow_symlinks=False)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "copy")
    return root


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {
        "PRE_COMMIT_HOME": str(tmp_path_factory.mktemp("pch")),
        "PREK_HOME": str(tmp_path_factory.mktemp("ph")),
        "UV_PYTHON_DOWNLOADS": "never",
    }


@pytest.fixture
def user(repo: Callable[..., Path], skill_text: Callable[..., str], source: Path) -> Path:
    """A repository that uses the hooks: clean, with spaces, accents, links, and files of no skill."""
    good = {name: skill_text(name) for name in ("stock-report", "label-print")}
    root = repo(
        {
            **{f"skills/{name}/SKILL.md": text for name, text in good.items()},
            "skills/stock-report/references/with space é.md": "x",
            "skills/stock-report/SKILL.md": skill_text(
                body="[with space é.md](references/with%20space%20é.md) and [y](../label-print/SKILL.md)"
            ),
            "plug ins/café/skills/route-plan/SKILL.md": skill_text("route-plan"),
            "plug ins/café/.claude-plugin/plugin.json": '{"name": "cafe"}',
            "shared/pick-list/SKILL.md": skill_text("pick-list"),
            "README.md": "# Read me\n",
            "src/app.py": "",
            ".pre-commit-config.yaml": CONFIG.format(source=source, revision=git(source, "rev-parse", "HEAD").strip()),
        }
    )
    (root / "skills/pick-list").symlink_to("../shared/pick-list")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "begin")
    return root


@pytest.fixture(params=RUNNERS)
def hooks(request: pytest.FixtureRequest, homes: dict[str, str]) -> Callable[..., str]:
    """``hooks(root, "run", hook, …)`` with either runner."""
    command = program(request.param)

    def run(root: Path, *words: str, code: int | None = 0) -> str:
        return call(root, command, *words, code=code, **homes)

    return run


def test_the_manifest_is_valid() -> None:
    for runner in RUNNERS:
        call(HERE, program(runner), "validate-manifest", ".pre-commit-hooks.yaml")


@pytest.mark.parametrize("hook", HOOKS)
def test_a_clean_repository_passes_in_silence(user: Path, hooks: Callable[..., str], hook: str) -> None:
    said = hooks(user, "run", hook, "--all-files", "--hook-stage", "manual", "--verbose")
    assert "Passed" in said and "SKILL.md:" not in said and "plugin-eval:" not in said


@pytest.mark.parametrize("hook", HOOKS)
def test_a_finding_fails_with_its_file_and_line(
    user: Path, hooks: Callable[..., str], skill_text: Callable[..., str], hook: str
) -> None:
    (user / "plug ins/café/skills/route-plan/SKILL.md").write_text(
        skill_text("route-plan", body="[x](references/gone.md)")
    )
    git(user, "add", "-A")
    said = hooks(user, "run", hook, "--hook-stage", "manual", code=1)
    assert "plug ins/café/skills/route-plan/SKILL.md:8" in said and "ORPHAN_REFERENCE" in said
    assert said.count("ORPHAN_REFERENCE") == 1


def test_a_name_in_the_wrong_case_is_looked_at(user: Path, hooks: Callable[..., str]) -> None:
    (user / "skills/wrong-case").mkdir()
    (user / "skills/wrong-case/skill.md").write_text("no header\n")
    git(user, "add", "-A")
    for hook in HOOKS:
        assert "skills/wrong-case/skill.md:1" in hooks(user, "run", hook, "--hook-stage", "manual", code=1)


def test_a_renamed_reference_is_caught_by_its_skill(user: Path, hooks: Callable[..., str]) -> None:
    git(user, "mv", "skills/stock-report/references/with space é.md", "skills/stock-report/references/new.md")
    assert "skills/stock-report/SKILL.md:8" in hooks(user, "run", "plugin-eval-skills", code=1)
    assert "Skipped" in hooks(user, "run", "plugin-eval-lint")


def test_a_deletion_is_caught_by_the_hook_for_the_whole(user: Path, hooks: Callable[..., str]) -> None:
    git(user, "rm", "-q", "skills/stock-report/references/with space é.md")
    hooks(user, "run", "plugin-eval-lint")
    hooks(user, "run", "plugin-eval-skills")  # a runner passes no deleted file
    assert "skills/stock-report/SKILL.md:8" in hooks(user, "run", "plugin-eval-all", "--hook-stage", "manual", code=1)


def test_a_deleted_skill_is_caught_in_the_one_that_names_it(user: Path, hooks: Callable[..., str]) -> None:
    git(user, "rm", "-qr", "skills/label-print")
    said = hooks(user, "run", "plugin-eval-all", "--hook-stage", "manual", code=1)
    assert "skills/stock-report/SKILL.md:8" in said and "DEAD_CROSS_REF" in said


def test_files_of_no_skill_start_nothing(user: Path, hooks: Callable[..., str]) -> None:
    (user / "README.md").write_text("# More\n")
    (user / "src/app.py").write_text("x = 1\n")
    git(user, "add", "-A")
    for hook in ("plugin-eval-lint", "plugin-eval-skills"):
        assert "Skipped" in hooks(user, "run", hook)


def test_a_linked_skill_is_looked_at_where_it_is(user: Path, hooks: Callable[..., str]) -> None:
    (user / "shared/pick-list/SKILL.md").write_text("no header\n")
    git(user, "add", "-A")
    for hook in HOOKS:
        said = hooks(user, "run", hook, "--all-files", "--hook-stage", "manual", code=1)
        assert said.count("error FM_MISSING") == 1 and "shared/pick-list/SKILL.md:1" in said


def test_excludes_hold_for_names_the_runner_passes(user: Path, hooks: Callable[..., str]) -> None:
    (user / ".plugin-eval.yaml").write_text("exclude: [skills/draft-one]\n")
    (user / "skills/draft-one").mkdir()
    (user / "skills/draft-one/SKILL.md").write_text("no header\n")
    git(user, "add", "-A")
    for hook in HOOKS:
        hooks(user, "run", hook, "--hook-stage", "manual")


def test_three_thousand_skills(user: Path, hooks: Callable[..., str], skill_text: Callable[..., str]) -> None:
    """More names than fit one command line: the runner calls us several times, and one bad file is reported once."""
    for number in range(3_000):
        folder = user / f"skills/generated-skill-number-{number:04}"
        folder.mkdir()
        (folder / "SKILL.md").write_text(skill_text(folder.name))
    (user / "skills/generated-skill-number-1500/SKILL.md").write_text("no header\n")
    git(user, "add", "-A")
    for hook in HOOKS:
        said = hooks(user, "run", hook, "--all-files", "--hook-stage", "manual", code=1)
        assert said.count("SKILL.md:") == 1 and "skills/generated-skill-number-1500/SKILL.md:1" in said


@pytest.mark.parametrize("runner", RUNNERS)
def test_try_repo(user: Path, source: Path, homes: dict[str, str], runner: str) -> None:
    """Without a configuration: the way to look at the hooks before using them."""
    call(user, program(runner), "try-repo", str(source), "plugin-eval-lint", "--all-files", **homes)
