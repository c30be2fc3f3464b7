"""Baselines in ``lint``: hide the accepted findings, and name outdated entries."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from plugin_eval_ci.commands.load_config import LintOptions, config_of, say, shown_path
from plugin_eval_ci.lint import baseline
from plugin_eval_ci.lint.baseline import BaselineResult, Entry
from plugin_eval_ci.lint.evaluate import Evaluation
from plugin_eval_ci.lint.suppress import folder_of
from plugin_eval_ci.model import Finding
from plugin_eval_ci.report.words import many
from plugin_eval_ci.rules import rule_named

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource


def without_accepted(
    paths: tuple[str, ...], evaluation: Evaluation, config: ConfigSource, options: LintOptions
) -> Evaluation:
    """``evaluation`` without the accepted findings. Notes on standard error name expired and outdated entries."""
    root = evaluation.found.root
    by_file: dict[str, list[Finding]] = {}
    for path in () if options.hook else paths:
        named = config_of(path, root, config).baseline
        if named:
            by_file.setdefault(named, [])
    for finding in evaluation.checked.findings:
        named = config.at(folder_of(finding.path)).baseline
        if named:
            by_file.setdefault(named, []).append(finding)
    for file, findings in by_file.items():
        entries = baseline.load(file)
        applied = baseline.apply(evaluation.checked, findings, entries, baseline.today())
        _print_outdated(paths, file, len(entries), applied, evaluation, config, options)
        checked = applied.checked
        if options.base:
            from plugin_eval_ci.commands.since import without_new_entries

            checked = without_new_entries(checked, file, root, options.base)
        evaluation = evaluation._replace(checked=checked)
    return evaluation


def _print_outdated(
    paths: tuple[str, ...],
    file: str,
    total: int,
    applied: BaselineResult,
    evaluation: Evaluation,
    config: ConfigSource,
    options: LintOptions,
) -> None:
    if applied.expired:
        say(f"{shown_path(file)}: {many(len(applied.expired), 'entry', 'entries')} expired; their findings count again")
    mine = [entry for entry in applied.idle if config.at(folder_of(entry.path)).baseline == file]
    gone = [] if options.hook else gone_entries(paths, mine, evaluation, config, options)
    if gone:
        verb, output = (
            "matches" if len(gone) == 1 else "match",
            f" --output {shown_path(file)}" if options.baseline else "",
        )
        say(
            f"{shown_path(file)}: {len(gone):,} of {total:,} baseline entries {verb} no finding; "
            f"`plugin-eval baseline --update{output}` removes them"
        )


def gone_entries(
    paths: tuple[str, ...], idle: Iterable[Entry], evaluation: Evaluation, config: ConfigSource, options: LintOptions
) -> list[Entry]:
    """The entries without a finding, if this run could have found it: in a named folder, by a rule that ran on all it needs."""
    if options.base:
        return []
    root = evaluation.found.root
    folders = [
        os.path.relpath(os.path.abspath(path), root).replace(os.sep, "/") for path in paths if os.path.isdir(path)
    ]
    whole = "." in folders
    found = []
    for entry in idle:
        looked = whole or any(entry.path == folder or entry.path.startswith(f"{folder}/") for folder in folders)
        rule = rule_named(entry.rule)
        if "/" in entry.rule:
            judged = bool(options.sarif_in)  # another tool's
        else:
            judged = rule is None or (
                config.at(folder_of(entry.path)).runs(rule.name) and (whole or rule.on_collection is None)
            )
        if looked and judged:
            found.append(entry)
    return found
