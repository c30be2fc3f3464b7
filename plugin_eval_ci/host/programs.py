"""The programs that shell text needs on PATH: first words of its commands, as far as they are certain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plugin_eval_ci.host import known, shell
from plugin_eval_ci.lazy import Lazy

_NAME = Lazy(r"[a-z][a-z0-9]*(?:[._+-][a-z0-9]+)*|Rscript|R")
_ASSIGNMENT = Lazy(r"[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=.*", 16)
_OPTION = Lazy(r"--?[A-Za-z][\w-]*(?:=.*)?", 16)
_VERSIONED = Lazy(r"(python|pip)[23](?:\.\d+)?")
_LEADING = frozenset({"if", "then", "do", "else", "elif", "while", "until", "!", "time", "{"})
_WRAPPERS = frozenset(
    {"sudo", "env", "exec", "nohup", "timeout", "nice", "xargs", "command", "builtin", "stdbuf", "doas", "setsid"}
)
_WITH_VALUE = frozenset({"-u", "-n", "-I", "-P", "-L", "-k", "-s", "--user", "--signal", "-C", "-d"})
_LOOPS = frozenset({"for", "select", "case", "in"})


def in_script(text: str, functions: frozenset[str] = frozenset()) -> frozenset[str]:
    """What a shell script runs; ``functions`` are those that other scripts define."""
    return _found(text, functions, strict=False)


def in_fence(text: str, functions: frozenset[str] = frozenset()) -> frozenset[str]:
    """What the commands of a fence run. A word nobody knows counts only when it is given an option."""
    return _found("\n".join(_typed(text)), functions, strict=True)


def plain_name(word: str) -> str:
    """The one name of a program that has several."""
    match = _VERSIONED().fullmatch(word)
    name = match[1] if match else word
    return known.SAME.get(name, name)


def _typed(text: str) -> list[str]:
    """The lines behind a prompt, without it, when a text shows any; else all of its lines."""
    lines = text.split("\n")
    return [line.lstrip()[2:] for line in lines if line.lstrip().startswith("$ ")] or lines


def _found(text: str, functions: frozenset[str], strict: bool) -> frozenset[str]:
    script = shell.read(text)
    own = functions | script.functions
    names = (_program(words, strict) for words in script.commands)
    return frozenset(plain_name(name) for name in names if name and name not in own)


def _program(words: Sequence[str], strict: bool) -> str:
    """The program that one command runs; empty when it is none, is everywhere, or is not certain."""
    rest = list(_unwrapped(words))
    if not rest or rest[0] in _LOOPS:
        return ""
    name, arguments = rest[0], rest[1:]
    if name in known.SHELL or name in known.EVERYWHERE or name in known.INSTALLERS or not _NAME().fullmatch(name):
        return ""
    if any(word in known.PROSE or word.endswith(",") for word in arguments) or arguments[:1] in (
        ["="],
        ["=="],
        ["->"],
        ["→"],
        [":"],
    ):
        return ""
    if plain_name(name) in known.KNOWN or name in ("Rscript", "R"):
        return name
    certain = len(name) > 1 and (not strict or any(_OPTION().fullmatch(word) for word in arguments))
    return name if certain else ""


def _unwrapped(words: Sequence[str]) -> Iterator[str]:
    """A command without what only leads to it: assignments, sudo, env, timeout 30, xargs -0 …"""
    place = 0
    while place < len(words):
        word = words[place]
        if word in _WRAPPERS:
            place += 1
            while place < len(words) and _belongs(words[place], word):
                if word == "command" and words[place] in ("-v", "-V"):
                    return
                place += 2 if words[place] in _WITH_VALUE else 1
        elif word in _LEADING or _ASSIGNMENT().fullmatch(word):
            place += 1
        else:
            break
    yield from words[place:]


def _belongs(word: str, wrapper: str) -> bool:
    return word.startswith("-") or (wrapper == "timeout" and word[:1].isdigit())
