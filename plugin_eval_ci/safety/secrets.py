"""Secrets by their form: a known prefix, the right length and alphabet, and enough entropy. What is made up stays silent."""

import re
from collections.abc import Iterator
from math import log2
from typing import NamedTuple

from plugin_eval_ci.lazy import Lazy
from plugin_eval_ci.safety.digest import digest_of


class Secret(NamedTuple):
    """What was found; ``start`` is its first 4 characters, and no more of it leaves this module."""

    line: int
    kind: str
    start: str
    length: int
    digest: str  # a hash of all of it: another secret of the same kind is another finding


# What a text must hold to be worth a closer look; the forms are loaded only then. A pattern that begins with one rare letter and
# looks back from it is several times as fast as a search for each prefix.
_MARKS = (
    Lazy(r"_(?:(?<=gh[pous]_)|(?<=npm_)|(?<=hf_)|(?<=k_live_)|(?<=ub_pat_)|(?<=cret_)access_key|(?<=CRET_)ACCESS_KEY)"),
    Lazy(r"-(?:(?<=sk-)(?<![A-Za-z0-9]sk-)|(?<=glpat-)|(?<=xapp-)|(?<=GOCSPX-)|(?<=pypi-)|(?<=xox[a-z]-))"),
    Lazy(r"I(?:(?<=AKI)A|(?<=ASI)A|(?<=AI)za)"),
)
_NEEDLES = ("hooks.slack.com/services/T", "retAccessKey")
_BODY = Lazy(r"(?:\\n|[\s\"'+,|>#])+")
_LONGEST_KEY = 16_000
_MADE_UP = Lazy(
    r"example|sample|dummy|fake|placeholder|redacted|changeme|your|secret|token|insert|replace|notareal|foobar|deadbeef"
    r"|abcdef|qwert|xxxx|1234|0000|test"
    r"|(.)\1{3}|(..)\2{3}|(...)\3{2}",
    re.IGNORECASE,
)
_ABOUT = Lazy(
    r"\b(?:fake|dummy|made[- ]up|not (?:a )?real|placeholder|revoked|expired|redacted|mock|regex|regexp|pattern|allowlist"
    r"|gitleaks:allow|nosec|noqa"
    r"|(?:test|example|sample)[- _](?:key|token|secret|credential|value|input)s?)\b",
    re.IGNORECASE,
)
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_DIGITS = "01234567890"


def secrets_in(text: str) -> Iterator[Secret]:
    """The secrets in a text, each once, in order of form."""
    if any(mark().search(text) for mark in _MARKS) or any(needle in text for needle in _NEEDLES):
        yield from _of_forms(text)
    if "PRIVATE KEY" in text:
        yield from _keys(text)
    if ".eyJ" in text:
        from plugin_eval_ci.safety.secret_forms import JWT

        for match in JWT().finditer(text):
            if _is_jwt(match) and not _is_about(text, match.start()):
                yield _secret(text, match.start(), match.end(), "a signed token (JWT)")


def _of_forms(text: str) -> Iterator[Secret]:
    from plugin_eval_ci.safety.secret_forms import FORMS

    seen: set[int] = set()
    for form in FORMS:
        if any(needle in text for needle in form.needles):
            for match in form.pattern().finditer(text):
                at = match.start(1) if form.kind == "an AWS secret key" else match.start()
                if at not in seen and _is_drawn(match[1], form.entropy) and not _is_about(text, at):
                    seen.add(at)
                    yield _secret(text, at, match.end(), form.kind)


def _keys(text: str) -> Iterator[Secret]:
    from plugin_eval_ci.safety.secret_forms import KEY_BEGINS

    for match in KEY_BEGINS().finditer(text):
        end = text.find("-----END ", match.end(), match.end() + _LONGEST_KEY)
        if end >= 0 and _is_key(match[0], text[match.end() : end]) and not _is_about(text, match.start()):
            yield _secret(text, match.start(), end, "a private key")


def entropy(text: str) -> float:
    """Shannon's bits a character."""
    total = len(text)
    return -sum(count / total * log2(count / total) for count in map(text.count, set(text))) if total else 0.0


def _secret(text: str, start: int, end: int, kind: str) -> Secret:
    return Secret(
        text.count("\n", 0, start) + 1, kind, text[start : start + 4], end - start, digest_of(text[start:end])
    )


def _is_drawn(drawn: str, least: float) -> bool:
    """Whether it was drawn at random, and not written by a person: no word, no repetition, no alphabet, no digits in order."""
    if entropy(drawn) < least or _MADE_UP().search(drawn):
        return False
    letters = "".join(char for char in drawn.lower() if char.isalpha())
    digits = "".join(char for char in drawn if char.isdigit())
    return not (_has_run(letters, _ALPHABET, 5) or _has_run(digits, _DIGITS, 6))


def _has_run(text: str, order: str, length: int) -> bool:
    return any(order[at : at + length] in text for at in range(len(order) - length + 1))


def _is_about(text: str, at: int) -> bool:
    """Whether its own line says that it is no real one."""
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    line = text[start : end if end >= 0 else len(text)]
    return len(line) < 1_000 and _ABOUT().search(line) is not None


def _is_key(begin: str, block: str) -> bool:
    """Whether the block holds a key: base64 throughout, as random as a key, and beginning as keys do."""
    body = _BODY().sub("", block)
    if (
        len(body) < 60
        or entropy(body) < 4.4
        or re.fullmatch(r"[A-Za-z0-9+/]+={0,3}(?:=[A-Za-z0-9+/]{4})?", body) is None
    ):
        return False
    if "PGP" not in begin and not body.startswith(("M", "b3BlbnNzaC1rZXktdjE")):
        return False
    return re.search(r"example|placeholder|redacted|yourkey|(?!A)(.)\1{7}", body, re.IGNORECASE) is None


def _is_jwt(match: "re.Match[str]") -> bool:
    """Whether a token has a signature and claims that are not those of a textbook."""
    header, claims = (_json(part) for part in (match[1], match[2]))
    if header is None or claims is None or "alg" not in header or str(header["alg"]).lower() == "none":
        return False
    if claims.get("role") == "anon" or entropy(match[3]) < 4.0:
        return False
    return (
        re.search(
            r"1234567890|john ?doe|jane ?doe|joe|example|test|demo|user[_-]?123|alice|\bbob\b|12345|your",
            str(claims),
            re.IGNORECASE,
        )
        is None
    )


def _json(part: str) -> dict[str, object] | None:
    import json
    from base64 import urlsafe_b64decode

    try:
        value = json.loads(urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
