"""Lines of recorded sessions, as agents write them."""

from __future__ import annotations

import itertools
import json

_IDS = itertools.count()
Line = dict[str, object]
MODEL = "claude-sonnet-5"


def said(text: object, session: str = "s", **more: object) -> Line:
    return {"type": "user", "sessionId": session, "message": {"role": "user", "content": text}, **more}


def command(name: str, arguments: str = "", session: str = "s") -> Line:
    text = f"<command-message>{name}</command-message>\n<command-name>/{name}</command-name>\n<command-args>{arguments}</command-args>"
    return said(text, session)


def answer(
    *blocks: Line, session: str = "s", model: str = MODEL, usage: object = None, id: str = "", **more: object
) -> Line:
    message = {
        "id": id or f"msg_{next(_IDS)}",
        "role": "assistant",
        "model": model,
        "content": list(blocks) or [{"type": "text", "text": "done"}],
        "usage": {"input_tokens": 100, "output_tokens": 10} if usage is None else usage,
    }
    return {"type": "assistant", "sessionId": session, "message": message, **more}


def load(skill: str, call: str = "") -> Line:
    return {
        "type": "tool_use",
        "id": call or f"toolu_{next(_IDS)}",
        "name": "Skill",
        "input": {"skill": skill, "args": ""},
    }


def tool(name: str = "Bash", **given: object) -> Line:
    return {"type": "tool_use", "id": f"toolu_{next(_IDS)}", "name": name, "input": given}


def result(text: str = "ok", session: str = "s") -> Line:
    return said([{"type": "tool_result", "tool_use_id": "x", "content": text}], session)


def listing(*names: str, session: str = "s") -> Line:
    content = "\n".join(f"- {name}: does things" for name in names)
    return {"type": "attachment", "sessionId": session, "attachment": {"type": "skill_listing", "content": content}}


def lines(*entries: Line) -> str:
    return "".join(json.dumps(entry) + "\n" for entry in entries)
