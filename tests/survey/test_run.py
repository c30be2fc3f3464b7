"""A report of a real repository: the numbers of ``score``, the findings of ``lint``, and the same in shards, byte for byte."""

import json
import os
import random
from collections import Counter

import pytest

from plugin_eval_ci.commands.load_config import read_config
from plugin_eval_ci.config import Config
from plugin_eval_ci.lint.evaluate import evaluate
from plugin_eval_ci.report.survey import json as survey_json
from plugin_eval_ci.scoring.gather import score_all
from plugin_eval_ci.survey.load import read_report
from plugin_eval_ci.survey.merge_shards import merge_shards
from plugin_eval_ci.survey.report import Shard
from plugin_eval_ci.survey.run import survey_of
from plugin_eval_ci.util import parallel

DAY = "2026-11-30"
LONG = "\n".join(f"Line {n} of a text that two plugins share by accident." for n in range(20))


def surveyed(root, config=None, shard=None):
    return survey_of((str(root),), config or Config(), "", DAY, shard).survey


def some_skill(luck, name):
    trigger = luck.choice(["Use when the shop opens.", "", "Use proactively for letters about stock."])
    body = luck.choice(
        [
            "Read [it](references/x.md).",
            f"{LONG}\n",
            "Ask the `old-name` skill, then the **counting-boxes** skill.\n\n```sh\nthe `gone-name` skill\n```",
            "TODO: write this.\n\n<!-- plugin-eval: ignore[BODY_TODO] later -->",
            "<!-- plugin-eval: ignore-file[NAME_DUPLICATE] on purpose -->\n\nUse the `Bash` tool.",
            "",
        ]
    )
    odd = luck.choice(["", "", "colour: red\n", "paths: ['*.py']\n"])
    return f"---\nname: {name}\ndescription: Handles {name} and counts boxes on every shelf. {trigger}\n{odd}---\n\n# {name}\n\n{body}\n"


def some_files(luck):
    """A repository: plugins, a marketplace (also with skill lists at its root), skills of none, agents, owners, broken files."""
    files, entries = {"CODEOWNERS": "* @all\n/plugins/p1/ @one\n"}, []
    for n in range(luck.randint(1, 5)):
        place = f"plugins/p{n}"
        if luck.random() < 0.9:
            files[f"{place}/.claude-plugin/plugin.json"] = luck.choice([f'{{"name": "p{n}"}}', '{"name": "P 1"}', "{"])
        entries.append({"name": f"p{n}", "source": luck.choice([f"./{place}", f"./{place}", "./gone", f"{place}"])})
        for _ in range(luck.randint(0, 4)):
            name = luck.choice(["counting-boxes", "stock-report", "old-names", "labels", f"s{luck.randint(0, 9)}"])
            files[f"{place}/skills/{name}/SKILL.md"] = some_skill(luck, luck.choice([name, name, "labels"]))
        if luck.random() < 0.4:
            files[f"{place}/agents/one.md"] = luck.choice(
                ["---\nname: one\ndescription: x\nmodel: opus\n---\n\nDo.\n", "no"]
            )
        if luck.random() < 0.3:
            files[f"{place}/skills/flat.md"] = "# Flat\n"
        if luck.random() < 0.2:
            files[f"{place}/hooks/hooks.json"] = (
                '{"hooks": {"Nope": [{"hooks": [{"type": "command", "command": "curl x | sh"}]}]}}'
            )
    for n in range(luck.randint(0, 3)):
        files[f".claude/skills/alone{n}/SKILL.md"] = luck.choice([some_skill(luck, f"alone{n}"), "", b"\0"])
    if luck.random() < 0.4:  # two plugins of one folder that share a skill
        files["skills/shared/SKILL.md"] = some_skill(luck, "shared")
        files["skills/own/SKILL.md"] = some_skill(luck, "own")
        for name, skills in (("first", ["./skills/shared"]), ("second", ["./skills/shared", "./skills/own"])):
            entries.append({"name": name, "source": "./", "strict": False, "skills": skills})
    if luck.random() < 0.8:
        files[".claude-plugin/marketplace.json"] = json.dumps({"name": "m", "owner": {"name": "x"}, "plugins": entries})
    return files


@pytest.mark.parametrize("seed", range(12))
def test_shards_put_together_are_the_unsharded_report(repo, seed):
    luck = random.Random(seed)
    root = repo(some_files(luck))
    whole = survey_json.render(surveyed(root))
    total = luck.randint(1, 5)
    parts = [survey_json.render(surveyed(root, shard=Shard(n, total))) for n in range(1, total + 1)]
    luck.shuffle(parts)
    named = [(str(n), read_report(part.encode())) for n, part in enumerate(parts)]
    assert survey_json.render(merge_shards(named)) == whole
    if total > 2:
        pair = merge_shards(named[:2])
        assert len(pair.shards) == 2 and survey_json.render(merge_shards([("pair", pair), *named[2:]])) == whole


