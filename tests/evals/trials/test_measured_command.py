"""Depth measured from the command line: the example with its recorded answers, and services that fail, are absent or bill."""

import importlib.util
import json
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from plugin_eval_ci import cli
from tests.fake_messages import KEY, Fail, FakeMessages, Raw, Say, Seen

pytest.importorskip("anthropic")
ROOT = Path(__file__).resolve().parents[3]
SCHEMA = json.loads((ROOT / "plugin_eval_ci" / "schemas" / "score.schema.json").read_text(encoding="utf-8"))
CASSETTE = ("--cassette", "cassettes", "--replay")
DAY = ("--date", "2026-11-30")
SKILL = "skills/station-report"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """``run("--replay", …)`` scores a copy of the example at depth measured: exit code, output, what was said. No key is set."""
    shutil.copytree(ROOT / "examples" / "measured", tmp_path / "measured")
    monkeypatch.chdir(tmp_path / "measured")
    monkeypatch.setenv("PLUGIN_EVAL_CACHE", str(tmp_path / "cache"))
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)

    def call(path: str, *words: str, depth: str = "measured"):
        code = cli.run(["score", path, "--depth", depth, *words])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def cut_off(monkeypatch):
    """No connection can be made."""

    def refuse(*_: object) -> None:
        raise AssertionError("a connection was made")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def valid(out: str) -> dict:
    document = json.loads(out)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    return document


def test_the_example_replays_the_same_twice_without_key_and_network(run, cut_off):
    found = {}
    for output in ("json", "html"):
        (code, first, err), (_, again, _) = (run(".", *CASSETTE, *DAY, "--output", output) for _ in range(2))
        assert code == 0 and first == again and "stale" not in err
        found[output] = first
    document = valid(found["json"])
    assert (document["depth"], document["composite"]["confidence_label"]) == ("measured", "Measured")
    assert document["composite"]["ci_lower"] < document["composite"]["score"] < document["composite"]["ci_upper"]
    assert document["model_usage"]["calls"] == 0 and document["model_usage"]["recorded"] > 500
    assert all(model["model"].startswith("simulated-") for model in document["model_usage"]["models"])
    theft = document["confusion"]["taken"][0]
    assert (theft["taker"], theft["owner"]) == ("river-watch:trend-brief", "river-watch:station-report")
    assert 0.1 < theft["value"] < 0.5 and theft["low"] < theft["value"] < theft["high"]
    for member in document["members"]:
        trials = next(layer for layer in member["layers"] if layer["layer"] == "trials")["details"]["trials"]
        assert trials["triggering"]["positives"] == 8 and trials["help"]["wins"] > 0 and trials["labels"]["reviewed"]


def test_one_skill_of_it_replays_from_the_same_answers(run, cut_off):
    code, out, err = run(SKILL, *CASSETTE, "--output", "json")
    document = valid(out)
    assert code == 0 and "stale" not in err and document["composite"]["confidence_label"] == "Measured"
    measured = {row["name"]: row["score"] for row in document["composite"]["dimensions"]}
    assert all(score is not None for score in measured.values())
    whole = valid(run(".", *CASSETTE, "--output", "json")[1])
    member = next(one for one in whole["members"] if one["name"] == "station-report")
    mine, theirs = ({row["name"]: row["score"] for row in one["composite"]["dimensions"]} for one in (document, member))
    assert mine["output_quality"] == theirs["output_quality"]


def test_without_a_key_nothing_is_measured(run):
    code, out, err = run(SKILL, "--output", "json")
    document = valid(out)
    assert code == 3 and "ANTHROPIC_API_KEY" in err and document["composite"]["confidence_label"] == "Estimated"
    assert {one["layer"] for one in document["unmeasured"]} == {"judge", "trials"}
    assert document["composite"]["ci_lower"] is None and "badge_lower" not in document["composite"]


def test_without_a_key_a_plugin_says_so_once_and_not_for_every_skill(run):
    code, out, err = run(".")
    assert code == 3 and err.count("\n") == 1 and "the result is Estimated: no API key" in err
    assert "Estimated (depth quick)" in out


def test_without_recorded_answers_it_is_stale(run):
    code, out, err = run(SKILL, "--cassette", "elsewhere", "--replay", "--output", "json")
    assert code == 3 and "stale:" in err and "$" in err and valid(out)["depth"] == "quick"


@pytest.fixture
def fake(monkeypatch):
    with FakeMessages(KEY) as server:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        yield server


def test_an_outage_is_no_number(run, fake):
    fake.on(Fail(400, "no such thing"))
    code, out, err = run(SKILL, "--output", "json")
    document = valid(out) if out else None
    assert code == 3
    if document is not None:
        measured = {row["name"]: row["score"] for row in document["composite"]["dimensions"]}
        assert measured["robustness"] is None and measured["output_quality"] is None
        assert document["composite"]["confidence_label"] == "Estimated"
    else:
        assert "no such thing" in err


