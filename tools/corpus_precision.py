"""What ``corpus.py`` prints of the hand check, and the tables it puts into docs/precision.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corpus_checked import FEW, LEAST_REFERENCES, LEAST_RULE, References, Row


def show(found: References, rows: Sequence[Row], gone: int) -> None:
    """Both tables, each miss and each false finding, and what is still to be looked at."""
    print("References that lead nowhere, all rules about them together")
    for line in _references(found):
        print(f"  {line}")
    print(
        f"\nBy hand: {'rule':<24}{'severity':<9}{'findings':>9}{'checked':>9}{'true':>6}{'debatable':>11}{'false':>7}"
    )
    for row in rows:
        numbers = f"{row.findings:>9}{row.checked:>9}{row.true:>6}{len(row.debatable):>11}{len(row.false):>7}"
        print(f"         {row.rule:<24}{row.severity.word:<9}{numbers}  {_note(row)}".rstrip())
    for what in ("false", "debatable"):
        for row in rows:
            for name in row.false if what == "false" else row.debatable:
                print(f"  {what}: {row.rule}: {name}")
    stale = [key for row in rows for key in row.stale]
    print(f"  stale: {len(stale)} findings not yet checked" if stale else "  every sample is checked")
    for key in stale:
        print(f"    {' '.join(key)}")
    if gone:
        print(f"  {gone} verdicts about findings that are no more")
    print()


def _references(found: References) -> Iterator[str]:
    yield f"{found.found} of {found.known} found: recall {found.recall:.1%} (at least {LEAST_REFERENCES:.0%})"
    yield (
        f"{found.reported - len(found.false)} of {found.reported} reported are dead: precision {found.precision:.1%}"
        f" (at least {LEAST_REFERENCES:.0%})"
    )
    yield from (f"missed: {name}" for name in found.missed)
    yield from (f"false: {name}" for name in found.false)


def _note(row: Row) -> str:
    notes = ["few"] if row.findings < FEW else []
    if row.fails:
        notes.append(f"below {LEAST_RULE:.0%}")
    if row.stale:
        notes.append(f"stale: {len(row.stale)} findings not yet checked")
    return ", ".join(notes)


def page(found: References, rows: Sequence[Row]) -> str:
    """The figures as Markdown."""
    parts = ["```text", *_references(found), "```", ""]
    parts += ["| rule | severity | findings | checked | true | debatable | false | |"]
    parts += ["| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |"]
    for row in rows:
        rule = f"[{row.rule}](rules/{row.rule}.md)"
        numbers = f"{row.findings} | {row.checked} | {row.true} | {len(row.debatable)} | {len(row.false)}"
        parts.append(f"| {rule} | {row.severity.word} | {numbers} | {_note(row)} |")
    for title, names in (
        ("False", [f"{row.rule}, {name}" for row in rows for name in row.false]),
        ("Debatable", [f"{row.rule}, {name}" for row in rows for name in row.debatable]),
    ):
        parts += ["", f"{title}: none." if not names else f"{title}:", *([""] if names else [])]
        parts += [f"- {name}" for name in names]
    return "\n".join(parts) + "\n"
