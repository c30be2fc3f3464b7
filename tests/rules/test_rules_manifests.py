"""Manifests that mean harm, links, and when manifests are read at all."""

import json
import os
import time

import pytest
from rule_trees import tree

from plugin_eval_ci.lint.check import check
from plugin_eval_ci.config import Config
from plugin_eval_ci.lint.evaluate import evaluate
from plugin_eval_ci.analysis.scripts import in_command

PLUGIN = ".claude-plugin/plugin.json"
MARKETPLACE = ".claude-plugin/marketplace.json"


def rules_of(root):
    return sorted({finding.rule for finding in evaluate((str(root),), Config()).checked.findings})


def marketplace(*sources, **more):
    entries = [{"name": f"p{number}", "source": source} for number, source in enumerate(sources)]
    return json.dumps({"name": "acme", "owner": {"name": "Acme"}, "plugins": entries, **more})


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00" * 1000,
        b"\xff\xfe{\x00}\x00",
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b'{"name": "' + b"x" * (1 << 20) + b'"}',
        b'{"name": 1e999999, "version": -0, "skills": {"a": [[[]]]}, "agents": 3, "hooks": true, "mcpServers": 1}',
        b'{"name": "a", "skills": ["./' + b"a/" * 5000 + b'"]}',
        b'{"name": "a", "skills": ["\\u0000", "./\\ud800", "./a\\u0000b", "~", "C:\\\\x", "//x", "./."]}',
        b'{"name": "\\u202e\\u001b[31m", "version": "\\u001b[31m", "\\u001b[2J": 1}',
        b'{"name": "a", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "' + b"${CLAUDE_PLUGIN_ROOT}/a " * 9000 + b'"}]}]}}',
        b'{"name": "a", "hooks": [[[{}]]], "mcpServers": [{"a": {"command": "", "args": {"x": 1}}}, null]}',
        b'{"plugins": [null, 1, [], {"name": [], "source": {"source": []}}], "metadata": [], "owner": []}',
    ],
    ids=range(13),
)
@pytest.mark.parametrize("place", [PLUGIN, MARKETPLACE, "hooks/hooks.json", ".mcp.json", ".codex-plugin/plugin.json"])
def test_no_manifest_brings_the_run_down(repo, data, place):
    root = repo({PLUGIN: '{"name": "store"}', place: data})
    start = time.process_time()
    for finding in evaluate((str(root),), Config()).checked.findings:
        assert finding.message.isprintable() and len(finding.message) < 600
        finding.message.encode("utf-8")
        assert finding.line >= 1
    assert time.process_time() - start < 8


def test_a_link_out_of_the_repository_is_not_read(repo, tmp_path):
    secret = tmp_path / "secret.json"
    secret.write_text('{"name": "Secret Name"}')
    root = repo({"a/SKILL.md": "x"})
    (root / ".claude-plugin").mkdir()
    os.symlink(secret, root / PLUGIN)
    found = [f for f in evaluate((str(root),), Config()).checked.findings if f.path == PLUGIN]
    assert [f.rule for f in found] == ["MANIFEST_INVALID"] and "link that leaves" in found[0].message
    assert "Secret" not in str(found)


def test_components_that_are_links_out(repo, tmp_path):
    (tmp_path / "outside").mkdir()
    hooks = {"Stop": [{"hooks": [{"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/out/a.sh"}]}]}
    root = repo({PLUGIN: json.dumps({"name": "store", "skills": ["./out"], "hooks": hooks}), MARKETPLACE: marketplace("./out")})
    os.symlink(tmp_path / "outside", root / "out")
    assert {"MANIFEST_SKILL_PATH", "HOOK_SCRIPT", "MP_SOURCE_ESCAPE"} <= set(rules_of(root))


def test_a_link_to_itself(repo):
    root = repo({PLUGIN: '{"name": "store", "skills": ["./loop"]}'})
    os.symlink("loop", root / "loop")
    assert "MANIFEST_SKILL_PATH" in rules_of(root)


def test_a_folder_in_the_place_of_a_manifest(repo):
    root = repo({".claude-plugin/plugin.json/x": "", "skills/stock-report/SKILL.md": "x"})
    assert "MANIFEST_INVALID" in rules_of(root)


def test_each_manifest_is_read_once(repo):
    root = repo({PLUGIN: '{"name": "Store Tools"}', MARKETPLACE: marketplace("./", "./")})
    found = [f for f in evaluate((str(root),), Config()).checked.findings if f.rule == "MANIFEST_NAME"]
    assert [(f.path, f.line) for f in found] == [(PLUGIN, 1)]