def test_refused_trials_are_unmeasured_and_no_misses(run, fake):
    fake.on(Say("", stop="refusal"))
    code, out, _ = run(SKILL, "--output", "json", "--no-controls")
    document = valid(out)
    trials = next(one for one in document["unmeasured"] if one["layer"] == "trials")
    assert code == 3 and "failed" in trials["reason"] and document["composite"]["confidence_label"] == "Estimated"
    assert next(row for row in document["composite"]["dimensions"] if row["name"] == "robustness")["score"] is None


def test_controls_that_are_not_told_apart_leave_nothing(run, fake):
    """A model that answers everything itself: no trial fails, and yet nothing was measured."""
    fake.on(Say("Done, without any skill at all."))
    code, out, _ = run(SKILL, "--output", "json", "--no-help")
    document = valid(out)
    reason = next(one for one in document["unmeasured"] if one["layer"] == "trials")["reason"]
    assert code == 3 and "could not tell the controls apart" in reason


def test_a_cap_is_kept(run, fake):
    code, out, _ = run(SKILL, "--max-cost", "0.000001", "--output", "json")
    assert code == 3 and fake.calls == 0 and valid(out)["composite"]["confidence_label"] == "Estimated"


@pytest.mark.parametrize("words", [("--runs", "2"), ("--mode", "lean"), ("--no-help",), ("--subject", "opus")])
def test_options_of_trials_need_the_depth(run, words):
    assert run(SKILL, *words, depth="standard")[0] == 2
    assert run(SKILL, *words, "--estimate")[0] == 0


def test_a_damaged_task_file_leaves_the_help_of_its_skill_unmeasured(run, cut_off):
    Path(SKILL, "evals", "evals.json").write_text("{", encoding="utf-8")
    code, out, err = run(".", *CASSETTE, "--output", "json")
    document = valid(out)
    assert code == 3 and "evals.json:1" in err
    trials = {
        member["name"]: layer["details"]["trials"]
        for member in document["members"]
        for layer in member["layers"]
        if layer["layer"] == "trials"
    }
    assert len(trials) == 5 and all(one["triggering"] is not None for one in trials.values())
    assert trials["station-report"]["help"] is None and "evals.json:1" in trials["station-report"]["unhelped"]
    assert trials["trend-brief"]["help"] is not None


def test_a_damaged_label_file_leaves_its_skill_unmeasured(run, cut_off):
    Path(SKILL, "evals", "triggers.yaml").write_text("prompts: 3\n", encoding="utf-8")
    code, out, err = run(".", *CASSETTE, "--output", "json")
    document = valid(out)
    assert code == 3 and "triggers.yaml:1" in err
    named = {member["name"]: member for member in document["members"]}
    assert any(
        "triggers.yaml" in (one["details"]["trials"]["untriggered"] or "")
        for one in named["station-report"]["layers"]
        if one["layer"] == "trials"
    )


def _trials_of(document: dict) -> dict:
    return next(one for one in document["layers"] if one["layer"] == "trials")


@pytest.mark.parametrize("kind", ["not text", "hidden"])
def test_a_skill_that_cannot_be_chosen_is_not_tried_and_costs_nothing(run, fake, kind):
    """The prompts of its siblings alone would be tried for nothing, and come out as a number."""
    file = Path(SKILL, "SKILL.md")
    text = file.read_text(encoding="utf-8").replace("\n---\n", "\ndisable-model-invocation: true\n---\n", 1)
    file.write_bytes(b"\xff\xfe\x00" if kind == "not text" else text.encode())
    code, out, err = run(SKILL, "--output", "json")
    document = valid(out)
    assert (code, fake.calls) == (3, 0)
    assert {one["layer"] for one in document["unmeasured"]} == {"judge", "trials"}
    assert ("could not be read" if kind == "not text" else "cannot choose it") in err
    code, out, _ = run(SKILL, "--estimate")
    assert code == 0 and "there is nothing to ask" in out


def test_the_others_are_tried_beside_one_that_cannot_be_read(run, cut_off):
    Path(SKILL, "SKILL.md").write_bytes(b"\xff\xfe\x00")
    code, out, _ = run(".", "--no-controls", "--cassette", "elsewhere", "--replay", "--output", "json")
    document = valid(out)
    assert code == 3
    reasons = {one["name"]: [layer["reason"] for layer in one["unmeasured"]] for one in document["members"]}
    assert all("could not be read" in why for why in reasons["station-report"])
    assert not any("could not be read" in why for why in reasons["trend-brief"]) and reasons["trend-brief"]


