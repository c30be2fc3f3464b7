"""Time grows with the number of skills, not with its square."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Repo = Callable[..., Path]
Find = Callable[..., Any]
S = "---\nname: a\n---\n"

LAYOUTS: dict[str, Callable[[int], dict[str, str]]] = {
    "skills": lambda n: {f"skills/s{k}/SKILL.md": S for k in range(n)},
    "plugins": lambda n: {
        ".claude-plugin/marketplace.json": '{"plugins": ['
        + ",".join(f'{{"name": "p{k}", "source": "./plugins/p{k}"}}' for k in range(n))
        + "]}",
        **{f"plugins/p{k}/agents/a.md": S for k in range(n)},
    },
}


def seconds(find: Find, root: Path, paths: list[str]) -> float:
    best = 99.0
    for _ in range(2):
        start = time.process_time()
        result = find(root, paths)
        best = min(best, time.process_time() - start)
        assert len(result.skills) + len(result.agents) >= 200
    return best


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("named", [False, True])
def test_ten_times_as_many_cost_about_ten_times_as_much(repo: Repo, found: Find, layout: str, named: bool) -> None:
    few, many = LAYOUTS[layout](200), LAYOUTS[layout](2_000)
    small, large = repo(few, name="small"), repo(many, name="large")
    times = [seconds(found, root, list(files) if named else ["."]) for root, files in ((small, few), (large, many))]
    assert times[1] < 30 * max(times[0], 0.01)
