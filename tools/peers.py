"""The inputs of comparable tools on this program: where we agree, what we miss, what we say too much, and what is a matter of taste.

    python tools/peers.py [--corpus DIR] [--reference FILE]

skills-ref (the reference library of the Agent Skills specification) ships no tests, so its documented rules were rewritten as inputs here.
It is installed into a temporary folder and answers for itself. The older tool (plugin-eval 0.1.0) answered once, on the files of a corpus;
its answers are in ``--reference``. Exit 1 when a difference has no reason.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

PROJECT = Path(__file__).resolve().parent.parent
PACKAGE = "skills-ref==0.1.1"
_SHIM = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from skills_ref.validator import validate
answers = {}
for folder in sys.argv[2:]:
    try:
        answers[folder] = validate(Path(folder))
    except Exception as error:  # it does not catch what it does not expect
        answers[folder] = [f"crash: {type(error).__name__}"]
json.dump(answers, sys.stdout)
"""


class Input(NamedTuple):
    """A skill: its folder, the text of its file, and why the two may differ on it."""

    folder: str
    text: str
    taste: str = ""
    file: str = "SKILL.md"


def page(header: str, folder: str = "a-skill", taste: str = "", body: str = "# A\n\nWrite the notes.\n") -> Input:
    """A skill with that header."""
    return Input(folder, f"---\n{header}\n---\n{body}", taste)


def named(name: str, folder: str | None = None, taste: str = "") -> Input:
    """A skill of that name."""
    return page(f"name: {name}\ndescription: {D}", name.strip("\"' ") if folder is None else folder, taste)


D = "Formats release notes. Use when a release is cut."
FOUND_ELSEWHERE = "clients accept it, and the methodology counts what a client does"
QUOTES = "YAML 1.2 allows it and the clients read it; skills-ref reads the subset of strictyaml"
SENT = "name: a-skill\ndescription: "
INPUTS: dict[str, Input] = {
    "sound": named("a-skill"),
    "name in another folder": named("a-skill", "other"),
    "name with capitals": named("A-Skill"),
    "name with an underscore": named("a_skill"),
    "name with a blank": named("a skill"),
    "name with a dot": named("a.skill"),
    "name with a slash": named("a/skill", "a-skill"),
    "name that begins with a hyphen": named('"-skill"'),
    "name that ends with a hyphen": named("skill-"),
    "name with two hyphens": named("a--skill"),
    "name of 64 characters": named("a" * 64),
    "name of 65 characters": named("a" * 65),
    "name of digits": named('"42"'),
    "name that YAML reads as a number": named("42", taste=QUOTES),
    "name in Chinese": named("技能", taste="the specification allows a-z only; skills-ref allows every letter"),
    "name in Cyrillic": named("навык", taste="the specification allows a-z only; skills-ref allows every letter"),
    "name in Cyrillic capitals": named("НАВЫК"),
    "name that is empty": page(f'name: ""\ndescription: {D}'),
    "name of blanks": page(f'name: "  "\ndescription: {D}'),
    "no name": page(f"description: {D}"),
    "name is a list": page(f"name:\n  - a-skill\ndescription: {D}"),
    "no description": page("name: a-skill"),
    "description that is empty": page(SENT + '""'),
    "description of blanks": page(SENT + '"   "'),
    "description of 1024 characters": page(SENT + f"{D} " + "x" * (1024 - len(D) - 1)),
    "description of 1025 characters": page(SENT + f"{D} " + "x" * (1025 - len(D) - 1)),
    "description is a list": page(SENT + "\n  - one\n  - two"),
    "description over lines": page(SENT + "|\n  Formats release notes.\n  Use when a release is cut."),
    "compatibility of 500 characters": page(f"{SENT}{D}\ncompatibility: {'x' * 500}"),
    "compatibility of 501 characters": page(f"{SENT}{D}\ncompatibility: {'x' * 501}"),
    "compatibility is a list": page(f"{SENT}{D}\ncompatibility:\n  - git"),
    "all documented keys": page(f"{SENT}{D}\nlicense: MIT\nallowed-tools: Read\nmetadata:\n  author: ann\ncompatibility: git"),
    "key of nobody": page(f"{SENT}{D}\nunknown_field: x"),
    "key of a client": page(f"{SENT}{D}\nuser-invocable: false", taste=FOUND_ELSEWHERE),
    "key with a version": page(f"{SENT}{D}\nversion: 1.0.0", taste=FOUND_ELSEWHERE),
    "metadata with numbers": page(f'{SENT}{D}\nmetadata:\n  version: "1.0"'),
    "license is a list": page(f"{SENT}{D}\nlicense:\n  - MIT", taste="skills-ref does not check the type of license"),
    "no header": Input("a-skill", "# A\n\nWrite the notes.\n"),
    "header that is never closed": Input("a-skill", f"---\n{SENT}{D}\n\n# A\n\nWrite.\n"),
    "header that is a list": page("- name"),
    "header that is text": page("just text"),
    "header that is empty": page(""),
    "header that is no YAML": page("name: [a-skill\ndescription: x"),
    "colon in a description": page(SENT + "Formats: the notes. Use when a release is cut."),
    "a key twice": page(f"{SENT}{D}\nname: a-skill"),
    "flow mapping": page(f"{SENT}{D}\nmetadata: {{author: ann}}", taste=QUOTES),
    "anchor and alias": page(f"{SENT}&d {D}\nmetadata:\n  d: *d", taste=QUOTES),
    "three dashes in a description": page(SENT + "Formats --- release notes. Use when a release is cut."),
    "blank line above the header": Input("a-skill", f"\n---\n{SENT}{D}\n---\n# A\n\nWrite.\n"),
    "byte order mark": Input("a-skill", f"\ufeff---\n{SENT}{D}\n---\n# A\n\nWrite.\n"),
    "Windows line ends": Input("a-skill", f"---\r\n{SENT}{D}\r\n---\r\n# A\r\n\r\nWrite.\r\n".replace("\ndesc", "\r\ndesc")),
    "file in lower case": Input(
        "a-skill", f"---\n{SENT}{D}\n---\n# A\n\nWrite.\n", "clients on Linux open SKILL.md only", "skill.md"
    ),
    "no SKILL.md": Input("a-skill", "# read me\n", file="README.md"),
    "empty file": Input("a-skill", ""),
}  # fmt: skip

