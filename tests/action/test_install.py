"""The packages: pinned, installed once for a job, whole or not at all, and by nothing that lies in a checkout."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from plugin_eval_ci.action import install
from plugin_eval_ci.errors import MeasurementError

HERE = Path(__file__).resolve().parents[2]


class Call(NamedTuple):
    command: list[str]
    cwd: str
    env: dict[str, str]


class Pip:
    """Stands in for pip: writes a package, or fails as told."""

    def __init__(self, code: int = 0, said: bytes = b"") -> None:
        self.calls: list[Call] = []
        self.code, self.said = code, said

    def __call__(
        self, command: list[str], cwd: str, env: dict[str, str], **_: object
    ) -> subprocess.CompletedProcess[bytes]:
        self.calls.append(Call(command, cwd, env))
        if self.code == 0:
            target = Path(command[command.index("--target") + 1])
            target.mkdir(parents=True)
            (target / "yaml.py").write_text("")
        return subprocess.CompletedProcess(command, self.code, b"", self.said)


def use(monkeypatch: pytest.MonkeyPatch, pip: Pip) -> Pip:
    monkeypatch.setattr(subprocess, "run", pip)
    return pip


def test_once_for_a_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pip = use(monkeypatch, Pip())
    folders = {install.ensure(str(tmp_path), {}, print) for _ in range(3)}
    assert len(pip.calls) == 1 and len(folders) == 1
    assert os.listdir(tmp_path) == [os.path.basename(folders.pop())]  # and nothing half done beside it


def test_pip_can_see_neither_checkout_nor_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pip = use(monkeypatch, Pip())
    monkeypatch.chdir(tmp_path)
    environ = {
        "PEC_TOKEN": "ghs_secret",
        "PEC_ANTHROPIC_API_KEY": "sk-ant",
        "ANTHROPIC_API_KEY": "sk-ant",
        "ANTHROPIC_AUTH_TOKEN": "sk-ant",
        "PIP_INDEX_URL": "https://mirror.example/simple",
        "PIP_TARGET": "x",
        "PIP_USER": "1",
        "Path": "p",
    }
    install.ensure(str(tmp_path / "temp"), environ, print)
    (call,) = pip.calls
    assert call.command[:5] == [sys.executable, "-I", "-m", "pip", "install"]
    assert {"--require-hashes", "--only-binary=:all:", "--no-deps"} <= set(call.command)
    assert not Path(call.cwd).samefile(tmp_path) if os.path.isdir(call.cwd) else str(tmp_path / "temp") in call.cwd
    assert {name: value for name, value in call.env.items() if value != "0"} == {
        "PIP_INDEX_URL": "https://mirror.example/simple",
        "Path": "p",
    }
    assert call.env["PIP_USER"] == "0"


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("PIP_FIND_LINKS", True), ("PIP_CERT", True), ("pip_proxy", True), ("PIP_CONFIG_FILE", True), ("PIP_NO_INDEX", True),
        ("PIP_DRY_RUN", False), ("PIP_PLATFORM", False), ("PIP_PYTHON_VERSION", False), ("PIP_ABI", False), ("PIP_PYTHON", False),
        ("PIP_REQUIRE_VIRTUALENV", False), ("pip_prefix", False), ("PIP_REPORT", False), ("PIP_ROOT_USER_ACTION", False),
        ("PIP_SOMETHING_NEW", False),
    ],
)  # fmt: skip
def test_settings_say_where_packages_come_from_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, kept: bool
) -> None:
    pip = use(monkeypatch, Pip())
    install.ensure(str(tmp_path), {name: "given"}, print)
    (call,) = pip.calls
    assert (call.env.get(name) == "given") is kept
    assert call.env["PIP_REQUIRE_VIRTUALENV"] == "0"  # as a pip.conf may have it


def test_a_pip_that_installs_nothing_and_is_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Content(Pip):
        def __call__(self, command: list[str], *_: object, **more: object) -> subprocess.CompletedProcess[bytes]:
            return subprocess.CompletedProcess(command, 0, b"", b"")

    use(monkeypatch, Content())
    with pytest.raises(MeasurementError, match="could not be installed"):
        install.ensure(str(tmp_path), {}, print)


def test_a_temporary_folder_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pip = use(monkeypatch, Pip())
    (tmp_path / "file").write_text("")
    with pytest.raises(MeasurementError, match="cannot write to the temporary folder"):
        install.ensure(str(tmp_path / "file"), {}, print)
    assert pip.calls == []


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (b"ERROR: Could not find a version that satisfies the requirement x\n", "package index"),
        (b"/usr/bin/python3: No module named pip\n", "actions/setup-python"),
        (b"", "package index"),
    ],
)
def test_a_failure_says_what_to_do_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: bytes, words: str
) -> None:
    use(monkeypatch, Pip(1, said))
    logged: list[str] = []
    with pytest.raises(MeasurementError, match=words):
        install.ensure(str(tmp_path), {}, logged.append)
    assert os.listdir(tmp_path) == [] and len(logged) == bool(said)
    use(monkeypatch, Pip())  # and a second step may succeed
    install.ensure(str(tmp_path), {}, print)


def test_two_steps_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(Pip):
        def __call__(self, *words: object, **more: object) -> subprocess.CompletedProcess[bytes]:
            done = super().__call__(*words, **more)  # type: ignore[arg-type]
            other = Path(install.folder_of(str(tmp_path)))
            other.mkdir()
            (other / "theirs").write_text("")
            return done

    use(monkeypatch, Slow())
    folder = install.ensure(str(tmp_path), {}, print)
    assert os.listdir(folder) == ["theirs"] and len(os.listdir(tmp_path)) == 1


def test_another_lock_is_another_folder(tmp_path: Path) -> None:
    (tmp_path / "lock").write_text("other")
    assert install.folder_of("t", str(tmp_path / "lock")) != install.folder_of("t")


def pins(name: str) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9-]+)==(\S+)", (HERE / name).read_text(), re.MULTILINE))


ALONE = {"pyyaml", "markdown-it-py", "mdurl", "urllib3"}


def test_the_lock_is_hashes_alone_and_as_the_command_is_tested() -> None:
    assert set(pins("action/requirements.txt")) == ALONE
    assert {"anthropic", "scipy", "numpy", "pydantic-core"} <= set(pins("action/requirements-llm.txt"))
    assert not ALONE & set(pins("action/requirements-llm.txt"))  # one version of each, whatever comes first on the path
    tested = pins("requirements/dev.txt")
    for name in ("action/requirements.txt", "action/requirements-llm.txt"):
        text = (HERE / name).read_text()
        assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}", text)) > 60
        assert not re.search(r"https?:|index|find-links|@", text)
        assert {one: version for one, version in pins(name).items() if tested[one] != version} == {}
