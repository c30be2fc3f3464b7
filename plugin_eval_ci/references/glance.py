"""A look at a page's raw text: can it hold a link to a file, or to a section that is not there? Only then it is parsed."""

import re
from collections.abc import Callable

from plugin_eval_ci.lazy import Lazy
from plugin_eval_ci.references.anchors import slug

_FENCE = Lazy(r"^[ \t>]*(`{3,}|~{3,}).*?(?:^[ \t>]*\1|\Z)", re.MULTILINE | re.DOTALL)
_CODE = Lazy(r"(?<!`)(`++)[^`\n]++\1")
_TARGET = Lazy(
    r"\]\(\s*(?:<([^<>\n]*)>|([^\s()<>]*))|^ {0,3}\[[^\]\n]+\]:\s*<?(\S+)|\b(?:href|src)\s*=\s*[\"']([^\"'\n]+)",
    re.MULTILINE | re.IGNORECASE,
)
_URL = Lazy(r"[A-Za-z][A-Za-z0-9+.-]*:|//|/")
_HEADING = Lazy(r"^[ \t>]{0,6}#{1,6}[ \t]++(.*)$", re.MULTILINE)


def is_of_interest(text: str, is_plain: Callable[[str], bool]) -> bool:
    """Whether a page has a link to a file that ``is_plain`` does not know to be in order, or to a section that no heading seems to give."""
    if "](" not in text and "]:" not in text and "href" not in text and "src" not in text:
        return False
    words = _CODE().sub("", _FENCE().sub("", text)) if "`" in text or "~~~" in text else text
    targets = {next(filter(None, match.groups()), "") for match in _TARGET().finditer(words)}
    anchors = {target[1:].lower() for target in targets if target.startswith("#")}
    if any(
        target and not target.startswith("#") and not _URL().match(target) and not is_plain(target)
        for target in targets
    ):
        return True
    return bool(anchors) and not anchors <= {slug(title.rstrip(" \t#")) for title in _HEADING().findall(words)}
