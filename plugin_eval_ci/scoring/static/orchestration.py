"""3.2 orchestration_wiring and 3.6 ecosystem_coherence: what the prose says of inputs, outputs and other skills."""

from __future__ import annotations

from plugin_eval_ci import languages
from plugin_eval_ci.analysis.resolve import cross_references
from plugin_eval_ci.model import Body, Skill
from plugin_eval_ci.scoring.measurement import Part, Rank, SubScore, part_if, sub_score
from plugin_eval_ci.scoring.static.structure import CODE_BLOCKS, spoken_lines

_RELATED = 'If it works with other skills, link them in a "Related skills" section'


def orchestration_wiring(skill: Skill) -> SubScore:
    """0.70 to begin with; inputs, outputs and code blocks add, declaring itself an orchestrator takes away."""
    lines = spoken_lines(skill.body)
    text = "\n".join(lines)
    conducts = _conducts(skill.body)
    return sub_score(
        "orchestration_wiring",
        (
            Part(0.70, 0.70),
            part_if(languages.documents_output_format(text), 0.10, "Document the format of the output."),
            part_if(languages.says_returns(text), 0.05, "Say what the skill returns or produces."),
            part_if(languages.says_takes(text), 0.10, "Say what the skill takes: its input, parameters or arguments."),
            part_if(
                len(skill.body.fences) >= 2,
                0.05,
                f"If code makes it clearer, show it in code blocks (now {len(skill.body.fences)}; five score most).",
                rank=Rank.IF_MEANT,
                edit=CODE_BLOCKS,
            ),
            Part(
                -0.15 if conducts else 0.0,
                0.0,
                "Say what the skill does itself: this line says that it only has others do the work.",
                line=conducts,
            ),
        ),
    )


def _conducts(body: Body) -> int:
    """The first line that declares an orchestrator, 0 without one. Quotations and link titles do not count."""
    doubtful = [body.prose[at] for at in languages.may_conduct([prose.plain for prose in body.prose])]
    return next((prose.line for prose in doubtful if languages.declares_orchestrator(prose.plain)), 0)


def ecosystem_coherence(skill: Skill) -> SubScore:
    """0.50 to begin with; references that resolve and words about related skills add."""
    count = count_resolved(skill)
    return sub_score(
        "ecosystem_coherence",
        (
            Part(0.50, 0.50),
            Part(
                min(0.25, 0.08 * count),
                0.25,
                f"{_RELATED} (links now {count}; four score most).",
                rank=Rank.IF_MEANT,
                edit=_RELATED,
            ),
            part_if(
                languages.mentions_related("\n".join(spoken_lines(skill.body))),
                0.25,
                f"{_RELATED}.",
                rank=Rank.IF_MEANT,
                edit=_RELATED,
            ),
        ),
    )


def count_resolved(skill: Skill) -> int:
    """How many different skills and agents its references lead to."""
    found = (reference for reference in cross_references(skill) if reference.resolution.status == "found")
    return len({_goal(reference.path, reference.resolution.place, skill.root) for reference in found})


def _goal(path: str, place: str, root: str) -> str:
    """Where a reference leads: two spellings of one place are one. The root stands for a place found by name only."""
    return (place if place != root else path).rstrip("/").removesuffix("/SKILL.md")
