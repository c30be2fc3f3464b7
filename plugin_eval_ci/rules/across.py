"""The rules that look at several files together or at manifests, listed in the open; loaded only when there are any."""

from __future__ import annotations

from plugin_eval_ci.rules import (
    config_changed,
    copy_near_identical,
    desc_overlap,
    file_missing,
    hook_event,
    hook_invalid,
    hook_script,
    ignore_unused,
    listing_budget,
    manifest_ambiguous,
    manifest_invalid,
    manifest_name,
    manifest_skill_path,
    manifest_version,
    mcp_invalid,
    mcp_script,
    mp_duplicate,
    mp_source_escape,
    mp_source_format,
    mp_source_missing,
    name_duplicate,
    name_stale,
    no_skills,
    skill_flat_file,
    version_not_bumped,
)
from plugin_eval_ci.rules.base import Rule, change_rule, collection_rule, ignore_rule, manifest_rule

ACROSS: tuple[Rule, ...] = (
    # the name
    collection_rule(name_duplicate),
    # files
    collection_rule(file_missing),
    # links and layout
    collection_rule(skill_flat_file),
    collection_rule(listing_budget),
    collection_rule(no_skills),
    # manifests: plugin.json, marketplace.json, hooks and servers
    manifest_rule(manifest_invalid),
    manifest_rule(manifest_ambiguous),
    collection_rule(manifest_name),
    collection_rule(manifest_version),
    change_rule(version_not_bumped),
    manifest_rule(manifest_skill_path),
    manifest_rule(mp_source_format),
    manifest_rule(mp_source_missing),
    manifest_rule(mp_source_escape),
    manifest_rule(mp_duplicate),
    manifest_rule(hook_invalid)._replace(on_collection=hook_invalid.check_headers),
    manifest_rule(hook_event)._replace(on_collection=hook_event.check_headers),
    manifest_rule(hook_script)._replace(on_collection=hook_script.check_headers),
    manifest_rule(mcp_invalid),
    manifest_rule(mcp_script),
    # comments: what is said to this tool
    ignore_rule(ignore_unused),
    change_rule(config_changed),
    # what is written below the frontmatter
    collection_rule(desc_overlap),
    collection_rule(copy_near_identical),
    collection_rule(name_stale),
)
