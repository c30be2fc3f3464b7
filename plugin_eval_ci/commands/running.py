"""A run that asks models, to its end: begun again as long as it waits for batches whose answers come."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TypeVar

from plugin_eval_ci.ask import StopError
from plugin_eval_ci.commands.settings import say
from plugin_eval_ci.edges.claude import CollectedError, ShardedError
from plugin_eval_ci.errors import DoneError, MeasurementError

_T = TypeVar("_T")


def run_asking(main: Callable[[], Coroutine[object, object, _T]]) -> _T:
    """What ``main`` gives. Raises ``MeasurementError`` when no call can succeed, or answers are still to come, and ``DoneError`` when this
    was a shard."""
    while True:
        try:
            return asyncio.run(main())
        except CollectedError:
            say("answers of a batch have come; going on")
        except ShardedError as done:
            raise DoneError(str(done)) from None
        except StopError as error:
            raise MeasurementError(str(error)) from None
