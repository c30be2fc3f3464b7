"""Text from files and pull requests, made harmless for the place where it is printed."""

from __future__ import annotations

import re

from plugin_eval_ci.util.lazy import Lazy

# Control characters move the cursor or forge lines; bidirectional ones reorder what is read; tags are not seen at all.
# The two joiners stay: emoji and several scripts need them, and they hide nothing.
_CONTROL = Lazy(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
# What can begin or end markup. Left alone: an underscore inside a word, # behind a letter, & that does not begin an entity, > but
# at the start of a line; braces, parentheses and ! do nothing where every bracket is escaped.
_MARKDOWN = Lazy(
    r"([\\`*\[\]<|~$]|^>|(?<!\w)#|(?<=_)#|&(?=[#\w]|$)|(?<![^\W_])_|_(?![^\W_]))",
)
_LEADING = Lazy(r"(?:[-+=]|\d{1,9}(?=[.)]))")
# What GitHub makes a link or a picture of, after a backslash is gone: @name, #1, GH-1, http://x, www.x, mail addresses, :name:.
_AUTOLINK = Lazy(
    r"@(?=\\?\w)|#(?=\\?\w)|(?<=\bGH)-(?=\d)|(?<=\w):(?=//)|www(?=\.)|:(?=[a-z+][a-z0-9+_-]{0,40}:)", re.IGNORECASE
)
_GAP = "\u200b"
# XML does not allow the last two.
_MARKUP = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;", "\ufffe": "\\ufffe", "\uffff": "\\uffff"}
)


def for_terminal(text: str) -> str:
    """One line of plain text: control, bidirectional and invisible characters are shown as escapes.

    A job's log is read for commands: ``::name::`` at the start of a line, ``##[name]`` anywhere. Neither is left whole.
    """
    shown = text if text.isascii() and text.isprintable() else _CONTROL().sub(_shown, text)
    if "##[" in shown:
        shown = shown.replace("##[", "## [")
    if "::" in shown and (words := shown.lstrip()).startswith("::"):
        shown = f"{shown[: -len(words)]}\\{words}"
    return shown


def for_markdown(text: str) -> str:
    """Text that GitHub shows as it is: it cannot become markup, a table cell, a link, a mention, an issue reference or HTML."""
    text = _CONTROL().sub(_shown, " ".join(text.split()))
    text = _MARKDOWN().sub(r"\\\1", text)
    text = (
        _LEADING().sub(lambda match: match[0] + "\\" if match[0].isdigit() else "\\" + match[0], text, count=1)
        if _LEADING().match(text)
        else text
    )
    # A space of no width keeps a mention or an address from becoming a link without changing what is read.
    return _AUTOLINK().sub(lambda match: match[0] + _GAP, text)


def markdown_code(text: str) -> str:
    """Text as inline code, which holds no markup; text that could end it, or a table cell, is escaped instead.

    So is an older command of a job's log, for Markdown may be printed there.
    """
    shown = _CONTROL().sub(_shown, " ".join(text.split()))
    return f"`{shown}`" if shown and not any(mark in shown for mark in ("`", "|", "##[")) else for_markdown(text)


def for_html(text: str) -> str:
    """Text for the content or a quoted attribute of an HTML or XML element; control and invisible characters are shown as escapes."""
    return for_terminal(text).translate(_MARKUP)


def _shown(match: re.Match[str]) -> str:
    code = ord(match[0])
    if match[0] in "\n\r\t":
        return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}[match[0]]
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
