"""``plugin-eval gate``, from its options to its result: what to test, the trials of both revisions, the verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TextIO

from plugin_eval_ci.commands import gate_inputs
from plugin_eval_ci.commands.gate_inputs import Sides, sides_of
from plugin_eval_ci.commands.load_config import complain, config_of_all, read_config, say, use_color
from plugin_eval_ci.commands.model_layers import estimate_text, options_of, run_asking
from plugin_eval_ci.commands.model_options import ModelOptions
from plugin_eval_ci.errors import MeasurementError, UsageError, together
from plugin_eval_ci.evals.llm.anthropic import Client, Options, open_ask, problem_of
from plugin_eval_ci.evals.llm.models import table
from plugin_eval_ci.evals.llm.request import Ask, Outcome, Request
from plugin_eval_ci.evals.trials.catalogue import duplicate_names
from plugin_eval_ci.evals.trials.gate import GateField, GateResult
from plugin_eval_ci.evals.trials.gate.run import (
    Base,
    FieldTrials,
    GatePlan,
    base_runner,
    correct_for_many,
    rows_of,
    run_field,
    self_test,
)
from plugin_eval_ci.evals.trials.gate.sides import Pair, pairs_of
from plugin_eval_ci.evals.trials.labels import read_all
from plugin_eval_ci.evals.trials.method import Method, method_of
from plugin_eval_ci.evals.trials.triggering import run as triggering
from plugin_eval_ci.evals.trials.values import Labels, Settings
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.gate import text as gate_words
from plugin_eval_ci.scoring.spending import Estimate, Spending, dollars
from plugin_eval_ci.scoring.static.layer import unreadable


class GateOptions(NamedTuple):
    """The options of the command."""

    plan: GatePlan
    settings: Settings
    asking: ModelOptions
    base: str | None = None
    head: str | None = None
    format: str = "text"
    strict: bool = False
    self_test: bool = False
    base_result: str | None = None
    exclude: tuple[str, ...] = ()
    config_file: str | None = None
    isolated: bool = False


class _Work(NamedTuple):
    """What to test: the fields that changed, with their labels."""

    pairs: tuple[tuple[Pair, tuple[Labels, ...], bool], ...]  # the last: whether it is tested
    method: Method
    notes: tuple[str, ...]

    @property
    def tried(self) -> list[tuple[Pair, tuple[Labels, ...]]]:
        return [(pair, labels) for pair, labels, wanted in self.pairs if wanted and labels]


class _Trials(NamedTuple):
    """The trials by field, and what they cost."""

    trials: Mapping[str, FieldTrials]
    spent: Spending = Spending()
    lacking: Estimate = Estimate()
    interrupted: bool = False


def gate(paths: tuple[str, ...], typed: GateOptions) -> GateResult:
    """Compare. Raises ``UsageError`` for what cannot be compared, ``MeasurementError`` if no call can succeed."""
    config = read_config(paths, typed.config_file, typed.isolated, typed.exclude)
    with sides_of(paths, config, typed.base, typed.head) as sides:
        options = options_of(typed.asking, config_of_all(paths, config))
        work = _work(sides, typed, options)
        _refuse_without_labels(work, typed)
        stored = _stored(work, typed)
        if work.tried and (why := problem_of(options)):
            raise MeasurementError(f"the gate could not measure: {why}")
        done = _run(work, typed, options, stored)
        if typed.asking.replay and done.lacking.cells:
            missing = _run(work, typed, options._replace(replay=False, estimate=True), stored).lacking
            say(f"stale: {missing.cells} answers are not recorded; recording them costs about {dollars(missing.cost)}")
        return _result(work, typed, sides, done)


def estimate(paths: tuple[str, ...], typed: GateOptions) -> Estimate:
    """The calls without a recorded answer, and their cost. Nothing is sent."""
    return estimate_with_work(paths, typed)[0]


def estimate_with_work(paths: tuple[str, ...], typed: GateOptions) -> tuple[Estimate, bool]:
    """The same, and whether there is anything to test at all."""
    config = read_config(paths, typed.config_file, typed.isolated, typed.exclude)
    with sides_of(paths, config, typed.base, typed.head) as sides:
        options = options_of(typed.asking, config_of_all(paths, config))
        work = _work(sides, typed, options)
        plain = typed._replace(plan=typed.plan._replace(early=False))
        return _run(work, plain, options, _stored(work, typed)).lacking, bool(work.tried)


def _refuse_without_labels(work: _Work, typed: GateOptions) -> None:
    """Raise ``MeasurementError`` where nothing can be tested although an option demands a result."""
    options = (("--floor", typed.plan.floor is not None), ("--strict", typed.strict), ("--self-test", typed.self_test))
    option = next((name for name, given in options if given), "")
    places = [pair.place for pair, _, wanted in work.pairs if wanted]
    if option and places and not work.tried:
        raise MeasurementError(
            f"{option}: no skill in {', '.join(places)} has labels (evals/triggers.yaml), so nothing was tested; "
            "`plugin-eval triggers init PATH` drafts some"
        )


def _work(sides: Sides, typed: GateOptions, options: Options) -> _Work:
    base = sides.base if sides.base is not None else sides.head
    pairs = pairs_of(base, sides.head, sides.renamed, typed.settings)
    named = [pair for pair in pairs if any(skill.source.path in sides.named for skill in pair.skills)]
    found: list[tuple[Pair, tuple[Labels, ...], bool]] = []
    notes: list[str] = []
    for pair in named:
        wanted = pair.changed or sides.base is None
        labels = read_all(pair.skills, sides.head.names) if wanted else None
        if labels is not None and labels.broken:
            raise UsageError("; ".join(one.said for one in labels.broken))
        if wanted and (unread := [why for skill in pair.skills if (why := unreadable(skill))]):
            raise UsageError("; ".join(unread))
        same = duplicate_names(pair.listed) if wanted else {}
        mine = tuple(one for one in labels.labels if one.skill not in same) if labels is not None else ()
        notes += same.values()
        notes += [f"{one.skill}: {note}" for one in mine for note in one.notes]
        notes += [f"the labels of {one.skill} are not reviewed" for one in mine if not one.reviewed]
        found.append((pair, mine, wanted))
    digests = {one.skill: one.digest for _, labels, wanted in found if wanted for one in labels}
    models = {"subject": table().name_of(typed.settings.subject, options.models)}
    return _Work(tuple(found), method_of(typed.settings, digests, models), tuple(notes))


def _stored(work: _Work, typed: GateOptions) -> gate_inputs.StoredGate | None:
    if typed.base_result is None:
        return None
    stored = gate_inputs.read_gate(typed.base_result)
    if why := stored.refused(work.method, [pair for pair, _ in work.tried]):
        raise UsageError(f"--base-result {typed.base_result} is not the result of this base: {'; '.join(why)}")
    return stored


def _run(work: _Work, typed: GateOptions, options: Options, stored: gate_inputs.StoredGate | None) -> _Trials:
    async def main() -> _Trials:
        async with open_ask(options) as client:
            found = {}
            for pair, labels in work.tried:
                base = _base_of(client, typed, stored)
                many = sum(len(one.prompts) for one in labels) * typed.settings.runs
                client.expect(many * (1 if base is None or stored else 2))
                head = (triggering.run, client.ask)
                found[pair.place] = await run_field(pair, labels, typed.settings, base, head, typed.plan)
            return _Trials(found, client.usage(), client.stale(), client.interrupted)

    if not work.tried:
        return _Trials({})
    return run_asking(main)


def _base_of(client: Client, typed: GateOptions, stored: gate_inputs.StoredGate | None) -> Base | None:
    if stored is not None:
        return stored.trials
    if not typed.plan.compared:
        return None
    # The same revision needs new answers: an answer from the cache would agree with itself.
    ask = _new_samples(client.ask, typed.settings.runs) if typed.self_test else client.ask
    return base_runner(triggering.run, ask, typed.settings)


def _new_samples(ask: Ask, runs: int) -> Ask:
    async def asked(request: Request, sample: int) -> Outcome:
        return await ask(request, sample + runs)

    return asked


def _result(work: _Work, typed: GateOptions, sides: Sides, done: _Trials) -> GateResult:
    plan, seed = typed.plan, typed.settings.seed
    rows = [
        row for pair, labels, _ in work.pairs for row in rows_of(pair, labels, done.trials.get(pair.place), plan, seed)
    ]
    every = correct_for_many(rows)
    fields = tuple(
        GateField(pair.place, pair.base.digest, pair.head.digest, pair.changed, pair.gone) for pair, _, _ in work.pairs
    )
    return GateResult(
        sides.commits[0],
        sides.commits[1],
        plan.margin,
        plan.floor,
        work.method,
        every,
        fields,
        sum(one.planned for one in done.trials.values()),
        sum(one.made for one in done.trials.values()),
        done.spent,
        work.notes,
        self_test(every, plan.margin, seed) if typed.self_test else None,
        done.interrupted,
    )


__all__ = ["GateOptions", "code_of", "estimate", "gate", "render", "run", "validate_options"]

NOTHING_TRIED = "no skill with labels to test; nothing would be sent"
_FAILED, _UNMEASURED, _INTERRUPTED = 1, 3, 130


def validate_options(typed: GateOptions) -> GateOptions:
    """The options, unchanged. Raises ``UsageError`` for options that cannot be used together."""
    if typed.self_test and (typed.base is not None or typed.base_result is not None):
        raise UsageError(together("--self-test", "--base", "it tests one revision twice (name it with --head)"))
    if typed.base_result is not None and typed.base is None:
        raise UsageError("--base-result needs --base REF, the revision it belongs to")
    if typed.base_result is not None and typed.plan.early:
        raise UsageError(together("--early-stop", "--base-result", "the base is already measured"))
    if typed.asking.batch and typed.plan.early:
        raise UsageError(together("--early-stop", "--batch", "a batch is submitted as a whole"))
    return typed


def run(paths: tuple[str, ...], typed: GateOptions, out: TextIO) -> int:
    """Print the verdicts: 0, 1 (a regression, or inconclusive with --strict), 2, 3 (not measured) or 130 (interrupted)."""
    if typed.asking.estimate:
        counted, tries = estimate_with_work(paths, typed)
        what = ", ".join(paths)
        out.write(estimate_text(counted, what) if tries else f"{for_terminal(what)}: {NOTHING_TRIED}\n")
        return 0
    gated = gate(paths, typed)
    out.write(render(gated, typed.format, out))
    if gated.undecided and not gated.interrupted:
        (complain if typed.strict else say)(gate_words.headline(gated))
    return code_of(gated, typed.strict)


def code_of(gated: GateResult, strict: bool) -> int:
    """The exit code of a result."""
    if gated.interrupted:
        return _INTERRUPTED
    if gated.regressions:
        return _FAILED
    if gated.unmeasured:
        return _UNMEASURED
    return _FAILED if strict and gated.undecided else 0


def render(gated: GateResult, format: str, out: TextIO) -> str:
    """The result in one of the formats."""
    if format == "json":
        from plugin_eval_ci.report.gate import json as gate_json

        return gate_json.render(gated)
    if format == "markdown":
        from plugin_eval_ci.report.gate import github as gate_markdown

        return gate_markdown.render_markdown(gated)
    if format == "github":
        from plugin_eval_ci.report.gate import github as gate_github

        return gate_github.render_annotations(gated)
    from plugin_eval_ci.report.gate import text as gate_text

    return gate_text.render(gated, use_color(out))
