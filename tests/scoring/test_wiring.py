"""3.2 and 3.6: what prose says, and what merely looks like it."""

import pytest

from plugin_eval_ci.scoring.static.structure import ecosystem_coherence, orchestration_wiring

HEAD = "---\nname: stock-report\ndescription: x\n---\n\n# Stock report\n\n"


@pytest.mark.parametrize(
    ("body", "score"),
    [
        ("Counts boxes.", 0.70),
        ("Returns a list.", 0.75),
        ("It produces a list.", 0.75),
        ("The output has this format: a list.", 0.85),
        ("It returns rows as JSON.", 0.85),
        ("The output is a list.\nThe format is free.", 0.75),
        ("It accepts a file.", 0.80),
        ("Its parameters: none.", 0.80),
        ("Its arguments: none.", 0.80),
        ("It reads args.", 0.70),
        ("Takes `input.csv` as its `input`.", 0.80),
        ("```\nreturns = input(parameters)\n```", 0.70),
        ("    returns input", 0.70),
        ("<!-- returns the input -->", 0.70),
        ("```\na\n```\n\n```\nb\n```", 0.75),
        ("```\na\n```", 0.70),
        ("Accepts a file and returns JSON: the output format is fixed.\n\n```\na\n```\n\n```\nb\n```", 1.0),
    ],
)
def test_inputs_and_outputs(skill, body, score):
    assert orchestration_wiring(skill(HEAD + body + "\n")).score == score


@pytest.mark.parametrize(
    ("body", "conducts"),
    [
        ("This skill orchestrates several agents.", True),
        ("It coordinates other skills.", True),
        ("Dispatch subagents for each file.", True),
        ("The coordinate system starts at the top left.", False),
        ("Read the x and y coordinates.", False),
        ("The event dispatcher of the API is a class.", False),
        ("Container orchestration is done with Kubernetes.", False),
        ('The manual says "orchestrate agents".', False),
        ("See [Orchestrate agents](https://example.org/a).", False),
        ("```\norchestrate agents\n```", False),
        ("> It orchestrates agents.", False),
    ],
)
def test_orchestrators(skill, body, conducts):
    assert orchestration_wiring(skill(HEAD + body + "\n")).score == (0.55 if conducts else 0.70)


def test_the_description_is_no_prose(skill):
    text = HEAD.replace(
        "description: x", "description: Orchestrates agents, returns JSON, accepts input. Related skills."
    )
    assert orchestration_wiring(skill(text)).score == 0.70
    assert ecosystem_coherence(skill(text)).score == 0.50


def linking(*targets: str) -> str:
    return HEAD + "\n\n".join(f"[one]({target})" for target in targets) + "\n"


OTHERS = {f"../{name}/SKILL.md": f"---\nname: {name}\ndescription: x\n---\n" for name in ("a", "b", "c", "d")}


@pytest.mark.parametrize(
    ("targets", "score"),
    [
        ((), 0.50),
        (("../a/SKILL.md",), 0.58),
        (("../a/SKILL.md", "../a/SKILL.md"), 0.58),
        (("../a/SKILL.md", "../a"), 0.58),
        (("../a/SKILL.md", "../gone/SKILL.md"), 0.58),
        (("../a/SKILL.md", "../b/SKILL.md"), 0.66),
        (("../a/SKILL.md", "../b/SKILL.md", "../c/SKILL.md"), 0.74),
        (("../a/SKILL.md", "../b/SKILL.md", "../c/SKILL.md", "../d/SKILL.md"), 0.75),
    ],
)
def test_references_that_resolve(skill, targets, score):
    assert ecosystem_coherence(skill(linking(*targets), OTHERS)).score == score


@pytest.mark.parametrize(
    ("body", "related"),
    [
        ("## Related skills", True), ("See also the shelf list.", True), ("A companion of the shelf list.", True),
        ("It complements the shelf list.", True), ("```\nrelated\n```", False), ("<!-- see also -->", False),
        ("Nothing else.", False),
    ],
)  # fmt: skip
def test_related_skills(skill, body, related):
    assert ecosystem_coherence(skill(HEAD + body + "\n")).score == (0.75 if related else 0.50)
