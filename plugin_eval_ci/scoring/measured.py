"""What depth ``measured`` adds to a score: code that parses, the interval of a composite, and a plugin from its skills."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum
from typing import TYPE_CHECKING

from plugin_eval_ci.model import Skill
from plugin_eval_ci.scoring.composite import Composite, composite_of, composite_without_dimensions, with_interval
from plugin_eval_ci.scoring.dimensions import Depth
from plugin_eval_ci.scoring.measurement import DimensionValue, Measurement, Unmeasured
from plugin_eval_ci.scoring.model_results import ModelResults
from plugin_eval_ci.scoring.static.code_templates import templates_of

if TYPE_CHECKING:
    from plugin_eval_ci.stats import Draws

TEMPLATES = "code_template_quality"
CAPPED = "prompts or tasks were drafted by a model and not reviewed by a person, so the label is at most Assessed"
SAMPLING = (
    "the interval covers sampling error only (other prompts, tasks, runs and answers of the same kind), not validity"
)


def with_templates(skill: Skill, static: Measurement | Unmeasured) -> tuple[Measurement | Unmeasured, tuple[str, ...]]:
    """The static layer with what only this depth asks of it, and the blocks that do not parse, in words."""
    if isinstance(static, Unmeasured):
        return static, ()
    found = templates_of(skill.body)
    said = tuple(
        f"{skill.source.path}:{one.line}: this {one.language} block does not parse: {one.message}"
        for one in found.broken
    )
    if found.share is None:
        return static, said
    return static._replace(dimensions=(*static.dimensions, DimensionValue(TEMPLATES, found.share))), said


def with_interval_and_label(
    asked: ModelResults, layers: Mapping[str, Measurement], flags: int, composite: Composite
) -> tuple[Composite, tuple[str, ...]]:
    """The composite with its interval and its label, and what is to be said of them."""
    whole = with_interval(composite, ends_of(asked.ran, layers, flags, asked.draws), asked.elo)
    notes = ((SAMPLING,) if whole.ci_lower is not None else ()) + ((CAPPED,) if asked.label != asked.ran.label else ())
    return whole._replace(confidence_label=asked.label), notes


def ends_of(
    depth: Depth, layers: Mapping[str, Measurement], flags: int, draws: Draws[tuple[str, str]] | None
) -> tuple[float, float] | None:
    """The ends of the composite's interval, on 0-100; None without draws."""
    if draws is None or composite_of(depth, layers, flags).score is None:
        return None
    from plugin_eval_ci.stats import ends

    found = ends(draws, lambda values: composite_of(depth, _layers_of_draw(layers, values), flags).score or 0.0)
    return found.low, found.high


def plugin_composite(depth: Depth, members: Sequence[Composite]) -> Composite:
    """The mean of its skills' composites. The ends are the means of their ends: as if their errors went together, which is the widest."""
    known = [one for one in members if one.score is not None]
    if not known:
        return composite_without_dimensions(depth, None, 0)
    mean = fsum(one.score or 0.0 for one in known) / len(known)
    ends = [(one.ci_lower, one.ci_upper) for one in known if one.ci_lower is not None and one.ci_upper is not None]
    whole = composite_without_dimensions(depth, mean / 100, 0)
    if len(ends) < len(known):
        return whole
    return with_interval(whole, (fsum(low for low, _ in ends) / len(ends), fsum(high for _, high in ends) / len(ends)))


def _layers_of_draw(
    layers: Mapping[str, Measurement], drawn: Mapping[tuple[str, str], float]
) -> dict[str, Measurement]:
    return {
        name: layer._replace(
            dimensions=tuple(
                DimensionValue(value.name, drawn.get((name, value.name), value.score)) for value in layer.dimensions
            )
        )
        for name, layer in layers.items()
    }
