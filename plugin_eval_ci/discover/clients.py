"""Which client loads a file, by the folder it lies in and the manifests of its plugin."""

import os
from functools import lru_cache

from plugin_eval_ci.model import Document

OTHER = "other"  # a client without a profile, or nobody knows which
_FOLDERS = {
    ".claude": "claude-code",
    ".codex": "codex",
    ".copilot": "copilot",
    ".cursor": "cursor",
    ".gemini": "gemini",
    ".github": "copilot",
    ".kiro": "kiro",
    ".opencode": "opencode",
    ".vscode": "copilot",
}
# Dot folders of clients without a profile, and .agents, which several clients share.
PROJECT_FOLDERS = frozenset(_FOLDERS) | {
    ".agent", ".agents", ".amp", ".augment", ".cline", ".continue", ".factory", ".goose", ".junie", ".kilocode", ".qwen",
    ".roo", ".trae", ".windsurf",
}  # fmt: skip
_MANIFESTS = (
    (".claude-plugin/plugin.json", "claude-code"),
    (".codex-plugin/plugin.json", "codex"),
    (".cursor-plugin/plugin.json", "cursor"),
    (".github/plugin/plugin.json", "copilot"),
    ("gemini-extension.json", "gemini"),
    ("plugin.json", OTHER),
)


def clients_of(document: Document) -> tuple[str, ...]:
    """The clients that load a skill or an agent; what no folder and no manifest tells is for Claude Code and others."""
    parts = document.source.path.split("/")
    folder = next((part for part in reversed(parts[:-1]) if part in PROJECT_FOLDERS), None)
    if parts[-1].endswith(".agent.md"):
        return ("copilot",)
    if folder is not None:
        return (_FOLDERS.get(folder, OTHER),)
    named = _of_plugin(document.plugin) if document.plugin else ()
    return named or ("claude-code", OTHER)


@lru_cache(maxsize=512)
def _of_plugin(plugin: str) -> tuple[str, ...]:
    found = dict.fromkeys(name for file, name in _MANIFESTS if os.path.isfile(os.path.join(plugin, *file.split("/"))))
    return tuple(found)
