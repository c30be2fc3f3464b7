"""One conversation, and many: what ends a trial, what it is called, and that no order changes anything."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import Callable

import pytest
from skills_here import BODY, skill

from plugin_eval_ci.evals.llm.request import Failure, Outcome, Reply, Request, StopError, calls_in
from plugin_eval_ci.evals.trials.catalogue import catalogue_of
from plugin_eval_ci.evals.trials.triggering.run import control_prompt, controls, order_of, run, run_order
from plugin_eval_ci.evals.trials.values import USABLE, Prompt, Settings, Trial
from plugin_eval_ci.scoring.spending import Usage

FIELD = [
    skill("sql-tuner", "Rewrites slow SQL with indexes.", plugin="/r/store"),
    skill("pdf-forms", "Fills in PDF forms.", plugin="/r/store"),
]
USUAL, ONCE = Settings(), Settings(runs=1)
LIST = catalogue_of(FIELD, {}, USUAL)
SQL, PDF = "store:sql-tuner", "store:pdf-forms"
SLOW = Prompt(
    "p1", "the report takes nine minutes since we moved the orders", SQL, (SQL,), files=(("q.sql", "select 1"),)
)


def says(text: str = "", *calls: tuple[str, dict], cut: bool = False, data: dict | None = None) -> Reply:
    blocks: list[dict] = [{"type": "text", "text": text}] if text else []
    blocks += [
        {"type": "tool_use", "id": f"t{place}", "name": name, "input": given}
        for place, (name, given) in enumerate(calls)
    ]
    return Reply(text, data, Usage(100, 10), "m-1", 0.1, cut=cut, calls=calls_in(blocks), blocks=tuple(blocks))


def starts(*names: object) -> Reply:
    return says("", *(("Skill", {"skill": name}) for name in names))


LOOKS = says("I look first.", ("Bash", {"command": "ls"}))


def tried(*answers: Outcome, prompt: Prompt = SLOW, settings: Settings = ONCE) -> tuple[Trial, list[Request]]:
    """A trial in which these answers come one after the other, and what was asked."""
    asked: list[Request] = []

    async def ask(request: Request, sample: int) -> Outcome:
        asked.append(request)
        return answers[min(len(asked), len(answers)) - 1]

    (one,) = asyncio.run(run(LIST, [prompt], settings, ask))
    return one, asked


@pytest.mark.parametrize(
    ("answers", "result", "chosen", "turns"),
    [
        ([starts(SQL)], "chose", (SQL,), 1),
        ([starts("sql-tuner")], "chose", (SQL,), 1),
        ([starts("/sql-tuner")], "chose", (SQL,), 1),
        ([starts(PDF)], "chose", (PDF,), 1),
        ([starts(SQL, PDF, SQL)], "chose", (PDF, SQL), 1),
        ([starts("nothing-like-it")], "invalid_name", (), 1),
        ([starts("nothing-like-it", SQL)], "chose", (SQL,), 1),
        ([starts(7)], "invalid_name", (), 1),
        ([starts(LIST.distractors[0])], "chose", (LIST.distractors[0],), 1),
        ([says("Add an index.")], "answered", (), 1),
        ([says("")], "answered", (), 1),
        ([LOOKS, starts(SQL)], "chose", (SQL,), 2),
        ([LOOKS, LOOKS, starts(SQL)], "chose", (SQL,), 3),
        ([LOOKS, says("Add an index.")], "answered", (), 2),
        ([LOOKS], "other_tools", (), 3),
        ([says("", ("Nonsense", {}))], "other_tools", (), 3),
        ([says("", ("Bash", {"command": "ls"}), ("Skill", {"skill": SQL}))], "chose", (SQL,), 1),
        ([says("", ("Skill", {}), cut=True)], "truncated", (), 1),
        ([says("", ("Skill", {"skill": SQL}), cut=True)], "chose", (SQL,), 1),
        ([says("", ("Skill", {}))], "invalid_name", (), 1),
        ([Failure("refusal", "no", Usage(9, 0))], "refusal", (), 1),
        ([Failure("truncated", "cut")], "truncated", (), 1),
        ([LOOKS, Failure("infra_error", "529")], "infra_error", (), 2),
        ([LOOKS, Failure("timeout", "slow")], "timeout", (), 2),
        ([Failure("budget", "not sent: cap")], "budget", (), 1),
        ([Failure("not_recorded", "")], "not_recorded", (), 1),
    ],
)
def test_how_a_trial_ends(answers: list[Outcome], result: str, chosen: tuple[str, ...], turns: int) -> None:
    one, asked = tried(*answers)
    assert (one.result, one.chosen, one.turns) == (result, chosen, turns) and len(asked) == turns
    assert one.usable is (result in USABLE)
    paid = [answers[min(number, len(answers) - 1)].usage.total for number in range(turns)]
    assert one.usage.total == sum(paid), "all turns are paid for, those of a failure too"
    assert one.listed == 20 and one.position is not None and 0 <= one.position < 20


def test_an_error_is_never_a_miss() -> None:
    for kind in ("infra_error", "timeout", "refusal", "truncated", "bad_request", "budget", "cancelled", "malformed"):
        positive, _ = tried(Failure(kind, "x"))  # type: ignore[arg-type]
        negative, _ = tried(Failure(kind, "x"), prompt=SLOW._replace(expect=()))  # type: ignore[arg-type]
        assert not positive.usable and not negative.usable


def test_what_is_asked_has_the_list_the_tools_and_the_prompt_but_never_a_body() -> None:
    one, asked = tried(LOOKS, says("", ("Read", {"file_path": "q.sql"})), says("done"))
    first, second, third = asked
    assert [block.cached for block in (*first.system, *first.user)] == [True, True, False]
    assert first.user[1].text == SLOW.text
    assert f"- {SQL}: Rewrites slow SQL with indexes." in first.user[0].text
    assert first.user[0].text.count("\n- ") == 20
    assert [tool.name for tool in first.tools] == ["Skill", "Bash", "Glob", "Grep", "Edit", "Write", "Read"]
    assert second.turns[0].said == LOOKS.blocks and second.turns[0].results == (("t0", "q.sql"),)
    assert third.turns[1].results == (("t0", "     1\tselect 1"),)
    assert (first.system, first.user, first.tools) == (third.system, third.user, third.tools)
    for mode in ("agentic", "lean", "router"):
        _, everything = tried(LOOKS, settings=Settings(mode=mode, runs=1))  # type: ignore[arg-type]
        text = json.dumps(everything)
        assert BODY not in text and "SECRETBODY" not in text
    assert one.model == "m-1"


def test_lean_has_one_tool_and_one_turn_and_router_has_neither() -> None:
    lean = Settings(mode="lean", runs=1)
    one, asked = tried(says("", ("Bash", {"command": "ls"})), settings=lean)
    assert (one.result, len(asked), [tool.name for tool in asked[0].tools]) == ("other_tools", 1, ["Skill"])
    assert tried(starts(SQL), settings=lean)[0].chosen == (SQL,)
    router = Settings(mode="router", runs=1)
    one, asked = tried(says("{}", data={"skills": [SQL, "pdf-forms"]}), settings=router)
    assert (one.result, one.chosen, asked[0].tools) == ("chose", (PDF, SQL), ()) and asked[0].schema is not None
    assert SLOW.text in asked[0].user[-1].text and SQL in asked[0].system[-1].text
    assert tried(says("{}", data={"skills": []}), settings=router)[0].result == "answered"
    assert tried(says("{}", data={"skills": ["unheard-of"]}), settings=router)[0].result == "invalid_name"
    assert len({request.purpose for request in (asked[0], tried(says("x"))[1][0], tried(says("x"), settings=lean)[1][0])}) == 3  # fmt: skip


PROMPTS = [
    Prompt(f"p{number}", f"question {number}", (SQL, PDF)[number % 2], ((SQL,), (PDF,), ())[number % 3])
    for number in range(40)
]


def subject(request: Request, sample: int) -> Outcome:
    """Decides by what it is asked alone."""
    dice = random.Random(f"{request.user}{sample}{len(request.turns)}")
    if dice.random() < 0.1:
        return Failure("infra_error", "529")
    if dice.random() < 0.3:
        return LOOKS
    return dice.choice([starts(SQL), starts(PDF), says("so"), starts("unheard-of"), starts(SQL, PDF)])


def everything(
    prompts: list[Prompt], settings: Settings = USUAL, answer: Callable[[Request, int], Outcome] = subject,
    at_once: int = 8, shaken: int = 0,
) -> tuple[Trial, ...]:  # fmt: skip
    """A run; answers take their time, another one for each value of ``shaken``."""

    async def ask(request: Request, sample: int) -> Outcome:
        dice = random.Random(f"{shaken}{request.user}{sample}")
        for _ in range(dice.randrange(6) if shaken else 0):
            await asyncio.sleep(0)
        return answer(request, sample)

    return asyncio.run(run(LIST, prompts, settings, ask, at_once))


def test_neither_the_order_of_prompts_nor_that_of_answers_changes_anything() -> None:
    first = everything(PROMPTS)
    assert len(first) == 120 and len({one.result for one in first}) >= 4
    assert [(one.prompt.home, one.prompt.id, one.run) for one in first] == sorted(
        (prompt.home, prompt.id, number) for prompt in PROMPTS for number in range(3)
    )
    for number in range(1, 5):
        mixed = list(PROMPTS)
        random.Random(number).shuffle(mixed)
        assert everything(mixed, at_once=number * 3, shaken=number) == first
    fewer = everything(PROMPTS[:20])
    assert set(fewer) < set(first), "a prompt more or less changes nothing for the others"


@pytest.mark.parametrize(("runs", "orders"), [(4, 4), (8, 4), (3, 4), (3, 2), (1, 4), (5, 1)])
def test_the_runs_of_a_prompt_are_spread_over_the_orders(runs: int, orders: int) -> None:
    settings = Settings(runs=runs, orders=orders)
    seen = Counter(order_of(prompt, number, settings, orders) for prompt in PROMPTS for number in range(settings.runs))
    for prompt in PROMPTS:
        own = Counter(order_of(prompt, number, settings, orders) for number in range(runs))
        assert max(own.values()) - min([*own.values(), *([0] if len(own) < orders else [])]) <= 1
    expected = len(PROMPTS) * runs / orders
    assert all(
        seen[order] > 0 and (runs == 1 or abs(seen[order] - expected) <= 0.25 * expected) for order in range(orders)
    )
    if runs % orders == 0:
        assert len(set(seen.values())) == 1


def long(prompt: Prompt) -> bool:
    return int(prompt.id[1:]) % 10 < 7


def capped(seed: int) -> tuple[Trial, ...]:
    """180 trials with money for 100 calls; those of 70 % of the prompts take three calls, the others one."""
    prompts = [Prompt(f"q{number}", f"question {number}", SQL, (SQL,)) for number in range(60)]
    by_text = {prompt.text: prompt for prompt in prompts}
    left = [100]

    def answer(request: Request, sample: int) -> Outcome:
        if not left[0]:
            return Failure("budget", "not sent: it could have gone over the cap")
        left[0] -= 1
        return LOOKS if long(by_text[request.user[1].text]) and len(request.turns) < 2 else starts(SQL)

    return everything(prompts, Settings(runs=3, seed=seed), answer, shaken=seed + 1)


def test_what_is_over_when_money_runs_out_is_a_fair_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[bool] = []
    for seed in range(80):
        trials = capped(seed)
        ended = [one for one in trials if one.usable]
        assert 10 <= len(ended) < 100
        prompts = sorted({one.prompt for one in trials})
        order = [(prompt.id, number) for prompt, number in run_order(prompts, Settings(runs=3, seed=seed))]
        assert {(one.prompt.id, one.run) for one in ended} == set(order[: len(ended)]), (
            "those drawn first, without a gap"
        )
        assert {one.result for one in trials if not one.usable} == {"budget"}
        kept += [long(one.prompt) for one in ended]
    assert sum(kept) / len(kept) == pytest.approx(0.7, abs=0.025)
    monkeypatch.setattr("plugin_eval_ci.evals.trials.triggering.run._completed_trials", list)
    naive = [long(one.prompt) for seed in range(80) for one in capped(seed) if one.usable]
    assert sum(naive) / len(naive) < 0.67, (
        "all that ended by then would be short ones too often: else this tests nothing"
    )


def test_interrupted_or_out_of_time_the_rest_counts_as_not_made() -> None:
    for failure in (Failure("cancelled", "not sent: interrupted"), Failure("timeout", "not sent: the time was over")):
        calls = [50]

        def answer(request: Request, sample: int, calls: list[int] = calls, failure: Failure = failure) -> Outcome:
            calls[0] -= 1
            return starts(SQL) if calls[0] >= 0 else failure

        trials = everything(PROMPTS, answer=answer)
        assert Counter(one.result for one in trials) == {"chose": 50, failure.kind: 70}


def test_an_outage_in_the_middle_leaves_the_others_alone() -> None:
    trials = everything(
        PROMPTS, answer=lambda request, sample: Failure("infra_error", "529") if sample == 1 else starts(SQL)
    )
    assert Counter(one.result for one in trials) == {"chose": 80, "infra_error": 40}


def test_an_order_to_stop_ends_the_run() -> None:
    def answer(request: Request, sample: int) -> Outcome:
        raise StopError("the key is wrong")

    with pytest.raises(StopError, match="key"):
        everything(PROMPTS, answer=answer)


@pytest.mark.parametrize(
    ("answers", "passed"),
    [
        ([starts(SQL), starts(SQL)], True),
        ([starts(SQL), says("What do you need?")], True),
        ([Failure("infra_error", "529"), starts(SQL)], True),
        ([says("What?"), says("What?")], False),
        ([starts(PDF), starts("unheard-of")], False),
        ([says("What?"), Failure("infra_error", "529")], False),
        ([Failure("infra_error", "529"), Failure("refusal", "no")], None),
    ],
)
def test_a_prompt_that_names_the_skill_must_start_it(answers: list[Outcome], passed: bool | None) -> None:
    async def ask(request: Request, sample: int) -> Outcome:
        assert SQL in request.user[-1].text
        return answers[sample]

    (control,) = asyncio.run(controls(LIST, [SQL], Settings(), ask))
    assert (control.skill, control.passed, len(control.trials)) == (SQL, passed, 2)
    assert control_prompt(SQL).kind == "explicit"


def test_each_skill_has_its_own_control() -> None:
    async def ask(request: Request, sample: int) -> Outcome:
        return starts(SQL)

    found = asyncio.run(controls(LIST, [SQL, PDF, SQL], Settings(), ask))
    assert [(one.skill, one.passed) for one in found] == [(PDF, False), (SQL, True)]
