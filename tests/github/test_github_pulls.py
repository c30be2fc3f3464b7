"""Pull requests and artifacts: all pages, the limits of GitHub, and nothing believed that another could have written."""

import struct
import zipfile
from io import BytesIO

import pytest
from github_stub import READ_ONLY, TOKEN, Fault, Stub, zipped

from plugin_eval_ci.github import artifacts as zips
from plugin_eval_ci.github.values import ApiError, Artifact, ChangedFile, Pull, ReadOnlyError

SHA, BASE = "a" * 40, "b" * 40


def file(path, status="modified", **more):
    return {"filename": path, "status": status, "sha": "c" * 40, **more}


def pull(number=7, owner="fork", branch="fix", sha=SHA, state="open"):
    who = {"login": owner, "type": "User", "id": 1}
    return {
        "number": number, "state": state, "head": {"ref": branch, "sha": sha, "user": who},
        "base": {"ref": "main", "sha": BASE, "user": {"login": "shop", "type": "User", "id": 2}},
    }  # fmt: skip


@pytest.mark.parametrize(("count", "complete"), [(0, True), (250, True), (2_999, True), (3_000, False), (4_000, False)])
def test_files_of_all_pages_and_the_limit(stub, github, count, complete):
    stub.files = [file(f"skills/s{number:05}/SKILL.md") for number in range(count)]
    found = github.pull_files(7)
    assert len(found.files) == min(count, 3_000) and found.complete is complete
    assert list(found.files) == sorted(found.files)


def test_a_renamed_file_has_two_names(stub, github):
    stub.files = [file("b.md", "renamed", previous_filename="a.md"), file("é|`x`.md", "added")]
    assert github.pull_files(7).files == (
        ChangedFile("b.md", "a.md", "renamed"),
        ChangedFile("é|`x`.md", None, "added"),
    )


def test_the_pull_request_of_a_head(stub, github):
    stub.pulls = [pull(5, branch="other"), pull(6, owner="somebody"), pull(7)]
    assert github.pull_of_head("Fork", "fix", SHA) == Pull(7, SHA, BASE)
    assert stub.asked[-1].query["head"] == "Fork:fix" and stub.asked[-1].query["state"] == "open"


@pytest.mark.parametrize(
    "one", [pull(sha="d" * 40), pull(owner="thief"), pull(branch="main"), pull(state="closed"), pull(sha="")]
)
def test_what_is_not_the_same_head_is_none(stub, github, one):
    stub.pulls = [one]
    assert github.pull_of_head("fork", "fix", SHA) is None
    assert github.pull_of_head("fork", "fix", "") is None


def test_of_several_the_newest(stub, github):
    stub.pulls = [pull(7), pull(9), pull(8)]
    assert github.pull_of_head("fork", "fix", SHA) == Pull(9, SHA, BASE)


def artifact(
    number=1, name="scores", run=3, created="2026-11-23T05:23:00Z", branch="main", own=True, size=100, expired=False
):
    return {
        "id": number, "name": name, "size_in_bytes": size, "expired": expired, "created_at": created,
        "workflow_run": {"id": run, "repository_id": 1, "head_repository_id": 1 if own else 2, "head_branch": branch, "head_sha": SHA},
    }  # fmt: skip


def test_the_artifact_of_a_run(stub, github):
    stub.artifacts = [
        artifact(1, run=2),
        artifact(2),
        artifact(3, name="scores-2"),
        artifact(4, created="2026-11-24T00:00:00Z"),
    ]
    assert github.artifact_of_run(3, "scores") == Artifact(4, "scores", 100, "2026-11-24T00:00:00Z", False)
    assert github.artifact_of_run(9, "scores") is None


def test_the_latest_artifact_of_a_branch(stub, github):
    stub.artifacts = [
        artifact(1, created="2026-11-30T00:00:00Z", own=False), artifact(2, created="2026-11-29T00:00:00Z", branch="fix"),
        artifact(3, created="2026-11-28T00:00:00Z", expired=True), artifact(4), artifact(5, created="2026-11-16T05:23:00Z"),
    ]  # fmt: skip
    found = github.latest_artifact("scores", "main")
    assert found is not None and found.id == 4
    assert github.latest_artifact("others", "main") is None


def test_without_the_right_to_read_artifacts(stub, github):
    stub.faults.append(Fault("GET", r".*/artifacts", 403, READ_ONLY))
    with pytest.raises(ReadOnlyError):
        github.latest_artifact("scores", "main")


def read(stub, github, data, names=("report.json",), **more):
    stub.artifacts, stub.archives = [artifact()], {1: data}
    found = github.artifact_of_run(3, "scores")
    return github.read_artifact(found, names, **more)


