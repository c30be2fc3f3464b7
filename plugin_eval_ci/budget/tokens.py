"""How many tokens a text is, estimated (methodology, section 10)."""

from __future__ import annotations

from plugin_eval_ci.languages import count_cjk


def tokens(text: str) -> int:
    """An estimate: a quarter of a token a character, one for each CJK character."""
    cjk = count_cjk(text)
    return -(-(len(text) - cjk) // 4) + cjk
