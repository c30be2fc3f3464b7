"""Tables in Markdown, of cells that are escaped already."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table_row(cells: Iterable[str]) -> str:
    """One row, which also serves as the head."""
    return f"| {' | '.join(cells)} |"


def table_head(columns: Sequence[str], numbers: Iterable[int] = ()) -> str:
    """The head with the line below it; the columns at ``numbers`` are aligned to the right."""
    right = set(numbers)
    return f"{table_row(columns)}\n{table_row('--:' if at in right else '---' for at in range(len(columns)))}"


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], numbers: Iterable[int] = ()) -> list[str]:
    """The lines of a whole table; empty without rows."""
    return [table_head(columns, numbers), *map(table_row, rows)] if rows else []
