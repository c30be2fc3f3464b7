"""Trials by hand."""

from __future__ import annotations

from plugin_eval_ci.evals.trials.values import Prompt, Trial

A, B, C = "p:a", "p:b", "p:c"


def prompt(name: str, *expect: str, home: str = A, family: str = "") -> Prompt:
    return Prompt(name, f"text of {name}", home, tuple(sorted(expect)), family=family)


def tried(one: Prompt, *runs: str, position: int | None = None) -> list[Trial]:
    """Runs by what they chose: names of skills, ``-`` for none, or the kind of a failure."""
    trials = []
    for number, what in enumerate(runs):
        chosen = tuple(sorted(what.split("+"))) if ":" in what else ()
        result = "chose" if chosen else {"-": "answered"}.get(what, what)
        trials.append(Trial(one, number, result, chosen, position=position, listed=9))
    return trials


def field() -> list[Trial]:
    return [
        *tried(prompt("1", A), A, A, A),
        *tried(prompt("2", A), A, B, "-"),
        *tried(prompt("3"), "-", A, "-"),
        *tried(prompt("4"), "-", "-", "other_tools"),
        *tried(prompt("5", B, home=B), B, B, A),
        *tried(prompt("6", home=B), A, A, A),  # a sibling's prompt for no skill was not written about this one
    ]
