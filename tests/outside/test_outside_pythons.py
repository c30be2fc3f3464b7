"""The same bytes from every Python there is, and a checkout that works from nothing."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.outside

HERE = Path(__file__).resolve().parents[2]
WANTED = ["3.11", "3.12", "3.13", "3.14"]


def versions() -> dict[str, str]:
    """Every wanted Python: on the path, and those that pyenv keeps."""
    candidates = [sys.executable, *filter(None, (shutil.which(f"python{version}") for version in WANTED))]
    pyenv = shutil.which("pyenv")
    if pyenv:
        root = subprocess.run([pyenv, "root"], capture_output=True, text=True).stdout.strip()
        candidates += sorted(map(str, Path(root).glob("versions/*/bin/python")))
    found: dict[str, str] = {}
    for candidate in candidates:
        done = subprocess.run([candidate, "--version"], capture_output=True, text=True)
        match = re.match(r"Python (3\.\d+)\.", done.stdout)
        if done.returncode == 0 and match and match[1] in WANTED:
            found.setdefault(match[1], candidate)
    return dict(sorted(found.items()))


@pytest.fixture(scope="module")
def pythons(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A virtual environment for each, with the pinned packages a user gets."""
    found = versions()
    if len(found) < 2:
        pytest.skip(f"needs two of Python {', '.join(WANTED)}; here are {', '.join(found) or 'none'}")
    made = {}
    for version, python in found.items():
        folder = tmp_path_factory.mktemp("venv") / version
        subprocess.run([python, "-m", "venv", str(folder)], check=True, capture_output=True)
        pip = [
            str(folder / "bin/python"),
            "-m",
            "pip",
            "--disable-pip-version-check",
            "--quiet",
            "install",
            "--require-hashes",
        ]
        subprocess.run([*pip, "-r", str(HERE / "requirements/runtime.txt")], check=True, capture_output=True)
        made[version] = str(folder / "bin/python")
    return made


def output(python: str, root: Path, *words: str) -> bytes:
    code = f"import sys; sys.path.insert(0, {str(HERE)!r}); from plugin_eval_ci.cli import main; main()"
    done = subprocess.run([python, "-I", "-B", "-c", code, *words], cwd=root, capture_output=True, timeout=120)
    assert done.returncode in (0, 1), done.stderr.decode()
    assert done.stderr == b""
    return done.stdout


@pytest.fixture
def skills(repo: Callable[..., Path], skill_text: Callable[..., str]) -> Path:
    fences = "\n".join(f"```{name}\nx\n```" for name in ("python", "sh", "js", ""))
    return repo(
        {
            "skills/stock-report/SKILL.md": skill_text(
                body=f"## Examples\n\n{fences}\n\n[x](references/gone.md) MUST `skills/other-one`"
            ),
            "skills/stock-report/references/notes.md": "x",
            "skills/数据/SKILL.md": skill_text("数据", "根据仓库导出生成每周库存报告。当用户询问库存时使用。"),
            "skills/broken/SKILL.md": "---\nname: [a\ndescription: b: c\n---\n",
            "skills/latin/SKILL.md": b"---\nname: latin\n---\n\xe9\n",
            "skills/dup/SKILL.md": "---\nname: dup\nname: dup\ndescription: |\n  Use when x # y\nmetadata: &a\n  b: *a\n---\n"
            + "line of text\n" * 900,
            "skills/unicode/SKILL.md": skill_text(
                "unicode", "\U0001f680 \u0130stanbul \u00df \u1e9e ẞ Use when \U0001fae8 \u2066x\u2069"
            ),
            "agents/helper.md": "---\nname: worker\ndescription: helps\nmodel: opus\n---\nUse the `Bash` tool\n",
            ".claude-plugin/plugin.json": '{"name": "p"}',
        }
    )


@pytest.mark.parametrize(
    "words",
    [
        ["lint", "--format", "json"],
        ["lint"],
        ["score", ".", "--depth", "quick", "--output", "json"],
        ["score", "skills/stock-report", "--depth", "quick", "--output", "json"],
        ["score", "skills/stock-report", "--depth", "quick"],
        ["rules"],
    ],
    ids=" ".join,
)
def test_every_python_prints_the_same_bytes(pythons: dict[str, str], skills: Path, words: list[str]) -> None:
    if words[0] == "score":
        pytest.importorskip("plugin_eval_ci.commands.score")
    printed = {version: output(python, skills, *words) for version, python in pythons.items()}
    first = next(iter(printed))
    for version, text in printed.items():
        assert text == printed[first], f"Python {version} and {first} differ"


def test_a_clean_checkout_shows_itself(tmp_path: Path) -> None:
    """The tracked files alone, an empty home and a bare path: ``make demo`` sets itself up."""
    if not (HERE / "examples").is_dir():
        pytest.skip("there are no examples yet")
    if shutil.which("make") is None:
        pytest.skip("needs make")
    root, home = tmp_path / "checkout", tmp_path / "home"
    home.mkdir()
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=HERE, capture_output=True, check=True
    ).stdout
    for name in filter(None, os.fsdecode(listed).split("\0")):
        if (HERE / name).is_file():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(HERE / name, root / name, follow_symlinks=False)
    python = next(iter(versions().values()))
    path = os.pathsep.join([str(Path(python).resolve().parent), "/usr/local/bin", "/usr/bin", "/bin"])
    # Where packages come from is the machine's own setting, not a part of the checkout.
    settings = [
        f"{name}={value}"
        for name, value in os.environ.items()
        if name.startswith("PIP_") or name in ("SSL_CERT_FILE", "https_proxy", "HTTPS_PROXY")
    ]
    command = ["env", "-i", f"PATH={path}", f"HOME={home}", *settings, "make", "demo", f"PYTHON={python}"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert "ORPHAN_REFERENCE" in done.stdout
