"""Build collections from the small files beside this module."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from plugin_eval_ci.diff.changes import Settings, open_revision

from plugin_eval_ci.lint.check import check
from plugin_eval_ci.config import Config
from plugin_eval_ci.discover import find_targets
from plugin_eval_ci.model import Agent, CheckResult, Collection, Plugin, Skill
from plugin_eval_ci.parse.documents import Location, parse_agent, parse_skill
from plugin_eval_ci.parse.manifest_files import read_manifests
from plugin_eval_ci.parse.source import decode
from plugin_eval_ci.rules import all_rules, rule_named

HERE = Path(__file__).parent
FOLDERS = {rule.name: HERE / rule.name.lower() for rule in all_rules()}


def expected(rule):
    """The expected findings of a rule, by file."""
    return json.loads((FOLDERS[rule] / "expected.json").read_text("utf-8"))


def inputs():
    """Every (rule, name): single files, and trees as their top folder."""
    for rule, folder in FOLDERS.items():
        for entry in sorted(folder.iterdir()):
            if entry.name.startswith(("bad-", "good-")):
                yield rule, entry.name


def one(data, name="stock-report", agent=False, root="/nowhere"):
    """A collection of one document from its bytes."""
    path = f"agents/{name}.md" if agent else f"skills/{name}/SKILL.md"
    location = Location(f"{root}/{path}", path, root, None)
    source = decode(data, location.file, path)
    if agent:
        return Collection(root, (), (parse_agent(location, source),), (), ())
    return Collection(root, (parse_skill(location, source),), (), (), ())


def tree(root):
    """A collection of everything below a folder, as a repository."""
    (root / ".git").mkdir(exist_ok=True)
    found = find_targets((str(root),), Config())
    skills = {place.file: parse_skill(place) for place in found.skills}
    agents = {place.file: parse_agent(place) for place in found.agents}
    plugins = tuple(
        Plugin(
            place.path,
            place.name,
            1,
            tuple(skills[file] for file in place.skill_files),
            tuple(agents[file] for file in place.agent_files),
            (),
        )
        for place in found.plugins
    )
    manifests = read_manifests([place.directory for place in found.plugins], found.marketplaces, found.root)
    return Collection(
        found.root, tuple(skills.values()), tuple(agents.values()), plugins, found.problems, manifests
    )


# Where a single JSON file is put in an otherwise empty plugin.
JSON_PLACES = {
    ".plugin.json": ".claude-plugin/plugin.json",
    ".marketplace.json": ".claude-plugin/marketplace.json",
    ".hooks.json": "hooks/hooks.json",
    ".mcp.json": ".mcp.json",
}


def json_place(name):
    """The path of a single JSON input in its plugin, or None for another input."""
    return next((place for ending, place in JSON_PLACES.items() if name.endswith(ending)), None)


def plugin_with(data, place, root):
    """A collection of a plugin with one JSON file."""
    if place != JSON_PLACES[".marketplace.json"]:
        (root / ".claude-plugin").mkdir(parents=True)
        (root / ".claude-plugin" / "plugin.json").write_text('{"name": "store"}')
    (root / place).parent.mkdir(parents=True, exist_ok=True)
    (root / place).write_bytes(data)
    return tree(root)


def collection_of(rule, name, tmp_path):
    """The collection of one input of a rule."""
    place = FOLDERS[rule] / name
    if place.is_dir() and rule_named(rule).on_change is not None:
        return changed_tree(place, tmp_path / "repository")
    if place.is_dir():
        root = tmp_path / "repository"
        shutil.copytree(place, root, symlinks=True)
        return tree(root)
    if json_place(name):
        return plugin_with(place.read_bytes(), json_place(name), tmp_path / "repository")
    return one(place.read_bytes(), agent=name.endswith(".agent.md"))


def changed_tree(place, root):
    """A collection of ``after/`` in a repository whose last commit is ``before/``."""
    shutil.copytree(place / "before", root, symlinks=True, copy_function=shutil.copy)
    for words in (["init", "-q", "--template="], ["add", "-A"], ["-c", "user.name=T", "-c", "user.email=t@example.test", "commit", "-qm", "x"]):
        subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)
    for entry in root.iterdir():
        if entry.name != ".git":
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    shutil.copytree(place / "after", root, symlinks=True, dirs_exist_ok=True, copy_function=shutil.copy)
    if "moved" in place.name:  # git sees where a file went only when it knows both names
        subprocess.run(["git", "add", "-A"], cwd=root, check=True, capture_output=True)
    return tree(root)


def run(collection, *rules):
    """The result of only these rules."""
    return check(collection, Config(select=frozenset(rules)))


def shown(collection, rule) -> CheckResult:
    """What one rule shows when all run, so that a finding that another rule covers is not among it."""
    if rule_named(rule).on_change is not None:
        with open_revision((collection.root,), Settings(Config(), lambda _: Config()), "HEAD") as revision:
            return [finding for finding in revision.after.checked.findings if finding.rule == rule]
    result = check(collection, Config())
    return [finding for finding in result.findings if finding.rule == rule]


def document(collection) -> Skill | Agent:
    """The only document of a collection."""
    return (*collection.skills, *collection.agents)[0]


def line_count(collection, path):
    """Lines of a file of the collection; 1 for what is no file of it."""
    for found in (*collection.skills, *collection.agents):
        if found.source.path == path:
            return max(1, found.source.line_count)
    place = os.path.join(collection.root, path)
    return len(Path(place).read_bytes().split(b"\n")) if os.path.isfile(place) else 1