def test_skills_of_one_name_are_not_taken_for_each_other(run, fake):
    """A list shows one text for a name: whose number would it be?"""
    shutil.copytree("skills/visit-log", "skills/other-log")
    code, out, err = run("skills/visit-log", "--no-help", "--no-controls", "--output", "json")
    trials = next(one for one in valid(out)["unmeasured"] if one["layer"] == "trials")
    assert code == 3 and "under the same name" in trials["reason"] and "other-log" in err
    assert not any(seen.purpose.startswith("trials:") for seen in fake.messages())
    code, out, _ = run(SKILL, "--no-help", "--no-controls", "--output", "json")
    assert _trials_of(valid(out))["details"]["trials"]["triggering"]["positives"] == 8


def test_an_answer_that_says_a_number_is_no_message_and_no_miss(run, fake, recwarn):
    words = b'"model": "m", "stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 1}'
    fake.on(
        Raw(
            b'{"id": "x", "type": "message", "role": "assistant", "content": [{"type": "text", "text": 3}], '
            + words
            + b"}"
        )
    )
    code, out, err = run(SKILL, "--no-help", "--no-controls", "--output", "json")
    trials = next(one for one in valid(out)["unmeasured"] if one["layer"] == "trials")
    assert code == 3 and "failed" in trials["reason"] and "Warning" not in err
    assert not recwarn.list


def test_labels_of_people_that_cannot_be_read_are_named_by_their_place_in_the_repository(run):
    Path("evals").mkdir()
    Path("evals/labels.jsonl").write_text("{\n", encoding="utf-8")
    subprocess.run(["git", "init", "-q", "."], check=True)
    code, _, err = run(SKILL, "--estimate")
    assert (code, err) == (2, "plugin-eval: evals/labels.jsonl:1: not valid JSON\n")


def typical(seen: Seen) -> Say:
    """Answers as long as they are expected to be; half of the first ones of a trial call a tool that is no skill."""
    words = {"help:with": 900, "help:without": 900, "help:grade": 250}.get(seen.purpose, 220)
    if seen.purpose.startswith("trials:"):
        if not seen.turn and typical.turn.setdefault(seen.asked, len(typical.turn)) % 2:
            return Say("Let me look.", calls=[("Bash", {"command": "ls"})], usage=None)
        return Say("x" * 350, usage=None)
    if seen.schema is None:
        return Say("y" * round(words * 3.5), usage=None)
    text = json.dumps(made_up(seen.schema))
    return Say(text, usage={"input_tokens": len(json.dumps(seen.body)) // 4, "output_tokens": words})


typical.turn = {}


def made_up(schema: dict) -> object:
    from plugin_eval_ci.evals.llm.json_schema import smallest_value as made

    return made(schema)


def test_the_estimate_is_what_a_service_bills(run, fake):
    """The default plan for a skill, with answers of the expected lengths: within a tenth."""
    fake.on(typical)
    code, out, _ = run(SKILL, "--estimate")
    said = [float(word.strip("$,;").replace(",", "")) for word in out.split() if word.startswith("$")]
    calls = int(out.split(" measured: ")[1].split(" ")[0])
    document = valid(run(SKILL, "--output", "json")[1])
    usage = document["model_usage"]
    assert code == 0 and abs(usage["calls"] - calls) <= 0.1 * usage["calls"]
    assert abs(said[0] - usage["cost_usd"]) <= 0.1 * usage["cost_usd"], (said, usage["cost_usd"])


def test_the_recorder_knows_every_skill_of_the_example():
    spec = importlib.util.spec_from_file_location("demo_measured", ROOT / "tools" / "demo_measured.py")
    assert spec is not None and spec.loader is not None
    before = list(sys.path)
    try:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path[:] = before
    habits, tasks = module.material(ROOT / "examples" / "measured")
    assert len(habits) == 5 * 16 + 8 and len(tasks) == 5 * 6 + 3


def test_in_batches_the_trials_say_what_they_say_alone(run, monkeypatch, tmp_path):
    """Whatever waits for an answer first is asked by the next run, until nothing is missing."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    words = (SKILL, "--output", "json", "--no-help", "--no-controls")
    with FakeMessages(KEY) as fake:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.url)
        fake.on(
            lambda seen: (
                Say("", calls=[("Read", {"path": "x"})]) if seen.turn == 0 and "a" in seen.asked[-9:] else Say()
            )
        )
        alone = valid(run(*words)[1])
        monkeypatch.setenv("PLUGIN_EVAL_CACHE", str(tmp_path / "batches"))
        paid, said = fake.calls, []
        for _ in range(6):
            code, out, err = run(*words, "--batch")
            if "submitted" not in err:
                break
            assert (code, out) == (3, "")
            said.append(err)
        assert 2 <= len(said) <= 4 and fake.calls == paid
        batched = valid(out)

    def trials(document: dict) -> dict:
        return next(layer for layer in document["layers"] if layer["layer"] == "trials")

    assert trials(batched) == trials(alone)
    assert batched["model_usage"]["cost_usd"] > 0
