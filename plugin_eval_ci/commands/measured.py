"""``score`` and ``certify`` at depth measured: a skill among the skills listed with it, or all skills of a plugin at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci.commands.catalog import catalogs_of
from plugin_eval_ci.commands.load_config import complain, config_of, read_config, say
from plugin_eval_ci.commands.model_layers import notes_of, options_of, read_judge_file, run_asking
from plugin_eval_ci.commands.model_options import ModelOptions, ScoreOptions, TrialOptions
from plugin_eval_ci.commands.report_date import day_of
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.evals.trials.layer import Field, Plan, measure
from plugin_eval_ci.evals.trials.panel import SAMPLES
from plugin_eval_ci.evals.trials.values import Settings
from plugin_eval_ci.lint.evaluate import Evaluation
from plugin_eval_ci.model import Plugin, Skill
from plugin_eval_ci.scoring.gather import score_plugin, score_skill
from plugin_eval_ci.scoring.layer_details import Confusion
from plugin_eval_ci.scoring.model_results import ModelResults, nothing_measured
from plugin_eval_ci.scoring.report import ScoreReport, plugin_with_trials
from plugin_eval_ci.scoring.spending import Estimate, Spending, dollars

if TYPE_CHECKING:
    from plugin_eval_ci.evals.llm.anthropic import Options as Client

KEEP = "the prompts for {names} were drafted by a model; `plugin-eval triggers init` writes them to a file for review"
_INTERRUPTED, _NOT_MEASURED = 130, 3


class Run(NamedTuple):
    """The layers of each skill by its path, what they cost, and the calls without a recorded answer."""

    asked: dict[str, ModelResults]
    usage: Spending | None = None
    left: Estimate = Estimate()
    interrupted: bool = False


def score_measured(
    path: str, target: Skill | Plugin, evaluation: Evaluation, options: ScoreOptions, notes: tuple[str, ...] = ()
) -> tuple[ScoreReport, int]:
    """The report and the exit code: 3 if a skill was not fully measured, 130 if the user interrupted.

    Raises ``UsageError`` for options that cannot be used, ``MeasurementError`` if no call can succeed.
    """
    fields, plan, client = _plan_of(path, target, evaluation, options)
    from plugin_eval_ci.evals.llm.anthropic import problem_of

    if why := problem_of(client):
        run = Run(
            {skill.source.path: nothing_measured("measured", why) for field in fields for skill in field.measured}
        )
        if isinstance(target, Plugin):
            complain(f"{path}: only the static layer ran, so the result is Estimated: {why}")
    else:
        run = _run(fields, plan, client)
    if options.asking.replay and run.left.cells:
        left = _run(fields, plan, client._replace(replay=False, estimate=True)).left
        say(f"stale: {left.cells} answers are not recorded; recording them costs about {dollars(left.cost)}")
    if not (why and isinstance(target, Plugin)):  # the same for each of its skills, so printed once
        _print_missing(run.asked, isinstance(target, Plugin))
    complete = all(one.complete for one in run.asked.values())
    code = _INTERRUPTED if run.interrupted else 0 if complete else _NOT_MEASURED
    if isinstance(target, Skill):
        asked = run.asked[target.source.path]._replace(usage=run.usage)
        return score_skill(target, evaluation.checked, notes, asked), code
    report = score_plugin(target, evaluation.checked, notes, evaluation.collection.manifests, run.asked)
    return plugin_with_trials(report, _matrix(run.asked), run.usage), code


def estimate_of_trials(path: str, target: Skill | Plugin, evaluation: Evaluation, options: ScoreOptions) -> Estimate:
    """The calls without a recorded answer, and their cost. The options make it an estimate, so nothing is sent."""
    return _run(*_plan_of(path, target, evaluation, options)).left


def _plan_of(
    path: str, target: Skill | Plugin, evaluation: Evaluation, options: ScoreOptions
) -> tuple[tuple[Field, ...], Plan, Client]:
    """The skills that are listed together, how they are tested, and how models are called."""
    asking = options.asking
    if asking.rating is not None:
        raise UsageError("--rate needs --depth deep or thorough")
    if asking.judge_file and not isinstance(target, Skill):
        raise UsageError(f"--judge-file needs a single skill; {path} is not one")
    source = read_config(path, options.config_file, options.isolated, options.exclude).for_score()
    wanted = target.skills if isinstance(target, Plugin) else (target,)
    if not wanted:
        raise UsageError(f"{path}: no skills found here")
    fields = tuple(Field(one.skills, one.chosen, one.plugins) for one in catalogs_of(wanted, source))
    client = options_of(asking, config_of(path, evaluation.collection.root, source))
    return fields, _plan(asking, options.date, target), client


def _plan(asking: ModelOptions, date: str | None, target: Skill | Plugin) -> Plan:
    tried = asking.trials or TrialOptions()
    judged = read_judge_file(asking.judge_file, target) if asking.judge_file and isinstance(target, Skill) else None
    settings = Settings(tried.mode, tried.runs, subject=tried.subject, seed=asking.seed)
    return Plan(settings, tried.help, tried.controls, day_of(date), judged, max(SAMPLES, asking.judges))


def _run(fields: tuple[Field, ...], plan: Plan, client: Client) -> Run:
    from plugin_eval_ci.evals.llm.anthropic import open_ask

    async def main() -> Run:
        async with open_ask(client) as asking:
            asked: dict[str, ModelResults] = {}
            for field in fields:
                asked |= await measure(field, plan, asking.ask, asking.expect)
            return Run(asked, asking.usage(), asking.stale(), asking.interrupted)

    return run_asking(main)


def _print_missing(asked: dict[str, ModelResults], several: bool) -> None:
    """Print what is missing, by skill if there are several, and whose prompts were drafted."""
    drafted = []
    for path, one in asked.items():
        for note in notes_of(one):  # the report says the same where its dimensions and layers stand
            complain(f"{path}: {note}" if several else note)
        trials = (layer.details.trials for layer in one.layers if layer.details is not None)
        drafted += [found.skill for found in trials if found and found.labels and found.labels.drafted]
    if drafted:
        say(KEEP.format(names=", ".join(drafted)))


def _matrix(asked: dict[str, ModelResults]) -> Confusion | None:
    """The confusion matrix of the one listing; None if there were several."""
    found = {one.confusion for one in asked.values() if one.confusion is not None}
    return found.pop() if len(found) == 1 else None
