"""The text contains characters that people cannot see but a model reads.

## What it flags

In SKILL.md, agents, commands and the text files bundled with a skill, each kind once per file:

- Characters of the Unicode tag block, which spell words invisibly. Flags of countries made with them are fine.
- Overrides of the writing direction (U+202D, U+202E; U+202B and U+2067 on a line without a right-to-left script).
- Three or more invisible characters in one word: zero-width characters, fillers, soft hyphens in a row.
  Joiners in emoji, and in Arabic, Persian, Indic, Thai and other scripts that need
  them, are fine. So are formulas, and literals of nothing but such characters.
- A single invisible character inside a tool name, a name in inline code or a command such as `curl`. In frontmatter this is an error,
  because clients read another name; elsewhere it is a warning.
- Three or more variation selectors in a row, which can carry any text behind one emoji.

## Why

Reviewers cannot reject what they cannot see. Such characters are used to slip instructions past a pull request.

## Bad

```text
Count the boxes[U+E0049 U+E0067 U+E006E U+E006F U+E0072 U+E0065].
```

## Good

```text
Count the boxes.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Document, Hit, Severity, Skill
from plugin_eval_ci.rules.base import Group

SEVERITY = Severity.ERROR
GROUP: Group = "safety"

_WORDS = {
    "tags": "invisible Unicode tag characters",
    "selectors": "variation selectors in a row, which show nothing",
    "direction": "characters that turn the writing direction, so that what is read is not what is shown",
    "zero-width": "invisible characters inside a word",
}


def check(document: Document) -> Iterator[Hit]:
    """One hit for each sort and file, where it is first met."""
    from plugin_eval_ci.analysis.safety import bundled_texts

    files = [(document.source.path, document.source.text)]
    if isinstance(document, Skill):
        files += [(file.path, file.text) for file in bundled_texts.bundled_texts(document)]
    for path, text in files:
        if text.isascii():
            continue
        from plugin_eval_ci.analysis.safety.hidden_text import hidden_in

        for found in hidden_in(text):
            severity = None
            if found.sort == "split":
                severity = None if found.in_header else Severity.WARNING
                plural = "characters are" if found.size > 1 else "character is"
                message = f"{found.size:,} invisible {plural} hidden inside the name {quote(found.spells)}"
            else:
                spelled = f"; they spell {quote(found.spells)}" if found.spells.strip() else ""
                message = f"{found.size:,} {_WORDS[found.sort]}{spelled}"
            fix = "Remove them; an editor that shows invisible characters finds them."
            yield Hit(
                found.line, message, fix, f"{found.sort} {found.digest}", found.column, path=path, severity=severity
            )
