"""What must be the same for two results to be compared."""

from __future__ import annotations

import pytest
from skills_here import skill

from plugin_eval_ci.evals.trials import catalogue, method
from plugin_eval_ci.evals.trials.method import differences, method_of
from plugin_eval_ci.evals.trials.triggering import run as triggering
from plugin_eval_ci.evals.trials.triggering.profile import profile
from plugin_eval_ci.evals.trials.values import Prompt, Settings

LABELS, MODELS = {"a": "11", "b": "22"}, {"subject": "haiku-1", "grader": "opus-1"}
USUAL = method_of(Settings(), LABELS, MODELS, {"grading": "3"})


def test_the_same_is_the_same_however_it_was_listed() -> None:
    again = method_of(Settings(), dict(reversed(LABELS.items())), dict(reversed(MODELS.items())), {"grading": "3"})
    assert again == USUAL and differences(again, USUAL) == ()
    assert len(USUAL.digest) == 16


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (method_of(Settings(mode="lean"), LABELS, MODELS, {"grading": "3"}), "the mode differs: agentic and lean"),
        (method_of(Settings(runs=5), LABELS, MODELS, {"grading": "3"}), "the runs of each prompt differs: 3 and 5"),
        (method_of(Settings(seed=1), LABELS, MODELS, {"grading": "3"}), "the seed differs: 0 and 1"),
        (method_of(Settings(), LABELS | {"a": "12"}, MODELS, {"grading": "3"}), "the labels of a differs: 11 and 12"),
        (method_of(Settings(), {"a": "11"}, MODELS, {"grading": "3"}), "the labels of b differs: 22 and not set"),
        (method_of(Settings(), LABELS, MODELS | {"subject": "haiku-2"}, {"grading": "3"}), "the model for subject differs: haiku-1 and haiku-2"),
        (method_of(Settings(), LABELS, MODELS, {"grading": "4"}), "the wording for grading differs: 3 and 4"),
    ],
)  # fmt: skip
def test_a_refusal_can_say_what_differs(other: method.Method, says: str) -> None:
    assert other.digest != USUAL.digest
    assert differences(USUAL, other) == (says,)


@pytest.mark.parametrize("field", Settings._fields)
def test_every_setting_is_part_of_the_method(field: str) -> None:
    value = getattr(Settings(), field)
    other = "router" if field == "mode" else "opus" if field == "subject" else value + 1
    changed = method_of(Settings()._replace(**{field: other}))
    (said,) = differences(method_of(Settings()), changed)
    assert said.startswith("the ") and f"{value} and {other}" in said


def test_another_wording_or_set_of_distractors_is_another_method(monkeypatch: pytest.MonkeyPatch) -> None:
    before = method_of(Settings())
    shown = method.profile()
    monkeypatch.setattr(method, "profile", lambda: shown._replace(digest="0" * 16))
    monkeypatch.setattr(method, "shelf", lambda: catalogue.shelf()._replace(digest="1" * 16))
    assert [one.partition(" differs")[0] for one in differences(before, method_of(Settings()))] == [
        "the set of distractors",
        "the prompts and tools shown to the model",
    ]


def test_what_is_drawn_and_shown_is_the_same_in_every_process_and_version() -> None:
    """Recorded answers hang on these: whoever changes one of them makes every cassette of trials stale, and says so."""
    prompts = [Prompt(f"p{number}", "text", "store:sql-tuner", ()) for number in range(8)]
    assert [triggering.order_of(one, 0, Settings(), 4) for one in prompts] == [2, 3, 1, 0, 2, 3, 0, 0]
    assert (catalogue.shelf().digest, profile().digest) == ("485538930b7607b5", "e08bf5f94e04e28b")
    assert (
        catalogue.catalogue_of([skill("sql-tuner", "Rewrites slow SQL.")], {}, Settings()).digest == "1917b035f80e076b"
    )
