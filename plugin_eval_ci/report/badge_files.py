"""The badges of a whole report as files for one folder: the repository's, and one of each plugin."""

from __future__ import annotations

import re

from plugin_eval_ci.report import badge_shields, badge_svg
from plugin_eval_ci.report.badge import Badge, badge_of_survey, badge_of_target
from plugin_eval_ci.survey import Survey

_NO_NAME = re.compile(r"[^a-z0-9._-]+")
_LENGTH = 80  # characters of a file's name that come from the plugin's


def files(survey: Survey) -> tuple[tuple[str, str], ...]:
    """Names and texts: ``badge.svg`` and ``badge.json``, then ``plugin-NAME.svg`` and ``.json`` of each plugin in order.

    NAME is the plugin's in lower case, with a dash for what some file system minds; a second one of that name gets ``-2``.
    """
    found = [*_pair("badge", badge_of_survey(survey))]
    taken: dict[str, int] = {}
    for target in survey.targets:
        if target.kind == "plugin":
            found += _pair(_free(_slug(target.name), taken), badge_of_target(target, survey))
    return tuple(found)


def _pair(name: str, badge: Badge) -> tuple[tuple[str, str], tuple[str, str]]:
    return (f"{name}.svg", badge_svg.render(badge)), (f"{name}.json", badge_shields.render(badge))


def _slug(name: str) -> str:
    # The word in front keeps a device name of Windows, a leading dot and an empty name from becoming a file's.
    return "plugin-" + (_NO_NAME.sub("-", name.lower()).strip("-.")[:_LENGTH].rstrip("-.") or "unnamed")


def _free(slug: str, taken: dict[str, int]) -> str:
    taken[slug] = taken.get(slug, 0) + 1
    if taken[slug] == 1:
        return slug
    return _free(f"{slug}-{taken[slug]}", taken)
