#!/usr/bin/env python3
"""Check a CHANGELOG.md, suggest the next version, and cut the unreleased entries into one.

Needs Python 3.9 or newer and nothing else. Exit codes: 0 fine, 1 the file has problems, 2 wrong usage.
"""

import argparse
import datetime
import difflib
import re
import sys
from pathlib import Path

CATEGORIES = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
NUMBER = r"(?:0|[1-9]\d*)"
VERSION = rf"{NUMBER}\.{NUMBER}\.{NUMBER}(?:-[0-9A-Za-z.-]+)?"
RELEASE = re.compile(rf"## (?P<open>\[?)(?P<version>{VERSION})\]? - (?P<date>\d{{4}}-\d\d-\d\d)(?: \[YANKED\])?")
UNRELEASED = re.compile(r"## \[?Unreleased\]?", re.IGNORECASE)
DEFINITION = re.compile(r"\[(?P<label>[^\]]+)\]:\s*(?P<url>\S+)")
BREAKING = "**Breaking:**"


class Release:
    """One `## ` section: entries by category, each with the line it begins on."""

    def __init__(self, line, version=None, bracketed=False):
        self.line, self.version, self.bracketed = line, version, bracketed
        self.categories = {}

    @property
    def entries(self):
        return [entry for _, entries in self.categories.values() for entry in entries]


class Changelog:
    """The sections of a file, and what is wrong with it as (line, message)."""

    def __init__(self, text):
        self.lines = text.replace("\r\n", "\n").split("\n")
        self.releases, self.problems, self.links = [], [], {}
        self._read()
        self._compare()

    @property
    def unreleased(self):
        return next((release for release in self.releases if release.version is None), None)

    @property
    def newest(self):
        return next((release.version for release in self.releases if release.version), None)

    def _say(self, line, message):
        self.problems.append((line, message))

    def _read(self):
        release = entries = None
        fenced = False
        for number, line in enumerate(self.lines, 1):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            if fenced:
                continue
            if line.startswith("## "):
                release, entries = self._heading(number, line.rstrip()), None
            elif line.startswith("### "):
                entries = self._category(release, number, line[4:].strip())
            elif line.startswith("- "):
                self._entry(entries, number, line[2:].strip())
            elif match := DEFINITION.match(line):
                self.links[match["label"].lower()] = number
        if not any(line.startswith("# ") for line in self.lines):
            self._say(1, "no title: begin with '# Changelog'")

    def _heading(self, number, line):
        if UNRELEASED.fullmatch(line):
            release = Release(number, bracketed="[" in line)
            if self.releases:
                self._say(number, "Unreleased must stand once, before every version")
        else:
            match = RELEASE.fullmatch(line)
            if match is None:
                self._say(number, f"not a version heading: {line!r}; write '## [1.2.3] - 2026-01-31'")
            release = Release(number, match["version"] if match else "", bool(match and match["open"]))
            if match and not is_date(match["date"]):
                self._say(number, f"no such day: {match['date']}")
        self.releases.append(release)
        return release

    def _category(self, release, number, title):
        if release is None:
            self._say(number, f"{title} stands before the first version")
            return []
        if title not in CATEGORIES:
            self._say(number, f"unknown category {title!r}; known: {', '.join(CATEGORIES)}")
        if title in release.categories:
            self._say(number, f"{title} stands twice in this version; first on line {release.categories[title][0]}")
            return release.categories[title][1]
        release.categories[title] = (number, [])
        return release.categories[title][1]

    def _entry(self, entries, number, text):
        if entries is None:
            self._say(number, "the entry belongs to no category")
        elif not text:
            self._say(number, "the entry is empty")
        else:
            if text.lower() in (known.lower() for _, known in entries):
                self._say(number, "the entry stands twice in this category")
            entries.append((number, text))

    def _compare(self):
        for release in self.releases:
            for title, (number, entries) in release.categories.items():
                if not entries:
                    self._say(number, f"{title} has no entries; remove the heading")
            label = release.version or "unreleased"
            if self.links and release.bracketed and label.lower() not in self.links:
                self._say(release.line, f"[{label}] has no link definition at the end of the file")
        released = [release for release in self.releases if release.version]
        for newer, older in zip(released, released[1:]):
            if order(newer.version) <= order(older.version):
                self._say(older.line, f"{older.version} must stand above {newer.version}, or one number is wrong")


