"""The action as act runs it: every event, in throw-away repositories, from ``run.sh`` on, with the packages that it installs itself."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from outside.github_stub import READ_ONLY, WRITER, Stub
from outside.test_outside_pythons import versions
from packaging.markers import Marker

from tests.evals.layers.conftest import judging
from tests.fake_messages import KEY, FakeMessages

pytestmark = pytest.mark.outside

HERE = Path(__file__).resolve().parents[2]
DEAD = "See [x](references/gone.md)."
Text = Callable[..., str]

WORKFLOW = """
on: {event}
jobs:
  lint:
    runs-on: ubuntu-latest
    steps:
    - uses: actions/checkout@v7
    - id: ours
      uses: acme/plugin-eval-ci@v1
      with: {given}
    - if: always()
      run: echo "kept=${{{{ steps.ours.outputs.conclusion }}}}"
"""
# act gives a composite action's steps INPUT_* variables, which the real runner does not.
# All tests share one temporary folder, so that packages are installed once; act makes a new one for each run.
STRIPPED = 'export RUNNER_TEMP="$SHARED_TEMP"; for name in $(compgen -v INPUT_); do unset "$name"; done; bash "${GITHUB_ACTION_PATH}/action/run.sh"'


class Ran(NamedTuple):
    """What the runner saw of our step."""

    code: int
    commands: list[tuple[str, dict[str, str], str]]
    outputs: dict[str, str]
    summary: str
    log: list[str]
    everything: str  # that act printed, of every step


def program(name: str) -> str:
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed: pip install -r requirements/outside.txt")
    return found


def git(root: Path, *words: str) -> str:
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "core.hooksPath=/dev/null")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return subprocess.run(
        ["git", *who, *words], cwd=root, check=True, capture_output=True, text=True, env=clean
    ).stdout.strip()


def commit(root: Path, files: Mapping[str, str], message: str = "change") -> str:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "-qm", message, "--allow-empty")
    return git(root, "rev-parse", "HEAD")


@pytest.fixture(scope="module")
def action(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a user's ``uses:`` brings: the files that the action needs, and no other."""
    root = tmp_path_factory.mktemp("action")
    for name in ("action", "plugin_eval_ci"):
        shutil.copytree(HERE / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    text = (HERE / "action.yml").read_text()
    plain = 'bash "${GITHUB_ACTION_PATH}/action/run.sh"'
    assert text.count(plain) == 1
    (root / "action.yml").write_text(text.replace(f"run: {plain}", f"run: {json.dumps(STRIPPED)}"))
    return root


@pytest.fixture(scope="module")
def temp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The runner's temporary folder, which all tests here share so that packages are installed once."""
    return tmp_path_factory.mktemp("runner")


@pytest.fixture
def stub() -> Iterator[Stub]:
    made = Stub()
    yield made
    made.close()


Act = Callable[..., Ran]


@pytest.fixture
def act(action: Path, temp: Path, tmp_path: Path, stub: Stub) -> Act:
    found = program("act")

    def run(
        root: Path, event: str, payload: object = None, given: Mapping[str, str] | None = None, token: str = WRITER,
        secrets: Mapping[str, str] | None = None, **more: str,
    ) -> Ran:  # fmt: skip
        (tmp_path / "event.json").write_text(json.dumps(payload or {}))
        workflow = tmp_path / "workflow.yml"
        out = tmp_path / "out"
        workflow.write_text(WORKFLOW.format(event=event, given=json.dumps({"output-dir": str(out), **(given or {})})))
        clean = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("GIT_", "GITHUB_", "PYTHON", "VIRTUAL_ENV"))
        }
        words = [
            found, event, "-W", str(workflow), "-e", str(tmp_path / "event.json"), "-P", "ubuntu-latest=-self-hosted",
            "--container-daemon-socket", "-", "--no-cache-server", "-s", f"GITHUB_TOKEN={token}", "--json",
            "--local-repository", f"acme/plugin-eval-ci@v1={action}", "--env", f"GITHUB_API_URL={stub.url}",
            "--env", f"GITHUB_GRAPHQL_URL={stub.url}/graphql", "--env", f"SHARED_TEMP={temp}",
            *(word for name, value in (secrets or {}).items() for word in ("-s", f"{name}={value}")),
            *(word for name, value in more.items() for word in ("--env", f"{name}={value}")),
        ]  # fmt: skip
        home = {
            "HOME": str(tmp_path / "home"),
            "XDG_CACHE_HOME": str(tmp_path / "home" / "cache"),
            "XDG_CONFIG_HOME": str(tmp_path / "home"),
        }
        done = subprocess.run(words, cwd=root, capture_output=True, text=True, env=clean | home, timeout=300)
        return read(done)

    return run


