"""One defect, one skill: found where it is, silent where it is not."""

import pytest

from plugin_eval_ci.config import Config
from plugin_eval_ci.lint.evaluate import evaluate
from seeded.defects import SEEDS, Files, Seed

LEAST_FOUND = 0.95


def rules_of(root, files: Files) -> set[str]:
    (root / ".git").mkdir(parents=True)
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return {finding.rule for finding in evaluate((str(root),), Config()).checked.findings}


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.name)
def test_the_defect_is_found(seed: Seed, tmp_path):
    assert seed.rule in rules_of(tmp_path / "r", seed.bad)


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.name)
def test_the_twin_is_silent(seed: Seed, tmp_path):
    assert rules_of(tmp_path / "r", seed.good) == set()


def test_there_are_enough():
    assert len(SEEDS) >= 60 and len({seed.name for seed in SEEDS}) == len(SEEDS)
