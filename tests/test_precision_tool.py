"""``tools/precision.py`` and ``tools/reference_truth.py`` on small corpora of our own."""

import json
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "tools"))

import precision  # noqa: E402
import reference_truth  # noqa: E402

from plugin_eval_ci.model import Finding, Severity  # noqa: E402
from plugin_eval_ci.rules import all_names  # noqa: E402

HALF = {"ant": "odd", "bee": "even"}


def seen(
    path: str, target: str = "", line: str = "text", rule: str = "REF_DEAD", severity: Severity = Severity.WARNING
) -> precision.Seen:
    return precision.Seen(
        Finding(rule, severity, False, path, 1, None, None, f"'{target}' is gone", "Fix.", target, "f", None), line
    )


def verdict(item: precision.Seen, word: str, reason: str = "read") -> dict[str, str]:
    return dict(zip(("rule", "path", "target", "line"), item.key, strict=True)) | {"verdict": word, "reason": reason}


def verdicts(place: Path, *lines: dict[str, str]) -> precision.Verdicts:
    (place / "v.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return precision.Verdicts(place / "v.jsonl")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Two repositories, each with a skill whose link is dead, and an empty page for the figures."""
    for name in HALF:
        folder = tmp_path / "corpus" / name / "skills" / "count"
        folder.mkdir(parents=True)
        text = "---\nname: count\ndescription: Counts the stock. Use when stock is low.\n---\n\nRead [a](references/gone.md).\n"
        (folder / "SKILL.md").write_text(text)
    markers = "\n".join(
        f"<!-- generated: {part} -->\n<!-- end of generated: {part} -->" for part in ("precision", "references")
    )
    (tmp_path / "page.md").write_text(f"# Page\n\n{markers}\n")
    return tmp_path


def run(place: Path, *more: str) -> int:
    paths = ["--corpus", str(place / "corpus"), "--verdicts", str(place / "v.jsonl"), "--page", str(place / "page.md")]
    return precision.main([*paths, *more])


def test_a_finding_without_a_verdict_is_named_and_can_be_judged(small, capsys):
    assert run(small, "--todo", str(small / "todo.jsonl")) == 0
    out = capsys.readouterr().out
    assert "no verdict: ORPHAN_REFERENCE ant/skills/count/SKILL.md:6 references/gone.md" in out
    todo = [json.loads(line) for line in (small / "todo.jsonl").read_text().splitlines()]
    entry = next(line for line in todo if line["rule"] == "ORPHAN_REFERENCE" and line["half"] == "odd")
    assert "Read [a](references/gone.md)." in entry["excerpt"]
    (small / "v.jsonl").write_text(
        "".join(json.dumps(line | {"verdict": "true", "reason": "no such file"}) + "\n" for line in todo)
    )
    assert run(small) == 0
    out = capsys.readouterr().out
    assert "no verdict" not in out and "Drawn findings without a verdict: none." in out
    assert "| odd | error | 1 | 1 | 1 | 0 | 0 | 100% | 100% | 95% |" in out


def test_the_page_is_written_and_checked(small, capsys):
    assert run(small, "--check") == 1
    assert "page.md is stale" in capsys.readouterr().out
    assert run(small, "--write") == 0
    assert run(small, "--check") == 0
    assert "ORPHAN_REFERENCE" in (small / "page.md").read_text()


def test_a_page_without_markers_fails(small, capsys):
    (small / "page.md").write_text("# Page\n")
    assert run(small, "--write") == 1
    assert "markers" in capsys.readouterr().out


def test_without_a_corpus_nothing_passes(tmp_path, capsys):
    assert run(tmp_path) == 2
    assert "make precision CORPUS=" in capsys.readouterr().out


def test_verdicts_about_findings_that_are_gone_are_counted(small, capsys):
    verdicts(small, verdict(seen("ant/skills/count/SKILL.md", "other.md"), "true"))
    run(small)
    assert "1 verdicts are about findings that are gone." in capsys.readouterr().out


def test_halves_go_by_name(tmp_path):
    for name in ("c", "a", "b"):
        (tmp_path / name).mkdir()
    assert precision.halves(tmp_path) == {"a": "odd", "b": "even", "c": "odd"}


def test_at_most_three_of_a_rule_and_repository_whatever_their_order():
    many = [seen("ant/SKILL.md", f"notes{number}", line=f"l{number}") for number in range(4)]
    chosen = precision.drawn(many, HALF)
    assert len(chosen) == precision.EACH
    assert precision.drawn(many[::-1], HALF) == chosen


def test_a_group_of_five_adds_one():
    crowd = [seen("ant/SKILL.md", f"assets/{number}.md") for number in range(40)]
    first = {item.key for item in precision.drawn(crowd, HALF)}
    ranks = sorted(item.digest for item in crowd)
    late = [item for number in range(999) if (item := seen("ant/SKILL.md", f"../x/{number}.py")).digest > ranks[2]]
    chosen = {item.key for item in precision.drawn([*crowd, *late[: precision.GROUP]], HALF)}
    assert len(chosen - first) == 1 and first <= chosen
    assert {item.key for item in precision.drawn([*crowd, *late[: precision.GROUP - 1]], HALF)} == first


@pytest.mark.parametrize("change", [{"message": "other words"}, {"line": 9}, {"fingerprint": "g"}, {"fix": "Do."}])
def test_a_verdict_survives_new_words(tmp_path, change):
    item = seen("ant/SKILL.md", "a.md")
    found = verdicts(tmp_path, verdict(item, "false"))
    assert found.of([item._replace(finding=item.finding._replace(**change))]) == ["false"]


def test_a_target_that_is_unique_in_its_file_is_known_on_another_line(tmp_path):
    item = seen("ant/SKILL.md", "a.md")
    found = verdicts(tmp_path, verdict(item, "true"))
    assert found.of([item._replace(line="reworded")]) == ["true"]
    assert found.of([item, item._replace(line="another")]) == ["true", None]
    assert found.of([item._replace(finding=item.finding._replace(target="b.md"))]) == [None]


@pytest.mark.parametrize(("word", "reason"), [("maybe", "x"), ("true", " ")])
def test_a_verdict_is_one_of_three_and_has_a_reason(tmp_path, word, reason):
    with pytest.raises(ValueError, match=r"v\.jsonl:1"):
        verdicts(tmp_path, verdict(seen("ant/SKILL.md"), word, reason))


def test_a_second_verdict_on_the_same_finding_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"v\.jsonl:2"):
        verdicts(tmp_path, verdict(seen("ant/SKILL.md"), "true"), verdict(seen("ant/SKILL.md"), "false"))


