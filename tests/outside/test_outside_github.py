"""Comments and issues against a REST emulator with state, paging and installation tokens; and where our contract comes from.

What the emulator lacks (files of a pull request, limits, 5xx, long bodies) is in tests/edges, against a stub of our own.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tarfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from plugin_eval_ci.github.client import GitHub
from plugin_eval_ci.github.values import ReadOnlyError

pytestmark = pytest.mark.outside

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MARK = "<!-- plugin-eval-ci:comment:default -->"
PERSON = "tok_octocat"
OPENAPI = "@octokit/openapi@23.0.2"
OPENAPI_SHA512 = "pV8M7L9GY23AybNvTmo2nyjmpmnt6+2sRE/tqr0ZLQcPS4lnw7u5eZGNmwRNkBC3D7gZXbFx5AHzLUVRBXGDhg=="


class Emulator:
    """The running emulator: a person's requests, and clients with tokens of the app."""

    def __init__(self, address: str, jwt: str) -> None:
        self.address, self._jwt = address, jwt

    def ask(self, method: str, path: str, body: object = None, token: str = PERSON) -> object:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Authorization": f"Bearer {token}"}, method=method)
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=20) as answer:
            content = answer.read()
        return json.loads(content) if content else None

    def token(self, level: str) -> str:
        wanted = {"permissions": {"contents": "read", "issues": level, "pull_requests": level}}
        made = self.ask("POST", "/app/installations/100/access_tokens", wanted, self._jwt)
        assert isinstance(made, dict)
        return str(made["token"])

    def client(self, level: str) -> GitHub:
        return GitHub.from_environ(
            {"GITHUB_API_URL": self.address, "GITHUB_REPOSITORY": "octocat/store", "GITHUB_SERVER_URL": self.address},
            self.token(level),
        )


@pytest.fixture(scope="module")
def emulator(node_modules: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emulator]:
    folder = tmp_path_factory.mktemp("emulator")
    words = ["node", str(HERE / "npm/app_token.mjs"), "15368"]
    made = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    app = {
        "app_id": 15368, "slug": "github-actions", "name": "GitHub Actions", "private_key": made["pem"],
        "permissions": {"contents": "read", "issues": "write", "pull_requests": "write"},
        "installations": [{"installation_id": 100, "account": "octocat", "repository_selection": "all"}],
    }  # fmt: skip
    seed = {
        "tokens": {PERSON: {"login": "octocat", "scopes": ["repo"]}},
        "github": {"users": [{"login": "octocat"}], "repos": [{"owner": "octocat", "name": "store", "auto_init": True}], "apps": [app]},
    }  # fmt: skip
    (folder / "seed.yaml").write_text(json.dumps(seed))  # JSON is YAML
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    start = [
        "node",
        str(node_modules / ".bin/emulate"),
        "start",
        "--service",
        "github",
        "--port",
        str(port),
        "--seed",
        "seed.yaml",
    ]
    log = (folder / "log").open("w")
    server = subprocess.Popen(start, cwd=folder, stdout=log, stderr=log)
    try:
        found = Emulator(f"http://127.0.0.1:{port}", made["jwt"])
        _until_ready(found, server, folder / "log")
        yield found
    finally:
        server.terminate()
        server.wait(10)


def _until_ready(emulator: Emulator, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(300):
        if server.poll() is not None:
            break
        try:
            emulator.ask("GET", "/repos/octocat/store")
            return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"the emulator does not answer: {log.read_text()[-500:]}")


@pytest.fixture
def pull(emulator: Emulator) -> Callable[[], tuple[int, str]]:
    """A new pull request: its number and the commit of its head."""

    def make() -> tuple[int, str]:
        branch = f"change-{time.monotonic_ns()}"
        ref = emulator.ask("GET", "/repos/octocat/store/git/ref/heads/main")
        assert isinstance(ref, dict)
        emulator.ask(
            "POST", "/repos/octocat/store/git/refs", {"ref": f"refs/heads/{branch}", "sha": ref["object"]["sha"]}
        )
        content = {"message": "x", "content": base64.b64encode(branch.encode()).decode(), "branch": branch}
        emulator.ask("PUT", f"/repos/octocat/store/contents/{branch}.md", content)
        made = emulator.ask("POST", "/repos/octocat/store/pulls", {"title": branch, "head": branch, "base": "main"})
        assert isinstance(made, dict)
        return made["number"], branch

    return make


def comments(emulator: Emulator, number: int) -> list[dict[str, object]]:
    found = emulator.ask("GET", f"/repos/octocat/store/issues/{number}/comments?per_page=100")
    assert isinstance(found, list)
    return found


def test_a_comment_is_created_edited_and_left(emulator, pull):
    number, _ = pull()
    github = emulator.client("write")
    assert github.upsert_comment(number, "default", "all clear", create=False).action == "skipped"
    assert github.upsert_comment(number, "default", "one").action == "created"
    assert github.upsert_comment(number, "default", "two").action == "updated"
    assert emulator.client("write").upsert_comment(number, "default", "two").action == "unchanged"
    (only,) = comments(emulator, number)
    assert only["body"] == f"{MARK}\ntwo"
    assert only["user"]["login"] == "github-actions[bot]" and only["user"]["type"] == "Bot"


