"""``plugin-eval baseline``."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, TextIO

from plugin_eval_ci.commands import lint
from plugin_eval_ci.commands.accepted import gone_entries
from plugin_eval_ci.commands.load_config import config_of, say_left_out, shown_path
from plugin_eval_ci.discover import roots_of
from plugin_eval_ci.errors import UsageError, already_exists
from plugin_eval_ci.lint import baseline
from plugin_eval_ci.lint.baseline import Entry
from plugin_eval_ci.lint.evaluate import Evaluation
from plugin_eval_ci.report.words import many

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
    evaluation = lint.evaluate_paths(paths, config, options.lint)
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
    gone = Counter(gone_entries(paths, matched.idle, evaluation, config, options.lint))
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
