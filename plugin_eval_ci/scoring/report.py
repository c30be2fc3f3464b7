"""The value of a score: what every format of ``score`` and ``compare`` is a function of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum
from typing import TYPE_CHECKING, Literal, NamedTuple

from plugin_eval_ci import METHODOLOGY, __version__
from plugin_eval_ci.analysis.host_needs import HostNeeds, host_needs, merge_needs
from plugin_eval_ci.errors import MeasurementError, UsageError
from plugin_eval_ci.model import Agent, Finding, Plugin, Skill
from plugin_eval_ci.rules import rule_named
from plugin_eval_ci.scoring.composite import Composite, composite_of, composite_without_dimensions
from plugin_eval_ci.scoring.context_cost import ContextCost, agent_cost, plugin_listing, skill_cost, sum_costs
from plugin_eval_ci.scoring.dimensions import Depth, clamp, depth_named
from plugin_eval_ci.scoring.layer_details import Confusion
from plugin_eval_ci.scoring.measurement import Measurement, Unmeasured
from plugin_eval_ci.scoring.model_results import ModelResults, reasons_of
from plugin_eval_ci.scoring.spending import Spending
from plugin_eval_ci.scoring.static.layer import LAYER, anti_patterns, static_agent, static_skill
from plugin_eval_ci.util import faults

if TYPE_CHECKING:  # it brings the statistics, which a static score does not load
    from plugin_eval_ci.scoring.model_results import Rating

Kind = Literal["skill", "agent", "plugin"]


class ScoreReport(NamedTuple):
    """One target, scored. ``layers`` holds those that measured; ``anti_patterns`` are the findings that are counted."""

    kind: Kind
    path: str
    name: str
    depth: Depth
    layers: tuple[Measurement, ...]
    anti_patterns: tuple[Finding, ...]
    composite: Composite
    context_cost: ContextCost | None
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    members: tuple[ScoreReport, ...] = ()
    elo: float | None = None
    rating: Rating | None = None  # what it is made of
    unrated: str = ""  # why one that was asked for is not there
    model_usage: Spending | None = None
    methodology: str = METHODOLOGY
    version: str = __version__
    host: HostNeeds | None = None  # None for an agent, and for what could not be read
    unmeasured: tuple[Unmeasured, ...] = ()  # layers that were asked for and measured nothing
    confusion: Confusion | None = None  # of the skills that were tried together, at depth measured


def skill_report(
    skill: Skill,
    findings: Sequence[Finding],
    asked: ModelResults = ModelResults(depth_named("quick")),  # noqa: B008  # it is frozen
    notes: tuple[str, ...] = (),
    subsumed: Sequence[Finding] = (),
) -> ScoreReport:
    """Score a skill: the static layer here, the other layers as they were ``asked``.

    ``findings`` are those of this skill; ``subsumed`` count like them and are not shown. The depth, and with it the label, is that of
    the layers that really ran.
    """

    def report(static: Measurement | Unmeasured) -> ScoreReport:
        return _skill_report(skill, static, findings, asked, notes, subsumed)

    return _report_or_fault(skill, lambda: static_skill(skill, (*findings, *subsumed)), report)


def _skill_report(
    skill: Skill,
    static: Measurement | Unmeasured,
    findings: Sequence[Finding],
    asked: ModelResults,
    notes: tuple[str, ...],
    subsumed: Sequence[Finding],
) -> ScoreReport:
    counted = anti_patterns((*findings, *subsumed))
    said: tuple[str, ...] = ()
    if asked.depth.name == "measured":
        from plugin_eval_ci.scoring.measured import with_interval_and_label, with_templates

        static, said = with_templates(skill, static)
    layers = {layer.layer: layer for layer in (static, *asked.measured) if isinstance(layer, Measurement)}
    composite = composite_of(asked.ran, layers, len(counted), asked.elo, reasons_of(asked))
    if asked.depth.name == "measured":
        composite, more = with_interval_and_label(asked, layers, len(counted), composite)
        said += more
    return ScoreReport(
        "skill",
        skill.source.path,
        skill.name,
        asked.ran,
        tuple(layers.values()),
        counted,
        composite,
        skill_cost(skill) if isinstance(static, Measurement) else None,
        tuple(findings),
        (*notes, *_notes(static), *_faults(skill), *_cut(skill), *_hollow(findings), *said),
        elo=asked.elo,
        rating=asked.rating,
        unrated=asked.unrated,
        model_usage=asked.usage,
        host=host_needs(skill) if isinstance(static, Measurement) else None,
        unmeasured=asked.unmeasured,
        confusion=asked.confusion,
    )


def agent_report(agent: Agent, findings: Sequence[Finding], depth: str = "quick") -> ScoreReport:
    """Score an agent: the static layer only, which has no dimensions."""
    return _report_or_fault(
        agent, lambda: static_agent(agent, findings), lambda static: _agent_report(agent, static, findings, depth)
    )


def _agent_report(
    agent: Agent, static: Measurement | Unmeasured, findings: Sequence[Finding], depth: str
) -> ScoreReport:
    measured = static if isinstance(static, Measurement) else None
    counted = anti_patterns(findings)
    return ScoreReport(
        "agent",
        agent.source.path,
        agent.name,
        depth_named(depth),
        (measured,) if measured else (),
        counted,
        composite_without_dimensions(
            depth_named(depth), measured.sub_scores[0].score if measured else None, len(counted)
        ),
        agent_cost(agent) if measured else None,
        tuple(findings),
        (*_notes(static), *_faults(agent), *_cut(agent), *_hollow(findings)),
    )


def _report_or_fault(
    document: Skill | Agent,
    measure: Callable[[], Measurement | Unmeasured],
    report: Callable[[Measurement | Unmeasured], ScoreReport],
) -> ScoreReport:
    """The report of what ``measure`` returns. An internal error leaves this document unmeasured, also one in a rule that counts."""
    why = next((fault for fault in faults.noted_at(document.source.path) if _counts(fault.rule)), None)
    if why is None:
        try:
            return report(measure())
        except (MeasurementError, UsageError):
            raise
        except Exception as error:
            why = faults.note(error, "score", document.source.path)
    return report(Unmeasured(LAYER, f"internal error: {why.said}"))


def _counts(rule: str) -> bool:
    """Whether the score would be another one if that rule had been run to its end."""
    known = rule_named(rule)
    return known is None or known.weight is not None or known.anti_pattern


def plugin_report(
    plugin: Plugin,
    members: Sequence[ScoreReport],
    own: Sequence[Finding] = (),
    depth: str = "quick",
    notes: tuple[str, ...] = (),
    needs: HostNeeds | None = None,
) -> ScoreReport:
    """Score a plugin from the reports of its skills and agents.

    ``own`` are findings about the plugin itself, ``needs`` what its hooks and servers ask of the host.
    """
    scores = [layer.score for member in members for layer in member.layers if layer.layer == LAYER]
    counted = tuple(finding for member in members for finding in member.anti_patterns)
    flags = tuple(finding.rule for finding in counted)
    mean = clamp(fsum(scores) / len(scores)) if scores else None
    costs = [member.context_cost for member in members if member.context_cost is not None]
    return ScoreReport(
        "plugin",
        plugin.path,
        plugin.name,
        depth_named(depth),
        () if mean is None else (Measurement(LAYER, mean, (), (), flags),),
        counted,
        composite_without_dimensions(depth_named(depth), mean, len(flags)),
        sum_costs(costs)._replace(listing=plugin_listing(plugin)) if costs else None,
        tuple(sorted((*own, *(finding for member in members for finding in member.findings)), key=_order)),
        (*notes, *_left_out(plugin, members)),
        tuple(members),
        host=merge_needs([*(member.host for member in members if member.host is not None), needs or HostNeeds()]),
    )


def plugin_with_trials(report: ScoreReport, confusion: Confusion | None, usage: Spending | None) -> ScoreReport:
    """A plugin's report with what the trials of its skills came to; its composite is their mean where all of them were measured."""
    from plugin_eval_ci.scoring.measured import plugin_composite

    skills = [member for member in report.members if member.kind == "skill"]
    report = report._replace(confusion=confusion, model_usage=usage, notes=tuple(dict.fromkeys(report.notes)))
    depth = depth_named("measured")
    if not skills or any(member.depth is not depth for member in skills):
        return report
    composite = plugin_composite(depth, [member.composite for member in skills])
    labels = (member.composite.confidence_label for member in skills)
    least = next((label for label in labels if label != depth.label), depth.label)
    return report._replace(depth=depth, composite=composite._replace(confidence_label=least))