def test_debatable_is_not_right_and_volume_weighs():
    here = [seen("bee/SKILL.md", f"{number}.md") for number in range(8)]
    words = ["true", "debatable", *[None] * 6]
    (row,) = (
        row
        for row in precision.rows(here, words, HALF, {item.key for item in here})
        if row.half == "even" and row.name == "REF_DEAD"
    )
    assert (row.findings, row.judged, row.right, row.weighted) == (8, 2, "50%", 0.5)
    more = [seen("wasp/SKILL.md", "x.md")]
    drawn = {here[0].key, here[1].key, more[0].key}
    (row,) = (
        row
        for row in precision.rows([*here, *more], [*words, "true"], HALF | {"wasp": "even"}, drawn)
        if row.half == "even" and row.name == "all"
    )
    assert row.right == "67%"
    assert row.weighted == pytest.approx(5 / 9)  # 8 findings half right, 1 right


def test_the_corpus_the_rules_were_written_on_is_counted_apart():
    old, new = seen("obra-superpowers/SKILL.md", "a.md"), seen("bee/SKILL.md", "a.md")
    half_of = {"obra-superpowers": "even", "bee": "even"}
    counts = {
        row.half: row.findings for row in precision.rows([old, new], [None, None], half_of, ()) if row.name == "all"
    }
    assert counts == {"even": 2, precision.LATER: 1}


def test_our_own_verdicts_are_readable_and_enough():
    own = precision.Verdicts(precision.VERDICTS)
    assert len(own.exact) >= 900
    assert len({path.partition("/")[0] for _, path, _, _ in own.exact}) >= 20
    assert {rule for rule, *_ in own.exact} <= set(all_names())


def test_references_are_counted_by_half(tmp_path, monkeypatch):
    def line(file: str, target: str, word: str, kind: str = "link") -> dict[str, str]:
        return {"file": file, "target": target, "kind": kind, "verdict": word, "reason": "read"}

    lines = [
        line("ant/SKILL.md", "a.md", "true"), line("ant/SKILL.md", "b.md", "true"),
        line("bee/SKILL.md", "c.md", "false", "bare"), line("bee/SKILL.md", "d.md", "debatable"),
    ]  # fmt: skip
    (tmp_path / "by_hand.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in lines))
    (tmp_path / "dead.jsonl").write_text(json.dumps({"skill": "ant", "target": "a.md"}) + "\n")
    monkeypatch.setattr(reference_truth, "VERDICTS", tmp_path / "by_hand.jsonl")
    told = {("ant/SKILL.md", "a.md"): {"REF_DEAD"}, ("bee/SKILL.md", "c.md"): {"REF_DEAD"}}
    wrong, table = reference_truth.counted(told, HALF, [tmp_path / "dead.jsonl"])
    assert wrong == ["missed ant/SKILL.md b.md: read", "false bee/SKILL.md c.md: read"]
    assert "| links | odd | 2 | 1 | 1 | 0 | 100.0% | 50.0% |" in table
    assert "| other paths | even | 0 | 0 | 0 | 1 | 0.0% |  |" in table
    assert "| lists of dead references | odd | 1 | 1 | 0 |  |  | 100.0% |" in table


def test_the_list_of_dead_references_by_hand_has_reasons():
    assert all(line["reason"] for line in reference_truth.lines_of(reference_truth.DEAD))
