"""A report as one HTML file: it loads nothing, works without JavaScript, and shows a stranger's text as text."""

from __future__ import annotations

from collections.abc import Sequence

from plugin_eval_ci.report.escape import for_html
from plugin_eval_ci.report.needs import listing_lines
from plugin_eval_ci.report.page import plots, rows, shell, summary
from plugin_eval_ci.report.page.shell import facts, finding_rows
from plugin_eval_ci.survey.report import Key, Survey, Target, key_of, worst_first
from plugin_eval_ci.survey.since import Since

LIMIT = 12_000_000  # bytes: about what a browser still opens in a moment


def render(survey: Survey, since: Since | None = None, limit: int = LIMIT) -> str:
    """The page, with a final newline, in about ``limit`` bytes: details of the best targets are dropped first, with a note."""
    ordered = worst_first(survey.targets)
    ids = {key_of(target): f"t{place}" for place, target in enumerate(ordered, 1)}
    notes = "".join(f"<li>{for_html(note)}</li>" for note in survey.notes)
    before = [
        shell.section("since", f"Since {since.date}", summary.since_section(since, ids)) if since else "",
        shell.section("spread", "Scores", _plots(survey)),
    ]
    after = [
        shell.section("lists", "Skill listings", _lists(survey)),
        shell.section("elsewhere", "Findings outside any single target", finding_rows(survey.findings)),
        shell.section("notes", "Notes", f"<ul>{notes}</ul>" if notes else ""),
        shell.section("reading", "How to read this", summary.legend(survey)),
    ]
    rest = sum(len(part.encode()) for part in (*before, *after))
    table = shell.section("all", "All targets", _table(ordered, ids, since, limit - rest))
    sections = [part for part in (*before, table, *after) if part]
    title = f"{survey.name}: plugin evaluation report, {survey.date}"
    return shell.page(title, summary.header(survey), sections, survey.version, survey.methodology)


def _plots(survey: Survey) -> str:
    plugins = [target.score for target in survey.of("plugin") if target.score is not None]
    others = [t.score for t in survey.targets if t.kind != "plugin" and t.score is not None]
    what = ("skill or agent", "skills and agents") if survey.of("agent") else ("skill", "skills")
    line = plots.trend([*((past.date, past.mean) for past in survey.history), (survey.date, survey.mean())])
    figures = plots.histogram(plugins, "plugin", "plugins") + plots.histogram(others, *what) + line
    return f'<div class="figures">{figures}</div>' if figures else ""


def _lists(survey: Survey) -> str:
    """The space that all skills of a marketplace take in the listing of a client that installs every plugin."""
    return facts((market.path, for_html("; ".join(listing_lines(market.listing)))) for market in survey.markets)


def _table(ordered: Sequence[Target], ids: dict[Key, str], since: Since | None, room: int) -> str:
    if not ordered:
        return "<p>Nothing to score.</p>"
    members: dict[str, list[Target]] = {}
    for target in ordered:
        if target.plugin is not None:
            members.setdefault(target.plugin, []).append(target)
    gains = None
    if since is not None:
        gains = {key_of(c.after): None if since.why else c.difference for c in since.changes}
    owners = any(target.owners for target in ordered)
    return _TOOLS + rows.render(ordered, rows.Table(ids, members, gains, owners), room)


_TOOLS = (
    '<form class="tools" role="search" aria-label="Filter the table"><label for="q">Filter by name, path, owner, rule or text</label>'
    '<input id="q" type="search" autocomplete="off" spellcheck="false"><label for="kind">Kind</label><select id="kind">'
    '<option value="">all</option><option>plugin</option><option>skill</option><option>agent</option></select>'
    '<p id="said" role="status"></p></form>\n'
)
