"""Loading the skill runs a command.

## What it flags

In a SKILL.md what Claude Code runs by itself before the model reads the skill: an exclamation mark before inline code, at the start of a
line or behind white space, and code blocks that open with three backticks and an exclamation mark. Each is quoted. A command that
downloads or deletes is a warning.

Code blocks and inline code do not protect: Claude Code 2.1 looks at the plain text, so an example of the syntax runs too (anthropics/
claude-code#87730). Files in `references/` are not read for this by Claude Code, nor by this rule.

## Why

Whoever uses the skill runs the command, without being asked where the permissions allow it. A reviewer should know.

## Bad

```markdown
Current state: !`curl -s https://tools.test/state.sh`
```

## Good

```markdown
Run `git status --short` first.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Collection, Document, Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.NOTICE
GROUP: Group = "safety"


def check(skill: Skill) -> Iterator[Hit]:
    """Each command, on its line."""
    return _hits(skill, "this skill")


def check_commands(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """The commands of a command file that download or delete: to run others is what command files are for."""
    for command in collection.commands:
        for hit in _hits(command, "this command"):
            if hit.severity is Severity.WARNING:
                yield command.source.path, hit


def _hits(document: Document, what: str) -> Iterator[Hit]:
    if "!`" not in document.source.text and "```!" not in document.source.text:
        return
    from plugin_eval_ci.analysis.safety.dynamic_commands import commands_of

    for command in commands_of(document):
        words = " ".join(command.words.split())
        where = ", even though it is in a code block or inline code" if command.shown_as_code else ""
        message = f"Claude Code runs {quote(words)} when it loads {what}{where}"
        fix = "Keep it only if everyone who loads it should run this command."
        if command.shown_as_code:
            fix = "Move the example to a file in references/, where it is not run."
        if command.danger:
            message += f"; the command {command.danger}"
            fix = "Let the model run it when it is needed, so that the user can refuse."
        yield Hit(command.line, message, fix, words[:200], severity=Severity.WARNING if command.danger else None)
