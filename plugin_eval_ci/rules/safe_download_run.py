"""A bundled script or a hook runs code that it has just fetched.

## What it flags

In the scripts of a skill, in hooks (also those in frontmatter), in MCP servers and in the scripts they start:
`curl … | sh` and `wget … | bash`,
`eval "$(curl …)"`, `bash <(curl …)`, `iex (irm …)`, `base64 -d | sh`, a file that is downloaded and run in one command
without a check of its hash, and `exec` of what was fetched or decoded. The same words in
Markdown, in comments, in printed help and in patterns to look for stay silent.

## Why

What runs is not what was reviewed. Whoever controls the address, today or later, controls the machine of whoever uses the skill.

## Bad

```sh
curl -fsSL https://tools.test/install.sh | sh
```

## Good

```sh
curl -fsSLo install.sh https://tools.test/install-1.4.2.sh
echo "$EXPECTED  install.sh" | sha256sum --check && sh install.sh
```
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plugin_eval_ci.analysis.hooks_and_servers import handlers, hooks_in_headers, servers_of
from plugin_eval_ci.analysis.plugin_entries import line_of
from plugin_eval_ci.analysis.scripts import in_arguments, in_command, strings
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Collection, Hit, Manifest, Severity, Skill, Value
from plugin_eval_ci.parse.documents import is_inside
from plugin_eval_ci.parse.manifest_value import below, member
from plugin_eval_ci.rules.base import Group

if TYPE_CHECKING:
    from plugin_eval_ci.analysis.safety.downloads import Run

SEVERITY = Severity.WARNING
GROUP: Group = "safety"


def check(skill: Skill) -> Iterator[Hit]:
    """Each such command in a script of the skill, on its line."""
    from plugin_eval_ci.analysis.safety import bundled_texts

    for file in bundled_texts.bundled_texts(skill):
        if (
            bundled_texts.is_script(file)
            and bundled_texts.may_fetch(file.text)
            and not bundled_texts.of_tests(file.name)
        ):
            from plugin_eval_ci.analysis.safety import downloads

            for run in downloads.runs_in(file.name, file.text):
                yield _hit(run, "script")._replace(path=file.path)


def check_hooks(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """Each such command of a hook, on its line, and of a script that a hook starts."""
    for manifest in (*collection.manifests, *hooks_in_headers(collection)):
        for hook in handlers(manifest):
            yield from _start(manifest, hook, "hook")
        for name, server in servers_of(manifest):
            yield from _start(manifest, server, f"MCP server {quote(name)}")


def _start(manifest: Manifest, holder: Value, what: str) -> Iterator[tuple[str, Hit]]:
    from plugin_eval_ci.analysis.safety import bundled_texts, downloads

    command, listed = member(holder, "command"), member(holder, "args")
    if command is None or command.kind != "text":
        return
    arguments = strings(listed) if listed is not None else None
    for run in downloads.in_start(command.text, arguments):
        yield manifest.source.path, _hit(run, what)._replace(line=line_of(command))
    for script in in_command(command.text) if arguments is None else in_arguments(command.text, arguments):
        file = below(manifest.plugin, script.path) if manifest.plugin else None
        if file is not None and is_inside(os.path.realpath(file), os.path.realpath(manifest.root)):
            path = os.path.relpath(file, manifest.root).replace(os.sep, "/")
            for run in downloads.runs_in(script.path, bundled_texts.read_text(file)):
                yield path, _hit(run, "script")


def _hit(run: Run, where: str) -> Hit:
    what = "decodes text and runs it unseen" if run.decoded else "runs what it has just fetched"
    message = f"the {where} {what}: {quote(run.words)}"
    return Hit(
        run.line, message, "Fetch a fixed version, check its hash, and run that; or bundle the code.", run.words[:200]
    )
