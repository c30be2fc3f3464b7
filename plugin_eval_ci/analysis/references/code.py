"""Paths in inline code and in plain words: a file the sentence tells to read or run, a folder it points to, a command."""

import re
from bisect import bisect_left
from collections.abc import Iterator

from plugin_eval_ci.analysis.references.listed import shown_files
from plugin_eval_ci.analysis.references.types import (
    BUNDLE_FOLDERS,
    OTHER_FOLDERS,
    SKILL_FOLDER,
    Mention,
    bundled_path,
    has_folder,
    is_of_a_project,
    is_promised,
    is_quiet,
    look,
    own_folders,
)
from plugin_eval_ci.analysis.resolve import Local, Resolution
from plugin_eval_ci.analysis.resolve.intent import is_gone, is_made, is_made_in_shell
from plugin_eval_ci.analysis.resolve.paths import extension
from plugin_eval_ci.analysis.resolve.sentence import Place, sentence_around
from plugin_eval_ci.model import CodeSpan, Fence, Prose, Skill
from plugin_eval_ci.util.lazy import Lazy

_BASE = rf"(?:\$\{{?CLAUDE_SKILL_DIR\}}?/|\$\{{?CLAUDE_PLUGIN_ROOT\}}?/|{SKILL_FOLDER})"
_RUN = Lazy(
    r"(?:^|[;&|(]|\$ |&& )\s*(?:[A-Z_][A-Z0-9_]*=\S*\s+)*"
    r"(?:(?:uv run(?: (?:--with|--python) \S+){0,4}(?: --script| python3?)?|python3?|node|bash|sh|zsh|ruby|perl|deno run|bun(?: run)?"
    r"|npx tsx|tsx|pwsh|source|\.)\s+(?:-{1,2}[\w-]+(?:=\S+)?\s+){0,4}[\"']?"
    rf"(?P<argument>(?:\./)?{_BASE}?scripts/[\w./-]+)"
    rf"|[\"']?(?P<program>(?:\./|{_BASE})scripts/[\w./-]+)"
    r"|(?P<script>scripts/[\w/-]+\.(?:sh|py|js|mjs|ts|rb|pl|ps1)))"
)
_ELSEWHERE = Lazy(
    r"\b(?:ssh|scp|docker (?:exec|run|compose exec)|kubectl exec|podman exec|vagrant ssh)\b|\bcd\s+(?P<folder><[^>]*>|\S+)"
)
_HOME = Lazy(r"CLAUDE_|SKILL_|baseDir|<[^>]*skill|(?:^|/)skills?/|path/to/\S*skill|^[\"']?\.[\"']?$", re.IGNORECASE)
_OPTION = Lazy(r"(?:--project|--directory|--cwd|-C)[ =]\Z")


def scripts_of(command: str) -> Iterator[str]:
    """The paths below ``scripts/`` that one line of shell runs, as written."""
    if "scripts/" not in command or len(command) > 1_000:
        return
    for match in _RUN().finditer(command):
        path = match["argument"] or match["program"] or match["script"]
        if leaves(command[: match.start()]):
            return
        start = max(match.start("argument"), match.start("program"), match.start("script"))
        if path.rpartition("/")[2].strip(".") and not _OPTION().search(command[:start]):
            yield path.rstrip(".")


def leaves(shell: str) -> bool:
    """Whether lines of shell go to another host, into a container, or into a folder that is not the skill's."""
    return any(not match["folder"] or not _HOME().search(match["folder"]) for match in _ELSEWHERE().finditer(shell))


_TEMPLATES = frozenset(
    {"markdown", "md", "mdx", "text", "txt", "plaintext", "tree", "dot", "mermaid", "html", "xml", "json", "diff"}
)
_SHELLS = frozenset(
    {
        "",
        "sh",
        "bash",
        "zsh",
        "shell",
        "console",
        "terminal",
        "shell-session",
        "shellsession",
        "powershell",
        "ps1",
        "cmd",
    }
)
_COMMENT = Lazy(r"\s*(?:#+|//+|--|;+|/\*+|<!--|%)\s*(?P<words>\S.*)")
_INSIDE = Lazy(r"(?<![\w/.-])(?:\./)?(?:references?|assets|scripts)/[\w./-]*\w/?")
_DEPLOYS = Lazy(r"\b(?:kubectl|helm (?:install|upgrade)|docker build|terraform apply|pytest) ")
_CLONE = Lazy(r"\bgit clone\b")


def code_block_mentions(skill: Skill) -> Iterator[Mention]:
    """The references in the fences of SKILL.md."""
    found: list[Mention] = []
    away = False  # an earlier command cloned a project, whose scripts these may be
    for fence in skill.body.fences:
        if any(f"{folder}/" in fence.content for folder in BUNDLE_FOLDERS):
            found += _fence(skill, fence, away)
        away = away or (fence.language in _SHELLS and _CLONE().search(fence.content) is not None)
    shown = shown_files(skill) if any(mention.resolution.status == "missing" for mention in found) else set()
    for mention in found:
        if mention.resolution.status != "missing" or mention.local.path not in shown:
            yield mention


