"""From what was checked to score reports: gathers the findings of each target."""

from collections.abc import Mapping

from plugin_eval_ci.analysis.host_needs import manifest_needs
from plugin_eval_ci.lint.evaluate import Evaluation
from plugin_eval_ci.model import Agent, CheckResult, Finding, Manifest, Plugin, Skill
from plugin_eval_ci.scoring.model_results import ModelResults
from plugin_eval_ci.scoring.report import ScoreReport, agent_report, plugin_report, skill_report


def score_skill(
    skill: Skill, checked: CheckResult, notes: tuple[str, ...] = (), asked: ModelResults | None = None
) -> ScoreReport:
    """The report of one skill; ``asked``: what the layers that ask a model came to."""
    path = skill.source.path
    findings, subsumed = _of(checked.findings, path), _of(checked.subsumed, path)
    if asked is None:
        return skill_report(skill, findings, notes=notes, subsumed=subsumed)
    return skill_report(skill, findings, asked, notes, subsumed)


def score_agent(agent: Agent, checked: CheckResult, notes: tuple[str, ...] = ()) -> ScoreReport:
    """The report of one agent."""
    report = agent_report(agent, _of(checked.findings, agent.source.path))
    return report._replace(notes=notes + report.notes)


def score_plugin(
    plugin: Plugin,
    checked: CheckResult,
    notes: tuple[str, ...] = (),
    manifests: tuple[Manifest, ...] = (),
    asked: Mapping[str, ModelResults] | None = None,
) -> ScoreReport:
    """The report of one plugin: its skills and agents, and what was found about the plugin itself. ``asked``: by path of a skill, what
    its layers that ask a model came to."""
    by_path, told = Index(checked), asked or {}
    scored = {
        skill.source.path: score_skill(skill, by_path.of(skill.source.path), (), told.get(skill.source.path))
        for skill in plugin.skills
    }
    scored |= {agent.source.path: score_agent(agent, by_path.of(agent.source.path)) for agent in plugin.agents}
    return _plugin(plugin, checked, scored, notes, manifests)


def _plugin(
    plugin: Plugin,
    checked: CheckResult,
    scored: Mapping[str, ScoreReport],
    notes: tuple[str, ...],
    manifests: tuple[Manifest, ...],
) -> ScoreReport:
    members = [scored[skill.source.path] for skill in plugin.skills]
    members += [scored[agent.source.path] for agent in plugin.agents]
    paths = {member.path for member in members}
    prefix = "" if plugin.path == "." else plugin.path + "/"
    own = tuple(
        f for f in checked.findings if f.path not in paths and (f.path == plugin.path or f.path.startswith(prefix))
    )
    return plugin_report(plugin, members, own, notes=notes, needs=manifest_needs(manifests, plugin))


def score_all(evaluation: Evaluation) -> tuple[ScoreReport, ...]:
    """Every skill, agent and plugin of one run; a member of a plugin is scored once."""
    collection, checked = evaluation.collection, evaluation.checked
    by_path = Index(checked)
    scored = {skill.source.path: score_skill(skill, by_path.of(skill.source.path)) for skill in collection.skills}
    scored |= {agent.source.path: score_agent(agent, by_path.of(agent.source.path)) for agent in collection.agents}
    plugins = (_plugin(plugin, checked, scored, (), collection.manifests) for plugin in collection.plugins)
    return (*scored.values(), *plugins)


class Index:
    """The findings of a run by path, so that scoring many targets stays linear."""

    def __init__(self, checked: CheckResult) -> None:
        self.shown: dict[str, list[Finding]] = {}
        self.subsumed: dict[str, list[Finding]] = {}
        for finding in checked.findings:
            self.shown.setdefault(finding.path, []).append(finding)
        for finding in checked.subsumed:
            self.subsumed.setdefault(finding.path, []).append(finding)

    def of(self, path: str) -> CheckResult:
        """Those of one path."""
        return CheckResult(tuple(self.shown.get(path, ())), tuple(self.subsumed.get(path, ())))


def _of(findings: tuple[Finding, ...], path: str) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if finding.path == path)
