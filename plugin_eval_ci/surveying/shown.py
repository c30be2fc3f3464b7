"""Which findings a report shows: all that lower a score, and of the others those that the configuration and comments leave."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from plugin_eval_ci import suppress
from plugin_eval_ci.budget import Listing
from plugin_eval_ci.model import Agent, Collection, Document, Finding, Skill
from plugin_eval_ci.rules import all_names

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource

Visible = Callable[[Iterable[Finding]], list[Finding]]


class Shown:
    """What the lint would show, and what weighs: a number without its reasons helps nobody."""

    def __init__(self, root: str, config: ConfigSource) -> None:
        self.root = root
        self.config = config

    def of(self, documents: Iterable[Document]) -> Visible:
        """A filter for findings in ``documents``, whose comments count, and in other files, of which only the configuration does."""
        here = list(documents)
        skills = tuple(one for one in here if isinstance(one, Skill))
        agents = tuple(one for one in here if isinstance(one, Agent))
        ignores = suppress.comments(Collection(self.root, skills, agents, (), ()), self.config, all_names)

        def visible(findings: Iterable[Finding]) -> list[Finding]:
            some = list(findings)
            weighing = [finding for finding in some if _weighs(finding)]
            others = [finding for finding in some if not _weighs(finding) and self._runs(finding)]
            left, _, _ = suppress.by_comment(others, (), ignores)
            return weighing + suppress.by_configuration(left, self.config)[0]

        return visible

    def _runs(self, finding: Finding) -> bool:
        return self.config.at(suppress.folder_of(finding.path)).runs(finding.rule)


def _weighs(finding: Finding) -> bool:
    return finding.anti_pattern or finding.weight is not None


def without_names(listing: Listing) -> Listing:
    """A listing without the names of the skills that keep their description: nobody needs thousands of them."""
    return listing._replace(
        budgets=tuple((window, simulation._replace(kept=())) for window, simulation in listing.budgets)
    )