def _fence(skill: Skill, fence: Fence, away: bool) -> Iterator[Mention]:
    written = _written_by(fence.content)
    deploys = _DEPLOYS().search(fence.content) is not None
    last = previous = ""
    for row, line in enumerate(fence.content.split("\n")):
        away = away or leaves(f"{previous}\n{last}\n")
        previous, last = last, line
        if "/" not in line or len(line) > 1_000:
            continue
        number = fence.line + 1 + row
        comment = _COMMENT().match(line) if fence.language not in _TEMPLATES else None
        if comment is not None:
            yield from _comment(skill, comment["words"], number)
        elif fence.language in _SHELLS:
            for path in scripts_of(line):
                local = bundled_path(path)
                if local is None or _starts_one(written, path) or is_of_a_project(skill, path, local.path):
                    continue
                if local.base or not (away or deploys):
                    yield Mention(path, local, number, "fence", look(skill, local, line))


def _comment(skill: Skill, words: str, number: int) -> Iterator[Mention]:
    for match in _INSIDE().finditer(words):
        local = bundled_path(match[0])
        if local is not None and is_promised(skill, sentence_around([words], 0, match.start(), match.end())):
            yield Mention(match[0], local, number, "fence", look(skill, local, words))


_WRITES = Lazy(r"(?:> ?|touch |chmod \+x |tee )(?=([^\s>]\S{0,199}))")


def _written_by(content: str) -> list[str]:
    """What the fence itself writes before it runs it, in order of the alphabet."""
    return sorted(set(_WRITES().findall(content)))


def _starts_one(written: list[str], path: str) -> bool:
    at = bisect_left(written, path[:200])
    return at < len(written) and written[at].startswith(path[:200])


_FILE = r"(?:\./)?[\w-]+[/\\](?:[\w.-]+[/\\])*[\w-][\w.-]*\.[A-Za-z0-9]{1,8}"
_WORDS = Lazy(rf"(?<![\w/\\.~$}}@-])@?{_FILE}(?![\w/\\-])", re.ASCII)
_QUOTED = Lazy(rf"[\"'“](@?{_FILE})[\"'”]", re.ASCII)
_HOLDS = Lazy(r"[`*\s]*(?:directory|folder) (?:contains|holds)\b", re.IGNORECASE)
_ITEM_START = Lazy(r"[ \t\-*+|>0-9.`\[\]()✅•#\"'“@]*\Z")
_ITEM_END = Lazy(r"[`*\"'”)\]]*\s*(?:[-–—:：|(（,，;.]|→|\Z)")
# Headings above lists of files that are not the skill's own, and of files that are.
_NOT_OWN = Lazy(
    r"\b(?:projects?|repo(?:sitory)?|codebase|structure|layout|outputs?|deliver\w*|generat\w*|creat\w*|chang\w*|modif\w*|analysis"
    r"|would|might|could|examples?|possible|typical\w*|expected|your|user'?s|when building|consider|suggest\w*)\b",
    re.IGNORECASE,
)
_OWN = Lazy(
    r"\b(?:scripts?|resources?|bundled?|files|references?|tools|utilit\w+|helpers?|assets|templates?|contents?)\b"
    r"|资源|脚本|参考|文件|スクリプト|参照|리소스|스크립트|recursos|ressourcen|ressources",
    re.IGNORECASE,
)
_ABOUT_SKILLS = Lazy(
    r"\b(?:creat|writ|author|build|design|improv|evaluat|lint|review|plan|mak|develop|packag|test)\w*\W+(?:[\w-]+\W+){0,4}?(?:skill|plugin)s?\b",
    re.IGNORECASE,
)

_MOST = 1_500  # pieces of code, and slashes of plain words, that are looked at: far more than any skill has


def text_mentions(skill: Skill) -> Iterator[Mention]:
    """The inline code and the bare paths of SKILL.md that the reader is told to open or run."""
    lines = skill.source.text.split("\n")
    folders = own_folders(skill)
    found: list[Mention] = []
    made: set[str] = set()  # what the skill itself has its reader write is no bundled file wherever else it is named
    left = _MOST
    for span in skill.body.code_spans[:_MOST]:
        if ("/" in span.text or "\\" in span.text) and span.line <= len(lines):
            found += _span(skill, span, lines, folders, made)
    for prose in skill.body.prose:
        if ("/" in prose.text or "\\" in prose.text) and prose.line <= len(lines):
            left -= prose.text.count("/")
            if left < 0:
                break
            found += _prose(skill, prose, lines, folders)
    if any(mention.resolution.status == "missing" for mention in found):
        made |= shown_files(skill)
    for mention in found:
        if mention.resolution.status != "missing" or not _is_made_here(skill, mention.local.path.rstrip("/"), made):
            yield mention


