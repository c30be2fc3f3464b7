"""``score``, ``certify`` and ``compare`` at the deeper depths, from the command line to a server of our own and back."""

import json
import re
import sys
from pathlib import Path

import jsonschema
import pytest

from plugin_eval_ci import cli
from tests.evals.layers.conftest import judging
from tests.fake_messages import KEY, Fail, FakeMessages, Say, Seen

pytest.importorskip("anthropic")
SCHEMAS = Path(cli.__file__).parents[1] / "schemas"
SKILL = "shop/skills/stock-report"


@pytest.fixture
def fake():
    with FakeMessages(KEY) as server:
        judging(server)
        messages = {"messages": [f"please do number {n} of them" for n in range(15)]}
        server.on(Say(json.dumps(messages)), purpose="monte_carlo:prompts")
        server.on(Say("y" * 400), purpose="monte_carlo:run")
        server.on(lambda seen: Say(json.dumps({"tasks": asked_tasks(seen)})), purpose="rate:tasks")
        server.on(Say(json.dumps({"reason": "so", "verdict": "first"})), purpose="rate:compare")
        yield server


def asked_tasks(seen: Seen) -> list[str]:
    many = re.search(r"Write (\d+)", seen.system + seen.prompt)
    return [f"task {number} of them" for number in range(int(many[1]) if many else 0)]


