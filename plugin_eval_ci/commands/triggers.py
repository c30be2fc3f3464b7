"""``plugin-eval triggers check`` and ``import``: labels looked at, and those of other tools written as ours."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TextIO

from plugin_eval_ci import page
from plugin_eval_ci.commands.files import write
from plugin_eval_ci.commands.settings import read_config, say, say_left_out, shown_path
from plugin_eval_ci.commands.siblings import beside
from plugin_eval_ci.config.node import UnreadableError
from plugin_eval_ci.discover import find
from plugin_eval_ci.errors import UsageError, already_exists
from plugin_eval_ci.evaluate import read
from plugin_eval_ci.model import Skill
from plugin_eval_ci.trials.checked import check
from plugin_eval_ci.trials.formats import Foreign, foreign_in, root_of
from plugin_eval_ci.trials.importers import labels_from
from plugin_eval_ci.trials.label_file import digest_of
from plugin_eval_ci.trials.label_text import text_of
from plugin_eval_ci.trials.labels import PLACE
from plugin_eval_ci.trials.naming import Names, names_in
from plugin_eval_ci.trials.reading import text_of as read_text
from plugin_eval_ci.trials.values import Labels

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource


class Target(NamedTuple):
    """A skill with its names among those that are listed beside it (``near``, itself among them)."""

    skill: Skill
    names: Names
    near: tuple[Skill, ...]
    plugins: dict[str, str]


def run_check(paths: tuple[str, ...], output: str, config: ConfigSource, out: TextIO) -> int:
    """Print what is wrong with the labels in ``paths``: 1 when something must be mended, 2 when there is nothing to look at."""
    wrong, targets = targets_in(paths, config)
    checked = [check(target.skill, target.names) for target in targets]
    if output == "json":
        from plugin_eval_ci.report import triggers_json

        out.write(triggers_json.render(checked))
    else:
        from plugin_eval_ci.report import triggers_text

        out.write(triggers_text.render(checked))
    if not any(one.file for one in checked):
        say("no labels found; `plugin-eval triggers init PATH` drafts some")
        return 2
    return 1 if any(one.wrong for one in checked) else 2 if wrong else 0


def run_import(
    files: tuple[str, ...], skill: str | None, output: str | None, force: bool, config: ConfigSource, out: TextIO
) -> int:
    """Write the labels in ``files`` as a file of ours. Raises ``UsageError`` for what holds none."""
    wrong, targets = targets_in((skill or os.path.dirname(os.path.abspath(files[0])),), config)
    found = [(file, foreign(file)) for file in files]
    if skill is None and len(targets) != 1:
        targets = [target for target in targets if any(_is_named(one, target.names) for _, one in found)]
    if len(targets) != 1:
        raise UsageError(f"{len(targets)} skills may be meant; name one with --skill")
    labels = _merged(targets[0], found)
    for note in labels.notes:
        say(note)
    put(labels, targets[0].skill, output, force, out)
    return 2 if wrong else 0


def targets_in(paths: tuple[str, ...], config: ConfigSource) -> tuple[bool, list[Target]]:
    """The listed skills in ``paths``, and whether some path gave nothing."""
    found = find(paths, config)
    wrong = say_left_out(found, hook=False)
    return wrong, list(_targets(read(found).skills, config))


def _targets(skills: Sequence[Skill], config: ConfigSource) -> Iterator[Target]:
    for group in beside(skills, config):
        chosen = {skill.source.file for skill in group.chosen}
        for skill, names in names_in(group.skills, group.plugins):
            if skill.source.file in chosen:
                chosen.remove(skill.source.file)
                yield Target(skill, names, group.skills, group.plugins)
        for file in sorted(chosen):
            say(f"{shown_path(file)}: the model cannot choose this skill by itself, so there is nothing to try")


def put(labels: Labels, skill: Skill, output: str | None, force: bool, out: TextIO) -> None:
    """Write labels beside their skill, or where ``output`` says (``-``: standard output). Raises ``UsageError``."""
    text = text_of(labels, skill.name)
    if output == "-":
        out.write(text)
        return
    file = output or os.path.join(skill.directory, *PLACE.split("/"))
    refuse_existing(file, force)
    write(os.path.dirname(os.path.abspath(file)), [(os.path.basename(file), text)], "--output")
    say(f"{len(labels.prompts)} prompts written to {shown_path(file)}")


def refuse_existing(file: str, force: bool) -> None:
    """Raise ``UsageError`` when a file is there that is not to be written over."""
    if os.path.lexists(file) and not force:
        raise UsageError(already_exists(shown_path(file), "use --force to overwrite it"))


def foreign(file: str) -> Foreign:
    """The labels of another tool in a file. Raises ``UsageError``."""
    try:
        found = foreign_in(root_of(read_text(os.path.abspath(file)), file.endswith(".json")))
    except UnreadableError as error:
        raise UsageError(f"{shown_path(file)}:{error.line}: {error}") from None
    if found is None:
        raise UsageError(f"{shown_path(file)}: not labels in a known form; see {page('triggers')}")
    return found


def _merged(target: Target, found: Sequence[tuple[str, Foreign]]) -> Labels:
    parts = []
    for file, one in found:
        labels = labels_from(one, os.path.abspath(file), target.skill, target.names)
        if labels is None:
            raise UsageError(f"{shown_path(file)}: it has no labels of {target.names.own}")
        parts.append(labels)
    prompts = tuple({prompt.id: prompt for part in parts for prompt in part.prompts}.values())
    notes = tuple(note for part in parts for note in part.notes)
    return Labels(target.names.own, parts[0].file, digest_of(prompts), prompts, notes)


def _is_named(found: Foreign, names: Names) -> bool:
    words = {found.skill} if found.skill else {word for raw in found.prompts for word in raw.expect}
    return any(names.meant.get(word) == names.own for word in words)


def config_for(
    paths: tuple[str, ...], config_file: str | None, isolated: bool, exclude: tuple[str, ...]
) -> ConfigSource:
    """The configuration: only where to look matters here."""
    return read_config(paths, config_file, isolated, exclude).for_score()