def _is_made_here(skill: Skill, path: str, made: set[str]) -> bool:
    """Whether the skill has its reader write a path, or the folder below ``assets/`` and the like that it lies in."""
    folder = path.rpartition("/")[0]
    return path in made or ("/" in folder and folder in made) or is_made_in_shell(skill.source.text, path)


def _span(
    skill: Skill, span: CodeSpan, lines: list[str], folders: tuple[str, ...], made: set[str]
) -> Iterator[Mention]:
    text, line = span.text.strip(), lines[span.line - 1]
    local = bundled_path(text, folders)
    if local is not None and (local.base or _first(local) in BUNDLE_FOLDERS or extension(local.path)):
        folder = local.path.rstrip("/") in BUNDLE_FOLDERS or text.endswith("/")
        answer, place = _look(skill, local, lines, span.line, text)
        if answer.status != "found" and is_made(place.before):
            made.add(local.path.rstrip("/"))
        elif answer.status == "found" or _is_meant(skill, text, local, place, folder):
            yield Mention(text, local, span.line, "folder" if folder else "code", answer)
    elif text.startswith(OTHER_FOLDERS) and (local := bundled_path(text, OTHER_FOLDERS)) and extension(local.path):
        answer, place = _look(skill, local, lines, span.line, text)
        told = not is_of_a_project(skill, text, local.path) and is_promised(skill, place, strict=True)
        if answer.status == "found" or told:
            yield Mention(text, local, span.line, "code", answer)
    elif " " in text and "scripts/" in text and not is_quiet(skill, _place(lines, span.line, text)):
        for path in scripts_of(text):
            script = bundled_path(path)
            if script is not None and not is_of_a_project(skill, path, script.path):
                yield Mention(path, script, span.line, "code", look(skill, script, line))


def _prose(skill: Skill, prose: Prose, lines: list[str], folders: tuple[str, ...]) -> Iterator[Mention]:
    quoted = [match[1] for match in _QUOTED().finditer(prose.text)] if '"' in prose.text or "“" in prose.text else []
    for written in [*quoted, *(match[0] for match in _WORDS().finditer(prose.plain))]:
        local = bundled_path(written, folders)
        if local is None:
            continue
        answer, place = _look(skill, local, lines, prose.line, written)
        if answer.status == "found" or _is_meant(skill, written, local, place, False):
            yield Mention(written, local, prose.line, "code", answer)


def _look(skill: Skill, local: Local, lines: list[str], line: int, text: str) -> tuple[Resolution, Place]:
    """Where a path leads, and what stands around it if it does not lead to a file."""
    answer = look(skill, local, lines[line - 1])
    if answer.status == "found":
        return answer, Place("", "", "", lines[line - 1])
    place = _place(lines, line, text)
    return (look(skill, local, place.sentence) if answer.status == "missing" else answer), place


def _first(local: Local) -> str:
    return local.path.split("/")[0]


def _place(lines: list[str], line: int, text: str) -> Place:
    """The sentence of a path; without one where the line does not hold it, as code over two lines."""
    at = lines[line - 1].find(text)
    return sentence_around(lines, line - 1, at, at + len(text)) if at >= 0 else Place("", "", "", lines[line - 1])


def _is_meant(skill: Skill, written: str, local: Local, place: Place, folder: bool) -> bool:
    if is_of_a_project(skill, written, local.path) or (folder and place.after.startswith(" for ")):
        return False  # "use `scripts/` for executable code" speaks of any skill
    if is_promised(skill, place, strict=folder):
        return True
    if is_quiet(skill, place) or is_gone(place):
        return False
    if folder:
        return _HOLDS().match(place.after) is not None
    return (
        local.base == "skill" or written.startswith(("@", "{", "$")) or _is_announced(skill, written, local.path, place)
    )


def _is_announced(skill: Skill, written: str, path: str, place: Place) -> bool:
    """Whether the path begins an item of a list or fills a cell of a table, in a skill that probably ships it."""
    before, _, after = place.line.partition(written)
    if place.line.lstrip().startswith("|"):
        before = before.rpartition("|")[2]
    if not _ITEM_START().fullmatch(before) or _NOT_OWN().search(place.intro):
        return False
    if not path.startswith("references/") and not _ITEM_END().match(after):
        return False
    if has_folder(skill, path):
        return True
    about_skills = "skill" in skill.name or _ABOUT_SKILLS().search(skill.description[:2_000]) is not None
    if about_skills or _first(Local(path, None)) not in BUNDLE_FOLDERS:
        return False
    return path.startswith("reference") or (place.listed and _OWN().search(place.intro) is not None)