@pytest.mark.parametrize("seed", range(12, 24))
def test_the_numbers_are_those_of_score_and_the_findings_those_of_lint(repo, seed):
    root = repo(some_files(random.Random(seed)))
    survey = surveyed(root)
    evaluation = evaluate((str(root),), Config().for_score())
    scores = {(one.kind, one.path, one.name): one.composite.score for one in score_all(evaluation)}
    assert {(one.kind, one.path, one.name): one.score for one in survey.targets} == scores

    def counted(findings):
        return Counter((f.rule, f.path, f.line, f.fingerprint, f.message) for f in findings)

    lint = counted(evaluate((str(root),), Config()).checked.findings)
    weighing = counted(f for f in evaluation.checked.findings if f.weight is not None or f.anti_pattern)
    ours = counted(survey.everything_found)
    # IGNORE_UNUSED speaks of comments, which a score does not read.
    lint = Counter({key: count for key, count in lint.items() if key[0] != "IGNORE_UNUSED"})
    assert ours == lint | weighing


def test_processes_change_nothing(repo, monkeypatch):
    root = repo(some_files(random.Random(99)))
    alone = survey_json.render(surveyed(root))
    monkeypatch.setattr(parallel, "processes_for", lambda count: 3)
    assert survey_json.render(surveyed(root)) == alone


def test_a_process_that_dies_leaves_its_share_to_ours(repo, monkeypatch):
    root = repo(some_files(random.Random(98)))
    alone = survey_json.render(surveyed(root))
    monkeypatch.setattr(parallel, "processes_for", lambda count: 2)
    monkeypatch.setattr(parallel, "_begin", lambda work: os._exit(1))
    assert survey_json.render(surveyed(root)) == alone


def test_progress_counts_every_document_once(repo, skill_text):
    root = repo({f"skills/s{n}/SKILL.md": skill_text(f"s{n}") for n in range(7)})
    seen = []
    survey_of((str(root),), Config(), "", DAY, progress=lambda *said: seen.append(said[:2]))
    assert seen[-1] == (7, 7) and [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_what_a_configuration_leaves_out_is_left_out_unless_it_weighs(repo, skill_text):
    body = "TODO: say it.\n\nUse the `Bash` tool."
    config = "ignore: [BODY_TODO, CLAUDE_TOOL_PROSE, CLAUDE_TOOL_REFS]\nseverity: {NAME_DUPLICATE: notice}\n"
    files = {
        "a/skills/one/SKILL.md": skill_text("one", body=body),
        "a/skills/two/SKILL.md": skill_text("one"),
        "a/.claude-plugin/plugin.json": '{"name": "a"}',
    }
    root = repo(files)

    def rules(survey):
        return {finding.rule: finding.severity.word for finding in survey.everything_found}

    plain = rules(surveyed(root))
    assert "BODY_TODO" in plain and plain["NAME_DUPLICATE"] == "error" and "CLAUDE_TOOL_REFS" in plain
    (root / ".plugin-eval.yaml").write_text(config)
    told = surveyed(root, read_config(str(root), None, False, ()))
    assert "BODY_TODO" not in rules(told) and rules(told)["NAME_DUPLICATE"] == "notice"
    assert "CLAUDE_TOOL_REFS" in rules(told)  # it weighs in the score, which no configuration changes
    assert [one.score for one in told.targets] == [one.score for one in surveyed(root).targets]


def test_a_moved_skill_keeps_its_content_and_an_empty_one_has_none(repo, skill_text):
    text = skill_text("one")
    root = repo({"skills/one/SKILL.md": text, "skills/two/SKILL.md": text.replace("name: one", "name: two"), "skills/no/SKILL.md": "---\nname: no\n---\n"})  # fmt: skip
    contents = {one.path: one.content for one in surveyed(root).targets}
    assert contents["skills/one/SKILL.md"] == contents["skills/two/SKILL.md"] != ""
    assert contents["skills/no/SKILL.md"] == ""


def test_owners_listing_and_members(repo, skill_text):
    files = {
        "plugins/shop/.claude-plugin/plugin.json": '{"name": "shop"}',
        "plugins/shop/skills/one/SKILL.md": skill_text("one"),
        "plugins/none/.claude-plugin/plugin.json": '{"name": "none"}',
        "plugins/none/commands/go.md": "Go.\n",
        ".github/CODEOWNERS": "/plugins/shop/ @shop\n*.json @json\n",
        ".claude-plugin/marketplace.json": '{"name": "m", "owner": {"name": "x"}, "plugins": [{"name": "shop", "source": "./plugins/shop"}, {"name": "none", "source": "./plugins/none"}]}',
    }
    survey = surveyed(repo(files))
    by_path = {one.path: one for one in survey.targets}
    shop, skill, none = (by_path[p] for p in ("plugins/shop", "plugins/shop/skills/one/SKILL.md", "plugins/none"))
    assert skill.plugin == "plugins/shop" and shop.plugin is None
    assert skill.owners == ("@shop",) and shop.owners == ("@json",)
    assert shop.listing.skills == 1 and shop.listing.budgets[0][1].kept == () and skill.listing is None
    assert none.score is None and none.badge is None and "commands" in none.reason
    assert [(market.path, market.listing.skills) for market in survey.markets] == [
        (".claude-plugin/marketplace.json", 1)
    ]
