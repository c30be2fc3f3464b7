"""The spine: one bad file does not stop the others, each target appears once, and editors get the same answers as the disk."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from plugin_eval_ci.config import Config
from plugin_eval_ci.lint.evaluate import Evaluation, evaluate, evaluate_text

Repo = Callable[..., Path]
Text = Callable[..., str]
A = "skills/stock-report/SKILL.md"


def rules(evaluation: Evaluation, path: str = "") -> set[str]:
    return {finding.rule for finding in evaluation.checked.findings if finding.path.startswith(path)}


@pytest.fixture
def here(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    def build(files: dict[str, str | bytes]) -> Path:
        root = repo(files)
        monkeypatch.chdir(root)
        return root

    return build


def test_one_broken_file_does_not_stop_the_others(here: Callable[..., Path], skill_text: Text) -> None:
    root = here(
        {
            A: skill_text(),
            "skills/latin/SKILL.md": skill_text("latin").encode() + b"\xe9",
            "skills/binary/SKILL.md": b"\x89PNG\r\n\x1a\n\0\0",
            "skills/folder/SKILL.md/x.md": "",
            "skills/large/SKILL.md": b"x" * (2 << 20),
            "skills/yaml/SKILL.md": "---\nname: [\n---\n",
            "skills/empty/SKILL.md": "",
            "skills/recursive/SKILL.md": "---\nname: recursive\ndescription: x\nmetadata: &a\n  b: *a\n---\n",
        }
    )
    os.mkfifo(root / "skills/empty/pipe")
    (root / "skills/pipe").mkdir()
    os.mkfifo(root / "skills/pipe/SKILL.md")
    result = evaluate((".",), Config())
    assert len(result.collection.skills) == 9
    assert rules(result, A) == set()
    for name, rule in (
        ("latin", "FILE_ENCODING"), ("binary", "FILE_ENCODING"), ("folder", "FILE_UNREADABLE"), ("pipe",
        "FILE_UNREADABLE"), ("large", "FILE_TOO_LARGE"),
        ("yaml", "FM_INVALID_YAML"), ("empty", "FM_MISSING"), ("recursive", "FM_ALIAS"),
    ):  # fmt: skip
        assert rule in rules(result, f"skills/{name}/"), name


@pytest.mark.parametrize("name", ["binary", "large"])
def test_what_cannot_be_read_is_said_once(here: Callable[..., Path], name: str) -> None:
    here({"skills/a/SKILL.md": {"binary": b"\0", "large": b"x" * (2 << 20)}[name]})
    assert len(evaluate((".",), Config()).checked.findings) == 1


def test_findings_come_in_the_order_of_a_reader(here: Callable[..., Path]) -> None:
    here({f"skills/{name}/SKILL.md": "---\nname: X\nname: Y\n---\n[a](references/b.md)\n" for name in ("b", "a", "c")})
    findings = evaluate((".",), Config()).checked.findings
    assert [(finding.path, finding.line) for finding in findings] == sorted(
        (finding.path, finding.line) for finding in findings
    )
    assert len({finding.fingerprint for finding in findings}) == len(findings)


def test_two_runs_see_what_changed_between_them(here: Callable[..., Path], skill_text: Text) -> None:
    root = here({A: skill_text(body="[x](references/notes.md)")})
    assert "ORPHAN_REFERENCE" in rules(evaluate((".",), Config()))
    (root / "skills/stock-report/references").mkdir()
    (root / "skills/stock-report/references/notes.md").write_text("x")
    assert "ORPHAN_REFERENCE" not in rules(evaluate((".",), Config()))


def test_a_plugin_holds_its_skills_and_agents(here: Callable[..., Path], skill_text: Text) -> None:
    here(
        {
            ".claude-plugin/plugin.json": '{"name": "p", "skills": "./extra"}',
            A: skill_text(),
            "agents/b.md": "---\nname: b\n---\n",
            "hooks/x": "",
            "extra/c/SKILL.md": skill_text("c"),
        }
    )
    (plugin,) = evaluate((".",), Config()).collection.plugins
    assert (plugin.name, [skill.name for skill in plugin.skills], [agent.name for agent in plugin.agents],
    plugin.other) == (
        "p", ["c", "stock-report"], ["b"], ("hooks",),
    )  # fmt: skip


def test_translations_and_drafts_are_linted_but_are_no_part_of_the_plugin(
    here: Callable[..., Path], skill_text: Text
) -> None:
    here(
        {
            ".claude-plugin/plugin.json": '{"name": "p"}',
            A: skill_text(),
            "docs/fr/skills/stock-report/SKILL.md": skill_text(),
            "docs/fr/agents/b.md": "---\nname: b\n---\n",
            "drafts/c/SKILL.md": skill_text("c"),
        }
    )
    collection = evaluate((".",), Config()).collection
    (plugin,) = collection.plugins
    assert [skill.source.path for skill in plugin.skills] == [A]
    assert plugin.agents == ()
    assert len(collection.skills) == 3


@pytest.mark.parametrize("path", [A, "./" + A, "skills/../" + A])
def test_the_text_of_an_editor_is_read_as_the_file_would_be(
    here: Callable[..., Path], skill_text: Text, path: str
) -> None:
    text = skill_text("other", body="[x](references/gone.md) [y](references/y.md)", extra="name: twice")
    here({A: text, "skills/stock-report/references/y.md": "x"})
    from_disk = evaluate((path,), Config())
    from_editor = evaluate_text(text.encode(), path, Config())
    assert from_disk.checked.findings == from_editor.checked.findings != ()


@pytest.mark.parametrize(
    "path", ["skills/new/SKILL.md", "SKILL.md", "deep/er/skills/new/SKILL.md", "agents/new.md", "../x/SKILL.md"]
)
def test_the_file_of_an_editor_need_not_exist(here: Callable[..., Path], path: str) -> None:
    here({"agents/.keep": ""})
    result = evaluate_text(b"words", path, Config())
    assert rules(result) == {"FM_MISSING"}
    assert len(result.collection.documents) == 1


def test_excluded_text_is_left_alone(here: Callable[..., Path]) -> None:
    here({A: ""})
    assert evaluate_text(b"words", A, Config(exclude=("skills",))).checked.findings == ()


def test_the_same_text_gives_the_same_findings_with_any_line_end(here: Callable[..., Path], skill_text: Text) -> None:
    text = skill_text("Bad Name", body="[x](references/gone.md)\n\n```\nunclosed")
    found = []
    for change in (
        lambda data: data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.replace(b"\n", b"\r"),
    ):
        here({A: change(text.encode())})
        found.append(
            [(finding.rule, finding.line, finding.column) for finding in evaluate((".",), Config()).checked.findings]
        )
    assert ("FILE_ENCODING", 1, None) in found[2]  # clients see no header there
    assert found[0] == found[1] == [one for one in found[2] if one[0] != "FILE_ENCODING"] != []
