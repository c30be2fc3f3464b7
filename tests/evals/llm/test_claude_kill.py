"""A process that is ended at any moment loses no answer that it was given, and pays for none of them again."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from fake_messages import Say
from killed import CELLS, CONCURRENCY

DRIVER = Path(__file__).with_name("killed.py")


def ended(fake, cache: Path, rounds: int, how: str) -> tuple[list[dict], Counter[tuple[str, str]]]:
    """What the processes said, and how often each prompt was sent."""
    fake.on(lambda seen: Say(seen.prompt, delay=0.01))
    words = [sys.executable, str(DRIVER), fake.url, str(cache), str(rounds), how, "7"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()], Counter(seen.prompt for seen in fake.messages())


def test_killed_at_50_random_moments(fake, tmp_path) -> None:
    runs, sent = ended(fake, tmp_path, 50, "KILL")
    handed_on = [number for run in runs for number in run["got"]]
    assert len(handed_on) == len(set(handed_on)), "an answer that was handed on was asked for again"
    killed = [run for run in runs[:-1] if run["status"] == 9]
    assert len([run for run in killed if run["got"]]) >= 20, "too few were killed in the middle: the test tests nothing"
    assert runs[-1]["status"] == 0
    lost = sum(sent.values()) - CELLS
    assert 0 <= lost <= CONCURRENCY * len(killed), "only what was on the wire at the moment can be lost"
    (file,) = tmp_path.iterdir()
    lines = file.read_text("ascii").splitlines()
    keys = {json.loads(line)["key"] for line in lines if line.startswith("{") and line.endswith("}")}
    assert len(keys) == CELLS


@pytest.mark.parametrize("how", ["INT", "TERM"])
def test_stopped_politely_nothing_is_paid_for_twice(fake, tmp_path, how) -> None:
    runs, sent = ended(fake, tmp_path, 8, how)
    started = [run for run in runs if run["got"]]
    assert len(started) >= 2
    assert sum(sent.values()) <= CELLS + CONCURRENCY * sum(
        run["status"] == getattr(__import__("signal"), f"SIG{how}") for run in runs
    )
    assert runs[-1]["status"] == 0
