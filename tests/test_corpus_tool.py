"""``tools/corpus.py`` on a small corpus of our own: what it prints, and when it fails."""

import json
import shutil
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "tools"))

import corpus  # noqa: E402
import corpus_inputs  # noqa: E402
import corpus_older  # noqa: E402
import corpus_print  # noqa: E402

HEAD = "---\nname: {name}\ndescription: {description}\n---\n\n# Title\n\n"
TEXTS = {
    "plain": HEAD.format(name="plain", description="Use when stock is low and the shelf is empty, as it may be.")
    + "Counts.\n",
    "fences": HEAD.format(name="fences", description="Use when stock is low.")
    + "```sh\nls\n## not a heading\n```\n\nIt dispatches parcels.\n",
    "dashes": HEAD.format(name="dashes", description="Use when stock --- or what is left of it --- is low.")
    + "Counts.\n",
    "invalid": HEAD.format(name="invalid", description="Use when: stock is low")
    + "Counts skills/other and MUST `MUST`.\n",
    "chinese": HEAD.format(name="chinese", description="库存报告。当用户需要库存报告时使用。") + "返回表格。\n",
    "linked": HEAD.format(name="linked", description="Use when stock is low.")
    + "[a](references/gone.md) and [b](../gone/SKILL.md)\n",
}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A corpus with one repository, and a reference made by the emulation itself."""
    root = tmp_path / "corpus" / "shop"
    for name, text in TEXTS.items():
        folder = root / "skills" / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(text, encoding="utf-8")
    (root / "skills" / "linked" / "references").mkdir()
    (root / ".claude-plugin").mkdir()
    (root / ".claude-plugin" / "plugin.json").write_text('{"name": "shop"}')
    lines, layers = [], []
    for path, (skill, _) in sorted(corpus.run(tmp_path / "corpus").skills.items()):
        given = corpus_older.older(skill)
        scores = corpus_inputs.sub_scores(given) | {"harness_portability": 1.0}
        lines.append(
            {
                "kind": "skill",
                "path": path,
                "composite": corpus_inputs.composite(given),
                "badge": "bronze",
                "layer": 0.5,
                "sub_scores": scores,
            }
        )
        layers.append(0.5)
    lines.append(
        {
            "kind": "plugin",
            "path": "shop",
            "composite": 45.0,
            "badge": "no_badge",
            "skills": layers,
            "agents": [],
            "anti_patterns": ["A", "B"],
        }
    )
    (tmp_path / "reference.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return tmp_path


def run(place: Path, *more: str) -> int:
    """The tool on the small corpus."""
    reference = str(place / "reference.jsonl")
    return corpus.main(["--corpus", str(place / "corpus"), "--reference", reference, *more])


def test_every_difference_has_causes(small, capsys):
    assert run(small) == 0
    out = capsys.readouterr().out
    assert "Crashes: none" in out
    assert "6 skills compared" in out
    assert "Left unexplained above 0.5 points: none" in out
    for cause in (
        "name-equals-directory",
        "closing-fences-counted",
        "dashes-in-a-value",
        "invalid-frontmatter",
        "triggers-in-other-languages",
    ):
        assert cause in out


def test_an_unexplained_difference_fails(small, capsys):
    reference = small / "reference.jsonl"
    lines = reference.read_text().splitlines()
    first = json.loads(lines[0])
    first["composite"] += 0.6
    reference.write_text("\n".join([json.dumps(first), *lines[1:]]) + "\n")
    assert run(small) == 1
    assert "unexplained" in capsys.readouterr().out


def test_a_small_difference_does_not(small):
    reference = small / "reference.jsonl"
    lines = reference.read_text().splitlines()
    first = json.loads(lines[0])
    first["composite"] += 0.4
    reference.write_text("\n".join([json.dumps(first), *lines[1:]]) + "\n")
    assert run(small) == 0


def test_a_crash_is_reported(small, monkeypatch, capsys):
    def crash(*_: object) -> None:
        raise ValueError("boom")

    monkeypatch.setattr(corpus, "evaluate", crash)
    assert run(small) == 1
    assert "boom" in capsys.readouterr().out


def test_without_a_corpus_it_does_not_pass(small, capsys):
    shutil.rmtree(small / "corpus")
    assert run(small) == 2
    assert "make corpus CORPUS=" in capsys.readouterr().out


def test_without_a_reference_the_rules_are_still_tried(small, capsys):
    (small / "reference.jsonl").unlink()
    assert run(small) == 0
    told = capsys.readouterr().out
    assert "Findings by rule" in told and "no comparison with the older tool" in told


def test_figures_go_between_the_markers(small, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"# Top\n\n{corpus_print.BEGIN}\nold\n{corpus_print.END}\n\nend\n")
    rows = corpus.compare(corpus.run(small / "corpus"), small / "reference.jsonl")
    corpus_print.write(page, corpus_print.figures(rows, 0.5))
    first = page.read_text()
    corpus_print.write(page, corpus_print.figures(rows, 0.5))
    assert page.read_text() == first
    assert first.startswith("# Top\n") and first.endswith("\n\nend\n")
    assert "old" not in first
    assert "| name-equals-directory | " in first


@pytest.mark.parametrize(
    ("flat", "found"),
    [
        ("use when stock is low", True), ("used after lunch", True),
        ("use this skill immediately before lunch", True), ("should be used whenever", True),
        ("use proactively", True), ("triggers on low stock", True), ("auto-loads when low", True),
        ("use for stock", False), ("reuse when low", False),
    ],
)  # fmt: skip
def test_phrases_of_the_older_tool(flat, found):
    assert corpus_older.triggers(flat) is found
