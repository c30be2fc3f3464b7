"""What must not leave a recorded session: secrets, addresses, names of users, long numbers. Rather too much than too little."""

from __future__ import annotations

import re

from plugin_eval_ci.safety.secret_forms import FORMS

SHORTENED = 160  # characters of a first line
_KEY_BLOCK = re.compile(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----.*?(?:-----END [A-Z ]{0,40}-----|\Z)", re.DOTALL)
_NAMED = r"(?:password|passwd|pwd|secret|token|api[_-]?key)"
_FORMS = (  # what must be in a text for the pattern to find something, the pattern, what is shown in its place
    ("eyJ", re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?"), "[secret]"),
    ("", re.compile(r"\b(?:sk|pk|rk|api|key|ghp|gho|xox[a-z])[-_][\w-]{12,}"), "[secret]"),
    ("", re.compile(rf"(?i)\b(bearer\s+|{_NAMED}\s{{0,3}}[=:]\s{{0,3}})[\"']?[^\s\"',;]{{4,}}"), r"\1[secret]"),
    ("://", re.compile(r"(?i)\b([a-z][a-z0-9+.-]{1,20}://)[^\s/@]{1,200}@"), r"\1[secret]@"),
    ("@", re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+"), "[e-mail]"),
    ("", re.compile(r"(?i)((?:/home|/Users|/root|[A-Z]:\\+Users)[/\\]+)[^/\\\s\"'`:;,)]+"), r"\1[user]"),
    ("", re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])"), "[address]"),
    ("", re.compile(r"(?<![\w-])(?=[\w-]{0,40}\d)(?=[\w-]{0,40}[A-Za-z])[A-Za-z0-9_-]{32,}(?![\w-])"), "[token]"),
    ("", re.compile(r"(?<![A-Za-z0-9])[0-9a-fA-F]{20,}(?![A-Za-z0-9])"), "[token]"),
    ("", re.compile(r"(?<![\w.])\+?\d(?:[ ()/.-]{0,2}\d){6,24}(?!\w)"), "[number]"),
)  # fmt: skip


def redacted(text: str) -> str:
    """A text without what could tell a person or open a door."""
    text = _KEY_BLOCK.sub("[secret]", text)
    for form in FORMS:
        if any(needle in text for needle in form.needles):
            text = form.pattern().sub("[secret]", text)
    for needle, pattern, shown in _FORMS:
        if needle in text:
            text = pattern.sub(shown, text)
    return text


def first_line(text: str) -> str:
    """The first line that says something, redacted and shortened."""
    line = next((line for line in redacted(text[:8_000]).splitlines() if line.strip()), "")
    line = " ".join(line.split())
    return line if len(line) <= SHORTENED else line[: SHORTENED - 1] + "…"
