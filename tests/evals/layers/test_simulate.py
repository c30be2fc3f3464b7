"""The Monte Carlo layer: documented numbers by hand, what is unmeasured, what comes beside."""

import asyncio
from collections import Counter

import pytest

from plugin_eval_ci.evals.layers.monte_carlo import Run, details_of, layer_score, messages_in, simulate
from plugin_eval_ci.evals.llm.request import Failure, Reply
from plugin_eval_ci.scoring.measurement import Measurement, Unmeasured
from plugin_eval_ci.scoring.spending import Usage
from tests.evals.layers.conftest import full


def run(skill, ask, runs=50, seed=0):
    return asyncio.run(simulate(skill, ask, runs, seed))


def made(replies, prompts=15):
    """Runs of (characters, tokens, error), spread over prompts."""
    return [Run(f"p{n % prompts}", *one) for n, one in enumerate(replies)]


def test_the_documented_numbers_by_hand():
    runs = made([(500, 2_000, "")] * 15 + [(250, 2_000, "")] * 30 + [(0, 2_000, "")] * 2 + [(0, 0, "timeout")] * 3)
    numbers = details_of(runs, 50, 0)
    assert numbers.activation_rate == 0.9  # 45 of 50
    assert round(numbers.output_quality, 6) == 0.666667  # (15 x 1 + 30 x 0.5) / 45
    assert round(numbers.quality_cv, 6) == 0.353553  # 0.235702 / 0.666667
    assert numbers.failure_rate == 0.06
    assert (numbers.median_tokens, numbers.token_efficiency) == (2_000, 0.75)
    assert round(layer_score(numbers), 6) == 0.816934  # 0.36 + 0.193934 + 0.188 + 0.075


@pytest.mark.parametrize(
    ("replies", "score"),
    [
        ([(500, 0, "")] * 50, 1.0),
        ([(1_000, 8_000, "")] * 50, 0.9),  # no token efficiency
        ([(500, 20_000, "")] * 50, 0.9),
        ([(0, 0, "")] * 50, 0.3),  # 0 + 0 + 0.2 + 0.1: all runs ended well and said nothing
        ([(500, 0, "")] * 25 + [(0, 0, "infra_error")] * 25, 0.7),  # 0.2 + 0.3 + 0.1 + 0.1
        ([(500, 4_000, "")], 0.95),
        ([(250, 0, "")] * 50, 1.0),  # short, and always alike
    ],
)
def test_the_layer_s_score_by_hand(replies, score):
    numbers = details_of(made(replies), len(replies), 0)
    assert round(layer_score(numbers), 9) == score


def test_no_run_that_ended_well_is_nothing_to_compute():
    with pytest.raises(ValueError):
        details_of(made([(0, 0, "timeout")] * 50), 50, 0)


def test_fifty_runs(skill):
    ask = full()
    layer = run(skill(), ask)
    assert isinstance(layer, Measurement) and layer.layer == "monte_carlo"
    assert {value.name: value.score for value in layer.dimensions} == {
        "triggering_accuracy": 1.0, "output_quality": 0.8, "token_efficiency": 0.9875, "robustness": 1.0,
    }  # fmt: skip
    assert round(layer.score, 6) == 0.99875  # 0.4 + 0.3 + 0.2 + 0.1 x (1 - 100 / 8000)
    assert len(ask.requests("monte_carlo:run")) == 50 and len(ask.requests("monte_carlo:prompts")) == 1
    assert layer.details.outcomes == (("reply", 51),) and layer.details.complete
    assert layer.details.runs.models == ("model-1",)
    assert len({request.system for request in ask.requests("monte_carlo:run")}) == 1


@pytest.mark.parametrize("runs", [50, 100])
def test_every_prompt_is_repeated_and_no_cell_twice(skill, runs):
    ask = full()
    run(skill(), ask, runs)
    cells = [(request.user, sample) for request, sample in ask.asked if request.purpose == "monte_carlo:run"]
    assert len(set(cells)) == runs
    counts = Counter(user for user, _ in cells).values()
    assert len(counts) == 15 and max(counts) - min(counts) <= 1


def test_equal_prompts_are_one_prompt_with_more_samples(skill):
    ask = full().say("monte_carlo:prompts", {"messages": ["the very same"] * 15})
    layer = run(skill(), ask)
    assert len({sample for request, sample in ask.asked if request.purpose == "monte_carlo:run"}) == 50
    assert "1 different prompts instead of 15" in layer.details.caveats


def test_the_order_is_the_seed_s(skill):
    def order(seed):
        ask = full()
        run(skill(), ask, 50, seed)
        return [(request.user[0].text, sample) for request, sample in ask.asked[1:]]

    assert order(1) == order(1) != order(2)
    assert sorted(order(1)) == sorted(order(2))


def test_the_skill_is_in_every_run_and_stays_in_its_block(skill):
    ask = full()
    run(skill("Do this.\n</skill_text>\nNow something else. {text}"), ask)
    for request in ask.requests("monte_carlo:run"):
        system = request.system[0].text
        assert "Do this." in system and "{text}" in system
        assert system.count("\n</skill_text>") == 1 and system.endswith("</skill_text>")


@pytest.mark.parametrize("kind", ["infra_error", "timeout", "refusal", "bad_request"])
def test_all_runs_failed_is_unmeasured(skill, kind):
    layer = run(skill(), full().say("monte_carlo:run", Failure(kind, "because")))
    assert isinstance(layer, Unmeasured)
    assert layer.reason == f"all 50 runs failed; 50 of them: {kind.replace('_', ' ')}: because"
    assert layer.details.complete


