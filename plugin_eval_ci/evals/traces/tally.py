"""What is counted of recorded sessions, skill by skill, in an amount of memory that does not grow with them."""

from __future__ import annotations

import json
import os
import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from typing import BinaryIO

from plugin_eval_ci.analysis.safety.secrets import FORMS
from plugin_eval_ci.evals.llm.models import table
from plugin_eval_ci.evals.traces.events import Event, SkillCall, SkillList, TokenUse, UserPrompt, events_of
from plugin_eval_ci.evals.traces.values import Lines, PromptFirings, Use

SHORTENED = 160  # characters of a first line
_KEY_BLOCK = re.compile(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----.*?(?:-----END [A-Z ]{0,40}-----|\Z)", re.DOTALL)
_NAMED = r"(?:password|passwd|pwd|secret|token|api[_-]?key)"
_FORMS = (  # what must be in a text for the pattern to find something, the pattern, what is shown in its place
    ("eyJ", re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?"), "[secret]"),
    ("", re.compile(r"\b(?:sk|pk|rk|api|key|ghp|gho|xox[a-z])[-_][\w-]{12,}"), "[secret]"),
    ("", re.compile(rf"(?i)\b(bearer\s+|{_NAMED}\s{{0,3}}[=:]\s{{0,3}})[\"']?[^\s\"',;]{{4,}}"), r"\1[secret]"),
    ("://", re.compile(r"(?i)\b([a-z][a-z0-9+.-]{1,20}://)[^\s/@]{1,200}@"), r"\1[secret]@"),
    ("@", re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+"), "[e-mail]"),
    ("", re.compile(r"(?i)((?:/home|/Users|/root|[A-Z]:\\+Users)[/\\]+)[^/\\\s\"'`:;,)]+"), r"\1[user]"),
    ("", re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])"), "[address]"),
    ("", re.compile(r"(?<![\w-])(?=[\w-]{0,40}\d)(?=[\w-]{0,40}[A-Za-z])[A-Za-z0-9_-]{32,}(?![\w-])"), "[token]"),
    ("", re.compile(r"(?<![A-Za-z0-9])[0-9a-fA-F]{20,}(?![A-Za-z0-9])"), "[token]"),
    ("", re.compile(r"(?<![\w.])\+?\d(?:[ ()/.-]{0,2}\d){6,24}(?!\w)"), "[number]"),
)  # fmt: skip


def redact(text: str) -> str:
    """A text without what could tell a person or open a door."""
    text = _KEY_BLOCK.sub("[secret]", text)
    for form in FORMS:
        if any(needle in text for needle in form.needles):
            text = form.pattern().sub("[secret]", text)
    for needle, pattern, shown in _FORMS:
        if needle in text:
            text = pattern.sub(shown, text)
    return text


def first_line(text: str) -> str:
    """The first line that says something, redacted and shortened."""
    line = next((line for line in redact(text[:8_000]).splitlines() if line.strip()), "")
    line = " ".join(line.split())
    return line if len(line) <= SHORTENED else line[: SHORTENED - 1] + "…"


class LoadedSkill:
    """A skill that was loaded in a turn. ``after``: the message that called it, whose own tokens do not count."""

    def __init__(self, skill: str, how: str, after: str) -> None:
        self.skill, self.how, self.after = skill, how, after
        self.metered, self.tokens, self.cost, self.unknown = False, 0, 0.0, False


class Track:
    """A conversation: of the user with the agent, or of the agent with one of its own."""

    def __init__(self) -> None:
        self.prompt: str | None = None
        self.command = ""
        self.fired: list[LoadedSkill] = []
        self.last: TokenUse | None = None
        self.before = 0  # skills that had fired when the last message began


class Counts:
    """What is counted of a skill."""

    def __init__(self) -> None:
        self.listed = self.prompts_listed = self.by_model = self.by_user = self.in_subagents = 0
        self.metered = self.tokens = 0
        self.cost, self.unknown = 0.0, False
        self.prompts: dict[str, None] = {}


EXAMPLES = 10  # prompts that are shown of a skill
MOST_SKILLS = 2_000
MOST_PROMPTS = 5_000  # that are kept for labels
LONGEST_PROMPT = 4_000  # characters of a prompt that may become a label
_MOST_TRACKS = 500  # conversations that are followed at once
_MOST_CALLS = 200_000  # ids of calls, by which a call that stands in two files counts once
_MOST_FIRED = 50  # skills of one turn
_HOUR = 2.0  # price of writing to the cache for an hour, as a share of the input rate


class Tally:
    """Counts; ``keep``: also the prompts themselves, for labels. Files are read one after another."""

    def __init__(self, keep: bool = False) -> None:
        self.keep = keep
        self.heard: OrderedDict[str, PromptFirings] = OrderedDict()
        self.long = self.sessions = self.prompts = 0
        self.listings = False
        self.commands: Counter[str] = Counter()
        self._skills: dict[str, Counts] = {}
        self._called: set[int] = set()  # hashes: an id is long
        self._named: set[str] = set()  # listed or called: certainly a skill
        self._tracks: OrderedDict[tuple[str, str], Track] = OrderedDict()
        self._lists: OrderedDict[str, set[str]] = OrderedDict()

    def take(self, event: Event, session: str, side: str) -> None:
        """Count an event. ``side``: names the agent's own agent that it happened in, empty for the conversation with the user."""
        if session not in self._lists:
            self._lists[session] = set()
            self.sessions += 1
            if len(self._lists) > _MOST_TRACKS:
                self._lists.popitem(last=False)
        track = self._track(session, side)
        if isinstance(event, SkillList):
            self._list(event, self._lists[session])
        elif isinstance(event, UserPrompt):
            self._say(event, track, session, side)
        elif isinstance(event, SkillCall):
            self._call(event, track)
        else:
            self._use(event, track)

    def end_file(self) -> None:
        """A file is read: what was going on in it is over."""
        for (session, side), track in list(self._tracks.items()):
            self._close(track, session, side)
        self._tracks.clear()
        self._lists.clear()

    def uses(self) -> tuple[Use, ...]:
        """Every skill, those that fired most first. A slash command counts as a skill when it is listed or was also called by a model."""
        found = []
        for name, one in self._skills.items():
            if name in self._named:
                cost = None if one.unknown or not one.metered else one.cost
                counts = (one.listed, one.prompts_listed, one.by_model, one.by_user, one.in_subagents)
                found.append(Use(name, *counts, one.metered, one.tokens, cost, tuple(one.prompts)))
        return tuple(sorted(found, key=lambda use: (-use.fired, use.skill)))

    def known(self, names: frozenset[str]) -> None:
        """Say of names that they are skills: their slash commands count."""
        self._named |= {name for name in self._skills if name in names or name.rpartition(":")[2] in names}

    def other_commands(self) -> int:
        """Slash commands that are not known to be skills."""
        return sum(count for name, count in self.commands.items() if name not in self._named)

    def _track(self, session: str, side: str) -> Track:
        key = (session, side)
        if key not in self._tracks:
            self._tracks[key] = Track()
            if len(self._tracks) > _MOST_TRACKS:
                (other, its), oldest = self._tracks.popitem(last=False)
                self._close(oldest, other, its)
        return self._tracks[key]

    def _list(self, event: SkillList, names: set[str]) -> None:
        self.listings = True
        for name in event.names:
            if name not in names and (one := self._skill(name)) is not None:
                names.add(name)
                one.listed += 1
                self._named.add(name)

    def _say(self, event: UserPrompt, track: Track, session: str, side: str) -> None:
        self._close(track, session, side)
        track.prompt, track.command = event.text, event.command
        if side:
            return
        self.prompts += 1
        for name in self._lists[session]:
            self._skills[name].prompts_listed += 1
        if event.command and len(self.commands) < MOST_SKILLS:
            self.commands[event.command] += 1
            track.fired.append(LoadedSkill(event.command, "user", ""))

    def _call(self, event: SkillCall, track: Track) -> None:
        call = hash(event.call)
        if event.call and call in self._called:
            return
        if event.call and len(self._called) < _MOST_CALLS:
            self._called.add(call)
        if len(self._named) < 2 * MOST_SKILLS:
            self._named.add(event.skill)
        if len(track.fired) < _MOST_FIRED and all(one.skill != event.skill for one in track.fired):
            track.fired.append(LoadedSkill(event.skill, "model", event.message))

    def _use(self, event: TokenUse, track: Track) -> None:
        if track.last is None or not event.message or track.last.message != event.message:
            self._commit(track)
            track.before = len(track.fired)
        track.last = event

    def _commit(self, track: Track) -> None:
        """Add the last message to what fired before it; the same message may stand on several lines, and counts once."""
        last = track.last
        track.last = None
        if last is None:
            return
        price = table().model(last.model).price
        for one in track.fired[: track.before]:
            if one.after and one.after == last.message:
                continue
            one.metered = True
            one.tokens += last.usage.total
            if price is None:
                one.unknown = True
            else:
                more = last.hour * (_HOUR - price.cache_write) * price.rate.input / 1_000_000
                one.cost += price.cost(last.usage) + more

    def _close(self, track: Track, session: str, side: str) -> None:
        """The turn is over: what fired in it is counted."""
        self._commit(track)
        for one in track.fired:
            skill = self._skill(one.skill)
            if skill is None:
                continue
            skill.by_model += one.how == "model"
            skill.by_user += one.how == "user"
            skill.in_subagents += bool(side)
            skill.metered += one.metered
            skill.tokens += one.tokens
            skill.cost += one.cost
            skill.unknown |= one.unknown
            if track.prompt and len(skill.prompts) < EXAMPLES and (line := first_line(track.prompt)):
                skill.prompts[line] = None
        if self.keep and not side and track.prompt:
            self._keep(track, self._lists.get(session))
        track.prompt, track.command, track.fired, track.before = None, "", [], 0

    def _keep(self, track: Track, listed: set[str] | None) -> None:
        text = track.prompt or ""
        if len(text) > LONGEST_PROMPT or len(self.heard) >= MOST_PROMPTS:
            self.long += len(text) > LONGEST_PROMPT
            return
        text = redact(text).strip()
        fired = {one.skill for one in track.fired}
        before = self.heard.get(text)
        if before is not None:
            fired |= set(before.fired)
        self.heard[text] = PromptFirings(text, tuple(sorted(fired)), frozenset(listed) if listed else None)

    def _skill(self, name: str) -> Counts | None:
        if name not in self._skills:
            if len(self._skills) >= MOST_SKILLS:
                return None
            self._skills[name] = Counts()
        return self._skills[name]


LONGEST_LINE = 16 << 20  # bytes; a longer one is counted, not read
_PIECE = 1 << 20


def files_in(path: str) -> Iterator[str]:
    """The records in a folder and below, in order; a file is itself. No link is followed to another folder."""
    if not os.path.isdir(path):
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders.sort()
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith((".jsonl", ".ndjson")))


def read_file(file: str, tally: Tally, tick: Callable[[], None] = lambda: None) -> Lines:
    """Count a file into ``tally``. Raises ``OSError``."""
    inside = "subagents" in file.split(os.sep)
    with open(file, "rb") as stream:
        lines = read_stream(stream, tally, os.path.basename(file) if inside else "", tick)
    tally.end_file()
    return lines


def read_stream(stream: BinaryIO, tally: Tally, side: str = "", tick: Callable[[], None] = lambda: None) -> Lines:
    """Count what a stream says; ``side`` names the agent's own agent whose record it is."""
    read = damaged = too_long = 0
    while line := stream.readline(LONGEST_LINE + 1):
        tick()
        if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            too_long += 1
            while (piece := stream.readline(_PIECE)) and not piece.endswith(b"\n"):
                pass
            continue
        if not line.strip():
            continue
        read += 1
        entry = _entry(line)
        if entry is None:
            damaged += 1
            continue
        session = entry.get("sessionId") or entry.get("session_id")
        inner = entry.get("agentId") or ("sidechain" if entry.get("isSidechain") is True else side)
        for event in events_of(entry):
            tally.take(
                event, session if isinstance(session, str) else "", inner if isinstance(inner, str) else "sidechain"
            )
    return Lines(read, damaged, too_long)


def _entry(line: bytes) -> dict[str, object] | None:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None
