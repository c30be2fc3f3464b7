"""The Dockerfile built and run for real, on a stand-in for its base: Debian with Python, made by mmdebstrap.

What only the real base can show (its own Python, its size) is not tested here; the workflow ``image.yml`` does that.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.outside

HERE = Path(__file__).resolve().parents[2]
NEEDED = ("buildah", "runc", "mmdebstrap", "chroot")
TRUST = Path("/etc/ssl/certs/ca-certificates.crt")  # of this machine, which may reach the network by a proxy of its own
BASE = f"""FROM scratch
ADD base.tar /
COPY ca-certificates.crt {TRUST}
ENV PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin PIP_CERT={TRUST}
"""


def buildah(*words: str, code: int = 0, timeout: int = 600) -> str:
    done = subprocess.run(
        ["buildah", "--storage-driver", "overlay", *words], capture_output=True, text=True, timeout=timeout
    )
    assert done.returncode == code, f"buildah {words[0]}: exit {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)} (Debian: apt install buildah runc mmdebstrap)")
    if os.geteuid() != 0:
        pytest.skip("building an image without a daemon needs root here")
    folder = tmp_path_factory.mktemp("base")
    release = dict(line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if "=" in line)
    suite = release.get("VERSION_CODENAME", "bookworm").strip('"')
    sources = [str(path) for path in sorted(Path("/etc/apt/sources.list.d").glob("*.sources"))]
    made = subprocess.run(
        [
            "mmdebstrap",
            "--variant=apt",
            '--aptopt=Acquire::Check-Valid-Until "false"',
            "--include=ca-certificates,python3-venv",
            suite,
            str(folder / "root"),
            *sources[:1],
        ],
        capture_output=True,
        text=True,
        timeout=600,
    )
    if made.returncode != 0:
        pytest.skip(f"mmdebstrap could not make a base here: {made.stderr.strip().splitlines()[-1:]}")
    (folder / "root").chmod(0o755)
    subprocess.run(["tar", "-C", str(folder / "root"), "-cf", str(folder / "base.tar"), "."], check=True)
    shutil.rmtree(folder / "root")
    shutil.copy(TRUST, folder / "ca-certificates.crt")
    (folder / "Dockerfile").write_text(BASE)
    base, name = f"localhost/pec-base:{os.getpid()}", f"localhost/pec:{os.getpid()}"
    host = ("--isolation", "chroot", "--network", "host", "--quiet")
    buildah("build", *host, "--tag", base, str(folder))
    try:
        arguments = ("--build-arg", f"BASE={base}", "--build-arg", "VERSION=9.9.9", "--build-arg", "REVISION=abc")
        buildah("build", *host, *arguments, "--tag", name, str(HERE))
        yield name
    finally:
        subprocess.run(["buildah", "--storage-driver", "overlay", "rmi", "--force", name, base], capture_output=True)


@pytest.fixture
def container(image: str) -> Iterator[str]:
    name = buildah("from", "--quiet", image).split()[-1]
    yield name
    buildah("rm", name)


def skill(folder: Path, body: str) -> Path:
    place = folder / "skills" / "stock-report"
    place.mkdir(parents=True)
    folder.chmod(0o755)  # the user in the container is nobody here
    (place / "SKILL.md").write_text(
        "---\nname: stock-report\ndescription: Counts the shelves. Use when someone asks for a stock report.\n---\n\n"
        f"# Stock report\n\n{body}\n"
    )
    return folder


def lint(container: str, folder: Path, *words: str, user: str = "12345:54321", code: int = 0) -> str:
    """As a CI system runs it: any user, the checkout mounted read-only, no network."""
    mounted = ("--isolation", "chroot", "--user", user, "--volume", f"{folder}:/src:ro")
    return buildah("run", *mounted, "--", container, "plugin-eval", *words, code=code)


def test_a_clean_skill(container: str, tmp_path: Path) -> None:
    assert "1 skill" in lint(container, skill(tmp_path, "Count."), "lint", "/src")


def test_a_dead_link(container: str, tmp_path: Path) -> None:
    said = lint(container, skill(tmp_path, "See [a](references/a.md)."), "lint", "/src", code=1)
    assert "SKILL.md:8: error ORPHAN_REFERENCE" in said


def test_git_in_a_checkout_of_another_user(container: str, tmp_path: Path) -> None:
    skill(tmp_path, "Count.")
    git = [
        "git",
        "-C",
        str(tmp_path),
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example.org",
        "-c",
        "commit.gpgsign=false",
    ]
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "base"], check=True)
    (tmp_path / "skills" / "stock-report" / "SKILL.md").write_text("---\nname: stock-report\n---\n")
    said = lint(container, tmp_path, "lint", "/src", "--base", "HEAD", code=1)
    assert "linting 1 of 1 skill" in said
    assert "dubious ownership" not in said


def test_what_the_image_says_of_itself(image: str) -> None:
    said = buildah("inspect", "--type", "image", image)
    for wanted in (
        '"org.opencontainers.image.version": "9.9.9"',
        '"org.opencontainers.image.revision": "abc"',
        '"org.opencontainers.image.licenses": "MIT"',
        '"User": "65532:65532"',
    ):
        assert wanted in said
    assert '"plugin-eval"' in said.split('"Entrypoint"', 1)[1][:80]


def test_the_tools_environment_holds_no_pip(container: str) -> None:
    buildah("run", "--isolation", "chroot", "--", container, "/opt/venv/bin/python3", "-c", "import pip", code=1)
