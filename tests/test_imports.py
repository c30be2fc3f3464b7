"""What a run loads: a hook starts on every commit and reads strangers' files, so it imports little and opens no connection."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Repo = Callable[..., Path]

NEVER = {
    "scipy", "numpy", "anthropic", "httpx", "httpx2", "requests", "urllib3", "aiohttp", "asyncio", "http.client",
    "urllib.request", "ssl", "socket",
    "importlib.metadata", "pydantic", "rich", "typer", "concurrent.futures", "multiprocessing", "subprocess",
    "unittest", "pytest", "hypothesis",
    "xml.etree.ElementTree", "email.message", "sqlite3", "ctypes", "pdb", "doctest", "plugin_eval_ci.git", "plugin_eval_ci.github", "plugin_eval_ci.evals", "plugin_eval_ci.stats",
    "plugin_eval_ci.evals.trials", "plugin_eval_ci.evals.traces",
    "plugin_eval_ci.scoring.measured", "plugin_eval_ci.scoring.static.code_templates", "plugin_eval_ci.report.page.trials",
    "plugin_eval_ci.report.trials.layout", "plugin_eval_ci.report.trials.text", "plugin_eval_ci.report.trials.json",
}  # fmt: skip
PROBE = """
import json, sys
opened = []
def watch(event, details):
    if event.split(".")[0] in ("socket", "subprocess", "os.system", "os.exec", "os.posix_spawn", "os.fork", "urllib", "http"):
        opened.append(event)
    if event == "open" and isinstance(details[1], str) and set(details[1]) & set("wax+"):
        opened.append(f"{event} {details[0]}")
sys.addaudithook(watch)
sys.dont_write_bytecode = True
from plugin_eval_ci import cli
code = cli.run(sys.argv[1:])
sys.stdout.flush()
print(json.dumps({"code": code, "opened": opened, "modules": sorted(sys.modules)}), file=sys.stderr)
"""


def probe(root: Path, *words: str) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-I", "-c", PROBE, *words], cwd=root, capture_output=True, text=True, timeout=60
    )
    answer: dict[str, object] = json.loads(done.stderr.splitlines()[-1])
    return answer


COMMANDS = [
    ["lint", "--hook"],
    ["lint", "--format", "json"],
    ["score", "skills/stock-report", "--depth", "quick"],
    ["score", "skills/stock-report", "--depth", "quick", "--output", "json"],
    ["report"],
    ["report", "--output", "markdown", "--shard", "1/2"],
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_what_is_not_loaded_and_not_opened(repo: Repo, skill_text: Callable[..., str], words: list[str]) -> None:
    if words[0] == "score":
        pytest.importorskip("plugin_eval_ci.commands.score")
    root = repo(
        {
            "skills/stock-report/SKILL.md": skill_text(body="[x](references/gone.md)"),
            "skills/b/SKILL.md": "---\nname: [\n---\n",
        }
    )
    answer = probe(root, *words)
    assert answer["code"] in (0, 1)
    assert answer["opened"] == []
    loaded = {str(name) for name in answer["modules"]}  # type: ignore[attr-defined]
    assert {name for name in NEVER for module in loaded if module == name or module.startswith(name + ".")} == set()
    assert not {
        name
        for name in loaded
        if name.startswith(("test", "_pytest", "plugin_eval_ci.git", "plugin_eval_ci.github", "plugin_eval_ci.evals"))
    }


def test_a_hook_loads_no_report_it_does_not_print(repo: Repo, skill_text: Callable[..., str]) -> None:
    answer = probe(repo({"skills/stock-report/SKILL.md": skill_text()}), "lint", "--hook")
    ours = {str(name) for name in answer["modules"] if str(name).startswith("plugin_eval_ci")}  # type: ignore[attr-defined]
    assert not {
        name
        for name in ours
        if name.endswith("model_options")
        or "json" in name
        or "markdown" in name.removeprefix("plugin_eval_ci.parse.")
        or "score" in name
    } - {"plugin_eval_ci.parse.markdown"}
