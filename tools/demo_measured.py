"""Record the cassettes of examples/measured: simulated models with known habits behind the Messages API, on loopback.

Usage: python tools/demo_measured.py [FOLDER]     (writes FOLDER/cassettes, examples/measured by default)

No real model is asked, and nothing here says how one would answer. The habits are set below: one skill takes prompts of another, help is
worth something for some skills and less for others, and the controls are told apart.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools"), str(ROOT / "tests")]

from simulated_plugin import Act, Habit, Nature  # noqa: E402
from simulated_subject import LISTED, Asked, Subject  # noqa: E402

EXAMPLE = ROOT / "examples" / "measured"
CONTROLS = ROOT / "plugin_eval_ci" / "evals" / "trials" / "data" / "controls"
EMPTY = "Helps with everyday work"  # how the description of the empty control begins
PLUGIN = "river-watch"
DAY = "2026-11-30"
# How often a skill is chosen for prompts that it is right for, who takes what it loses, and how often it is chosen when it is wrong.
CHOSEN = {
    "visit-log": (0.92, "", 0.04),
    "station-report": (0.55, "trend-brief", 0.03),
    "trend-brief": (0.95, "", 0.14),
    "limit-notice": (0.88, "", 0.02),
    "probe-calibration": (0.80, "", 0.05),
}
# How often an answer is right with the skill and without it.
RIGHT = {
    "visit-log": (0.95, 0.10),
    "station-report": (0.85, 0.20),
    "trend-brief": (0.60, 0.50),
    "limit-notice": (0.90, 0.15),
    "probe-calibration": (0.75, 0.35),
    "dock-labels": (0.95, 0.05),
}
SCORES = (0.5, 0.75, 0.75, 1.0)  # of a panel about a skill with content
NATURE = Nature(place=0.6, looks=0.35)
_TASK = re.compile(r"<task>\n(.*?)\n</task>", re.DOTALL)
_ANSWERS = re.compile(r"<answer_(first|second)>\n(.*?)\n</answer_", re.DOTALL)


class Rehearsed(Subject):
    """Answers about the example and the controls. A skill whose description says nothing is not chosen."""

    def __init__(self, folder: Path) -> None:
        prompts, self.tasks = material(folder)
        super().__init__(prompts, NATURE, seed=7)
        self._weak: frozenset[str] = frozenset()
        self.others = {"help:grade": self.grade, "help:": self.work, "judge:": self.judge}

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
        listing = "\n".join(user[:-1]) or system
        self._weak = frozenset(match[1] for match in LISTED.finditer(listing) if EMPTY in match[0])
        return super()._answer(purpose, model, system, user, said, turn, tools)

    def _act(self, prompt: str, names: Sequence[str], number: int, others: bool) -> Act:
        habit = self.habits.get(prompt)
        if habit is not None and any(name in self._weak for name, _ in habit.chances):
            kept = self.habits
            self.habits = {**kept, prompt: Habit(tuple(one for one in habit.chances if one[0] not in self._weak))}
            try:
                return super()._act(prompt, names, number, others)
            finally:
                self.habits = kept
        return super()._act(prompt, names, number, others)

    def work(self, asked: Asked) -> str:
        """The expected words with the set chance, else an answer that misses them."""
        task = next((one for one in self.tasks if one[1] in asked.prompt), None)
        if task is None:
            return "Done."
        skill, text, expected = task
        loaded = asked.purpose == "help:with" and "structured way" not in asked.prompt
        right = _chance(asked, text) < RIGHT[skill][0 if loaded else 1]
        told = " and ".join(expected) if right else "I would need to know how your group writes this down."
        return f"Here is the result, as asked: {told}" + ("" if right else " Here is a general suggestion instead.")

    def grade(self, asked: Asked) -> str:
        """The answer that holds what is expected; a tie where both do or neither does."""
        found = _TASK.search(asked.prompt)
        shown = "" if found is None else _plain(found[1])
        expected = next((one[2] for one in self.tasks if _plain(one[1]) in shown), ())
        answers = {name: _plain(text) for name, text in _ANSWERS.findall(asked.prompt)}
        good = {name: all(word in text for word in expected) for name, text in answers.items()}
        if good.get("first") == good.get("second"):
            return json.dumps({"reason": "Both say the same of what is expected.", "quotes": [], "verdict": "tie"})
        better = "first" if good["first"] else "second"
        quote = {"answer": better, "text": answers[better][:60]}
        return json.dumps({"reason": "It alone has what is expected.", "quotes": [quote], "verdict": better})

    def judge(self, asked: Asked) -> str:
        """Scores about a skill with content; low ones about one without."""
        hollow = EMPTY in asked.system or "structured way" in asked.system
        dimension, key = asked.purpose.partition(":")[2], asked.system
        if dimension == "triggering_accuracy":
            misses = 4 if hollow else int(_chance(asked, key) * 2)
            rows = [
                {"message": f"message {n} of a user", "intended": n < 5, "chosen": (n < 5) != (n < misses)}
                for n in range(10)
            ]
            return json.dumps({"predictions": rows, "f1": 2 * (5 - misses) / (10 - misses)})
        score = 0.25 if hollow else SCORES[int(_chance(asked, key) * len(SCORES))]
        if dimension == "output_quality":
            said = "An imagined result, rated by a simulation."
            return json.dumps({"tasks": [{"task": f"task {n}", "reason": said, "score": score} for n in (1, 2, 3)]})
        lines = [
            line[2:].strip() for line in asked.system.split("\n") if line.startswith("| ") and len(line.split()) > 5
        ]
        quotes = [lines[len(lines) // 2]] if lines else []
        return json.dumps({"reason": "A simulated opinion about what stands there.", "quotes": quotes, "score": score})


def material(folder: Path) -> tuple[dict[str, Habit], list[tuple[str, str, tuple[str, ...]]]]:
    """The habits for every prompt, and every task with its skill and what a right answer holds."""
    habits: dict[str, Habit] = {}
    tasks = []
    for skill in sorted((folder / "skills").iterdir()):
        recall, thief, wrong = CHOSEN[skill.name]
        own = f"{PLUGIN}:{skill.name}"
        labels = yaml.safe_load((skill / "evals" / "triggers.yaml").read_text(encoding="utf-8"))
        for row in labels["prompts"]:
            draw = random.Random(row["prompt"])
            if row["expect"] == "target":
                chance = min(1.0, max(0.0, recall + draw.uniform(-0.2, 0.2)))
                taken = ((f"{PLUGIN}:{thief}", 0.85 * (1 - chance)),) if thief else ()
                habits[row["prompt"]] = Habit(((own, chance), *taken))
            else:
                chance = wrong * draw.choice((0, 0, 1, 3)) if row["kind"] == "near_miss" else 0.0
                habits[row["prompt"]] = Habit(((own, min(1.0, chance)),))
        for one in json.loads((skill / "evals" / "evals.json").read_text(encoding="utf-8"))["evals"]:
            tasks.append((skill.name, one["prompt"], tuple(one["assertions"][0]["values"])))
    control = CONTROLS / "good" / "dock-labels" / "evals"
    for row in yaml.safe_load((control / "triggers.yaml").read_text(encoding="utf-8"))["prompts"]:
        habits[row["prompt"]] = Habit((("dock-labels", 1.0),) if row["expect"] == "target" else ())
    for one in json.loads((control / "evals.json").read_text(encoding="utf-8"))["evals"]:
        tasks.append(("dock-labels", one["prompt"], (one["expected_output"].split(",")[0],)))
    return habits, tasks


def record(folder: Path = EXAMPLE) -> str:
    """Make the cassettes anew; what the report says as text."""
    shutil.rmtree(folder / "cassettes", ignore_errors=True)
    with Rehearsed(folder).serving() as url:
        more = {
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": "sk-ant-simulated",
            "PLUGIN_EVAL_CACHE": str(folder / "cassettes" / "none"),
        }
        words = ["--cassette", "cassettes", "--record", "--concurrency", "20", "--output", "text"]
        text = score(folder, words, more)
    shutil.rmtree(folder / "cassettes" / "none", ignore_errors=True)
    return text


def score(folder: Path, words: Sequence[str], more: Mapping[str, str] | None = None) -> str:
    """``plugin-eval score . --depth measured`` there."""
    command = [sys.executable, "-P", "-m", "plugin_eval_ci", "score", ".", "--depth", "measured", "--date", DAY, *words]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100", **(more or {})}
    done = subprocess.run(command, cwd=folder, env=env, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(done.returncode)
    return done.stdout


def _chance(asked: Asked, key: str) -> float:
    return random.Random(f"{asked.purpose}\n{asked.model}\n{key}\n{asked.number}").random()


def _plain(text: str) -> str:
    return " ".join(word for line in text.split("\n") for word in line.removeprefix("| ").split())


if __name__ == "__main__":
    print(record(Path(sys.argv[1]) if len(sys.argv) > 1 else EXAMPLE))