def is_date(text):
    try:
        return datetime.datetime.strptime(text, "%Y-%m-%d").strftime("%Y-%m-%d") == text
    except ValueError:
        return False


def order(version):
    """Sorts versions as Semantic Versioning does: a pre-release comes before its release, numbers before words."""
    core, _, pre = version.partition("-")
    words = [(0, int(word), "") if word.isdigit() else (1, 0, word) for word in pre.split(".")]
    return [int(part) for part in core.split(".")], not pre, words


def next_version(log):
    """The next version and the reason, from the kinds of the unreleased entries."""
    entries = log.unreleased.entries if log.unreleased else []
    if not entries:
        return None, "nothing is unreleased"
    if log.newest is None:
        return "0.1.0", "the first version"
    core, _, pre = log.newest.partition("-")
    if pre:
        return core, f"{log.newest} was a pre-release of it"
    major, minor, patch = map(int, core.split("."))
    kinds = [title for title in CATEGORIES if title in log.unreleased.categories]
    breaking = [number for number, text in entries if text.startswith(BREAKING)]
    if breaking or "Removed" in kinds:
        why = f"line {breaking[0]} is breaking" if breaking else "something was removed"
        return (f"{major + 1}.0.0", why) if major else (f"0.{minor + 1}.0", f"{why}, and 0.x puts that in the middle")
    if {"Added", "Changed", "Deprecated"} & set(kinds):
        return f"{major}.{minor + 1}.0", f"it has {', '.join(kinds)}"
    return f"{major}.{minor}.{patch + 1}", f"it has only {', '.join(kinds)}"


def cut(log, version, date):
    """The file's lines with the unreleased entries under `version`, and the link definitions carried on."""
    release = log.unreleased
    heading = f"## [{version}] - {date}" if release.bracketed else f"## {version} - {date}"
    lines = list(log.lines)
    for index, line in enumerate(lines):
        match = re.fullmatch(r"(\[unreleased\]:\s*)(\S*/compare/)(v?)\S+?\.\.\.HEAD", line, re.IGNORECASE)
        if match and log.newest:
            label, address, prefix = match.groups()
            lines[index : index + 1] = [
                f"{label}{address}{prefix}{version}...HEAD",
                f"[{version}]: {address}{prefix}{log.newest}...{prefix}{version}",
            ]
            break
    lines[release.line : release.line] = ["", heading]
    return lines


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check", help="print what is wrong with the file")
    commands.add_parser("next", help="suggest the next version")
    release = commands.add_parser("cut", help="move the unreleased entries into a version")
    release.add_argument("version")
    release.add_argument("--date", help="YYYY-MM-DD (default: today in UTC)")
    release.add_argument("--dry-run", action="store_true", help="print the change and leave the file alone")
    for command in commands.choices.values():
        command.add_argument("--file", type=Path, default=Path("CHANGELOG.md"))
    options = parser.parse_args(arguments)
    try:
        text = options.file.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        parser.error(f"{options.file} cannot be read: {error}")
    log = Changelog(text)
    for line, message in sorted(log.problems):
        print(f"{options.file}:{line}: {message}")
    if log.problems:
        return 1
    if options.command == "check":
        count = len(log.unreleased.entries) if log.unreleased else 0
        print(f"{options.file}: fine, {count} unreleased, newest version {log.newest or 'none'}")
        return 0
    suggestion, reason = next_version(log)
    if suggestion is None:
        print(f"{options.file}: {reason}")
        return 1
    if options.command == "next":
        print(f"{suggestion} ({reason})")
        return 0
    if not re.fullmatch(VERSION, options.version):
        parser.error(f"{options.version} is not a version: write 1.2.3 or 1.2.3-rc.1, without a v")
    if log.newest and order(options.version) <= order(log.newest):
        parser.error(f"{options.version} is not newer than {log.newest}")
    date = options.date or datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    if not is_date(date):
        parser.error(f"no such day: {date}")
    lines = cut(log, options.version, date)
    if options.dry_run:
        print("\n".join(difflib.unified_diff(log.lines, lines, "before", "after", lineterm="", n=1)))
    else:
        newline = "\r\n" if "\r\n" in text else "\n"
        options.file.write_bytes(newline.join(lines).encode("utf-8"))
        print(f"{options.file}: {len(log.unreleased.entries)} entries are now {options.version} of {date}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
