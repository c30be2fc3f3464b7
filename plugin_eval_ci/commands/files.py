"""Writing files, and refusing places that cannot be written before any work is done."""

import os
import tempfile
from collections.abc import Iterable

from plugin_eval_ci.errors import UsageError


def write(directory: str, files: Iterable[tuple[str, str]], option: str = "--output-dir") -> None:
    """Write files below a folder, which is created if needed. Raises ``UsageError`` if that is not possible."""
    made = set()
    _refuse_a_way_out(directory, None, option)
    try:
        for name, text in files:
            file = os.path.join(directory, name)
            folder = os.path.dirname(file)
            if folder not in made:
                _refuse_a_way_out(directory, folder, option)
                os.makedirs(folder, exist_ok=True)
                made.add(folder)
            # A link of this name is replaced, not followed: the folder may be in an untrusted checkout.
            with tempfile.NamedTemporaryFile("wb", dir=folder, delete=False) as stream:
                stream.write(text.encode("utf-8", "backslashreplace"))
            os.chmod(stream.name, 0o644)
            os.replace(stream.name, file)
    except OSError as error:
        raise UsageError(f"{option} {directory}: cannot be written: {error.strerror}") from error


def refuse_unwritable(file: str, option: str) -> None:
    """Raise ``UsageError`` for a file that cannot be written."""
    folder = os.path.dirname(file) or "."
    if not file:
        raise UsageError(f"{option}: the file name is empty")
    if os.path.isdir(file):
        raise UsageError(f"{option} {file}: is a directory (expected a file)")
    if not os.path.isdir(folder):
        raise UsageError(f"{option} {file}: the directory {folder} does not exist")
    if not os.access(file if os.path.exists(file) else folder, os.W_OK):
        raise UsageError(f"{option} {file}: cannot be written")


def refuse_unwritable_folder(folder: str, option: str) -> None:
    """Raise ``UsageError`` for a folder that files cannot be written to. It need not exist yet."""
    if not folder:
        raise UsageError(f"{option}: the directory name is empty")
    place = os.path.abspath(folder)
    _refuse_a_way_out(folder, None, option)
    while not os.path.lexists(place):
        place = os.path.dirname(place)
    if not os.path.isdir(place):
        raise UsageError(f"{option} {folder}: {place} is not a directory")
    if not os.access(place, os.W_OK | os.X_OK):
        raise UsageError(f"{option} {folder}: cannot be written")


def _refuse_a_way_out(directory: str, folder: str | None, option: str) -> None:
    """Raise ``UsageError`` for a folder below the working directory, or below ``directory``, that is a link to elsewhere.

    A pull request may have added such a link, so the caller did not choose where it leads.
    """
    above, below = (os.getcwd(), directory) if folder is None else (directory, folder)
    named, place = os.path.abspath(above), os.path.abspath(below)
    if not _is_in(place, named) or _is_in(os.path.realpath(place), os.path.realpath(named)):
        return
    raise UsageError(f"{option} {directory}: is a link that leads out of {named}; name the target folder instead")


def _is_in(place: str, above: str) -> bool:
    return place == above or place.startswith(above.rstrip(os.sep) + os.sep)