@pytest.fixture
def elsewhere(stub):
    """Where GitHub keeps archives: another host."""
    with Stub() as host:
        stub.elsewhere = host.address
        host.answer = lambda asked: (200, stub.archives[int(asked.path.rsplit("/", 1)[1])])
        yield host


def test_an_artifact_is_read_from_elsewhere_without_the_token(stub, elsewhere, github):
    assert read(stub, github, zipped(report_json=b"{}", other_txt=b"x")) == {"report.json": b"{}"}
    (asked,) = elsewhere.asked
    assert asked.query == {"sig": "secret"} and "authorization" not in asked.headers
    assert TOKEN not in str(asked.headers)
    assert all(one.headers["authorization"] == f"Bearer {TOKEN}" for one in stub.asked)


def test_no_api_request_is_led_to_another_host(stub, elsewhere, github):
    for method, path in (("GET", r".*/pulls"), ("POST", r".*/comments")):
        stub.faults.append(Fault(method, path, 307, headers={"Location": elsewhere.address + "/x"}))
    with pytest.raises(ApiError, match="another host"):
        github.pull_of_head("fork", "fix", SHA)
    with pytest.raises(ApiError, match="another host"):
        github.upsert_comment(7, "default", "x")
    assert not elsewhere.asked


@pytest.mark.parametrize("names", [("report.json",), ("a/report.json", "../report.json", "/report.json")])
def test_names_are_exact_and_nothing_is_extracted(stub, elsewhere, github, names, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = BytesIO()
    with zipfile.ZipFile(data, "w") as packed:
        for name in ("../report.json", "/report.json", "a/report.json", "REPORT.JSON", "report.json.exe"):
            packed.writestr(name, name)
    found = read(stub, github, data.getvalue(), names)
    assert found == {name: name.encode() for name in names if name != "report.json"}
    assert list(tmp_path.iterdir()) == []


def test_a_bomb_is_not_unpacked(stub, elsewhere, github):
    with pytest.raises(ApiError, match="larger than 1,000 bytes"):
        read(stub, github, zipped(report_json=b"\0" * 50_000_000), limit=1_000)


def test_a_lie_about_a_size(stub, elsewhere, github):
    data = bytearray(zipped(report_json=b"\0" * 100_000))
    for mark, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = data.rfind(mark) + at
        data[place : place + 4] = struct.pack("<I", 10)
    with pytest.raises(ApiError):
        read(stub, github, bytes(data), limit=1_000)


def flood():
    data = BytesIO()
    with zipfile.ZipFile(data, "w") as packed:
        for number in range(10_001):
            packed.writestr(str(number), "")
    return data.getvalue()


def twice():
    data = BytesIO()
    with zipfile.ZipFile(data, "w") as packed, pytest.warns(UserWarning, match="Duplicate"):
        packed.writestr("report.json", "1")
        packed.writestr("report.json", "2")
    return data.getvalue()


def odd(method):
    data = BytesIO()
    with zipfile.ZipFile(data, "w", method) as packed:
        packed.writestr("report.json", "1")
    return data.getvalue()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: b"", "cannot be read"),
        (lambda: b"PK\x05\x06", "cannot be read"),
        (lambda: zipped(report_json=b"x" * 99)[:-30], "cannot be read"),
        (lambda: zipped(report_json=b"hello hello hello").replace(b"\xcbH\xcd", b"\xff\xff\xff", 1), "cannot be read"),
        (lambda: odd(zipfile.ZIP_LZMA), "unsupported compression method"),
        (lambda: odd(zipfile.ZIP_BZIP2), "unsupported compression method"),
        (flood, "more than 10,000 files"),
        (twice, "the same name twice"),
    ],
)
def test_archives_that_are_none(make, said):
    with pytest.raises(ApiError, match=said):
        zips.files_of(make(), ("report.json",), 1_000)


def test_an_archive_that_says_to_be_large_is_not_asked_for(stub, elsewhere, github):
    with pytest.raises(ApiError, match="larger than 64 MiB"):
        github.read_artifact(Artifact(1, "scores", 2**40, "", False), ("report.json",))
    with pytest.raises(ApiError, match="has expired"):
        github.read_artifact(Artifact(1, "scores", 1, "", True), ("report.json",))
    assert not stub.asked and not elsewhere.asked


def test_an_archive_that_goes_on_and_on(stub, elsewhere, github, monkeypatch):
    monkeypatch.setattr("plugin_eval_ci.github.artifacts.MOST_ARCHIVE", 1_000)
    with pytest.raises(ApiError, match="larger than 1,000 bytes"):
        read(stub, github, b"x" * 5_000_000)
