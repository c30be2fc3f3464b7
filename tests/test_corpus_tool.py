"""``tools/corpus.py`` on a small corpus of our own: what it prints, and when it fails."""

import json
import shutil
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "tools"))

import corpus  # noqa: E402
import corpus_checked  # noqa: E402
import corpus_inputs  # noqa: E402
import corpus_older  # noqa: E402
import corpus_precision  # noqa: E402
import corpus_print  # noqa: E402

from plugin_eval_ci.model import Finding, Severity  # noqa: E402
from plugin_eval_ci.rules import all_names  # noqa: E402

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
    write_lines(tmp_path / "dead-references.jsonl", DEAD)
    return tmp_path


def run(place: Path, *more: str) -> int:
    """The tool on the small corpus; verdicts and dead references by hand lie beside it, if anywhere."""
    reference = str(place / "reference.jsonl")
    return corpus.main(["--corpus", str(place / "corpus"), "--reference", reference, "--checked", str(place), *more])


def write_lines(file: Path, lines: list[dict[str, str]]) -> None:
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))


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


LINKED = "shop/skills/linked"
DEAD = [{"skill": LINKED, "target": "references/gone.md"}, {"skill": LINKED, "target": "../gone/SKILL.md"}]
FOUND = [("ORPHAN_REFERENCE", "references/gone.md"), ("DEAD_CROSS_REF", "../gone/SKILL.md")]


def verdict(rule: str, evidence: str, said: str, path: str = f"{LINKED}/SKILL.md") -> dict[str, str]:
    return {"rule": rule, "path": path, "evidence": evidence, "verdict": said, "reason": "looked at"}


def test_references_known_to_be_dead(small, capsys):
    write_lines(small / "dead-references.jsonl", [*DEAD, {"skill": "elsewhere/skills/x", "target": "a.md"}])
    assert run(small) == 0
    out = capsys.readouterr().out
    assert "2 of 2 found: recall 100.0%" in out
    assert "2 of 2 reported are dead: precision 100.0%" in out
    assert "missed:" not in out and "false:" not in out


def test_a_missed_reference_fails_and_is_named(small, capsys):
    write_lines(small / "dead-references.jsonl", [*DEAD, {"skill": LINKED, "target": "scripts/gone.py"}])
    assert run(small) == 1
    out = capsys.readouterr().out
    assert "2 of 3 found: recall 66.7%" in out
    assert f"missed: {LINKED}: scripts/gone.py" in out


def test_a_reference_that_nobody_knows_fails_and_is_named(small, capsys):
    write_lines(small / "dead-references.jsonl", DEAD[:1])
    assert run(small) == 1
    assert f"false: {LINKED}/SKILL.md: ../gone/SKILL.md" in capsys.readouterr().out


@pytest.mark.parametrize(("said", "code"), [("true", 0), ("debatable", 1), ("false", 1)])
def test_a_reference_looked_at_by_hand(small, said, code):
    write_lines(small / "dead-references.jsonl", DEAD[:1])
    write_lines(small / "hand_checked.jsonl", [verdict("DEAD_CROSS_REF", "../gone/SKILL.md", said)])
    assert run(small) == code


def test_a_reference_found_by_hand_that_no_rule_reports(small, capsys):
    write_lines(small / "dead-references.jsonl", DEAD)
    write_lines(small / "dead_by_hand.jsonl", [{"skill": LINKED, "target": "x.md", "reason": "seen"}])
    assert run(small) == 1
    assert f"missed: {LINKED}: x.md" in capsys.readouterr().out


def test_a_true_finding_that_is_reported_no_more_is_missed(small, capsys):
    write_lines(small / "dead-references.jsonl", DEAD)
    write_lines(small / "hand_checked.jsonl", [verdict("REF_DEAD", "scripts/gone.py", "true")])
    assert run(small) == 1
    out = capsys.readouterr().out
    assert f"missed: {LINKED}/SKILL.md: scripts/gone.py" in out
    assert "1 verdicts about findings that are no more" in out


def test_what_nobody_looked_at_is_stale_and_does_not_fail(small, capsys):
    write_lines(small / "dead-references.jsonl", DEAD)
    assert run(small) == 0
    out = capsys.readouterr().out
    assert "findings not yet checked" in out and "few" in out


