"""What the rules about a change are told: plugins on both sides of it, and what it says to this tool."""

from typing import NamedTuple


class StatedVersion(NamedTuple):
    """A version as a manifest states it, and where."""

    text: str
    path: str
    line: int


class PluginSides(NamedTuple):
    """One plugin that was there before and still is. Pairs are (before, after); None where no version is stated."""

    path: str  # its folder, as reported; with the name of its entry where several share the folder
    own: tuple[StatedVersion | None, StatedVersion | None]  # of plugin.json, which wins
    listed: tuple[StatedVersion | None, StatedVersion | None]  # of its marketplace entry
    changed: tuple[str, ...]  # files that users install and that differ, as reported

    @property
    def before(self) -> StatedVersion | None:
        """The version that hosts went by."""
        return self.own[0] or self.listed[0]

    @property
    def after(self) -> StatedVersion | None:
        """The version that hosts go by now."""
        return self.own[1] or self.listed[1]


class SettingsChange(NamedTuple):
    """A file that configures this tool and means something else now. ``what`` is said of the change, in words."""

    path: str
    what: str


class RevisionFacts(NamedTuple):
    """A change as a whole."""

    plugins: tuple[PluginSides, ...] = ()
    settings: tuple[SettingsChange, ...] = ()
