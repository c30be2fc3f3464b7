"""Lint result as JSON, documented by ``schemas/lint.schema.json``."""

from __future__ import annotations

from plugin_eval_ci import METHODOLOGY
from plugin_eval_ci.lint.causes import Cause, causes_of, texts_of
from plugin_eval_ci.lint.evaluate import Evaluation
from plugin_eval_ci.model import Agent, Body, Finding, Plugin, Skill
from plugin_eval_ci.parse import facts
from plugin_eval_ci.report.document import Json, dump_json, json_head
from plugin_eval_ci.report.words import by_severity, suppressed_by
from plugin_eval_ci.util import faults


def render(evaluation: Evaluation) -> str:
    """The document, with a final newline."""
    collection, checked = evaluation.collection, evaluation.checked
    findings = checked.findings
    document = {
        **json_head(methodology=METHODOLOGY),
        "targets": [
            *(_skill(skill) for skill in collection.skills),
            *(_agent(agent) for agent in collection.agents),
            *(_plugin(plugin) for plugin in collection.plugins),
        ],
        "findings": [finding_object(finding) for finding in findings],
        "causes": [
            _cause(cause) for cause in causes_of(findings, texts_of(collection)) if cause.is_group or cause.copies
        ],
        "internal_errors": faults.objects(),
        "summary": {
            "targets": len(collection.skills) + len(collection.agents) + len(collection.plugins),
            "skills": len(collection.skills),
            "agents": len(collection.agents),
            "plugins": len(collection.plugins),
            **{f"{level.word}s": count for level, count in by_severity(findings)},
            "suppressed": len(checked.suppressed),
            "suppressed_by": suppressed_by(checked.suppressed),
        },
    }
    return dump_json(document)


def finding_object(finding: Finding) -> Json:
    """One finding as every JSON output shows it."""
    return {
        "rule": finding.rule,
        "severity": finding.severity.word,
        "anti_pattern": finding.anti_pattern,
        "path": finding.path,
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line,
        "message": finding.message,
        "fix": finding.fix,
        "target": finding.target or None,
        "fingerprint": finding.fingerprint,
        "state": finding.state,
    }


def _cause(cause: Cause) -> Json:
    """Findings of one form: their number, what they share, and which they are."""
    return {
        "rule": cause.first.rule,
        "severity": cause.first.severity.word,
        "count": len(cause.everything),
        "files": len({finding.path for finding in cause.everything}),
        "message": cause.message,
        "fix": cause.fix,
        "fingerprints": [finding.fingerprint for finding in cause.findings],
        "copies": [finding.fingerprint for finding in cause.copies],
    }


def _skill(skill: Skill) -> Json:
    return {
        "kind": "skill",
        "path": skill.source.path,
        "name": skill.name,
        "description": skill.header.text("description"),
        "facts": {
            **_facts(skill.source.line_count, skill.body),
            "reference_files": len(skill.reference_files),
            "asset_files": len(skill.asset_files),
        },
    }


def _agent(agent: Agent) -> Json:
    return {
        "kind": "agent",
        "path": agent.source.path,
        "name": agent.name,
        "description": agent.header.text("description"),
        "facts": _facts(agent.source.line_count, agent.body),
    }


def _plugin(plugin: Plugin) -> Json:
    return {
        "kind": "plugin",
        "path": plugin.path,
        "name": plugin.name,
        "description": None,
        "facts": {"skills": len(plugin.skills), "agents": len(plugin.agents)},
    }


def _facts(lines: int, body: Body) -> Json:
    return {
        "lines": lines,
        "headings": len(facts.section_headings(body)),
        "code_blocks": len(body.fences),
        "code_languages": list(facts.fence_languages(body)),
        "languages": list(facts.fence_languages(body)),
        "directives": len(facts.directive_lines(body)),
        "links": len(body.links),
        "tables": body.tables,
        "has_examples": facts.has_examples(body),
        "has_troubleshooting": facts.has_troubleshooting(body),
    }
