"""Where a program is. Windows looks in the working directory first, which may be a stranger's checkout with a git.exe in it."""

from __future__ import annotations

import os
from functools import cache


@cache
def program_named(name: str) -> str | None:
    """What to start for ``name``; None when Windows has no such program on its PATH."""
    return on_path(f"{name}.exe", os.environ.get("PATH", "")) if os.name == "nt" else name


def on_path(file: str, path: str) -> str | None:
    """The first ``file`` in the folders of a PATH; relative folders do not count."""
    folders = [folder.strip('"') for folder in path.split(os.pathsep)]
    places = [os.path.join(folder, file) for folder in folders if os.path.isabs(folder)]
    return next((place for place in places if os.path.isfile(place)), None)
