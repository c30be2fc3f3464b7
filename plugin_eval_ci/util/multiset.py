"""The difference of two lists in which an item may occur several times."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def multiset_difference(
    items: Sequence[Item], others: Iterable[Hashable], key: Callable[[Item], Hashable]
) -> tuple[Item, ...]:
    """The items without a counterpart. ``others`` holds the keys of the other side, or a counter of them; each matches one item."""
    left: Counter[Hashable] = Counter(others)
    alone = []
    for item in items:
        if left[key(item)] > 0:
            left[key(item)] -= 1
        else:
            alone.append(item)
    return tuple(alone)
