"""A change cannot hide its own findings about safety; what stood in the base still holds."""

import json

import pytest

A, B, CONFIG, BASELINE = "skills/a/SKILL.md", "skills/b/SKILL.md", ".plugin-eval.yaml", ".plugin-eval-baseline.json"
# Put together here, so that nobody's scanner takes this file for a leak.
KEY, OTHER = "ghp_" + "PyhzAnar3ZLt4bnlz2MPKgcjnCqaXNv1syee", "ghp_" + "Q7hzAnar3ZLt4bnlz2MPKgcjnCqaXNv1skkd"
IGNORE = "<!-- plugin-eval: ignore[SAFE_SECRET] it opens nothing -->\n"
WHOLE = "<!-- plugin-eval: ignore-file[SAFE_SECRET] they open nothing -->\n"
ONLY = ("--select", "SAFE_SECRET,REF_DEAD,ORPHAN_REFERENCE")
COMMENT, ENTRY = "adds the ignore comment", "adds its baseline entry"


@pytest.fixture
def secrets(since):
    """The findings of SAFE_SECRET that count, as (path, message)."""

    def call(root, *words):
        code, found = since(root, *(words or ONLY))
        new = [(f["path"], f["message"]) for f in found if f["rule"] == "SAFE_SECRET" and f["state"] == "new"]
        assert code == 1 or not new
        return new

    return call


def test_a_new_comment_does_not_hide_a_new_secret(committed, skill_text, secrets):
    root = committed({A: skill_text("a")})
    (root / A).write_text(skill_text("a", body=f"{IGNORE}Use {KEY} for it."))
    ((path, message),) = secrets(root)
    assert path == A and COMMENT in message


def test_a_new_comment_does_not_hide_an_old_secret(committed, skill_text, secrets):
    root = committed({A: skill_text("a", body=f"Use {KEY} for it.")})
    (root / A).write_text(skill_text("a", body=f"{IGNORE}Use {KEY} for it."))
    assert [COMMENT in message for _, message in secrets(root)] == [True]


def test_a_comment_for_the_whole_file_neither(committed, skill_text, secrets):
    root = committed({A: skill_text("a")})
    (root / A).write_text(skill_text("a", body=f"{WHOLE}\nUse {KEY} for it."))
    assert [COMMENT in message for _, message in secrets(root)] == [True]


def test_what_the_base_hid_stays_hidden(committed, skill_text, secrets):
    root = committed({A: skill_text("a", body=f"{IGNORE}Use {KEY} for it.")})
    (root / A).write_text(skill_text("a", body=f"One more line.\n\n{IGNORE}Use {KEY} for it."))
    assert secrets(root) == []


def test_also_in_a_file_that_was_moved(committed, skill_text, secrets, git):
    root = committed({A: skill_text("a", body=f"{IGNORE}Use {KEY} for it.\n\nAnd so on.\n\nAnd on.")})
    git(root, "mv", "skills/a", "skills/c")
    (root / "skills/c/SKILL.md").write_text((root / "skills/c/SKILL.md").read_text().replace("name: a", "name: c"))
    assert secrets(root) == []


def test_an_old_comment_does_not_hide_another_secret(committed, skill_text, secrets):
    root = committed({A: skill_text("a", body=f"{IGNORE}Use {KEY} for it.")})
    (root / A).write_text(skill_text("a", body=f"{IGNORE}Use {OTHER} for it."))
    assert [COMMENT in message for _, message in secrets(root)] == [True]


def test_another_secret_on_the_same_line_is_new(committed, skill_text, secrets):
    root = committed({A: skill_text("a", body=f"Use {KEY} for it.")})
    (root / A).write_text(skill_text("a", body=f"More words.\n\nUse {KEY} for it."))
    assert secrets(root) == []
    (root / A).write_text(skill_text("a", body=f"Use {OTHER} for it."))
    assert [path for path, _ in secrets(root)] == [A]


def test_a_copy_of_an_old_comment_and_its_line_counts(committed, skill_text, secrets):
    root = committed({A: skill_text("a", body=f"{IGNORE}Use {KEY} for it.")})
    (root / A).write_text(skill_text("a", body=f"{IGNORE}Use {KEY} for it.\n\n{IGNORE}Use {KEY} for it."))
    assert len(secrets(root)) == 1


def test_an_old_comment_for_the_whole_file_does(committed, skill_text, secrets):
    root = committed({A: skill_text("a", body=f"{WHOLE}\nUse {KEY} for it.")})
    (root / A).write_text(skill_text("a", body=f"{WHOLE}\nUse {KEY} for it.\n\nUse {OTHER} as well."))
    assert secrets(root) == []


def test_comments_about_other_rules_work_at_once(committed, skill_text, since):
    root = committed({A: skill_text("a")})
    comment = "<!-- plugin-eval: ignore[ORPHAN_REFERENCE] written by the build -->\n"
    (root / A).write_text(skill_text("a", body=f"{comment}See [it](references/gone.md)."))
    assert since(root, *ONLY) == (0, [])


