"""The model is not one that the client knows.

## What it flags

A `model` in a skill or an agent that is not an alias (`sonnet`, `inherit`) and does not begin as the name of a model does. Where
only Claude Code loads the file, the name has to be that of a Claude model. Names with a provider, ARNs, placeholders and
lists are left alone.

## Why

The client falls back to another model, or stops with an error once the agent is called.

## Bad

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
model: gpt-fast
---
```

## Good

```markdown
---
name: stock-report
description: Builds the weekly stock report. Use when someone asks for stock levels.
model: sonnet
---
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.wording import nearest, quote
from plugin_eval_ci.model import Document, Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.WARNING
GROUP: Group = "fields"

_CLAUDE = ("claude", "anthropic.", "us.", "eu.", "apac.", "jp.", "global.")
_FAMILIES = (
    *_CLAUDE, "gpt", "o1", "o3", "o4", "codex", "gemini", "gemma", "grok", "kimi", "glm", "qwen", "deepseek", "llama", "mistral",
    "minimax", "nova", "composer", "auto", "raptor", "swe", "haiku", "sonnet", "opus",
)  # fmt: skip
_OF_A_PROVIDER = ("/", ":", "@", "$", "{", "<", "(", " ")  # arn:aws:…, provider/model, ${MODEL}, GPT-5 (copilot)


def check(document: Document) -> Iterator[Hit]:
    """One hit, on the line of the model."""
    model = document.header.text("model")
    if not model or any(mark in model for mark in _OF_A_PROVIDER) or model.lower().startswith(_CLAUDE):
        return
    from plugin_eval_ci.clients import claude_code
    from plugin_eval_ci.discover.clients import OTHER, clients_of

    known, clients = claude_code().models, clients_of(document)
    if model.lower().partition("[")[0] in known or clients == (OTHER,):  # sonnet[1m]
        return
    only_claude = clients == ("claude-code",) or (isinstance(document, Skill) and "claude-code" in clients)
    if (not only_claude and model.lower().startswith(_FAMILIES)) or (model.isalpha() and nearest(model, known)):
        return  # a typing error is FIELD_VALUE
    who = "Claude Code" if only_claude else "any client known to this tool"
    message = f"model {quote(model)} is not a model or an alias of {who}"
    fix = "Write inherit, an alias such as sonnet, or the full name of a model."
    yield Hit(document.header.line("model"), message, fix, "model")
