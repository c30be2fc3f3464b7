"""Finds changes to the lint settings: configuration files with a different meaning, and entries added to a baseline."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

from plugin_eval_ci.analysis.revision import SettingsChange
from plugin_eval_ci.config import FILE_NAME, Config, PathRules
from plugin_eval_ci.config.discovery import PYPROJECT, find_files
from plugin_eval_ci.config.read import load
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.git import Change
from plugin_eval_ci.lint import baseline
from plugin_eval_ci.lint.suppress import folder_of
from plugin_eval_ci.model import Severity
from plugin_eval_ci.rules import all_names

NAMES = (FILE_NAME, PYPROJECT)
_MOST_SHOWN = 80  # characters of each value
# The location of a configuration is not part of its meaning.
_PLACES = frozenset({"folder", "file", "origins", "also_exclude", "comments"})


def settings_changes(
    then: str, now: str, changes: tuple[Change, ...], accepting: frozenset[str], named: str | None
) -> Iterator[SettingsChange]:
    """Every such file among ``changes``. ``then`` and ``now`` are the folders of the two sides.

    ``accepting`` are the paths of baselines. ``named`` is the file of ``--config``, which overrides the files in folders.
    """
    paths = dict.fromkeys(path for change in changes for path in (change.old, change.new) if path)
    for path in paths:
        is_config = path == named if named is not None else path.rpartition("/")[2] in NAMES
        if is_config and (keys := _differing(then, now, path, named is not None)):
            yield SettingsChange(path, f"the lint configuration ({', '.join(keys)})")
        elif path in accepting or path.rpartition("/")[2] == baseline.FILE_NAME:
            more = _entries(os.path.join(now, path)) - _entries(os.path.join(then, path))
            if count := more.total():
                yield SettingsChange(path, f"the lint baseline ({count:,} more {'entry' if count == 1 else 'entries'})")


def _differing(then: str, now: str, path: str, named: bool) -> list[str]:
    """The keys whose values differ; ``everything`` if one side cannot be read."""
    before, after = (_config(root, path, named) for root in (then, now))
    if before is None or after is None:
        return [] if before is after else ["everything"]
    pairs = [(key, _said(before, key, then), _said(after, key, now)) for key in Config._fields if key not in _PLACES]
    return [f"{key.replace('_', '-')}: {_shown(old)} -> {_shown(new)}" for key, old, new in pairs if old != new]


def _shown(value: object) -> str:
    """A value as text, cut if it is long."""
    if isinstance(value, Severity):
        return value.word
    if value is None or value == () or value == frozenset():
        return "nothing"
    if isinstance(value, PathRules):
        return f"{value.glob} {_shown((*sorted(value.ignore), *value.severity))}"
    if isinstance(value, frozenset):
        value = tuple(sorted(value))
    text = (
        " ".join(_shown(one) for one in value)
        if isinstance(value, tuple)
        else str(value).lower()
        if isinstance(value, bool)
        else str(value)
    )
    return text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 1] + "…"


def _config(root: str, path: str, named: bool) -> Config | None:
    """The configuration in a file. Defaults if the file or our section is missing, None if it cannot be read."""
    file = os.path.join(root, path)
    try:
        if named:
            found = load(file, all_names(), "", root) if os.path.isfile(file) else None
        else:
            files = find_files(os.path.dirname(file), root) if os.path.isdir(os.path.dirname(file)) else ()
            found = load(file, all_names(), folder_of(path), root) if file in files else None
    except UsageError:
        return None
    return found or Config()


def _said(config: Config, key: str, root: str) -> object:
    value: object = config._asdict()[key]
    return os.path.relpath(config.baseline, root) if key == "baseline" and config.baseline else value


def _entries(file: str) -> Counter[str]:
    """The fingerprints of a baseline; empty if it cannot be read."""
    try:
        return Counter(entry.fingerprint for entry in baseline.load(file)) if os.path.isfile(file) else Counter()
    except UsageError:
        return Counter()
