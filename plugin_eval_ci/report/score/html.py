"""A score as one HTML file, in the frame of the report's page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from plugin_eval_ci.model import Finding
from plugin_eval_ci.report.escape import for_html
from plugin_eval_ci.report.needs import listing_lines, needs_rows
from plugin_eval_ci.report.page import shell
from plugin_eval_ci.report.page.shell import chip, dimension_rows, facts, finding_rows, number
from plugin_eval_ci.report.rating import rating_lines
from plugin_eval_ci.report.score import layout
from plugin_eval_ci.report.score.advice import first_changes, is_measured_plugin, static_of
from plugin_eval_ci.report.score.layers_lines import layer_lines, title_of, unmeasured_lines, usage_lines
from plugin_eval_ci.report.words import many, severities
from plugin_eval_ci.scoring.report import ScoreReport
from plugin_eval_ci.scoring.static.layer import portability


def render(report: ScoreReport, date: str) -> str:
    """The page, with a final newline; ``date`` (YYYY-MM-DD) is shown on it."""
    sections = [
        shell.section(f"s{place}", title, content)
        for place, (title, content) in enumerate(
            (
                ("What to change first", _changes(report)),
                *_trials(report),
                ("Dimensions", _dimensions(report)),
                ("Members", _members(report)),
                *_layers(report),
                ("Rating", _lines(rating_lines(report))),
                ("Not measured", _lines(unmeasured_lines(report))),
                ("Errors", _findings(report, layout.errors(report))),
                ("Anti-patterns", _findings(report, report.anti_patterns)),
                ("Portability", _portability(report)),
                ("Other findings", _findings(report, layout.others(report))),
                ("Context cost and host requirements", _needs(report)),
                ("Model usage", _lines(usage_lines(report))),
                ("Notes", "".join(f"<p>{for_html(note)}</p>" for note in report.notes)),
            )
        )
        if content
    ]
    title = f"{report.name}: plugin evaluation, {date}"
    trials = report.confusion is not None or len(report.layers) > 1
    return shell.page(title, _header(report, date), sections, report.version, report.methodology, trials)


def _trials(report: ScoreReport) -> Iterator[tuple[str, str]]:
    """The matrix and the plots of depth measured; a static score loads nothing of them."""
    if report.confusion is not None or len(report.layers) > 1:
        from plugin_eval_ci.report.page.trials import sections

        yield from sections(report)


def _interval(report: ScoreReport) -> str:
    if report.composite.ci_lower is None:
        return ""
    from plugin_eval_ci.report.trials.layout import interval_words

    return f"<p>{for_html(interval_words(report))} (sampling error only; not validity)</p>"


def _header(report: ScoreReport, date: str) -> str:
    composite = report.composite
    badge = None if composite.score is None else composite.badge
    penalty = ""
    if report.anti_patterns and not is_measured_plugin(report):
        penalty = f" × {composite.anti_pattern_penalty:.2f} for {many(len(report.anti_patterns), 'anti-pattern')}"
    return (
        f'<p class="over">Plugin evaluation of one {report.kind}</p>\n<h1>{for_html(report.name)}</h1>\n'
        f'<p class="under">{for_html(report.path)} · <time datetime="{for_html(date)}">{for_html(date)}</time> · depth '
        f'{report.depth.name}</p>\n<div class="tiles"><div class="tile hero"><span class="big">{number(composite.score)}</span> '
        f"{chip(badge)}<p>{for_html(composite.confidence_label)}{penalty}</p>{_interval(report)}</div>\n"
        f'<div class="tile"><span class="big">{len(report.findings)}</span> {"finding" if len(report.findings) == 1 else "findings"}'
        f"<p>{severities(report.findings) or 'nothing to fix'}</p></div></div>"
    )


def _changes(report: ScoreReport) -> str:
    rows = "".join(
        f"<li><b>{change.gain}</b><span>{for_html(change.advice)}<small>{for_html(layout.spot(change, report))} "
        f"{for_html(layout.also(change))}</small></span></li>"
        for change in first_changes(report)
    )
    return f'<p>Points gained by each change on its own.</p><ol class="first">{rows}</ol>' if rows else ""


def _dimensions(report: ScoreReport) -> str:
    rows = [
        (
            _name_cell(
                row.name.replace("_", " "), "" if row.score is not None else f"not measured: {row.reason or ''}"
            ),
            f"{row.weight * 100:.0f} %",
            number(None if row.score is None else row.score * 100),
            row.grade or "—",
        )
        for row in report.composite.dimensions
    ]
    return _table(("Dimension", "Weight", "Score", "Grade"), rows)


def _members(report: ScoreReport) -> str:
    rows = [_member(member) for member in report.members]
    note = ""
    if rows and report.composite.score is not None:
        note = f"<p>{for_html(layout.mean_note(report, number(report.composite.score)))}</p>"
    return _table(("Name", "Composite", "Static layer"), rows) + note


def _member(member: ScoreReport) -> tuple[str, ...]:
    static = static_of(member)
    said = [text for text in (member.kind, layout.marks(member), layout.agent_note(member)) if text]
    layer = "—" if static is None else f"{static.score:.4f}"
    return _name_cell(member.name, "; ".join(said)), number(member.composite.score), layer


def _name_cell(name: str, more: str) -> str:
    return for_html(name) + (f"<small>{for_html(more)}</small>" if more else "")


def _layers(report: ScoreReport) -> Iterator[tuple[str, str]]:
    for layer in report.layers if report.kind != "plugin" else ():
        rows = dimension_rows((score.name, score.score) for score in layer.sub_scores)
        yield f"{title_of(layer.layer)} layer: {layer.score:.4f}", rows + _lines(layer_lines(layer))


def _lines(lines: Iterable[str]) -> str:
    rows = "".join(f"<li>{for_html(line)}</li>" for line in lines)
    return f"<ul>{rows}</ul>" if rows else ""


def _findings(report: ScoreReport, findings: Sequence[Finding]) -> str:
    return finding_rows(
        (one._replace(path=layout.short(one.path, report)) for one in findings), layout.short(report.path, report)
    )


def _portability(report: ScoreReport) -> str:
    found = _findings(report, tuple(portability(report.findings)))
    note = layout.portability_note(report)
    return found + (f"<p>{for_html(note)}</p>" if found and note else "")


def _needs(report: ScoreReport) -> str:
    rows = []
    if (cost := report.context_cost) is not None:
        more = "" if cost.complete else "more than "
        rows.append(("Installed", f"{cost.installed:,} tokens in every session"))
        rows.append(("Activated", f"{cost.activated:,} tokens when it is used"))
        rows.append(("Bundle", f"{more}{cost.bundle:,} tokens with all of its {many(cost.files, 'text file')}"))
        listing = "; ".join(listing_lines(cost.listing)) if cost.listing else ""
        rows.append(("Listing", for_html(listing.removeprefix("listing "))))
    rows += [(label.capitalize(), for_html(", ".join(words))) for label, words in needs_rows(report.host)]
    return facts(rows)


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """Rows of cells that are HTML already: the head of the row, then numbers. Nothing for no rows."""
    if not rows:
        return ""
    titles = "".join(f'<th scope="col"{_NUMBER if place else ""}>{title}</th>' for place, title in enumerate(head))
    body = "".join(
        f'<tr><th scope="row">{row[0]}</th>{"".join(f"<td{_NUMBER}>{cell}</td>" for cell in row[1:])}</tr>'
        for row in rows
    )
    return f'<table class="t"><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>'


_NUMBER = ' class="n"'
