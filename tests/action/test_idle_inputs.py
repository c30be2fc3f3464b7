"""An input that cannot do anything is named, and a base that does not exist is an error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from action.conftest import Step, commit

Repo = Callable[..., Path]


@pytest.mark.parametrize(
    ("event", "given"),
    [
        ("push", {"threshold": "75"}), ("push", {"fail-on-regression": "5"}), ("push", {"gate": "true"}), ("push", {"comment": "auto"}),
        ("push", {"issue": "always"}), ("push", {"previous": "report.json"}), ("schedule", {"fail-on": "notice"}),
        ("schedule", {"gate": "true"}), ("schedule", {"base": "main"}), ("schedule", {"only-new": "true"}),
    ],
)  # fmt: skip
def test_it_is_named(step: Step, repo: Repo, skill_text: Callable[..., str], event: str, given: dict[str, str]) -> None:
    root = repo({"skills/a/SKILL.md": skill_text("a")})
    commit(root)
    said = [text for level, _, text in step(root, event, {}, given).commands if level == "warning"]
    assert any(text.startswith(f"{next(iter(given))}: no effect") for text in said)
    assert not any("no effect" in text for _, _, text in step(root, event, {}).commands)


def test_a_mistyped_base(step: Step, repo: Repo, skill_text: Callable[..., str]) -> None:
    root = repo({"skills/a/SKILL.md": skill_text("a")})
    commit(root)
    ran = step(root, "push", {}, {"base": "mian"})
    assert (ran.code, ran.conclusion) == (2, "error") and any("mian" in text for _, _, text in ran.commands)
