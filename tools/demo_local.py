"""A skill certified by a small real model on this machine: no key, and no network once the model is there. make demo-local

The Monte Carlo layer measures real replies. The judge is a model of 135 million parameters that has no structured output: mostly it
ends as unmeasured, which is what has to happen.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from local_model import AT_ONCE, MODEL, ROOT, UnavailableError, serving

SKILL = "examples/every-anti-pattern/skills/customer-replies"  # short: every run reads it


def main() -> int:
    words = ["certify", SKILL, "--concurrency", str(AT_ONCE), "--deadline", "1200", *sys.argv[1:]]
    try:
        with serving() as url, tempfile.TemporaryDirectory() as cache:
            models = {f"PLUGIN_EVAL_MODEL_{tier}": MODEL for tier in ("HAIKU", "SONNET", "OPUS")}
            environment = os.environ | models | {"ANTHROPIC_BASE_URL": url, "PLUGIN_EVAL_CACHE": cache}
            for secret in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
                environment.pop(secret, None)
            print(f"$ plugin-eval {' '.join(words)}", flush=True)
            return subprocess.run(
                [sys.executable, "-m", "plugin_eval_ci", *words], cwd=ROOT, env=environment
            ).returncode
    except UnavailableError as error:
        print(error, file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
