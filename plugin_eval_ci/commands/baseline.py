"""``plugin-eval baseline``, and what ``lint`` does with the file."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, TextIO

from plugin_eval_ci import baseline
from plugin_eval_ci.baseline import Applied, Entry
from plugin_eval_ci.commands import lint
from plugin_eval_ci.commands.settings import config_of, say, say_left_out, shown_path
from plugin_eval_ci.discover import roots_of
from plugin_eval_ci.errors import UsageError, already_exists
from plugin_eval_ci.evaluate import Evaluation
from plugin_eval_ci.model import Finding
from plugin_eval_ci.report.counts import many
from plugin_eval_ci.rules import rule_named
from plugin_eval_ci.suppress import folder_of

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource


class Options(NamedTuple):
    """The options of the command; ``lint`` are those it shares with that one."""

    output: str | None
    reason: str
    expires: str
    update: bool
    add: bool
    lint: lint.Options


def run(paths: tuple[str, ...], options: Options, out: TextIO) -> int:
    """Write what ``lint`` finds in ``paths`` as accepted: 0, or 2 when there is nothing to look at or the file is there already."""
    if options.expires and not baseline.is_date(options.expires):
        raise UsageError(f"--expires: {options.expires!r} is not a valid date (expected YYYY-MM-DD)")
    if options.add and not options.update:
        raise UsageError("--add goes with --update")
    config = lint.config_of_run(paths, options.lint)
    root, _ = roots_of(paths)
    file = options.output or config_of(paths[0], root, config).baseline or os.path.join(root, baseline.FILE_NAME)
    there = os.path.lexists(file)
    if there and not options.update:
        raise UsageError(already_exists(shown_path(file), "use --update to keep its reasons, or delete it"))
    evaluation = lint.evaluated(paths, config, options.lint)
    if say_left_out(evaluation.found, hook=False):
        return 2
    old = baseline.load(file) if there else ()
    entries, said = _updated(paths, old, evaluation, config, options) if options.update else _fresh(evaluation, options)
    _write(file, entries)
    out.write(f"{shown_path(file)}: {many(len(entries), 'entry', 'entries')}{said}\n")
    if not there and config_of(paths[0], root, config).baseline is None:
        where = os.path.relpath(os.path.abspath(file), root).replace(os.sep, "/")
        out.write(f"To use it: put `baseline: {where}` into .plugin-eval.yaml, or run lint with --baseline.\n")
    return 0


def _fresh(evaluation: Evaluation, options: Options) -> tuple[list[Entry], str]:
    return [baseline.entry_of(finding, options.reason, options.expires) for finding in evaluation.checked.findings], ""


def _updated(
    paths: tuple[str, ...], old: tuple[Entry, ...], evaluation: Evaluation, config: ConfigSource, options: Options
) -> tuple[list[Entry], str]:
    """The old entries without the gone ones; what is new is taken in only when that was asked for."""
    checked = evaluation.checked
    matched = baseline.apply(checked, checked.findings, old, "")  # on no day at all, so that nothing has expired
    gone = Counter(_gone(paths, matched.idle, evaluation, config, options.lint))
    kept = list((Counter(old) - gone).elements())
    new = matched.checked.findings
    said = f", {many(len(old) - len(kept), 'gone one')} dropped" if len(kept) < len(old) else ""
    if not options.add:
        return kept, said + (f"; {many(len(new), 'finding')} not in it (--add takes them in)" if new else "")
    if options.expires:
        day = baseline.today()
        again = {f.fingerprint for f in checked.findings}
        kept = [
            one._replace(reason=options.reason or one.reason, expires=options.expires)
            if baseline.is_expired(one, day) and one.fingerprint in again
            else one
            for one in kept
        ]
    return kept + [
        baseline.entry_of(finding, options.reason, options.expires) for finding in new
    ], f"{said}, {len(new):,} added"


def _write(file: str, entries: Iterable[Entry]) -> None:
    try:
        with open(file, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(baseline.render(entries))
    except OSError as error:
        raise UsageError(f"{shown_path(file)}: cannot be written: {error.strerror}") from error


def without_accepted(
    paths: tuple[str, ...], evaluation: Evaluation, config: ConfigSource, options: lint.Options
) -> Evaluation:
    """``evaluation`` without what the baselines hold; says on standard error which entries expired or are gone."""
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
        _say(paths, file, len(entries), applied, evaluation, config, options)
        checked = applied.checked
        if options.base:
            from plugin_eval_ci.commands.since import without_new_entries

            checked = without_new_entries(checked, file, root, options.base)
        evaluation = evaluation._replace(checked=checked)
    return evaluation


def _say(
    paths: tuple[str, ...],
    file: str,
    total: int,
    applied: Applied,
    evaluation: Evaluation,
    config: ConfigSource,
    options: lint.Options,
) -> None:
    if applied.expired:
        say(f"{shown_path(file)}: {many(len(applied.expired), 'entry', 'entries')} expired and count again")
    mine = [entry for entry in applied.idle if config.at(folder_of(entry.path)).baseline == file]
    gone = [] if options.hook else _gone(paths, mine, evaluation, config, options)
    if gone:
        be, output = "is" if len(gone) == 1 else "are", f" --output {shown_path(file)}" if options.baseline else ""
        say(
            f"{shown_path(file)}: {len(gone):,} of {total:,} baseline entries {be} gone: run `plugin-eval baseline --update{output}`"
        )


def _gone(
    paths: tuple[str, ...], idle: Iterable[Entry], evaluation: Evaluation, config: ConfigSource, options: lint.Options
) -> list[Entry]:
    """Those entries without a finding that this run looked for: in a named folder, by a rule that ran and saw all it needs."""
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
            judged = bool(options.merge)  # another tool's
        else:
            judged = rule is None or (
                config.at(folder_of(entry.path)).runs(rule.name) and (whole or rule.on_collection is None)
            )
        if looked and judged:
            found.append(entry)
    return found
