"""Orders to the model in a comment that the rendered text does not show."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from plugin_eval_ci.model import Body
from plugin_eval_ci.util.lazy import Lazy


class Order(NamedTuple):
    """One comment that gives orders: its line, what it wants, its words."""

    line: int
    wants: str
    words: str


_COMMENT = Lazy(
    r"<!--(.*?)(?:-->|\Z)|^ {0,3}\[[^\]\n]{1,80}\]:[ \t]*(?:#|<>)[ \t]*[\"'(]([^\n]*)[\"')][ \t]*$"
    r"|^ {0,3}\[([^\]\n]{12,400})\]:[ \t]*(?:#|<>|https?:)",
    re.DOTALL | re.MULTILINE,
)
_QUOTED = Lazy("\"[^\"\n]{0,300}\"|\u201c[^\u201d\n]{0,300}\u201d|`[^`\n]{0,300}`|(?<!\\w)'[^'\n]{3,300}'(?!\\w)")
_ADDRESS = Lazy(
    r"https?://\S+|(?<![\w.+@-])(?:[\w+-]{1,64}[.@]){1,10}[a-z]{2,24}\b", re.IGNORECASE
)  # evil.example is no example
_MENTION = Lazy(
    r"\b(?:attack\w*|injections?|detect\w*|flag(?:s|ged)?|scan(?:s|ner|ning)?|look(?:s|ing)? for|phrases?|patterns?"
    r"|payloads?|test cases?|examples?"
    r"|e\.g\.|such as|malicious|suspicious|adversarial|never follow|do not follow|don'?t follow|refuse)\b",
    re.IGNORECASE,
)
_IMPERATIVE = r"(?:^|[.!?:;,\n]\s*|\b(?:and|then|please|must|should|shall|now|first|always|also|to|will|you|silently|secretly|quietly)\s+)"
_NOT = r"(?<!not )(?<!never )(?<!n't )"
_ORDERS = (
    (
        "to ignore other instructions",
        Lazy(
            rf"{_IMPERATIVE}{_NOT}(?:ignore|disregard|forget|override|bypass|discard)\s+(?:\w+\s+){{0,4}}?"
            r"(?:previous|prior|earlier|above|preceding|all|any|other|existing|system|safety|user'?s?|your|these"
            r"|those)\s+(?:\w+\s+){0,3}?"
            r"(?:instructions?|rules|prompts?|guidelines|messages?|restrictions|directives?|guardrails|constraints|safeguards)\b"
            r"(?!\s+(?:in|inside|within|from|found|embedded|contained|that|which|for|regarding|on)\b)",
            re.IGNORECASE,
        ),
    ),
    (
        "to ignore other instructions",
        Lazy(
            rf"{_IMPERATIVE}{_NOT}(?:ignore|disregard|forget)\s+(?:about\s+)?(?:everything|anything|all(?:\s+of)?(?:\s+(?:this|that|the\s+text))?"
            r"|whatever|what)\s+(?:that\s+|which\s+)?(?:(?:is|was|were|came|comes|stands|you\s+(?:were|have\s+been|are)|you'?ve\s+been)\s+)?"
            r"(?:above|before|previous|earlier|prior|told|instructed|said|so\s+far|until\s+now|up\s+to\s+(?:now|this))\b",
            re.IGNORECASE,
        ),
    ),
    (
        "to hide something from the user",
        Lazy(
            r"\b(?:(?:do not|don'?t|never|must not|should not)\s+(?:\w+\s+){0,2}?(?:tell|inform|notify|alert|reveal|mention"
            r"|disclose)\s+(?:\w+\s+){0,5}?"
            r"(?:to\s+)?(?:the\s+)?(?:users?|human|operator|anyone)\b"
            r"|without\s+(?:telling|informing|notifying|alerting)\s+(?:the\s+)?(?:user|human|operator|anyone))\b",
            re.IGNORECASE,
        ),
    ),
    (
        "to send data away",
        Lazy(
            rf"{_IMPERATIVE}{_NOT}(?:send|post|upload|exfiltrate|transmit|forward|e-?mail|leak|submit)\s+(?:\S+\s+){{0,8}}?"
            r"(?:\S*(?:keys?|secrets?|credentials?|tokens?|passwords?|cookies|variables|history|conversation|transcript"
            r"|files?|contents?|data|\.env|\.ssh\S*|id_rsa))\s+"
            r"(?:\S+\s+){0,8}?(?:to|at|via|through)\s+(?:\S+\s+){0,3}?(?:https?://|[\w.+-]+@[\w-]+\.\w"
            r"|[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|io|dev|sh|xyz|ru|cn|app|site|example)\b)",
            re.IGNORECASE,
        ),
    ),
    ("to send data away", Lazy(rf"{_IMPERATIVE}{_NOT}exfiltrate\s+\w", re.IGNORECASE)),
    (
        "to send data away",
        Lazy(
            r"\b(?:curl|wget|nc)\b[^\n]{0,200}(?:\$\(|`|@|<)\s*(?:cat\s+)?\S*"
            r"(?:\.env|\.ssh|id_rsa|id_ed25519|credentials|\.netrc|\.aws)",
            re.IGNORECASE,
        ),
    ),
    (
        "to run a command",
        Lazy(
            rf"{_IMPERATIVE}{_NOT}(?:run|execute|eval(?:uate)?|pipe|download)\b[^\n]{{0,160}}"
            r"(?:\b(?:curl|wget)\b[^\n|]{0,200}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\brm\s+-\w*[rf]\w*\s|\biex\b|base64\s+(?:-d"
            r"|--decode)[^\n]{0,60}\|\s*(?:ba|z)?sh\b)",
            re.IGNORECASE,
        ),
    ),
    (
        "to run a command",
        Lazy(
            rf"{_IMPERATIVE}{_NOT}(?:download|fetch|get|curl|wget|load|pull)\b[^\n]{{0,40}}\bhttps?://\S+[^\n]{{0,60}}?"
            r"\b(?:and|then|to)\s+(?:\w+\s+){0,2}?(?:execute|run|eval(?:uate)?|source)\s+"
            r"(?:it|them|this|that|(?:the\s+)?(?:\w+\s+)?(?:file|script|code|results?|output|contents?|installer|binary|payload))\b"
            rf"|{_IMPERATIVE}{_NOT}(?:execute|run|eval(?:uate)?)\s+(?:\w+\s+){{0,4}}?(?:script|code|file|installer|payload|binary|contents?)\s+"
            r"(?:\w+\s+){0,2}?(?:at|from)\s+https?://",
            re.IGNORECASE,
        ),
    ),
    (
        "to run a command",
        Lazy(
            r"\b(?:silently|secretly|quietly|covertly|without (?:asking|confirmation|permission|approval)"
            r"|before (?:doing )?anything else)\b[^.\n]{0,60}\b(?:run|execute|call|fetch|read|open|install|download|send|post|upload)\b"
            r"|\b(?:run|execute|install|download|fetch|commit|push|publish|approve|delete|send)\b"
            r"[^.\n]{0,100}\b(?:silently|secretly|covertly|without (?:asking"
            r"|confirmation|permission|approval|telling))\b",
            re.IGNORECASE,
        ),
    ),
    (
        "to run a command",
        Lazy(
            r"\b(?:you|assistant|claude|the (?:model|agent|ai)|ai(?: agents?)?)\b[,:]?\s+(?:must|should|shall|have to"
            r"|need to|will|now)\s+(?:\w+\s+){0,3}?(?:run|execute)\s+[^\n]{0,80}"
            r"(?:\b(?:curl|wget|bash|sh|sudo|nc|powershell|chmod|ssh|scp)\b)",
            re.IGNORECASE,
        ),
    ),
    (
        "to become another assistant",
        Lazy(
            r"\byou are (?:now|no longer)\s+(?:\w+\s+){0,4}?(?:unrestricted|jailbroken|DAN|developer mode|bound|restricted"
            r"|limited|root|admin)\b|\b(?:system (?:prompt )?override|developer mode (?:enabled|on))\b", re.IGNORECASE),
    ),
)  # fmt: skip


_WORDS = frozenset(
    {
        "ignore", "disregard", "forget", "override", "bypass", "discard", "tell", "inform", "notify", "alert",
        "reveal", "mention", "disclose", "send", "post", "upload", "exfiltrate", "transmit", "forward", "mail", "leak",
        "submit", "curl", "wget", "run", "execute", "eval", "pipe", "download", "silently", "secretly", "quietly",
        "covertly", "without", "before", "install", "fetch", "commit", "push", "publish", "approve", "delete", "you",
        "developer",
    }
)  # fmt: skip


def orders_in(text: str, first_line: int = 1) -> Iterator[Order]:
    """The comments of a text that give orders. ``line`` counts from ``first_line``."""
    for match in _COMMENT().finditer(text):
        inner = (match[1] or match[2] or match[3] or "").strip()
        if len(inner) < 12 or len(inner) > 20_000 or _is_shown(text, match.start()):
            continue
        lowered = inner.lower()
        if not any(word in lowered for word in _WORDS):
            continue  # the patterns below are dear to compile, and most comments hold none of their verbs
        wants = _wants(inner)
        if wants:
            yield Order(text.count("\n", 0, match.start()) + first_line, wants, " ".join(inner.split()))


def in_body(body: Body) -> Iterator[Order]:
    """The orders in the comments of a body: not those in code, which are shown."""
    for order in orders_in(body.text, body.first_line):
        in_fence = any(fence.line <= order.line <= fence.end_line for fence in body.fences)
        if not in_fence and not any(span.line == order.line and "<!--" in span.text for span in body.code_spans):
            yield order


def _is_shown(text: str, at: int) -> bool:
    """Whether a comment is quoted or code: behind a quotation mark, or on an indented line of its own."""
    before = text[text.rfind("\n", 0, at) + 1 : at]
    return before.endswith(("`", '"', "'", "\u201c")) or (
        not before.strip() and before.expandtabs(4).startswith("    ")
    )


def _wants(inner: str) -> str:
    words = _QUOTED().sub(" ", inner)
    words = re.sub(r"[ \t]+", " ", words).strip()
    # A command in backticks is still a command: only the commands are looked for in the text as written.
    for what, order in _ORDERS:
        match = order().search(words) or (order().search(inner) if "run" in what or "send" in what else None)
        if match is not None and not _MENTION().search(_ADDRESS().sub(" ", words)):
            return what
    return ""
