#!/usr/bin/env python3
"""Print the changelog entries that a reader meets when upgrading from one version to another, as JSON.

Needs Python 3.9 or newer and nothing else. Exit codes: 0 fine, 1 a version is not in the file, 2 wrong usage.
"""

import argparse
import json
import re
import sys
from pathlib import Path

HEADING = re.compile(r"## \[?(?P<version>[^\]\s]+)\]?(?: - (?P<date>\d{4}-\d\d-\d\d))?(?P<yanked> \[YANKED\])?\s*")
BREAKING = "**Breaking:**"


def releases(text):
    """The file's sections from top to bottom; an entry that goes on over several lines becomes one line."""
    found, category, entry, fenced = [], None, None, False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
        if fenced:
            continue
        if match := HEADING.fullmatch(line):
            found.append({**match.groupdict(), "yanked": bool(match["yanked"]), "entries": []})
            category = entry = None
        elif line.startswith("### "):
            category, entry = line[4:].strip(), None
        elif found and line.startswith("- "):
            text_of = line[2:].strip()
            entry = {"category": category, "breaking": text_of.startswith(BREAKING), "text": text_of}
            found[-1]["entries"].append(entry)
        elif entry and line.startswith("  ") and line.strip():
            entry["text"] += " " + line.strip()
        else:
            entry = None
    return found


def collect(found, older, newer):
    """Every entry after `older`, up to and including `newer`; breaking ones also in a list of their own."""
    names = [release["version"].lower() for release in found]
    first = names.index(newer.lower())
    last = names.index(older.lower()) if older else min(first + 1, len(found))
    chosen = found[first:last]
    result = {
        "from": older or (found[last]["version"] if last < len(found) else None),
        "to": found[first]["version"],
        "versions": [{key: release[key] for key in ("version", "date", "yanked")} for release in chosen],
        "breaking": [],
        "changes": {},
    }
    for release in chosen:
        for entry in release["entries"]:
            item = {"version": release["version"], "text": entry["text"]}
            if entry["breaking"]:
                result["breaking"].append({**item, "text": entry["text"][len(BREAKING) :].strip()})
            else:
                result["changes"].setdefault(entry["category"] or "Uncategorised", []).append(item)
    return result


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--from", dest="older", metavar="VERSION", help="what readers run now (default: the one before)")
    parser.add_argument("--to", dest="newer", metavar="VERSION", help="what they upgrade to (default: the newest)")
    parser.add_argument("--file", type=Path, default=Path("CHANGELOG.md"))
    options = parser.parse_args(arguments)
    try:
        found = releases(options.file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        parser.error(f"{options.file} cannot be read: {error}")
    names = [release["version"] for release in found]
    newest = next((name for name in names if name.lower() != "unreleased"), None)
    newer = options.newer or newest
    for wanted in (newer, options.older):
        if wanted and wanted.lower() not in (name.lower() for name in names):
            print(f"{options.file}: no version {wanted}; it has {', '.join(names) or 'none'}", file=sys.stderr)
            return 1
    if newer is None:
        print(f"{options.file}: no version yet; use --to Unreleased for a preview", file=sys.stderr)
        return 1
    lowered = [name.lower() for name in names]
    if options.older and lowered.index(options.older.lower()) <= lowered.index(newer.lower()):
        parser.error(f"{options.older} is not older than {newer}")
    print(json.dumps(collect(found, options.older, newer), indent=2, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
