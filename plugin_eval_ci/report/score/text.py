"""A score for a terminal: what a maintainer reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plugin_eval_ci.model import Finding, Severity
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.needs import listing_lines, needs_rows
from plugin_eval_ci.report.rating import rating_lines
from plugin_eval_ci.report.score import layout
from plugin_eval_ci.report.score.advice import first_changes, is_measured_plugin, static_of
from plugin_eval_ci.report.score.layers_lines import layer_lines, title_of, unmeasured_lines, usage_lines
from plugin_eval_ci.report.words import many, paint
from plugin_eval_ci.scoring.dimensions import badge_named
from plugin_eval_ci.scoring.report import ScoreReport
from plugin_eval_ci.scoring.static.layer import portability

Row = tuple[str, str] | tuple[str, str, int]  # what a line begins with, and the words that are broken to fit
_BAR = 20
_NAME = 34  # where the names of members begin
_MOST = 10  # findings in one section that weigh nothing
_BADGE_COLORS = {"platinum": "36", "gold": "33", "silver": "37", "bronze": "33", "no_badge": "31"}
_COLORS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.NOTICE: "36"}


def render(report: ScoreReport, color: bool, width: int | None = None) -> str:
    """The whole text, with a final newline; ``width`` is the terminal's unless given."""
    broad = width or layout.width_of_output()
    blocks = [_head(report, color, broad)]
    for title, rows in (
        *_trials(report),
        ("Dimensions", _dimensions(report, color)),
        ("Members", _members(report, color)),
        *_layers(report),
        ("Rating", (("  ", for_terminal(line)) for line in rating_lines(report))),
        ("Not measured", (("  ", for_terminal(line)) for line in unmeasured_lines(report))),
        ("Errors", _findings(report, layout.errors(report), color, _MOST)),
        ("Anti-patterns", _findings(report, report.anti_patterns, color)),
        ("Portability", _portability(report, color)),
        ("Other findings", _findings(report, layout.others(report), color, _MOST)),
        ("Context cost, in estimated tokens", _cost(report)),
        ("Host requirements", _host(report)),
        ("Model usage", (("  ", for_terminal(line)) for line in usage_lines(report))),
        ("What to change first (points gained by each change on its own)", _changes(report, color)),
        ("Notes", (("  ", for_terminal(note)) for note in report.notes)),
    ):
        lines = [layout.wrap(row[0], row[1], broad, *row[2:]) for row in rows]
        if lines:
            blocks.append("\n".join([paint(layout.wrap("", title, broad, 2), "1", color), *lines]))
    return "\n\n".join(blocks) + "\n"


def _head(report: ScoreReport, color: bool, width: int) -> str:
    composite = report.composite
    badge = badge_named(composite.badge)
    score = "—" if composite.score is None else points(composite.score)
    said = "no badge" if composite.badge == "no_badge" else f"{badge.stars} {badge.name.capitalize()}"
    lines = [
        f"{paint(for_terminal(report.name), '1', color)}  {report.kind} {for_terminal(report.path)}",
        f"Composite  {paint(score, '1', color)}  {paint(said, _BADGE_COLORS[composite.badge], color)}"
        f"  {composite.confidence_label} (depth {report.depth.name})",
    ]
    if report.composite.ci_lower is not None:
        from plugin_eval_ci.report.trials.layout import interval_words

        said = f"{interval_words(report)} (sampling error only; not validity)"
        lines.append(layout.wrap("Interval   ", said, width))
    count = len(report.anti_patterns)
    if count and not is_measured_plugin(report):
        lines.append(f"Penalty    x {composite.anti_pattern_penalty:.2f} for {many(count, 'anti-pattern')}")
    return "\n".join(lines)


def _trials(report: ScoreReport) -> Iterator[tuple[str, list[Row]]]:
    """The matrix and the plots of depth measured; a static score loads nothing of them."""
    if report.confusion is None and len(report.layers) < 2:
        return
    from plugin_eval_ci.report.trials import layout as trial_layout
    from plugin_eval_ci.report.trials import text as trial_lines

    if (confusion := report.confusion) is not None:
        rows: list[Row] = [(f"  {for_terminal(line)}", "") for line in trial_lines.matrix_lines(confusion)]
        for line in (*trial_layout.thefts(confusion), *trial_layout.listing_words(confusion)):
            rows.append(("  ", for_terminal(line)))
        yield "Confusion matrix, in % (row: the skill a prompt is for; column: the skill chosen)", rows
    for forest in trial_layout.forests(report):
        lines = trial_lines.forest_lines(forest)
        yield (
            f"{forest.title}, {forest.low:g} to {forest.high:g}" + (f" ({forest.note})" if forest.note else ""),
            [(f"  {for_terminal(lead)}", text) for lead, text in lines],
        )


