"""The names of skills, agents and commands that a repository has, and the names that its texts promise."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from plugin_eval_ci.analysis.wording import quote
from plugin_eval_ci.model import Agent, Collection, Document, Hit, Skill
from plugin_eval_ci.parse.manifest import plugin_entry
from plugin_eval_ci.parse.source import read_head
from plugin_eval_ci.util.lazy import Lazy


class KnownNames(NamedTuple):
    """Names in lower case: of everything, by kind, and what each plugin has."""

    skills: frozenset[str]
    agents: frozenset[str]
    commands: frozenset[str]
    plugins: dict[str, frozenset[str]]

    @property
    def all(self) -> frozenset[str]:
        """Every name of a skill, an agent or a command."""
        return self.skills | self.agents | self.commands


class Promise(NamedTuple):
    """A name that a text promises: ``kind`` is what it is said to be, ``plugin`` the prefix before a colon or empty."""

    line: int
    written: str
    plugin: str
    name: str
    kind: str  # skill, agent, or empty when the text does not say


_MOST_READ = 400  # files of a plugin that are looked into for a name
_MOST = 3_000  # places of one document that are looked at
_NAME = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+"
_WORD = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
_KIND = Lazy(r" (?:skill|agent|subagent|sub-agent)\b")
_MARKED_BEFORE = Lazy(rf"(?:`|\*\*)/?(?:(?P<plugin>{_WORD}):)?(?P<name>{_NAME})(?:`|\*\*)\Z")
_NOT_ITS_KIND = Lazy(
    r"\s*[-/:'\u2019`]|\s+(?:tools?|system|creator|files?|folders?|director|format|framework|spec|patterns?|registry|types?"
    r"|sdk|api|frontmatter|config|template|teams?)\b"
)
_BEFORE_COLON = Lazy(rf"(?<![\w/.:@$\\<{{}}=-])/?(?P<plugin>{_WORD})\Z")
_AFTER_COLON = Lazy(rf"(?P<name>{_WORD})(?![\w:/@(={{*]|-|\.\w)")
_OTHER_COLON = Lazy(r"\b(?:npm|pnpm|yarn|bun|npx|docker|podman|image|make|rake)\W+(?:\w+\W+)?\Z", re.IGNORECASE)
_COLON = Lazy(r":(?=[a-z])")
_TAG = Lazy(r"latest|stable|main|dev|v?\d+")
_KIND_BEHIND = Lazy(r"(?:`|\*\*)? (?:skill|agent|subagent|sub-agent|command)\b")
_NOT_PROMISED = Lazy(
    r"\b(?:rename[sd]?|remov\w+|retired|deprecated|replac\w+|deleted|former(?:ly)?|previously|legacy|old|used to be"
    r"|no longer|merged|e\.g\.|for example|such as|example|imagine"
    r"|hypothetical|suppose|if (?:you have|available|installed|present)|(?:may|might|could) (?:have|be)|not (?:installed"
    r"|available|bundled|rebundle)|third[- ]party|external|upstream"
    r"|creat(?:e|es|ed|ing)|missing|does(?: not|n'?t) exist|install|instead of)\b",
    re.IGNORECASE,
)


def known_names(collection: Collection, listed: bool = True, disk: bool = False) -> KnownNames:
    """What the run read. ``listed``: also what else its plugins hold. ``disk``: also what else is in the repository."""
    skills, agents, commands = set[str](), set[str](), set[str]()
    plugins: dict[str, set[str]] = {}
    called = {os.path.normpath(os.path.join(collection.root, p.path)): p.name.lower() for p in collection.plugins}
    roots = list(called) if listed else []
    for document in collection.documents:
        names = _names_of(document)
        (skills if isinstance(document, Skill) else agents).update(names)
        if document.plugin:
            plugins.setdefault(_called(called, document.plugin, collection.root), set()).update(names)
    if disk:
        roots += _walk(collection.root, skills, agents)
    for root in dict.fromkeys(roots):
        here = plugins.setdefault(_called(called, root, collection.root), set())
        for kind, found in (("skills", skills), ("agents", agents), ("commands", commands)):
            names = set(_listed(os.path.join(root, kind)))
            found |= names
            here |= names
        here |= set(_workflows(root))
    return KnownNames(
        frozenset(skills),
        frozenset(agents),
        frozenset(commands),
        {name: frozenset(has) for name, has in plugins.items()},
    )


def _workflows(root: str) -> Iterator[str]:
    """The commands that scripts in a plugin's ``workflows`` folder give it."""
    for _, _, files in os.walk(os.path.join(root, "workflows")):
        for name in files:
            if name.endswith((".js", ".mjs", ".ts", ".md", ".yaml", ".yml")):
                yield name.partition(".")[0].lower()


