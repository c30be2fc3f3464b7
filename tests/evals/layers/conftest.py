"""A skill, and an ``Ask`` that answers as a test tells it to: by purpose, without a model and without a client."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from plugin_eval_ci.config import Config
from plugin_eval_ci.evals.llm.request import Failure, Outcome, Reply, Request
from plugin_eval_ci.lint.evaluate import evaluate
from plugin_eval_ci.model import Skill
from plugin_eval_ci.scoring.spending import Usage
from tests.fake_messages import FakeMessages, Say

Answer = Outcome | dict | str


class Scripted:
    """``say(purpose, answer, …)``: one after the other, the last one stays. A dict is JSON, a string is text. ``asked`` keeps all."""

    def __init__(self) -> None:
        self.asked: list[tuple[Request, int]] = []
        self._answers: dict[str, list[Answer | Callable[[Request, int], Answer]]] = {}

    def say(self, purpose: str, *answers: Answer | Callable[[Request, int], Answer]) -> "Scripted":
        self._answers[purpose] = list(answers)
        return self

    async def __call__(self, request: Request, sample: int) -> Outcome:
        self.asked.append((request, sample))
        left = self._answers.get(request.purpose, [Failure("infra_error", "nobody is there")])
        answer = left.pop(0) if len(left) > 1 else left[0]
        if callable(answer) and not isinstance(answer, tuple):
            answer = answer(request, sample)
        if isinstance(answer, Failure | Reply):
            return answer
        data = answer if isinstance(answer, dict) else None
        return Reply(answer if isinstance(answer, str) else "{}", data, Usage(70, 30), "model-1", 0.1)

    def requests(self, purpose: str) -> list[Request]:
        return [request for request, _ in self.asked if request.purpose == purpose]


def triggering(chosen: str, f1: float | None = None) -> dict:
    """Ten predictions; ``chosen`` is ten signs, five for those that are intended and five for the others: ``yyyyn nnnnn``."""
    signs = chosen.replace(" ", "")
    rows = [{"message": f"message {n}", "intended": n < 5, "chosen": sign == "y"} for n, sign in enumerate(signs)]
    return {"predictions": rows} | ({} if f1 is None else {"f1": f1})


def rated(score: float, reason: str = "It says what it takes.", quotes: tuple[str, ...] = ()) -> dict:
    return {"reason": reason, "quotes": list(quotes), "score": score}


def tasks(*scores: float) -> dict:
    return {"tasks": [{"task": f"task {n}", "reason": "so", "score": score} for n, score in enumerate(scores)]}


JUDGED = {
    "judge:triggering_accuracy": triggering("yyyyn nnnnn", 0.9),
    "judge:orchestration_fitness": rated(0.75),
    "judge:output_quality": tasks(0.5, 0.75, 1),
    "judge:scope_calibration": rated(0.5),
}


def judging(server: FakeMessages) -> FakeMessages:
    """A server that answers every question of a judge as ``JUDGED`` says."""
    for purpose, answer in JUDGED.items():
        server.on(Say(json.dumps(answer)), purpose=purpose)
    return server


def full() -> Scripted:
    """Every question answered: F1 8/9, 0.75, (0.5 + 0.75 + 1) / 3, 0.5; fifteen messages, replies of 400 characters, 100 tokens."""
    ask = Scripted()
    ask.say("judge:triggering_accuracy", triggering("yyyyn nnnnn", 0.89))
    ask.say("judge:orchestration_fitness", rated(0.75))
    ask.say("judge:output_quality", tasks(0.5, 0.75, 1))
    ask.say("judge:scope_calibration", rated(0.5))
    ask.say("monte_carlo:prompts", {"messages": [f"please do number {n} of them" for n in range(15)]})
    ask.say("monte_carlo:run", "y" * 400)
    return ask


@pytest.fixture
def skill(repo: Callable[..., Path], skill_text: Callable[..., str]) -> Callable[..., Skill]:
    """``skill(body)``: a parsed skill with that body; ``description`` is its own."""

    def parse(body: str = "Read the export.", description: str = "") -> Skill:
        root = repo({"skills/stock-report/SKILL.md": skill_text(body=body, description=description)})
        return evaluate((str(root / "skills/stock-report"),), Config()).collection.skills[0]

    return parse
