"""Whatever a change writes into the configuration, the base decides about that change."""

import pytest

A, CONFIG = "skills/a/SKILL.md", ".plugin-eval.yaml"
KEY = "ghp_" + "PyhzAnar3ZLt4bnlz2MPKgcjnCqaXNv1syee"
CHANGES = [
    "fail-on: never\n", "severity: {SAFE_SECRET: notice, REF_DEAD: notice}\n", "severity: {SAFE_SECRET: off, REF_DEAD: off}\n",
    "ignore: [SAFE_SECRET, REF_DEAD]\n", "select: [NAME_MISSING]\n", 'exclude: ["skills/**"]\n', "default-excludes: false\n",
    "per-path:\n  skills/**:\n    severity: {SAFE_SECRET: notice, REF_DEAD: notice}\n", "per-path:\n  skills/**:\n    ignore: [SAFE_SECRET, REF_DEAD]\n",
    "baseline: accepted.json\n", "models: {haiku: x}\n", "prices: {x: {input: 0, output: 0}}\n",
]  # fmt: skip


def verdict(code, found):
    return code, sorted((f["rule"], f["severity"], f["state"]) for f in found if f["rule"] != "CONFIG_CHANGED")


@pytest.fixture
def broken(committed, skill_text):
    """A change that adds a secret and a dead link, to a repository whose base has ``files``."""

    def build(files):
        root = committed({A: skill_text("a"), **files})
        (root / A).write_text(skill_text("a", body=f"Use {KEY}. See [it](references/gone.md)."))
        return root

    return build


@pytest.mark.parametrize("text", CHANGES)
@pytest.mark.parametrize("place", [CONFIG, "skills/.plugin-eval.yaml", "skills/a/.plugin-eval.yaml"])
@pytest.mark.parametrize("before", [None, "ignore: [BODY_TODO]\n"])
def test_no_key_moves_the_verdict(broken, since, text, place, before):
    root = broken({} if before is None else {place: before})
    expected = verdict(*since(root))
    assert expected[0] == 1
    (root / place).write_text(text.replace("skills/**", "**") if place != CONFIG else text)
    code, found = since(root)
    assert verdict(code, found) == expected
    assert [f["path"] for f in found if f["rule"] == "CONFIG_CHANGED"] in ([place], []), text


def test_a_table_in_pyproject_neither(broken, since):
    root = broken({})
    expected = verdict(*since(root))
    (root / "pyproject.toml").write_text('[tool.plugin-eval]\nfail-on = "never"\nignore = ["SAFE_SECRET"]\n')
    assert verdict(*since(root)) == expected


def test_a_named_file_neither(broken, since):
    root = broken({"ci/lint.yaml": "fail-on: error\n"})
    expected = verdict(*since(root, "--config", "ci/lint.yaml"))
    (root / "ci/lint.yaml").write_text("fail-on: never\n")
    assert verdict(*since(root, "--config", "ci/lint.yaml")) == expected


def test_what_the_base_says_still_holds_when_it_is_removed(broken, since):
    root = broken({CONFIG: "fail-on: never\n"})
    assert since(root)[0] == 0
    (root / CONFIG).unlink()
    assert since(root)[0] == 0


def test_the_old_and_the_new_value_are_reported(broken, since):
    root = broken({CONFIG: "fail-on: error\n"})
    (root / CONFIG).write_text("fail-on: never\n")
    (message,) = [f["message"] for f in since(root)[1] if f["rule"] == "CONFIG_CHANGED"]
    assert "fail-on: error -> never" in message


def test_options_of_the_run_count(broken, since):
    root = broken({})
    (root / CONFIG).write_text("ignore: [SAFE_SECRET]\n")
    assert since(root, "--fail-on", "never")[0] == 0
