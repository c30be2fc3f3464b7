"""Scripts of a plugin that a hook or a server starts, as far as that can be read off its command line.

Only what is certain: the first word of a command, or the script an interpreter is given. A path behind a redirection, in
a test (``[ -f … ]``), with a variable or a pattern in it is nobody's promise that the file exists.
"""

import os
from collections.abc import Iterator
from typing import NamedTuple

from plugin_eval_ci.analysis.resolve.paths import is_left_out
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Hit, Severity, Value
from plugin_eval_ci.parse.documents import is_inside, real_root
from plugin_eval_ci.parse.manifest_value import below, unfetched
from plugin_eval_ci.util.lazy import Lazy

_ROOT = Lazy(r"""(["']?)(?:\$\{CLAUDE_PLUGIN_ROOT\}|\$CLAUDE_PLUGIN_ROOT(?![A-Za-z0-9_]))(["']?)/""")
_BARE_END = Lazy(r"""[\s"'`;|&<>()]""")
_PATTERN = Lazy(r"[$*?{}\[\]`\\~!]")
_NEW_COMMAND = Lazy(
    r"[;|&()\n{}`]|(?<!\S)(?:if|elif|while|until|!|then|do|else|exec|nohup|time|(?:/usr/bin/)?env|command|sudo)(?!\S)"
)
_ASSIGNMENT = Lazy(r"[A-Za-z_]\w*=\S*")
_INTERPRETER = Lazy(
    r"(?:.*/)?(?:(?:ba|z|da|k)?sh|python[\d.]*|pypy3?|node|bun|deno|ruby|perl|php|pwsh|powershell|tsx|ts-node|uv|source|\.)(?:\.exe)?"
)
_RUN = frozenset({"run", "x", "-File", "-f"})
_INLINE = Lazy(r"-\w*[ce]|-m|-p|--eval|--print|--command|-Command")
_BUILT = frozenset({"dist", "build", "out", "target", "lib"})
_INSTALLED = frozenset({"node_modules", ".venv", "venv"})
_CODE = (".js", ".mjs", ".cjs", ".ts", ".mts", ".py", ".sh", ".bash", ".zsh", ".rb", ".pl", ".php", ".ps1", ".jar")
_NOT_EXECUTED = (".cmd", ".bat", ".ps1", ".exe", ".com")


class Script(NamedTuple):
    """A path below the plugin, and whether the file itself is executed rather than read by an interpreter."""

    path: str
    direct: bool


def in_command(command: str) -> Iterator[Script]:
    """The scripts that a shell command starts, each once."""
    tested: set[str] = set()
    found: dict[str, bool] = {}
    for match in _ROOT().finditer(command):
        path = _path(command, match.end(), match[1] if not match[2] else "")
        if path is None:
            continue
        role = _role(command[: match.start()])
        if role == "test":
            tested.add(path)
        elif role in ("direct", "interpreter") or (role == "option" and path.endswith(_CODE)):
            found.setdefault(path, role == "direct")
    return (Script(path, direct) for path, direct in found.items() if path not in tested)


def in_arguments(command: str, arguments: tuple[str, ...]) -> Iterator[Script]:
    """The scripts of a program that is started without a shell: itself, or its first argument that is not an option."""
    whole = _whole(command)
    if whole is not None:
        yield Script(whole, True)
    first = next((argument for argument in arguments if not argument.startswith("-") and argument not in _RUN), None)
    path = _whole(first) if first is not None and _INTERPRETER().fullmatch(command) else None
    if path is not None and path.endswith(_CODE):
        yield Script(path, False)


def missing_script(root: str, plugin: str, script: Script, line: int, what: str) -> Hit | None:
    """The hit for a script that is not there or cannot be executed; None for a good one."""
    place = below(plugin, script.path)
    parts = script.path.split("/")
    if place is None or not is_inside(os.path.realpath(place), real_root(root)):
        message = f"{quote(script.path)} of {what} leads out of the plugin"
        return Hit(line, message, "Put the script into the plugin.", script.path)
    if not os.path.exists(place):
        if _INSTALLED.intersection(parts) or unfetched(place, plugin) or is_left_out(root, place):
            return None
        message = f"{quote(script.path)} of {what} does not exist in the plugin"
        if _BUILT.intersection(parts[:-1]) or ("bin" in parts[:-1] and "." not in parts[-1]):
            fix = "Commit what is built: a plugin is installed as its repository is."
            return Hit(line, message, fix, script.path, severity=Severity.WARNING)
        return Hit(line, message, "Correct the path, or add the file.", script.path)
    if os.path.isdir(place):  # node and python take a folder, the system does not
        message = f"{quote(script.path)} of {what} is a folder"
        return Hit(line, message, "Name the script in it.", script.path) if script.direct else None
    if script.direct and os.name != "nt" and not place.endswith(_NOT_EXECUTED) and not os.stat(place).st_mode & 0o111:
        message = f"{quote(script.path)} of {what} is called directly and is not executable"
        fix = "Run chmod +x on it and commit that, or call it through its interpreter."
        return Hit(line, message, fix, script.path, severity=Severity.WARNING)
    return None


def strings(value: Value | None) -> tuple[str, ...]:
    """The texts of a list of texts."""
    return tuple(item.text for item in value.items if item.kind == "text") if value is not None else ()


def _whole(text: str) -> str | None:
    """The path when a text is one path below the plugin and nothing else."""
    match = _ROOT().match(text)
    if match is None or match[1] or match[2]:
        return None
    path = text[match.end() :]
    return path if path and not _PATTERN().search(path) else None


def _path(command: str, start: int, quote: str) -> str | None:
    end = command.find(quote, start) if quote else -1
    if end < 0:
        match = _BARE_END().search(command, start)
        end = match.start() if match else len(command)
    path = command[start:end]
    return path if path and "\n" not in path and not _PATTERN().search(path) else None


def _role(before: str) -> str:
    """What a path is to the command before it: direct, interpreter, option (or its value), test or argument."""
    words = _NEW_COMMAND().split(before[-400:])[-1].split()
    while words and _ASSIGNMENT().fullmatch(words[0]):
        words.pop(0)
    if not words:
        return "direct"
    if words[0] in ("[", "[[", "test"):
        return "test"
    if not _INTERPRETER().fullmatch(words[0]):
        return "argument"
    rest = words[1:]
    plain = all(word.startswith("-") or word in _RUN for word in rest) and not any(
        _INLINE().fullmatch(word) for word in rest
    )
    return "argument" if not plain else "option" if rest and rest[-1].startswith("-") else "interpreter"
