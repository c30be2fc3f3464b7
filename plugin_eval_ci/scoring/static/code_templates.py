"""The static half of code_template_quality, at depth ``measured`` only: which fenced blocks parse. Nothing is executed.

A block is checked where its language says how it is written: JSON, JSON lines, YAML, TOML, Python and XML. Python is compiled as far as
its syntax tree, by the Python that runs this: syntax that is newer does not parse. Interactive sessions (``>>>``), XML with a document
type, empty blocks and blocks that are very long are not checked.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
import warnings
from collections.abc import Callable
from typing import NamedTuple

from plugin_eval_ci.model import Body
from plugin_eval_ci.scoring.dimensions import round_score

_LONGEST = 100_000  # characters
_SESSION = re.compile(r"^\s*(?:>>>|In \[\d+\]:)", re.MULTILINE)
_DOCUMENT_TYPE = re.compile(r"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)


class BrokenBlock(NamedTuple):
    """A block that does not parse: its language, the line of the document, and what the parser says."""

    language: str
    line: int
    message: str


class Templates(NamedTuple):
    """How many blocks were checked and which of them do not parse."""

    checked: int
    broken: tuple[BrokenBlock, ...]

    @property
    def share(self) -> float | None:
        """Of the checked blocks that parse; None where none was checked."""
        return round_score(1 - len(self.broken) / self.checked) if self.checked else None


def templates_of(body: Body) -> Templates:
    """Check the blocks of a document whose language is known."""
    checked, broken = 0, []
    for fence in body.fences:
        if not is_checkable(fence.language, fence.content):
            continue
        checked += 1
        if found := problem_of(fence.language, fence.content):
            broken.append(BrokenBlock(fence.language, fence.line + found[0], found[1]))
    return Templates(checked, tuple(broken))


def parses(language: str, text: str) -> bool | None:
    """Whether a text parses as its language (in lower case); None for one that is not checked."""
    return problem_of(language, text) is None if is_checkable(language, text) else None


def is_checkable(language: str, text: str) -> bool:
    """Whether it can be said of a text that it parses or not."""
    if language not in _READERS or not text.strip() or len(text) > _LONGEST:
        return False
    if language in ("python", "py", "python3"):
        return not _SESSION.search(text)
    return language != "xml" or not _DOCUMENT_TYPE.search(text)


def problem_of(language: str, text: str) -> tuple[int, str] | None:
    """The line within a text, from 1 (0: not known), and what is wrong there; None where nothing is. The language is checkable."""
    try:
        _READERS[language](text)
    except (RecursionError, MemoryError):
        return 0, "it is nested too deeply"
    except Exception as error:  # every parser has errors of its own, and text of strangers finds all of them
        return _line_of(error), " ".join(_words(error).split())[:200]
    return None


def _line_of(error: Exception) -> int:
    """The line within a block, from 1; 0 where the parser does not say."""
    mark = getattr(error, "problem_mark", None)
    line = mark.line + 1 if mark is not None else getattr(error, "lineno", None)
    return line if isinstance(line, int) and line > 0 else 0


def _words(error: Exception) -> str:
    said = getattr(error, "problem", None) or getattr(error, "msg", None) or str(error)
    return str(said)


def _json_lines(text: str) -> None:
    for line in text.splitlines():
        if line.strip():
            json.loads(line)


def _yaml(text: str) -> None:
    import yaml

    from plugin_eval_ci.config.yaml_values import LOADER

    for _ in yaml.compose_all(text, LOADER):  # nodes only: no value is built, no alias is written out
        pass


def _python(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile(text, "block", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)


def _xml(text: str) -> None:
    from xml.parsers.expat import ParserCreate

    ParserCreate().Parse(text.strip().encode("utf-8", "replace"), True)


_READERS: dict[str, Callable[[str], object]] = {
    "json": json.loads,
    "jsonl": _json_lines,
    "ndjson": _json_lines,
    "yaml": _yaml,
    "yml": _yaml,
    "toml": tomllib.loads,
    "python": _python,
    "py": _python,
    "python3": _python,
    "xml": _xml,
}
LANGUAGES = tuple(_READERS)
