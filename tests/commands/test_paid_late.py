"""Options are checked before anything is paid for: a wrong combination ends with exit code 2, and no model is called."""

import pytest

from plugin_eval_ci import cli
from plugin_eval_ci.evals.llm.anthropic.client import Client

A = "skills/stock-report"
WRONG = [
    "score {a} --format html --date tomorrow",
    "score {a} --output html --date tomorrow",
    "score {a} --date 2026-02-30",
    "score {a} --format pdf",
    "score {a} -o missing/x.json",
    "score {a} -o skills",
    "score {a} --runs 2",
    "score {a} --isolated --config x.yaml",
    "score {a} --config gone.yaml",
    "score {a} --record",
    "score {a} --record --cassette README.md",
    "score {a} --record --cassette README.md/below",
    "score {a} --replay --cassette README.md",
    "score {a} --replay --record --cassette c",
    "score {a} --replay --estimate",
    "score {a} --wait 3",
    "score {a} --shard 9/2",
    "score {a} --max-cost -1",
    "score {a} --max-cost nan",
    "score {a} --judge-file gone.json",
    "score {a} --depth quick --judge-file README.md",
    "score gone",
    "certify {a} --date 1.1.2026",
    "certify {a} -o missing/x.json",
    "certify {a} --mode lean",
    "compare {a} gone --depth standard",
    "compare {a} README.md --depth standard",
    "compare {a} {a} --depth standard -o missing/x",
    "compare {a} {a} --depth standard --wait 3",
    "triggers init {a} --date tomorrow",
    "triggers init {a} --output missing/x.yaml",
    "triggers init {a} --record",
    "gate . --format pdf",
    "gate . -o missing/x.json",
    "gate . --record",
    "gate . --base-result gone.json",
]


@pytest.mark.parametrize("words", WRONG)
def test_a_wrong_option_costs_nothing(words, repo, inside, skill_text, monkeypatch, capsys):
    inside(repo({f"{A}/SKILL.md": skill_text(), "README.md": "# x\n"}))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "x")
    opened = []

    def counting(*given, **more):
        opened.append(given)
        raise AssertionError("a client was opened")

    monkeypatch.setattr(Client, "__init__", counting)
    assert cli.run(words.format(a=A).split()) == 2
    assert opened == [] and "Traceback" not in capsys.readouterr().err


def test_the_count_of_calls_can_be_more_than_none(repo, inside, skill_text, monkeypatch, capsys):
    inside(repo({f"{A}/SKILL.md": skill_text()}))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "x")
    opened = []

    def counting(*given, **more):
        opened.append(given)
        raise AssertionError("a client was opened")

    monkeypatch.setattr(Client, "__init__", counting)
    assert cli.run(["score", A, "--format", "html", "--date", "2026-11-30"]) == 4
    assert len(opened) == 1