def test_a_person_who_copies_the_marker_is_not_edited(emulator, pull):
    number, _ = pull()
    emulator.ask("POST", f"/repos/octocat/store/issues/{number}/comments", {"body": f"{MARK}\nmine"})
    assert emulator.client("write").upsert_comment(number, "default", "ours").action == "created"
    assert [one["body"] for one in comments(emulator, number)] == [f"{MARK}\nmine", f"{MARK}\nours"]


def test_a_comment_on_a_later_page_is_found(emulator, pull):
    number, _ = pull()
    for place in range(120):
        emulator.ask("POST", f"/repos/octocat/store/issues/{number}/comments", {"body": f"comment {place}"})
    github = emulator.client("write")
    assert github.upsert_comment(number, "default", "one").action == "created"
    assert github.upsert_comment(number, "default", "two").action == "updated"


def test_a_token_that_may_only_read(emulator, pull):
    number, _ = pull()
    emulator.client("write").upsert_comment(number, "default", "one")
    for body in ("one", "two"):
        github = emulator.client("read")
        if body == "one":  # nothing to write: nothing to be refused
            assert github.upsert_comment(number, "default", body).action == "unchanged"
            continue
        with pytest.raises(ReadOnlyError):
            github.upsert_comment(number, "default", body)
        with pytest.raises(ReadOnlyError):
            github.upsert_comment(number, "another", body)
        with pytest.raises(ReadOnlyError):
            github.upsert_issue("read-only", "Plugin scores", body)
    assert [one["body"] for one in comments(emulator, number)] == [f"{MARK}\none"]


def test_one_issue_for_each_key(emulator):
    github = emulator.client("write")
    first = github.upsert_issue("weekly", "Plugin scores", "week 1")
    assert first.action == "created"
    assert github.upsert_issue("weekly", "Plugin scores", "week 2").number == first.number
    assert github.upsert_issue("weekly", "Plugin scores", "week 2").action == "unchanged"
    assert github.upsert_issue("weekly", "Plugin scores", "week 3", comment="**store** fell").action == "updated"
    assert [one["body"] for one in comments(emulator, first.number)] == ["**store** fell"]
    emulator.ask(
        "PATCH", f"/repos/octocat/store/issues/{first.number}", {"state": "closed", "state_reason": "completed"}
    )
    assert github.upsert_issue("weekly", "Plugin scores", "week 4").number == first.number
    issue = emulator.ask("GET", f"/repos/octocat/store/issues/{first.number}")
    assert issue["state"] == "closed" and issue["body"].endswith("week 4")
    assert github.upsert_issue("weekly", "Plugin scores", "week 5", comment="fell again").number == first.number
    assert emulator.ask("GET", f"/repos/octocat/store/issues/{first.number}")["state"] == "open"
    assert github.upsert_issue("other", "Plugin scores", "week 1").number != first.number


def test_the_pull_request_of_a_head(emulator, pull):
    number, branch = pull()
    pull()
    sha = emulator.ask("GET", f"/repos/octocat/store/git/ref/heads/{branch}")["object"]["sha"]
    github = emulator.client("read")
    found = github.pull_of_head("octocat", branch, sha)
    assert found is not None and (found.number, found.head_sha) == (number, sha)
    assert github.pull_of_head("octocat", branch, "0" * 40) is None
    assert github.pull_of_head("somebody", branch, sha) is None
    emulator.ask("PATCH", f"/repos/octocat/store/pulls/{number}", {"state": "closed"})
    assert github.pull_of_head("octocat", branch, sha) is None


def test_the_contract_is_github_s(tmp_path):
    """tests/github/github-openapi.json is what tools/github_contract.py makes of GitHub's own description."""
    if not shutil.which("npm"):
        pytest.skip("npm is not installed (Debian, Ubuntu: apt install npm)")
    done = subprocess.run(
        ["npm", "pack", "--silent", OPENAPI], cwd=tmp_path, capture_output=True, text=True, timeout=600
    )
    if done.returncode:
        pytest.skip(f"npm pack {OPENAPI} does not succeed: {done.stderr.strip().splitlines()[-1:]}")
    (packed,) = tmp_path.glob("*.tgz")
    assert base64.b64encode(hashlib.sha512(packed.read_bytes()).digest()).decode() == OPENAPI_SHA512
    with tarfile.open(packed) as archive:
        source = archive.extractfile("package/generated/api.github.com.json")
        assert source is not None
        (tmp_path / "whole.json").write_bytes(source.read())
    made = tmp_path / "made.json"
    words = [sys.executable, str(ROOT / "tools/github_contract.py"), str(tmp_path / "whole.json"), str(made)]
    subprocess.run(words, check=True, capture_output=True, env=os.environ | {"PYTHONUTF8": "1"})
    assert made.read_bytes() == (ROOT / "tests/github/github-openapi.json").read_bytes()
