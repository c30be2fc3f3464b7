"""What runs a script: its first line says it, else the end of its name."""

from __future__ import annotations

import os
from collections.abc import Iterable

from plugin_eval_ci.host import shell
from plugin_eval_ci.host.programs import plain_name
from plugin_eval_ci.lazy import Lazy

_SHEBANG = Lazy(r"#![ \t]*(\S+)(?:[ \t]+(.*))?")
_BY_ENDING = {
    ".py": "python3", ".js": "node", ".mjs": "node", ".cjs": "node", ".rb": "ruby", ".pl": "perl", ".php": "php",
    ".ps1": "pwsh", ".R": "Rscript", ".lua": "lua", ".sh": "bash", ".bash": "bash", ".zsh": "zsh", ".fish": "fish",
}  # fmt: skip
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh"})


def program_of_script(name: str, text: str, told: str) -> tuple[str, bool]:
    """The program that runs a script (empty when nobody says, or for sh), and whether it is shell.

    ``told`` is the text that tells how to run it: what ``uv run`` runs brings its own Python.
    """
    named = _by_first_line(text)
    ending = os.path.splitext(name)[1]
    program = named or _BY_ENDING.get(ending, "")
    if not named and program == "python3" and f"uv run {name}" in told:
        program = "uv"
    return ("" if program == "sh" else program), program in _SHELLS


def shell_functions(texts: Iterable[str]) -> frozenset[str]:
    """The functions that any of these shell texts defines; one may read another."""
    return frozenset(
        name for text in texts if "()" in text or "function " in text for name in shell.read(text).functions
    )


def _by_first_line(text: str) -> str:
    match = _SHEBANG().match(text)
    if match is None:
        return ""
    program, rest = match[1].rpartition("/")[2], (match[2] or "").split()
    if program != "env":
        return plain_name(program)
    words = [word for word in rest if not word.startswith("-") and "=" not in word]
    return plain_name(words[0].rpartition("/")[2]) if words else ""
