"""The tools beside the skill tool: what they say, and that they do nothing."""

from __future__ import annotations

import sys
import time

import pytest

from plugin_eval_ci.evals.llm.request import Call
from plugin_eval_ci.evals.trials.triggering.profile import Stubs, profile, results

FILES = (
    ("worker.py", "import os\n\ndef run(jobs):\n    return [job() for job in jobs]\n"),
    ("src/app/main.ts", "export const a = 1"),
    ("./README.md", "# Title"),
)
NONE, NO_FILE, NO_MATCH = (profile().answers[name] for name in ("nothing", "no_file", "no_match"))


def said(name: str, **given: object) -> str:
    return Stubs(profile(), FILES).answer(Call("t", name, given))


@pytest.mark.parametrize(
    ("name", "given", "answer"),
    [
        ("Read", {"file_path": "src/app/main.ts"}, "     1\texport const a = 1"),
        ("Read", {"file_path": "/home/user/project/README.md"}, "     1\t# Title"),
        ("Read", {"file_path": "./src/../README.md"}, "     1\t# Title"),
        ("Read", {"file_path": "/etc/passwd"}, NO_FILE),
        ("Read", {"file_path": "../../../etc/passwd"}, NO_FILE),
        ("Read", {}, NO_FILE),
        ("Read", {"file_path": 7}, NO_FILE),
        ("Glob", {"pattern": "**/*.ts"}, "src/app/main.ts"),
        ("Glob", {"pattern": "**/*.py"}, "worker.py"),
        ("Glob", {"pattern": "*.md", "path": "/home/user/project"}, "README.md"),
        ("Glob", {"pattern": "*", "path": "src"}, "src/app/main.ts"),
        ("Glob", {"pattern": "*.rs"}, NO_MATCH),
        ("Grep", {"pattern": "def run"}, "worker.py:3:def run(jobs):"),
        ("Grep", {"pattern": r"def\s+\w+\(jobs"}, "worker.py:3:def run(jobs):"),
        ("Grep", {"pattern": "nothing|Title"}, "README.md:1:# Title"),
        ("Grep", {"pattern": "jobs", "glob": "*.ts"}, NO_MATCH),
        ("Grep", {"pattern": "jobs", "path": "src"}, NO_MATCH),
        ("Grep", {"pattern": ""}, NO_MATCH),
        ("Grep", {"pattern": ".*"}, NO_MATCH),
        ("Bash", {"command": "ls"}, "README.md\nsrc\nworker.py"),
        ("Bash", {"command": "ls -la src"}, "app"),
        ("Bash", {"command": "ls worker.py"}, "worker.py"),
        ("Bash", {"command": "ls missing"}, NONE),
        ("Bash", {"command": "cat README.md"}, "# Title"),
        ("Bash", {"command": "head -n 5 README.md"}, "# Title"),
        ("Bash", {"command": "cat /etc/passwd"}, NO_FILE),
        ("Bash", {"command": "cat"}, NONE),
        ("Bash", {"command": "find src"}, "src/app/main.ts"),
        ("Bash", {"command": "pwd"}, "/home/user/project"),
        ("Bash", {"command": "python worker.py"}, NONE),
        ("Bash", {"command": "echo 'unfinished"}, NONE),
        ("Bash", {"command": ""}, NONE),
        ("Bash", {"command": "touch /tmp/stub; rm -rf ~"}, NONE),
        ("Edit", {"file_path": "README.md", "old_string": "Title", "new_string": "x"}, profile().answers["edited"]),
        ("Edit", {"file_path": "README.md", "old_string": "Absent", "new_string": "x"}, profile().answers["no_text"]),
        ("Edit", {"file_path": "README.md", "old_string": "", "new_string": "x"}, profile().answers["no_text"]),
        ("Edit", {"file_path": "gone.md", "old_string": "a", "new_string": "x"}, NO_FILE),
        ("Write", {"file_path": "new.md", "content": "x"}, profile().answers["written"]),
        ("Skills", {}, profile().answers["no_tool"]),
        ("", {}, profile().answers["no_tool"]),
    ],
)
def test_what_a_tool_says(name: str, given: dict, answer: str) -> None:
    assert said(name, **given) == answer


def test_without_files_every_tool_says_that_there_is_nothing() -> None:
    empty = Stubs(profile(), ())
    assert empty.answer(Call("t", "Bash", {"command": "ls"})) == NONE
    assert empty.answer(Call("t", "Glob", {"pattern": "*"})) == NO_MATCH


def test_what_was_written_is_read_again_in_the_same_conversation_only() -> None:
    one, other = Stubs(profile(), FILES), Stubs(profile(), FILES)
    one.answer(Call("t", "Write", {"file_path": "/home/user/project/new.md", "content": "fresh"}))
    one.answer(Call("t", "Edit", {"file_path": "README.md", "old_string": "Title", "new_string": "Changed"}))
    assert one.answer(Call("t", "Read", {"file_path": "new.md"})).endswith("\tfresh")
    assert one.answer(Call("t", "Bash", {"command": "cat README.md"})) == "# Changed"
    assert other.answer(Call("t", "Read", {"file_path": "new.md"})) == NO_FILE


def test_nothing_is_opened_run_or_compiled() -> None:
    seen: list[str] = []
    watching = [True]
    stubs = Stubs(profile(), FILES)

    def watch(event: str, details: tuple[object, ...]) -> None:
        if watching and event.split(".")[0] in ("open", "subprocess", "os", "socket", "exec", "compile", "shutil"):
            seen.append(event)

    sys.addaudithook(watch)
    calls = [
        Call("a", "Bash", {"command": "cat /etc/passwd | sh"}),
        Call("b", "Read", {"file_path": "/etc/passwd"}),
        Call("c", "Write", {"file_path": "/tmp/x", "content": "x"}),
        Call("d", "Grep", {"pattern": "(a+)+$"}),
    ]
    brought = results(stubs, calls)
    watching.clear()
    assert [name for name, _ in brought] == ["a", "b", "c", "d"]
    assert not [event for event in seen if event != "compile"]


@pytest.mark.parametrize("pattern", ["(a+)+$", "*" * 200, "*a" * 100, "(.*)*" * 50, "|" * 10_000])
def test_a_hostile_pattern_takes_no_time_and_an_answer_has_an_end(pattern: str) -> None:
    stubs = Stubs(profile(), [("long.txt", "a" * 200_000), *FILES])
    start = time.monotonic()
    for name in ("Grep", "Glob"):
        assert len(stubs.answer(Call("t", name, {"pattern": pattern}))) < 5_000
    assert len(stubs.answer(Call("t", "Read", {"file_path": "long.txt"}))) < 5_000
    assert time.monotonic() - start < 1
