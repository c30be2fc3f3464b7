"""Who does what: work dealt out by its name and size, so that a new piece moves few others and no share is much the largest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

_SLACK = 1.03  # x the mean that a share may reach before its work goes to the next one
_MASK = (1 << 64) - 1


def dealt(pieces: Sequence[tuple[str, int]], count: int) -> list[int]:
    """The share, 0 to ``count`` - 1, of each piece, which is a name and a size.

    Every piece prefers the shares in an order that only its name decides (rendezvous hashing), and takes the first that has room
    (bounded loads). The large ones choose first, by the power of two of their size: a piece that grew a little keeps its place.
    """
    if count == 1:
        return [0] * len(pieces)
    room = max(_SLACK * sum(size for _, size in pieces) / count, max((size for _, size in pieces), default=0))
    marks = [_mark(name) for name, _ in pieces]
    load = [0] * count
    dealt_to = [0] * len(pieces)
    for number in sorted(
        range(len(pieces)), key=lambda one: (-pieces[one][1].bit_length(), marks[one], pieces[one][0])
    ):
        size = pieces[number][1]
        share = next((one for one in _preferred(marks[number], count) if load[one] + size <= room), None)
        if share is None:
            share = min(range(count), key=lambda one: (load[one], one))
        load[share] += size
        dealt_to[number] = share
    return dealt_to


def _mark(name: str) -> int:
    return int.from_bytes(sha256(name.encode("utf-8", "surrogateescape")).digest()[:8], "big")


def _preferred(mark: int, count: int) -> Iterable[int]:
    first = max(range(count), key=lambda share: _mixed(mark, share))
    yield first
    yield from sorted((one for one in range(count) if one != first), key=lambda share: -_mixed(mark, share))


def _mixed(mark: int, share: int) -> int:
    """A number of 64 bits in which every bit of both has its part (the finalizer of splitmix64)."""
    value = (mark + (share + 1) * 0x9E3779B97F4A7C15) & _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)
