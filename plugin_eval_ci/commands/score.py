"""``plugin-eval score``."""

import os
from typing import NamedTuple, TextIO

from plugin_eval_ci.commands.load_config import complain, config_of, read_config, say, say_left_out, use_color
from plugin_eval_ci.commands.model_options import ScoreOptions as ScoreOptions
from plugin_eval_ci.commands.model_options import refuse_wrong_calls
from plugin_eval_ci.commands.report_date import day_of
from plugin_eval_ci.config import Config
from plugin_eval_ci.errors import UsageError, not_found, together
from plugin_eval_ci.lint.evaluate import Evaluation, evaluate
from plugin_eval_ci.model import Agent, Document, Plugin, Skill
from plugin_eval_ci.scoring.dimensions import round_score
from plugin_eval_ci.scoring.gather import score_agent, score_plugin, score_skill
from plugin_eval_ci.scoring.report import ScoreReport
from plugin_eval_ci.scoring.spending import Estimate

STATIC_ONLY = "at depth {depth} only the static layer ran, so the result is Estimated: {why}"
_PLUGIN_WHY = "this depth runs the other layers for a single skill, not for a whole plugin"
_AGENT_WHY = "the other layers need a skill, and this is an agent"


class ScoreOutcome(NamedTuple):
    """The report, and an exit code: 3 if a layer of the named depth did not measure, 130 if interrupted, else 0."""

    report: ScoreReport
    code: int = 0


def run(path: str, options: ScoreOptions, out: TextIO) -> int:
    """Score what is at ``path``: 0, 1 (below the threshold), 2 (nothing to score), 3 (not measured at this depth) or 130."""
    refuse_wrong(options)
    if options.asking.estimate:
        out.write(estimate(path, options))
        return 0
    report, code = score_path(path, options)
    out.write(render(report, options.format, out, options.date))
    if code or options.threshold is None:
        return code
    value = report.composite.score
    if value is None:
        complain(f"{path}: nothing was measured, so --threshold {options.threshold:g} cannot be applied")
        return 3
    if round_score(value) >= options.threshold:
        return 0
    complain(f"{path}: the composite {value:.6g} is below the threshold {options.threshold:g}")
    return 1


def refuse_wrong(options: ScoreOptions) -> None:
    """Raise ``UsageError`` for options that cannot be used, before anything is read or paid for."""
    if options.date is not None or options.format in ("html", "badge", "shields"):
        day_of(options.date)
    if options.asking.trials is not None and options.depth != "measured":
        raise UsageError("--runs, --mode, --subject, --no-help and --no-controls need --depth measured")
    if options.asking.judge_file and options.depth == "quick":
        raise UsageError("--judge-file needs --depth standard or deeper")
    if options.isolated and options.config_file:
        raise UsageError(together("--isolated", "--config"))
    refuse_wrong_calls(options.asking)


def render(report: ScoreReport, format: str, out: TextIO, date: str | None = None) -> str:
    """The report in one of the formats. Raises ``UsageError`` for an invalid ``date``."""
    if format in ("html", "badge", "shields"):
        return _render_dated(report, format, day_of(date))
    if format == "json":
        from plugin_eval_ci.report.score import json as score_json

        return score_json.render(report)
    if format == "markdown":
        from plugin_eval_ci.report.score import markdown as score_markdown

        return score_markdown.render(report)
    from plugin_eval_ci.report.score import text as score_text

    return score_text.render(report, use_color(out))


def _render_dated(report: ScoreReport, format: str, day: str) -> str:
    """The report in a format that shows a date, because people see it later."""
    if format == "html":
        from plugin_eval_ci.report.score import html as score_html

        return score_html.render(report, day)
    from plugin_eval_ci.report import badge
    from plugin_eval_ci.report import badge as badge_shields
    from plugin_eval_ci.report import badge as badge_svg

    shown = badge.badge_of_score(report, day)
    return badge_svg.render_svg(shown) if format == "badge" else badge_shields.render_shields(shown)


def score_path(path: str, options: ScoreOptions) -> ScoreOutcome:
    """Find, check and score what is at ``path``. Raises ``UsageError`` if there is nothing to score, ``MeasurementError`` if no call
    to a model can succeed."""
    refuse_wrong(options)
    target, evaluation, config = find_target(path, options)
    if options.depth == "measured" and not isinstance(target, Agent):
        from plugin_eval_ci.commands.measured import score_measured

        return ScoreOutcome(
            *score_measured(path, target, evaluation, options, _several_plugins(path, target, evaluation))
        )
    if isinstance(target, Skill) and options.depth != "quick":
        return _score_with_models(target, evaluation, config, options)
    if options.asking.judge_file:
        raise UsageError(f"--judge-file needs a single skill; {path} is not one")
    notes: tuple[str, ...] = ()
    if options.depth != "quick":
        why = _PLUGIN_WHY if isinstance(target, Plugin) else _AGENT_WHY
        notes = (STATIC_ONLY.format(depth=options.depth, why=why),)
        (complain if options.models_only else say)(notes[0])
    code = 3 if notes and options.models_only else 0
    if isinstance(target, Plugin):
        notes += _several_plugins(path, target, evaluation)
        return ScoreOutcome(score_plugin(target, evaluation.checked, notes, evaluation.collection.manifests), code)
    if isinstance(target, Skill):
        return ScoreOutcome(score_skill(target, evaluation.checked, notes))
    return ScoreOutcome(score_agent(target, evaluation.checked, notes), code)


