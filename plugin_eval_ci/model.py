"""The nouns. Every value is frozen, named and typed; ``None`` stands for absent, never a sentinel number.

They are named tuples: a data class costs ten times as much to define at import, and a hook starts on every commit.
Lines and columns count from 1, as editors do. Paths in reports are POSIX, relative to the repository root.
"""

from collections.abc import Callable
from enum import IntEnum
from itertools import repeat
from typing import Literal, NamedTuple, TypeVar

MARK = "plugin-eval:"  # what a comment that speaks to this tool begins with


class Severity(IntEnum):
    """How much a finding matters; the order is what ``--fail-on`` compares."""

    NOTICE = 1
    WARNING = 2
    ERROR = 3

    @property
    def word(self) -> str:
        """The name used in every output: ``error``, ``warning``, ``notice``."""
        return self.name.lower()


class Hit(NamedTuple):
    """What a rule reports about one place. ``check`` adds the rule's name, severity and path."""

    line: int
    message: str
    fix: str
    target: str = ""
    column: int | None = None
    end_line: int | None = None
    weight: float | None = None  # severity in [0, 1] where it depends on the text; else the rule's own
    path: str = ""  # the file it is about, where that is not the one the rule was given
    severity: Severity | None = None  # where it depends on the text; else the rule's own


class Finding(NamedTuple):
    """One hit with its rule, severity, path and fingerprint, as every output shows it."""

    rule: str
    severity: Severity
    anti_pattern: bool
    path: str
    line: int
    column: int | None
    end_line: int | None
    message: str
    fix: str
    target: str
    fingerprint: str
    weight: float | None
    content: str = ""  # the fingerprint without the path: the same finding in a file that was moved
    state: Literal["new", "old"] | None = None  # against a base, where one was named


class Problem(NamedTuple):
    """A defect found while reading, kept as data. ``kind`` is the name of the rule that reports it."""

    kind: str
    line: int
    message: str
    fix: str
    column: int | None = None
    severity: Severity | None = None  # where it depends on the text; else the rule's own


class Source(NamedTuple):
    """One text file as read: UTF-8 without BOM, with newlines only; empty if it could not be read."""

    file: str  # absolute path on disk
    path: str  # as reported
    text: str
    size: int  # bytes on disk
    bom: bool
    problem: Problem | None

    @property
    def line_count(self) -> int:
        """Lines of the file; a final newline adds none."""
        return self.text.count("\n") + (not self.text.endswith("\n")) if self.text else 0


ValueKind = Literal["text", "boolean", "number", "date", "null", "list", "mapping", "other"]  # other: not read


class Value(NamedTuple):
    """A value of YAML, JSON or TOML: ``text`` is the scalar as written, ``items`` and ``entries`` hold what is below it."""

    kind: ValueKind
    text: str
    line: int
    items: tuple["Value", ...] = ()
    entries: tuple[tuple[str, "Value"], ...] = ()
    key_line: int = 0  # the line of its key, 0 without one


class Field(NamedTuple):
    """A key of the frontmatter and the line it stands on."""

    key: str
    line: int
    value: Value


class Header(NamedTuple):
    """The frontmatter. With a ``problem`` it has no fields; ``notes`` are defects that leave it readable."""

    problem: Problem | None
    fields: tuple[Field, ...] = ()
    notes: tuple[Problem, ...] = ()
    end_line: int = 0  # line of the closing fence, 0 without one

    def field(self, key: str) -> Field | None:
        """The last field of that key (YAML loaders keep the last), or None."""
        for field in reversed(self.fields):
            if field.key == key:
                return field
        return None

    def text(self, key: str) -> str | None:
        """The value of a key if it is a string, stripped; else None."""
        field = self.field(key)
        return field.value.text.strip() if field and field.value.kind == "text" else None

    def line(self, key: str) -> int:
        """The line of a key; 1 without it."""
        field = self.field(key)
        return field.line if field else 1


class Heading(NamedTuple):
    """A Markdown heading."""

    level: int
    title: str
    line: int


class Fence(NamedTuple):
    """A fenced code block; ``language`` is the first word of the info string in lower case."""

    language: str
    content: str
    line: int
    end_line: int
    closed: bool


class Link(NamedTuple):
    """A link or an image: the destination as written, and its line."""

    target: str
    text: str
    line: int
    image: bool


class CodeSpan(NamedTuple):
    """Inline code with the prose around it on the same paragraph."""

    text: str
    line: int
    before: str
    after: str


class Prose(NamedTuple):
    """One line of prose. ``text`` has inline code taken out; ``plain`` also has no link text and no quotation."""

    line: int
    text: str
    plain: str