@pytest.mark.parametrize(("said", "code"), [("true", 0), ("debatable", 1), ("false", 1)])
def test_a_rule_that_fails_builds_must_be_exact(small, capsys, said, code):
    write_lines(small / "dead-references.jsonl", DEAD)
    rule, path = "FM_INVALID_YAML", "shop/skills/invalid/SKILL.md"
    evidence = next(key[2] for key in keys(small) if key[0] == rule)
    assert evidence.startswith("line:")
    write_lines(small / "hand_checked.jsonl", [verdict(rule, evidence, said, path)])
    assert run(small) == code
    out = capsys.readouterr().out
    assert (f"{said}: {rule}: {path}: {evidence}: looked at" in out) is (said != "true")
    assert ("below 95%" in out) is bool(code)


def test_advice_may_be_debatable(small):
    write_lines(small / "dead-references.jsonl", DEAD)
    notices = [f for f in corpus.run(small / "corpus").findings if f.severity.word == "notice"]
    rules = {finding.rule for finding in notices}
    lines = [verdict(key[0], key[2], "debatable", key[1]) for key in keys(small) if key[0] in rules]
    write_lines(small / "hand_checked.jsonl", lines)
    assert run(small) == 0


def keys(place: Path) -> list[corpus_checked.Key]:
    return corpus_checked.keys_of(corpus.run(place / "corpus").findings, place / "corpus")


def finding(number: int, rule: str = "REF_UNUSED", target: str | None = None, line: int = 1) -> Finding:
    name = f"references/{number}.md" if target is None else target
    return Finding(rule, Severity.NOTICE, False, "a/SKILL.md", line, None, None, "words", "Fix.", name, "f", None)


def test_evidence_survives_new_words_and_moved_lines(tmp_path):
    one = finding(1)
    (key,) = corpus_checked.keys_of([one], tmp_path)
    assert corpus_checked.keys_of([one._replace(message="other", fingerprint="g", line=9)], tmp_path) == [key]


def test_a_target_named_twice_is_told_apart_by_its_line(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a/SKILL.md").write_text("one\n  two\n")
    first, second = corpus_checked.keys_of([finding(0, target="name"), finding(0, target="name", line=2)], tmp_path)
    assert first != second and first[2].startswith("name line:")
    (tmp_path / "a/SKILL.md").write_text("\none\ntwo\n")
    moved = [finding(0, target="name", line=2), finding(0, target="name", line=3)]
    assert corpus_checked.keys_of(moved, tmp_path) == [first, second]


def test_a_sample_stays_the_same_when_others_come(tmp_path):
    many = [finding(number) for number in range(60)]
    (row,) = corpus_checked.rows(many, {}, tmp_path)
    assert (row.findings, row.checked, len(row.stale)) == (60, 0, 20)
    (again,) = corpus_checked.rows([*reversed(many)], {}, tmp_path)
    assert again.stale == row.stale
    (fewer,) = corpus_checked.rows([f for f in many if f.target in {key[2] for key in row.stale}], {}, tmp_path)
    assert fewer.stale == row.stale


@pytest.mark.parametrize(("said", "why"), [("maybe", "x"), ("true", " ")])
def test_a_verdict_is_one_of_three_and_has_a_reason(tmp_path, said, why):
    write_lines(tmp_path / "v.jsonl", [verdict("REF_DEAD", "x", said) | {"reason": why}])
    with pytest.raises(ValueError, match="REF_DEAD"):
        corpus_checked.verdicts_of(tmp_path / "v.jsonl")


def test_our_own_verdicts_are_readable_and_each_rule_exists():
    verdicts = corpus_checked.verdicts_of(PROJECT / "tools" / "hand_checked.jsonl")
    assert {rule for rule, _, _ in verdicts} <= set(all_names())
    assert len(verdicts) == len(corpus_checked.lines_of(PROJECT / "tools" / "hand_checked.jsonl"))
    assert all(line["reason"] for line in corpus_checked.lines_of(PROJECT / "tools" / "dead_by_hand.jsonl"))


def test_the_page_names_what_is_false(tmp_path):
    checked = {("REF_UNUSED", "a/SKILL.md", "references/1.md"): corpus_checked.Verdict("false", "it is named")}
    rows = corpus_checked.rows([finding(1)], checked, tmp_path)
    page = corpus_precision.page(corpus_checked.references([], [], {}, tmp_path), rows)
    assert "| [REF_UNUSED](rules/REF_UNUSED.md) | notice | 1 | 1 | 0 | 0 | 1 | few |" in page
    assert "- REF_UNUSED, a/SKILL.md: references/1.md: it is named" in page
    assert "Debatable: none." in page


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
