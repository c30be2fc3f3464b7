"""Findings and evaluations made by hand, and texts that nobody means well with, for the tests of the output formats."""

import os

from hypothesis import strategies as st

from plugin_eval_ci.discover import Targets
from plugin_eval_ci.lint.evaluate import Evaluation
from plugin_eval_ci.model import Body, CheckResult, Collection, Finding, Header, Severity, Skill, Source


def letters(number):
    """A word for a number: texts that differ in digits only count as one cause."""
    return "".join(chr(97 + int(digit)) for digit in str(number))


def finding(rule="ORPHAN_REFERENCE", severity=Severity.WARNING, path="skills/a/SKILL.md", line=1, **more):
    given_values = {
        "column": None,
        "end_line": None,
        "message": "it is wrong",
        "fix": "",
        "fingerprint": "0" * 16,
        **more,
    }
    order = ("column", "end_line", "message", "fix")
    return Finding(
        rule, severity, False, path, line, *(given_values[key] for key in order), "", given_values["fingerprint"], None
    )


def skill(path, text="", root="/r"):
    file = f"{root}/{path}"
    folder = os.path.dirname(file)
    return Skill(
        Source(file, path, text, len(text), False, None), Header(None), Body(), folder, folder, "a", root, None, True
    )


def evaluation(findings, skills=(), root="/r"):
    found = Targets(root, (), (), (), (), (), (), (), ())
    return Evaluation(found, Collection(root, tuple(skills), (), (), ()), CheckResult(tuple(findings), ()))


SMALL = evaluation(
    [
        finding(
            "NO_SKILLS", Severity.ERROR, ".", fingerprint="1" * 16, message="no skills found here", fix="Name a folder."
        ),
        finding(
            "FM_INVALID_YAML",
            Severity.ERROR,
            line=3,
            column=4,
            fingerprint="2" * 16,
            message="invalid YAML",
            fix="Quote 100 %.",
        ),
        finding(line=7, end_line=9, fingerprint="3" * 16, message="'50%, a::b\n' is not there", fix="Add it."),
        finding(
            "agnix/AS-023", Severity.NOTICE, "skills/b, c/SKILL.md", 2, fingerprint="4" * 16, message="not mentioned"
        ),
    ],
    [
        skill("skills/a/SKILL.md", "---\nname: a\nx𝄞é: 'b\n---\n\n\nSee [x](references/x.md).\n"),
        skill("skills/clean/SKILL.md", "x\n"),
    ],
)

PIECES = [
    "\n",
    "\r",
    "\r\n",
    "::",
    ",",
    ":",
    "%",
    "%0A",
    "%25",
    "##[",
    "##[error]",
    "###[",
    "::error::",
    "\n::add-mask::x",
    "]",
    ";",
    "=",
]
PIECES += [
    " ",
    "\x00",
    "\x1b[31m",
    "\x85",
    "\u2028",
    "\u202e",
    "\ufeff",
    "\udc80",
    "\ud83d",
    "😀",
    "é",
    "a",
    "::stop-commands::t",
    "\n##[group]",
]
CHARACTERS = st.characters(exclude_categories=())
HOSTILE = st.lists(st.sampled_from(PIECES) | st.text(CHARACTERS, max_size=3), max_size=12).map("".join)
