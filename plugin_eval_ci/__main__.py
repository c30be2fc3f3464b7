"""The ``plugin-eval`` command and ``python -P -m plugin_eval_ci``. Handles an interrupt before anything is loaded."""

from __future__ import annotations

import os
import sys  # both are loaded before any code of ours; what is imported below comes after the working directory is forgotten


def _forget_working_directory() -> None:
    """Drop the working directory from the import path.

    ``python -m`` puts it first, so a ``yaml.py`` or ``click/`` of the repository under test would be imported and run. What Python
    itself imports before this line it takes from there all the same: only ``-P`` or the ``plugin-eval`` command prevents that.
    """
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    try:
        cwd = os.getcwd()
    except OSError:  # it is gone, and nothing can be imported from it
        return
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or cwd) != cwd or cwd == here]


def _leave(*_: object) -> None:
    os._exit(130)


def main() -> None:
    """Load the command line and run it."""
    import signal

    before = signal.signal(signal.SIGINT, _leave)  # nothing is open yet: no traceback out of an import
    from plugin_eval_ci import cli

    signal.signal(signal.SIGINT, before)
    cli.main()


if __name__ == "__main__":
    _forget_working_directory()
    main()
