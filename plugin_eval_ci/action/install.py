"""Installs the pinned packages into their own folder: wheels only, each verified by hash, nothing built or resolved."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Mapping

from plugin_eval_ci.errors import MeasurementError
from plugin_eval_ci.git import without_secrets

_HERE = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "action")
LOCK = os.path.join(_HERE, "requirements.txt")
MODELS_LOCK = os.path.join(_HERE, "requirements-llm.txt")  # extra packages for calling models
_PIP = ("--no-input", "--disable-pip-version-check", "--root-user-action=ignore", "--quiet")
_INSTALL = ("--require-hashes", "--only-binary=:all:", "--no-deps", "--no-compile")
# The pip settings of a job that are kept: where packages come from, and how to reach it. Any other setting, such as a platform,
# a dry run or a target folder, would change what is installed.
_KEPT = frozenset(
    f"PIP_{name}"
    for name in (
        "INDEX_URL",
        "EXTRA_INDEX_URL",
        "NO_INDEX",
        "FIND_LINKS",
        "TRUSTED_HOST",
        "CERT",
        "CLIENT_CERT",
        "PROXY",
        "TIMEOUT",
        "DEFAULT_TIMEOUT",
        "RETRIES",
        "CACHE_DIR",
        "NO_CACHE_DIR",
        "CONFIG_FILE",
        "KEYRING_PROVIDER",
        "USE_FEATURE",
        "USE_DEPRECATED",
    )
)
_SET = {"PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0", "PIP_DRY_RUN": "0"}  # overrides a configuration file
_SECONDS = 300


def folder_of(temp: str, lock: str = LOCK) -> str:
    """The folder for the packages of ``lock``. Every lock file and every Python version has its own."""
    with open(lock, "rb") as stream:
        mark = hashlib.sha256(stream.read() + sys.version.encode() + sysconfig.get_platform().encode())
    return os.path.join(temp, f"plugin-eval-packages-{mark.hexdigest()[:16]}")


def ensure(temp: str, environ: Mapping[str, str], log: Callable[[str], None], lock: str = LOCK) -> str:
    """The folder with the packages, installed unless an earlier step did so. Raises ``MeasurementError`` if that fails."""
    folder = folder_of(temp, lock)
    if os.path.isdir(folder):
        return folder
    try:
        os.makedirs(temp, exist_ok=True)
        part = tempfile.mkdtemp(prefix="plugin-eval-part-", dir=temp)
    except OSError as error:
        raise MeasurementError(f"cannot write to the temporary folder {temp}: {error.strerror}") from error
    try:
        packages = os.path.join(part, "packages")
        _install(part, packages, environ, lock, log)
        try:
            os.rename(packages, folder)  # atomic, so a parallel step never sees half a folder
        except OSError:
            if not os.path.isdir(folder):
                raise
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return folder


def _install(cwd: str, target: str, environ: Mapping[str, str], lock: str, log: Callable[[str], None]) -> None:
    """Run pip with ``-I`` in an empty folder, so that nothing is imported from the checkout."""
    command = [sys.executable, "-I", "-m", "pip", "install", *_PIP, *_INSTALL, "--target", target, "-r", lock]
    kept = {name: value for name, value in without_secrets(environ).items() if _is_kept(name.upper())}
    try:
        done = subprocess.run(
            command,
            cwd=cwd,
            env={**kept, **_SET},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MeasurementError(_failure_message(lock, type(error).__name__)) from error
    if done.returncode == 0 and os.path.isdir(target):
        return
    said = [line.strip() for line in done.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    for line in said[-20:]:
        log(f"pip: {line}")
    if any("No module named pip" in line for line in said):
        raise MeasurementError("this Python has no pip: add a step with actions/setup-python before this one")
    raise MeasurementError(_failure_message(lock, f"pip failed with exit code {done.returncode}; see the log"))


def _is_kept(name: str) -> bool:
    return name in _KEPT or not name.startswith("PIP_")


def _failure_message(lock: str, why: str) -> str:
    return (
        f"the packages of action/{os.path.basename(lock)} could not be installed ({why}). pip uses the package index that"
        " is configured on the runner; if it cannot reach one, set PIP_INDEX_URL to a mirror"
    )
