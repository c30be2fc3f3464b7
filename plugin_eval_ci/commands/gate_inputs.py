"""``gate``'s inputs: both revisions, and the JSON of an earlier gate, which is checked as it may be anybody's file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci import SCHEMA_VERSION, git
from plugin_eval_ci.analysis import resolve
from plugin_eval_ci.commands.json_input import json_of
from plugin_eval_ci.discover import find_targets, repository_root
from plugin_eval_ci.errors import UsageError, not_found, not_output_of
from plugin_eval_ci.evals.trials.gate.run import placeholder_trial
from plugin_eval_ci.evals.trials.gate.sides import Pair, RevisionSkills
from plugin_eval_ci.evals.trials.method import Method, differences
from plugin_eval_ci.evals.trials.values import Prompt, Trial
from plugin_eval_ci.git import snapshot
from plugin_eval_ci.parse.documents import is_inside, parse_skill
from plugin_eval_ci.util.json_values import DamagedError, Json, as_list, as_object, as_text

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource

_MOST = 64 << 20  # bytes
_MOST_RUNS = 1_000


class StoredGate(NamedTuple):
    """The head of an earlier gate. ``digests``: of each listing; ``rights``: right answers by skill and prompt."""

    file: str
    method: Method
    digests: Mapping[str, str]
    rights: Mapping[tuple[str, str], tuple[bool, ...]]

    def refused(self, method: Method, pairs: Sequence[Pair]) -> tuple[str, ...]:
        """Why it is not the result of this base, one sentence for each reason."""
        wanted = {name for name, _ in method.parts}
        shared = tuple(one for one in self.method.parts if one[0] in wanted or not one[0].startswith("labels:"))
        said = list(differences(Method(self.method.digest, shared), method))
        for pair in pairs:
            known = self.digests.get(pair.place)
            if known is None:
                said.append(f"it has no result for {pair.place}")
            elif known != pair.base.digest:
                said.append(f"its names and descriptions in {pair.place} differ from the base")
        labelled, tested = {name for name, _ in self.method.parts}, {skill for skill, _ in self.rights}
        old = sorted({name for pair in pairs for name in pair.then.values()})
        said += [f"it has no prompts for {name}" for name in old if f"labels:{name}" in labelled and name not in tested]
        return tuple(said)

    async def trials(self, pair: Pair, prompts: Sequence[Prompt]) -> tuple[Trial, ...]:
        """The trials of the base, under the names of the head."""
        known = [(one, self.rights.get((pair.then[one.home], one.id), ())) for one in prompts if one.home in pair.then]
        return tuple(placeholder_trial(one, run, right) for one, rights in known for run, right in enumerate(rights))


def read_gate(file: str) -> StoredGate:
    """The result in ``file``. Raises ``UsageError`` for a file of another kind."""
    try:
        return _gate_of(file, as_object(json_of(file, _MOST), "the document"))
    except DamagedError as error:
        raise UsageError(not_output_of(f"--base-result {file}", str(error), "gate")) from None


def _gate_of(file: str, document: Json) -> StoredGate:
    if document.get("schema_version") != SCHEMA_VERSION:
        raise DamagedError(f"schema_version must be {SCHEMA_VERSION}")
    method = as_object(document.get("method"), "method")
    parts = as_object(method.get("parts"), "method.parts")
    named = tuple(sorted((name, as_text(value, f"method.parts.{name}")) for name, value in parts.items()))
    fields = [as_object(one, "fields[]") for one in as_list(document.get("fields"), "fields")]
    if not named or not fields:
        raise DamagedError("method or fields missing")
    rights: dict[tuple[str, str], tuple[bool, ...]] = {}
    for value in as_list(document.get("skills"), "skills"):
        row = as_object(value, "skills[]")
        skill = as_text(row.get("skill"), "skills[].skill")
        for prompt in as_list(row.get("prompts"), "skills[].prompts"):
            one = as_object(prompt, "skills[].prompts[]")
            rights[skill, as_text(one.get("id"), "id")] = _rights(one.get("head"))
    digests = {as_text(one.get("place"), "place"): as_text(one.get("head"), "head") for one in fields}
    return StoredGate(file, Method(as_text(method.get("digest"), "method.digest"), named), digests, rights)


def _rights(value: object) -> tuple[bool, ...]:
    given = as_list(value, "skills[].prompts[].head")
    if len(given) > _MOST_RUNS or any(one not in (0, 1) for one in given):
        raise DamagedError("skills[].prompts[].head must hold only 0 and 1")
    return tuple(bool(one) for one in given)


_READ = (".json", ".yaml", ".yml", ".md", ".markdown")


class Sides(NamedTuple):
    """Both revisions. ``base`` is None without one; ``named`` are the reported paths in question; ``renamed`` maps new to old paths."""

    base: RevisionSkills | None
    head: RevisionSkills
    commits: tuple[str | None, str | None]
    named: frozenset[str]
    renamed: Mapping[str, str]


@contextmanager
def sides_of(paths: tuple[str, ...], config: ConfigSource, base: str | None, head: str | None) -> Iterator[Sides]:
    """Read both revisions; their files exist while the context lasts. The base is its common ancestor with the head.

    Raises ``UsageError`` for an unknown revision, and for a path that does not exist or holds no skill.
    """
    for path in paths:
        if head is None and not os.path.lexists(path):
            raise UsageError(not_found(path))
    root = repository_root(os.path.abspath(paths[0]))
    with ExitStack() as stack:
        start, renamed, end = None, {}, None
        if head is not None or base is not None:
            end = _commit(root, head or "HEAD", "--head" if head else "--base")
        if base is not None and end is not None:
            named = _commit(root, base, "--base")
            start = git.merge_base(root, named, end) or named
            changes = git.changes(root, start, end if head else None)
            renamed = {c.new: c.old for c in changes if c.old and c.new and c.old != c.new}
        now = stack.enter_context(snapshot(root, end, _is_read)) if head and end else root
        then = stack.enter_context(snapshot(root, start, _is_read)) if start else None
        after = _skills_at(now, config)
        wanted = frozenset(
            skill.source.path
            for skill in after.skills
            if any(
                is_inside(os.path.join(root, skill.source.path), os.path.abspath(path)) for path in _folders_of(paths)
            )
        )
        if not wanted:
            raise UsageError(f"{', '.join(paths)}: no skills found here")
        yield Sides(_skills_at(then, config) if then else None, after, (start, end if head else None), wanted, renamed)
        resolve.forget()


def _commit(root: str, revision: str, option: str) -> str:
    """The commit. Raises ``UsageError`` that names the option."""
    try:
        return git.commit_of(root, revision)
    except git.GitError as error:
        raise UsageError(f"{option} {revision}: {error}") from None


def _folders_of(paths: tuple[str, ...]) -> list[str]:
    """The folders of the paths; a file stands for its folder."""
    return [
        path if os.path.isdir(path) or not os.path.lexists(path) else os.path.dirname(path) or "." for path in paths
    ]


def _skills_at(folder: str, config: ConfigSource) -> RevisionSkills:
    resolve.forget()
    found = find_targets((folder,), config)
    skills = tuple(parse_skill(where) for where in found.skills)
    return RevisionSkills(skills, {place.directory: place.name for place in found.plugins})


def _is_read(path: str) -> bool:
    """Whether a file may belong to a listing or its labels."""
    return path.lower().endswith(_READ)
