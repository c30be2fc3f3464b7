"""Where answers are looked for and kept: the user's own cache, and a cassette that may be committed."""

from __future__ import annotations

import hashlib
import json
import os

from plugin_eval_ci.evals.llm.anthropic.options import Options
from plugin_eval_ci.evals.llm.cassette import LASTING, Cell, Ledger, cell_of
from plugin_eval_ci.evals.llm.request import Failure, Outcome, Reply, Request, StopError
from plugin_eval_ci.scoring.spending import Spending


class ShardedError(StopError):
    """The calls of one shard are done; the result needs the others."""


def is_mine(shard: tuple[int, int] | None, cell: Cell, request: Request) -> bool:
    """Whether a call belongs to this run: all turns of a conversation go where its first one goes."""
    if shard is None:
        return True
    mine, many = shard
    first = cell if not request.turns else cell_of(request._replace(turns=()), cell.model, cell.sample)
    return int(first.key[:12], 16) % many == mine - 1


def shard_done_error(shard: tuple[int, int], spent: Spending, elsewhere: int) -> ShardedError:
    """What a shard did, in words."""
    mine, many = shard
    return ShardedError(
        f"shard {mine}/{many}: {spent.calls:,} calls made, {spent.recorded:,} already recorded, "
        f"{elsewhere:,} left to other shards"
    )


_FILE = "answers.jsonl"


class Store:
    """``cache`` is one file an address, for two servers may give one name to different models; a cassette names no address.

    A cassette that is replayed is the only source, so that everybody sees the same numbers. A run that may send takes only answers
    from it and asks anew where the model declined or was cut off; a replay takes those too. Raises ``StopError`` where a file cannot be
    read.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._cassette = None if options.cassette is None else _ledger(os.path.join(options.cassette, _FILE))
        self._more = [_ledger(os.path.join(folder, _FILE)) for folder in options.more]
        alone = options.replay and options.cassette is not None
        self._cache = None if options.cache is None or alone else _ledger(_cache_file(options.cache, options.base_url))

    def find(self, cell: Cell, request: Request) -> Outcome | None:
        """What is recorded."""
        for ledger in (self._cassette, *self._more, self._cache):
            found = None if ledger is None else ledger.get(cell, request)
            if found is not None and (isinstance(found, Reply) or not self._options.sends):
                if ledger is self._cache and self._options.record:
                    self._add(self._cassette, cell, found)
                return found
        return None

    def holds(self, cell: Cell, request: Request) -> bool:
        """Whether anything is recorded, an answer or what the model did instead."""
        return any(
            ledger is not None and ledger.get(cell, request) is not None for ledger in (self._cassette, self._cache)
        )

    def keep(self, cell: Cell, outcome: Outcome) -> None:
        """Store an answer before anybody sees it; what was only an outage is not stored. Raises ``StopError`` where that fails."""
        if isinstance(outcome, Failure) and outcome.kind not in LASTING:
            return
        self._add(self._cache, cell, outcome)
        if self._options.record:
            self._add(self._cassette, cell, outcome)

    def sync(self) -> None:
        """Wait until what was kept would outlast the machine."""
        for ledger in (self._cache, self._cassette):
            if ledger is not None:
                ledger.sync()

    def close(self) -> None:
        """Give the files back; a cassette that was written to is put in order."""
        for ledger in (*self._more, self._cache):
            if ledger is not None:
                ledger.close()
        if self._cassette is not None:
            if self._options.record:
                self._cassette.tidy()
            self._cassette.close()

    def _add(self, ledger: Ledger | None, cell: Cell, outcome: Outcome) -> None:
        if ledger is None:
            return
        try:
            ledger.add(cell, self._without_secrets(outcome))
        except OSError as error:
            raise StopError(f"answers cannot be stored in {ledger.file}: {error.strerror}") from None

    def _without_secrets(self, outcome: Outcome) -> Outcome:
        """A server could send our key back."""
        for secret in (self._options.key, self._options.token):
            if len(secret) < 8:
                continue
            if isinstance(outcome, Reply) and (secret in outcome.text or outcome.blocks):
                blocks = json.loads(json.dumps(outcome.blocks).replace(secret, "***"))
                outcome = outcome._replace(text=outcome.text.replace(secret, "***"), blocks=tuple(blocks))
            elif isinstance(outcome, Failure) and secret in outcome.reason:
                outcome = outcome._replace(reason=outcome.reason.replace(secret, "***"))
        return outcome


def _ledger(file: str) -> Ledger:
    if os.path.exists(file) and not os.path.isfile(file):  # a pipe would be waited for, a device may never end
        raise StopError(f"answers cannot be stored in {file}: it is not a regular file")
    try:
        return Ledger(file)
    except OSError as error:
        raise StopError(f"answers cannot be read from {file}: {error.strerror}") from None


def batch_folder(options: Options) -> str:
    """Where batches are written down. Raises ``StopError`` without a cache."""
    if options.cache is None:
        raise StopError("--batch needs a cache to collect the answers in")
    return _cache_file(options.cache, options.base_url).removesuffix(".jsonl") + ".batches"


def _cache_file(folder: str, base_url: str) -> str:
    name = hashlib.sha256(base_url.encode("utf-8", "replace")).hexdigest()[:16] if base_url else "anthropic"
    return os.path.join(folder, f"{name}.jsonl")
