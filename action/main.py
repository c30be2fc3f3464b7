"""The action's start, run by ``run.sh`` as ``python -I``: that leaves out this file's own folder, so the root is added here."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from plugin_eval_ci.action.start import main

main()
