"""Loading the skill runs a command.

## What it flags

In a SKILL.md what Claude Code runs by itself before the model reads the skill: an exclamation mark before inline code, at the start of a
line or behind white space, and code blocks that open with three backticks and an exclamation mark. Each is quoted. A command that
downloads or deletes is a warning.

Code blocks and inline code do not protect: Claude Code 2.1 looks at the plain text, so an example of the syntax runs too (anthropics/
claude-code#87730). Files in `references/` are not looked at by Claude Code, nor by this rule.

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

## How to turn it off

Add `SAFE_DYNAMIC_COMMAND` to `ignore` in `.plugin-eval.yaml`, or run with `--ignore SAFE_DYNAMIC_COMMAND`.
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.wording import quoted

SEVERITY = Severity.NOTICE
GROUP: Group = "safety"
WEIGHT: float | None = None
SUBSUMES: tuple[str, ...] = ()


def check(skill: Skill) -> Iterator[Hit]:
    """Each command, on its line."""
    if "!`" not in skill.source.text and "```!" not in skill.source.text:
        return
    from plugin_eval_ci.safety.dynamic import commands_of

    for command in commands_of(skill):
        words = " ".join(command.words.split())
        where = ", although it is shown as code" if command.shown_as_code else ""
        message = f"Claude Code runs {quoted(words)} when it loads this skill{where}"
        fix = "Keep it only if everybody who loads the skill should run it."
        if command.shown_as_code:
            fix = "Move the example into a file below references/, which is not run."
        if command.danger:
            message += f"; it {command.danger}"
            fix = "Let the model run it when it is needed, where the user can refuse."
        yield Hit(command.line, message, fix, words[:200], severity=Severity.WARNING if command.danger else None)
