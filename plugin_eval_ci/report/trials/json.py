"""Trials as JSON: of one skill, and the confusion matrix."""

from __future__ import annotations

from collections.abc import Iterable

from plugin_eval_ci.report.document import Json, rounded
from plugin_eval_ci.scoring.dimensions import round_score
from plugin_eval_ci.scoring.layer_details import (
    ChoiceRow,
    Confusion,
    ControlResult,
    LiftDetails,
    SkillTrials,
    Span,
    TriggerResult,
)


def trials_object(trials: SkillTrials) -> Json:
    """Of one skill."""
    return {
        "skill": trials.skill,
        "method": trials.method,
        "mode": trials.mode,
        "subjects": list(trials.subjects),
        "runs": trials.runs,
        "turns": trials.turns,
        "seed": trials.seed,
        "labels": None if trials.labels is None else trials.labels._asdict(),
        "catalogue": None if trials.shown is None else trials.shown._asdict(),
        "triggering": None if trials.triggered is None else _triggering(trials.triggered),
        "untriggered": trials.untriggered or None,
        "help": None if trials.helped is None else _help(trials.helped),
        "unhelped": trials.unhelped or None,
        "controls": [_control(one) for one in trials.controls],
    }


def confusion_object(confusion: Confusion) -> Json:
    """The matrix: a row for each skill, and one for the prompts that are for no skill."""
    document: Json = {
        "skills": list(confusion.skills),
        "columns": list(confusion.columns),
        "rows": [_row(row) for row in confusion.rows],
        "taken": [{"taker": taker, "owner": owner} | _ends(span) for taker, owner, span in confusion.thefts()],
    }
    return document | {"catalogue": None if confusion.shown is None else confusion.shown._asdict()}


def _row(row: ChoiceRow) -> Json:
    return {
        "skill": row.skill,
        "cells": [_ends(cell) for cell in row.cells],
        "prompts": row.prompts,
        "runs": row.runs,
        "reason": row.reason or None,
    }


def _control(one: ControlResult) -> Json:
    return {
        "test": one.test,
        "good": rounded(one.good),
        "hollow": rounded(one.hollow),
        "passed": one.passed,
        "reason": one.why or None,
    }


def _triggering(found: TriggerResult) -> Json:
    return {
        "positives": found.positives,
        "negatives": found.negatives,
        "clusters": found.clusters,
        "trials": found.trials,
        "usable": round_score(found.usable),
        "outcomes": dict(found.outcomes),
        "rates": _rates(found.rates),
        "flaky": round_score(found.flaky),
        "detectable": rounded(found.detectable),
        "detectable_recall": rounded(found.detectable_recall),
        "needed": found.needed,
        "design_effect": rounded(found.design_effect),
        "lost": [{"to": name, "share": round_score(share)} for name, share in found.lost],
        "by_position": _rates(found.thirds),
        "prompts": [one._asdict() | {"expect": list(one.expect), "others": dict(one.others)} for one in found.prompts],
    }


def _help(found: LiftDetails) -> Json:
    return {
        "wins": found.wins,
        "ties": found.ties,
        "losses": found.losses,
        "lift": _ends(found.lift),
        "extra_tokens": rounded(found.extra_tokens),
        "skill_tokens": rounded(found.skill_tokens),
        "extra_cost_usd": rounded(found.extra_cost),
        "detectable": rounded(found.detectable),
        "needed": found.needed,
        "drafted": found.drafted,
        "graders": list(found.graders),
        "notes": list(found.notes),
        "tasks": [
            one._asdict() | {"share": round_score(one.share), "extra_tokens": rounded(one.extra_tokens)}
            for one in found.tasks
        ],
    }


def _rates(spans: Iterable[Span]) -> list[Json]:
    return [{"of": span.name} | _ends(span) | {"method": span.method or None} for span in spans]


def _ends(span: Span) -> Json:
    return {"value": round_score(span.value), "low": rounded(span.low), "high": rounded(span.high)}