def read(done: subprocess.CompletedProcess[str]) -> Ran:
    lines = [json.loads(line) for line in (done.stdout + done.stderr).splitlines() if line.startswith("{")]
    mine = [line for line in lines if line.get("stepID") == ["ours", "run"]]
    assert mine, done.stdout[-3000:] + done.stderr[-3000:]
    commands = [
        (line["command"], line.get("kvPairs") or {}, line.get("arg", ""))
        for line in mine
        if line.get("command") in ("error", "warning", "notice")
    ]
    outputs = {line["name"]: line["arg"] for line in mine if line.get("command") == "set-output"}
    kept = [line["msg"] for line in lines if line.get("raw_output") and line["msg"].startswith("kept=")]
    assert kept == [f"kept={outputs['conclusion']}\n"]  # a later step reads it, also when ours failed
    summaries = [line["content"] for line in lines if line.get("command") == "summary"]
    said = [line["msg"].rstrip("\n") for line in mine if line.get("raw_output")]
    return Ran(done.returncode, commands, outputs, "\n".join(summaries), said, done.stdout + done.stderr)


@pytest.fixture
def root(tmp_path: Path, skill_text: Text) -> Path:
    """A repository with a merge commit: a pull request broke the skill ``one``."""
    folder = tmp_path / "kit"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "remote", "add", "origin", "https://github.com/acme/kit.git")
    commit(
        folder,
        {
            "skills/one/SKILL.md": skill_text("one"),
            "skills/two/SKILL.md": skill_text("two", body=DEAD),
            "docs/x.md": "x",
        },
    )
    git(folder, "checkout", "-q", "-b", "topic")
    commit(folder, {"skills/one/SKILL.md": skill_text("one", body=DEAD)})
    git(folder, "checkout", "-q", "main")
    git(folder, "merge", "-q", "--no-ff", "-m", "merge", "topic")
    return folder


def pull(root: Path) -> dict[str, object]:
    sides = {"base": git(root, "rev-parse", "HEAD^1"), "head": git(root, "rev-parse", "HEAD^2")}
    return {
        "pull_request": {
            "number": 7,
            **{side: {"sha": sha, "ref": side, "repo": {"full_name": "acme/kit"}} for side, sha in sides.items()},
        }
    }


BROKEN = [("error", "skills/one/SKILL.md", "8")]


def places(ran: Ran) -> list[tuple[str, str, str]]:
    return [(level, place["file"], place["line"]) for level, place, _ in ran.commands if "file" in place]


def test_pull_request(act: Act, root: Path) -> None:
    ran = act(root, "pull_request", pull(root))
    assert places(ran) == BROKEN and ran.code == 1
    assert ran.outputs["conclusion"] == "findings" and json.loads(ran.outputs["skills"]) == ["skills/one"]
    assert (ran.outputs["new-findings"], ran.outputs["errors"], ran.outputs["comment-pending"]) == ("1", "1", "false")
    assert "ORPHAN_REFERENCE" in ran.summary and "skills/two" not in ran.summary
    base = git(root, "rev-parse", "--short=12", "HEAD^1")
    assert f"plugin-eval: linting 1 of 2 skills and agents, base {base}" in ran.log
    assert {path.name for path in Path(ran.outputs["output-dir"]).iterdir()} == {
        "report.json",
        "report.md",
        "results.sarif",
    }


def test_quiet_inputs(act: Act, root: Path) -> None:
    ran = act(root, "pull_request", pull(root), {"annotations": "false", "summary": "false", "fail-on": "never"})
    assert (ran.code, ran.commands, ran.summary, ran.outputs["conclusion"]) == (0, [], "", "clean")


@pytest.mark.parametrize(
    "given", [{"annotations": "yes"}, {"mode": "Lint"}, {"paths": "no/such/place"}, {"threshold": "gold"}], ids=str
)
def test_wrong_usage(act: Act, root: Path, given: dict[str, str]) -> None:
    ran = act(root, "pull_request", pull(root), given)
    ((level, _, said),) = ran.commands
    assert (ran.code, level, ran.outputs) == (
        1,
        "error",
        {"conclusion": "error"},
    ) and f"input {next(iter(given))}: " in said