class Body(NamedTuple):
    """The Markdown below the frontmatter."""

    text: str = ""
    first_line: int = 1
    headings: tuple[Heading, ...] = ()
    fences: tuple[Fence, ...] = ()
    tables: int = 0
    links: tuple[Link, ...] = ()
    code_spans: tuple[CodeSpan, ...] = ()
    prose: tuple[Prose, ...] = ()
    cut_line: int | None = None  # first line whose structure was not read, in a file too large for that
    unread: tuple[int, ...] = ()  # lines and paragraphs before it that are too long for their links and code to be read

    def __reduce__(self) -> "tuple[Callable[..., Body], tuple[object, ...]]":
        """Pickled by columns: thousands of rows go from process to process, and each would bring a note of its class."""
        alone = (self.text, self.first_line, self.tables, self.cut_line, self.unread)
        rows = (self.headings, self.fences, self.links, self.code_spans, self.prose)
        return _body, (alone, *(tuple(zip(*some, strict=True)) for some in rows))


_Columns = tuple[tuple[object, ...], ...]
_Row = TypeVar("_Row", Heading, Fence, Link, CodeSpan, Prose)


def _body(
    alone: tuple[str, int, int, int | None, tuple[int, ...]],
    headings: _Columns,
    fences: _Columns,
    links: _Columns,
    code_spans: _Columns,
    prose: _Columns,
) -> Body:
    """What ``Body.__reduce__`` took apart."""
    text, first_line, tables, cut_line, unread = alone
    return Body(
        text,
        first_line,
        _rows(Heading, headings),
        _rows(Fence, fences),
        tables,
        _rows(Link, links),
        _rows(CodeSpan, code_spans),
        _rows(Prose, prose),
        cut_line,
        unread,
    )


def _rows(kind: type[_Row], columns: _Columns) -> tuple[_Row, ...]:
    """Rows of one class. ``tuple.__new__`` is what ``kind._make`` calls, without a call in Python for each row."""
    return tuple(map(tuple.__new__, repeat(kind), zip(*columns, strict=True)))


class Skill(NamedTuple):
    """A folder with a SKILL.md."""

    source: Source
    header: Header
    body: Body
    directory: str  # absolute
    real_directory: str  # of the file a linked SKILL.md points to; else the same
    name: str  # declared, else the directory's
    root: str  # absolute, of the repository
    plugin: str | None  # absolute, of the plugin
    placed: bool  # False for a skill at the root of a plugin or repository: its folder's name is arbitrary
    reference_files: tuple[str, ...] = ()
    asset_files: tuple[str, ...] = ()

    @property
    def description(self) -> str:
        """The description if it is a string, stripped; else empty."""
        return self.header.text("description") or ""

    @property
    def when_to_use(self) -> str:
        """``when_to_use`` if it is a string, stripped; else empty."""
        return self.header.text("when_to_use") or ""


class Agent(NamedTuple):
    """A Markdown file in an ``agents`` folder."""

    source: Source
    header: Header
    body: Body
    name: str
    root: str
    plugin: str | None

    @property
    def description(self) -> str:
        """The description if it is a string, stripped; else empty."""
        return self.header.text("description") or ""


Document = Skill | Agent  # what the rules about headers, names and files check


class Plugin(NamedTuple):
    """A plugin directory with the skills and agents found in it."""

    path: str
    name: str
    line: int
    skills: tuple[Skill, ...]
    agents: tuple[Agent, ...]
    other: tuple[str, ...]  # what else it brings (commands, hooks, servers): the reason when nothing can be scored


ManifestKind = Literal["plugin", "marketplace", "hooks", "mcp", "other"]


class Manifest(NamedTuple):
    """A JSON file of a plugin or a marketplace, or the part of one that holds hooks or servers."""

    source: Source
    kind: ManifestKind  # ``other``: the manifest of another client, of which only the syntax is checked
    value: Value | None  # None with a problem
    problem: Problem | None
    notes: tuple[Problem, ...]  # defects that leave it readable
    directory: str  # absolute: what its paths are relative to
    root: str  # absolute, of the repository
    plugin: str | None  # absolute, of the plugin; None for a marketplace and for what is fetched from elsewhere
    inline: bool = False  # a part of another file rather than a file


class Collection(NamedTuple):
    """All documents of one run, each once and in order."""

    root: str
    skills: tuple[Skill, ...]
    agents: tuple[Agent, ...]
    plugins: tuple[Plugin, ...]
    problems: tuple[tuple[str, Problem], ...]  # (path, problem) met while looking for targets
    manifests: tuple[Manifest, ...] = ()
    commands: tuple[Agent, ...] = ()  # their frontmatter is optional, and only its syntax is checked
    renamed: tuple[tuple[str, str], ...] = ()  # against a base: names before and now, "" for what is gone

    @property
    def documents(self) -> tuple[Document, ...]:
        """The skills, then the agents."""
        both: list[Document] = [*self.skills, *self.agents]
        return tuple(both)


class Suppressed(NamedTuple):
    """A hidden finding, and what hides it."""

    finding: Finding
    cause: Literal["baseline", "comment", "configuration"]
    reason: str = ""  # as somebody wrote it down


class CheckResult(NamedTuple):
    """The findings of one run: those shown, and by path those that count for the score."""

    findings: tuple[Finding, ...]
    subsumed: tuple[Finding, ...]  # the same root cause as a shown one: counted by the contract, not shown
    suppressed: tuple[Suppressed, ...] = ()
