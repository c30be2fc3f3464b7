"""``score`` and ``certify`` at depth measured: a skill among its siblings, or all the skills of a plugin at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci.commands.catalog import catalogs_of
from plugin_eval_ci.commands.load_config import config_of, read_config, say
from plugin_eval_ci.commands.model_layers import notes_of, options_of, read_judge_file
from plugin_eval_ci.commands.model_options import ModelOptions, Options, TrialOptions
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

KEEP = "prompts were drafted for {names}; `plugin-eval triggers init` writes them to a file for review"
_INTERRUPTED, _NOT_MEASURED = 130, 3


class Run(NamedTuple):
    """What came of asking: by path of a skill its layers, what was used, what is still to be paid for."""

    asked: dict[str, ModelResults]
    usage: Spending | None = None
    left: Estimate = Estimate()
    interrupted: bool = False


def score_measured(
    path: str, target: Skill | Plugin, evaluation: Evaluation, options: Options, notes: tuple[str, ...] = ()
) -> tuple[ScoreReport, int]:
    """The report, and the exit code: 3 where a skill was not measured as asked for, 130 where the user interrupted.

    Raises ``UsageError`` for options that do not fit, ``MeasurementError`` when no call can succeed.
    """
    fields, plan, client = _prepared(path, target, evaluation, options)
    from plugin_eval_ci.evals.llm.anthropic import problem_of

    if why := problem_of(client):
        run = Run(
            {skill.source.path: nothing_measured("measured", why) for field in fields for skill in field.measured}
        )
        if isinstance(target, Plugin):
            say(f"{path}: only the static layer ran, so the result is Estimated: {why}")
    else:
        run = _run(fields, plan, client)
    if options.asking.replay and run.left.cells:
        left = _run(fields, plan, client._replace(replay=False, estimate=True)).left
        say(f"stale: {left.cells} answers are not recorded; to record them costs about {dollars(left.cost)}")
    if not (why and isinstance(target, Plugin)):  # the same for each of its skills, and said once
        _say(run.asked, isinstance(target, Plugin))
    complete = all(one.complete for one in run.asked.values())
    code = _INTERRUPTED if run.interrupted else 0 if complete else _NOT_MEASURED
    if isinstance(target, Skill):
        asked = run.asked[target.source.path]._replace(usage=run.usage)
        return score_skill(target, evaluation.checked, notes, asked), code
    report = score_plugin(target, evaluation.checked, notes, evaluation.collection.manifests, run.asked)
    return plugin_with_trials(report, _matrix(run.asked), run.usage), code


def estimate_of_trials(path: str, target: Skill | Plugin, evaluation: Evaluation, options: Options) -> Estimate:
    """What would be asked and is not recorded. The options say that it is an estimate, so nothing is sent."""
    return _run(*_prepared(path, target, evaluation, options)).left


def _prepared(
    path: str, target: Skill | Plugin, evaluation: Evaluation, options: Options
) -> tuple[tuple[Field, ...], Plan, Client]:
    """The skills that are listed together, how they are tried, and how models are asked."""
    asking = options.asking
    if asking.rating is not None:
        raise UsageError("--rate needs depth deep or thorough")
    if asking.judge_file and not isinstance(target, Skill):
        raise UsageError(f"{path}: --judge-file works for a single skill only")
    source = read_config(path, options.config_file, options.isolated, options.exclude).for_score()
    wanted = target.skills if isinstance(target, Plugin) else (target,)
    if not wanted:
        raise UsageError(f"{path}: there is no skill here to try")
    fields = tuple(Field(one.skills, one.chosen, one.plugins) for one in catalogs_of(wanted, source))
    client = options_of(asking, config_of(path, evaluation.collection.root, source))
    return fields, _plan(asking, options.date, target), client


def _plan(asking: ModelOptions, date: str | None, target: Skill | Plugin) -> Plan:
    tried = asking.trials or TrialOptions()
    judged = read_judge_file(asking.judge_file, target) if asking.judge_file and isinstance(target, Skill) else None
    settings = Settings(tried.mode, tried.runs, subject=tried.subject, seed=asking.seed)
    return Plan(settings, tried.help, tried.controls, day_of(date), judged, max(SAMPLES, asking.judges))


def _run(fields: tuple[Field, ...], plan: Plan, client: Client) -> Run:
    from plugin_eval_ci.commands.model_layers import run_asking
    from plugin_eval_ci.evals.llm.anthropic import open_ask

    async def main() -> Run:
        async with open_ask(client) as asking:
            asked: dict[str, ModelResults] = {}
            for field in fields:
                asked |= await measure(field, plan, asking.ask, asking.expect)
            return Run(asked, asking.usage(), asking.stale(), asking.interrupted)

    return run_asking(main)


def _say(asked: dict[str, ModelResults], several: bool) -> None:
    """What is missing, by skill where there are several; and which prompts were drafted."""
    drafted = []
    for path, one in asked.items():
        for note in notes_of(one):  # the report says the same where its dimensions and layers stand
            say(f"{path}: {note}" if several else note)
        trials = (layer.details.trials for layer in one.layers if layer.details is not None)
        drafted += [found.skill for found in trials if found and found.labels and found.labels.drafted]
    if drafted:
        say(KEEP.format(names=", ".join(drafted)))


def _matrix(asked: dict[str, ModelResults]) -> Confusion | None:
    """Of the one list that all of them stood in; None where there were several."""
    found = {one.confusion for one in asked.values() if one.confusion is not None}
    return found.pop() if len(found) == 1 else None
