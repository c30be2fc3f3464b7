"""The files of a run."""

from __future__ import annotations

import os
from collections.abc import Mapping

from plugin_eval_ci.errors import UsageError


def write(folder: str, files: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """Write texts as ``output -> (name, text)`` says; returns the outputs, absolute paths. Raises ``UsageError`` for a bad folder."""
    outputs = {"output-dir": folder}
    try:
        os.makedirs(folder, exist_ok=True)
        for output, (name, text) in files.items():
            place = os.path.join(folder, name)
            with open(place, "wb") as stream:
                stream.write(text.encode("utf-8", "replace"))
            outputs[output] = place
    except OSError as error:
        raise UsageError(f"input output-dir: {folder}: {error.strerror}") from error
    return outputs
