"""Scripts that fetch code and run it unseen: ``curl … | sh`` and its relatives, told apart from words about them."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from plugin_eval_ci.util.lazy import Lazy

if TYPE_CHECKING:
    import ast


class Run(NamedTuple):
    """A command that runs what it fetched or decoded: its line and its words."""

    line: int
    words: str
    decoded: bool  # the code was not fetched, but hidden in an encoding


SHELL = (".sh", ".bash", ".zsh", ".ksh", ".command")
POWERSHELL = (".ps1", ".psm1")
BATCH = (".bat", ".cmd")
PYTHON = (".py", ".pyw")
SCRIPT = (".js", ".mjs", ".cjs", ".ts", ".mts", ".rb", ".pl", ".php")
_SCRIPTS = (*SHELL, *POWERSHELL, *BATCH, *PYTHON, *SCRIPT)

_RUNS = Lazy(
    r"curl|wget|fetch|base64|xxd|openssl|urlopen|requests\.|httpx|b64decode|DownloadString|(?i:\b(?:iex|irm|iwr)\b|invoke-)"
)
_SH = r"(?:sudo\s+(?:-\S+\s+)*)?(?:env\s+)?(?:\w+=\S*\s+)*(?:/[\w/]*/)?"
_SINK = rf"\|\s*{_SH}(?:(?:ba|z|da|k|a)?sh(?!\w)(?!\s+-(?:c|n)\b)|(?:python[\d.]*|node|perl|ruby|php)\b(?=\s*(?:-\s*)?(?:$|[;&|)\n])))"
_FETCH = r"(?:curl|wget|fetch|aria2c|http)(?:\.exe)?\s"
_PIPED = Lazy(rf"(?<![\w./-]){_FETCH}[^;&\n]{{0,400}}?{_SINK}")
_SUBSTITUTED = Lazy(rf"(?<![\w-])(?:eval|{_SH}(?:ba|z|da|k)?sh\s+(?:-\S+\s+)*-\w*c)\s+[\"']?(?:\$\(|`)\s*{_FETCH}")
_PROCESS = Lazy(rf"(?<![\w-])(?:(?:ba|z|k)?sh|source|\.|python[\d.]*)\s+(?:-\S+\s+)*<\(\s*{_FETCH}")
_DECODED = Lazy(
    rf"(?:base64\s+(?:-\w+\s+)*(?:-d|-D|--decode)|openssl\s+(?:enc\s+)?-?base64\s[^|\n]*-d|xxd\s+-r)\b[^;&\n]{{0,400}}?{_SINK}"
    r"|(?<![\w-])eval\s+[\"']?(?:\$\(|`)[^)\n]*(?:base64\s+(?:-d|-D|--decode)|xxd\s+-r)"
)
_POWER = Lazy(
    r"(?<![\w-])(?:iex|invoke-expression)\b[^\n;]{0,400}?\(?\s*(?:irm|iwr|curl|wget|invoke-restmethod|invoke-webrequest|new-object\s+(?:system\.)?net\.webclient)\b"
    r"|(?<![\w-])(?:irm|iwr|curl|wget|invoke-restmethod|invoke-webrequest)\b[^\n;]{0,400}?\|\s*(?:iex|invoke-expression)\b"
    r"|downloadstring\([^\n]*?\|\s*(?:iex|invoke-expression)\b",
    re.IGNORECASE,
)
# A file that is fetched, and in the same command line run without a look at its hash.
_SAVED = Lazy(
    rf"(?<![\w./-]){_FETCH}[^;&|\n]{{0,400}}?(?:(?<=\s)(?:-\w*[oO]|--output(?:-document)?)[ =]?|>\s*)"
    r"[\"']?(?P<file>[^\s\"';&|<>-][^\s\"';&|<>]*)[\"']?"
    rf"[^\n]{{0,400}}?(?:;|&&|\n)\s*{_SH}(?:(?:(?:ba|z|da|k)?sh|source|\.|python[\d.]*|node|perl|ruby|php)\s+(?:-\w+\s+)*)?"
    r"[\"']?(?P=file)(?=[\s\"';&|)]|$)"
)
_VERIFIED = Lazy(
    r"\b(?:sha(?:1|224|256|384|512)?sum|shasum|b2sum|gpgv?|cosign|minisign|openssl\s+dgst|slsa-verifier|Get-FileHash)\b",
    re.IGNORECASE,
)
_LONGEST = 2_000  # a longer line is data
_SHELLS = Lazy(r"(?:ba|z|da|k|a)?sh|pwsh|powershell|cmd")
_HEREDOC = Lazy(r"<<(-?)\s*([\"']?)(\w+)\2")
_READS_CODE = Lazy(r"(?:^|[;&|]\s*|sudo\s+)(?:ba|z|da|k)?sh\b[^<]*$|\bssh\s[^<]*$")
_WRAPPED = Lazy(
    r"(?:(?:ba|z|da|k)?sh\s+(?:-\w+\s+)*-\w*c|su\s[^\"'\n]*-c|powershell(?:\.exe)?\s[^\"'\n]*|pwsh\s[^\"'\n]*|cmd\s+/c)\s*$",
    re.IGNORECASE,
)
_LOCAL = ("localhost", "127.0.0.1", "file://")
_CALL = Lazy(
    r"(?:exec|execSync|spawn|spawnSync|system|shell_exec|passthru|popen|\bsh|\$)\s*\(?\s*([\"'`])((?:(?!\1)[^\\\n]|\\.){6,400})\1"
)
_PYTHON_RUN = frozenset(
    {
        "system",
        "popen",
        "run",
        "call",
        "check_call",
        "check_output",
        "Popen",
        "getoutput",
        "getstatusoutput",
        "create_subprocess_shell",
    }
)
_PYTHON_FETCH = frozenset({"urlopen", "get", "b64decode", "decompress"})


def runs_in(name: str, text: str) -> Iterator[Run]:
    """What a script of that name fetches and runs; nothing for a file that is not a script."""
    lower = name.lower()
    first = text[:120].partition("\n")[0] if text.startswith("#!") else ""
    if not (first or lower.endswith(_SCRIPTS)) or not _RUNS().search(text):
        return
    if lower.endswith(PYTHON) or "python" in first:
        yield from _in_python(text)
    elif lower.endswith(SHELL) or first.rstrip().endswith("sh"):
        yield from in_shell(text)
    elif lower.endswith(POWERSHELL):
        yield from _in_powershell(text)
    elif lower.endswith(BATCH):
        yield from in_shell(re.sub(r"(?im)^\s*@?(?:rem\b|::).*$", "", text))
    elif lower.endswith(SCRIPT):
        yield from _in_script(text)


def in_shell(text: str) -> Iterator[Run]:
    """What shell commands fetch and run, each line once; comments, printed words and the text of here-documents do not count."""
    for line, command in _commands(text):
        if len(command) > _LONGEST:
            continue
        quotes = _quoted_places(command)
        for pattern, decoded in (
            (_PIPED, False),
            (_SUBSTITUTED, False),
            (_PROCESS, False),
            (_DECODED, True),
            (_POWER, False),
            (_SAVED, False),
        ):
            match = next((m for m in pattern().finditer(command) if not _inside_words(command, m, quotes)), None)
            if match is not None:
                checked = pattern is _SAVED and _VERIFIED().search(command) is not None
                if not checked and not any(place in command for place in _LOCAL):
                    yield Run(line, " ".join(command.split()), decoded)
                break


def in_start(command: str, arguments: tuple[str, ...] | None) -> Iterator[Run]:
    """What the start of a program fetches and runs: a shell command, or a program with the list of its arguments."""
    if not arguments:
        yield from in_shell(command)
        return
    words = [command, *arguments]
    for at, word in enumerate(words[:-1]):
        code = next(
            (words[place] for place in range(at + 1, len(words)) if not words[place].startswith(("-", "/"))), ""
        )
        program = word.replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe")
        if _SHELLS().fullmatch(program):
            yield from in_shell(code)
        elif re.fullmatch(r"python[\d.]*", program) and "-c" in words[at:]:
            yield from _in_python(code)
        elif program in ("node", "bun", "deno", "ruby", "perl", "php"):
            yield from _in_script(code)
        else:
            continue
        return


def _commands(text: str) -> Iterator[tuple[int, str]]:
    """Lines of shell with continuations joined; here-documents left out unless a shell reads them."""
    rows = iter(enumerate(text.split("\n"), 1))
    for number, row in rows:
        command, start = row, number
        while command.endswith("\\") and (more := next(rows, None)) is not None:
            command = command[:-1] + " " + more[1]
        if command.lstrip().startswith("#"):
            continue
        yield start, command
        document = _HEREDOC().search(command)
        if document is not None and "<<<" not in command and not _READS_CODE().search(command[: document.start()]):
            for _, line in rows:
                if (line.lstrip("\t") if document[1] else line).rstrip() == document[3]:
                    break


def _quoted_places(command: str) -> list[tuple[int, int]]:
    """The stretches in quotes, and the comment at the end."""
    places, at = [], 0
    while at < len(command):
        char = command[at]
        if char == "\\":
            at += 2
        elif char in "\"'":
            end = at + 1
            while end < len(command) and command[end] != char:
                end += 2 if command[end] == "\\" and char == '"' else 1
            places.append((at, end))
            at = end + 1
        elif char == "#" and (at == 0 or command[at - 1] in " \t;"):
            places.append((at, len(command)))
            break
        else:
            at += 1
    return places


def _inside_words(command: str, match: "re.Match[str]", quotes: list[tuple[int, int]]) -> bool:
    """Whether a match lies in a quotation or a comment that no shell reads as code."""
    for start, end in quotes:
        if start < match.start() <= end or (start <= match.start() and command[start] == "#"):
            inner = command[start + 1 : end]
            substituted = (
                command[start] == '"'
                and ("$(" in inner or "`" in inner)
                and match.start() > command.find("$(", start) > start
            )
            return not (_WRAPPED().search(command[:start]) or (substituted and match.end() <= end))
    return False


def _in_powershell(text: str) -> Iterator[Run]:
    text = re.sub(r"<#.*?#>", lambda match: "\n" * match[0].count("\n"), text, flags=re.DOTALL)
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > _LONGEST:
            continue
        quotes = _quoted_places(line)
        match = next((m for m in _POWER().finditer(line) if not _inside_words(line, m, quotes)), None)
        if match is not None and not any(place in line for place in _LOCAL):
            yield Run(number, " ".join(line.split()), False)


def _in_script(text: str) -> Iterator[Run]:
    """JavaScript, TypeScript, Ruby, Perl, PHP: the strings they give to a shell."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > _LONGEST or line.lstrip().startswith(("//", "#", "*", "/*")):
            continue
        for match in _CALL().finditer(line):
            for run in in_shell(match[2]):
                yield run._replace(line=number)


