"""``certify`` as a process of its own against a server that needs 200 ms a call: how long, and what its requests share."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.evals.layers.conftest import JUDGED
from tests.fake_messages import KEY, FakeMessages, Say, Seen

pytest.importorskip("anthropic")
A_CALL, AT_ONCE, RUNS = 0.2, 5, 50


@pytest.fixture
def slow():
    """Every call takes ``A_CALL`` seconds and succeeds."""
    with FakeMessages(KEY) as server:
        for purpose, answer in JUDGED.items():
            server.on(Say(json.dumps(answer), delay=A_CALL), purpose=purpose)
        messages = {"messages": [f"please do number {n} of them" for n in range(15)]}
        server.on(Say(json.dumps(messages), delay=A_CALL), purpose="monte_carlo:prompts")
        server.on(Say("y" * 400, delay=A_CALL), purpose="monte_carlo:run")
        yield server


def certified(root: Path, server: FakeMessages, cache: Path) -> list[Seen]:
    """The calls of one run, in their order."""
    before = len(server.messages())
    environment = os.environ | {
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": server.url,
        "PLUGIN_EVAL_CACHE": str(cache),
    }
    words = ["certify", "skills/stock-report", "--concurrency", str(AT_ONCE), "--output", "json"]
    done = subprocess.run(
        [sys.executable, "-m", "plugin_eval_ci", *words], cwd=root, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["model_usage"]["calls"] == RUNS + 5
    return sorted(server.messages()[before:], key=lambda seen: seen.at)


@pytest.mark.outside  # measures time: other tests on the same processors would be measured, too
def test_the_time_is_calls_by_time_by_concurrency(repo, skill_text, slow, tmp_path) -> None:
    """From the first call to the last answer: what the process takes to start and to print is no part of it."""
    root = repo({"skills/stock-report/SKILL.md": skill_text()})
    ideal, took = (RUNS + 5) * A_CALL / AT_ONCE, []
    for turn in range(6):  # the machine may be busy with something else
        calls = certified(root, slow, tmp_path / f"{turn}")
        took.append(max(seen.ended for seen in calls) - calls[0].at)
        if took[-1] <= 1.15 * ideal:
            break
    if min(took) > 1.15 * ideal and os.getloadavg()[0] > 2 * (os.cpu_count() or 1):
        pytest.skip(f"this machine has too much else to do for times to say anything: {took}")
    assert ideal * 0.98 <= min(took) <= 1.15 * ideal, took


def test_the_runs_share_a_beginning_that_is_cached(repo, skill_text, slow, tmp_path) -> None:
    """A skill that is long enough for the service's cache: one run goes first, so that the others find it there."""
    body = "Read the export and say what is left of each article.\n" * 500
    root = repo({"skills/stock-report/SKILL.md": skill_text(body=body)})
    runs = [seen for seen in certified(root, slow, tmp_path / "cache") if seen.purpose == "monte_carlo:run"]
    assert len(runs) == RUNS
    assert len({json.dumps(seen.body["system"]) for seen in runs}) == 1
    assert runs[0].body["system"][-1]["cache_control"] == {"type": "ephemeral"}
    assert "cache_control" not in json.dumps([seen.body["messages"] for seen in runs])
    assert len({seen.prompt for seen in runs}) == 15
    assert all(seen.at >= runs[0].ended for seen in runs[1:])
