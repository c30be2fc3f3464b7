"""Every rule, listed in the open. The order here is the order of the docs."""

from __future__ import annotations

from plugin_eval_ci.rules import (
    agent_name_collision,
    bare_model_alias,
    bloated_skill,
    claude_tool_prose,
    claude_tool_refs,
    compat_too_long,
    dead_cross_ref,
    desc_markup,
    desc_missing,
    desc_too_long,
    desc_type,
    empty_description,
    field_type,
    file_bom,
    file_encoding,
    file_missing,
    file_name_case,
    file_too_large,
    file_unreadable,
    fm_alias,
    fm_duplicate_key,
    fm_fence_style,
    fm_invalid_yaml,
    fm_missing,
    fm_not_first,
    fm_not_mapping,
    fm_truncated_comment,
    fm_unclosed,
    metadata_type,
    missing_trigger,
    name_dir_mismatch,
    name_duplicate,
    name_format,
    name_missing,
    name_non_ascii,
    name_reserved,
    name_too_long,
    name_type,
    no_skills,
    orphan_reference,
    over_constrained,
    ref_escape,
    skill_flat_file,
    skill_misplaced,
    skill_over_codex_cap,
    tools_type,
)
from plugin_eval_ci.rules.base import Rule, agent_rule, collection_rule, document_rule, skill_rule

__all__ = ["NAMES", "RULES", "Rule", "rule_named"]

RULES: tuple[Rule, ...] = (
    # anti-patterns: what the methodology counts
    skill_rule(over_constrained),
    skill_rule(empty_description),
    skill_rule(missing_trigger),
    skill_rule(bloated_skill),
    skill_rule(orphan_reference),
    skill_rule(dead_cross_ref),
    # portability: what other clients do not understand
    skill_rule(skill_over_codex_cap),
    document_rule(claude_tool_refs),
    document_rule(claude_tool_prose),
    agent_rule(agent_name_collision),
    agent_rule(bare_model_alias),
    # the header
    document_rule(fm_missing),
    document_rule(fm_not_first),
    document_rule(fm_unclosed),
    document_rule(fm_invalid_yaml),
    document_rule(fm_not_mapping),
    document_rule(fm_duplicate_key),
    document_rule(fm_alias),
    document_rule(fm_fence_style),
    document_rule(fm_truncated_comment),
    # the name
    document_rule(name_missing),
    document_rule(name_type),
    skill_rule(name_format),
    skill_rule(name_non_ascii),
    skill_rule(name_too_long),
    skill_rule(name_dir_mismatch),
    skill_rule(name_reserved),
    collection_rule(name_duplicate),
    # the description
    document_rule(desc_missing),
    document_rule(desc_type),
    skill_rule(desc_too_long),
    skill_rule(desc_markup),
    # other fields
    skill_rule(field_type),
    skill_rule(metadata_type),
    document_rule(tools_type),
    skill_rule(compat_too_long),
    # files
    document_rule(file_encoding),
    document_rule(file_bom),
    document_rule(file_unreadable),
    document_rule(file_too_large),
    skill_rule(file_name_case),
    collection_rule(file_missing),
    # links and layout
    collection_rule(ref_escape),
    collection_rule(skill_flat_file),
    skill_rule(skill_misplaced),
    collection_rule(no_skills),
)

NAMES = frozenset(rule.name for rule in RULES)


def rule_named(name: str) -> Rule | None:
    """The rule of that name, whatever the letter case."""
    return next((rule for rule in RULES if rule.name == name.upper()), None)