def _in_python(text: str) -> Iterator[Run]:
    """Python: the strings given to a shell, and ``exec`` of what was fetched or decoded."""
    import ast

    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    fetched = _fetched_names(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = (
            node.func.attr
            if isinstance(node.func, ast.Attribute)
            else node.func.id
            if isinstance(node.func, ast.Name)
            else ""
        )
        if name in _PYTHON_RUN and node.args:
            for command in _strings(node.args[0]):
                for run in in_shell(command):
                    yield run._replace(line=node.lineno)
        elif name in ("exec", "eval") and isinstance(node.func, ast.Name) and node.args:
            called = {_called(inner) for inner in ast.walk(node.args[0]) if isinstance(inner, ast.Call)} & _PYTHON_FETCH
            source = ast.unparse(node)
            if called - {"get"} or re.search(r"\b(?:requests|httpx|session)\.get\(", source):
                yield Run(node.lineno, source, not called & {"urlopen", "get"})
            elif (held := _held(node.args[0], fetched)) is not None:
                yield Run(node.lineno, source, fetched[held])


def _fetched_names(tree: "ast.AST") -> dict[str, bool]:
    """The names that hold what was fetched or decoded, and whether it was decoded; through assignments from name to name."""
    import ast

    names: dict[str, bool] = {}
    assigned = [
        node for node in ast.walk(tree) if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
    ]
    for node in sorted(assigned, key=lambda one: one.lineno):
        assert node.value is not None
        value = node.value
        called = {_called(inner) for inner in ast.walk(value) if isinstance(inner, ast.Call)} & _PYTHON_FETCH
        if called == {"get"} and not re.search(r"\b(?:requests|httpx|session)\.get\(", ast.unparse(value)):
            called = set()
        held = _held(value, names)
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Name) and (called or held is not None):
                names[target.id] = not called & {"urlopen", "get"} if called or held is None else names[held]
            elif isinstance(target, ast.Name):
                names.pop(target.id, None)
    return names


