"""Work shared among processes: the same results in the same order, also when a child does not come back."""

from __future__ import annotations

import os
import pickle
import signal
import time

import pytest

from plugin_eval_ci.parse import markdown
from plugin_eval_ci.util import parallel

HERE = os.getpid()


def shared(monkeypatch: pytest.MonkeyPatch, processes: int) -> None:
    monkeypatch.setattr(parallel, "processes_for", lambda count: processes)


@pytest.mark.parametrize("count", [0, 1, 2, 119, 199, 200, 201, 1_003])
@pytest.mark.parametrize("processes", [1, 2, 5])
def test_results_are_in_order(count: int, processes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    shared(monkeypatch, processes)
    assert parallel.parallel_map(lambda number: number * number, range(count)) == [
        number * number for number in range(count)
    ]


@pytest.mark.parametrize("count", [0, 1, 200])
@pytest.mark.parametrize("processes", [1, 2, 5])
def test_what_is_done_meanwhile_is_done_once_and_here(
    count: int, processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared(monkeypatch, processes)
    done: list[int] = []
    assert parallel.parallel_map(abs, range(count), meanwhile=lambda: done.append(os.getpid())) == list(range(count))
    assert done == [HERE]


def test_an_error_of_what_is_done_meanwhile_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    shared(monkeypatch, 2)
    with pytest.raises(ZeroDivisionError):
        parallel.parallel_map(abs, range(200), meanwhile=lambda: 1 // 0)


def test_a_child_takes_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    shared(monkeypatch, 2)

    def work(number: int) -> int:
        time.sleep(0.002)  # leave some for the other, however late it starts
        return os.getpid()

    assert len(set(parallel.parallel_map(work, range(400)))) == 2


@pytest.mark.parametrize("how", ["raises", "ends", "is killed", "is not to be sent"])
def test_a_child_that_fails_leaves_its_share(
    how: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    shared(monkeypatch, 3)

    def work(number: int) -> object:
        if os.getpid() != HERE:
            if how == "raises":
                raise ValueError(number)
            if how == "ends":
                os._exit(0)
            if how == "is killed":
                os.kill(os.getpid(), signal.SIGKILL)
            return lambda: number
        return number

    assert parallel.parallel_map(work, range(300)) == list(range(300))
    capfd.readouterr()


def test_an_error_of_the_work_itself_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    shared(monkeypatch, 2)

    def work(number: int) -> int:
        return 1 // (number - 250)

    with pytest.raises(ZeroDivisionError):
        parallel.parallel_map(work, range(300))


@pytest.mark.parametrize(("count", "one"), [(parallel.LEAST - 1, True), (parallel.LEAST, False)])
def test_few_items_need_no_other_process(count: int, one: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PLUGIN_EVAL_PROCESSES", raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    monkeypatch.setattr(parallel.sys, "platform", "linux")
    assert (parallel.processes_for(count) == 1) is one
    monkeypatch.setenv("PLUGIN_EVAL_PROCESSES", "1")
    assert parallel.processes_for(count) == 1


FULL = """# Top

Read [one](references/one.md) and `two words` here.

```sh
ls
```

| a | b |
|---|---|
| c | d |

> Quoted "words".
"""


@pytest.mark.parametrize("text", ["", "\n", "plain", FULL, "x" * 9_000 + "](y)"])
def test_a_body_arrives_as_it_was_sent(text: str) -> None:
    body = markdown.parse(text, 5)
    came = pickle.loads(pickle.dumps(body, protocol=5))
    assert came == body
    for mine, its in zip(body, came, strict=True):  # equal to a plain tuple is not enough: rules ask for names
        assert type(its) is type(mine)
        if isinstance(mine, tuple):
            assert [type(row) for row in its] == [type(row) for row in mine]


def test_a_body_is_sent_without_the_class_of_each_row() -> None:
    body = markdown.parse("\n\n".join(f"Line {number}." for number in range(300)), 1)
    one = markdown.parse("Line 1.", 1)
    assert len(body.prose) == 300
    assert len(pickle.dumps(body)) < len(pickle.dumps(one)) + 300 * 20 + len(body.text)
