"""``plugin-eval baseline``."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, TextIO

from plugin_eval_ci.commands import lint
from plugin_eval_ci.commands.accepted import gone_entries
from plugin_eval_ci.commands.files import refuse_unwritable
from plugin_eval_ci.commands.load_config import config_of, say_left_out, shown_path
from plugin_eval_ci.discover import roots_of
from plugin_eval_ci.errors import UsageError, already_exists, not_date, not_written
from plugin_eval_ci.lint import baseline
from plugin_eval_ci.lint.baseline import Entry
from plugin_eval_ci.lint.evaluate import Evaluation
from plugin_eval_ci.report.words import many

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource


class BaselineOptions(NamedTuple):
    """The options of the command; ``lint`` holds those it shares with ``lint``."""

    output: str | None
    reason: str
    expires: str
    update: bool
    add: bool
    lint: lint.LintOptions


def run(paths: tuple[str, ...], options: BaselineOptions, out: TextIO) -> int:
    """Write the findings in ``paths`` to a baseline: 0, or 2 if there is nothing to lint or the file already exists."""
    if options.expires and not baseline.is_date(options.expires):
        raise UsageError(not_date("--expires", options.expires))
    if options.add and not options.update:
        raise UsageError("--add needs --update")
    config = lint.config_of_run(paths, options.lint)
    root, _ = roots_of(paths)
    file = options.output or config_of(paths[0], root, config).baseline or os.path.join(root, baseline.FILE_NAME)
    there = os.path.lexists(file)
    refuse_unwritable(file, "--output" if options.output else "baseline")
    if there and not options.update:
        raise UsageError(already_exists(shown_path(file), "use --update to keep its reasons, or delete it"))
    evaluation = lint.evaluate_paths(paths, config, options.lint)
    if say_left_out(evaluation.found, hook=False):
        return 2
    old = baseline.load(file) if there else ()
    if options.update:
        entries, changes = _updated_entries(paths, old, evaluation, config, options)
    else:
        found = evaluation.checked.findings
        entries, changes = [baseline.entry_of(one, options.reason, options.expires) for one in found], ""
    _write(file, entries)
    out.write(f"{shown_path(file)}: {many(len(entries), 'entry', 'entries')}{changes}\n")
    if not there and config_of(paths[0], root, config).baseline is None:
        where = os.path.relpath(os.path.abspath(file), root).replace(os.sep, "/")
        out.write(
            f"To use it, add `baseline: {where}` to .plugin-eval.yaml or run `plugin-eval lint --baseline {where}`.\n"
        )
    return 0


def _updated_entries(
    paths: tuple[str, ...],
    old: tuple[Entry, ...],
    evaluation: Evaluation,
    config: ConfigSource,
    options: BaselineOptions,
) -> tuple[list[Entry], str]:
    """The old entries without the outdated ones, and with --add also the new findings; the changes in words."""
    checked = evaluation.checked
    matched = baseline.apply(checked, checked.findings, old, "")  # without a date, so nothing has expired
    gone = Counter(gone_entries(paths, matched.idle, evaluation, config, options.lint))
    kept = list((Counter(old) - gone).elements())
    new = matched.checked.findings
    changes = (
        f"; removed {many(len(old) - len(kept), 'outdated entry', 'outdated entries')}" if len(kept) < len(old) else ""
    )
    if not options.add:
        return kept, changes + (f"; {many(len(new), 'new finding')} not accepted (use --add)" if new else "")
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
    ], f"{changes}; added {many(len(new), 'new finding')}"


def _write(file: str, entries: Iterable[Entry]) -> None:
    try:
        with open(file, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(baseline.render(entries))
    except OSError as error:
        raise UsageError(not_written(shown_path(file), error)) from error