def test_without_a_base_the_comment_works(committed, skill_text, capsys, monkeypatch):
    from plugin_eval_ci import cli

    root = committed({A: skill_text("a", body=f"{IGNORE}Use {KEY} for it.")})
    monkeypatch.chdir(root)
    assert cli.run(["lint", *ONLY]) == 0
    assert "1 suppressed: 1 by comment" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (CONFIG, "ignore: [SAFE_SECRET]\n"),
        (CONFIG, "severity: {SAFE_SECRET: off}\n"),
        (CONFIG, "select: [REF_DEAD]\n"),
        (CONFIG, "per-path:\n  skills/**:\n    ignore: [SAFE_SECRET]\n"),
        (CONFIG, "exclude: [skills/a]\n"),
        ("skills/a/" + CONFIG, "ignore: [SAFE_SECRET]\n"),
        ("pyproject.toml", "[tool.plugin-eval]\nignore = ['SAFE_SECRET']\n"),
    ],
)
def test_a_new_configuration_does_not_hide_a_secret(committed, skill_text, secrets, place, text):
    root = committed({A: skill_text("a"), B: skill_text("b")})
    (root / A).write_text(skill_text("a", body=f"Use {KEY} for it."))
    (root / place).write_text(text)
    ((path, message),) = secrets(root, "--fail-on", "error")
    assert path == A and KEY not in message


@pytest.mark.parametrize("text", ["ignore: [SAFE_SECRET]\n", "severity: {SAFE_SECRET: off}\n", "exclude: [skills/a]\n"])
def test_the_configuration_of_the_base_does(committed, skill_text, secrets, text):
    root = committed({A: skill_text("a"), B: skill_text("b"), CONFIG: text})
    (root / A).write_text(skill_text("a", body=f"Use {KEY} for it."))
    assert secrets(root, "--fail-on", "error") == []
    (root / CONFIG).write_text(text + "fail-on: error\n")  # altered elsewhere, it still holds
    assert secrets(root, "--fail-on", "error") == []


def test_a_configuration_that_hides_an_unchanged_secret(committed, skill_text, secrets, since):
    root = committed({A: skill_text("a", body=f"Use {KEY} for it."), B: skill_text("b")})
    (root / CONFIG).write_text("ignore: [SAFE_SECRET]\n")
    assert secrets(root, "--fail-on", "error") == []  # that file is no part of the change
    assert [f["rule"] for f in since(root)[1]] == ["CONFIG_CHANGED"]


def test_a_broken_configuration_in_the_base_holds_nobody_up(committed, skill_text, since):
    root = committed({A: skill_text("a"), CONFIG: "nonsense: [\n"})
    (root / CONFIG).write_text("fail-on: error\n")
    assert [f["rule"] for f in since(root)[1]] == ["CONFIG_CHANGED"]


def test_the_change_cannot_turn_off_what_is_said_of_it(committed, skill_text, since):
    root = committed({A: skill_text("a")})
    (root / CONFIG).write_text("ignore: [CONFIG_CHANGED]\n")
    assert [f["rule"] for f in since(root)[1]] == ["CONFIG_CHANGED"]
    root2 = committed({A: skill_text("a"), CONFIG: "ignore: [CONFIG_CHANGED]\n"})
    (root2 / CONFIG).write_text("ignore: [CONFIG_CHANGED, REF_DEAD]\n")
    assert since(root2)[1] == []


@pytest.mark.parametrize("words", [("--config", "ci/lint.yaml"), ("--isolated",)])
def test_the_file_of_the_command_line(committed, skill_text, secrets, words):
    root = committed({A: skill_text("a"), "ci/lint.yaml": "fail-on: error\n"})
    (root / A).write_text(skill_text("a", body=f"Use {KEY} for it."))
    (root / CONFIG).write_text("ignore: [SAFE_SECRET]\n")  # not read in either case
    (root / "ci/lint.yaml").write_text("ignore: [SAFE_SECRET]\n")
    found = secrets(root, *words)
    assert [path for path, _ in found] == [A]


def test_options_are_the_runner_s_and_hold(committed, skill_text, secrets):
    root = committed({A: skill_text("a")})
    (root / A).write_text(skill_text("a", body=f"Use {KEY} for it."))
    (root / CONFIG).write_text("fail-on: never\n")
    assert secrets(root, "--ignore", "SAFE_SECRET") == []


def accept(root, run, *words):
    from plugin_eval_ci import cli

    run.chdir(root)
    assert cli.run(["baseline", *words]) == 0


def test_a_new_baseline_entry_does_not_hide_a_secret(committed, skill_text, secrets, since, monkeypatch):
    root = committed(
        {A: skill_text("a"), CONFIG: f"baseline: {BASELINE}\n", BASELINE: '{"version": 1, "entries": []}\n'}
    )
    (root / A).write_text(skill_text("a", body=f"Use {KEY} for it. See [it](references/gone.md)."))
    accept(root, monkeypatch, "--update", "--add")
    ((path, message),) = secrets(root)
    assert path == A and ENTRY in message
    assert {f["rule"] for f in since(root)[1]} == {"SAFE_SECRET", "CONFIG_CHANGED"}  # the other entry works at once


def test_a_baseline_entry_of_the_base_does(committed, skill_text, secrets, monkeypatch, git):
    root = committed({A: skill_text("a", body=f"Use {KEY} for it."), CONFIG: f"baseline: {BASELINE}\n"})
    accept(root, monkeypatch, "--reason", "opens nothing")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "accepted")
    (root / A).write_text(skill_text("a", body=f"Read it. Use {KEY} for it.\n\nMore words."))
    found = secrets(root)
    document = json.loads((root / BASELINE).read_text())
    assert found == [] and [e["rule"] for e in document["entries"]].count("SAFE_SECRET") == 1


def test_a_baseline_from_elsewhere_is_the_runner_s(committed, skill_text, secrets, monkeypatch, tmp_path):
    root = committed({A: skill_text("a")})
    (root / A).write_text(skill_text("a", body=f"Use {KEY} for it."))
    accept(root, monkeypatch, "--output", str(tmp_path / "accepted.json"))
    assert secrets(root, *ONLY, "--baseline", str(tmp_path / "accepted.json")) == []
