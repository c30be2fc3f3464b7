"""What clients accept is dated data: every profile says since when and from where."""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
from pathlib import Path

import pytest

from plugin_eval_ci import clients
from plugin_eval_ci.analysis.headers import PORTABLE

FOLDER = Path(clients.__file__).parent
NAMES = sorted(file.stem for file in FOLDER.glob("*.json") if file.stem not in ("loading", "models"))
FIELDS = set(clients.Profile._fields)
TYPES = {"text", "boolean", "words", "mapping", "number"}


@pytest.mark.parametrize("name", NAMES)
def test_a_profile_has_a_date_and_a_source_and_nothing_misspelled(name):
    data = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    assert data["name"] == name
    assert datetime.date.fromisoformat(data["date"]) <= datetime.date(2030, 1, 1)
    assert data["source"].strip() and not data["source"].startswith("/")
    assert set(data) <= FIELDS
    for table in data.get("keys", {}).values():
        assert all(set(types) <= TYPES for types in table.values())


def test_the_clients():
    assert {"agent-skills", "claude-code", "codex", "copilot", "cursor", "gemini"} <= set(NAMES)
    assert [profile.name for profile in clients.profiles()] == NAMES


def test_the_portable_keys_are_the_specification_s():
    spec = next(profile for profile in clients.profiles() if profile.name == "agent-skills")
    assert set(spec.keys["skill"]) == PORTABLE


def test_every_profile_is_packaged():
    project = (FOLDER.parents[1] / "pyproject.toml").read_text("utf-8")
    assert '"clients/*.json"' in project


def test_a_type_is_certain_only_when_every_client_that_knows_the_key_has_one():
    assert clients.types_of("skill", "argument-hint") == {"text"}
    assert clients.types_of("skill", "metadata") == frozenset()
    assert clients.types_of("skill", "no-such-key") == frozenset()


def test_entries_of_a_marketplace_have_the_keys_of_plugins_too():
    assert {"source", "strict", "version", "skills"} <= clients.known_keys("entry")


LOADED = """
import sys
from plugin_eval_ci.cli import run
run(["lint", "--isolated", "--fail-on", "never", sys.argv[1]])
print(sorted(set(sys.modules) & {"json", "plugin_eval_ci.clients", "plugin_eval_ci.parse.json_lines",
    "plugin_eval_ci.parse.manifest_files"}))
"""


def test_one_skill_loads_neither_json_nor_a_profile(repo, skill_text):
    root = repo({".claude-plugin/plugin.json": "{", "skills/stock-report/SKILL.md": skill_text()})
    file = root / "skills" / "stock-report" / "SKILL.md"
    command = [sys.executable, "-c", LOADED, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=FOLDER.parents[1])
    assert done.stdout.strip().splitlines()[-1:] == ["[]"], done.stdout + done.stderr
