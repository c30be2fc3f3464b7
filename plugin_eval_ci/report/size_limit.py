"""A document within a number of UTF-8 bytes: whole rows are left out, never a part of one, with their number in their place.

A byte is the safe unit: whatever GitHub counts in a comment (characters or UTF-16 units), a text never has more of them than bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

GAP = "\n\n"  # between blocks
LINE = "\n"  # between the parts of one
_SHORTEST = 16  # bytes of a row, at least; what is beyond so many rows has no room whatever they say
Item = TypeVar("Item")


def more_rows(count: int) -> str:
    """The default text in place of rows that were left out."""
    return f"… {count:,} more"


class Block(NamedTuple):
    """A part of a document. Without ``rows`` it is ``head`` and ``foot``, and is always whole.

    With rows: ``head``, the rows, the words of ``more`` when some were left out, ``foot``. A row may have several lines. Where not one
    row fits, only the words of ``more`` are left. ``share`` is how large a part of the room is its, against the other blocks'.
    ``hidden`` rows come after ``rows``: they count as left out and are never rendered.
    """

    head: str = ""
    rows: tuple[str, ...] = ()
    foot: str = ""
    more: Callable[[int], str] = more_rows
    share: int = 1
    hidden: int = 0


def write_rows(items: Sequence[Item], limit: int, write: Callable[[Item], str]) -> tuple[tuple[str, ...], int]:
    """The rows of a block for a document of ``limit`` bytes, each written by ``write``, and how many it hides because they do not fit."""
    most = limit // _SHORTEST + 1
    return tuple(write(item) for item in items[:most]), max(0, len(items) - most)


def size(text: str) -> int:
    """UTF-8 bytes of a text; half a surrogate pair counts as what is written in its place."""
    return len(text.encode("utf-8", "surrogatepass"))


def fit_blocks(blocks: Sequence[Block], limit: int) -> str:
    """The blocks with an empty line between them and a final newline, at most ``limit`` bytes.

    A block that needs little leaves its room to the others, so that no long one starves them. Raises ``ValueError`` when what cannot
    be left out is too long.
    """
    fixed = 1 + size(GAP) * max(len(blocks) - 1, 0) + sum(map(_least_size, blocks))
    left = limit - fixed
    if left < 0:
        raise ValueError(f"{fixed:,} bytes are the least, and {limit:,} are allowed")
    given = _split_room(
        [_full_size(block) - _least_size(block) for block in blocks], [block.share for block in blocks], left
    )
    return (
        GAP.join(_text_within(block, _least_size(block) + extra) for block, extra in zip(blocks, given, strict=True))
        + "\n"
    )


def _split_room(wanted: list[int], shares: list[int], room: int) -> list[int]:
    """How much each gets of ``room``: all that it wants where that is less than its part, else its part of what is left."""
    given = [0] * len(wanted)
    open_ = {place for place, want in enumerate(wanted) if want > 0}
    while open_:
        total = sum(shares[place] for place in open_)
        content = {place for place in open_ if wanted[place] <= room * shares[place] // total}
        for place in content or open_:
            given[place] = wanted[place] if content else room * shares[place] // total
        if not content:
            break
        room -= sum(given[place] for place in content)
        open_ -= content
    return given


def _text_with(block: Block, count: int) -> str:
    """The block with its first ``count`` rows."""
    left = len(block.rows) + block.hidden - count
    if not count and block.rows:
        return block.more(left)
    parts = [block.head, *block.rows[:count], block.more(left) if left else "", block.foot]
    return LINE.join(part for part in parts if part)


def _full_size(block: Block) -> int:
    return size(_text_with(block, len(block.rows)))


def _least_size(block: Block) -> int:
    return min(_full_size(block), size(block.more(len(block.rows) + block.hidden))) if block.rows else _full_size(block)


def _text_within(block: Block, room: int) -> str:
    """As many rows as fit into ``room``; sizes are summed rather than joined again for each row."""
    if not block.rows or _full_size(block) <= room:
        return _text_with(block, len(block.rows))
    parts = [part for part in (block.head, block.foot, block.more(len(block.rows) + block.hidden)) if part]
    used = sum(map(size, parts)) + size(LINE) * (len(parts) - 1)
    count = 0
    for row in block.rows:
        used += size(row) + size(LINE)
        if used > room:
            break
        count += 1
    return _text_with(block, count)
