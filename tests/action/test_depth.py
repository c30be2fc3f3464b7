"""Depths beyond quick in a step: who may ask models, what they are asked about, what it may cost, and who never sees the key."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from action.conftest import Ran, Step, pull_request

from plugin_eval_ci.action import install
from plugin_eval_ci.evals.llm.anthropic.cache import _cache_file
from plugin_eval_ci.github.actions import Keys, Pull, Secret, forget_keys, from_environ
from tests.evals.layers.conftest import judging
from tests.fake_messages import KEY, FakeMessages, Say

pytest.importorskip("anthropic")
Repo = Callable[..., Path]
Text = Callable[..., str]
GIVEN = {"depth": "standard", "anthropic-api-key": KEY}


@pytest.fixture
def fake() -> Iterator[FakeMessages]:
    with FakeMessages(KEY) as server:
        yield judging(server)


@pytest.fixture
def root(merged: Callable[..., Path], skill_text: Text) -> Path:
    """A pull request that changes ``one`` of two skills."""
    files = {f"skills/{name}/SKILL.md": skill_text(name) for name in ("one", "two")}
    return merged(
        files, lambda at: at.joinpath("skills/one/SKILL.md").write_text(skill_text("one", body="Other words."))
    )


class Started:
    """The environments of all that was started, seen where processes are made."""

    def __init__(self) -> None:
        self.environments: list[dict[str, str]] = []

    def sees(self, text: str) -> bool:
        return any(text in f"{name}={value}" for one in self.environments for name, value in one.items())


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    made, init = Started(), subprocess.Popen.__init__

    def watched(self: object, *words: object, **more: object) -> None:
        given = more.get("env")
        made.environments.append(dict(given if isinstance(given, dict) else os.environ))
        init(self, *words, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(subprocess.Popen, "__init__", watched)
    return made


@pytest.fixture
def locks(monkeypatch: pytest.MonkeyPatch, step: Step) -> list[str]:
    """The locks that were installed from; it comes after ``step``, whose stand-in does not tell."""
    seen: list[str] = []

    def ensure(temp: str, _environ: object, _log: object, lock: str) -> str:
        seen.append(os.path.basename(lock))
        return os.path.join(temp, lock)

    monkeypatch.setattr(install, "ensure", ensure)
    return seen


def environ(fake: FakeMessages, tmp_path: Path) -> dict[str, str]:
    return {"ANTHROPIC_BASE_URL": fake.url, "PLUGIN_EVAL_CACHE": str(tmp_path / "cache")}


def said(ran: Ran, level: str) -> str:
    return "\n".join(text for name, _, text in ran.commands if name == level)


def shown(ran: Ran) -> str:
    """All that a person or a later step can read; a mask is no part of it, for the runner keeps it to itself."""
    commands = [one for one in ran.commands if one[0] != "add-mask"]
    return "\n".join([*ran.log, repr(commands), repr(ran.outputs), ran.summary])


def holding(folder: Path, text: str) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file() and text.encode() in file.read_bytes()]


def test_a_pull_request_has_its_changed_skills_judged(
    step: Step, root: Path, fake: FakeMessages, tmp_path: Path, started: Started, locks: list[str]
) -> None:
    ran = step(root, "pull_request", pull_request(root), GIVEN, **environ(fake, tmp_path))
    assert (ran.code, ran.conclusion, said(ran, "notice"), said(ran, "error")) == (0, "clean", "", "")
    ((path, label),) = [(one["path"], one["label"]) for one in json.loads(ran.outputs["model-scores"])]
    assert (path, label) == ("skills/one/SKILL.md", "Assessed") and float(ran.outputs["model-cost"]) > 0
    kept = json.loads(Path(json.loads(ran.outputs["model-scores"])[0]["file"]).read_text())
    assert kept["depth"] == "standard" and "1 skill at depth `standard`" in ran.summary
    assert fake.calls == 4 and all(KEY in " ".join(one.headers.values()) for one in fake.messages())
    assert locks == ["requirements.txt", "requirements-llm.txt"]
    assert started.environments and not started.sees(KEY)
    assert KEY not in shown(ran) and holding(tmp_path, KEY) == []
    assert [text for name, _, text in ran.commands if name == "add-mask"] == [KEY]


@pytest.mark.parametrize(
    ("change", "more", "why"),
    [
        ({"head": {"repo": {"full_name": "fork/kit"}}}, {}, "comes from a fork"),
        ({"head": {"repo": None}}, {}, "comes from a fork"),  # the fork is gone
        ({"user": {"login": "dependabot[bot]"}}, {}, "Dependabot"),
        ({}, {"GITHUB_ACTOR": "dependabot[bot]"}, "Dependabot"),
    ],
    ids=["fork", "fork that is gone", "Dependabot's", "started by Dependabot"],
)
@pytest.mark.parametrize("job", [False, True], ids=["input", "environment of the job"])
def test_a_stranger_gets_neither_models_nor_key(
    step: Step, root: Path, fake: FakeMessages, tmp_path: Path, started: Started, locks: list[str],
    change: dict[str, dict[str, object]], more: dict[str, str], why: str, job: bool,
) -> None:  # fmt: skip
    event = pull_request(root)
    for name, values in change.items():
        event["pull_request"][name] = {**event["pull_request"].get(name, {}), **values}  # type: ignore[index]
    given = {"depth": "standard"} if job else GIVEN
    own = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_AUTH_TOKEN": KEY} if job else {}
    ran = step(root, "pull_request", event, given, **environ(fake, tmp_path), **own, **more)
    assert (ran.code, ran.conclusion, fake.seen, locks) == (0, "clean", [], ["requirements.txt"])
    assert why in said(ran, "notice") and "depth standard and the key are not used" in said(ran, "notice")
    assert "untrusted text" in said(ran, "notice") and "model-scores" not in ran.outputs
    assert started.environments and not started.sees(KEY) and KEY not in "".join(os.environ.values())
    assert KEY not in shown(ran) + repr(ran.commands) and holding(tmp_path, KEY) == []


def test_a_stranger_who_asks_for_nothing_is_told_nothing(step: Step, root: Path) -> None:
    ran = step(root, "pull_request", pull_request(root, foreign=True), {})
    assert (ran.code, ran.commands) == (0, [])


@pytest.mark.parametrize("event", ["issue_comment", "workflow_run", "pull_request_review", "release"])
def test_other_events_may_be_a_stranger_s(
    step: Step, root: Path, fake: FakeMessages, tmp_path: Path, event: str
) -> None:
    ran = step(root, event, {}, {**GIVEN, "mode": "lint"}, **environ(fake, tmp_path))
    assert ran.code == 0 and fake.seen == [] and f"on the event {event}" in said(ran, "notice")


def test_pull_request_target_stays_refused(step: Step, root: Path, fake: FakeMessages, tmp_path: Path) -> None:
    ran = step(root, "pull_request_target", pull_request(root), GIVEN, **environ(fake, tmp_path))
    assert (ran.code, fake.seen) == (2, []) and "pull_request_target is not supported" in said(ran, "error")
    assert KEY not in shown(ran)


def test_without_a_key_it_is_the_static_result(step: Step, root: Path, locks: list[str]) -> None:
    ran = step(root, "pull_request", pull_request(root), {"depth": "deep"})
    assert (ran.code, ran.conclusion, locks) == (0, "clean", ["requirements.txt"])
    assert "the input anthropic-api-key is empty" in said(ran, "notice") and "model-scores" not in ran.outputs


@pytest.mark.parametrize(
    "given", [{}, {"anthropic-api-key": KEY}, {"depth": "quick", "anthropic-api-key": KEY}], ids=str
)
def test_quick_installs_and_asks_nothing(
    step: Step, root: Path, fake: FakeMessages, tmp_path: Path, locks: list[str], given: dict[str, str]
) -> None:
    ran = step(root, "pull_request", pull_request(root), given, **environ(fake, tmp_path))
    assert (ran.code, fake.seen, locks, said(ran, "notice")) == (0, [], ["requirements.txt"], "")


def test_a_report_asks_about_each_skill_within_one_sum(
    step: Step, root: Path, fake: FakeMessages, tmp_path: Path
) -> None:
    ran = step(root, "schedule", {}, {**GIVEN, "paths": "skills"}, **environ(fake, tmp_path))
    assert (ran.code, ran.conclusion) == (0, "clean") and fake.calls == 8
    both = json.loads(ran.outputs["model-scores"])
    assert [one["path"] for one in both] == ["skills/one/SKILL.md", "skills/two/SKILL.md"]
    assert "2 skills at depth `standard`" in ran.summary and ran.outputs["score"]


def test_a_report_can_try_its_skills(
    step: Step, merged: Callable[..., Path], fake: FakeMessages, tmp_path: Path
) -> None:
    example = Path(__file__).parents[2] / "examples/measured"
    files = {str(one.relative_to(example)): one.read_text("utf-8") for one in example.rglob("*") if one.is_file()}
    recorded = files.pop("cassettes/answers.jsonl")
    place = Path(_cache_file(str(tmp_path / "cache"), fake.url))
    place.parent.mkdir(parents=True)
    place.write_text(recorded, "utf-8")
    given = {**GIVEN, "depth": "measured", "paths": "skills/station-report\nskills/trend-brief"}
    root = merged(files, lambda at: at.joinpath("README.md").write_text("Changed."))
    ran = step(root, "schedule", {}, given, **environ(fake, tmp_path))
    assert (ran.code, ran.conclusion, fake.calls) == (0, "clean", 0), said(ran, "error")
    both = json.loads(ran.outputs["model-scores"])
    assert [one["label"] for one in both] == ["Measured", "Measured"]
    kept = json.loads(Path(both[0]["file"]).read_text())
    assert kept["composite"]["ci_lower"] < kept["composite"]["score"] and "depth `measured`" in ran.summary


def test_trials_that_would_likely_go_over_the_sum_are_not_begun(
    step: Step, root: Path, fake: FakeMessages, tmp_path: Path
) -> None:
    given = {**GIVEN, "depth": "measured", "paths": "skills", "max-cost": "0.02"}
    ran = step(root, "schedule", {}, given, **environ(fake, tmp_path))
    assert (ran.code, fake.calls) == (3, 0) and "of max-cost is left" in said(ran, "error")


def test_what_could_go_over_the_sum_is_not_asked(step: Step, root: Path, fake: FakeMessages, tmp_path: Path) -> None:
    ran = step(root, "schedule", {}, {**GIVEN, "paths": "skills", "max-cost": "0.01"}, **environ(fake, tmp_path))
    assert (ran.code, ran.conclusion, fake.calls, ran.outputs["model-scores"]) == (3, "error", 0, "[]")
    assert "of max-cost is left" in said(ran, "error") and Path(ran.outputs["json-file"]).exists()
    assert "2 of 2 skills" in said(ran, "error") and ran.outputs["model-cost"] == "0.0000"


def test_a_wrong_key_ends_it_at_once(step: Step, root: Path, fake: FakeMessages, tmp_path: Path) -> None:
    wrong = "sk-ant-wrong-987654321"
    given = {"depth": "standard", "anthropic-api-key": wrong, "paths": "skills"}
    ran = step(root, "schedule", {}, given, **environ(fake, tmp_path))
    assert (ran.code, ran.conclusion) == (3, "error") and "key" in said(ran, "error")
    assert {json.dumps(one.body.get("messages"))[:80] for one in fake.messages() if "two" in one.prompt} == set()
    assert "skipped after the failure above" in ran.summary and ran.outputs["score"]
    assert wrong not in shown(ran) and holding(tmp_path, wrong) == []


def test_a_service_that_refuses_is_named_and_scores_nothing(
    step: Step, root: Path, fake: FakeMessages, tmp_path: Path
) -> None:
    fake.on(Say("", stop="refusal"), purpose="judge:")
    ran = step(root, "pull_request", pull_request(root), GIVEN, **environ(fake, tmp_path))
    assert (ran.code, ran.conclusion) == (3, "error") and "1 of 1 skill not measured at this depth" in said(
        ran, "error"
    )
    (one,) = json.loads(ran.outputs["model-scores"])
    assert one["label"] == "Estimated"


def test_findings_still_fail_where_models_are_content(
    step: Step, merged: Callable[..., Path], skill_text: Text, fake: FakeMessages, tmp_path: Path
) -> None:
    dead = skill_text("one", body="See [x](references/gone.md).")
    root = merged(
        {"skills/one/SKILL.md": skill_text("one")}, lambda at: at.joinpath("skills/one/SKILL.md").write_text(dead)
    )
    ran = step(root, "pull_request", pull_request(root), GIVEN, **environ(fake, tmp_path))
    assert (ran.code, ran.conclusion, fake.calls) == (1, "findings", 4)


def test_nothing_changed_nothing_asked(
    step: Step, merged: Callable[..., Path], skill_text: Text, fake: FakeMessages, tmp_path: Path
) -> None:
    root = merged({"skills/one/SKILL.md": skill_text("one")}, lambda at: at.joinpath("README.md").write_text("x"))
    ran = step(root, "pull_request", pull_request(root), GIVEN, **environ(fake, tmp_path))
    assert (ran.code, ran.conclusion, fake.seen) == (0, "empty", [])


@pytest.mark.parametrize("key", ["sk-ant-a\nb", "sk ant", "sk-\x1b[0m", "sk-é"])
def test_a_key_that_no_header_can_hold(step: Step, root: Path, key: str) -> None:
    ran = step(root, "push", {}, {"depth": "standard", "anthropic-api-key": key})
    assert ran.code == 2 and "input anthropic-api-key" in said(ran, "error") and key not in shown(ran)


def test_keys_are_read_once_and_taken_away() -> None:
    names = {"PEC_ANTHROPIC_API_KEY": "a", "ANTHROPIC_API_KEY": "b", "ANTHROPIC_AUTH_TOKEN": "c"}
    more = {"INPUT_ANTHROPIC-API-KEY": "a", "input_anthropic_api_key": "a", "ANTHROPIC_BASE_URL": "u", "PEC_TOKEN": "t"}
    given = names | more
    keys = from_environ(given).keys
    assert (keys.key.value, keys.token.value) == ("a", "c") and "a" not in repr(keys.key)
    forget_keys(given)
    assert given == {"ANTHROPIC_BASE_URL": "u"}
    assert "sk-x" not in repr(Keys(Secret("sk-x"), Secret("sk-x"))) and Pull(1, None, None).foreign
