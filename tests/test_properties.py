"""Whatever a SKILL.md holds: no crash, the same answer twice, lines that exist, and JSON that is JSON."""

from __future__ import annotations

import io
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plugin_eval_ci.analysis.resolve import local_path
from plugin_eval_ci.config import Config
from plugin_eval_ci.discover.tree import Excluder
from plugin_eval_ci.lint.evaluate import Evaluation, evaluate, evaluate_text
from plugin_eval_ci.parse import header, markdown
from plugin_eval_ci.report.lint import json as lint_json
from plugin_eval_ci.report.lint import text as lint_text

FEW = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
MANY = settings(FEW, max_examples=250)

YAML = st.sampled_from(
    [
        'name: a', 'description: b', 'description: Use when x', 'name:', '- a', 'metadata:', '  k: v', '\tt: u',
        '[a', '{b', "'c", '"d', '*e', '&f g', '<<: *f', '!!str h', '!x y', '# c', 'a: b # c', 'a: |', 'a: >-',
        '  text', '? q', '---', '--- ', '...', '%YAML 1.2', 'paths: **/*.ts', 'hooks: {a: [b]}', 'no: on', '1: 2',
        '~: ~', 'é: 数据', 'a\u2028b: c', '\x07', '\ufeff', 'name: a: b', 'allowed-tools: Read', 'model: opus',
        'disable-model-invocation: true',
    ]
)  # fmt: skip
MARKDOWN = st.sampled_from(
    [
        '# A', '## Usage', '---', '===', '```', '```py', '~~~', '````', '    code', '- item', '  - more', '1. one',
        '> quote', '>> more', '| a | [b](c) |', '|---|---|', '', '<!--', '-->', '<div>', '</div>', '[a](b.md)',
        '[x](references/y.md "t")', '![i](assets/z.png)', '[r]', '[r]: references/q.md', '<https://e.org>', '`code`',
        '`open', '``', '[open', '](close)', '**MUST** NEVER', '\\[a](b)', '&amp;', '* * *', 'skills/other-one',
        '`agents/helper.md`', '../b/SKILL.md', 'use `Read`', 'the Bash tool', 'say "hi', '\u200b\u202e', 'text',
        'a  ', 'b\\', "<i a='", '\x0b\x0c', '\ud7ff\U0001f680', '{baseDir}/x', '${CLAUDE_SKILL_DIR}/references/v.md',
    ]
)  # fmt: skip
LINE_END = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", "\n\n"])


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    """A file built from pieces of frontmatter and Markdown, sometimes with a broken byte or another encoding."""
    end = draw(LINE_END)
    fence = st.sampled_from(["---", "", "--- ", "----"])
    lines = [*draw(st.lists(YAML, max_size=8)), draw(fence), *draw(st.lists(MARKDOWN, max_size=14))]
    text = draw(st.sampled_from(["---" + end, "---" + end, "", end, "\ufeff---" + end])) + end.join(lines)
    data = text.encode("utf-8", "surrogatepass")
    broken = draw(st.integers(0, 12))
    if broken == 0 and data:
        at = draw(st.integers(0, len(data) - 1))
        data = data[:at] + draw(st.binary(min_size=1, max_size=3)) + data[at:]
    return text.encode("utf-16") if broken == 1 else data


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A repository with one skill whose file is written anew each time."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        subprocess.run(["git", "init", "-q", str(root)], check=True)
        for name in ("skills/a/references", "skills/b", "agents"):
            (root / name).mkdir(parents=True)
        (root / "skills/b/SKILL.md").write_text("---\nname: b\ndescription: c\n---\n")
        (root / "skills/a/references/q.md").write_text("x")
        before = Path.cwd()
        os.chdir(root)
        yield root
        os.chdir(before)


def shown(evaluation: Evaluation) -> tuple[str, str]:
    return lint_json.render(evaluation), lint_text.render(evaluation, lint_text.How(False, False))


def holds(evaluation: Evaluation) -> None:
    sources = {document.source.path: document.source for document in evaluation.collection.documents}
    for finding in (*evaluation.checked.findings, *evaluation.checked.subsumed):
        source = sources.get(finding.path)
        last = max(1, source.line_count) if source else 1
        assert 1 <= finding.line <= last
        assert finding.end_line is None or finding.line <= finding.end_line <= last
        assert finding.column is None or finding.column >= 1
        assert finding.message and finding.message.isprintable()
    printed, text = shown(evaluation)
    document = json.loads(printed)
    assert len(document["findings"]) == len(evaluation.checked.findings)
    assert not any(char in text for char in "\x07\x0b\x0c\x1b\u2028\u202e\u200b\ufeff\r")
    io.StringIO().write(printed)