def _held(node: "ast.AST", names: dict[str, bool]) -> str | None:
    """The name of fetched text in an expression that passes it on, by itself, a method, ``compile`` and the like."""
    import ast

    if isinstance(node, ast.Name):
        return node.id if node.id in names else None
    if isinstance(node, ast.Attribute | ast.Subscript | ast.Await):
        return _held(node.value, names)
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            held = _held(node.func.value, names)
            return held if held is not None or not node.args else _passed(node, names)
        return _passed(node, names)
    return None


def _passed(node: "ast.Call", names: dict[str, bool]) -> str | None:
    passes = _called(node) in ("compile", "str", "bytes", "decode", "decompress", "loads", "b64decode")
    return _held(node.args[0], names) if passes and node.args else None


def _called(node: object) -> str:
    import ast

    function = node.func if isinstance(node, ast.Call) else None
    return (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )


def _strings(node: object) -> Iterator[str]:
    """The command line of a call: a string, or what stands behind ``-c`` in a list."""
    import ast

    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(
            part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "x"
            for part in node.values
        )
    elif isinstance(node, ast.List | ast.Tuple):
        words = [
            item.value if isinstance(item, ast.Constant) and isinstance(item.value, str) else "" for item in node.elts
        ]
        for flag in ("-c", "-lc", "-ec"):
            if flag in words[:-1]:
                yield words[words.index(flag) + 1]
