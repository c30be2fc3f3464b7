"""Skills and agents made from a few words, and their sub-scores."""

from collections.abc import Callable
from pathlib import Path

import pytest

from plugin_eval_ci.config import Config
from plugin_eval_ci.lint.evaluate import evaluate
from plugin_eval_ci.model import Agent, Skill
from plugin_eval_ci.scoring.gather import score_agent, score_skill
from plugin_eval_ci.scoring.report import ScoreReport

Files = dict[str, str | bytes]


@pytest.fixture
def skill(repo: Callable[..., Path]) -> Callable[..., Skill]:
    """``skill(text)``: that SKILL.md, parsed; ``files`` are further files of its folder."""

    def parse(text: str | bytes, files: Files | None = None, folder: str = "skills/stock-report") -> Skill:
        more = {f"{folder}/{name}": content for name, content in (files or {}).items()}
        root = repo({f"{folder}/SKILL.md": text, **more})
        skills = evaluate((str(root / folder),), Config()).collection.skills
        return next(one for one in skills if one.source.path == f"{folder}/SKILL.md")

    return parse


@pytest.fixture
def scored(repo: Callable[..., Path]) -> Callable[..., ScoreReport]:
    """``scored(text)``: the score of that SKILL.md with its own findings."""

    def score(
        text: str | bytes, files: Files | None = None, folder: str = "skills/stock-report", others: Files | None = None
    ) -> ScoreReport:
        more = {f"{folder}/{name}": content for name, content in (files or {}).items()}
        root = repo({f"{folder}/SKILL.md": text, **more, **(others or {})})
        evaluation = evaluate((str(root),), Config())
        mine = next(one for one in evaluation.collection.skills if one.source.path == f"{folder}/SKILL.md")
        return score_skill(mine, evaluation.checked)

    return score


@pytest.fixture
def agent(repo: Callable[..., Path]) -> Callable[[str], tuple[Agent, ScoreReport]]:
    """``agent(header)``: an agent with those header lines, and its score."""

    def parse(header: str) -> tuple[Agent, ScoreReport]:
        root = repo(
            {"agents/stock-checker.md": f"---\n{header}---\n\nChecks stock.\n", ".claude-plugin/plugin.json": "{}"}
        )
        evaluation = evaluate((str(root),), Config())
        one = evaluation.collection.agents[0]
        return one, score_agent(one, evaluation.checked)

    return parse


def sub_score_of(report: ScoreReport, name: str) -> float:
    return next(score.score for layer in report.layers for score in layer.sub_scores if score.name == name)
