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
