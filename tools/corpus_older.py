"""How the older tool (plugin-eval 0.1.0, static layer) reads a skill, as far as explaining a difference needs it.

Described from its public behaviour and written anew. Its faults are the point; the package uses nothing of this.
"""

from __future__ import annotations

import re
from pathlib import Path

import yaml
from corpus_inputs import Flags, Inputs, Said, Words

from plugin_eval_ci.model import Skill

_WORD = re.compile(r"\w+")
_AFTER_COMMA = (
    "when", "for", "during", "implementing", "building", "creating", "debugging", "testing",
    "deploying", "configuring", "setting up",
)  # fmt: skip


def front(text: str) -> tuple[dict[str, object], str]:
    """Metadata and the rest: the first two runs of three dashes are its fences; what does not load is nothing."""
    pieces = text.split("---", 2) if text.startswith("---") else []
    if len(pieces) != 3:
        return {}, text
    try:
        loaded = yaml.safe_load(pieces[1])
    except yaml.YAMLError:
        loaded = None
    return (loaded if isinstance(loaded, dict) else {}), pieces[2]


def description(text: str) -> str:
    """The description it sees; empty when it sees none."""
    value = front(text)[0].get("description", "")
    return value if isinstance(value, str) else ""


def said(value: str) -> Said:
    """A description by English words alone."""
    flat = " ".join(value.lower().split())
    words = set(_WORD.findall(flat))
    return Said(
        len(value.strip()),
        triggers(flat),
        "proactively" in words,
        bool({"automatically", "trigger", "invoke"} & words) or re.search(r"\balways use\b", flat) is not None,
        sum(_opens_context(rest) for rest in flat.split(",")[1:]),
        re.search(r"\b(?:when|for|during) \w+ing\b", flat) is not None,
    )


def triggers(flat: str) -> bool:
    """Its phrases: use(d) … when/after/before/whenever, use proactively, trigger(s) when/on, auto-load(s) when/on."""
    middle = r"(?: this skill)?(?: immediately)? "
    return any(
        re.search(rf"\b{phrase}\b", flat)
        for phrase in (
            rf"used?{middle}(?:when|whenever|before|after)",
            "use proactively",
            "triggers? (?:when|on)",
            "auto[- ]?loads? (?:when|on)",
        )
    )


def _opens_context(rest: str) -> bool:
    rest = rest.strip().removeprefix("or ").lstrip()
    return rest.startswith(_AFTER_COMMA)


def words(text: str) -> Words:
    """The whole file by English words, code and metadata included."""
    lower = text.lower()
    found = set(_WORD.findall(lower))
    return Words(
        any(_speaks_of_format(line) for line in lower.split("\n")),
        bool({"return", "returns", "produce", "produces", "output", "outputs", "generate", "generates"} & found),
        bool({"input", "receive", "receives", "accept", "accepts", "parameter", "parameters", "arg", "args"} & found),
        any(word.startswith(("orchestrat", "coordinat", "dispatch")) for word in found),
        bool({"related", "companion"} & found)
        or any(word.startswith("complement") for word in found)
        or re.search(r"\bsee also\b", lower) is not None,
        any(word in lower for word in ("decision", "when to use", "comparison", "tradeoff")),
    )


def _speaks_of_format(line: str) -> bool:
    found = _WORD.findall(line)
    if "output" in found and "format" in found:
        return True
    starts = [place for place, word in enumerate(found) if word.startswith("return")]
    return bool(starts) and any(word.endswith("json") for word in found[starts[0] :])


def cross_references(body: str) -> list[str]:
    """What follows every ``skill/`` and ``skills/`` anywhere, up to a dot or a capital, repeats included."""
    return re.findall(r"skills?/([a-z0-9/-]+)", body)


def dead(folder: Path, names: list[str]) -> int:
    """Those that name nothing next to the skill."""
    return sum(not (folder.parent / name).exists() for name in names)


def top_files(folder: Path) -> bool:
    """Whether a folder holds a file at its top."""
    return folder.is_dir() and any(path.is_file() for path in folder.iterdir())


def repetition(text: str) -> float:
    """Repeated lines of the whole file, compared as written but for blanks around them."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("---")]
    return 1 - len(set(lines)) / len(lines) if lines else 0.0


def orphans(text: str, folder: Path) -> int:
    """Links beginning with ``references/`` whose last part is no file at that folder's top; none without the folder."""
    place = folder / "references"
    if not place.is_dir():
        return 0
    names = {path.name.lower() for path in place.iterdir() if path.is_file()}
    return sum(Path(target).name.lower() not in names for target in re.findall(r"\(references/([^)]+)\)", text))


def _flags(skill: Skill, spoken: Said, metadata: dict[str, object], must: int, references: list[str]) -> Flags:
    folder, text = Path(skill.directory), skill.source.text
    by_path = isinstance(metadata.get("paths"), str) and bool(metadata["paths"])
    chosen = metadata.get("disable-model-invocation") is not True and not by_path
    return Flags(
        int(must > 15),
        int(spoken.length < 20),
        int(chosen and not spoken.trigger),
        int(text.count("\n") >= 800 and not (folder / "references").exists()),
        orphans(text, folder),
        dead(folder, references),
    )


def older(skill: Skill) -> Inputs:
    """The inputs as the older tool sees them."""
    text, folder = skill.source.text, Path(skill.directory)
    metadata, body = front(text)
    spoken = said(description(text))
    lines = text.count("\n") + 1
    rows = body.strip().split("\n")
    fences = re.findall(r"```(\w*)", text)
    lower = body.lower()
    must = len(re.findall(r"\b(?:MUST|NEVER|ALWAYS)\b", text))
    references = cross_references(body)
    name = metadata.get("name", folder.name)
    return Inputs(
        0.0 if not name else 0.15 if name != folder.name else 0.10,
        spoken,
        words(text),
        _flags(skill, spoken, metadata, must, references),
        len(fences),
        len(set(filter(None, fences))),
        sum(row.startswith(("## ", "### ")) for row in rows),
        any(mark in lower for mark in ("## example", "## usage")),
        any(mark in lower for mark in ("## troubleshoot", "## common issue", "## faq")),
        any(line.count("|") >= 3 for line in text.split("\n")),
        lines,
        top_files(folder / "references"),
        top_files(folder / "assets"),
        must,
        repetition(text),
        len(references),
    )
