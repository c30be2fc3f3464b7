"""The sign test: which of two is better, from the direction of each comparison alone."""

from __future__ import annotations

from math import comb


def sign_test(wins: int, losses: int) -> float | None:
    """How often a fair coin would favour one side at least as much, two-sided and exact. Ties stay out; None without a comparison."""
    n = wins + losses
    if not n:
        return None
    tail = sum(comb(n, k) for k in range(max(wins, losses), n + 1))
    return float(min(1.0, 2 * tail / 2**n))
