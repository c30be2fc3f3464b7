"""Runs a report: discovers everything, distributes the work, scores it, and combines the results."""

from __future__ import annotations

import mmap
import os
import time
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci.analysis import resolve
from plugin_eval_ci.discover import Targets, find_targets
from plugin_eval_ci.lint.check import ActiveRules
from plugin_eval_ci.scoring.dimensions import depth_named
from plugin_eval_ci.survey.merge_shards import complete_report
from plugin_eval_ci.survey.owners import owners_in
from plugin_eval_ci.survey.report import Shard, Survey, Target, key_of
from plugin_eval_ci.survey.targets import Context, Together, Unit, VisibleFindings, targets_of, together, units_of
from plugin_eval_ci.util import faults, parallel

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource

_SLACK = 1.03  # times the mean; a share above this passes its work to the next one
_MASK = (1 << 64) - 1


def shares_of(pieces: Sequence[tuple[str, int]], count: int) -> list[int]:
    """The share (0 to ``count`` - 1) of each piece, given as name and size.

    The name of a piece alone decides its order of preference (rendezvous hashing), and it takes the first share with room (bounded
    loads). Larger pieces choose first, by the power of two of their size, so a piece that grows a little keeps its share.
    """
    if count == 1:
        return [0] * len(pieces)
    room = max(_SLACK * sum(size for _, size in pieces) / count, max((size for _, size in pieces), default=0))
    marks = [_hash(name) for name, _ in pieces]
    load = [0] * count
    dealt_to = [0] * len(pieces)
    for number in sorted(
        range(len(pieces)), key=lambda one: (-pieces[one][1].bit_length(), marks[one], pieces[one][0])
    ):
        size = pieces[number][1]
        share = next((one for one in _shares_in_order(marks[number], count) if load[one] + size <= room), None)
        if share is None:
            share = min(range(count), key=lambda one: (load[one], one))
        load[share] += size
        dealt_to[number] = share
    return dealt_to


def _hash(name: str) -> int:
    return int.from_bytes(sha256(name.encode("utf-8", "surrogateescape")).digest()[:8], "big")


def _shares_in_order(mark: int, count: int) -> Iterable[int]:
    first = max(range(count), key=lambda share: _mix(mark, share))
    yield first
    yield from sorted((one for one in range(count) if one != first), key=lambda share: -_mix(mark, share))


def _mix(mark: int, share: int) -> int:
    """A 64-bit number that depends on every bit of both values (the finalizer of splitmix64)."""
    value = (mark + (share + 1) * 0x9E3779B97F4A7C15) & _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


# Time of the check across all documents, as a part of the time to score them (measured by tools/bench_scale.py).
TOGETHER = 0.13
Progress = Callable[[int, int, float], None]  # (documents done, documents in all, seconds so far)
_Piece = Unit | None  # None is the check across all documents


class SurveyRun(NamedTuple):
    """A report, and what discovery found, for messages about paths without anything to score."""

    survey: Survey
    found: Targets


def survey_of(
    paths: tuple[str, ...],
    config: ConfigSource,
    name: str,
    date: str,
    shard: Shard | None = None,
    progress: Progress | None = None,
) -> SurveyRun:
    """Score everything below ``paths``, or one shard of it. ``name`` is that of the repository; if empty, its folder's name."""
    resolve.forget()
    found = find_targets(paths, config)
    scoring = config.for_score()  # scores follow the methodology, whatever the lint configuration leaves out
    context = Context(ActiveRules(scoring), VisibleFindings(found.root, config), owners_in(found.root))
    units = units_of(found)
    targets, findings = _run_pieces(_pieces_of(units, shard), found, context, progress)
    survey = Survey(
        name or os.path.basename(found.root),
        date,
        depth_named("quick"),
        tuple(sorted(targets, key=key_of)),
        findings.findings,
        tuple(faults.lines()),
        shards=() if shard is None else (shard,),
        markets=findings.markets,
    )
    return SurveyRun(survey if shard is not None else complete_report(survey), found)


def _pieces_of(units: Sequence[Unit], shard: Shard | None) -> list[_Piece]:
    if shard is None:
        return [None, *units]
    return _split_pieces(units, shard.total)[shard.number - 1]


def _split_pieces(pieces: Sequence[_Piece], count: int) -> list[list[_Piece]]:
    """All pieces in ``count`` shares. The check across all documents is one more piece."""
    units = [piece for piece in pieces if piece is not None]
    whole = int(TOGETHER * sum(unit.size for unit in units))
    # The name of a unit is or starts with a path, and is never empty.
    named = [("", whole), *((unit.name, unit.size) for unit in units)]
    shares: list[list[_Piece]] = [[] for _ in range(count)]
    for piece, share in zip([None, *units], shares_of(named, count), strict=True):
        shares[share].append(piece)
    return shares


def _run_pieces(
    pieces: Sequence[_Piece], found: Targets, context: Context, progress: Progress | None
) -> tuple[list[Target], Together]:
    """The targets of all units in ``pieces``, and the result of the check across documents if it is one of them."""
    total = sum(len(unit.skills) + len(unit.agents) for unit in pieces if unit is not None)
    shares = _processes_shares(pieces, parallel.processes_for(total))
    counter = _Counter(len(shares), total, progress)

    def work(item: tuple[int, _Piece]) -> tuple[list[Target], Together | None]:
        share, unit = item
        if unit is None:
            return [], together(found, context)
        targets = targets_of(unit, context)
        counter.done(share, len(unit.skills) + len(unit.agents))
        return targets, None

    numbered = [[(number, piece) for piece in share] for number, share in enumerate(shares)]
    results = [result for share in parallel.in_shares(work, numbered) for result in share]
    everything = next((one for _, one in results if one is not None), Together((), ()))
    return [target for targets, _ in results for target in targets], everything


def _processes_shares(pieces: Sequence[_Piece], processes: int) -> list[list[_Piece]]:
    if processes < 2:
        return [list(pieces)]
    shares = _split_pieces(pieces, processes)
    return shares if None in pieces else [[piece for piece in share if piece is not None] for share in shares]


class _Counter:
    """Counts finished documents of all processes. Each has its own slot in shared memory."""

    def __init__(self, processes: int, total: int, progress: Progress | None) -> None:
        self.start = time.monotonic()
        self.total = total
        self.progress = progress
        self.memory = mmap.mmap(-1, 8 * processes)

    def done(self, process: int, count: int) -> None:
        if self.progress is None:
            return
        at = 8 * process
        mine = int.from_bytes(self.memory[at : at + 8], "little") + count
        self.memory[at : at + 8] = mine.to_bytes(8, "little")
        if process == 0:  # the process with the terminal
            done = sum(int.from_bytes(self.memory[n : n + 8], "little") for n in range(0, len(self.memory), 8))
            self.progress(done, self.total, time.monotonic() - self.start)