def _order(finding: Finding) -> tuple[str, int, int, str, str]:
    return (finding.path, finding.line, -finding.severity, finding.rule, finding.target)


def _notes(static: Measurement | Unmeasured) -> tuple[str, ...]:
    return (f"not measured: {static.reason}",) if isinstance(static, Unmeasured) else ()


def _faults(document: Skill | Agent) -> tuple[str, ...]:
    """Notes about rules that failed with an internal error."""
    return tuple(f"internal error: {fault.said}" for fault in faults.noted_at(document.source.path) if fault.rule)


def _cut(document: Skill | Agent) -> tuple[str, ...]:
    line = document.body.cut_line
    return (f"the structure of {document.source.path} was read up to line {line - 1}",) if line is not None else ()


def _left_out(plugin: Plugin, members: Sequence[ScoreReport]) -> tuple[str, ...]:
    if not members:
        what = (
            f"it contains only {', '.join(plugin.other)}" if plugin.other else "it contains nothing that can be scored"
        )
        return (f"not measured: the plugin has no skills or agents; {what}",)
    return tuple(note for member in members for note in member.notes)


def _hollow(findings: Sequence[Finding]) -> tuple[str, ...]:
    """A note for a body that is an outline without content: it has everything that a static score counts."""
    if not any(finding.rule == "BODY_HOLLOW" for finding in findings):
        return ()
    return (
        "the static layer counts structure, not content, and this file has next to no content (BODY_HOLLOW): "
        "the score does not mean that the skill is useful",
    )
