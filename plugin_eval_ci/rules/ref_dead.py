"""The skill tells its reader to open or run a file that is not there.

## What it flags

- A Markdown link or image to a file that does not exist, in SKILL.md or in a file below `references/` or `reference/` (links
  into `references/` and to other skills have rules of their own: ORPHAN_REFERENCE and DEAD_CROSS_REF).
- A path into `references/`, `scripts/` or `assets/` in inline code or plain words that the sentence tells to read or run, each of a
  list: "See `assets/plan.yml` and `assets/map.yml`". Also a file in `examples/`, `templates/` or `resources/`, in inline code.
- A comment in a code block that points to such a file: `# See references/rules.md`; a command that runs a missing script:
  `python scripts/convert.py`.
- A folder the reader is sent to: "See the `references/` folder".

It looks from the skill, from the file that holds the link, from the plugin, from every folder up to the repository's root, and from
a sibling skill that the sentence names. What is to be written ("save to `assets/plan.yml`"), here or elsewhere in the skill, what may
be missing ("if it exists"), examples, placeholders, templates in code and the reader's own files are not flagged.

## Why

The agent goes looking, finds nothing, and goes on without the detail, or makes it up.

## Bad

```markdown
See `assets/pipeline.yml` for a complete example.
```

## Good

```markdown
See `assets/pipelines/nightly.yml` for a complete example.
```

## How to turn it off

Add `REF_DEAD` to `ignore` in `.plugin-eval.yaml`, or run with `--ignore REF_DEAD`.
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.references import Reference, references_of
from plugin_eval_ci.references.nearest import nearest
from plugin_eval_ci.resolve import has_placeholder, leads_to_another
from plugin_eval_ci.rules.base import Group
from plugin_eval_ci.rules.wording import quoted

SEVERITY = Severity.WARNING
GROUP: Group = "links"
WEIGHT: float | None = None
SUBSUMES: tuple[str, ...] = ()


def check(skill: Skill) -> Iterator[Hit]:
    """Missing files, each once a file that names it."""
    seen: set[tuple[str, str]] = set()
    for reference in references_of(skill):
        path = reference.local.path
        key = (reference.file, path.rstrip("/"))
        if reference.resolution.status != "missing" or key in seen or has_own_rule(reference):
            continue
        seen.add(key)
        if has_placeholder(path):
            continue
        what = "folder" if reference.kind == "folder" else "file"
        message = f"{quoted(path)} is no {what} of this skill, its plugin or this repository"
        yield Hit(reference.line, message, _fix(skill, path), path, path=reference.file)


def has_own_rule(reference: Reference) -> bool:
    """Whether ORPHAN_REFERENCE or DEAD_CROSS_REF speaks of it: the links of SKILL.md that the methodology counts."""
    if reference.kind != "link" or reference.nested:
        return False
    return "references" in reference.local.path.rstrip("/").split("/") or leads_to_another(reference.local.path)


def _fix(skill: Skill, path: str) -> str:
    close = nearest(skill, path)
    return (
        f"Did you mean {quoted(close)}? Correct the path, or add the file."
        if close
        else "Add the file, or correct the path."
    )
