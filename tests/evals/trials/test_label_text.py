"""What is written is what is read."""

from __future__ import annotations

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from plugin_eval_ci.config.yaml_values import compose
from plugin_eval_ci.evals.trials.catalogue import Names
from plugin_eval_ci.evals.trials.labels.file import digest_of, labels_of, text_of
from plugin_eval_ci.evals.trials.values import Kind, Labels, Prompt

OWN = "shop:stock-report"
NAMES = Names(OWN, {name: name for name in (OWN, "shop:no", "other", "true", "x y")})
TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60).filter(str.strip)
WORD = st.from_regex(r"[A-Za-z0-9_.-]{1,12}", fullmatch=True)
PROMPTS = st.lists(
    st.builds(
        lambda id, text, expect, kind, family, split, source, files: Prompt(
            id, text, OWN, tuple(sorted(expect)), kind if OWN not in expect or kind not in ("near_miss", "unrelated") else "direct",
            family, split, source, source == "human", tuple(sorted(files.items())),
        ),
        WORD, TEXT, st.sets(st.sampled_from(sorted(NAMES.meant)), max_size=3), st.sampled_from(get_args(Kind)), WORD | st.just(""),
        st.sampled_from(["dev", "holdout"]), st.sampled_from(["human", "traffic", "generated:m-1@2026-11-30"]),
        st.dictionaries(WORD.filter(lambda path: path != ".."), st.text(st.characters(exclude_categories=["Cs"]), max_size=20), max_size=2),
    ),
    min_size=1, max_size=4, unique_by=lambda prompt: prompt.id,
)  # fmt: skip


@given(PROMPTS, st.lists(st.text(max_size=40), max_size=2))
def test_a_file_says_the_same_when_it_is_read_again(prompts: list[Prompt], notes: list[str]) -> None:
    labels = Labels(OWN, "f", digest_of(prompts), tuple(prompts), tuple(notes))
    again = labels_of(compose(text_of(labels, "stock-report")), "stock-report", NAMES, "f")
    assert again.prompts == tuple(
        prompt._replace(line=read.line) for prompt, read in zip(prompts, again.prompts, strict=True)
    )
    assert again.digest == labels.digest


def test_how_it_looks() -> None:
    prompts = (
        Prompt("a", 'say "hi"\n\x1b', OWN, (OWN,)),
        Prompt("b", "x", OWN, ("other", OWN), family="f", source="generated:m@2026-11-30", reviewed=False),
    )
    assert text_of(Labels(OWN, "f", "", prompts, ("a\nnote",)), "stock-report") == (
        "# Which prompts this skill is for, and which it is not for: docs/triggers.md of plugin-eval-ci says what the keys mean.\n"
        "#\n"
        "# Not reviewed yet. For each prompt: would a user type this? Is `expect` right? Then write your name behind `reviewed_by:`. Change or\n"
        "# delete what is not right, and add prompts of your own (source: human). `plugin-eval triggers check` says what is missing.\n"
        "# a note\n"
        "schema: 1\nskill: stock-report\nprompts:\n"
        '  - id: a\n    prompt: "say \\"hi\\"\\n\\u001b"\n    expect: target\n    kind: direct\n    split: holdout\n    source: human\n'
        '  - id: b\n    prompt: "x"\n    expect: {any_of: [other, target]}\n    kind: direct\n    family: f\n    split: holdout\n'
        '    source: "generated:m@2026-11-30"\n    reviewed_by: \n'
    )


def test_what_turns_or_hides_text_is_written_out_and_other_letters_are_not() -> None:
    """Who reviews a prompt sees what is in it."""
    text = "a\u202eb\u2066c\u200bd\u00ade\U000e0041f, жолдоо, 日本, é \U0001f600"
    prompt = Prompt("a", text, "shop:stock", ("shop:stock",), "direct")
    said = text_of(Labels("shop:stock", "x", "", (prompt,)), "stock")
    assert "a\\u202eb\\u2066c\\u200bd\\u00ade\\U000e0041f, жолдоо, 日本, é \U0001f600" in said
