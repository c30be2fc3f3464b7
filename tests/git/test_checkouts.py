"""Checkouts as they are: sparse ones, partial clones, submodules that were not fetched, pointers of Git LFS, linked worktrees."""

import pytest

from plugin_eval_ci import cli
from plugin_eval_ci.git import left_out_of

A, B, RULES = "skills/a/SKILL.md", "skills/b/SKILL.md", "shared/rules.md"
DEAD = {"REF_DEAD", "ORPHAN_REFERENCE"}


def dead(findings):
    return sorted(f["target"] for f in findings if f["rule"] in DEAD and f["state"] != "old")


def rules_of(findings):
    return {f["rule"] for f in findings}


@pytest.fixture
def sources(skill_text):
    body = "See [the rules](../../shared/rules.md#part), `../../shared/more/` and [gone](../../shared/gone.md)."
    return {A: skill_text("a", body=body), B: skill_text("b"), RULES: "# Part\n", "shared/more/x.md": "x\n"}


def test_a_sparse_checkout_has_the_findings_of_a_full_one(remote, clone, git, lint, sources):
    source = remote([sources])
    full, sparse = clone(source), clone(source, name="sparse")
    git(sparse, "sparse-checkout", "set", "skills")
    assert not (sparse / RULES).exists()
    assert lint(sparse)[:2] == lint(full)[:2]
    assert dead(lint(sparse)[1]) == ["../../shared/gone.md"]


@pytest.mark.parametrize("index", ["--sparse-index", "--no-sparse-index"])
@pytest.mark.parametrize("words", [("--cone", "skills/a"), ("--no-cone", "/skills/a/*.md")])
def test_any_pattern_of_a_sparse_checkout(remote, clone, git, lint, sources, words, index):
    if words[0] == "--no-cone" and index == "--sparse-index":
        pytest.skip("git refuses this pair")
    root = clone(remote([sources]))
    git(root, "sparse-checkout", "set", words[0], index, *words[1:])
    assert dead(lint(root)[1]) == ["../../shared/gone.md"]


def test_a_single_file_that_git_was_told_to_skip(remote, clone, git, lint, sources):
    root = clone(remote([sources]))
    git(root, "update-index", "--skip-worktree", RULES)
    (root / RULES).unlink()
    assert dead(lint(root)[1]) == ["../../shared/gone.md"]


def test_a_file_that_somebody_deleted_is_dead(remote, clone, lint, sources):
    root = clone(remote([sources]))
    (root / RULES).unlink()
    assert dead(lint(root)[1]) == ["../../shared/gone.md", "../../shared/rules.md"]


def test_a_change_in_a_sparse_checkout(remote, clone, git, lint, sources, skill_text):
    root = clone(remote([sources, {A: sources[A] + "\nAnd [new](new.md).\n"}]))
    git(root, "sparse-checkout", "set", "skills")
    _, findings, _ = lint(root, "--base", "HEAD~1")
    assert dead(findings) == ["new.md"]


def test_a_plugin_whose_script_is_left_out(remote, clone, git, lint, skill_text):
    hooks = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/lib/run.sh"}]}]}}'
    files = {".claude-plugin/plugin.json": '{"name": "kit", "skills": ["./more/"]}', "hooks/hooks.json": hooks,
             A: skill_text("a"), "lib/run.sh": "x\n", "more/c/SKILL.md": skill_text("c")}  # fmt: skip
    root = clone(remote([files]))
    before = rules_of(lint(root)[1])
    git(root, "sparse-checkout", "set", "skills", "hooks", ".claude-plugin")
    assert not (root / "lib").exists() and not (root / "more").exists()
    assert rules_of(lint(root)[1]) <= before


@pytest.fixture
def moved(skill_text):
    """A list of files was renamed and the skill that names it was not; another finding is older."""
    old = "Read [the list](references/list.md) and [gone](references/gone.md)."
    return [
        {A: skill_text("a", body=old), B: skill_text("b"), "skills/a/references/list.md": "# List\n"},
        {A: skill_text("a", body=f"{old}\n\nWrite a line."), "skills/a/references/list.md": None, "skills/a/references/lists.md": "# List\n"},
    ]  # fmt: skip


@pytest.mark.parametrize("words", [(), ("--filter=blob:none",), ("--filter=blob:limit=1",), ("--filter=tree:0",)])
def test_every_clone_tells_old_from_new(remote, clone, lint, moved, words):
    root = clone(remote(moved), *words)
    code, findings, _ = lint(root, "--base", "HEAD~1")
    assert dead(findings) == ["references/list.md"], words
    assert code in (0, 1)