def test_push(act: Act, root: Path) -> None:
    before, after = git(root, "rev-parse", "HEAD^1"), git(root, "rev-parse", "HEAD")
    assert places(act(root, "push", {"before": before, "after": after, "ref": "refs/heads/main"})) == BROKEN
    ran = act(root, "push", {"before": "0" * 40, "after": after, "ref": "refs/heads/new"})
    assert len(places(ran)) == 2 and ran.outputs["new-findings"] == ""


def test_merge_group(act: Act, root: Path) -> None:
    sides = {"base_sha": git(root, "rev-parse", "HEAD^1"), "head_sha": git(root, "rev-parse", "HEAD")}
    assert places(act(root, "merge_group", {"merge_group": sides})) == BROKEN


@pytest.mark.parametrize("event", ["schedule", "workflow_dispatch"])
def test_the_weekly_report(act: Act, root: Path, stub: Stub, skill_text: Text, event: str) -> None:
    commit(
        root,
        {
            "plugins/p/.claude-plugin/plugin.json": '{"name": "p"}',
            "plugins/p/skills/three/SKILL.md": skill_text("three"),
        },
    )
    payload = {"repository": {"default_branch": "main", "full_name": "acme/kit"}}
    event = {"schedule": "schedule", "workflow_dispatch": "workflow_dispatch"}[event]
    first = act(root, event, payload, {"issue": "always"})
    assert (first.code, first.outputs["conclusion"], first.outputs["issue-number"]) == (0, "clean", "1")
    assert Path(first.outputs["badge-file"]).read_text().startswith("<svg") and "three" in first.summary
    stub.keep(5, "plugin-scores", Path(first.outputs["json-file"]).read_bytes())
    commit(root, {"plugins/p/skills/three/SKILL.md": "---\nname: three\ndescription: x\n---\n\nMUST NEVER.\n"})
    second = act(root, event, payload, {"fail-on-regression": "1"})
    assert second.code == 1 and second.outputs["conclusion"] == "findings" and int(second.outputs["new-findings"]) > 0
    assert [place["title"] for _, place, _ in second.commands] == ["plugin-eval: a score fell"]


def test_pull_request_target(act: Act, root: Path) -> None:
    ran = act(root, "pull_request_target", pull(root))
    ((level, _, said),) = ran.commands
    assert (ran.code, level, ran.outputs["conclusion"]) == (
        1,
        "error",
        "error",
    ) and "pull_request_target is not supported" in said


def test_a_comment_is_written_edited_and_left_alone(act: Act, root: Path, stub: Stub) -> None:
    ran = act(root, "pull_request", pull(root), {"comment": "auto"})
    assert ran.outputs["comment-url"] == "https://github.example/1"
    assert len(stub.comments) == 1 and "ORPHAN_REFERENCE" in str(stub.comments[0]["body"])
    again = act(root, "pull_request", pull(root), {"comment": "auto"})
    assert any("comment unchanged" in line for line in again.log) and len(stub.comments) == 1


def test_a_fork_s_comment_comes_from_the_second_workflow(act: Act, root: Path, stub: Stub) -> None:
    first = act(root, "pull_request", pull(root), {"comment": "auto", "fail-on": "never"}, READ_ONLY)
    assert (first.code, first.outputs["comment-pending"], stub.comments) == (0, "true", [])
    head = git(root, "rev-parse", "HEAD^2")
    stub.keep(5, "plugin-eval-ci", Path(first.outputs["json-file"]).read_bytes())
    stub.pulls.append(
        {
            "number": 7,
            "state": "open",
            "head": {"ref": "topic", "sha": head, "user": {"login": "someone"}},
            "base": {"sha": "b" * 40},
        }
    )
    run = {
        "id": 99,
        "event": "pull_request",
        "head_sha": head,
        "head_branch": "topic",
        "head_repository": {"owner": {"login": "someone"}},
    }
    second = act(root, "workflow_run", {"workflow_run": run, "action": "completed"})
    assert (second.code, second.outputs["conclusion"]) == (0, "clean") and "ORPHAN_REFERENCE" in str(
        stub.comments[0]["body"]
    )
    stub.pulls[0]["head"]["sha"] = "d" * 40  # type: ignore[index]
    third = act(root, "workflow_run", {"workflow_run": run, "action": "completed"})
    assert (third.outputs["conclusion"], len(stub.comments)) == ("empty", 1)


