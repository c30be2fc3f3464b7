"""``plugin-eval lint --fix`` and ``--diff``: findings that have exactly one right fix."""

import difflib
import os
import tempfile
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple, TextIO

from plugin_eval_ci.commands.load_config import complain, say
from plugin_eval_ci.errors import not_written
from plugin_eval_ci.lint.evaluate import Evaluation
from plugin_eval_ci.lint.fix import FixResult, apply_fixes
from plugin_eval_ci.parse.documents import is_inside
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.report.words import many
from plugin_eval_ci.util import faults

_NOTHING = "nothing to fix: no finding has exactly one right fix (`plugin-eval rules` lists the rules that can)"


class Edit(NamedTuple):
    """One file with fixes."""

    file: str
    path: str  # as reported
    before: bytes
    after: FixResult


def edits_of(evaluation: Evaluation) -> tuple[Edit, ...]:
    """The edit of every document with a fix."""
    edits = []
    root = os.path.realpath(evaluation.collection.root)
    for document in evaluation.collection.documents:
        file = os.path.realpath(document.source.file)
        if not is_inside(file, root) or not os.path.isfile(file):  # opening a pipe would wait for somebody to write
            continue
        try:
            with open(file, "rb") as stream:
                before = stream.read()
        except OSError:
            continue
        corrected = partial(apply_fixes, before, document, evaluation.checked.findings)
        after = faults.kept(corrected, FixResult(before, {}), "fix", document.source.path)
        if after.data != before:
            edits.append(Edit(file, document.source.path, before, after))
    return tuple(edits)


def show(evaluation: Evaluation, out: TextIO, hook: bool = False) -> int:
    """Print what ``--fix`` would change as a unified diff, and return the number of files."""
    edits = edits_of(evaluation)
    for edit in edits:
        name = for_terminal(edit.path)
        old, new = ([f"{for_terminal(line)}\n" for line in _lines(data)] for data in (edit.before, edit.after.data))
        out.writelines(difflib.unified_diff(old, new, f"a/{name}", f"b/{name}"))
    if edits:
        say(f"--fix would fix {_places_text(edits)}")
    elif not hook:
        say(_NOTHING)
    return len(edits)


def write(evaluation: Evaluation, hook: bool = False) -> int:
    """Write all fixes, name them, and return the number of changed files. A file is replaced as a whole or not at all."""
    edits, written = edits_of(evaluation), []
    for edit in edits:
        try:
            _replace(edit.file, edit.after.data)
        except OSError as error:
            complain(not_written(edit.path, error))
        else:
            written.append(edit)
            say(f"{edit.path}: fixed {_rules(edit)}")
    if written:
        say(f"fixed {_places_text(written)}; the remaining findings follow")
    elif not edits and not hook:
        say(_NOTHING)
    return len(written)


def _places_text(edits: Sequence[Edit]) -> str:
    count = sum(sum(edit.after.corrected.values()) for edit in edits)
    return f"{many(count, 'place')} in {many(len(edits), 'file')}"


def _rules(edit: Edit) -> str:
    counts = sorted(edit.after.corrected.items())
    return ", ".join(f"{rule} ({count})" if count > 1 else rule for rule, count in counts)


def _replace(file: str, data: bytes) -> None:
    mode = os.stat(file).st_mode & 0o7777
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(file), prefix=".plugin-eval-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(temporary, mode)
        os.replace(temporary, file)
    except OSError:
        os.unlink(temporary)
        raise


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
