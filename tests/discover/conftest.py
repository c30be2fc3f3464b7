"""``found(root, …)``: what a run over these paths finds, as short words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from plugin_eval_ci.config import Config
from plugin_eval_ci.discover import Targets, find_targets


class Words(NamedTuple):
    """The parts of ``Found`` that tests compare."""

    skills: list[str]
    agents: list[str]
    plugins: dict[str, tuple[list[str], list[str]]]
    problems: list[tuple[str, str]]
    left: dict[str, list[str]]
    raw: Targets


def in_words(result: Targets) -> Words:
    names = {place.file: place.path for place in (*result.skills, *result.agents)}
    left = {
        kind: list(getattr(result, kind))
        for kind in ("missing", "empty", "unowned", "excluded")
        if getattr(result, kind)
    }
    return Words(
        [place.path for place in result.skills],
        [place.path for place in result.agents],
        {
            f"{plugin.name}@{plugin.path}": (
                [names[file] for file in plugin.skill_files],
                [names[file] for file in plugin.agent_files],
            )
            for plugin in result.plugins
        },
        [(path, problem.kind) for path, problem in result.problems],
        left,
        result,
    )


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Words]:
    def run(root: Path, paths: Sequence[str] = (".",), exclude: Sequence[str] = (), defaults: bool = True) -> Words:
        monkeypatch.chdir(root)
        return in_words(find_targets(tuple(paths), Config(exclude=tuple(exclude), default_excludes=defaults)))

    return run
