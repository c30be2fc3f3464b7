"""A report as one HTML file: it loads nothing, works without JavaScript, and shows a stranger's text as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from plugin_eval_ci.model import Finding
from plugin_eval_ci.report.escape import for_html
from plugin_eval_ci.report.needs import listing_lines
from plugin_eval_ci.report.page import plots, rows, shell
from plugin_eval_ci.report.page.shell import chip, facts, finding_rows, number, signed_gain
from plugin_eval_ci.report.words import many, severities
from plugin_eval_ci.scoring.dimensions import BADGES, badge_of
from plugin_eval_ci.survey.report import Key, Kind, Survey, Target, key_of, worst_first
from plugin_eval_ci.survey.since import Change, Since

LIMIT = 12_000_000  # bytes: about what a browser still opens in a moment


def render(survey: Survey, since: Since | None = None, limit: int = LIMIT) -> str:
    """The page, with a final newline, in about ``limit`` bytes: details of the best targets are dropped first, with a note."""
    ordered = worst_first(survey.targets)
    ids = {key_of(target): f"t{place}" for place, target in enumerate(ordered, 1)}
    notes = "".join(f"<li>{for_html(note)}</li>" for note in survey.notes)
    before = [
        shell.section("since", f"Since {since.date}", since_section(since, ids)) if since else "",
        shell.section("spread", "Scores", _plots(survey)),
    ]
    after = [
        shell.section("lists", "Skill listings", _lists(survey)),
        shell.section("elsewhere", "Findings outside any single target", finding_rows(survey.findings)),
        shell.section("notes", "Notes", f"<ul>{notes}</ul>" if notes else ""),
        shell.section("reading", "How to read this", legend(survey)),
    ]
    rest = sum(len(part.encode()) for part in (*before, *after))
    table = shell.section("all", "All targets", _table(ordered, ids, since, limit - rest))
    sections = [part for part in (*before, table, *after) if part]
    title = f"{survey.name}: plugin evaluation report, {survey.date}"
    return shell.page(title, header(survey), sections, survey.version, survey.methodology)


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


KINDS: tuple[Kind, ...] = ("plugin", "skill", "agent")
_SHOWN = 10  # of a list that may be long; the table has them all
_MORE = 200  # findings that are listed as new or as fixed


def header(survey: Survey) -> str:
    """Title, mean and counts."""
    mean = survey.mean()
    badge = None if mean is None else badge_of(mean).name
    shards = (
        f" Part {', '.join(str(shard.number) for shard in survey.shards)} of {survey.shards[0].total}."
        if survey.shards
        else ""
    )
    return (
        f'<p class="over">Plugin evaluation report</p>\n<h1>{for_html(survey.name)}</h1>\n'
        f'<p class="under"><time datetime="{for_html(survey.date)}">{for_html(survey.date)}</time> · depth '
        f"{for_html(survey.depth.name)} · {for_html(survey.depth.label)}{shards}</p>\n"
        f'<div class="tiles"><div class="tile hero"><span class="big">{number(mean)}</span> {chip(badge)}'
        f"<p>{_mean_of(survey)}</p></div>\n{''.join(_tiles(survey))}</div>"
    )


def _mean_of(survey: Survey) -> str:
    what = "of the plugins" if survey.of("plugin") else "of the skills" if survey.of("skill") else "of the agents"
    past = [point for point in survey.history if point.mean is not None]
    mean = survey.mean()
    if not past or mean is None or past[-1].mean is None:
        return f"mean score {what}"
    return f"mean score {what}, {signed_gain(mean - past[-1].mean)} since {for_html(past[-1].date)}"


def _tiles(survey: Survey) -> Iterator[str]:
    for kind in KINDS:
        found = survey.of(kind)
        if found:
            without = sum(target.score is None for target in found)
            yield _tile(many(len(found), kind), f"{without:,} not measured" if without else "all measured")
    findings = survey.everything_found
    yield _tile(many(len(findings), "finding"), severities(findings) or "nothing to fix")


def _tile(head: str, rest: str) -> str:
    count, _, word = head.partition(" ")
    return f'<div class="tile"><span class="big">{count}</span> {word}<p>{rest}</p></div>\n'


def since_section(since: Since, ids: Mapping[Key, str]) -> str:
    """Targets that got worse or better, are new or gone, with links to their rows."""
    lists = [
        _block("Worse", [_changed(change, ids) for change in since.worse]),
        _block("Better", [_changed(change, ids) for change in since.better]),
        _block("No longer measured", [f"{_link(c.after, ids)}<b>was {number(c.before.score)}</b>" for c in since.lost]),
        _block("New", [f"{_link(target, ids)}<b>{number(target.score)}</b>" for target in since.added]),
        _block(
            "Gone",
            [f"<span>{for_html(target.name)} <small>{for_html(target.path)}</small></span>" for target in since.gone],
        ),
        _block("Moved", [f"{_link(c.after, ids)} <small>from {for_html(c.before.path)}</small>" for c in since.moved]),
    ]
    kept = "".join(lists)
    why = f'<p class="why">Scores cannot be compared: {for_html(since.why)}.</p>' if since.why else ""
    cards = f'<div class="cards">{kept}</div>' if kept else "<p>No score changed.</p>" if not why else ""
    return why + cards + _findings("New findings", since.new) + _findings("Fixed findings", since.fixed)


def _changed(change: Change, ids: Mapping[Key, str]) -> str:
    then, now = number(change.before.score), number(change.after.score)
    return f"{_link(change.after, ids)}<span><i>{then} → {now}</i> <b>{signed_gain(change.difference)}</b></span>"


def _link(target: Target, ids: Mapping[Key, str]) -> str:
    at = ids.get(key_of(target))
    kind = "" if target.kind == "skill" else f" <small>{for_html(target.kind)}</small>"
    name = for_html(target.name)
    return f'<span><a href="#{at}">{name}</a>{kind}</span>' if at else f"<span>{name}{kind}</span>"


def _block(title: str, rows: Sequence[str]) -> str:
    if not rows:
        return ""
    items = "".join(f"<li>{row}</li>" for row in rows[:_SHOWN])
    more = f"<p>and {len(rows) - _SHOWN:,} more</p>" if len(rows) > _SHOWN else ""
    return f'<div class="card"><h3>{for_html(title)} <span class="count">{len(rows):,}</span></h3><ul>{items}</ul>{more}</div>'


def _findings(title: str, findings: Sequence[Finding]) -> str:
    if not findings:
        return ""
    more = f"<p>and {len(findings) - _MORE:,} more</p>" if len(findings) > _MORE else ""
    return f"<details><summary>{for_html(title)}: {severities(findings)}</summary>{finding_rows(findings[:_MORE])}{more}</details>"


def legend(survey: Survey) -> str:
    """What the words on the page mean."""
    limits = ", ".join(f"{chip(badge.name)} from {badge.score:g}" for badge in BADGES)
    return facts(
        (
            ("Score", "0 to 100. Parts that were not measured do not count, not even as zero."),
            ("Badges", limits),
            (survey.depth.label, f"the confidence label of every score at depth {for_html(survey.depth.name)}"),
            ("Plugin", "the mean of its skills and agents, minus the penalty for their anti-patterns"),
            (
                "Tokens",
                "installed: in every session; when used: when a skill is loaded; with all files: when every bundled file is read",
            ),
        )
    )
