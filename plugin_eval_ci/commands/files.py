"""Files that a command leaves in a folder."""

import os
import tempfile
from collections.abc import Iterable

from plugin_eval_ci.errors import UsageError


def write(directory: str, files: Iterable[tuple[str, str]], option: str = "--output-dir") -> None:
    """Write files below a folder that is made if need be. Raises ``UsageError`` where that is not possible."""
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
            # A link of that name is replaced, not followed: the folder may be in a checkout that is not to be trusted.
            with tempfile.NamedTemporaryFile("wb", dir=folder, delete=False) as stream:
                stream.write(text.encode("utf-8", "backslashreplace"))
            os.chmod(stream.name, 0o644)
            os.replace(stream.name, file)
    except OSError as error:
        raise UsageError(f"{option} {directory}: cannot be written: {error.strerror}") from error


def refuse_unwritable(file: str, option: str) -> None:
    """Raise ``UsageError`` where a file cannot be written, before any work is done for it."""
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
    """Raise ``UsageError`` where files cannot be written below a folder, which need not exist yet."""
    if not folder:
        raise UsageError(f"{option}: the directory name is empty")
    place = os.path.abspath(folder)
    while not os.path.lexists(place):
        place = os.path.dirname(place)
    if not os.path.isdir(place):
        raise UsageError(f"{option} {folder}: {place} is not a directory")
    if not os.access(place, os.W_OK | os.X_OK):
        raise UsageError(f"{option} {folder}: cannot be written")


def _refuse_a_way_out(directory: str, folder: str | None, option: str) -> None:
    """Raise ``UsageError`` where a folder that is named below the working directory, or below ``directory``, is a link to elsewhere.

    Such a link may be a pull request's: what it names is not the caller's choice.
    """
    above, below = (os.getcwd(), directory) if folder is None else (directory, folder)
    named, place = os.path.abspath(above), os.path.abspath(below)
    if not _is_in(place, named) or _is_in(os.path.realpath(place), os.path.realpath(named)):
        return
    raise UsageError(f"{option} {directory}: a link in it leads out of {named}; name the folder that is meant")


def _is_in(place: str, above: str) -> bool:
    return place == above or place.startswith(above.rstrip(os.sep) + os.sep)
