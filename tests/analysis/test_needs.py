"""What skills and plugins ask of their host, from files."""

import json

import pytest

from plugin_eval_ci.analysis.host_needs import HostNeeds, host_needs, manifest_needs, merge_needs, needs_change
from plugin_eval_ci.config import Config
from plugin_eval_ci.lint.evaluate import evaluate

SKILL = """---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
allowed-tools: Read, Bash(git add:*) Bash(git commit:*)
disallowed-tools: [WebFetch]
hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - type: command
          command: ./scripts/check.sh && terraform validate
---

# Stock report

Now: !`gh pr view --json title`

```bash
jq . stock.json
helper --all
check --all
```

```python
docker.run()
```

```
podman ps
```
"""
FILES = {
    "skills/stock-report/SKILL.md": SKILL,
    "skills/stock-report/scripts/check.sh": "#!/usr/bin/env bash\nhelper() { kubectl get pods; }\nhelper\nunheard x\n",
    "skills/stock-report/scripts/read.py": "import csv\n",
    "skills/stock-report/scripts/tests/test_read.rb": "x\n",
    "skills/stock-report/assets/page.php": "x\n",
    "skills/plain/SKILL.md": "---\nname: plain\ndescription: Says a word. Use when asked to.\n---\n\nText.\n",
    ".claude-plugin/plugin.json": json.dumps({"name": "store"}),
    "hooks/hooks.json": json.dumps(
        {
            "hooks": {
                "Stop": [{"hooks": [{"type": "command", "command": "npm test"}, {"type": "prompt", "prompt": "x"}]}],
                "PostToolUse": [{"matcher": "Edit", "hooks": [{"type": "http", "url": "https://x.test"}]}],
            }
        }
    ),
    ".mcp.json": json.dumps(
        {
            "mcpServers": {
                "stock": {"command": "uvx", "args": ["--token", "secret"]},
                "web": {"url": "https://user:secret@example.test/mcp?key=secret"},
                "odd": {"type": "sdk"},
            }
        }
    ),
}


@pytest.fixture
def collection(repo):
    return evaluate((str(repo(FILES)),), Config()).collection


def test_a_skill(collection):
    skill = next(one for one in collection.skills if one.name == "stock-report")
    assert host_needs(skill) == HostNeeds(
        ("Bash(git add:*)", "Bash(git commit:*)", "Read"),
        ("WebFetch",),
        ("gh pr view --json title",),
        ("PreToolUse Bash: ./scripts/check.sh && terraform validate",),
        (),
        ("bash", "gh", "jq", "kubectl", "python3", "terraform", "unheard"),
    )


def test_a_skill_that_asks_for_nothing(collection):
    skill = next(one for one in collection.skills if one.name == "plain")
    assert host_needs(skill) == HostNeeds()
    assert not host_needs(skill).any


def test_a_plugin(collection):
    needs = manifest_needs(collection.manifests, collection.plugins[0])
    assert needs.hooks == ("PostToolUse Edit: https://x.test", "Stop: npm test", "Stop: prompt")
    assert needs.servers == ("odd (of another kind)", "stock (uvx)", "web (https://example.test)")
    assert needs.programs == ("npm", "uvx")
    assert "secret" not in str(needs)
    everything = merge_needs([*map(host_needs, collection.skills), needs])
    assert everything.programs == ("bash", "gh", "jq", "kubectl", "npm", "python3", "terraform", "unheard", "uvx")


def test_change():
    before, after = HostNeeds(("Read",), programs=("git",)), HostNeeds(("Read", "Write"), programs=("jq",))
    assert needs_change(before, after) == (HostNeeds(("Write",), programs=("jq",)), HostNeeds(programs=("git",)))
    assert needs_change(None, after)[0] == after
    assert needs_change(before, None)[1] == before


def test_there_is_a_cap(repo):
    lines = "\n".join(f"tool{number} --x" for number in range(200))
    root = repo({"skills/a/SKILL.md": f"---\nname: a\ndescription: x\n---\n\n```sh\n{lines}\n```\n"})
    (skill,) = evaluate((str(root),), Config()).collection.skills
    assert len(host_needs(skill).programs) == 60
