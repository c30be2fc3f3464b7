"""Scripts that a shell command runs."""

from collections.abc import Iterator

from plugin_eval_ci.lazy import Lazy

_RUN = Lazy(
    r"(?:^|[;&|(]|\$ |&& )\s*(?:[A-Z_][A-Z0-9_]*=\S*\s+)*"
    r"(?:(?:uv run(?: --script| python3?)?|python3?|node|bash|sh|zsh|ruby|perl|deno run|bun(?: run)?"
    r"|npx tsx|tsx|pwsh|source|\.)\s+(?:-{1,2}[\w-]+(?:=\S+)?\s+){0,4}\"?"
    r"(?P<argument>(?:\./)?(?:\$\{?CLAUDE_SKILL_DIR\}?/|\$\{?CLAUDE_PLUGIN_ROOT\}?/)?scripts/[\w./-]+)"
    r"|\"?(?P<program>(?:\./|\$\{?CLAUDE_SKILL_DIR\}?/|\$\{?CLAUDE_PLUGIN_ROOT\}?/)scripts/[\w./-]+))"
)


def scripts_of(command: str) -> Iterator[str]:
    """The paths below ``scripts/`` that one line of shell runs, as written."""
    if "scripts/" not in command or len(command) > 1_000:
        return
    for match in _RUN().finditer(command):
        path = match["argument"] or match["program"]
        if path.rpartition("/")[2].strip("."):
            yield path.rstrip(".")