# What a finding must be about to speak of the same thing; advice on wording and size is not what skills-ref checks.
_FORMAT = ("NAME_", "DESC_MISSING", "DESC_TYPE", "DESC_TOO_LONG", "EMPTY_DESCRIPTION", "COMPAT_", "FM_", "FIELD_", "KEY_", "FILE_", "METADATA_", "NO_SKILLS", "LICENSE", "TOOLS_TYPE")  # fmt: skip

# Why the older tool differs, by flag: what only it says, and what only we say.
OLDER = {
    "BLOATED_SKILL": ("", ""),
    "DEAD_CROSS_REF": (
        "theirs false: every skill/ and skills/ in the text counts for it, addresses and paths included",
        "theirs missing: it does not follow links and code spans to other skills",
    ),
    "EMPTY_DESCRIPTION": ("theirs false: it counts a description of a header that it could not read as empty", ""),
    "MISSING_TRIGGER": (
        "theirs false: it knows a few English phrases and no when_to_use",
        "taste: its phrases count anywhere, ours only where they open a condition",
    ),
    "ORPHAN_REFERENCE": (
        "theirs false: only links that begin with references/ and end on one level count for it",
        "theirs missing: it counts none in a skill without that folder",
    ),
    "OVER_CONSTRAINED": (
        "taste: it counts every capital MUST, ALWAYS and NEVER, in code too",
        "taste: we count words of other languages",
    ),
}


