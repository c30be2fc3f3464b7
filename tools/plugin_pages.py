"""Write the generated parts of ``plugin/``: numbers come from the code's tables, so that the plugin cannot say others.

Usage: python tools/plugin_pages.py [--check]. With --check nothing is written and stale text is exit code 1.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import generated

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from plugin_eval_ci.rules import all_rules  # noqa: E402
from plugin_eval_ci.scoring.dimensions import BADGES, DEPTHS, DIMENSIONS, GRADES, LAYERS, STATIC_SUB_SCORES  # noqa: E402

SKILL = ROOT / "plugin" / "skills" / "evaluation-methodology"
RUBRICS = ROOT / "plugin_eval_ci" / "evals" / "llm" / "rubrics" / "rubrics.json"


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A table in Markdown."""
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ("---",) * len(head), *rows))


def number(value: float) -> str:
    """A weight, or a dash for none."""
    return f"{value:.2f}" if value else "–"


def dimensions() -> str:
    """The ten dimensions with their weights; what only depth measured gives stands behind its own."""
    head = ("dimension", "weight", "static", "judge", "runs or trials")
    rows = []
    for row in DIMENSIONS:
        blend = row.at_measured or row.blend
        mark = " (measured only)" if row.at_measured else ""
        rows.append(
            (row.name + mark, f"{row.weight:.0%}", number(blend.static), number(blend.judge), number(blend.runs))
        )
    return table(head, rows)


def badges() -> str:
    """The badges with both thresholds."""
    head = ("badge", "composite from", "rating from", "stars")
    return table(head, [(one.name.capitalize(), f"{one.score:g}", f"{one.elo:g}", one.stars) for one in BADGES])


def grades() -> str:
    """The letters, in one line."""
    return ", ".join(f"{letter} from {least:g}" for letter, least in GRADES) + ", else F. Not measured: —."


def anti_patterns() -> str:
    """The six anti-patterns with the first line of their pages."""
    rows = []
    for rule in all_rules():
        if rule.group == "anti-pattern":
            title = (sys.modules[f"plugin_eval_ci.rules.{rule.name.lower()}"].__doc__ or "").strip().splitlines()[0]
            rows.append((rule.name, f"{rule.weight or 0:.0%}", title.replace("|", "\\|")))
    return table(("name", "severity", "what it says"), rows)


def depths() -> str:
    """The depths that a user can name."""
    rows = [
        (one.name, ", ".join(LAYERS[layer].title for layer in one.layers), str(one.runs or "–"), one.label)
        for one in DEPTHS
    ]
    return table(("depth", "layers", "runs", "label"), rows)


def rubrics() -> str:
    """The questions and anchors of the judge."""
    data = json.loads(RUBRICS.read_text(encoding="utf-8"))
    lines = [f"Version {data['version']}. Written from the data that the command itself uses."]
    for name, one in [*data["dimensions"].items(), *data["at_measured"].items()]:
        title = name if name in data["dimensions"] else f"{name} (at depth measured only)"
        lines += ["", f"## {title}", "", f"Sees: {one['sees']}.", "", one["asks"]]
        if "anchors" in one:
            rows = [(score, text) for score, text in one["anchors"].items()]
            lines += ["", table(("score", "when"), rows)]
        else:
            lines += ["", f"Score: {one['score']}"]
    return "\n".join(lines)


def sub_scores() -> str:
    """The sub-scores of the static layer."""
    rows = [(row.name, f"{row.weight:.2f}", row.dimension or "none") for row in STATIC_SUB_SCORES]
    return table(("sub-score", "weight in the layer", "feeds"), rows)


PAGES = {
    SKILL / "SKILL.md": {
        "dimensions": dimensions,
        "badges": badges,
        "grades": grades,
        "anti-patterns": anti_patterns,
        "depths": depths,
    },
    SKILL / "references" / "rubrics.md": {"rubrics": rubrics},
    SKILL / "references" / "improving-scores.md": {"sub-scores": sub_scores},
}

if __name__ == "__main__":
    sys.exit(generated.main(PAGES))
