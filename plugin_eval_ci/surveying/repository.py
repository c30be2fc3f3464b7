"""The unit of the repository itself: what needs every file at once, with as little of each as the rules ask for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from plugin_eval_ci import faults, names
from plugin_eval_ci.budget import entries_of, listing_of
from plugin_eval_ci.check import across
from plugin_eval_ci.discover import Found
from plugin_eval_ci.evaluate import read
from plugin_eval_ci.model import MARK, Collection, Document, Finding, Skill
from plugin_eval_ci.parse import documents
from plugin_eval_ci.parse.documents import Location
from plugin_eval_ci.rules.manifests import placed
from plugin_eval_ci.survey import Market, finding_order
from plugin_eval_ci.surveying.shown import without_names
from plugin_eval_ci.surveying.units import Context


class Together(NamedTuple):
    """What was found by looking at everything together: findings of any path, and the lists of whole marketplaces."""

    findings: tuple[Finding, ...]
    markets: tuple[Market, ...]


def together(found: Found, context: Context) -> Together:
    """Read the header and text of every document, and in full only those whose text names other skills."""
    known = {where.file: _parsed(where, True) for where in found.skills}
    known |= {where.file: _parsed(where, False) for where in found.agents}
    collection = read(found, known)
    # No rule across files counts for a score, so what is subsumed counts nowhere.
    findings, _ = across(collection, context.chosen)
    said = {finding.path for finding in findings}
    marked = [one for one in collection.documents if one.source.path in said and MARK in one.source.text]
    visible = context.shown.of(_whole(one, collection.root) for one in marked)
    shown = (finding._replace(weight=None, state=None) for finding in visible(findings))
    none: tuple[Market, ...] = ()
    markets = faults.kept(lambda: tuple(_markets(collection)), none, "score", ".")
    return Together(tuple(sorted(shown, key=finding_order)), markets)


def _parsed(where: Location, skill: bool) -> Document:
    light = documents.parse_lightly(where, skill)
    if not any(names.promises_of(light)):
        return light
    # Only Markdown says what of it is code: a name in there is no promise.
    return documents.parse_skill(where, light.source) if skill else documents.parse_agent(where, light.source)


def _whole(document: Document, root: str) -> Document:
    where = Location(document.source.file, document.source.path, root, document.plugin)
    if isinstance(document, Skill):
        return documents.parse_skill(where, document.source)
    return documents.parse_agent(where, document.source)


def _markets(collection: Collection) -> Iterator[Market]:
    folders = {os.path.normpath(os.path.join(collection.root, plugin.path)): plugin for plugin in collection.plugins}
    entries = placed(collection)
    for manifest in collection.manifests:
        if manifest.kind == "marketplace":
            places = dict.fromkeys(place for one, _, place in entries if one is manifest and place in folders)
            skills = [skill for place in places for skill in folders[place].skills]
            listed = entries_of(skills, {place: folders[place].name for place in places})
            if len(places) > 1 and listed:
                yield Market(manifest.source.path, without_names(listing_of(listed)))
