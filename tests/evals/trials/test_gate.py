"""The decision of the gate: three verdicts, by clusters, and nothing that a better record could lose."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence

import pytest

from plugin_eval_ci.evals.llm.request import Ask, Outcome, Request
from plugin_eval_ci.evals.trials.catalogue import Catalogue
from plugin_eval_ci.evals.trials.gate.decision import (
    MARGIN,
    Decision,
    accuracies,
    correct_together,
    paired_trials,
    verdict_of,
)
from plugin_eval_ci.evals.trials.gate.run import GatePlan, decide_skill, run_field
from plugin_eval_ci.evals.trials.gate.sides import Pair
from plugin_eval_ci.evals.trials.values import Labels, Prompt, Result, Settings, Trial

ORDER = ("regression", "inconclusive", "fine")


def sides(differences: list[float], base: float = 1.0) -> tuple[dict[str, float], dict[str, float]]:
    names = [f"p{number:03}" for number in range(len(differences))]
    return dict.fromkeys(names, base), {name: base + one for name, one in zip(names, differences, strict=True)}


def decide(base: dict[str, float], head: dict[str, float], margin: float = MARGIN) -> Decision:
    return verdict_of([head[name] - base[name] for name in sorted(base.keys() & head.keys())], margin)


def test_every_prompt_that_was_right_is_now_wrong() -> None:
    found = decide(*sides([-1.0] * 10))
    assert (found.verdict, found.difference, found.clusters) == ("regression", -1.0, 10)
    assert found.high == -1.0
    assert found.p <= 2**-10 * 1.01


def test_nothing_changed_and_there_are_enough_to_say_so() -> None:
    assert decide(*sides([0.0] * 60)).verdict == "fine"


@pytest.mark.parametrize("count", [8, 20, 40])
def test_no_spread_is_no_evidence(count: int) -> None:
    """The interval of equal differences would have no width; forty prompts cannot rule out that one in sixteen of others is lost."""
    found = decide(*sides([0.0] * count))
    assert found.verdict == "inconclusive"
    assert found.low < -0.05
    assert (found.detectable, found.needed) == (None, None)


@pytest.mark.parametrize("spread", [0.2, 0.45])
def test_with_so_many_clusters_twice_the_margin_is_seen(spread: float) -> None:
    """As many of the same spread as are said to be needed can see a fall of twice the margin, and hardly fewer."""

    def seen(count: int) -> float | None:
        return decide(*sides([spread, -spread] * (count // 2))).detectable

    needed = decide(*sides([spread, -spread] * 10)).needed
    assert needed is not None and needed > 20
    assert seen(needed + needed % 2 + 2) <= 0.1 < seen(needed - 6)  # type: ignore[operator]


@pytest.mark.parametrize("count", [0, 1, 7])
def test_too_few_clusters(count: int) -> None:
    found = decide(*sides([-1.0] * count))
    assert found.verdict == "inconclusive"
    assert found.why


def test_a_fall_below_the_margin_is_no_regression() -> None:
    found = decide(*sides([-0.02] * 40))
    assert found.high < 0
    assert found.verdict != "regression"
    assert decide(*sides([-0.02] * 40), margin=0.01).verdict == "regression"


def test_one_prompt_lost_of_ten_is_no_proof() -> None:
    assert decide(*sides([-1.0] + [0.0] * 9)).verdict == "inconclusive"


def test_only_clusters_of_both_sides_count() -> None:
    base, head = sides([-1.0] * 10)
    assert decide(base, {name: head[name] for name in list(head)[:7]}).clusters == 7


@pytest.mark.parametrize("size", [8, 12, 40, 70])
def test_a_better_record_never_gets_a_worse_verdict(size: int) -> None:
    draw, seen = random.Random(size), set()
    for _ in range(150):
        shift = draw.choice((-0.5, -0.2, 0.0, 0.1))
        some = [max(-1.0, min(1.0, round(draw.gauss(shift, draw.choice((0.05, 0.3))) * 3) / 3)) for _ in range(size)]
        place = draw.randrange(size)
        better = [*some[:place], min(1.0, some[place] + draw.choice((1 / 3, 1.0))), *some[place + 1 :]]
        one, other = verdict_of(some), verdict_of(better)
        assert ORDER.index(other.verdict) >= ORDER.index(one.verdict), (some, better)
        seen |= {one.verdict, other.verdict}
    assert {"regression", "inconclusive"} <= seen


def test_the_order_in_which_results_came_does_not_count() -> None:
    draw = random.Random(1)
    base, head = sides([draw.gauss(-0.1, 0.2) for _ in range(30)])
    names = list(base)
    draw.shuffle(names)
    assert decide({n: base[n] for n in names}, {n: head[n] for n in reversed(names)}) == decide(base, head)


def decision(p: float) -> Decision:
    return Decision("regression", -0.2, -0.4, -0.01, p, 20, 0.1, "it fell")


def test_among_many_skills_a_regression_must_hold_against_chance() -> None:
    alone = correct_together({"a": decision(0.03)})
    assert alone["a"].verdict == "regression"
    many = correct_together({"a": decision(0.03)} | {f"b{n}": decision(0.9)._replace(verdict="fine") for n in range(9)})
    assert many["a"].verdict == "inconclusive"
    assert many["a"].p == pytest.approx(0.3)
    assert {many[f"b{n}"].verdict for n in range(9)} == {"fine"}
    all_fell = correct_together({f"b{n}": decision(0.03) for n in range(10)})
    assert {one.verdict for one in all_fell.values()} == {"regression"}


def test_neighbours_do_not_hide_the_skill_that_was_edited() -> None:
    still = {f"b{n}": decision(0.9)._replace(verdict="fine") for n in range(4)}
    together = {"a": decision(0.02)} | still
    assert correct_together(together)["a"].verdict == "inconclusive"
    told = correct_together(together, {"a"})
    assert told["a"].verdict == "regression" and told["a"].p == pytest.approx(0.04)
    assert (
        correct_together({"a": decision(0.03)} | still, {"a"})["a"].verdict == "inconclusive"
    )  # half is kept for the others
    assert correct_together({"a": decision(0.03)}, {"a"})["a"].p == pytest.approx(0.03)
    others = correct_together({"a": decision(0.9), "b0": decision(0.02)}, {"a"})
    assert others["b0"].verdict == "regression"


def test_among_unmoved_skills_the_alarms_stay_within_alpha() -> None:
    draw = random.Random(7)
    alarms = 0
    for _ in range(4_000):
        found = correct_together({f"b{n}": decision(draw.random()) for n in range(6)}, {"b0"})
        alarms += any(one.verdict == "regression" for one in found.values())
    assert alarms / 4_000 < 0.06


def test_the_correction_is_scipys() -> None:
    from scipy.stats import false_discovery_control

    draw = random.Random(2)
    ps = [draw.random() ** 3 for _ in range(12)]
    found = correct_together({f"s{n:02}": decision(p) for n, p in enumerate(ps)})
    assert [one.p for one in found.values()] == pytest.approx(list(false_discovery_control(ps)))


def trial(
    number: int, run: int, result: Result, chosen: tuple[str, ...] = (), family: str = "", home: str = "a"
) -> Trial:
    return Trial(Prompt(f"p{number}", "text", home, ("a",), family=family), run, result, chosen)


def test_accuracy_is_by_cluster_and_leaves_out_what_says_nothing() -> None:
    trials = [
        trial(1, 0, "chose", ("a",)),
        trial(1, 1, "answered"),
        trial(1, 2, "timeout"),
        trial(2, 0, "chose", ("a",), family="f"),
        trial(2, 1, "chose", ("a",), family="f"),
        trial(3, 0, "chose", ("b",), family="f"),
        trial(4, 0, "refusal"),
        trial(5, 0, "answered", home="b"),
    ]
    assert accuracies(trials, "a") == {"a/p1": 0.5, "a/f": 0.5}
    assert accuracies(list(reversed(trials)), "a") == accuracies(trials, "a")


def test_a_prompt_that_one_side_lost_to_an_outage_is_left_out_of_both() -> None:
    base = [trial(1, 0, "chose", ("a",), family="f"), trial(2, 0, "answered", family="f")]
    head = [trial(1, 0, "chose", ("a",), family="f"), trial(2, 0, "infra_error", family="f")]
    one, other = paired_trials(base, head)
    assert accuracies(one, "a") == accuracies(other, "a") == {"a/f": 1.0}


SETTINGS = Settings(runs=3)


class Simulated:
    """Clusters whose true rates are drawn; ``tried`` asks it in place of a model, so no list is needed."""

    def __init__(self, seed: int, drop: float, count: int = 60) -> None:
        self._draw = random.Random(seed)
        self._rates = {f"p{number}": self._draw.betavariate(2.7, 0.3) for number in range(count)}
        self.drop, self.asked = drop, 0
        prompts = tuple(Prompt(name, "text", "a", ("a",)) for name in self._rates)
        self.labels = Labels("a", "f", "d", prompts)

    def trials(self, prompts: Sequence[Prompt], drop: float) -> tuple[Trial, ...]:
        self.asked += 3 * len(prompts)
        right = [
            (one, run, self._draw.random() < self._rates[one.id] * (1 - drop)) for one in prompts for run in range(3)
        ]
        return tuple(Trial(one, run, "chose" if yes else "answered", ("a",) if yes else ()) for one, run, yes in right)

    async def base(self, _: Pair, prompts: Sequence[Prompt]) -> tuple[Trial, ...]:
        return self.trials(prompts, 0.0)

    async def run(self, _: Catalogue, prompts: Sequence[Prompt], __: Settings, ___: Ask) -> tuple[Trial, ...]:
        return self.trials(prompts, self.drop)


async def nobody(_: Request, __: int) -> Outcome:
    raise AssertionError("nothing is asked")


def decided_early(seed: int, drop: float) -> tuple[str, int]:
    """The verdict with early stop, and the trials that were made."""
    nothing = Catalogue((), (), (), ())
    one = Simulated(seed, drop)
    pair = Pair("x", (), {}, nothing, nothing, {"a": "a"}, (), ())
    plan = GatePlan(early=True)
    settings = SETTINGS._replace(seed=seed)
    done = asyncio.run(run_field(pair, [one.labels], settings, one.base, (one.run, nobody), plan))
    return decide_skill("a", done, plan).verdict, one.asked


def test_looking_early_raises_no_more_false_alarms_than_promised() -> None:
    verdicts = [decided_early(seed, 0.0)[0] for seed in range(200)]
    assert verdicts.count("regression") <= 0.05 * 200 + 3 * (0.05 * 0.95 * 200) ** 0.5
    assert "fine" in verdicts


def test_looking_early_saves_trials_where_much_is_lost() -> None:
    found = [decided_early(seed, 0.6) for seed in range(30)]
    assert {verdict for verdict, _ in found} == {"regression"}
    assert sum(asked for _, asked in found) < 0.6 * 30 * 2 * 3 * 60