def test_a_clone_of_one_commit_asks_github(act: Act, root: Path, stub: Stub, tmp_path: Path) -> None:
    payload = pull(root)
    git(tmp_path, "clone", "-q", "--depth=1", root.as_uri(), "shallow")
    shallow = tmp_path / "shallow"
    git(shallow, "remote", "set-url", "origin", "https://github.com/acme/kit.git")
    stub.files = [{"filename": "skills/one/SKILL.md", "status": "modified"}]
    ran = act(shallow, "pull_request", payload)
    assert places(ran) == BROKEN and "GET /pulls/7/files" in stub.asked


# --- depths beyond quick ---

KEPT_GIT = """#!/bin/sh
env >> {log}
exec {git} "$@"
"""


@pytest.fixture
def models() -> Iterator[FakeMessages]:
    with FakeMessages(KEY) as server:
        yield judging(server)


@pytest.mark.parametrize("foreign", [False, True], ids=["own", "fork"])
def test_only_our_own_pull_request_has_models_asked(
    act: Act, root: Path, models: FakeMessages, tmp_path: Path, temp: Path, foreign: bool
) -> None:
    """The key goes to the service and nowhere else; for a fork it goes nowhere, though the workflow hands it over."""
    payload = pull(root)
    if foreign:
        payload["pull_request"]["head"]["repo"]["full_name"] = "fork/kit"  # type: ignore[index]
    bin, log = tmp_path / "bin", tmp_path / "environments"
    bin.mkdir()
    (bin / "git").write_text(KEPT_GIT.format(log=log, git=shutil.which("git")))
    (bin / "git").chmod(0o755)
    given = {"depth": "standard", "anthropic-api-key": "${{ secrets.MODELS }}", "fail-on": "never"}
    path = f"{bin}{os.pathsep}{os.environ['PATH']}"
    answers = {"ANTHROPIC_BASE_URL": models.url, "PLUGIN_EVAL_CACHE": str(tmp_path / "answers"), "PATH": path}
    ran = act(root, "pull_request", payload, given, secrets={"MODELS": KEY}, **answers)
    assert (ran.code, ran.outputs["conclusion"]) == (0, "clean"), ran.log
    assert "GITHUB_EVENT_NAME=" in log.read_text() and KEY not in log.read_text()
    told = [
        line for line in ran.everything.splitlines() if '"command":"add-mask"' not in line
    ]  # act shows what it is to hide
    assert KEY not in "".join(told) and (len(told) < len(ran.everything.splitlines())) is not foreign
    for folder in (temp, tmp_path / "out", tmp_path / "answers", root):
        assert [file for file in folder.rglob("*") if file.is_file() and KEY.encode() in file.read_bytes()] == []
    notices = [said for level, _, said in ran.commands if level == "notice"]
    if foreign:
        assert models.seen == [] and "model-scores" not in ran.outputs
        assert ["comes from a fork" in said for said in notices] == [True]
    else:
        assert models.calls == 4 and all(KEY in " ".join(one.headers.values()) for one in models.messages())
        assert [one["label"] for one in json.loads(ran.outputs["model-scores"])] == ["Assessed"] and notices == []
        assert "at depth `standard`" in ran.summary


# --- what lies in a checkout is never run ---

TRAP = "import os, sys\nopen({mark!r}, 'a').write('sprung by ' + __file__ + chr(10))\n"


