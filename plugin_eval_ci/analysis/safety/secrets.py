"""Secrets by their form: a known prefix, the right length and alphabet, and enough entropy. What is made up stays silent."""

import re
from collections.abc import Iterator
from math import log2
from typing import NamedTuple

from plugin_eval_ci.analysis.safety import digest_of
from plugin_eval_ci.util.lazy import Lazy


class Form(NamedTuple):
    """One kind of secret."""

    kind: str
    needles: tuple[str, ...]  # one of them is in a text that holds such a secret
    pattern: Lazy  # group 1 is what was drawn at random
    entropy: float  # least bits a character of group 1


_END = r"(?![A-Za-z0-9_-])"
_START = r"(?<![A-Za-z0-9_-])"
FORMS = (
    Form(
        "an AWS access key",
        ("AKIA", "ASIA"),
        Lazy(r"(?<![A-Za-z0-9])(?:AKIA|ASIA)([A-Z2-7]{16})(?![A-Za-z0-9])"),
        2.9,
    ),
    Form(
        "an AWS secret key",
        ("_access_key", "_ACCESS_KEY", "retAccessKey"),
        Lazy(
            r"(?:aws_secret_access_key|SecretAccessKey)[\"']?\s{0,3}[=:]\s{0,3}[\"']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
            re.IGNORECASE,
        ),
        4.1,
    ),
    Form(
        "a GitHub token",
        ("ghp_", "gho_", "ghs_", "ghu_"),
        Lazy(rf"{_START}gh[pous]_([A-Za-z0-9]{{36}}){_END}"),
        3.9,
    ),
    Form(
        "a GitHub token",
        ("github_pat_",),
        Lazy(rf"{_START}github_pat_([A-Za-z0-9]{{22}}_[A-Za-z0-9]{{59}}){_END}"),
        4.3,
    ),
    Form("a GitLab token", ("glpat-",), Lazy(rf"{_START}glpat-([A-Za-z0-9_-]{{20}}){_END}"), 3.4),
    Form(
        "a Slack token",
        ("xox",),
        Lazy(rf"{_START}xox[abeoprs]-(?:\d{{8,14}}-){{1,3}}([A-Za-z0-9]{{20,64}}){_END}"),
        3.4,
    ),
    Form(
        "a Slack token", ("xapp-",), Lazy(rf"{_START}xapp-\d-[A-Z0-9]{{8,14}}-\d{{8,14}}-([a-f0-9]{{64}}){_END}"), 3.3
    ),
    Form(
        "a Slack webhook",
        ("hooks.slack.com",),
        Lazy(rf"hooks\.slack\.com/services/T[A-Z0-9]{{7,12}}/B[A-Z0-9]{{7,12}}/([A-Za-z0-9]{{24}}){_END}"),
        3.5,
    ),
    Form("a Google API key", ("AIza",), Lazy(rf"{_START}AIza([A-Za-z0-9_-]{{35}}){_END}"), 3.9),
    Form("a Google client secret", ("GOCSPX-",), Lazy(rf"{_START}GOCSPX-([A-Za-z0-9_-]{{28}}){_END}"), 3.7),
    Form(
        "an OpenAI key",
        ("sk-",),
        Lazy(rf"{_START}sk-(?:proj-|svcacct-|admin-)?([A-Za-z0-9_-]{{20,90}}T3BlbkFJ[A-Za-z0-9_-]{{20,90}}){_END}"),
        4.0,
    ),
    Form(
        "an OpenAI key",
        ("sk-",),
        Lazy(rf"{_START}sk-(?:proj|svcacct|admin)-([A-Za-z0-9_-]{{40,200}}){_END}"),
        4.3,
    ),
    Form("an OpenAI key", ("sk-",), Lazy(rf"{_START}sk-([A-Za-z0-9]{{48}}){_END}"), 4.4),
    Form("an Anthropic key", ("sk-",), Lazy(rf"{_START}sk-ant-[a-z]{{3,8}}\d\d-([A-Za-z0-9_-]{{80,120}}){_END}"), 4.4),
    Form("a Stripe live key", ("_live_",), Lazy(rf"{_START}[sr]k_live_([A-Za-z0-9]{{24,120}}){_END}"), 3.6),
    Form("an npm token", ("npm_",), Lazy(rf"{_START}npm_([A-Za-z0-9]{{36}}){_END}"), 3.9),
    Form(
        "a PyPI token",
        ("pypi-Ag",),
        Lazy(rf"{_START}pypi-AgE(?:IcHlwaS5vcmc|NdGVzdC5weXBpLm9yZw)([A-Za-z0-9_-]{{60,250}}){_END}"),
        4.2,
    ),
    Form("a Hugging Face token", ("hf_",), Lazy(rf"{_START}hf_([A-Za-z]{{34}}){_END}"), 3.9),
)
JWT = Lazy(rf"{_START}(eyJ[A-Za-z0-9_-]{{10,400}})\.(eyJ[A-Za-z0-9_-]{{16,4000}})\.([A-Za-z0-9_-]{{32,1400}}){_END}")
KEY_BEGINS = Lazy(r"-----BEGIN (?:(?:RSA|EC|DSA|OPENSSH|ENCRYPTED|PGP) )?PRIVATE KEY(?: BLOCK)?-----")


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
        for match in JWT().finditer(text):
            if _is_jwt(match) and not _is_about(text, match.start()):
                yield _secret(text, match.start(), match.end(), "a signed token (JWT)")


def _of_forms(text: str) -> Iterator[Secret]:

    seen: set[int] = set()
    for form in FORMS:
        if any(needle in text for needle in form.needles):
            for match in form.pattern().finditer(text):
                at = match.start(1) if form.kind == "an AWS secret key" else match.start()
                if at not in seen and _is_drawn(match[1], form.entropy) and not _is_about(text, at):
                    seen.add(at)
                    yield _secret(text, at, match.end(), form.kind)


def _keys(text: str) -> Iterator[Secret]:

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
    """Whether its own line says that it is not a real one."""
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
