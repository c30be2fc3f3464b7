"""Repositories made around one text or script, and what the safety rules say of them."""

import os

from plugin_eval_ci.config import Config
from plugin_eval_ci.lint.check import check
from plugin_eval_ci.lint.evaluate import evaluate
from plugin_eval_ci.rules import all_rules

DESCRIPTION = "Builds the weekly stock report. Use when someone asks for stock levels."
HEAD = f"---\nname: stock-report\ndescription: {DESCRIPTION}\n---\n\n# Stock report\n\n"
SAFETY = frozenset(rule.name for rule in all_rules() if rule.group == "safety")

__all__ = ["HEAD", "SAFETY", "check", "found_in", "place_of"]


def place_of(name):
    """Where in a plugin a text of that name belongs: the skill itself, a reference, a script, the hooks."""
    if name.endswith(".ref.md"):
        return "skills/stock-report/references/more.md"
    if name.endswith(".agent.md"):
        return "agents/stock-report.md"
    if name.endswith(".md"):
        return "skills/stock-report/SKILL.md"
    return "hooks/hooks.json" if name == "hooks.json" else f"skills/stock-report/scripts/{name}"


def found_in(root, name, text):
    """The findings of the safety rules in a plugin that holds this text, and one plain skill."""
    files = {
        ".claude-plugin/plugin.json": '{"name": "store"}',
        ".git/HEAD": "",
        "skills/stock-report/SKILL.md": HEAD + "Count the boxes.\n",
    }
    place = place_of(name)
    files[place] = HEAD + text if place.endswith("SKILL.md") or name.endswith(".agent.md") else text
    for path, content in files.items():
        file = root / path
        os.makedirs(file.parent, exist_ok=True)
        file.write_text(content, "utf-8", newline="")
    return evaluate((str(root),), Config(select=SAFETY)).checked.findings
