"""The skill tells its reader to open or run a file that is not there.

## What it flags

- A Markdown link or image to a file that does not exist, in SKILL.md or in a file below `references/` or `reference/` (links
  into `references/` and to other skills have rules of their own: ORPHAN_REFERENCE and DEAD_CROSS_REF).
- A path into `references/`, `scripts/`, `assets/` or another folder of the skill, in inline code, quotes or plain words, that the
  sentence tells to read or run: "See `assets/plan.yml` and `assets/map.yml`", "Details: references/plan.md", `@references/plan.md`.
- Such a path at the beginning of a list item or in a table cell: "- `scripts/convert.py`: converts the export".
- A comment in a code block that points to such a file: `# See references/rules.md`; a command that runs a missing script:
  `python scripts/convert.py`.
- A folder the reader is sent to: "See the `references/` folder".
- A file in a tree of the skill's own folder, or a bare name in a list of files, when the other files of the tree or list exist.
- A numbered list of bare file names that all lie in a folder which the list does not name (a notice).

It looks from the skill, from the file that holds the link, from the plugin, from every folder up to the repository's root, and from
a sibling skill that the sentence names. What is to be written ("save to `assets/plan.yml`"), here or elsewhere in the skill, what the
skill shows in full, what may be missing ("if it exists"), examples, placeholders, templates in code and files of other projects (after
`git clone … && cd`, over `ssh`, "from the root of the checkout") are not flagged. Neither is a skill whose folder is a template
(`template`, `templates/NAME`, `skill-template`).

A missing link target is an error. A path in code or in words is a warning.

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
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.placeholders import is_template
from plugin_eval_ci.analysis.references import Reference, references_of
from plugin_eval_ci.analysis.references.bundle import nearest
from plugin_eval_ci.analysis.references.types import BUNDLE_FOLDERS
from plugin_eval_ci.analysis.resolve import has_placeholder, leads_to_another
from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.WARNING
GROUP: Group = "links"


def check(skill: Skill) -> Iterator[Hit]:
    """Missing files, each once a file that names it."""
    seen: set[tuple[str, str]] = set()
    for reference in references_of(skill) if not is_template(skill) else ():
        path = reference.local.path
        key = (reference.file, path.rstrip("/"))
        if reference.resolution.status != "missing" or key in seen or has_own_rule(reference):
            continue
        seen.add(key)
        if has_placeholder(path) or (reference.kind == "link" and _is_sample(reference.target)):
            continue
        severity = Severity.ERROR if reference.kind == "link" else None
        close = nearest(skill, path)
        if close and reference.file.endswith(f"/{close}"):  # the very file that has the path
            close = ""
        message = f"{quote(path)} does not exist in this skill, its plugin or this repository"
        fix = "Add the file, or correct the path."
        if close:
            fix = f"Did you mean {quote(close)}? Correct the path, or add the file."
        if "/" not in path and reference.kind == "code" and close.endswith(f"/{path}"):
            severity, message = Severity.NOTICE, f"{quote(path)} is not next to SKILL.md, it is in {quote(close)}"
            fix = f"Write {quote(close)}, and do the same for the other names in this list."
        yield Hit(reference.line, message, fix, path, path=reference.file, severity=severity)


def has_own_rule(reference: Reference) -> bool:
    """Whether ORPHAN_REFERENCE or DEAD_CROSS_REF speaks of it: the links of SKILL.md that the methodology counts."""
    if reference.kind != "link" or reference.nested:
        return False
    return "references" in reference.local.path.rstrip("/").split("/") or leads_to_another(reference.local.path)


def _is_sample(target: str) -> bool:
    """Whether a link target is a word such as ``url`` or ``internal-link`` that shows how links are written."""
    return (
        target.replace("-", "").replace("_", "").isalpha() and target == target.lower() and target not in BUNDLE_FOLDERS
    )
