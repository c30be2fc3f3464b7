"""Files that a command leaves in a folder."""

import os
import tempfile
from collections.abc import Iterable

from plugin_eval_ci.errors import UsageError


def write(directory: str, files: Iterable[tuple[str, str]], option: str = "--output-dir") -> None:
    """Write files below a folder that is made if need be. Raises ``UsageError`` where that is not possible."""
    made = set()
    try:
        for name, text in files:
            file = os.path.join(directory, name)
            folder = os.path.dirname(file)
            if folder not in made:
                os.makedirs(folder, exist_ok=True)
                made.add(folder)
            # A link of that name is replaced, not followed: the folder may be in a checkout that is not to be trusted.
            with tempfile.NamedTemporaryFile("wb", dir=folder, delete=False) as stream:
                stream.write(text.encode("utf-8", "backslashreplace"))
            os.chmod(stream.name, 0o644)
            os.replace(stream.name, file)
    except OSError as error:
        raise UsageError(f"{option} {directory}: cannot be written: {error.strerror}") from error
