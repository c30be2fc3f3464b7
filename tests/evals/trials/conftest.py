"""A plugin of two skills, and what is found beside them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from plugin_eval_ci.config import Config
from plugin_eval_ci.evals.trials.catalogue import Names, names_in
from plugin_eval_ci.evals.trials.labels import LabelSet, read_all
from plugin_eval_ci.lint.evaluate import evaluate
from plugin_eval_ci.model import Skill

Shop = Callable[..., Path]
DESCRIPTION = "Counts what is in the depot. Use when somebody asks how much of a thing is left in the depot."


def skills_in(root: Path) -> list[tuple[Skill, Names]]:
    collection = evaluate((str(root),), Config()).collection
    return list(names_in(collection.skills, {os.path.join(root, one.path): one.name for one in collection.plugins}))


def found_in(root: Path) -> LabelSet:
    collection = evaluate((str(root),), Config()).collection
    return read_all(collection.skills, {os.path.join(root, one.path): one.name for one in collection.plugins})


@pytest.fixture
def shop(repo: Callable[..., Path], skill_text: Callable[..., str]) -> Shop:
    """``shop({"evals/triggers.yaml": text})``: the root of a repository; files stand beside the skill stock-report."""

    def build(beside: dict[str, str] | None = None, **more: str) -> Path:
        return repo(
            {
                "shop/.claude-plugin/plugin.json": '{"name": "shop"}',
                "shop/skills/stock-report/SKILL.md": skill_text(description=DESCRIPTION),
                "shop/skills/price-list/SKILL.md": skill_text("price-list"),
                **{f"shop/skills/stock-report/{path}": text for path, text in (beside or {}).items()},
                **more,
            }
        )

    return build


@pytest.fixture
def stock(shop: Shop) -> tuple[Skill, Names]:
    """The skill stock-report with its names."""
    return next(one for one in skills_in(shop()) if one[0].name == "stock-report")
