"""One of several machines that share the calls of a run: each makes its part and records it, a last run reads all of it."""

from __future__ import annotations

from plugin_eval_ci.ask import Request, StopError
from plugin_eval_ci.recorded import Cell, cell_of
from plugin_eval_ci.spending import Spent


class ShardedError(StopError):
    """The calls of one shard are done; there is no result before the others are."""


def is_mine(shard: tuple[int, int] | None, cell: Cell, request: Request) -> bool:
    """Whether a call belongs to this run: all turns of a conversation go where its first one goes."""
    if shard is None:
        return True
    mine, many = shard
    first = cell if not request.turns else cell_of(request._replace(turns=()), cell.model, cell.sample)
    return int(first.key[:12], 16) % many == mine - 1


def sharded(shard: tuple[int, int], spent: Spent, elsewhere: int) -> ShardedError:
    """What a shard did, in words."""
    mine, many = shard
    return ShardedError(
        f"shard {mine}/{many}: {spent.calls:,} calls made, {spent.recorded:,} were recorded already, "
        f"{elsewhere:,} belong to other shards"
    )
