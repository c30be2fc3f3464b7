"""``plugin-eval triggers init``: labels drafted for skills that have none."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TextIO

from plugin_eval_ci.ask import Ask, Failure
from plugin_eval_ci.commands.asking import in_words, options_of
from plugin_eval_ci.commands.day import day_of
from plugin_eval_ci.commands.files import refuse_unwritable
from plugin_eval_ci.commands.model_options import Asking, refuse_wrong_calls
from plugin_eval_ci.commands.settings import config_of, say
from plugin_eval_ci.commands.triggers import Target, put, refuse_existing, targets_in
from plugin_eval_ci.errors import MeasurementError, UsageError
from plugin_eval_ci.spending import Estimate, dollars
from plugin_eval_ci.trials.catalogue import catalogue_of
from plugin_eval_ci.trials.drafting import CALLS, draft
from plugin_eval_ci.trials.labels import PLACE
from plugin_eval_ci.trials.values import Labels, Settings

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource
    from plugin_eval_ci.edges.claude import Options


def run(
    path: str, output: str | None, force: bool, day: str | None, asking: Asking, config: ConfigSource, out: TextIO
) -> int:
    """Draft labels for the skills at ``path``: 0, 2 when nothing is to be drafted, 3 when a draft failed.

    Raises ``UsageError`` before anything is asked when a file would be written over.
    """
    day = day_of(day)
    refuse_wrong_calls(asking)
    if output is not None and output != "-":
        refuse_unwritable(output, "--output")
    wrong, targets = targets_in((path,), config)
    if not targets:
        raise UsageError(f"{path}: there is no skill that a model may choose")
    if output is not None and len(targets) > 1:
        raise UsageError(f"--output takes the labels of one skill; {path} has {len(targets)}")
    wanted = targets if asking.estimate else [one for one in targets if _is_free(one, output, force, len(targets) == 1)]
    if not wanted:
        raise UsageError(f"{path}: every skill already has labels; use --force to overwrite them")
    from plugin_eval_ci.edges.claude import hindrance

    options = options_of(asking, config_of(path, targets[0].skill.root, config))
    if not asking.estimate and (why := hindrance(options)):
        raise MeasurementError(f"no labels could be drafted: {why}")
    drafts, estimate, interrupted = _asked(wanted, asking, options, day)
    if asking.estimate:
        out.write(in_words(estimate, path))
        return 0
    if asking.replay and estimate.cells:
        say(f"stale: {estimate.cells} answers are not recorded; to record them costs about {dollars(estimate.cost)}")
    failed = False
    for target, labels in zip(wanted, drafts, strict=True):
        if isinstance(labels, Failure):
            failed = True
            say(f"{target.names.own}: {labels.reason}")
            continue
        for note in labels.notes:
            say(f"{target.names.own}: {note}")
        put(labels, target.skill, output, force, out)
    return 130 if interrupted else 3 if failed else 2 if wrong else 0


def _asked(
    wanted: list[Target], asking: Asking, options: Options, day: str
) -> tuple[list[Labels | Failure], Estimate, bool]:
    from plugin_eval_ci.edges.claude import open_ask

    async def main() -> tuple[list[Labels | Failure], Estimate, bool]:
        async with open_ask(options) as client:
            client.expect(CALLS * len(wanted))
            drafts = [await _drafted(target, client.ask, day, asking.seed) for target in wanted]
            return drafts, client.stale(), client.interrupted

    from plugin_eval_ci.commands.running import run_asking

    return run_asking(main)


async def _drafted(target: Target, ask: Ask, day: str, seed: int) -> Labels | Failure:
    catalogue = catalogue_of(target.near, target.plugins, Settings(seed=seed))
    return await draft(target.skill, target.names, catalogue.entries, catalogue.skills, ask, day, seed)


def _is_free(target: Target, output: str | None, force: bool, alone: bool) -> bool:
    """Whether the labels can be written. Of several skills those that have labels are left alone."""
    file = output or os.path.join(target.skill.directory, *PLACE.split("/"))
    if output == "-":
        return True
    if alone:
        refuse_existing(file, force)
        return True
    if os.path.lexists(file) and not force:
        say(f"{target.names.own}: already has labels; use --force to overwrite them")
        return False
    return True
