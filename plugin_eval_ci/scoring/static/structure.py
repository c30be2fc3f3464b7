"""3.2 to 3.4 and 3.6: the sizes, sections, code blocks and tables of a skill, and what it says of inputs, outputs and other skills."""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci import languages
from plugin_eval_ci.analysis.resolve import cross_references
from plugin_eval_ci.model import Body, CodeSpan, Skill
from plugin_eval_ci.parse.facts import fence_languages, has_examples, has_troubleshooting, section_headings
from plugin_eval_ci.scoring.measurement import Part, Rank, SubScore, part_if, step, sub_score

_HIDDEN = "\ufffc"  # stands in ``Prose.text`` where inline code was taken out


_last: list[tuple[Body, list[str]]] = []


def spoken_lines(body: Body) -> list[str]:
    """The lines of prose with their inline code put back; kept for the next sub-score that reads the same body."""
    if not _last or _last[0][0] is not body:
        _last[:] = [(body, _prose_lines(body))]
    return _last[0][1]


def _prose_lines(body: Body) -> list[str]:
    if sum(prose.text.count(_HIDDEN) for prose in body.prose) != len(body.code_spans):
        return [prose.text for prose in body.prose]  # the file itself holds that character
    spans = iter(body.code_spans)
    return [
        _with_code_spans(prose.text.split(_HIDDEN), spans) if _HIDDEN in prose.text else prose.text
        for prose in body.prose
    ]


def _with_code_spans(parts: list[str], spans: Iterator[CodeSpan]) -> str:
    """The parts of a line with the next code spans between them."""
    return parts[0] + "".join(next(spans).text + part for part in parts[1:])


CODE_BLOCKS = "code blocks"
_HEADINGS = ((6, 0.20), (4, 0.15), (2, 0.10))
_FENCES = ((5, 0.20), (3, 0.15), (1, 0.10))
_LANGUAGES = ((3, 0.15), (2, 0.10))
MOVE_DETAIL = "move detail"  # shortening a long file and filling references/ is one change
_LINES = ((801, 0.15), (601, 0.40), (200, 0.60), (100, 0.50), (0, 0.20))
_SHORT, _LONG = 200, 600  # between them the size gives all it can


def progressive_disclosure(skill: Skill) -> SubScore:
    """By the number of lines, with a bonus for detail moved to ``references/`` and ``assets/``."""
    lines = skill.source.line_count
    best = 0.25 if lines > 400 else 0.15
    move = "Move detail that not every use needs into files in references/"
    return sub_score(
        "progressive_disclosure",
        (
            _size(lines, move),
            part_if(
                bool(skill.reference_files),
                best,
                f"{move}." if lines >= _SHORT else "",
                ("BLOATED_SKILL",),
                edit=MOVE_DETAIL,
            ),
            part_if(
                bool(skill.asset_files),
                0.15,
                "If it hands out templates or other material, put them into files in assets/.",
                rank=Rank.IF_MEANT,
            ),
        ),
    )


def _size(lines: int, move: str) -> Part:
    """A long file can be divided; a short one is not a fault."""
    points = step(lines, _LINES)
    if lines < _SHORT:
        advice = f"If detail is missing, add it ({lines} lines; {_SHORT} to {_LONG} score most); do not pad."
        return Part(points, 0.60, advice, rank=Rank.LAST, edit="add lines")
    return Part(points, 0.60, f"{move} ({lines} lines; at most {_LONG} score most).", edit=MOVE_DETAIL, line=_LONG + 1)


def structural_completeness(skill: Skill) -> SubScore:
    """Sections, code blocks and their languages, examples, troubleshooting, a table, help to decide."""
    body = skill.body
    fences = len(body.fences)
    return sub_score(
        "structural_completeness",
        (
            _sections(body),
            Part(
                step(fences, _FENCES),
                0.20,
                f"If code makes it clearer, show it in code blocks (now {fences}; five score most).",
                rank=Rank.IF_MEANT,
                edit=CODE_BLOCKS,
            ),
            _languages(body),
            part_if(has_examples(body), 0.15, "Add a section with examples."),
            part_if(
                has_troubleshooting(body),
                0.15,
                "Add a troubleshooting section: problems that users had, and what helps.",
            ),
            part_if(
                body.tables > 0,
                0.10,
                "If there are options to choose from, sum them up in a table.",
                rank=Rank.IF_MEANT,
            ),
            part_if(
                languages.compares("\n".join(spoken_lines(body))),
                0.05,
                "If there is a choice to make, say when to use what, and the trade-offs.",
                rank=Rank.IF_MEANT,
            ),
        ),
    )


def _sections(body: Body) -> Part:
    count = len(section_headings(body))
    advice = f"If it covers enough, divide it into sections (now {count}; six score most)."
    return Part(step(count, _HEADINGS), 0.20, advice, rank=Rank.IF_MEANT, edit="sections")


def _languages(body: Body) -> Part:
    """Blocks without a language can be named; three languages where there is one would be padding."""
    named = fence_languages(body)
    bare = [fence.line for fence in body.fences if not fence.language]
    advice = f"Name the language of each code block ({len(bare)} without; three languages score most)." if bare else ""
    return Part(step(len(named), _LANGUAGES), 0.15, advice, edit="name languages", line=min(bare, default=None))


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
