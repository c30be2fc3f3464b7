"""A subject whose behaviour is known: how likely it chooses which skill for a prompt. So the truth is known that trials estimate.

::

    prompts, habits = plugin(Skills(), seed=1)           # five skills, labelled prompts, and how the subject takes each of them
    subject = Subject(habits, seed=1)
    await triggering.run(catalogue, prompts, settings, subject.ask)     # without a connection
    with subject.serving() as url: ...                                   # the same behind the Messages API, on loopback
    subject.others["trials:help"] = lambda asked: '{"better": "first"}'  # what it says to requests of other purposes

What it does depends on its seed, the prompt, the order of the list, and how often it was asked the same before; nothing else, so both
roads see the same subject, in whatever order requests come.
"""

from __future__ import annotations

import contextlib
import random
import re
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from fake_messages import Fail, FakeMessages, Say, Seen  # noqa: E402
from simulated_plugin import Act, Habit, Nature, act  # noqa: E402

from plugin_eval_ci.evals.llm.request import Failure, Outcome, Reply, Request, calls_in  # noqa: E402
from plugin_eval_ci.scoring.spending import Usage  # noqa: E402

CHARACTERS_A_TOKEN = 3.5
LISTED = re.compile(r"^- ([^\s]+?)(?:: .*)?$", re.MULTILINE)
FIRST_LOOK = "Let me look around first"


class Asked(NamedTuple):
    """A request of another purpose, as far as an answer needs it."""

    purpose: str
    model: str
    system: str
    prompt: str
    number: int  # how often the same was asked before


class Subject:
    """It answers requests: ``ask`` in this process, ``serving`` behind HTTP. Use a new one for each run: it counts what it was asked."""

    def __init__(
        self, habits: Mapping[str, Habit], nature: Nature | None = None, seed: int = 0, turns: int = 3
    ) -> None:
        self.habits, self.nature, self.seed, self.turns = habits, nature or Nature(), seed, turns
        self.others: dict[str, Callable[[Asked], str]] = {}
        self.asked = 0
        self._counts: Counter[str] = Counter()
        self._stumbled: set[str] = set()
        self._lock = threading.Lock()

    async def ask(self, request: Request, sample: int) -> Outcome:
        """As a client would answer."""
        system, user = "\n".join(one.text for one in request.system), [block.text for block in request.user]
        said = [str(block.get("text", "")) for turn in request.turns[:1] for block in turn.said]
        text, calls, stop = self._answer(
            request.purpose,
            request.model,
            system,
            user,
            said,
            len(request.turns),
            [tool.name for tool in request.tools],
        )
        usage = Usage(
            round(_characters(request) / CHARACTERS_A_TOKEN), round((len(text) + 40 * len(calls)) / CHARACTERS_A_TOKEN)
        )
        if stop == "refusal":
            return Failure("refusal", "the model declined", usage)
        blocks: list[dict[str, object]] = [{"type": "text", "text": text}] if text else []
        for number, (name, given) in enumerate(calls):
            blocks.append(
                {"type": "tool_use", "id": f"toolu_{self.asked}_{number}", "name": name, "input": dict(given)}
            )
        return Reply(text, None, usage, request.model, 0.0, calls=calls_in(blocks), blocks=tuple(blocks))

    @contextlib.contextmanager
    def serving(self) -> Iterator[str]:
        """The address of a Messages API on loopback that this subject is behind."""
        with FakeMessages(keep=False) as fake:
            fake.on(self._served)
            yield fake.url

    def _served(self, seen: Seen) -> Say | Fail:
        first = seen.body["messages"][0]["content"]
        user = [first] if isinstance(first, str) else [part.get("text", "") for part in first]
        said = [part.get("text", "") for message in seen.body["messages"][1:2] for part in message["content"]]
        if not seen.turn and self._stumbles("\n".join(user)):
            return Fail(529, "Overloaded", retry_after=0.0)
        tools = [tool["name"] for tool in seen.body.get("tools", ())]
        text, calls, stop = self._answer(seen.purpose, seen.model, seen.system, user, said, seen.turn, tools)
        return Say(text, stop=stop, calls=calls, usage=None)

    def _answer(
        self,
        purpose: str,
        model: str,
        system: str,
        user: Sequence[str],
        said: Sequence[str],
        turn: int,
        tools: Sequence[str],
    ) -> tuple[str, list[tuple[str, dict[str, object]]], str]:
        """Text, calls, and why it stopped."""
        with self._lock:
            self.asked += 1
        prefix = next((name for name in self.others if purpose.startswith(name)), None)
        if prefix is not None:
            asked = Asked(
                purpose, model, system, "\n".join(user), self._number("\n".join((purpose, model, system, *user)))
            )
            return self.others[prefix](asked), [], "end_turn"
        listing, prompt = "\n".join(user[:-1]) or system, user[-1]
        names = LISTED.findall(listing)
        number = (
            self._number(f"{prompt}\n{listing}") if not turn else int("".join(said).partition("[")[2].partition("]")[0])
        )
        done = self._act(prompt, names, number, len(tools) > 1)
        if turn < done.looks:
            return f"{FIRST_LOOK} [{number}].", [("Bash", {"command": "ls"})], "end_turn"
        if done.result == "refusal":
            return "", [], "refusal"
        if done.result == "answered":
            return "Done.", [], "end_turn"
        chosen = done.chosen or ("no-such-skill",)
        return "", [("Skill", {"skill": name}) for name in chosen], "end_turn"

    def _act(self, prompt: str, names: Sequence[str], number: int, others: bool) -> Act:
        habit = self.habits.get(prompt) or self._named(prompt, names)
        place = None
        if habit.chances and habit.chances[0][0] in names:
            place = names.index(habit.chances[0][0]) / max(1, len(names) - 1)
        nature = self.nature if others else self.nature._replace(looks=0.0)
        return act(habit, nature, place, self.turns, f"{self.seed}\n{prompt}\n{','.join(names)}\n{number}")

    def _named(self, prompt: str, names: Sequence[str]) -> Habit:
        """A prompt that names a skill gets that skill; one that it does not know, none."""
        return Habit(tuple((name, 1.0) for name in sorted(names, key=len, reverse=True) if name in prompt)[:1])

    def _number(self, key: str) -> int:
        with self._lock:
            self._counts[key] += 1
            return self._counts[key] - 1

    def _stumbles(self, key: str) -> bool:
        with self._lock:
            if key in self._stumbled or random.Random(f"{self.seed} stumbles {key}").random() >= self.nature.stumbles:
                return False
            self._stumbled.add(key)
            return True


def _characters(request: Request) -> int:
    tools = sum(len(tool.name) + len(tool.description) + len(str(tool.schema)) for tool in request.tools)
    turns = sum(len(str(block)) for turn in request.turns for block in (*turn.said, *turn.results))
    return tools + turns + sum(len(block.text) for block in (*request.system, *request.user))
