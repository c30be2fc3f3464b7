"""A gate from its options to its result: what is to be tried, the trials of both sides, and what is said of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TextIO

from plugin_eval_ci.commands import gate_inputs
from plugin_eval_ci.commands.gate_inputs import Sides, sides_of
from plugin_eval_ci.commands.load_config import config_of_all, read_config, say, use_color
from plugin_eval_ci.commands.model_layers import in_words, options_of, run_asking
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

    base: str | None
    head: str | None
    output: str
    strict: bool
    plan: GatePlan
    self_test: bool
    base_result: str | None
    settings: Settings
    asking: ModelOptions
    exclude: tuple[str, ...]
    config_file: str | None
    isolated: bool


class _Work(NamedTuple):
    """What is to be tried: fields that changed, with their labels."""

    pairs: tuple[tuple[Pair, tuple[Labels, ...], bool], ...]  # the last: whether it is tried
    method: Method
    notes: tuple[str, ...]

    @property
    def tried(self) -> list[tuple[Pair, tuple[Labels, ...]]]:
        return [(pair, labels) for pair, labels, wanted in self.pairs if wanted and labels]


class _Done(NamedTuple):
    trials: Mapping[str, FieldTrials]
    spent: Spending = Spending()
    lacking: Estimate = Estimate()
    interrupted: bool = False


def gate(paths: tuple[str, ...], typed: GateOptions) -> GateResult:
    """Compare. Raises ``UsageError`` for what cannot be compared, ``MeasurementError`` when no call can succeed."""
    config = read_config(paths, typed.config_file, typed.isolated, typed.exclude)
    with sides_of(paths, config, typed.base, typed.head) as sides:
        options = options_of(typed.asking, config_of_all(paths, config))
        work = _work(sides, typed, options)
        stored = _stored(work, typed)
        if work.tried and (why := problem_of(options)):
            raise MeasurementError(f"the gate could not measure: {why}")
        done = _run(work, typed, options, stored)
        if typed.asking.replay and done.lacking.cells:
            missing = _run(work, typed, options._replace(replay=False, estimate=True), stored).lacking
            say(f"stale: {missing.cells} answers are not recorded; to record them costs about {dollars(missing.cost)}")
        return _gated(work, typed, sides, done)


def estimate(paths: tuple[str, ...], typed: GateOptions) -> Estimate:
    """What would be asked that no record answers. Nothing is sent."""
    return estimate_with_work(paths, typed)[0]


def estimate_with_work(paths: tuple[str, ...], typed: GateOptions) -> tuple[Estimate, bool]:
    """The same, and whether there is anything to try at all."""
    config = read_config(paths, typed.config_file, typed.isolated, typed.exclude)
    with sides_of(paths, config, typed.base, typed.head) as sides:
        options = options_of(typed.asking, config_of_all(paths, config))
        work = _work(sides, typed, options)
        plain = typed._replace(plan=typed.plan._replace(early=False))
        return _run(work, plain, options, _stored(work, typed)).lacking, bool(work.tried)


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
        raise UsageError(f"{typed.base_result} is not the base's result, so it is not compared: {'; '.join(why)}")
    return stored


def _run(work: _Work, typed: GateOptions, options: Options, stored: gate_inputs.StoredGate | None) -> _Done:
    async def main() -> _Done:
        async with open_ask(options) as client:
            found = {}
            for pair, labels in work.tried:
                base = _base(client, typed, stored)
                many = sum(len(one.prompts) for one in labels) * typed.settings.runs
                client.expect(many * (1 if base is None or stored else 2))
                head = (triggering.run, client.ask)
                found[pair.place] = await run_field(pair, labels, typed.settings, base, head, typed.plan)
            return _Done(found, client.usage(), client.stale(), client.interrupted)

    if not work.tried:
        return _Done({})
    return run_asking(main)


def _base(client: Client, typed: GateOptions, stored: gate_inputs.StoredGate | None) -> Base | None:
    if stored is not None:
        return stored.trials
    if not typed.plan.compared:
        return None
    # The same revision must be asked anew: an answer that is there already would agree with itself.
    ask = _later(client.ask, typed.settings.runs) if typed.self_test else client.ask
    return base_runner(triggering.run, ask, typed.settings)


def _later(ask: Ask, runs: int) -> Ask:
    async def asked(request: Request, sample: int) -> Outcome:
        return await ask(request, sample + runs)

    return asked


def _gated(work: _Work, typed: GateOptions, sides: Sides, done: _Done) -> GateResult:
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

NOTHING_TRIED = "no skill with labels is to be tried; nothing would be sent"
_FAILED, _UNMEASURED, _INTERRUPTED = 1, 3, 130


def validate_options(typed: GateOptions) -> GateOptions:
    """The options as they are. Raises ``UsageError`` for those that exclude each other."""
    if typed.self_test and (typed.base is not None or typed.base_result is not None):
        raise UsageError("--self-test tries one revision twice: it takes no base (--head names the revision)")
    if typed.base_result is not None and typed.base is None:
        raise UsageError("--base-result needs --base REF, which says what the base is")
    if typed.base_result is not None and typed.plan.early:
        raise UsageError(together("--early-stop", "--base-result", "the base is already measured"))
    if typed.asking.batch and typed.plan.early:
        raise UsageError(together("--early-stop", "--batch", "a batch is submitted as a whole"))
    return typed


def run(paths: tuple[str, ...], typed: GateOptions, out: TextIO) -> int:
    """Print the verdicts; 0, 1 (a regression, or --strict and not decided), 2, 3 (not measured) or 130 (interrupted)."""
    if typed.asking.estimate:
        told, tries = estimate_with_work(paths, typed)
        what = ", ".join(paths)
        out.write(in_words(told, what) if tries else f"{for_terminal(what)}: {NOTHING_TRIED}\n")
        return 0
    gated = gate(paths, typed)
    out.write(render(gated, typed.output, out))
    if gated.undecided and not gated.interrupted:
        say(gate_words.headline(gated))
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


def render(gated: GateResult, output: str, out: TextIO) -> str:
    """The result in one of its forms."""
    if output == "json":
        from plugin_eval_ci.report.gate import json as gate_json

        return gate_json.render(gated)
    if output == "markdown":
        from plugin_eval_ci.report.gate import github as gate_markdown

        return gate_markdown.render_markdown(gated)
    if output == "github":
        from plugin_eval_ci.report.gate import github as gate_github

        return gate_github.render_annotations(gated)
    from plugin_eval_ci.report.gate import text as gate_text

    return gate_text.render(gated, use_color(out))