def is_made_at_run_time(document: Document, promise: Promise) -> bool:
    """Whether another text or a script of the promised plugin writes a skill, agent or command of that name."""
    root, name = document.plugin, promise.name
    if not promise.plugin or root is None:
        return False
    made = re.compile(
        rf"(?:skills?|agents|commands)/{re.escape(name)}(?:/|\.md|[\s`\"'])|^name:\s*[\"']?{re.escape(name)}[\"']?\s*$"
        rf"|\b(?:creat|generat|writ|scaffold|register)\w*\b[^\n]{{0,60}}[`/:\"']{re.escape(name)}[`\"'\s]",
        re.MULTILINE | re.IGNORECASE,
    )
    read = 0
    for current, folders, files in os.walk(root):
        folders[:] = sorted(folder for folder in folders if folder not in (".git", "node_modules"))
        for file in sorted(file for file in files if file.endswith((".md", ".js", ".mjs", ".ts", ".py", ".sh"))):
            read += 1
            if read > _MOST_READ:
                return False
            path = os.path.join(current, file)
            if path != document.source.file and made.search(read_head(path, 64 * 1024).decode("utf-8", "replace")):
                return True
    return False


def _called(known: dict[str, str], root: str, top: str) -> str:
    """The name of the plugin in a folder, read once."""
    if root not in known:
        known[root] = plugin_entry(root, top).name.lower()
    return known[root]


def _names_of(document: Document) -> set[str]:
    own = os.path.basename(document.directory if isinstance(document, Skill) else document.source.file)
    return {document.name.lower(), own.removesuffix(".md").lower()}


def _listed(folder: str) -> Iterator[str]:
    """Names by file and folder, three levels deep; a command in a folder is called ``folder:command``."""
    for current, folders, files in os.walk(folder):
        inside = os.path.relpath(current, folder).replace(os.sep, ":").lower()
        if inside.count(":") > 1:
            folders.clear()
        if "SKILL.md" in files:
            folders.clear()
            yield os.path.basename(current).lower()
            continue
        for name in files:
            if name.endswith((".md", ".toml")) and name != "README.md":
                stem = name.rpartition(".")[0].lower()
                yield stem
                if inside != ".":
                    yield f"{inside}:{stem}"


_MOST_FOLDERS = 30_000  # without a bound a run outside of a repository could walk a whole disk


def _walk(root: str, skills: set[str], agents: set[str]) -> list[str]:
    plugins = []
    for count, (current, folders, files) in enumerate(os.walk(root)):
        if count > _MOST_FOLDERS:
            break
        if any(name.endswith("-plugin") and name.startswith(".") for name in folders):
            plugins.append(current)
        folders[:] = [name for name in folders if name not in (".git", "node_modules", ".venv", "__pycache__")]
        base = os.path.basename(current)
        if "SKILL.md" in files:
            skills.add(base.lower())
        elif base == "agents":
            agents.update(name.removesuffix(".md").lower() for name in files if name.endswith(".md"))
    return plugins


def promises_of(document: Document) -> Iterator[Promise]:
    """The names that a document's text promises: those said to be a skill or an agent, then those with a plugin's prefix."""
    body = document.body
    text = body.text
    for match in islice(_KIND().finditer(text), _MOST):
        if text[match.start() - 1] not in "`*" or _NOT_ITS_KIND().match(text, match.end()):
            continue
        found = _MARKED_BEFORE().search(text, max(0, match.start() - 100), match.start())
        if found is not None and _is_promised(document, found.start(), match.end()):
            kind = "skill" if "skill" in match[0] else "agent"
            plugin = found["plugin"] or ""
            written = f"{plugin}:{found['name']}" if plugin else found["name"]
            yield Promise(_line(document, found.start()), written, plugin, found["name"], kind)
    for colon in islice(_COLON().finditer(text), _MOST):
        at = colon.start()
        if text[at - 1 : at].isalnum():
            before = _BEFORE_COLON().search(text, max(0, at - 80), at)
            after = _AFTER_COLON().match(text, at + 1)
            if before is not None and after is not None and _is_scoped(document, before, after):
                plugin, name = before["plugin"], after["name"]
                yield Promise(_line(document, at), f"{plugin}:{name}", plugin, name, "")


