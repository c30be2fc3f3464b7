"""Plugins: the mean of their members and the penalty, ours and the older tool's, and what sets them apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum
from typing import NamedTuple

from corpus_causes import Effect

from plugin_eval_ci.scoring.dimensions import penalty_of
from plugin_eval_ci.scoring.report import ScoreReport


class Reference(NamedTuple):
    """A line of the reference about a plugin, agents and skills in the order of their names."""

    path: str
    composite: float
    skills: tuple[float, ...]
    agents: tuple[float, ...]
    flags: int


def explain(report: ScoreReport, there: Reference, skill_layers: Mapping[str, float]) -> tuple[list[Effect], float]:
    """The causes by which a plugin differs, and what they lead to. ``skill_layers`` are the older tool's."""
    ours = [(member.path, member.kind, member.layers[0].score) for member in report.members if member.layers]
    flags = len(report.anti_patterns)
    now = report.composite.score or 0.0
    effects: list[Effect] = []

    def step(cause: str, scores: Sequence[float], flags: int) -> None:
        nonlocal now
        later = (fsum(scores) / len(scores) if scores else 0.5) * 100 * penalty_of(flags)
        if abs(later - now) > 1e-9:
            effects.append(Effect(cause, later - now))
        now = later

    agents = dict(zip(_direct_agents(ours), there.agents, strict=False))
    skills = [skill_layers.get(path, score) if kind == "skill" else score for path, kind, score in ours]
    both = [
        agents.get(path, score) if kind == "agent" else score
        for (path, kind, _), score in zip(ours, skills, strict=True)
    ]
    if ours:
        step("scores-of-skills", skills, flags)
        step("scores-of-agents", both, flags)
    step(
        "empty-plugin-is-50" if not (there.skills or there.agents) else "members-found",
        (*there.skills, *there.agents),
        flags,
    )
    step("number-of-flags", (*there.skills, *there.agents), there.flags)
    return effects, now


def _direct_agents(ours: Sequence[tuple[str, str, float]]) -> list[str]:
    return sorted(path for path, kind, _ in ours if kind == "agent")