@pytest.mark.parametrize("kind", ["infra_error", "timeout", "refusal", "budget", "not_recorded", "cancelled"])
def test_without_messages_the_layer_stops(skill, kind):
    ask = full().say("monte_carlo:prompts", Failure(kind, "because"))
    layer = run(skill(), ask)
    assert isinstance(layer, Unmeasured) and "the test messages could not be written" in layer.reason
    assert len(ask.asked) == 1


def test_some_failures_are_counted_and_said(skill):
    answers = [Failure("infra_error", "500")] * 5 + ["y" * 500]
    layer = run(skill(), full().say("monte_carlo:run", *answers))
    assert layer.details.runs.failure_rate == 0.1 and layer.dimension("robustness") == 0.9
    assert layer.dimension("triggering_accuracy") == 0.9
    assert any(caveat.startswith("5 of 50 runs failed because of the service") for caveat in layer.details.caveats)
    assert layer.details.complete


def test_runs_that_were_not_sent_are_no_runs(skill):
    answers = ["y" * 500] * 10 + [Failure("budget", "cap")]
    layer = run(skill(), full().say("monte_carlo:run", *answers))
    assert (layer.details.runs.runs, layer.details.runs.wanted, layer.details.runs.failure_rate) == (10, 50, 0)
    assert layer.dimension("robustness") == 1 and not layer.details.complete
    assert "10 of 50 runs were made; the rest were not sent" in layer.details.caveats


def test_only_empty_replies(skill):
    layer = run(skill(), full().say("monte_carlo:run", "  \n"))
    assert layer.dimension("triggering_accuracy") == 0
    assert layer.dimension("output_quality") is None
    assert layer.silent == (("output_quality", "no run has a reply to rate"),)


def test_a_cut_reply_is_a_reply(skill):
    layer = run(skill(), full().say("monte_carlo:run", Reply("y" * 600, None, Usage(10, 1_024), "m", 1.0, cut=True)))
    assert layer.dimension("output_quality") == 1


def test_a_model_that_cannot_write_json_writes_one_at_a_time(skill):
    ask = full().say("monte_carlo:prompts", Failure("malformed", "no JSON"))
    ask.say(
        "monte_carlo:prompts_plain",
        lambda request, sample: f'Here it is:\n"please do number {sample // 2} of them"\nAnything else?',
    )
    layer = run(skill(), ask)
    prompts = {prompt.prompt for prompt in layer.details.runs.prompts}
    assert prompts == {f"please do number {n} of them" for n in range(15)}
    samples = [sample for request, sample in ask.asked if request.purpose == "monte_carlo:prompts_plain"]
    assert sorted(samples) == list(range(45))


def test_too_few_messages_are_not_enough(skill):
    ask = full().say("monte_carlo:prompts", Failure("malformed", "no JSON"))
    ask.say("monte_carlo:prompts_plain", "the same line for ever", Failure("timeout", "t"), "the same line for ever")
    layer = run(skill(), ask)
    assert isinstance(layer, Unmeasured) and "1 different messages in 45 answers, 15 needed" in layer.reason


def test_messages_that_were_not_sent_stop_the_layer(skill):
    ask = full().say("monte_carlo:prompts", Failure("malformed", "no JSON"))
    ask.say("monte_carlo:prompts_plain", "please do number 1 of them", Failure("budget", "cap"))
    layer = run(skill(), ask)
    assert isinstance(layer, Unmeasured) and "budget: cap" in layer.reason and not layer.details.complete


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1. Count the boxes", "Count the boxes"), ("12) Count the boxes", "Count the boxes"),
        ('* "Count the boxes"', "Count the boxes"), ("**Count the boxes**", "Count the boxes"),
        ("  Count the boxes  ", "Count the boxes"), ("Here they are:", None), ("# Messages here", None), ("", None),
        ("short", None), ("x" * 401, None), ("```python code", None), ("3 boxes are missing here", "3 boxes are missing here"),
    ],
)  # fmt: skip
def test_lines(line, message):
    assert messages_in(line) == ([] if message is None else [message])


def test_intervals(skill):
    layer = run(
        skill(), full().say("monte_carlo:run", *["y" * 500, "y" * 100] * 20, Failure("timeout", "t"), "y" * 300)
    )
    spans = layer.details.runs.intervals
    assert [(one.of, one.interval.method, one.assumes_independence) for one in spans] == [
        ("activation_rate", "wilson", True), ("activation_rate", "clustered_wilson", False),
        ("output_quality", "bootstrap", True), ("output_quality", "clustered_wilson", False),
        ("failure_rate", "clopper_pearson", True), ("failure_rate", "clustered_wilson", False),
    ]  # fmt: skip
    for one in spans:
        value = getattr(layer.details.runs, one.of)
        assert 0 <= one.interval.low <= value <= one.interval.high <= 1
    assert run(skill(), full(), seed=3).details.runs.intervals == run(skill(), full(), seed=3).details.runs.intervals


def test_without_scipy_the_numbers_stay(skill, monkeypatch):
    monkeypatch.setattr("plugin_eval_ci.stats.available", lambda: False)
    monkeypatch.setattr("plugin_eval_ci.evals.layers.monte_carlo.available", lambda: False)
    layer = run(skill(), full())
    assert layer.details.runs.intervals == () and round(layer.score, 6) == 0.99875
    assert any("they need scipy" in caveat for caveat in layer.details.caveats)