def _is_scoped(document: Document, before: re.Match[str], after: re.Match[str]) -> bool:
    """Whether ``a:b`` is a plugin and what is in it, rather than a script, an image's tag or a pair of words."""
    text = document.body.text
    lead = text[max(0, before.start() - 40) : before.start()].rpartition("\n")[2]
    typed = "subagent_type" in lead
    if not typed and text[before.start()] != "/" and text[before.start() - 1] not in "`*":
        return False
    if _OTHER_COLON().search(lead) or _TAG().fullmatch(after["name"]):
        return False
    if "-" not in after["name"] and not typed and _KIND_BEHIND().match(text, after.end()) is None:
        return False
    return _is_promised(document, before.start(), after.end(), typed)


def _is_promised(document: Document, start: int, end: int, in_code: bool = False) -> bool:
    body = document.body
    before = body.text[body.text.rfind("\n", 0, start) + 1 : start][-80:]
    after = body.text[end : end + 60].partition("\n")[0]
    if _NOT_PROMISED().search(before) or _NOT_PROMISED().search(after):
        return False
    if in_code or not body.fences:
        return True
    line = _line(document, start)
    return not any(fence.line <= line <= fence.end_line for fence in body.fences)


def _line(document: Document, at: int) -> int:
    return document.body.first_line + document.body.text.count("\n", 0, at)


def needed_by(agent: Agent) -> Iterator[Promise]:
    """The skills that an agent's frontmatter asks for."""
    field = agent.header.field("skills")
    if field is None:
        return
    value = field.value
    items = [(item.text, item.line) for item in value.items if item.kind == "text"] if value.kind == "list" else []
    if value.kind == "text":
        items = [(part, value.line) for part in value.text.split(",")]
    for written, line in items:
        text = written.strip().lower()
        plugin, _, name = text.rpartition(":")
        if re.fullmatch(r"[a-z0-9][a-z0-9._-]*", name) and re.fullmatch(r"[a-z0-9._-]*", plugin):
            yield Promise(line, written.strip(), plugin, name, "skill")


def is_known(known: KnownNames, promise: Promise) -> bool:
    """Whether the promised name is there, or stands for something to be filled in."""
    from plugin_eval_ci.analysis.resolve import is_placeholder

    name = promise.name.lower()
    if promise.plugin:
        return (
            name in known.plugins.get(promise.plugin.lower(), ())
            or is_placeholder(name)
            or is_placeholder(promise.plugin)
        )
    return name in known.all or name in _BUILT_IN or is_placeholder(name)


_BUILT_IN = frozenset(
    {"general-purpose", "statusline-setup", "output-style-setup", "claude-code-guide", "code-reviewer"}
)


def hit(promise: Promise, known: KnownNames, pairs: tuple[tuple[str, str], ...]) -> Hit | None:
    """A hit with the name as it is now, or None when the change has nothing to do with it. ``pairs`` as in ``Collection``."""
    renamed, plugin = dict(pairs), promise.plugin.lower()
    if plugin and plugin not in known.plugins:
        now = renamed.get(f"{plugin}:", "").rstrip(":")
        if not now:
            return None
        message = f"the plugin {quote(promise.plugin)} is called {quote(now)} since this change"
        fix = f"Did you mean {quote(f'{now}:{promise.name}')}?"
        return Hit(promise.line, message, fix, promise.written)
    name = renamed.get(promise.name.lower())
    if name is None:
        return None
    what = promise.kind or "skill, agent or command"
    message = f"the {what} {quote(promise.written)} no longer exists: this change {'renames' if name else 'removes'} it"
    fix = f"Did you mean {quote(name)}, as it is called now?" if name else "Name another one, or remove it."
    return Hit(promise.line, message, fix, promise.written)