def find_target(path: str, options: ScoreOptions) -> tuple[Document | Plugin, Evaluation, Config]:
    """The target at ``path``, all that was checked, and the configuration there. Raises ``UsageError`` if there is nothing to score."""
    config = read_config(path, options.config_file, options.isolated, options.exclude)
    # A score counts what the methodology counts, whatever lint leaves out.
    evaluation = evaluate((path,), config.for_score())
    if evaluation.found.missing:
        raise UsageError(not_found(path))
    target = _target(path, evaluation)
    if target is None:
        say_left_out(evaluation.found, hook=False)
        raise UsageError(f"{path}: nothing to score here (expected a skill, an agent or a plugin)")
    return target, evaluation, config_of(path, evaluation.collection.root, config)


def estimate(path: str, options: ScoreOptions) -> str:
    """The estimate of the calls, in words. Nothing is sent."""
    counted = estimate_path(path, options)
    if counted is None:
        return f"{path}: no model would be called\n"
    from plugin_eval_ci.commands.model_layers import estimate_text

    return estimate_text(counted, f"{path} at depth {options.depth}")


def estimate_path(path: str, options: ScoreOptions) -> Estimate | None:
    """The calls without a recorded answer, and their cost; None if this depth calls no model for the target. Nothing is sent."""
    target, evaluation, config = find_target(path, options)
    if options.depth == "measured" and not isinstance(target, Agent):
        from plugin_eval_ci.commands.measured import estimate_of_trials

        return estimate_of_trials(path, target, evaluation, options)
    if not isinstance(target, Skill) or options.depth == "quick":
        return None
    from plugin_eval_ci.commands.model_layers import estimate_of

    return estimate_of(target, options.depth, options.asking, config)


def _score_with_models(skill: Skill, evaluation: Evaluation, config: Config, options: ScoreOptions) -> ScoreOutcome:
    from plugin_eval_ci.commands.model_layers import notes_of, run_layers

    asked, hindered, interrupted = run_layers(skill, options.depth, options.asking, config)
    for note in notes_of(asked):  # the report says the same where its dimensions and layers stand
        (say if hindered and not options.named else complain)(note)
    # Without a key and without --depth the static score is the result. Whatever else is missing was wanted.
    code = 130 if interrupted else 0 if asked.complete or (hindered and not options.named) else 3
    return ScoreOutcome(score_skill(skill, evaluation.checked, (), asked), code)


def _target(path: str, evaluation: Evaluation) -> Document | Plugin | None:
    place = os.path.realpath(path)
    collection = evaluation.collection
    plugins = [
        plugin for plugin in collection.plugins if os.path.realpath(os.path.join(collection.root, plugin.path)) == place
    ]
    documents = [
        document
        for document in collection.documents
        if place in (os.path.realpath(document.source.file), os.path.realpath(os.path.dirname(document.source.file)))
        and (isinstance(document, Skill) or os.path.realpath(document.source.file) == place)
    ]
    whole_plugin = len(plugins) == 1 and len(plugins[0].skills) + len(plugins[0].agents) != 1
    if documents and not whole_plugin:
        return documents[0]
    if len(plugins) == 1:
        return plugins[0]
    if not os.path.isdir(place):
        return collection.documents[0] if len(collection.documents) == 1 else None
    if not collection.documents:
        return None
    if len(collection.documents) == 1 and not _holds(place, collection.documents[0]):
        return collection.documents[0]  # a folder inside a skill
    root = os.path.relpath(place, os.path.realpath(collection.root)).replace(os.sep, "/")
    return Plugin(root, os.path.basename(place), 1, collection.skills, collection.agents, ())


def _several_plugins(path: str, target: Document | Plugin, evaluation: Evaluation) -> tuple[str, ...]:
    """A note about a folder that holds several plugins and is not one itself."""
    plugins = evaluation.collection.plugins
    if not isinstance(target, Plugin) or len(plugins) < 2 or any(target is plugin for plugin in plugins):
        return ()
    note = f"{len(plugins):,} plugins are scored here as if they were one; `plugin-eval report {path}` scores each"
    say(f"{path}: {note}")
    return (note,)


def _holds(place: str, document: Document) -> bool:
    return os.path.realpath(document.source.file).startswith(place.rstrip(os.sep) + os.sep)
