"""``python -m plugin_eval_ci``: the same door as the ``plugin-eval`` command."""

import os
import sys


def _forget_working_directory() -> None:
    """Drop the working directory from the import path.

    ``python -m`` puts it first, so a ``yaml.py`` or ``click/`` of the repository under test would be imported and run.
    """
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    cwd = os.getcwd()
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or cwd) not in {cwd} or cwd == here]


_forget_working_directory()

from plugin_eval_ci.cli import main  # noqa: E402

if __name__ == "__main__":
    main()