def test_nothing_of_the_checkout_is_imported_or_run(act: Act, root: Path, tmp_path: Path, temp: Path) -> None:
    mark = tmp_path / "sprung"
    trap = TRAP.format(mark=str(mark))
    names = [
        "yaml.py", "json.py", "pip/__init__.py", "pip/__main__.py", "plugin_eval_ci/__init__.py", "plugin_eval_ci/action/__init__.py",
        "markdown_it/__init__.py", "urllib3.py", "sitecustomize.py", "usercustomize.py", "os.py", "subprocess.py", "encodings/__init__.py",
        "action/main.py", "re.py", "typing.py", "skills/one/yaml.py",
    ]  # fmt: skip
    hostile = dict.fromkeys(names, trap)
    hostile["evil.pth"] = f"import os; open({str(mark)!r}, 'a').write('pth')\n"
    hostile["uv.toml"] = '[[index]]\nurl = "http://127.0.0.1:9/simple"\ndefault = true\n'
    hostile["pip.conf"] = hostile["setup.cfg"] = "[global]\nindex-url = http://127.0.0.1:9/simple\n"
    hostile["pyvenv.cfg"] = "home = .\n"
    hostile["python3"] = hostile["git"] = f"#!/bin/sh\necho sprung >> {mark}\n"
    hostile[".gitattributes"] = "*.md diff=evil filter=evil\n"
    commit(root, hostile)
    for name in ("python3", "git"):
        (root / name).chmod(0o755)
    subprocess.run([sys.executable, "-c", "import json"], cwd=root, capture_output=True)
    assert mark.exists(), "the trap itself works"
    mark.unlink()
    payload = pull_of(root)
    for packages in temp.glob("plugin-eval-packages-*"):
        shutil.rmtree(packages)  # so that installing is tried too
    ran = act(root, "pull_request", payload)
    assert not mark.exists(), mark.read_text()
    assert ran.outputs["conclusion"] == "findings" and BROKEN[0] in places(ran)
    assert list(temp.glob("plugin-eval-packages-*"))


def pull_of(root: Path) -> dict[str, object]:
    """The event for a branch that is checked out itself: its base is the first commit."""
    base = git(root, "rev-list", "--max-parents=0", "HEAD")
    return {"pull_request": {"number": 7, "base": {"sha": base}, "head": {"sha": git(root, "rev-parse", "HEAD")}}}


def test_a_stranger_s_words_order_nothing(act: Act, root: Path, skill_text: Text) -> None:
    words = "::error::a ##[error]b ::add-mask::1 </details> | @acme/owners fixes #1 <img src=x> ::set-output name=conclusion::clean"
    files = {
        "skills/a,b/SKILL.md": skill_text("a-b", body=DEAD),
        "skills/50%/SKILL.md": skill_text("fifty", body=DEAD),
        "skills/c:d/SKILL.md": skill_text("c-d", body=DEAD),
        "skills/e\nf/SKILL.md": skill_text("e-f", body=DEAD),
        "skills/words/SKILL.md": skill_text(
            "words", f'"{words}"', body=f"See [x](references/{words.split()[0]}.md).\n\n{words}"
        ),
        "skills/##[error]x/SKILL.md": "---\nname: [\n---\n",
    }
    commit(root, files)
    ran = act(root, "pull_request", pull_of(root))
    linked = {place["file"] for level, place, said in ran.commands if "does not exist" in said}
    assert {"skills/a,b/SKILL.md", "skills/50%/SKILL.md", "skills/c:d/SKILL.md", "skills/e\nf/SKILL.md"} <= linked
    assert all(set(place) <= {"file", "line", "col", "endLine", "title"} for _, place, _ in ran.commands)
    assert all(line.startswith("plugin-eval: ") for line in ran.log), ran.log
    assert (
        "<img " not in ran.summary
        and "@acme/owners fixes" not in ran.summary
        and ran.outputs["conclusion"] == "findings"
    )


# --- where it starts ---


