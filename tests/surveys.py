"""Reports made by hand, for tests of what is a function of them: ``plugin``, ``skill``, ``finding`` and ``survey``."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from plugin_eval_ci.analysis.listing import Entry, listing_of
from plugin_eval_ci.model import Finding, Severity
from plugin_eval_ci.scoring.dimensions import badge_of, depth_named, grade_of
from plugin_eval_ci.survey.report import Cost, Kind, Past, Shard, Survey, Target


def finding(
    rule: str = "MISSING_TRIGGER",
    path: str = "plugins/shop/skills/counting/SKILL.md",
    line: int = 3,
    severity: Severity = Severity.WARNING,
    message: str = "the description never says when to use the skill",
    target: str = "",
    anti_pattern: bool = True,
) -> Finding:
    """A finding whose fingerprint is made of its rule, path and target."""
    mark, content = (
        sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
        for text in (f"{rule}:{path}:{target}", f"{rule}:{target}")
    )
    return Finding(
        rule, severity, anti_pattern, path, line, None, None, message, "Say it.", target, mark, None, content
    )


def target(
    path: str,
    score: float | None = 80.0,
    kind: Kind = "skill",
    plugin: str | None = None,
    name: str = "",
    findings: Iterable[Finding] = (),
    owners: tuple[str, ...] = (),
    reason: str = "",
    content: str = "",
) -> Target:
    """A target; one without a score has a reason."""
    measured = score is not None
    return Target(
        kind,
        path,
        name or path.removesuffix("/SKILL.md").removesuffix(".md").rpartition("/")[2],
        plugin,
        score,
        grade_of(score) if score is not None else None,
        badge_of(score).name if measured else None,
        "Estimated",
        None if measured else reason or "the file cannot be read",
        (("triggering_accuracy", 0.75), ("scope_calibration", 0.5)) if measured and kind == "skill" else (),
        Cost(40, 400, 900) if measured else None,
        listing_of([Entry("shop:counting", "Counts boxes.")]) if kind == "plugin" and measured else None,
        owners,
        tuple(findings),
        content or f"{kind} {path}",
    )


def survey(*targets: Target, date: str = "2026-11-30", findings: Iterable[Finding] = (), **more: object) -> Survey:
    """A report over ``targets``; ``more`` are further fields of ``Survey``, ``depth`` by its name."""
    depth = depth_named(str(more.pop("depth", "quick")))
    ordered = tuple(sorted(targets, key=lambda one: (one.path, one.kind, one.name)))
    return Survey("acme/shelf", date, depth, ordered, tuple(findings))._replace(**more)


def sample() -> Survey:
    """Two plugins with skills and an agent, one that cannot be measured, one skill of no plugin, and a hostile name."""
    return survey(
        target("plugins/shop", 74.25, "plugin", owners=("@acme/shop",), findings=[finding("LISTING_BUDGET", "plugins/shop")]),
        target("plugins/shop/skills/counting/SKILL.md", 61.5, plugin="plugins/shop", findings=[finding()], owners=("@acme/shop",)),
        target("plugins/shop/skills/labels/SKILL.md", 87.0, plugin="plugins/shop"),
        target("plugins/shop/agents/counter.md", 92.5, "agent", plugin="plugins/shop"),
        target("plugins/till", None, "plugin", reason="it brings only commands"),
        target("plugins/odd", 33.0, "plugin", name="<img src=x onerror=alert(1)> | @octocat"),
        target("skills/alone/SKILL.md", 45.0),
        target("skills/broken/SKILL.md", None),
        history=(Past("2026-11-16", 70.5, 2, 3, 4), Past("2026-11-23", 72.0, 2, 3, 3)),
    )  # fmt: skip


def sample_before() -> Survey:
    """A week before ``sample``: one plugin was better, one skill is gone since, one is new, one moved, one finding is fixed."""
    return survey(
        target("plugins/shop", 79.5, "plugin", owners=("@acme/shop",)),
        target("plugins/shop/skills/counting/SKILL.md", 70.0, plugin="plugins/shop"),
        target("plugins/shop/skills/tags/SKILL.md", 80.0, plugin="plugins/shop", content="skill plugins/shop/skills/labels/SKILL.md"),
        target("plugins/shop/agents/counter.md", 92.5, "agent", plugin="plugins/shop"),
        target("plugins/till", None, "plugin", reason="it brings only commands"),
        target("plugins/odd", 30.0, "plugin", name="<img src=x onerror=alert(1)> | @octocat"),
        target("skills/old/SKILL.md", 50.0),
        target("skills/broken/SKILL.md", 66.0, findings=[finding("BODY_TODO", "skills/broken/SKILL.md")]),
        date="2026-11-23",
        history=(Past("2026-11-16", 70.5, 2, 3, 4),),
    )  # fmt: skip


__all__ = ["Past", "Shard", "finding", "sample", "sample_before", "survey", "target"]
