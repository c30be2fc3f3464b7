"""Two skills of one plugin are described in much the same words.

## What it flags

Two skills that load together and whose descriptions share most of their telling words: rare words count more than common ones (TF-IDF,
cosine of at least 0.40). The finding stands on the later of the two.

Nothing is said of two skills of which one names the other, of one that the model does not pick by itself (`disable-model-invocation`), or
where each has its own subject in its name and its description: `paypal-payments` and `stripe-payments`.

## Why

The model picks by the descriptions. Between two that say the same it picks by chance.

## Bad

```yaml
name: stock-report
description: Builds the weekly stock report from the warehouse export. Use when someone asks for stock levels.
---
name: stock-summary
description: Sums up the weekly stock from the warehouse export. Use when someone asks for stock levels.
```

## Good

```yaml
name: stock-report
description: Builds the weekly stock report from the warehouse export. For the short form use stock-summary.
```
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from plugin_eval_ci.analysis.headers import says_true, value_of
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Collection, Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.NOTICE
GROUP: Group = "content"

_LEAST = 0.40
_MOST = 3  # of one skill; whoever has more has seen the point
# What a name writes one way and a description another: "golang-testing" tests Go.
_ALSO = {
    "golang": "go", "go": "golang", "csharp": "c#", "fsharp": "f#", "cpp": "c++", "dotnet": ".net", "js": "javascript",
    "ts": "typescript", "py": "python", "k8s": "kubernetes", "rb": "ruby", "rn": "react native", "gcp": "google cloud",
}  # fmt: skip


def check(collection: Collection) -> Iterator[tuple[str, Hit]]:
    """One hit for each pair, at the later skill."""
    skills = [skill for skill in collection.skills if len(skill.description) >= 40 and _is_picked(skill)]
    if len(skills) < 2:
        return
    from plugin_eval_ci.analysis.overlap import similar_texts

    said: dict[int, set[str]] = {}
    members = {skill.source.file: plugin.path for plugin in collection.plugins for skill in plugin.skills}
    groups = [members.get(skill.source.file) or os.path.dirname(skill.directory) for skill in skills]
    for earlier, later, likeness in similar_texts(
        [f"{skill.description} {skill.when_to_use}" for skill in skills], _LEAST, groups
    ):
        one, two = skills[earlier], skills[later]
        names = said.setdefault(later, {two.name})
        if len(names) <= _MOST and one.name not in names and not _are_told_apart(one, two):
            names.add(one.name)
            message = f"the description is very similar to that of {quote(one.name)} (likeness {likeness:.2f})"
            fix = "Say in each how it differs from the other, or merge them."
            yield two.source.path, Hit(two.header.line("description"), message, fix, one.name)


def _is_picked(skill: Skill) -> bool:
    return skill.header.problem is None and not says_true(value_of(skill, "disable-model-invocation"))


def _are_told_apart(one: Skill, two: Skill) -> bool:
    """Whether one names the other, or each has a subject of its own in its name and in its description only."""
    if re.search(rf"(?<![\w-]){re.escape(two.name)}(?![\w-])", one.description) or re.search(
        rf"(?<![\w-]){re.escape(one.name)}(?![\w-])", two.description
    ):
        return True
    return _has_subject(one, two) and _has_subject(two, one)


def _has_subject(one: Skill, two: Skill) -> bool:
    mine, theirs = one.description.lower(), two.description.lower()
    own = set(one.name.lower().split("-")) - set(two.name.lower().split("-"))
    return any(_speaks_of(mine, word) and not _speaks_of(theirs, word) for word in own if len(word) > 1)


def _speaks_of(text: str, word: str) -> bool:
    """Whether a description speaks of a word of a name, whole, in its other spelling, or in two words ("Spring Boot")."""
    other = _ALSO.get(word, word)
    if re.search(rf"(?<![\w.]){re.escape(other)}(?![\w+#])", text):
        return True
    return (len(word) > 3 and word[:5] in text) or (len(word) > 6 and word in text.replace(" ", "").replace("-", ""))
