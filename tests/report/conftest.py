"""Two skills in one repository, a good one and a bad one, and their scores."""

from collections.abc import Callable
from pathlib import Path

import pytest

from plugin_eval_ci.config import Config
from plugin_eval_ci.lint.evaluate import Evaluation, evaluate
from plugin_eval_ci.scoring.gather import score_all
from plugin_eval_ci.scoring.report import ScoreReport

GOOD = """---
name: stock-report
description: Writes the stock report. Use proactively when reading till exports, counting shelves, or ordering boxes.
---

# Stock report

It accepts an export and returns rows as JSON; that output format is fixed.

## When to use

Before the shop opens. See also [label-print](../label-print/SKILL.md).

## Examples

```sh
stock export
```

```python
read("export.csv")
```

## Troubleshooting

An empty export means that the till is open.
"""
BAD = """---
name: label-print
description: "Prints \\e[31mlabels | @octocat"
---

# Label print

Read [the sizes](references/sizes|1.md), use the `Bash` tool, and go on with [stock](../stok-report/SKILL.md).
"""
FILES = {
    "skills/stock-report/SKILL.md": GOOD,
    "skills/label-print/SKILL.md": BAD,
    "agents/counter.md": "---\nname: counter\ndescription: Counts what is on a shelf.\nmodel: inherit\n---\n\nCount.\n",
    "agents/broken.md": b"\0",
    ".claude-plugin/plugin.json": '{"name": "shop"}',
}


@pytest.fixture
def evaluation(repo: Callable[..., Path]) -> Evaluation:
    return evaluate((str(repo(FILES)),), Config())


@pytest.fixture
def reports(evaluation: Evaluation) -> dict[str, ScoreReport]:
    """Every report by its name."""
    return {report.name: report for report in score_all(evaluation)}
