"""``--base-result``: an earlier gate's JSON in place of trials of the base. It may be anybody's file: every type is checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from plugin_eval_ci import SCHEMA_VERSION
from plugin_eval_ci.commands.given import json_of
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.json_values import DamagedError, Json, as_list, as_object, as_text
from plugin_eval_ci.trials.gate_rows import stand_in
from plugin_eval_ci.trials.method import Method, differences
from plugin_eval_ci.trials.sides import Pair
from plugin_eval_ci.trials.values import Prompt, Trial

_MOST = 64 << 20  # bytes
_MOST_RUNS = 1_000


class Stored(NamedTuple):
    """The head of an earlier gate. ``digests``: of what each field showed; ``rights``: by skill and prompt."""

    file: str
    method: Method
    digests: Mapping[str, str]
    rights: Mapping[tuple[str, str], tuple[bool, ...]]

    def refused(self, method: Method, pairs: Sequence[Pair]) -> tuple[str, ...]:
        """Why it is not the base of these fields, one sentence each."""
        wanted = {name for name, _ in method.parts}
        shared = tuple(one for one in self.method.parts if one[0] in wanted or not one[0].startswith("labels:"))
        said = list(differences(Method(self.method.digest, shared), method))
        for pair in pairs:
            known = self.digests.get(pair.place)
            if known is None:
                said.append(f"it does not hold {pair.place}")
            elif known != pair.base.digest:
                said.append(f"it showed other names and descriptions in {pair.place} than the base has")
        labelled, tried = {name for name, _ in self.method.parts}, {skill for skill, _ in self.rights}
        old = sorted({name for pair in pairs for name in pair.then.values()})
        said += [f"it holds no prompts of {name}" for name in old if f"labels:{name}" in labelled and name not in tried]
        return tuple(said)

    async def trials(self, pair: Pair, prompts: Sequence[Prompt]) -> tuple[Trial, ...]:
        """Trials of the base by the names of the head."""
        known = [(one, self.rights.get((pair.then[one.home], one.id), ())) for one in prompts if one.home in pair.then]
        return tuple(stand_in(one, run, right) for one, rights in known for run, right in enumerate(rights))


def read(file: str) -> Stored:
    """The file. Raises ``UsageError`` for one that is no such result."""
    try:
        return _stored(file, as_object(json_of(file, _MOST), "the document"))
    except DamagedError as error:
        raise UsageError(f"{file}: is no result of `plugin-eval gate --output json`: {error}") from None


def _stored(file: str, document: Json) -> Stored:
    if document.get("schema_version") != SCHEMA_VERSION:
        raise DamagedError(f"schema_version must be {SCHEMA_VERSION}")
    method = as_object(document.get("method"), "method")
    parts = as_object(method.get("parts"), "method.parts")
    named = tuple(sorted((name, as_text(value, f"method.parts.{name}")) for name, value in parts.items()))
    fields = [as_object(one, "fields[]") for one in as_list(document.get("fields"), "fields")]
    if not named or not fields:
        raise DamagedError("method or fields are missing")
    rights: dict[tuple[str, str], tuple[bool, ...]] = {}
    for value in as_list(document.get("skills"), "skills"):
        row = as_object(value, "skills[]")
        skill = as_text(row.get("skill"), "skills[].skill")
        for prompt in as_list(row.get("prompts"), "skills[].prompts"):
            one = as_object(prompt, "skills[].prompts[]")
            rights[skill, as_text(one.get("id"), "id")] = _rights(one.get("head"))
    digests = {as_text(one.get("place"), "place"): as_text(one.get("head"), "head") for one in fields}
    return Stored(file, Method(as_text(method.get("digest"), "method.digest"), named), digests, rights)


def _rights(value: object) -> tuple[bool, ...]:
    given = as_list(value, "skills[].prompts[].head")
    if len(given) > _MOST_RUNS or any(one not in (0, 1) for one in given):
        raise DamagedError("skills[].prompts[].head holds only 0 and 1")
    return tuple(bool(one) for one in given)
