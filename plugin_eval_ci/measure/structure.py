"""3.3 progressive_disclosure and 3.4 structural_completeness: sizes, sections, code blocks and tables."""

from __future__ import annotations

from plugin_eval_ci import languages
from plugin_eval_ci.measure.measurement import Part, SubScore, step, sub_score, when
from plugin_eval_ci.measure.prose import spoken_lines
from plugin_eval_ci.model import Skill
from plugin_eval_ci.parse.facts import fence_languages, has_examples, has_troubleshooting, section_headings

_HEADINGS = ((6, 0.20), (4, 0.15), (2, 0.10))
_FENCES = ((5, 0.20), (3, 0.15), (1, 0.10))
_LANGUAGES = ((3, 0.15), (2, 0.10))
_LINES = ((801, 0.15), (601, 0.40), (200, 0.60), (100, 0.50), (0, 0.20))


def progressive_disclosure(skill: Skill) -> SubScore:
    """By the number of lines, with a bonus for detail moved to ``references/`` and ``assets/``."""
    lines = skill.source.line_count
    best = 0.25 if lines > 400 else 0.15
    return sub_score(
        "progressive_disclosure",
        (
            Part(step(lines, _LINES), 0.60, f"SKILL.md has {lines} lines; 200 to 600 score most."),
            when(bool(skill.reference_files), best, "Move detail into files below references/.", ("BLOATED_SKILL",)),
            when(bool(skill.asset_files), 0.15, "Put templates and other material into files below assets/."),
        ),
    )


def structural_completeness(skill: Skill) -> SubScore:
    """Sections, code blocks and their languages, examples, troubleshooting, a table, help to decide."""
    body = skill.body
    count = len(section_headings(body))
    named = fence_languages(body)
    return sub_score(
        "structural_completeness",
        (
            Part(step(count, _HEADINGS), 0.20, f"Divide it into at least six sections (now {count})."),
            Part(step(len(body.fences), _FENCES), 0.20, f"Show at least five code blocks (now {len(body.fences)})."),
            Part(
                step(len(named), _LANGUAGES),
                0.15,
                f"Name the language of code blocks; three or more score most (now {len(named)}).",
            ),
            when(has_examples(body), 0.15, "Add a section with examples."),
            when(has_troubleshooting(body), 0.15, "Add a section about common problems."),
            when(body.tables > 0, 0.10, "Sum up choices or options in a table."),
            when(
                languages.compares("\n".join(spoken_lines(body))),
                0.05,
                'Help to decide: "when to use", a comparison, trade-offs.',
            ),
        ),
    )
