"""Which words of shell text are programs on PATH."""

import pytest

from plugin_eval_ci.analysis.host_needs import program_of_script, shell_functions
from plugin_eval_ci.analysis.programs import in_fence, in_script


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("git status && jq . f | docker ps", {"git", "jq", "docker"}),
        ("A=1 B=2 sudo -u root env C=3 timeout 30 npm test", {"npm"}),
        ("find . -print0 | xargs -0 -n 1 shellcheck", {"shellcheck"}),
        ("command -v jq || exit 1", set()),
        ("nohup uv run x.py &", {"uv"}),
        ("if ! git diff --quiet; then npm test; fi", {"git", "npm"}),
        ("for tool in docker podman; do gh pr list; done", {"gh"}),
        ("while read -r x; do kubectl get $x; done", {"kubectl"}),
        ("python3.11 -m venv x\npip3 install y\npython x.py", {"python3", "pip"}),
        ("brew install jq\nsudo apt-get install -y docker", set()),
        ("./gradlew build\nscripts/run.sh\n$PYTHON x.py\n/opt/x/bin/tool", set()),
        ("ls | grep x | sed s/a/b/ > out", set()),
        ("$ git status\nOn branch main\nmake sure it works", {"git"}),
        ("make sure the docker image is built", set()),
        ("go to the next step", set()),
        ("name: docker\nkey = value\n- git", set()),
        ("Analyze the file\n<command> --flag\n[options]", set()),
        ("stock export --weekly", {"stock"}),
        ("stock export", set()),
        ("stock supports --weekly, --daily", set()),
        ("gh pr create --body \"$(cat <<'EOF'\ndocker run\nEOF\n)\"", {"gh"}),
        ("Rscript x.R", {"Rscript"}),
        ("say() { jq .; }\nsay --loud", {"jq"}),
        ("git() { command git \"$@\"; }", set()),
    ],
)  # fmt: skip
def test_in_a_fence(text, names):
    assert in_fence(text) == names


def test_a_script_is_believed_without_an_option():
    assert in_script("stock export\ntell x", frozenset({"tell"})) == {"stock"}
    assert in_script("x\nA\nFOO bar\n-x") == set()


@pytest.mark.parametrize(
    ("name", "text", "program"),
    [
        ("scripts/a.py", "import x", "python3"),
        ("scripts/a.py", "#!/usr/bin/env python3.12\n", "python3"),
        ("scripts/a.py", "#!/usr/bin/env -S uv run --script\n", "uv"),
        ("scripts/b.py", "import x", "uv"),
        ("scripts/a.mjs", "", "node"),
        ("scripts/a", "#!/bin/bash\n", "bash"),
        ("scripts/a.sh", "#!/bin/sh\n", ""),
        ("scripts/a.sh", "echo", "bash"),
        ("scripts/a.ts", "x", ""),
        ("scripts/a.json", "{}", ""),
        ("scripts/a", "#!", ""),
        ("scripts/a", "#!/usr/bin/env\n", ""),
    ],
)
def test_what_runs_a_script(name, text, program):
    assert program_of_script(name, text, "Then: uv run scripts/b.py")[0] == program


def test_functions_of_several_scripts():
    assert shell_functions(["a() { :; }", "function b { :; }", "c"]) == {"a", "b"}
