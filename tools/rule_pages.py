"""Write docs/rules/NAME.md from each rule's docstring, and the index; ``--check`` only says what is stale."""

import re
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from plugin_eval_ci.lint.fix import FIXABLE  # noqa: E402
from plugin_eval_ci.rules import Rule, all_rules  # noqa: E402
from plugin_eval_ci.rules.base import doc_of  # noqa: E402

FOLDER = ROOT / "docs" / "rules"
RULES = ROOT / "plugin_eval_ci" / "rules"
ABOUT = {
    "anti-pattern": "What the methodology counts. Each finding lowers the score by 5 %, down to a half.",
    "portability": "What other clients do not understand. These lower one sub-score and do not count as anti-patterns.",
    "header": "The frontmatter: where it begins and ends, and whether it can be read.",
    "name": "The name of a skill or an agent.",
    "description": "The description, by which a model decides whether to load the skill.",
    "fields": "The other fields of the frontmatter.",
    "file": "The file itself.",
    "links": "Links on disk.",
    "layout": "Where skills are, and whether a client finds and lists them.",
    "manifest": "The JSON files of plugins and marketplaces: plugin.json, marketplace.json, hooks and MCP servers.",
    "comments": "Comments and settings for this tool.",
    "content": "The text below the frontmatter, and text that is there twice.",
    "safety": "What a text or a script could do to you. Text that only describes an attack is not reported.",
}


def page(rule: Rule) -> str:
    """The docs page of one rule."""
    title, _, rest = docstring(rule).partition("\n")
    facts = [f"**Severity** {rule.severity.word}", f"**Group** {rule.group}", f"**Looks at** {scope(rule)}"]
    if rule.weight is not None:
        facts.append(f"**Weight** {rule.weight:.2f}")
    text = f"# {rule.name}\n\n{title}\n\n{' · '.join(facts)}\n"
    if rule.name in FIXABLE:
        text += f"\n**Fixable** `plugin-eval lint --fix` {FIXABLE[rule.name]}.\n"
    text += f"{rest.rstrip()}\n"
    if rule.subsumes:
        others = ", ".join(f"[{name}]({name}.md)" for name in rule.subsumes)
        text += f"\n## Shown instead of\n\n{others}: the same cause, counted for the score and not shown again.\n"
    return text


def index() -> str:
    """The table of all rules, group by group."""
    text = "# Rules\n\nWritten by `tools/rule_pages.py`. `plugin-eval explain NAME` prints a page, and `--select` and `--ignore` take names of rules and groups.\n"
    text += "\n**Fix**: `plugin-eval lint --fix` fixes it if there is exactly one right answer. The page tells you what it does.\n"
    for group, about in ABOUT.items():
        text += (
            f"\n## {group.capitalize()}\n\n{about}\n\n| Rule | Severity | Fix | What it finds |\n|---|---|---|---|\n"
        )
        for rule in all_rules():
            if rule.group == group:
                title = docstring(rule).partition("\n")[0].replace("|", "\\|")
                text += f"| [{rule.name}]({rule.name}.md) | {rule.severity.word} | {'fix' if rule.name in FIXABLE else ''} | {title} |\n"
    return text


def docstring(rule: Rule) -> str:
    """The rule's page: the docstring of its module, and how to turn it off."""
    import_module(rule.module)
    return doc_of(rule)


def scope(rule: Rule) -> str:
    """What the rule is about, in words."""
    if rule.on_skill:
        return "skills"
    if rule.on_agent:
        return "agents"
    if rule.on_manifest:
        return "manifests"
    if rule.on_ignore:
        return "ignore comments"
    if rule.on_change:
        return "a change against a base"
    return "skills and agents" if rule.on_document else "everything together"


def pages() -> dict[str, str]:
    """File name -> text of everything in docs/rules."""
    return {"README.md": index(), **{f"{rule.name}.md": page(rule) for rule in all_rules()}}


def unlisted(folder: Path = RULES) -> list[str]:
    """What to do about each file of a rule that no tuple lists; such a rule would never run."""
    listed = {rule.name.lower() for rule in all_rules()}
    rules = {
        file.stem for file in folder.glob("*.py") if re.search(r"^SEVERITY\b", file.read_text("utf-8"), re.MULTILINE)
    }
    return [
        f"plugin_eval_ci/rules/{name}.py is not listed, so the rule never runs: import it in rules/single.py and add it to SINGLE"
        f" (or to ACROSS in rules/across.py if it compares files or reads manifests)"
        for name in sorted(rules - listed)
    ]


def main(arguments: list[str], folder: Path = FOLDER) -> int:
    """Write the pages, or with ``--check`` report those that differ; 1 when any does, or when a rule is not listed."""
    if faults := unlisted():
        print("\n".join(faults))
        return 1
    wanted = pages()
    there = {file.name: file.read_text("utf-8") for file in folder.glob("*.md")} if folder.is_dir() else {}
    stale = sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))
    if "--check" in arguments:
        for name in stale:
            print(f"docs/rules/{name} is stale; run python tools/rule_pages.py")
        return 1 if stale else 0
    folder.mkdir(parents=True, exist_ok=True)
    for name in stale:
        if name in wanted:
            (folder / name).write_text(wanted[name], "utf-8", newline="\n")
        else:
            (folder / name).unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
