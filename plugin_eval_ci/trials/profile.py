"""How skills are shown to the model that is tried: persona, tools, the words around the list. Data with a name and a hash.

The structure is that of a coding agent, the sentences are ours. Another wording is another profile, whose results are not compared.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from plugin_eval_ci.ask import Effort, Tool
from plugin_eval_ci.budget import Entry
from plugin_eval_ci.trials.values import Mode

DEFAULT = "claude-code-2.1"
_FOLDER = os.path.join(os.path.dirname(__file__), "data")


class Profile(NamedTuple):
    """``tools`` stand beside the skill tool; ``answers`` are what they say, by kind. ``digest``: of all of it."""

    name: str
    digest: str
    root: str  # the working directory that the model is told of
    max_tokens: int
    likely: int  # tokens of an answer, for estimates
    persona: str
    before: str
    after: str
    skill: Tool
    tools: tuple[Tool, ...]
    answers: Mapping[str, str]
    efforts: Mapping[str, Effort]
    router: Mapping[str, str]
    asked_for: str  # a prompt that names a skill

    def listing(self, entries: Iterable[Entry]) -> str:
        """The list as the model sees it."""
        return self.before + "\n".join(entry.line for entry in entries) + self.after

    def offered(self, mode: Mode) -> tuple[Tool, ...]:
        """The tools of a mode, the skill tool first."""
        return {"agentic": (self.skill, *self.tools), "lean": (self.skill,), "router": ()}[mode]


@cache
def profile(name: str = DEFAULT) -> Profile:
    """A profile as it is shipped."""
    with open(os.path.join(_FOLDER, f"{name}.json"), "rb") as stream:
        content = stream.read()
    data = json.loads(content)
    return Profile(
        data["name"],
        hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16],
        data["root"],
        data["max_tokens"],
        data["likely"],
        data["persona"].replace("{root}", data["root"]),
        data["listing"]["before"],
        data["listing"]["after"],
        _tool(data["skill_tool"]),
        tuple(_tool(one) for one in data["tools"]),
        data["answers"],
        data["effort"],
        data["router"],
        data["control"],
    )


def _tool(data: Mapping[str, object]) -> Tool:
    schema = data["schema"]
    if not isinstance(schema, dict):
        raise TypeError(f"{data['name']}: its schema is no object")
    return Tool(str(data["name"]), str(data["description"]), schema)
