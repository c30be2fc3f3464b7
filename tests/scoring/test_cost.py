"""Section 10: the estimate, and a tree that cannot make it expensive."""

import os

import pytest

from plugin_eval_ci.parse.facts import tokens
from plugin_eval_ci.scoring import context_cost
from plugin_eval_ci.scoring.context_cost import ContextCost, agent_cost, skill_cost, sum_costs

HEAD = "---\nname: stock-report\ndescription: x\n---\n"


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("货", 1), ("货物", 2), ("货物 ab", 3), ("あいう", 3), ("é" * 8, 2)],
)
def test_estimate(text, count):
    assert tokens(text) == count


def test_what_is_counted(skill):
    files = {
        "references/a.md": "x" * 400,
        "scripts/run.py": "y" * 40,
        "assets/logo.png": b"\x89PNG\0\0" + b"x" * 4000,
        "assets/latin.bin": bytes(range(128, 256)) * 8,
        ".cache/a.md": "z" * 400,
        "node_modules/a.js": "z" * 400,
        "inner/SKILL.md": HEAD,
    }
    own = tokens(HEAD)
    assert skill_cost(skill(HEAD, files)) == ContextCost(tokens("stock-report\nx"), own, own + 100 + 10, 3)


def test_links_that_leave_the_repository_are_not_read(skill, tmp_path):
    (tmp_path / "secret.md").write_text("s" * 4000)
    one = skill(HEAD, {"references/a.md": "x" * 4})
    os.symlink(tmp_path / "secret.md", os.path.join(one.directory, "references", "b.md"))
    os.symlink(tmp_path, os.path.join(one.directory, "outside"))
    os.symlink("a.md", os.path.join(one.directory, "references", "inside.md"))
    os.symlink("gone.md", os.path.join(one.directory, "references", "broken.md"))
    assert skill_cost(one).bundle == tokens(HEAD) + 2
    assert skill_cost(one).files == 3


def test_a_pipe_is_not_opened(skill):
    one = skill(HEAD)
    os.mkfifo(os.path.join(one.directory, "pipe"))
    assert skill_cost(one).files == 1


@pytest.mark.parametrize(
    ("name", "value"), [("MAX_FILES", 3), ("MAX_ENTRIES", 4), ("MAX_BYTES", 30), ("MAX_FILE_BYTES", 5)]
)
def test_limits(skill, monkeypatch, name, value):
    one = skill(HEAD, {f"references/{number}.md": "x" * 20 for number in range(9)})
    whole = skill_cost(one)
    monkeypatch.setattr(context_cost, name, value)
    cut = skill_cost(one)
    assert whole.complete and not cut.complete
    assert cut.bundle < whole.bundle


def test_sums_and_agents(agent):
    one = agent_cost(agent("description: x\n")[0])
    assert one.activated == one.bundle and one.files == 1
    assert sum_costs([one, one]) == ContextCost(2 * one.installed, 2 * one.activated, 2 * one.bundle, 2)
