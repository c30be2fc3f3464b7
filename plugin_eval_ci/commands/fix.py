"""``plugin-eval lint --fix`` and ``--diff``: put right what has exactly one right answer."""

import difflib
import os
import tempfile
from typing import TextIO

from plugin_eval_ci.commands.settings import say
from plugin_eval_ci.evaluate import Evaluation
from plugin_eval_ci.fixes import fixed
from plugin_eval_ci.parse.documents import inside
from plugin_eval_ci.report.counts import many
from plugin_eval_ci.report.escape import for_terminal


def edits_of(evaluation: Evaluation) -> tuple[tuple[str, str, bytes, bytes], ...]:
    """(file, path as reported, bytes now, bytes corrected) of every document that something can be put right in."""
    edits = []
    root = os.path.realpath(evaluation.collection.root)
    for document in evaluation.collection.documents:
        file = os.path.realpath(document.source.file)
        if not inside(file, root):
            continue
        try:
            with open(file, "rb") as stream:
                before = stream.read()
        except OSError:
            continue
        after = fixed(before, document, evaluation.checked.findings)
        if after != before:
            edits.append((file, document.source.path, before, after))
    return tuple(edits)


def show(evaluation: Evaluation, out: TextIO) -> int:
    """Print what ``--fix`` would change, as a unified diff; the number of files."""
    edits = edits_of(evaluation)
    for _, path, before, after in edits:
        name = for_terminal(path)
        old, new = ([f"{for_terminal(line)}\n" for line in _lines(data)] for data in (before, after))
        out.writelines(difflib.unified_diff(old, new, f"a/{name}", f"b/{name}"))
    return len(edits)


def write(evaluation: Evaluation) -> int:
    """Write every correction; the number of files changed. A file is replaced whole, or not at all."""
    edits = edits_of(evaluation)
    for file, path, _, after in edits:
        try:
            _replace(file, after)
        except OSError as error:
            say(f"{path}: cannot be written: {error.strerror}")
    if edits:
        say(f"corrected {many(len(edits), 'file')}; what is left follows")
    return len(edits)


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
