#!/usr/bin/env bash
# Finds a Python and hands over. Nothing is decided here.
set -euo pipefail

# A name may be there and run nothing: on Windows, python3 can be the stub that opens the Store. -I in every call: the working
# directory is the checkout, and a json.py of a pull request must not be imported.
for python in python3 python; do
  if answer="$(command -v "$python" >/dev/null 2>&1 && "$python" -I -c 'import sys; print("fine" if sys.version_info >= (3, 11) else sys.version.split()[0])' 2>/dev/null)"; then
    answer="${answer%$'\r'}"
    if [ "$answer" = fine ]; then
      exec "$python" -I -X utf8 "${GITHUB_ACTION_PATH:-$(dirname "${BASH_SOURCE[0]}")/..}/action/main.py"
    fi
    found="${found:-}${found:+, }$python is $(printf '%s' "$answer" | tr -cd '0-9.')"
  fi
done
echo "::error title=plugin-eval-ci: no Python::Python 3.11 or newer is needed (${found:-none was found}). Add a step with actions/setup-python before this one."
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  echo "conclusion=error" >>"$GITHUB_OUTPUT"
fi
exit 3