@pytest.fixture
def run(repo, skill_text, inside, capsys, monkeypatch, tmp_path):
    """``run("score", SKILL, …)``: exit code, output and what was said. No key is set."""
    inside(
        repo(
            {
                "shop/.claude-plugin/plugin.json": '{"name": "shop"}',
                f"{SKILL}/SKILL.md": skill_text(),
                "shop/skills/label-print/SKILL.md": skill_text("label-print"),
                "shop/agents/x.md": "---\nname: x\ndescription: Counts.\n---\nZ\n",
            }
        )
    )
    monkeypatch.setenv("PLUGIN_EVAL_CACHE", str(tmp_path / "cache"))

    def call(*words: str):
        code = cli.run(list(words))
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def keyed(run, fake, monkeypatch):
    """The same with a key and the server."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.url)
    return run


def valid(out: str) -> dict:
    document = json.loads(out)
    jsonschema.Draft202012Validator(json.loads((SCHEMAS / "score.schema.json").read_text())).validate(document)
    return document


@pytest.mark.parametrize(
    ("depth", "label", "calls"),
    [("standard", "Assessed", 4), ("deep", "Certified", 55), ("thorough", "Certified+", 105)],
)
def test_every_depth(keyed, fake, depth, label, calls):
    code, out, err = keyed("score", SKILL, "--depth", depth, "--output", "json")
    document = valid(out)
    assert code == 0 and fake.calls == calls and "experimental" in err
    assert (document["depth"], document["composite"]["confidence_label"], document["unmeasured"]) == (depth, label, [])
    usage = document["model_usage"]
    assert usage["calls"] == calls and usage["cost_usd"] > 0 and usage["input_tokens"] == 100 * calls
    assert sum(model["calls"] for model in usage["models"]) == calls


def test_certify_is_deep(keyed, fake):
    code, out, _ = keyed("certify", SKILL, "--output", "json")
    assert code == 0 and fake.calls == 55
    runs = valid(out)["layers"][2]["details"]["monte_carlo"]
    assert (runs["runs"], len(runs["prompts"]), runs["output_quality"]) == (50, 15, 0.8)
    assert [row["assumes_independence"] for row in runs["intervals"]] == [True, False] * 3


def test_a_reply_that_was_cut_at_its_limit_is_no_failed_run(keyed, fake):
    fake.on(Say("y" * 600, "max_tokens"), purpose="monte_carlo:run")
    runs = valid(keyed("certify", SKILL, "--output", "json")[1])["layers"][2]["details"]["monte_carlo"]
    assert (runs["failure_rate"], runs["activation_rate"], runs["output_quality"]) == (0, 1, 1)


@pytest.mark.parametrize("output", ["text", "markdown", "html"])
def test_every_format_says_what_ran(keyed, output):
    code, out, _ = keyed("certify", SKILL, "--output", output, "--judges", "2")
    words = " ".join(out.split())
    assert code == 0 and "Certified" in words
    for said in ("Monte Carlo layer", "experimental", "over 2 judges", "claude-haiku", "clustered by prompt"):
        assert said in words, said


def test_without_a_key_the_default_is_the_static_score(run):
    code, out, err = run("score", SKILL, "--output", "json")
    document = valid(out)
    assert code == 0 and document["composite"]["confidence_label"] == "Estimated"
    for word in ("scope_calibration", "output_quality", "ANTHROPIC_API_KEY", "Estimated"):
        assert word in err
    assert document["unmeasured"][0]["layer"] == "judge" and "ANTHROPIC_API_KEY" in document["unmeasured"][0]["reason"]
    assert (
        document["composite"]["score"]
        == valid(run("score", SKILL, "--depth", "quick", "--output", "json")[1])["composite"]["score"]
    )


@pytest.mark.parametrize(
    "words", [("score", SKILL, "--depth", "standard"), ("certify", SKILL), ("compare", SKILL, SKILL, "--depth", "deep")]
)
def test_without_a_key_a_named_depth_is_3(run, words):
    code, out, err = run(*words)
    assert code == 3 and "Estimated" in out and "ANTHROPIC_API_KEY" in err


def test_without_the_extra(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "anthropic", None)
    monkeypatch.setattr("plugin_eval_ci.evals.llm.anthropic.options.find_spec", lambda name: None)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    code, _, err = run("score", SKILL)
    assert code == 0 and "pip install 'plugin-eval-ci[llm]'" in err
    assert run("score", SKILL, "--depth", "standard")[0] == 3


def test_a_threshold_holds_for_the_static_score(run):
    assert run("score", SKILL, "--threshold", "100")[0] == 1
    assert run("score", SKILL, "--threshold", "1")[0] == 0
    assert run("score", SKILL, "--threshold", "1", "--depth", "standard")[0] == 3


@pytest.mark.parametrize(("status", "word"), [(401, "ANTHROPIC_API_KEY"), (404, "models"), (403, "key")])
def test_what_cannot_succeed_stops_at_once(keyed, fake, status, word):
    fake.on(Fail(status))
    code, out, err = keyed("score", SKILL)
    assert code == 3 and out == "" and word in err and "Traceback" not in err
    assert fake.calls <= 5


def test_a_refusal_leaves_one_dimension_out(keyed, fake):
    fake.on(Say("", stop="refusal"), purpose="judge:scope_calibration")
    code, out, _ = keyed("score", SKILL, "--output", "json")
    document = valid(out)
    row = next(row for row in document["composite"]["dimensions"] if row["name"] == "scope_calibration")
    assert code == 0 and row["score"] is None and "refusal" in row["reason"]
    assert document["composite"]["confidence_label"] == "Assessed"


def test_plugins_and_agents_stay_static(keyed, fake):
    for target in ("shop", "shop/agents/x.md"):
        code, out, err = keyed("score", target, "--depth", "deep", "--output", "json")
        document = valid(out)
        assert code == 0 and document["depth"] == "quick" and "only the static layer ran" in err
        assert any("only the static layer ran" in note for note in document["notes"])
    assert fake.calls == 0


def test_an_estimate_sends_nothing(run, fake, monkeypatch):
    code, out, _ = run("certify", SKILL, "--estimate")
    assert code == 0 and "55 calls" in out and "$" in out
    assert "no model would be called" in run("score", "shop", "--estimate")[1]
    assert fake.calls == 0


def test_a_cap_that_is_too_small(keyed, fake):
    code, out, err = keyed("score", SKILL, "--max-cost", "0.0000001", "--output", "json")
    assert code == 3 and fake.calls == 0 and valid(out)["unmeasured"][0]["layer"] == "judge" and "budget" in err


def test_a_cassette_replays_without_a_key(keyed, fake, monkeypatch, tmp_path):
    first = valid(keyed("certify", SKILL, "--output", "json", "--cassette", "tape", "--record")[1])
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.setenv("PLUGIN_EVAL_CACHE", str(tmp_path / "another"))
    calls = fake.calls
    code, out, err = keyed("certify", SKILL, "--output", "json", "--cassette", "tape", "--replay")
    again = valid(out)
    assert code == 0 and fake.calls == calls and "stale" not in err
    assert again["composite"] == first["composite"] and again["layers"] == first["layers"]
    assert (again["model_usage"]["calls"], again["model_usage"]["recorded"]) == (0, 55)


def test_a_stale_cassette_says_so(run):
    code, _, err = run("certify", SKILL, "--cassette", "tape", "--replay")
    assert code == 3 and "stale: 55 answers are not recorded" in err and "$" in err


def test_a_stale_cassette_beside_a_full_cache_says_where_the_answers_are(keyed):
    assert keyed("certify", SKILL)[0] == 0
    code, _, err = keyed("certify", SKILL, "--cassette", "tape", "--replay")
    assert code == 3 and "the cassette lacks answers that are in this machine's cache" in err


def test_compare_at_a_depth(keyed, fake):
    code, out, _ = keyed("compare", SKILL, "shop/skills/label-print", "--depth", "standard", "--output", "json")
    document = json.loads(out)
    assert code == 0 and document["depth"] == "standard" and document["a"]["confidence_label"] == "Assessed"
    assert all(row["difference"] is not None for row in document["dimensions"] if row["name"] == "output_quality")


def test_different_depths_are_not_compared(keyed, fake):
    fake.on(Say("", stop="refusal"), prompt="label-print")
    code, out, err = keyed("compare", SKILL, "shop/skills/label-print", "--depth", "standard")
    assert code == 3 and out == "" and "cannot be compared" in err


@pytest.mark.parametrize(
    "words",
    [("--record",), ("--replay", "--estimate"), ("--replay", "--cassette", "x", "--record"), ("--max-cost", "nan"),
     ("--max-cost", "0"), ("--judges", "0"), ("--deadline", "inf"), ("--concurrency", "0")],
)  # fmt: skip
def test_wrong_usage(run, words):
    assert run("score", SKILL, *words)[0] == 2


def test_the_configuration_names_models_and_prices(keyed, fake):
    Path(".plugin-eval.yaml").write_text("models:\n  sonnet: my-gateway/large\nprices:\n  my-gateway/large: 1/2\n")
    code, out, _ = keyed("score", SKILL, "--output", "json")
    usage = valid(out)["model_usage"]
    mine = next(model for model in usage["models"] if model["model"] == "my-gateway/large")
    assert (
        code == 0 and mine["calls"] == 3 and round(mine["cost_usd"], 9) == 0.00042
    )  # 3 x (100 x 1 + 20 x 2) / 1,000,000


def test_a_price_that_is_not_known_is_no_price(keyed, fake, monkeypatch):
    monkeypatch.setenv("PLUGIN_EVAL_MODEL_SONNET", "my-gateway/large")
    code, _, err = keyed("score", SKILL, "--max-cost", "5", "--output", "json")
    assert code == 3 and "my-gateway/large" in err
    assert valid(keyed("score", SKILL, "--output", "json")[1])["model_usage"]["cost_usd"] is None
