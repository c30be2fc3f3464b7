"""Every file that a skill tells its reader to open: links, inline code, comments and commands in fences, folders.

``references_of`` finds them once a skill; the REF_ rules and REF_UNUSED only pick theirs. What is created, given as an example, left to
be filled in, or belongs to the reader's own project does not count.
"""

import os
from collections.abc import Iterator
from functools import partial
from itertools import chain, islice
from typing import Literal, NamedTuple

from plugin_eval_ci.analysis.references import anchors, listed
from plugin_eval_ci.analysis.references import code as fences
from plugin_eval_ci.analysis.references import code as spans
from plugin_eval_ci.analysis.references.types import Mention
from plugin_eval_ci.analysis.resolve import Local, Resolution, first_found, local_path
from plugin_eval_ci.model import Body, Link, Skill, Source
from plugin_eval_ci.parse import documents
from plugin_eval_ci.parse.source import read_source

Kind = Literal["link", "code", "fence", "folder"]
_MAX_FILES = 60  # reference files that are read for the links they hold
_MAX_REFERENCES = 4_000  # as many links as are read of a Markdown file


class Reference(NamedTuple):
    """One reference. ``file`` is the reported path of the file that holds it, ``inside`` that file's own path (absolute)."""

    file: str
    inside: str
    line: int
    target: str  # as written
    local: Local
    kind: Kind
    anchor: str
    resolution: Resolution
    nested: bool  # not in SKILL.md itself


class Page(NamedTuple):
    """A Markdown file of a skill: its text and what is in it."""

    source: Source
    body: Body


_last: list[tuple[Skill, tuple[Reference, ...]]] = []


def references_of(skill: Skill) -> tuple[Reference, ...]:
    """All references of a skill in order of file and line; kept for the next rule that asks about the same skill."""
    if _last and _last[0][0] is skill:
        return _last[0][1]
    found = tuple(islice(_all(skill), _MAX_REFERENCES))
    _last[:] = [(skill, found)]
    return found


def _all(skill: Skill) -> Iterator[Reference]:
    yield from _links(skill, Page(skill.source, skill.body), nested=False)
    for mention in chain(
        islice(spans.text_mentions(skill), _MAX_REFERENCES),
        islice(fences.code_block_mentions(skill), _MAX_REFERENCES),
        islice(listed.mentions(skill), _MAX_REFERENCES),
    ):
        yield _mentioned(skill, mention)
    for page in pages(skill):
        yield from _links(skill, page, nested=True)


def pages(skill: Skill) -> Iterator[Page]:
    """The Markdown files below references/ (or reference/) that hold a link which may be of interest: parsing costs most of all."""
    names = [f"references/{name}" for name in skill.reference_files]
    other = os.path.join(skill.directory, "reference")
    names += [f"reference/{name}" for name in documents.bundled_files(other, skill.root)]
    for name in [name for name in names if name.lower().endswith((".md", ".markdown"))][:_MAX_FILES]:
        file = os.path.join(skill.directory, name)
        path = os.path.relpath(file, skill.root).replace(os.sep, "/")
        source = read_source(file, path)
        if anchors.is_of_interest(source.text, partial(_is_plain, skill, os.path.dirname(file))):
            yield Page(source, documents.parse_text(source)[1])


def _is_plain(skill: Skill, folder: str, target: str) -> bool:
    """Whether no rule has anything to say of a link: it leads to a file that SKILL.md names, or to none of the skill's."""
    local = local_path(target)
    if local is None:
        return True
    if "\\" in target or "#" in target:
        return False
    if local.path.startswith(".."):  # in order where it leads back to SKILL.md itself
        return local.base is None and os.path.normpath(os.path.join(folder, local.path)) == skill.source.file
    answer = first_found(skill.root, _bases(skill, folder, local), local.path)
    return answer.status == "found" and os.path.basename(answer.place) in skill.source.text


def _links(skill: Skill, page: Page, nested: bool) -> Iterator[Reference]:
    folder = os.path.dirname(page.source.file)
    for link in page.body.links:
        anchor = _anchor(link)
        local = local_path(link.target)
        if local is not None:
            bases = _bases(skill, folder, local)
            answer = first_found(skill.root, bases, local.path) if bases else Resolution("outside")
            yield Reference(
                page.source.path, page.source.file, link.line, link.target, local, "link", anchor, answer, nested
            )
        elif anchor and link.target.strip().startswith("#"):
            answer = Resolution("found", page.source.file)
            yield Reference(
                page.source.path,
                page.source.file,
                link.line,
                link.target,
                Local("", None),
                "link",
                anchor,
                answer,
                nested,
            )


def _anchor(link: Link) -> str:
    return link.target.strip().partition("#")[2]


def _bases(skill: Skill, folder: str, local: Local) -> tuple[str, ...]:
    if local.base == "plugin":
        return (skill.plugin,) if skill.plugin else ()
    if local.base == "skill":
        return (skill.directory,)
    bases = (folder, skill.directory, skill.real_directory, skill.plugin)
    return tuple(dict.fromkeys(base for base in bases if base))


def _mentioned(skill: Skill, mention: Mention) -> Reference:
    return Reference(
        skill.source.path,
        skill.source.file,
        mention.line,
        mention.text,
        mention.local,
        mention.kind,
        "",
        mention.resolution,
        False,
    )
