"""``plugin-eval triggers``: check labels, draft them, and convert those of other tools."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TextIO

from plugin_eval_ci import page
from plugin_eval_ci.commands.catalog import catalogs_of
from plugin_eval_ci.commands.files import refuse_unwritable, refuse_unwritable_folder, write
from plugin_eval_ci.commands.load_config import complain, config_of, read_config, say, say_left_out, shown_path
from plugin_eval_ci.commands.model_layers import estimate_text, options_of, run_asking
from plugin_eval_ci.commands.model_options import ModelOptions, refuse_wrong_calls
from plugin_eval_ci.commands.report_date import day_of
from plugin_eval_ci.discover import find_targets
from plugin_eval_ci.errors import MeasurementError, UnreadableError, UsageError, already_exists
from plugin_eval_ci.evals.llm.request import Ask, Failure
from plugin_eval_ci.evals.trials.catalogue import Names, catalogue_of, names_in
from plugin_eval_ci.evals.trials.labels import PLACE, check
from plugin_eval_ci.evals.trials.labels.drafts import CALLS, draft
from plugin_eval_ci.evals.trials.labels.file import digest_of, text_of
from plugin_eval_ci.evals.trials.labels.file import read_text as read_text
from plugin_eval_ci.evals.trials.labels.formats import ForeignLabels, foreign_in, root_of
from plugin_eval_ci.evals.trials.labels.importers import labels_from
from plugin_eval_ci.evals.trials.values import Labels, Settings
from plugin_eval_ci.lint.evaluate import read_collection
from plugin_eval_ci.model import Skill
from plugin_eval_ci.report.words import many
from plugin_eval_ci.scoring.spending import Estimate, dollars

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource
    from plugin_eval_ci.evals.llm.anthropic import Options


class Target(NamedTuple):
    """A skill, its names, and the skills listed with it (``near``, which includes the skill itself)."""

    skill: Skill
    names: Names
    near: tuple[Skill, ...]
    plugins: dict[str, str]


def run_check(paths: tuple[str, ...], format: str, config: ConfigSource, out: TextIO) -> int:
    """Print the problems of the labels in ``paths``: 0, 1 if some need fixing, 2 without labels."""
    wrong, targets = targets_in(paths, config)
    checked = [check(target.skill, target.names) for target in targets]
    if format == "json":
        from plugin_eval_ci.report.trials import labels as triggers_json

        out.write(triggers_json.render_json(checked))
    else:
        from plugin_eval_ci.report.trials import labels as triggers_text

        out.write(triggers_text.render_text(checked))
    if not any(one.file for one in checked):
        complain(f"{', '.join(paths)}: no labels found; `plugin-eval triggers init PATH` drafts some")
        return 2
    return 1 if any(one.wrong for one in checked) else 2 if wrong else 0


def run_import(
    files: tuple[str, ...], skill: str | None, output: str | None, force: bool, config: ConfigSource, out: TextIO
) -> int:
    """Convert the labels in ``files``. Raises ``UsageError`` for a file without labels."""
    wrong, targets = targets_in((skill or os.path.dirname(os.path.abspath(files[0])),), config)
    found = [(file, foreign(file)) for file in files]
    if skill is None and len(targets) != 1:
        targets = [target for target in targets if any(_is_named(one, target.names) for _, one in found)]
    if len(targets) != 1:
        raise UsageError(f"the labels may belong to {len(targets)} skills; name one with --skill PATH")
    labels = _merge_labels(targets[0], found)
    for note in labels.notes:
        say(note)
    write_labels(labels, targets[0].skill, output, force, out)
    return 2 if wrong else 0


def targets_in(paths: tuple[str, ...], config: ConfigSource) -> tuple[bool, list[Target]]:
    """Whether a path holds no skills, and the listed skills in ``paths``."""
    found = find_targets(paths, config)
    wrong = say_left_out(found, hook=False)
    return wrong, list(_targets(read_collection(found).skills, config))


def _targets(skills: Sequence[Skill], config: ConfigSource) -> Iterator[Target]:
    for group in catalogs_of(skills, config):
        chosen = {skill.source.file for skill in group.chosen}
        for skill, names in names_in(group.skills, group.plugins):
            if skill.source.file in chosen:
                chosen.remove(skill.source.file)
                yield Target(skill, names, group.skills, group.plugins)
        for file in sorted(chosen):
            say(f"{shown_path(file)}: the model cannot choose this skill by itself, so there is nothing to test")


def write_labels(labels: Labels, skill: Skill, output: str | None, force: bool, out: TextIO) -> None:
    """Write labels to the folder of their skill, or to ``output`` (``-``: standard output). Raises ``UsageError``."""
    text = text_of(labels, skill.name)
    if output == "-":
        out.write(text)
        return
    file = output or os.path.join(skill.directory, *PLACE.split("/"))
    refuse_existing(file, force)
    write(os.path.dirname(os.path.abspath(file)), [(os.path.basename(file), text)], "--output")
    say(f"wrote {many(len(labels.prompts), 'prompt')} to {shown_path(file)}")


def refuse_existing(file: str, force: bool, option: str = "") -> None:
    """Raise ``UsageError`` for a file that exists and may not be overwritten, or that ``option`` names and cannot be written."""
    if os.path.lexists(file) and not force:
        raise UsageError(already_exists(shown_path(file), "use --force to overwrite it"))
    if option:
        refuse_unwritable_folder(os.path.dirname(file) or ".", option)


def foreign(file: str) -> ForeignLabels:
    """The labels of another tool in a file. Raises ``UsageError``."""
    try:
        found = foreign_in(root_of(read_text(os.path.abspath(file)), file.endswith(".json")))
    except UnreadableError as error:
        raise UsageError(f"{shown_path(file)}:{error.line}: {error}") from None
    if found is None:
        raise UsageError(f"{shown_path(file)}: not labels in a known format; see {page('triggers')}")
    return found


def _merge_labels(target: Target, found: Sequence[tuple[str, ForeignLabels]]) -> Labels:
    parts = []
    for file, one in found:
        labels = labels_from(one, os.path.abspath(file), target.skill, target.names)
        if labels is None:
            raise UsageError(f"{shown_path(file)}: no labels of {target.names.own}")
        parts.append(labels)
    prompts = tuple({prompt.id: prompt for part in parts for prompt in part.prompts}.values())
    notes = tuple(note for part in parts for note in part.notes)
    return Labels(target.names.own, parts[0].file, digest_of(prompts), prompts, notes)


def _is_named(found: ForeignLabels, names: Names) -> bool:
    words = {found.skill} if found.skill else {word for raw in found.prompts for word in raw.expect}
    return any(names.meant.get(word) == names.own for word in words)


def config_for(
    paths: tuple[str, ...], config_file: str | None, isolated: bool, exclude: tuple[str, ...]
) -> ConfigSource:
    """The configuration, of which only the excluded paths matter here."""
    return read_config(paths, config_file, isolated, exclude).for_score()


def run(
    path: str, output: str | None, force: bool, day: str | None, asking: ModelOptions, config: ConfigSource, out: TextIO
) -> int:
    """Draft labels for the skills at ``path``: 0, 2 if there is nothing to draft, 3 if a draft failed.

    Raises ``UsageError`` before any call if a file would be overwritten.
    """
    day = day_of(day)
    refuse_wrong_calls(asking)
    if output is not None and output != "-":
        refuse_unwritable(output, "--output")
    wrong, targets = targets_in((path,), config)
    if not targets:
        raise UsageError(f"{path}: no skill here that a model may choose by itself")
    if output is not None and len(targets) > 1:
        raise UsageError(f"--output holds the labels of one skill, but {path} has {len(targets)} skills")
    wanted = targets if asking.estimate else [one for one in targets if _is_free(one, output, force, len(targets) == 1)]
    if not wanted:
        raise UsageError(f"{path}: every skill already has labels; use --force to overwrite them")
    from plugin_eval_ci.evals.llm.anthropic import problem_of

    options = options_of(asking, config_of(path, targets[0].skill.root, config))
    if not asking.estimate and (why := problem_of(options)):
        raise MeasurementError(f"no labels were drafted: {why}")
    drafts, estimate, interrupted = _request_drafts(wanted, asking, options, day)
    if asking.estimate:
        out.write(estimate_text(estimate, path))
        return 0
    if asking.replay and estimate.cells:
        say(f"stale: {estimate.cells} answers are not recorded; recording them costs about {dollars(estimate.cost)}")
    failed = False
    for target, labels in zip(wanted, drafts, strict=True):
        if isinstance(labels, Failure):
            failed = True
            complain(f"{target.names.own}: {labels.reason}")
            continue
        for note in labels.notes:
            say(f"{target.names.own}: {note}")
        write_labels(labels, target.skill, output, force, out)
    return 130 if interrupted else 3 if failed else 2 if wrong else 0


def _request_drafts(
    wanted: list[Target], asking: ModelOptions, options: Options, day: str
) -> tuple[list[Labels | Failure], Estimate, bool]:
    from plugin_eval_ci.evals.llm.anthropic import open_ask

    async def main() -> tuple[list[Labels | Failure], Estimate, bool]:
        async with open_ask(options) as client:
            client.expect(CALLS * len(wanted))
            drafts = [await _draft_labels(target, client.ask, day, asking.seed) for target in wanted]
            return drafts, client.stale(), client.interrupted

    return run_asking(main)


async def _draft_labels(target: Target, ask: Ask, day: str, seed: int) -> Labels | Failure:
    catalogue = catalogue_of(target.near, target.plugins, Settings(seed=seed))
    return await draft(target.skill, target.names, catalogue.entries, catalogue.skills, ask, day, seed)


def _is_free(target: Target, output: str | None, force: bool, alone: bool) -> bool:
    """Whether the labels can be written. Of several skills, those with labels are skipped."""
    file = output or os.path.join(target.skill.directory, *PLACE.split("/"))
    if output == "-":
        return True
    if alone:
        refuse_existing(file, force)
        return True
    if os.path.lexists(file) and not force:
        say(f"{target.names.own}: skipped: it already has labels; use --force to overwrite them")
        return False
    return True
