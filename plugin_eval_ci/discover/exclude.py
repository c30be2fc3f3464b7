"""What is left out: by the user always, also what is named; by default unless it is named."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plugin_eval_ci.config import Config, ConfigSource

_NOISE = frozenset(
    {
        ".git", ".hg", ".svn", ".jj", "node_modules", "bower_components", "__pycache__", ".venv", ".tox", ".nox", ".eggs",
        "site-packages", ".cache", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".idea", ".next", ".terraform", ".gradle",
    }
)  # fmt: skip
_BACKUP = (".bak", ".backup", ".orig", "~")
_FIXTURES = frozenset({"__fixtures__", "testdata", "test-fixtures", "test_fixtures", "backups", ".backups"})
_TESTS = frozenset({"test", "tests", "__tests__", "spec", "specs"})


class Excluder:
    """Which folders and files are left out. Each is judged by the configuration of the folder it is in, from the root downwards."""

    def __init__(self, root: str, config: ConfigSource) -> None:
        self.root = root
        self.config = config
        self._prefix = root.rstrip(os.sep) + os.sep
        self._known: dict[str, bool] = {}

    def by_user(self, place: str) -> bool:
        """Whether an ``exclude`` glob of a configuration or the command line covers this path or a folder above it."""
        relative = self._relative(place)
        if relative is None:
            return False
        below: list[str] = []
        known = self._known.get(relative)
        while known is None and relative:
            below.append(relative)
            relative = relative.rpartition("/")[0]
            known = self._known.get(relative)
        for part in reversed(below):  # downwards: what is in a folder that is out is not asked about
            known = self._known[part] = bool(known) or self._is_out(part)
        return bool(known)

    def by_default(self, folder: str, name: str) -> bool:
        """Whether a folder is noise that nobody publishes skills in."""
        noise = name in _NOISE or name.endswith(_BACKUP)
        if not noise and name in _FIXTURES:  # a skill may be about them
            noise = not os.path.lexists(os.path.join(folder, "SKILL.md"))
        elif not noise and name == "fixtures":
            above = os.path.relpath(os.path.dirname(folder), self.root).split(os.sep)
            noise = not _TESTS.isdisjoint(above)
        elif not noise and name in ("venv", "env", "virtualenv"):
            noise = os.path.isfile(os.path.join(folder, "pyvenv.cfg"))
        return noise and self.defaults_below(os.path.dirname(folder))

    def is_noise(self, place: str) -> bool:
        """Whether a path lies in a folder that is left out by default: for names that a hook passes, not a person."""
        folder = os.path.dirname(place)
        while folder.startswith(self._prefix):
            if self.by_default(folder, os.path.basename(folder)):
                return True
            folder = os.path.dirname(folder)
        return False

    def defaults_below(self, folder: str) -> bool:
        """Whether the default excludes count directly in ``folder``."""
        relative = self._relative(folder)
        return self.config.at("" if relative is None or relative == "." else relative).default_excludes

    def _relative(self, place: str) -> str | None:
        if place.startswith(self._prefix):
            relative = place[len(self._prefix) :]
            return relative.replace(os.sep, "/") if os.sep != "/" else relative
        return "." if place == self.root else None

    def _is_out(self, relative: str) -> bool:
        config = self.config.at(relative.rpartition("/")[0])
        return bool(config.exclude or config.also_exclude) and _matches(config, relative)


def _matches(config: Config, relative: str) -> bool:
    from plugin_eval_ci.config import below
    from plugin_eval_ci.config.globs import compile_glob

    inside = below(relative, config.folder)
    return any(compile_glob(glob).matches(inside) for glob in config.exclude) or any(
        compile_glob(glob).matches(relative) for glob in config.also_exclude
    )
