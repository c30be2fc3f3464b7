"""Which files of a plugin reach its users."""

import pytest

from plugin_eval_ci.diff.versions import Place, named_by
from plugin_eval_ci.model import Manifest, Source
from plugin_eval_ci.parse import json_lines

OWN, TOP = (Place(folder, folder, None, frozenset({"dist"})) for folder in ("plugins/a", ""))


@pytest.mark.parametrize(
    ("path", "own", "top"),
    [
        ("skills/x/SKILL.md", True, True),
        ("skills/x/references/a.md", True, True),
        ("skills/test/SKILL.md", True, True),
        ("skills/x/tests/one.sh", False, False),
        ("skills/x/evals/one.json", False, False),
        ("skills/x/assets/template/tests/one.py", True, True),
        ("skills/x/README.md", False, False),
        ("agents/a.md", True, True),
        ("commands/a.md", True, True),
        ("commands/README.md", False, False),
        ("hooks/hooks.json", True, True),
        ("hooks/tests/run.sh", False, False),
        (".mcp.json", True, True),
        ("SKILL.md", True, True),
        ("dist/a.js", True, True),
        ("scripts/a.py", True, False),
        ("scripts/test_a.py", False, False),
        ("lib/a.spec.ts", False, False),
        ("src/a.ts", False, False),
        ("README.md", False, False),
        ("CHANGELOG.md", False, False),
        ("LICENSE", False, False),
        ("docs/a.md", False, False),
        ("skills", False, False),
        ("package.json", False, False),
        (".github/workflows/a.yml", False, False),
        ("plugins/b/skills/x/SKILL.md", False, False),
    ],
)
def test_what_counts(path, own, top):
    assert OWN.holds(path) is own
    assert TOP.holds(path) is top


@pytest.mark.parametrize(
    ("path", "holds"),
    [("skills/x/SKILL.md", True), ("skills/x", True), ("skills/xy/SKILL.md", False), ("hooks/hooks.json", False)],
)
def test_one_of_several_plugins_in_a_folder(path, holds):
    assert Place("", "", ("skills/x",), frozenset()).holds(path) is holds


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('{"a": "${CLAUDE_PLUGIN_ROOT}/dist/a.js"}', {"dist"}),
        ('{"a": ["\\"${CLAUDE_PLUGIN_ROOT}\\"/run me.sh"]}', {"run"}),
        ('{"hooks": "./config/hooks.json", "b": {"c": ["./more/"]}}', {"config", "more"}),
        ('{"a": "../x", "b": "text ./y", "c": "./../z", "d": 1}', set()),
    ],
)
def test_folders_that_manifests_name(text, named):
    source = Source("f", "p", text, len(text), False, None)
    value = json_lines.parse(text).value
    assert named_by([Manifest(source, "plugin", value, None, (), "/d", "/d", "/d")]) == named