@MANY
@given(data=texts())
def test_text_of_pieces(place: Path, data: bytes) -> None:
    evaluation = evaluate_text(data, "skills/a/SKILL.md", Config())
    holds(evaluation)
    assert shown(evaluation) == shown(evaluate_text(data, "skills/a/SKILL.md", Config()))


@FEW
@given(data=st.binary(max_size=400))
def test_arbitrary_bytes(place: Path, data: bytes) -> None:
    for name in ("skills/a/SKILL.md", "agents/x.md"):
        holds(evaluate_text(data, name, Config()))


@FEW
@given(text=st.text(max_size=300))
def test_arbitrary_text(place: Path, text: str) -> None:
    holds(evaluate_text(("---\n" + text).encode("utf-8", "surrogatepass"), "skills/a/SKILL.md", Config()))
    holds(
        evaluate_text(
            f"---\nname: a\ndescription: {text}\n---\n{text}\n".encode("utf-8", "surrogatepass"),
            "agents/x.md",
            Config(),
        )
    )


@FEW
@given(data=texts())
def test_the_whole_road_from_disk(place: Path, data: bytes) -> None:
    (place / "skills/a/SKILL.md").write_bytes(data)
    evaluation = evaluate((".",), Config())
    holds(evaluation)
    assert (
        shown(evaluation) == shown(evaluate(("skills", "agents", "."), Config())) or evaluation.collection.agents == ()
    )
    named = evaluate(("skills/a/SKILL.md",), Config()).checked.findings
    assert set(named) <= set(evaluation.checked.findings)


@FEW
@given(data=texts())
def test_line_ends_make_no_difference(place: Path, data: bytes) -> None:
    plain = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if plain.startswith((b"\xff\xfe", b"\xfe\xff")):
        return

    def of(text: bytes) -> list[tuple[str, int, int | None, str]]:
        findings = evaluate_text(
            text, "skills/a/SKILL.md", Config(ignore=frozenset({"SKILL_OVER_CODEX_CAP"}))
        ).checked.findings
        return [(finding.rule, finding.line, finding.column, finding.message) for finding in findings]

    assert of(plain) == of(plain.replace(b"\n", b"\r\n"))
    alone = plain.replace(b"\n", b"\r")
    if plain.removeprefix(b"\xef\xbb\xbf").startswith(b"---") and b"\r" in alone[:-1]:
        assert "FILE_ENCODING" in [rule for rule, *_ in of(alone)]  # clients see no header then
    else:
        assert of(plain) == of(alone)


@MANY
@given(text=st.lists(MARKDOWN, max_size=30).map("\n".join))
def test_every_line_of_the_body_is_one_of_the_file(text: str) -> None:
    last = text.count("\n") + 1
    body = markdown.parse(text, 1)
    lines = text.split("\n")
    for item in (*body.headings, *body.fences, *body.links, *body.code_spans, *body.prose):
        assert 1 <= item.line <= last
    for fence in body.fences:
        assert fence.line <= fence.end_line <= last
    for link in body.links:
        if not link.image and link.text.strip() and "[r]" not in text:
            assert "[" in lines[link.line - 1] or "<" in lines[link.line - 1]
    for span in body.code_spans:
        assert "`" in lines[span.line - 1]
    assert [prose.line for prose in body.prose] == sorted(prose.line for prose in body.prose)


@MANY
@given(text=st.lists(YAML, max_size=12).map("\n".join))
def test_a_header_and_its_body_make_the_file(text: str) -> None:
    for whole in (f"---\n{text}\n---\nbody\n", text, f"---\n{text}"):
        found, body, first_line = header.split(whole)
        lines = whole.split("\n")
        assert lines[first_line - 1 :] == body.split("\n") or found.problem is not None or body == ""
        for problem in (*found.notes, *([found.problem] if found.problem else [])):
            assert 1 <= problem.line <= len(lines)


@MANY
@given(target=st.text(alphabet="ab/.%#?\\~$ {}<>é\n2F", max_size=20))
def test_a_path_stays_a_path(target: str) -> None:
    local = local_path(target)
    if local is not None:
        assert local.path and not local.path.startswith("/") and "\\" not in local.path and "\0" not in local.path


@MANY
@given(
    glob=st.text(alphabet="ab*?[]!/-.\\^", max_size=12), path=st.sampled_from(["a", "a/b", "b/a/b.md", "a-b/SKILL.md"])
)
def test_globs_never_fail(glob: str, path: str) -> None:
    excluder = Excluder("/r", Config(exclude=(glob,)))
    assert excluder.by_user(f"/r/{path}") in (True, False)
    assert Excluder("/r", Config(exclude=("**",))).by_user(f"/r/{path}")