@pytest.mark.parametrize("sparse", [False, True])
def test_a_remote_that_is_gone_is_said_and_nothing_is_new(remote, clone, git, lint, moved, sparse):
    root = clone(remote(moved), "--filter=blob:none")
    if sparse:
        git(root, "sparse-checkout", "set", "skills")
    git(root, "config", "remote.origin.url", "file:///nowhere/at/all")
    code, findings, said = lint(root, "--base", "HEAD~1")
    assert "could not be fetched" in said and "without a comparison" in said
    assert "references/list.md" in dead(findings) and "new" not in {f.get("state") for f in findings}
    assert code in (0, 1)


def test_what_a_sparse_partial_clone_never_had_is_not_fetched(remote, clone, git, lint, moved):
    steps = [{**moved[0], "docs/guide.md": "# Guide\n"}, moved[1]]
    root = clone(remote(steps), "--filter=blob:none", "--sparse")
    git(root, "sparse-checkout", "set", "skills")
    blob = git(root, "rev-parse", "HEAD:docs/guide.md")
    _, findings, _ = lint(root, "--base", "HEAD~1")
    assert dead(findings) == ["references/list.md"]
    assert blob in git(root, "rev-list", "--objects", "--all", "--missing=print")
    assert f"?{blob}" in git(root, "rev-list", "--objects", "--all", "--missing=print")


def test_diff_says_that_it_could_not_measure(remote, clone, git, monkeypatch, capsys, moved):
    root = clone(remote(moved), "--filter=blob:none")
    git(root, "config", "remote.origin.url", "file:///nowhere/at/all")
    monkeypatch.chdir(root)
    assert cli.run(["diff", "HEAD~1"]) == 3
    assert "partial clone" in capsys.readouterr().err


def test_a_submodule_that_was_not_fetched(remote, clone, git, lint, skill_text):
    library = remote([{"guide.md": "# Guide\n"}], "library")
    text = skill_text("a", body="See [it](../../vendor/lib/guide.md) and [gone](../../vendor/gone.md).")
    source = remote([{A: text, "vendor/own.md": "x\n"}])
    git(source, "submodule", "add", "-q", f"file://{library}", "vendor/lib")
    git(source, "commit", "-qm", "lib")
    root = clone(source)
    assert not list((root / "vendor/lib").iterdir())
    assert dead(lint(root)[1]) == ["../../vendor/gone.md"]
    (root / A).write_text(text + "\nAnd [more](../../vendor/lib/more.md) and [less](less.md).\n")
    assert dead(lint(root, "--base", "HEAD")[1]) == ["less.md"]
    (root / "vendor/lib").rmdir()
    assert dead(lint(root)[1]) == ["../../vendor/gone.md", "less.md"]


def test_a_submodule_that_is_there_is_judged(remote, clone, git, lint, skill_text):
    library = remote([{"guide.md": "# Guide\n"}], "library")
    source = remote([{A: skill_text("a", body="See [it](../../vendor/lib/gone.md).")}])
    git(source, "submodule", "add", "-q", f"file://{library}", "vendor/lib")
    git(source, "commit", "-qm", "lib")
    root = clone(source, "--recurse-submodules")
    assert dead(lint(root)[1]) == ["../../vendor/lib/gone.md"]


def test_a_pointer_of_git_lfs_is_one_finding(remote, clone, lint, skill_text):
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "a" * 64 + "\nsize 1234\n"
    body = "Look at [the map](assets/map.png)."
    root = clone(remote([{A: pointer, B: skill_text("b", body=body), "skills/b/assets/map.png": pointer}]))
    _, findings, _ = lint(root)
    assert [f["path"] for f in findings if f["severity"] == "error"] == [A]
    assert not rules_of(findings) & {"EMPTY_DESCRIPTION", "MISSING_TRIGGER", "BODY_EMPTY"}


def test_a_linked_worktree(remote, clone, git, lint, moved, tmp_path):
    root = clone(remote(moved))
    git(root, "worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    git(tmp_path / "linked", "sparse-checkout", "set", "skills")
    assert (tmp_path / "linked/.git").is_file()
    assert dead(lint(tmp_path / "linked", "--base", "HEAD~1")[1]) == ["references/list.md"]


def test_a_folder_without_git_leaves_nothing_out(tmp_path):
    assert not left_out_of(str(tmp_path)).files


def test_a_mistyped_base_is_an_error(remote, clone, monkeypatch, capsys, moved):
    root = clone(remote(moved))
    monkeypatch.chdir(root)
    assert cli.run(["lint", "--base", "mian"]) == 2
    assert "mian" in capsys.readouterr().err


def test_a_base_beyond_a_shallow_clone_is_not(remote, clone, lint, moved):
    root = clone(remote(moved), "--depth=1")
    code, findings, said = lint(root, "--base", "HEAD~1")
    assert code in (0, 1) and "references/list.md" in dead(findings) and "shallow" in said
