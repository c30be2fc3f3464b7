"""How many seeded defects are found, and how many of their harmless twins stay silent.

Usage: python tools/seeded.py. Exit 1 when fewer than 95 % are found or a twin is flagged.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from seeded.defects import SEEDS, Files  # noqa: E402

from plugin_eval_ci.config import Config  # noqa: E402
from plugin_eval_ci.lint.evaluate import evaluate  # noqa: E402


def main() -> int:
    """Lint every pair and print what was missed or flagged."""
    missed, flagged = [], []
    for seed in SEEDS:
        if seed.rule not in rules_of(seed.bad):
            missed.append(f"{seed.name} ({seed.rule})")
        if found := rules_of(seed.good):
            flagged.append(f"{seed.name}: {', '.join(sorted(found))}")
    print(
        f"{len(SEEDS) - len(missed)} of {len(SEEDS)} seeded defects found; {len(flagged)} of {len(SEEDS)} twins flagged"
    )
    for what, names in (("missed", missed), ("flagged", flagged)):
        for name in names:
            print(f"  {what}: {name}")
    return int(len(missed) > 0.05 * len(SEEDS) or bool(flagged))


def rules_of(files: Files) -> set[str]:
    """The rules that speak about a small repository."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, ".git").mkdir()
        for name, content in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return {finding.rule for finding in evaluate((folder,), Config()).checked.findings}


if __name__ == "__main__":
    sys.exit(main())
