"""Home folders of people in a text: not those of anyone, not those that are shown as an example or as output."""

import re
from collections.abc import Iterator

from plugin_eval_ci.model import Body, Fence
from plugin_eval_ci.util.lazy import Lazy

_HOME = Lazy(
    r"(?<![\w.~/\\$}>*-])(?:(?:/mnt)?/[a-z]/Users/|/Users/|/home/|[A-Za-z]:\\{1,2}Users\\{1,2})(?P<name>[A-Za-z][\w.-]*)(?=[/\\])"
)
# Names that stand for anyone, and accounts that images, runners and clouds come with.
_ANYONE = Lazy(
    r"(?:your?|my|the|some|any|an?other|test|demo|example|sample|fake|dummy|new|old)?[-_.]?(?:user|username|name|you|me|login|account|home|profile|person)"
    r"(?:[-_.]?(?:name|id|here|\w|\d+))?|your.*|my|x+|u|foo|bar|baz|example|sample|test(?:er|ing)?|demo|dummy|alice|bob|carol|dave|eve|mallory"
    r"|john|jane|joe|jdoe|(?:john|jane)[-_.]?(?:doe|smith)|doe|smith|someone|somebody|anyone|whoever|shared|public|default|all|administrator|admin"
    r"|runner|runneradmin|ubuntu|debian|fedora|centos|rocky|ec2-user|azureuser|opc|vagrant|vscode|node|codespace|codespaces|coder|gitpod|jovyan|docker|container"
    r"|app|appuser|nonroot|root|sandbox|agent|agents|claude|codex|oai|openai|dev|devel|develop(?:er)?|work(?:er)?|builder|build|deploy(?:er)?|ci|jenkins|circleci|travis"
    r"|git|gitlab-runner|github|linuxbrew|pi|steam|airflow|pwuser|seluser|chrome|pptruser|www|web|nginx|postgres|mysql|hadoop|spark|conda|mambauser|rstudio|frappe"
    r"|project|projects|data|share|(?-i:[A-Z_]+)",
    re.IGNORECASE,
)
_SAMPLE = Lazy(
    r"\b(?:e\.g|i\.e|for example|for instance|examples?|such as|sample|looks? like|output|prints?|returns?|never|don'?t|do not|avoid"
    r"|instead of|not|wrong|bad|hard-?coded?|leak\w*|absolute|placeholder|replace|anonymi\w+|redact\w*"
    r"|sanitiz\w*|personal|private|match(?:es)?|regex|pattern|encoded?|decoded?)\b"
    r"|[❌✗🚫]|→|->|=>|例如|比如|示例|不要|禁止|例えば|例:|예를|예시|por ejemplo|par exemple|zum beispiel|z\. ?b\.",
    re.IGNORECASE,
)
_RUN = frozenset(
    {"sh", "bash", "zsh", "shell", "fish", "powershell", "ps1", "pwsh", "cmd", "bat", "console", "terminal", "python", "py", "javascript",
     "js", "typescript", "ts", "toml", "yaml", "yml", "json", "jsonc", "ini", "applescript", "ruby", "perl"}
)  # fmt: skip

_COMMAND = Lazy(
    r"\s*(?:[$>] )?(?:bash|sh|zsh|cd|python3?|node|npx|uvx?|source|export|cp|mv|rm|ls|cat|open|code|git|claude|mkdir"
    r"|[A-Z_][A-Z0-9_]*(?==))(?=[\s/\"'=])"
)


def homes_in(body: Body) -> Iterator[tuple[int, str]]:
    """Line and path of each home folder, once, at its first line."""
    text = body.text
    if "/Users/" not in text and "/home/" not in text and "Users\\" not in text:
        return
    lines = text.split("\n")
    seen: set[str] = set()
    for match in _HOME().finditer(text):
        home = match[0]
        if home in seen or _ANYONE().fullmatch(match["name"]):
            continue
        row = text.count("\n", 0, match.start())
        number = body.first_line + row
        fence = next((fence for fence in body.fences if fence.line <= number <= fence.end_line), None)
        if not _is_sample(lines, row, fence, body.first_line):
            seen.add(home)
            yield number, home


def _is_sample(lines: list[str], row: int, fence: Fence | None, first: int) -> bool:
    """Whether the path is shown rather than meant: by its line, by what introduces it, or by the kind of code it is in."""
    if len(lines[row]) > 2_000 or _SAMPLE().search(lines[row]):
        return True
    if fence is None:
        top = row
    elif fence.language not in _RUN and (fence.language or not _COMMAND().match(lines[row])):
        return True
    else:
        top = fence.line - first
        if any(_SAMPLE().search(line) for line in lines[max(top + 1, row - 2) : row]):
            return True
    above = next((lines[at] for at in range(top - 1, max(-1, top - 4), -1) if lines[at].strip()), "")
    heading = next((lines[at] for at in range(top - 1, -1, -1) if lines[at].startswith("#")), "")
    return _SAMPLE().search(above) is not None or _SAMPLE().search(heading) is not None
