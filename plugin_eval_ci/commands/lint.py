"""``plugin-eval lint``."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from plugin_eval_ci.commands.load_config import LintOptions as LintOptions
from plugin_eval_ci.commands.load_config import config_of_run as config_of_run
from plugin_eval_ci.commands.load_config import is_terminal, say, say_left_out, use_color
from plugin_eval_ci.commands.load_config import overrides as overrides
from plugin_eval_ci.discover import roots_of
from plugin_eval_ci.errors import UsageError, not_found
from plugin_eval_ci.lint.evaluate import Evaluation, evaluate, evaluate_text
from plugin_eval_ci.lint.suppress import folder_of
from plugin_eval_ci.model import Finding, Severity
from plugin_eval_ci.report.words import many

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource


def run(paths: tuple[str, ...], options: LintOptions, out: TextIO) -> int:
    """Lint ``paths`` and print the findings: 0, 1 (findings at the fail level) or 2 (a path is missing or holds nothing to lint)."""
    if options.baseline is not None and not os.path.lexists(options.baseline):
        raise UsageError(f"--baseline {not_found(options.baseline)}")
    config = config_that_judges(paths, config_of_run(paths, options), options)
    everything = evaluate_paths(paths, config, options)
    if options.fix or options.diff:
        from plugin_eval_ci.commands import fix

        if options.diff:
            return int(fix.show(everything, out, options.hook) > 0)
        if fix.write(everything, options.hook):
            everything = evaluate_paths(paths, config, options)
    evaluation = without_baseline(paths, everything, config, options)
    _print(evaluation, options, out)
    wrong = say_left_out(evaluation.found, options.hook)
    return 2 if wrong else _code(evaluation, config)


def config_that_judges(paths: tuple[str, ...], config: ConfigSource, options: LintOptions) -> ConfigSource:
    """``config``, or that of the base where there is one: no change decides about itself."""
    if not options.base:
        return config
    from plugin_eval_ci.commands import since

    more = overrides(options)
    root, _ = roots_of(paths)
    return since.config_of_base(
        config, root, options.base, options.config_file, options.isolated, options.exclude, more
    )


def evaluate_paths(paths: tuple[str, ...], config: ConfigSource, options: LintOptions) -> Evaluation:
    """All findings, including those a baseline accepts."""
    if options.base:
        from plugin_eval_ci.commands import since  # loads git, which only --base needs

        root, _ = roots_of(paths)
        settings = since.settings_of(
            config, root, options.config_file, options.isolated, options.exclude, overrides(options)
        )
        return _with_sarif(since.evaluate_since(paths, settings, options.base), options.sarif_in)
    return _with_sarif(evaluate(paths, config, strict=options.hook), options.sarif_in)


def without_baseline(
    paths: tuple[str, ...], evaluation: Evaluation, config: ConfigSource, options: LintOptions
) -> Evaluation:
    """The evaluation without the findings that a baseline accepts."""
    findings = evaluation.checked.findings
    places = {folder_of(finding.path) for finding in findings}
    if not options.hook:
        places |= {folder_of(where.path) for where in (*evaluation.found.skills, *evaluation.found.agents)} | {""}
    if not any(config.at(place).baseline for place in places):
        return evaluation
    from plugin_eval_ci.commands.accepted import without_accepted

    return without_accepted(paths, evaluation, config, options)


def run_text(data: bytes, file: str, options: LintOptions, out: TextIO) -> int:
    """Lint the bytes that an editor passed for ``file``."""
    config = config_of_run((file,), options)
    editing = options._replace(hook=True)  # says nothing about outdated baseline entries
    evaluation = without_baseline((file,), evaluate_text(data, file, config), config, editing)
    _print(evaluation, options, out)
    return _code(evaluation, config)


def _with_sarif(evaluation: Evaluation, files: tuple[str, ...]) -> Evaluation:
    if not files:
        return evaluation
    from plugin_eval_ci.lint.merge.findings import merge

    merged = merge(evaluation.checked, files, evaluation.found.root)
    if merged.outside:
        say(f"--sarif-in: skipped {many(merged.outside, 'finding')} in files outside this repository")
    return evaluation._replace(checked=merged.checked)


def _print(evaluation: Evaluation, options: LintOptions, out: TextIO) -> None:
    if options.base and options.format != "json":
        from plugin_eval_ci.commands.since import only_new

        evaluation = only_new(evaluation)
    if options.statistics:
        from plugin_eval_ci.report.lint import statistics

        out.write(statistics.render(evaluation, options.format == "json"))
    elif options.format == "text":
        from plugin_eval_ci.report.lint import text as lint_text

        how = lint_text.How(
            use_color(out), options.hook, every=options.every, quiet=options.quiet, source=is_terminal(out)
        )
        out.write(lint_text.render(evaluation, how))
    else:
        from importlib import import_module

        render: Callable[[Evaluation], str] = import_module(f"plugin_eval_ci.report.lint.{options.format}").render
        out.write(render(evaluation))


def _code(evaluation: Evaluation, config: ConfigSource) -> int:
    return int(any(fails(finding, config) for finding in evaluation.checked.findings))


def fails(finding: Finding, config: ConfigSource) -> bool:
    """Whether a finding fails the run: it is new, and at or above the fail level of its folder."""
    level = config.at(folder_of(finding.path)).fail_on
    return finding.state != "old" and level != "never" and finding.severity >= Severity[level.upper()]
