"""A key, a token or a private key is stored in the repository.

## What it flags

In SKILL.md, agents, commands, manifests, hooks, `.mcp.json` and every text file bundled with a skill:
keys and tokens of AWS, GitHub, GitLab, Slack, Google, OpenAI,
Anthropic, Stripe (live), npm, PyPI and Hugging Face, signed tokens (JWT), and private keys. A token needs its known prefix, its
length and alphabet, and the disorder of something drawn at random. Only its first 4 characters and its length are ever printed.

Examples, placeholders, variables, redacted forms, test keys (`sk_test_…`), what its own line calls fake, and files of tests stay silent.

## Why

Whoever can read the repository can use the key, and so can whoever installs the plugin. Removing it in a later commit does not help:
it stays in the history.

## Bad

```text
export NPM_TOKEN=npm_ and 36 more letters and digits
```

## Good

```text
export NPM_TOKEN="$(cat ~/.npm-token)"
```
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from plugin_eval_ci.model import Document, Hit, Manifest, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "safety"

_MOST = 20  # of one file


def check(document: Document) -> Iterator[Hit]:
    """Each secret, on its line, in the document and in the files bundled with it."""
    from plugin_eval_ci.analysis.safety import bundled_texts

    files = [(document.source.path, document.source.text)]
    if isinstance(document, Skill):
        files += [
            (file.path, file.text)
            for file in bundled_texts.bundled_texts(document)
            if not bundled_texts.of_tests(file.name)
        ]
    for path, text in files:
        yield from _in_text(text, path)


def check_manifest(manifest: Manifest) -> Iterator[Hit]:
    """Each secret in a manifest, a hooks file or a list of MCP servers."""
    if not manifest.inline:
        yield from _in_text(manifest.source.text, "")


def _in_text(text: str, path: str) -> Iterator[Hit]:
    from plugin_eval_ci.analysis.safety import secrets

    for found in islice(secrets.secrets_in(text), _MOST):
        message = f"this looks like {found.kind}: '{found.start}…', {found.length:,} characters"
        fix = "Revoke it, then remove it; read it from the environment instead."
        yield Hit(found.line, message, fix, f"{found.kind.partition(' ')[2]} {found.digest}", path=path)