def start(root: Path, path: str, tmp_path: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    (tmp_path / "output").write_text("")
    known = {
        "HOME": str(tmp_path),
        "PATH": path,
        "GITHUB_ACTION_PATH": str(HERE),
        "RUNNER_TEMP": str(tmp_path / "t"),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
    }
    return subprocess.run(
        ["/bin/bash", str(HERE / "action/run.sh")],
        cwd=root,
        env=known | environ,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize(
    ("python", "words"),
    [
        (None, "none was found"),
        ("exit 9009", "none was found"),  # the stub that opens the Store on Windows
        ("echo 3.9.18", "3.9.18"),
        ("printf '3.8.1\\r\\n::error::x'", "3.8.1"),
    ],
)
def test_without_a_python_it_is_said_what_to_do(root: Path, tmp_path: Path, python: str | None, words: str) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("bash", "dirname", "tr", "printf"):
        if found := shutil.which(name):
            (folder / name).symlink_to(found)
    for name in ("python3", "python") if python else ():
        (folder / name).write_text(f"#!/bin/bash\n{python}\n")
        (folder / name).chmod(0o755)
    done = start(root, str(folder), tmp_path)
    assert (
        done.returncode == 3
        and done.stdout.count("::error") == 1
        and words in done.stdout
        and "actions/setup-python" in done.stdout
    )
    assert (tmp_path / "output").read_text() == "conclusion=error\n"


def test_offline_is_said(root: Path, tmp_path: Path) -> None:
    given = {
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "PIP_RETRIES": "0",
        "PIP_NO_CACHE_DIR": "1",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_FIND_LINKS": "",
    }
    done = start(root, os.environ["PATH"], tmp_path, GITHUB_EVENT_NAME="push", **given)
    assert done.returncode == 3, done.stdout
    assert (
        "could not be installed" in done.stdout
        and "PIP_INDEX_URL" in done.stdout
        and "Traceback" not in done.stdout + done.stderr
    )
    assert "\nerror\n" in (tmp_path / "output").read_text() and os.listdir(tmp_path / "t") != []
    assert not list((tmp_path / "t").glob("plugin-eval-packages-*"))


def test_every_python_that_is_here(root: Path, tmp_path: Path) -> None:
    head = git(root, "rev-parse", "HEAD^1")
    (tmp_path / "event.json").write_text(json.dumps({"before": head}))
    said = {}
    for version, python in versions().items():
        folder = tmp_path / version
        folder.mkdir()
        (folder / "python3").write_text(f'#!/bin/bash\nexec "{python}" "$@"\n')
        (folder / "python3").chmod(0o755)
        path = os.pathsep.join([str(folder), os.environ["PATH"]])
        done = start(
            root,
            path,
            tmp_path,
            GITHUB_EVENT_NAME="push",
            GITHUB_EVENT_PATH=str(tmp_path / "event.json"),
            HOME=os.environ.get("HOME", ""),
        )
        assert done.returncode == 1, done.stdout + done.stderr
        said[version] = done.stdout
    assert len(set(said.values())) == 1 and "skills/one/SKILL.md" in said.popitem()[1]


def test_with_nothing_to_do_nothing_is_installed(root: Path, tmp_path: Path) -> None:
    head = git(root, "rev-parse", "HEAD")
    commit(root, {"docs/x.md": "y"})
    (tmp_path / "event.json").write_text(json.dumps({"before": head}))
    begun = time.monotonic()
    done = start(
        root,
        os.environ["PATH"],
        tmp_path,
        GITHUB_EVENT_NAME="push",
        GITHUB_EVENT_PATH=str(tmp_path / "event.json"),
        PIP_INDEX_URL="http://127.0.0.1:9",
    )
    assert done.returncode == 0 and "nothing to lint" in done.stdout, done.stdout + done.stderr
    assert time.monotonic() - begun < 10 and os.listdir(tmp_path / "t") == ["plugin-eval-pycache"]


# --- the lock holds for the systems and Pythons that we name ---


# numpy and scipy have no wheel for a Linux older than this one; pip is told of what it may also take.
OLDER = {"manylinux_2_28_aarch64": ("manylinux_2_27_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64")}


@pytest.mark.parametrize("platform", ["win_amd64", "macosx_14_0_arm64", "manylinux_2_28_aarch64"])
@pytest.mark.parametrize("version", ["3.11", "3.14"])
@pytest.mark.parametrize(("name", "count"), [("requirements.txt", 4), ("requirements-llm.txt", 24)])
def test_there_is_a_wheel_with_its_hash(tmp_path: Path, platform: str, version: str, name: str, count: int) -> None:
    lock = tmp_path / "lock"
    lock.write_text(fitting((HERE / "action" / name).read_text(), platform, version))
    words = [
        "download",
        "--quiet",
        "--no-deps",
        "--only-binary=:all:",
        "--require-hashes",
        *(word for one in (platform, *OLDER.get(platform, ())) for word in ("--platform", one)),
        "--python-version",
        version,
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pip", *words, "-d", str(tmp_path), "-r", str(lock)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert len(list(tmp_path.glob("*.whl"))) == count


def fitting(lock: str, platform: str, version: str) -> str:
    """The part of a lock for another system: pip itself goes by the Python that it runs on."""
    system = {"win": "win32", "mac": "darwin"}.get(platform[:3], "linux")
    where = {"sys_platform": system, "python_full_version": f"{version}.0"}
    entries = re.split(r"^(?=\S)", lock, flags=re.MULTILINE)
    parts = [(entry, re.match(r"(\S+) ; (.+?) \\\n", entry)) for entry in entries if entry.strip()]
    kept = [(entry, found) for entry, found in parts if found is None or Marker(found[2]).evaluate(where)]
    return "".join(entry if found is None else entry.replace(f" ; {found[2]}", "", 1) for entry, found in kept)