def main(arguments: list[str] | None = None) -> int:
    """Print both comparisons; 1 when something differs without a reason."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--corpus", type=Path, default=PROJECT / "../shared/corpus")
    parser.add_argument("--reference", type=Path, default=PROJECT / "../shared/reference/plugin-eval-0.1.0.jsonl")
    options = parser.parse_args(arguments)
    open_differences = skills_ref()
    if options.corpus.is_dir() and options.reference.is_file():
        open_differences += older(options.corpus.resolve(), options.reference)
    else:
        print("older tool: skipped, there is no corpus or no file of its answers")
    return int(open_differences > 0)


def skills_ref() -> int:
    """Print how skills-ref and we answer on each input; how many differences have no reason."""
    with tempfile.TemporaryDirectory() as place:
        library = Path(place, "library")
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--target"]
        done = subprocess.run([*pip, str(library), PACKAGE], capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"skills-ref: skipped, {PACKAGE} cannot be installed here")
            return 0
        places = {}
        for number, (name, given) in enumerate(INPUTS.items()):
            folder = Path(place, "inputs", str(number), "skills", given.folder)
            folder.mkdir(parents=True)
            (folder / given.file).write_text(given.text, encoding="utf-8", newline="")
            places[name] = folder
        command = [sys.executable, "-P", "-c", _SHIM, str(library), *map(str, places.values())]
        theirs = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        counts = Counter[str]()
        for name, folder in places.items():
            counts[_told(name, theirs[str(folder)], _format_rules(linted(folder.parent.parent)))] += 1
    print(
        "skills-ref: "
        + ", ".join(f"{counts[word]} {word}" for word in ("agree", "ours missing", "ours false", "taste"))
    )
    return counts["ours missing"] + counts["ours false"]


def _told(name: str, theirs: list[str], ours: list[str]) -> str:
    if bool(theirs) == bool(ours):
        return "agree"
    verdict = "taste" if INPUTS[name].taste else "ours missing" if theirs else "ours false"
    they = " ".join(theirs[0].split())[:90] if theirs else "nothing"
    print(f"{verdict:13}{name}: they say {they!r}, we say {', '.join(ours) or 'nothing'}. {INPUTS[name].taste}")
    return verdict


def _format_rules(findings: Iterable[Mapping[str, Any]]) -> list[str]:
    return sorted({finding["rule"] for finding in findings if finding["rule"].startswith(_FORMAT)})


def linted(folder: Path, *options: str) -> list[dict[str, Any]]:
    """The findings in a folder. A run without any skill is a finding too."""
    command = [
        sys.executable,
        "-P",
        "-m",
        "plugin_eval_ci",
        "lint",
        "--isolated",
        "--format",
        "json",
        *options,
        ".",
    ]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    try:
        found: list[dict[str, Any]] = json.loads(done.stdout)["findings"]
    except (ValueError, KeyError):
        return [{"rule": f"NO_SKILLS (exit code {done.returncode})", "path": ""}]
    return found


def older(corpus: Path, reference: Path) -> int:
    """Print how often the older tool and we raise each flag of the methodology on the same skills."""
    answers = [json.loads(line) for line in reference.read_text(encoding="utf-8").splitlines()]
    answers = [answer for answer in answers if answer["kind"] == "skill" and (corpus / answer["path"]).is_dir()]
    ours: dict[str, set[str]] = {}
    for finding in linted(corpus, "--fail-on", "never"):
        if finding["rule"] in OLDER:
            ours.setdefault(finding["path"].rpartition("/")[0], set()).add(finding["rule"])
    counts: dict[str, Counter[str]] = {flag: Counter() for flag in OLDER}
    for answer in answers:
        for flag in OLDER:
            pair = flag in answer["anti_patterns"], flag in ours.get(answer["path"], ())
            counts[flag][
                {(True, False): "theirs", (False, True): "ours"}.get(pair, "both" if all(pair) else "none")
            ] += 1
    without = 0
    print(f"older tool, {len(answers)} skills:")
    for flag, count in counts.items():
        print(f"  {flag:18} {count['both'] + count['none']:4} agree ({count['both']} with the flag)")
        for who, reason in zip(("theirs", "ours"), OLDER[flag], strict=True):
            if count[who]:
                without += not reason
                print(f"  {'':18} {count[who]:4} only {who}: {reason or 'NO REASON'}")
    return without


if __name__ == "__main__":
    raise SystemExit(main())
