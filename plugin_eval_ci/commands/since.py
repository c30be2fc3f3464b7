"""``plugin-eval lint --base REF``: the changed skills, and only what is new."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from plugin_eval_ci import git
from plugin_eval_ci.commands.load_config import named_in, read_config, say
from plugin_eval_ci.config import Config, Overrides
from plugin_eval_ci.diff.changes import Settings, open_revision
from plugin_eval_ci.diff.classify import as_new, is_about_safety
from plugin_eval_ci.diff.settings import NAMES
from plugin_eval_ci.discover import repository_root
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.lint import baseline
from plugin_eval_ci.lint.evaluate import Evaluation, evaluate
from plugin_eval_ci.lint.suppress import folder_of
from plugin_eval_ci.model import CheckResult
from plugin_eval_ci.report.words import many
from plugin_eval_ci.util.multiset import multiset_difference

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource

ENTRY = "this change adds its baseline entry, which counts only after the merge"


class OfBase:
    """The configuration files of the base. If one cannot be read, its folder has the defaults."""

    def __init__(self, source: ConfigSource, default: Config) -> None:
        self._source = source
        self._default = default

    def at(self, folder: str) -> Config:
        """The configuration of a folder."""
        try:
            return self._source.at(folder)
        except UsageError:
            return self._default

    def for_score(self) -> OfBase:
        """The same files, of which only the excluded paths matter."""
        return OfBase(self._source.for_score(), self._default.for_score())


def settings_of(
    config: ConfigSource,
    root: str,
    config_file: str | None,
    isolated: bool,
    exclude: tuple[str, ...],
    more: Overrides = Overrides(),  # noqa: B008  # it is frozen
) -> Settings:
    """The configuration of a run, and how to read the same from the files of the base."""
    named = named_in(config_file, root)

    def at(then: str) -> ConfigSource:
        default = more._replace(exclude=exclude).on(Config())
        file = config_file if named is None else os.path.join(then, named)
        if named is not None and not os.path.isfile(os.path.join(then, named)):
            return default  # it came with the change
        try:
            return OfBase(read_config((then,), file, isolated, exclude, more), default)
        except UsageError:
            return default

    return Settings(config, at, named)


def config_of_base(
    config: ConfigSource,
    root: str,
    base: str,
    config_file: str | None,
    isolated: bool,
    exclude: tuple[str, ...],
    more: Overrides = Overrides(),  # noqa: B008  # it is frozen
) -> ConfigSource:
    """The configuration that judges a change: that of the base where the change alters it, with the options of this run.

    ``config`` itself where nothing is altered, or the base is not at hand.
    """
    named = named_in(config_file, root)
    try:
        start, end = git.commit_of(root, base), git.commit_of(root, "HEAD")
        start = git.merge_base(root, start, end) or start
        touched = {path for change in git.changes(root, start, None) for path in (change.old, change.new) if path}
        files = [path for path in touched if path == named or path.rpartition("/")[2] in NAMES]
        if isolated or not files or (config_file is not None and named not in files):
            return config
        places = [
            one.path for one in git.tree(root, start) if one.path == named or one.path.rpartition("/")[2] in NAMES
        ]
        texts = {path: git.file_at(root, start, path) for path in places}
    except (git.GitError, git.NotFetchedError):
        return config  # the run says so when it compares
    with tempfile.TemporaryDirectory(prefix="plugin-eval-") as folder:
        then = os.path.realpath(folder)
        os.mkdir(os.path.join(then, ".git"))
        for path, data in texts.items():
            os.makedirs(os.path.dirname(os.path.join(then, path)), exist_ok=True)
            with open(os.path.join(then, path), "wb") as stream:
                stream.write(data or b"")
        source = settings_of(config, root, config_file, isolated, exclude, more).at(then)
        return KnownConfig({folder_of(path): _moved(source.at(folder_of(path)), then, root) for path in ("", *places)})


def _moved(config: Config, then: str, root: str) -> Config:
    """``config`` with its baseline where the checkout has it."""
    if not config.baseline or not config.baseline.startswith(then + os.sep):
        return config
    return config._replace(baseline=os.path.join(root, os.path.relpath(config.baseline, then)))


class KnownConfig:
    """Configurations by folder; any other folder has that of the nearest one above."""

    def __init__(self, known: Mapping[str, Config]) -> None:
        self._known = known

    def at(self, folder: str) -> Config:
        """The configuration of a folder."""
        while folder and folder not in self._known:
            folder = folder_of(folder)
        return self._known[folder]

    def for_score(self) -> KnownConfig:
        """The same folders, read for where to look only."""
        return KnownConfig({folder: config.for_score() for folder, config in self._known.items()})


def for_score(settings: Settings) -> Settings:
    """The same files, of which only the excluded paths matter."""
    return settings._replace(config=settings.config.for_score(), at=lambda then: settings.at(then).for_score())


def evaluate_since(paths: tuple[str, ...], settings: Settings, base: str) -> Evaluation:
    """Lint what changed since ``base``, each finding marked new or old. Raises ``UsageError`` for an unknown revision."""
    try:
        with open_revision(paths, settings, base) as revision:
            changed, total = len(revision.changed), many(revision.total, "skill or agent", "skills and agents")
            old = sum(finding.state == "old" for finding in revision.after.checked.findings)
            fixed = f"; {many(len(revision.fixed), 'finding')} fixed" if revision.fixed else ""
            say(f"linting {changed:,} of {total} (base {revision.base[:12]}): {many(old, 'old finding')}{fixed}")
            return revision.after
    except git.GitError as error:
        root = repository_root(os.path.abspath(paths[0]))
        if os.path.lexists(os.path.join(root, ".git")) and not git.is_shallow(root):
            raise UsageError(f"--base {base}: {error}") from error  # mistyped: the whole history is here
        say(f"--base {base}: {error}; linting everything, and every finding counts as new")
        return evaluate(paths, settings.config)
    except git.NotFetchedError as error:
        say(f"--base {base}: {error}; linting everything without a comparison")
        return evaluate(paths, settings.config)


def only_new(evaluation: Evaluation) -> Evaluation:
    """The evaluation without the findings of the base."""
    findings = tuple(finding for finding in evaluation.checked.findings if finding.state != "old")
    return evaluation._replace(checked=evaluation.checked._replace(findings=findings))


def without_new_entries(checked: CheckResult, file: str, root: str, base: str) -> CheckResult:
    """The result with the safety findings that only new entries of ``file`` accept; those entries do not count yet."""
    mine = [one for one in checked.suppressed if one.cause == "baseline" and is_about_safety(one.finding)]
    path = os.path.relpath(os.path.realpath(file), os.path.realpath(root)).replace(os.sep, "/")
    if not mine or path.startswith("../"):
        return checked  # a file from elsewhere, which no change can reach
    approved = _approved_fingerprints(path, root, base)
    if approved is None:
        return checked
    back = multiset_difference(mine, approved, lambda one: one.finding.fingerprint)
    hidden = tuple(one for one in checked.suppressed if one not in back)
    shown = (*checked.findings, *(as_new(one.finding, ENTRY) for one in back))
    return checked._replace(findings=tuple(sorted(shown, key=lambda one: (one.path, one.line))), suppressed=hidden)


def _approved_fingerprints(path: str, root: str, base: str) -> Counter[str] | None:
    """How often the baseline of the base accepts each fingerprint; None if the base is unknown."""
    try:
        start = git.commit_of(root, base)
        start = git.merge_base(root, start, git.commit_of(root, "HEAD")) or start
    except git.GitError:
        return None
    data = git.file_at(root, start, path)
    try:
        return Counter(entry.fingerprint for entry in baseline.parse(data, path)) if data is not None else Counter()
    except UsageError:
        return Counter()