def points(value: float) -> str:
    """A composite with two decimals; cut, not rounded up, so that 89.999 does not read as 90."""
    return f"{int(round(value * 100, 6)) / 100:.2f}"


def bar(score: float) -> str:
    """A score in [0, 1] as a bar."""
    full = int(round(score * _BAR, 6))
    return "█" * full + "░" * (_BAR - full)


def _dimensions(report: ScoreReport, color: bool) -> Iterator[Row]:
    for row in report.composite.dimensions:
        start = f"  {row.name:<24}{row.weight * 100:3.0f} %  "
        if row.score is None:
            yield start, paint(f"—  {for_terminal(row.reason or '')}", "2", color)
        else:
            yield start, f"{bar(row.score)}  {points(row.score * 100):>6}  {row.grade}"


def _members(report: ScoreReport, color: bool) -> Iterator[Row]:
    if not report.members:
        return
    names = [for_terminal(member.name) for member in report.members]
    broad = min(30, max(map(layout.columns, names)))
    yield f"  {'composite':>9}  {'static layer':>12}", ""
    for member, name in zip(report.members, names, strict=True):
        composite, static = member.composite.score, static_of(member)
        score = "—" if composite is None else points(composite)
        layer = "—" if static is None else f"{static.score:.4f}"
        lead = f"  {score:>9}  {layer:>12}  {member.kind:<5}  "
        marks = for_terminal(layout.marks(member))
        lead += name + " " * (max(0, broad - layout.columns(name)) + 2 if marks else 0)
        yield lead, paint(marks, _COLORS[Severity.ERROR], color) if layout.errors(member) else marks, _NAME
        if note := layout.agent_note(member):
            yield " " * _NAME, paint(note, "2", color)
    composite = report.composite.score
    if composite is not None:
        yield "  ", layout.mean_note(report, points(composite))


def _layers(report: ScoreReport) -> Iterator[tuple[str, list[Row]]]:
    """Each layer's score and what it is made of; a plugin's stands with the members that it is the mean of."""
    for layer in report.layers if report.kind != "plugin" else ():
        rows: list[Row] = [("  ", f"{score.name:<26}{score.score:.4f}") for score in layer.sub_scores]
        rows += [("    ", for_terminal(line)) for line in layer_lines(layer)]
        yield f"{f'{title_of(layer.layer)} layer score':<28}{layer.score:.4f}", rows


def _findings(report: ScoreReport, findings: Sequence[Finding], color: bool, most: int | None = None) -> Iterator[Row]:
    for finding in findings[:most]:
        place = paint(for_terminal(layout.place(finding, report)), "1", color)
        word = paint(finding.severity.word, _COLORS[finding.severity], color)
        weight = f" ({finding.weight * 100:.0f} %)" if finding.weight is not None else ""
        yield "  ", f"{place}: {word} {finding.rule}{weight}"
        yield "      ", for_terminal(finding.message)
        if finding.fix:
            yield "      " + paint("fix:", "2", color) + " ", for_terminal(finding.fix)
    if most is not None and len(findings) > most:
        yield "  ", f"and {len(findings) - most} more; run plugin-eval lint to see them"


def _portability(report: ScoreReport, color: bool) -> Iterator[Row]:
    yield from _findings(report, tuple(portability(report.findings)), color)
    if note := layout.portability_note(report):
        yield "  ", paint(note, "2", color)


def _cost(report: ScoreReport) -> Iterator[Row]:
    cost = report.context_cost
    if cost is not None:
        files = "1 text file" if cost.files == 1 else f"{cost.files:,} text files"
        yield "  ", f"installed {cost.installed:,}  activated {cost.activated:,}  bundle {cost.bundle:,} ({files})"
        if not cost.complete:
            yield "  ", "the bundle is larger than shown: it exceeds the read limit"
        for line in listing_lines(cost.listing) if cost.listing else ():
            yield "  ", for_terminal(line)


def _host(report: ScoreReport) -> Iterator[Row]:
    for label, words in needs_rows(report.host):
        yield f"  {label:<15}", for_terminal(", ".join(words))


def _changes(report: ScoreReport, color: bool) -> Iterator[Row]:
    for change in first_changes(report):
        yield f"  {change.gain:>6}  ", for_terminal(change.advice)
        more = for_terminal(layout.also(change))
        yield " " * 10, paint(for_terminal(layout.spot(change, report)), "1", color) + (f" {more}" if more else "")