def test_one_skill_reads_no_manifest_a_folder_and_a_manifest_do(repo, skill_text):
    skill = "skills/stock-report/SKILL.md"
    root = repo({PLUGIN: "{", skill: skill_text()})
    read = {path: evaluate((str(root / path),), Config()).collection.manifests for path in (skill, "", PLUGIN)}
    assert [len(read[path]) for path in (skill, "", PLUGIN)] == [0, 1, 1]


def test_a_marketplace_without_skills_is_something_to_look_at(repo):
    root = repo({MARKETPLACE: marketplace("/etc")})
    evaluation = evaluate((str(root),), Config())
    assert evaluation.found.empty == () and [f.rule for f in evaluation.checked.findings][:1] == ["MP_SOURCE_ESCAPE"]


def test_inline_hooks_and_their_file_share_findings_without_equal_fingerprints(repo):
    hook = {"Stop": [{"hooks": [{"type": "command"}]}]}
    root = repo({PLUGIN: json.dumps({"name": "store", "hooks": [hook, hook]})})
    found = check(tree(root), Config(select=frozenset({"HOOK_INVALID"}))).findings
    assert len(found) == 2 and len({finding.fingerprint for finding in found}) == 2


@pytest.mark.parametrize(
    ("command", "scripts"),
    [
        ("${CLAUDE_PLUGIN_ROOT}/a.sh", [("a.sh", True)]),
        ('"${CLAUDE_PLUGIN_ROOT}/a b.sh" now', [("a b.sh", True)]),
        ("'${CLAUDE_PLUGIN_ROOT}'/a.sh", [("a.sh", True)]),
        ("sh -e ${CLAUDE_PLUGIN_ROOT}/a.sh", []),
        ("bash -x ${CLAUDE_PLUGIN_ROOT}/a.sh", [("a.sh", False)]),
        ("bash -x ${CLAUDE_PLUGIN_ROOT}/run", []),
        ("/usr/bin/env python3 ${CLAUDE_PLUGIN_ROOT}/a.py", [("a.py", False)]),
        ("A=1 B=2 exec node ${CLAUDE_PLUGIN_ROOT}/a.js", [("a.js", False)]),
        ("bun run ${CLAUDE_PLUGIN_ROOT}/a.ts", [("a.ts", False)]),
        ("(cd x; ${CLAUDE_PLUGIN_ROOT}/a.sh)", [("a.sh", True)]),
        ("x | ${CLAUDE_PLUGIN_ROOT}/a.sh", [("a.sh", True)]),
        ("x > ${CLAUDE_PLUGIN_ROOT}/a.log", []),
        ("mkdir -p ${CLAUDE_PLUGIN_ROOT}/data && ls", []),
        ("if [ -x ${CLAUDE_PLUGIN_ROOT}/a.sh ]; then ${CLAUDE_PLUGIN_ROOT}/a.sh; fi", []),
        ("${CLAUDE_PLUGIN_ROOT}/${NAME}.sh", []),
        ("$CLAUDE_PLUGIN_ROOTS/a.sh", []),
        ("${CLAUDE_PLUGIN_DATA}/a.sh", []),
    ],
)
def test_which_scripts_a_command_starts(command, scripts):
    assert [tuple(script) for script in in_command(command)] == scripts


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("Tidy up.\n", []),
        ("---\ndescription: Tidies.\n---\nTidy up.\n", []),
        ("---\n", []),
        ("---\nargument-hint: [a] [b]\n---\nTidy up.\n", ["FM_INVALID_YAML"]),
    ],
)
def test_commands_need_no_header_but_a_readable_one(repo, skill_text, text, rules):
    files = {"store/.claude-plugin/plugin.json": '{"name": "store"}', "store/skills/stock-report/SKILL.md": skill_text()}
    root = repo({**files, "store/commands/tidy.md": text, ".claude/commands/tidy.md": text, "docs/commands/tidy.md": text})
    found = evaluate((str(root),), Config()).checked.findings
    assert [f.rule for f in found if f.path == "store/commands/tidy.md"] == rules
    assert [f.rule for f in found if f.path == ".claude/commands/tidy.md"] == rules
    assert not [f for f in found if f.path.startswith("docs/")]


def test_a_submodule_that_was_not_fetched_is_no_defect(repo):
    hooks = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/lib/a.sh"}]}]}}
    plugin = json.dumps({"name": "store", "skills": ["./vendor/skills"]})
    root = repo({MARKETPLACE: marketplace("./", "./sub/plugins/a"), PLUGIN: plugin, "hooks/hooks.json": json.dumps(hooks)})
    for folder in ("sub", "vendor", "lib"):
        (root / folder).mkdir()
    assert not {"MP_SOURCE_MISSING", "MANIFEST_SKILL_PATH", "HOOK_SCRIPT"} & set(rules_of(root))
