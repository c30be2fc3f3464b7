"""The gate in a step: on pull requests with a key, refused for strangers, within the sum, in summary and comment."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from action.conftest import Ran, Step, pull_request

from plugin_eval_ci.action import install
from tests.evals.layers.conftest import judging
from tests.evals.trials.test_gate_command import GOOD, VAGUE, files, skill, subject
from tests.fake_messages import KEY, FakeMessages, Say

pytest.importorskip("anthropic")
GIVEN = {"gate": "true", "anthropic-api-key": KEY}
FILE = "shop/skills/label-print/SKILL.md"


@pytest.fixture
def fake() -> Iterator[FakeMessages]:
    with FakeMessages(KEY) as server:
        judging(server)
        server.on(subject(), purpose="trials:triggering")
        yield server


@pytest.fixture
def locks(monkeypatch: pytest.MonkeyPatch, step: Step) -> list[str]:
    seen: list[str] = []

    def ensure(temp: str, _environ: object, _log: object, lock: str) -> str:
        seen.append(lock)
        return temp

    monkeypatch.setattr(install, "ensure", ensure)
    return seen


@pytest.fixture
def broken(merged: Callable[..., Path]) -> Path:
    return merged(files(), lambda at: at.joinpath(FILE).write_text(skill("label-print", VAGUE)))


def environ(fake: FakeMessages, tmp_path: Path) -> dict[str, str]:
    return {"ANTHROPIC_BASE_URL": fake.url, "PLUGIN_EVAL_CACHE": str(tmp_path / "cache")}


def said(ran: Ran, level: str) -> str:
    return "\n".join(text for name, _, text in ran.commands if name == level)


def test_a_regression_fails_the_step(
    step: Step, broken: Path, fake: FakeMessages, tmp_path: Path, locks: list[str]
) -> None:
    ran = step(broken, "pull_request", pull_request(broken), {**GIVEN, "fail-on": "never"}, **environ(fake, tmp_path))
    assert (ran.code, ran.conclusion, ran.outputs["gate"]) == (1, "findings", "regression")
    assert [len(locks), float(ran.outputs["model-cost"]) > 0] == [2, True]
    kept = json.loads(Path(ran.outputs["gate-file"]).read_text())
    assert kept["verdict"] == "regression" and kept["method"]["parts"]["runs"] == "3"
    assert "### Triggering: Regression" in ran.summary
    (place,) = [more["file"] for name, more, _ in ran.commands if name == "error" and "file" in more]
    assert place == FILE and KEY not in repr(ran.outputs) + ran.summary


def test_it_stands_in_the_comment(step: Step, broken: Path, fake: FakeMessages, tmp_path: Path, monkeypatch) -> None:
    from plugin_eval_ci.action import pr_comment

    bodies: list[tuple[str, bool]] = []

    class Posted:
        action, url = "created", "https://github.example/1"

    class Hub:
        def upsert_comment(self, number: int, key: str, body: str, create: bool) -> Posted:
            bodies.append((body, create))
            return Posted()

    monkeypatch.setattr(pr_comment.GitHub, "from_environ", lambda *_: Hub())
    given = {**GIVEN, "comment": "auto", "fail-on": "never"}
    step(broken, "pull_request", pull_request(broken), given, **environ(fake, tmp_path), PEC_TOKEN="t" * 20)
    ((body, create),) = bodies
    assert create and "### Triggering: Regression" in body and body.index("### Triggering") < body.index("<sub>")


def test_a_change_that_loses_nothing_passes(
    step: Step, merged: Callable[..., Path], fake: FakeMessages, tmp_path: Path
) -> None:
    root = merged(
        files(), lambda at: at.joinpath(FILE).write_text(skill("label-print", GOOD.replace("Prints", "Makes")))
    )
    ran = step(root, "pull_request", pull_request(root), {**GIVEN, "fail-on": "never"}, **environ(fake, tmp_path))
    assert (ran.code, ran.conclusion, ran.outputs["gate"], said(ran, "error")) == (0, "clean", "fine", "")


def test_a_change_of_the_text_alone_asks_nothing(
    step: Step, merged: Callable[..., Path], fake: FakeMessages, tmp_path: Path
) -> None:
    root = merged(files(), lambda at: at.joinpath(FILE).write_text(skill("label-print", GOOD) + "\nMore.\n"))
    ran = step(root, "pull_request", pull_request(root), {**GIVEN, "fail-on": "never"}, **environ(fake, tmp_path))
    assert (ran.code, ran.outputs["gate"], fake.calls, ran.outputs["model-cost"]) == (0, "fine", 0, "0.0000")


@pytest.mark.parametrize("who", ["fork", "dependabot"])
def test_a_stranger_gets_no_gate(
    step: Step, broken: Path, fake: FakeMessages, tmp_path: Path, locks: list[str], who: str
) -> None:
    event = pull_request(broken, foreign=who == "fork")
    more = {"GITHUB_ACTOR": "dependabot[bot]"} if who == "dependabot" else {}
    ran = step(broken, "pull_request", event, {**GIVEN, "fail-on": "never"}, **environ(fake, tmp_path), **more)
    assert (ran.code, fake.seen, len(locks)) == (0, [], 1) and "gate" not in ran.outputs
    assert "the gate and the key are not used" in said(ran, "notice")


def test_without_a_key_it_says_so(step: Step, broken: Path) -> None:
    ran = step(broken, "pull_request", pull_request(broken), {"gate": "true", "fail-on": "never"})
    assert ran.code == 0 and "the gate needs a key" in said(ran, "notice") and "gate" not in ran.outputs


@pytest.mark.parametrize("given", [{}, {"gate": "false"}], ids=str)
def test_who_does_not_ask_gets_none(
    step: Step, broken: Path, fake: FakeMessages, tmp_path: Path, locks: list[str], given: dict[str, str]
) -> None:
    more = {"anthropic-api-key": KEY, "fail-on": "never", **given}
    ran = step(broken, "pull_request", pull_request(broken), more, **environ(fake, tmp_path))
    assert (ran.code, fake.seen, len(locks)) == (0, [], 1) and "gate" not in ran.outputs


def test_a_push_has_no_gate(step: Step, broken: Path, fake: FakeMessages, tmp_path: Path) -> None:
    ran = step(broken, "push", {}, {**GIVEN, "fail-on": "never"}, **environ(fake, tmp_path))
    assert (ran.code, fake.seen) == (0, []) and "gate" not in ran.outputs


def test_what_could_go_over_the_sum_is_not_asked(step: Step, broken: Path, fake: FakeMessages, tmp_path: Path) -> None:
    given = {**GIVEN, "fail-on": "never", "max-cost": "0.0001"}
    ran = step(broken, "pull_request", pull_request(broken), given, **environ(fake, tmp_path))
    assert (ran.code, ran.conclusion, ran.outputs["gate"], fake.calls) == (3, "error", "unmeasured", 0)
    assert "max-cost is" in said(ran, "error")


def test_one_sum_for_gate_and_depth(step: Step, broken: Path, fake: FakeMessages, tmp_path: Path) -> None:
    given = {**GIVEN, "fail-on": "never", "depth": "standard"}
    ran = step(broken, "pull_request", pull_request(broken), given, **environ(fake, tmp_path))
    assert ran.code == 1 and len(json.loads(ran.outputs["model-scores"])) == 1
    gate = json.loads(Path(ran.outputs["gate-file"]).read_text())["model_usage"]["cost_usd"]
    assert float(ran.outputs["model-cost"]) > gate > 0


def test_an_outage_is_no_verdict(step: Step, broken: Path, fake: FakeMessages, tmp_path: Path) -> None:
    fake.on(Say("", stop="refusal"), purpose="trials:triggering")
    ran = step(broken, "pull_request", pull_request(broken), {**GIVEN, "fail-on": "never"}, **environ(fake, tmp_path))
    assert (ran.code, ran.conclusion, ran.outputs["gate"]) == (3, "error", "unmeasured")
