"""The prose of a body as text: no frontmatter, no code blocks, no comments; inline code is part of it."""

from __future__ import annotations

from collections.abc import Iterator

from plugin_eval_ci.model import Body, CodeSpan

_HIDDEN = "\ufffc"  # stands in ``Prose.text`` where inline code was taken out


_last: list[tuple[Body, list[str]]] = []


def spoken_lines(body: Body) -> list[str]:
    """The lines of prose with their inline code put back; kept for the next sub-score that reads the same body."""
    if not _last or _last[0][0] is not body:
        _last[:] = [(body, _spoken(body))]
    return _last[0][1]


def _spoken(body: Body) -> list[str]:
    if sum(prose.text.count(_HIDDEN) for prose in body.prose) != len(body.code_spans):
        return [prose.text for prose in body.prose]  # the file itself holds that character
    spans = iter(body.code_spans)
    return [_filled(prose.text.split(_HIDDEN), spans) if _HIDDEN in prose.text else prose.text for prose in body.prose]


def _filled(parts: list[str], spans: Iterator[CodeSpan]) -> str:
    """The parts of a line with the next code spans between them."""
    return parts[0] + "".join(next(spans).text + part for part in parts[1:])
