"""CODEOWNERS, by the examples of GitHub's documentation and what a stranger may write."""

import os

import pytest

from plugin_eval_ci.survey.owners import Owners, owners_in


@pytest.mark.parametrize(
    ("pattern", "path", "owned"),
    [
        ("*", "a/b.md", True),
        ("*.js", "deep/down/x.js", True),
        ("*.js", "x.jsx", False),
        ("/build/logs/", "build/logs/a/b.log", True),
        ("/build/logs/", "x/build/logs/a.log", False),
        ("docs/*", "docs/start.md", True),
        ("docs/*", "docs/app/trouble.md", False),
        ("apps/", "x/apps/y/z.md", True),
        ("apps/", "x/apps", False),
        ("apps", "x/apps", True),
        ("/docs/", "docs/a/b", True),
        ("/docs/", "docs", False),
        ("docs/api", "docs/api/x.md", True),
        ("docs/api", "other/docs/api/x.md", False),
        ("**/logs", "build/deep/logs/x", True),
        ("/apps/**", "apps/a/b/c", True),
        ("/apps/*/x.md", "apps/a/x.md", True),
        ("/apps/*/x.md", "apps/a/b/x.md", False),
        ("plugins/*/", "plugins/a/skills/s/SKILL.md", True),
        (r"a\ b/", "a b/c", True),
        ("/", "a", False),
    ],
)
def test_a_pattern(pattern, path, owned):
    assert Owners(f"{pattern} @me\n").of(path) == (("@me",) if owned else ())


def test_the_last_match_wins_whether_it_has_wildcards_or_not():
    rules = Owners("* @all\n/plugins/shop/ @shop @acme/team\n*.md @writers # not @others\n/plugins/shop/a.md a@b.org\n")
    assert rules.of("x.py") == ("@all",)
    assert rules.of("plugins/shop/x.py") == ("@shop", "@acme/team")
    assert rules.of("plugins/shop/x.md") == ("@writers",)
    assert rules.of("plugins/shop/a.md") == ("a@b.org",)


def test_a_match_without_owners_takes_them_away():
    rules = Owners("* @all\n/generated/\n/kept/ @kept\n")
    assert rules.of("generated/a") == () and rules.of("kept/a") == ("@kept",)


@pytest.mark.parametrize("line", ["# * @me", "  # x", "[Section] @me", "^[Optional][2] @me", "!x @me", "", "   ", "\0"])
def test_lines_that_are_no_rules(line):
    assert Owners(f"{line}\n").of("x") == ()


def test_the_first_of_three_places_is_read(repo):
    files = {".github/CODEOWNERS": "* @one\n", "CODEOWNERS": "* @two\n", "docs/CODEOWNERS": "* @three\n"}
    root = repo(files)
    for owner, place in (("@one", ".github/CODEOWNERS"), ("@two", "CODEOWNERS"), ("@three", "docs/CODEOWNERS")):
        assert owners_in(str(root)).of("a") == (owner,)
        os.remove(root / place)
    assert owners_in(str(root)).of("a") == ()


def test_a_link_to_elsewhere_is_not_read(repo, tmp_path):
    (tmp_path / "secret").write_text("* @root\n")
    root = repo({"a": ""})
    os.symlink(tmp_path / "secret", root / "CODEOWNERS")
    assert owners_in(str(root)).of("a") == ()


def test_bytes_that_are_no_text_and_crooked_ends(repo):
    assert owners_in(str(repo({"CODEOWNERS": b"* @me\r\n\xff\xfe @x\r\n"}))).of("a") == ("@me",)


def test_many_wildcards_take_no_time():
    rules = Owners("\n".join(f"{'*a' * 200}{n} @x" for n in range(200)))
    assert rules.of("a" * 300) == ()
