"""The action's start, run by ``run.sh`` as ``python -I``: that leaves out this file's own folder, so the root is added here."""

import os
import sys

if os.environ.get("RUNNER_TEMP"):  # compiled modules serve the job's later steps, and nothing is written beside ours
    sys.pycache_prefix = os.path.join(os.environ["RUNNER_TEMP"], "plugin-eval-pycache")
else:
    sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from plugin_eval_ci.action.main import main

main()
