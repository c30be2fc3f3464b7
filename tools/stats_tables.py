"""The tables of the trials: what `make stats` prints after those of the documented layers, in Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial

from stats_composite import WHOLES, WholeRow, simulate_whole
from stats_gate import (
    CHANGES,
    SKILLS,
    STOPS,
    ChangeRow,
    StopRow,
    error_of,
    simulate_change,
    simulate_plugin,
    simulate_stop,
)
from stats_trials import (
    CELLS,
    DESIGNS,
    FIELDS,
    HELPS,
    NUMBERS,
    Held,
    HelpRow,
    MatrixRow,
    TrialsRow,
    simulate,
    simulate_help,
    simulate_matrix,
)


def tables(repetitions: int, seed: int, pool: Executor) -> str:
    """All of them; a composite and a matrix take long, so they are repeated a quarter as often."""
    fewer = max(1, repetitions // 4)
    wholes = pool.map(partial(simulate_whole, repetitions=fewer, seed=seed), WHOLES)
    triggering = pool.map(partial(simulate, repetitions=repetitions, seed=seed), DESIGNS)
    matrices = pool.map(partial(simulate_matrix, repetitions=fewer, seed=seed), FIELDS)
    changes = pool.map(partial(simulate_change, repetitions=repetitions, seed=seed), CHANGES)
    plugin = pool.submit(simulate_plugin, SKILLS, fewer, seed)
    helps = pool.map(partial(simulate_help, repetitions=repetitions, seed=seed), HELPS)
    stops = pool.map(partial(simulate_stop, repetitions=repetitions, seed=seed), STOPS)
    lines = [
        f"{repetitions:,} repetitions of each row ({fewer:,} of matrices, composites and the plugin), seed {seed}, by `make stats`.",
        "",
    ]
    lines += triggering_table(list(triggering)) + matrix_table(list(matrices)) + help_table(list(helps))
    lines += whole_table(list(wholes))
    lines += change_table(list(changes), plugin.result(), fewer) + stop_table(list(stops))
    return "\n".join(lines)


def triggering_table(rows: Sequence[TrialsRow]) -> list[str]:
    """The numbers of triggering."""
    heads = ["the subject", "prompts", "runs", *NUMBERS, "recall, runs as independent", "F1, prompts drawn again"]
    return [
        "### Does a skill fire: the numbers of its trials\n",
        *_head(heads),
        *(
            _line(
                row.design.what,
                f"{row.design.skills.positives} + {row.design.skills.negatives}",
                row.design.runs,
                *(_held(one) for one in row.shipped),
                _held(row.plain),
                _held(row.drawn),
            )
            for row in rows
        ),
        "",
    ]


def matrix_table(rows: Sequence[MatrixRow]) -> list[str]:
    """Cells by what they are."""
    heads = ["the plugin", *(f"{name}: true share" if not part else "coverage" for name in CELLS for part in range(2))]
    return [
        "### Which skill has whose prompts: cells of the matrix\n",
        *_head(heads),
        *(
            _line(row.design.what, *(part for value, held in row.cells for part in (f"{value:.3f}", _held(held))))
            for row in rows
        ),
        "",
    ]


def help_table(rows: Sequence[HelpRow]) -> list[str]:
    """Lift."""
    return [
        "### Does it help: lift, the share of wins less a half\n",
        *_head(["tasks", "pairs of each", "true lift, points", "by task (shipped)", "pairs as independent"]),
        *(
            _line(
                row.design.tasks,
                row.design.pairs,
                f"{100 * (row.design.truth - 0.5):+.0f}",
                _held(row.shipped),
                _held(row.plain),
            )
            for row in rows
        ),
        "",
    ]


def whole_table(rows: Sequence[WholeRow]) -> list[str]:
    """Composites; widths in points."""
    return [
        "### The composite at depth `measured`\n",
        *_head(["the skill", "prompts", "tasks", "judges × samples", "true composite", "coverage (width in points)"]),
        *(
            _line(
                row.design.what,
                f"{row.design.skills.positives} + {row.design.skills.negatives}",
                row.design.tasks,
                f"{row.design.models} × {row.design.samples}",
                f"{row.truth:.1f}",
                _held(row.shipped, ".1f"),
            )
            for row in rows
        ),
        "",
    ]


def change_table(rows: Sequence[ChangeRow], plugin: float, repetitions: int) -> list[str]:
    """Verdicts of the gate."""
    heads = ["clusters × runs", "accuracy", "ICC", "true change, points", "how", "regression", "fine", "inconclusive",
             "regression in one of two only", "“lower by 5 points”", "detectable, points"]  # fmt: skip
    lines = ["### The gate: verdicts on a known change\n", *_head(heads)]
    for row in rows:
        how = (
            "some prompts are lost" if row.design.lumpy else "all lose in proportion" if row.design.drop else "nothing"
        )
        how += ", and each moves by ±10" if row.design.moves else ""
        lines.append(
            _line(
                f"{row.design.clusters} × {row.design.runs}",
                f"{row.design.mean:.2f}",
                f"{row.design.icc:g}",
                f"{-100 * row.design.drop:.0f}" if row.design.drop else "0",
                how,
                _share(row.regression, row.n),
                f"{row.fine:.3f}",
                f"{row.inconclusive:.3f}",
                f"{row.flips:.3f}",
                f"{row.plain:.3f}",
                "–" if row.detectable is None else f"{100 * row.detectable:.0f}",
            )
        )
    said = _share(plugin, repetitions)
    return [
        *lines,
        "",
        f"Of a plugin of {SKILLS} skills of which nothing changed (40 × 3 each), at least one is called a regression: {said}.",
        "",
    ]


def stop_table(rows: Sequence[StopRow]) -> list[str]:
    """Early stops against a threshold."""
    heads = ["true rate", "threshold", "prompts × runs", "ICC", "said below", "said above", "prompts until then, median",
             "calls saved", "calls saved, looking after 8 prompts"]  # fmt: skip
    return [
        "### Stopping early: bets against a threshold\n",
        *_head(heads),
        *(
            _line(
                f"{row.design.mean:.2f}",
                f"{row.design.threshold:.2f}",
                f"{row.design.prompts} × {row.design.runs}",
                f"{row.design.icc:g}",
                _share(row.below, row.n),
                _share(row.above, row.n),
                f"{row.prompts:.0f}",
                f"{100 * row.saved:.0f} %",
                f"{100 * row.waves:.0f} %",
            )
            for row in rows
        ),
        "",
    ]


def _held(held: Held, width: str = ".2f") -> str:
    if not held.n:
        return "–"
    return f"{held.coverage:.3f} ± {held.error:.3f} ({held.width:{width}})"


def _share(share: float, n: int) -> str:
    return f"{share:.3f} ± {error_of(share, n):.3f}"


def _head(names: Sequence[str]) -> list[str]:
    return [_line(*names), _line(*("---" for _ in names))]


def _line(*cells: object) -> str:
    return "| " + " | ".join(str(cell) for cell in cells) + " |"
