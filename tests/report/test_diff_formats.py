"""The three formats of ``diff``, over small git repositories; `UPDATE_SNAPSHOTS=1 pytest` writes the snapshots anew."""

import io
import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from github_page import as_github

from plugin_eval_ci import git
from plugin_eval_ci.cli import run
from plugin_eval_ci.commands import diff as command
from plugin_eval_ci.config import Config
from plugin_eval_ci.diff import difference_of
from plugin_eval_ci.diff.changes import Settings, open_revision
from plugin_eval_ci.report.diff import comment as comment_markdown
from plugin_eval_ci.report.diff import json as diff_json
from plugin_eval_ci.report.diff import text as diff_text

jsonschema = pytest.importorskip("jsonschema")
SNAPSHOTS = Path(__file__).parent / "snapshots"
SCHEMA = json.loads((Path(diff_json.__file__).parents[2] / "schemas" / "diff.schema.json").read_text("utf-8"))
ABOUT = {
    "counted": "Counts boxes on shelves. Use when someone asks for stock levels.",
    "gone": "Answers letters of suppliers. Use when post arrives.",
    "old-name": "Plans shifts in summer. Use when holidays are asked for.",
    "new-name": "Plans shifts in summer. Use when holidays are asked for.",
    "side": "Weighs parcels before shipping. Use when a courier is booked.",
    "pointer": "Explains invoice columns. Use when a number looks odd.",
    "added": "Translates labels into French. Use when crates go abroad.",
}


def skill(name, body="Read the export.\n", extra="", description=""):
    text = description or ABOUT[name]
    return f"---\nname: {name}\ndescription: {text}\n{extra}---\n\n# Report\n\n{body}"


BEFORE = {
    ".claude-plugin/plugin.json": '{"name": "store", "version": "1.0.0"}\n',
    "skills/counted/SKILL.md": skill("counted", "See [the fields](references/fields.md).\n\n```sh\ngit log\n```\n"),
    "skills/counted/references/fields.md": "# Fields\n\nOne.\n",
    "skills/gone/SKILL.md": skill(
        "gone", "Nothing is left of this one.\n\n```sh\njq . stock.json\n```\n\nPost is sorted by street and by hour.\n"
    ),
    "skills/old-name/SKILL.md": skill(
        "old-name", "".join(f"Step {number} stays as it is.\n\n" for number in range(20))
    ),
    "skills/side/SKILL.md": skill("side", "Run `scripts/side.sh`.\n"),
    "skills/side/scripts/side.sh": "#!/bin/sh\nls\n",
    "skills/pointer/SKILL.md": skill("pointer", "Read [the fields](../counted/references/fields.md).\n"),
    "agents/counter.md": "---\nname: counter\ndescription: Counts what is on a shelf.\n---\n\nCount.\n",
    "README.md": "# Store\n",
}
EDIT = skill("counted", "Use the Bash tool.\n\n```sh\ngit log\ndocker ps\n```\n", "allowed-tools: Bash(git:*)\n")


class Repository:
    def __init__(self, root):
        self.root = root

    def git(self, *words):
        env = os.environ | {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in
            (("NAME", "T"), ("EMAIL", "t@example.test"), ("DATE", "2026-11-30T12:00:00Z"))} | {"GIT_CONFIG_GLOBAL": os.devnull}  # fmt: skip
        done = subprocess.run(["git", *words], cwd=self.root, env=env, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--no-verify", "-m", "x")
        return self.git("rev-parse", "HEAD")

    def difference(self, base="HEAD", head=None):
        with open_revision((str(self.root),), Settings(Config(), lambda _: Config()), base, head) as revision:
            return difference_of(revision, git.numstat(str(self.root), revision.base, revision.head))


@pytest.fixture
def repository(repo):
    def build(files):
        made = Repository(repo(files))
        made.commit()
        return made

    return build


@pytest.fixture
def changed(repository):
    """A changed, an added, a removed and a renamed skill, a changed side file, and what that breaks elsewhere."""
    made = repository(BEFORE)
    root = made.root
    (root / "skills/counted/SKILL.md").write_text(EDIT)
    (root / "skills/counted/references/fields.md").unlink()
    made.git("rm", "-rq", "skills/gone")
    made.git("mv", "skills/old-name", "skills/new-name")
    renamed = root / "skills/new-name/SKILL.md"
    renamed.write_text(renamed.read_text().replace("name: old-name", "name: new-name"))
    (root / "skills/side/scripts/side.sh").write_text("#!/bin/bash\nkubectl get pods\n")
    (root / "skills/added").mkdir()
    (root / "skills/added/SKILL.md").write_text(
        skill("added", "```sh\nnpx tool\n```\n", "allowed-tools: Read, Write\n")
    )
    (root / "hooks").mkdir()
    (root / "hooks/hooks.json").write_text(
        '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "npm test"}]}]}}\n'
    )
    made.git("add", "-A")
    return made


def same(name, text):
    text = re.sub(r"\b[0-9a-f]{12}\b", "0" * 12, text)
    file = SNAPSHOTS / name
    if os.environ.get("UPDATE_SNAPSHOTS"):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def document(difference):
    found = json.loads(diff_json.render(difference))
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    return found


def test_text(changed):
    same("diff.txt", diff_text.render(changed.difference(), False))


def test_markdown(changed):
    same("diff.md", comment_markdown.body(changed.difference()))


def test_json(changed):
    found = document(changed.difference())
    assert found["head"] is None and found["total"] == 6
    rows = {row["name"]: row for row in found["changed"]}
    assert {name: row["status"] for name, row in rows.items()} == {
        "added": "added", "counted": "changed", "gone": "removed", "new-name": "renamed", "side": "changed",
    }  # fmt: skip
    assert rows["new-name"]["old_path"] == "skills/old-name/SKILL.md"
    assert rows["added"]["before"] is None and rows["gone"]["after"] is None
    assert rows["counted"]["needs"]["added"]["tools"] == ["Bash(git:*)"]
    assert rows["counted"]["needs"]["added"]["programs"] == ["docker"]
    assert rows["gone"]["needs"]["removed"]["programs"] == ["jq"]
    assert rows["side"]["needs"]["added"]["programs"] == ["bash", "kubectl"]
    assert [finding["rule"] for finding in found["new_elsewhere"]] == ["VERSION_NOT_BUMPED", "ORPHAN_REFERENCE"]
    assert found["new_elsewhere"][1]["path"] == "skills/pointer/SKILL.md"
    (plugin,) = found["plugins"]
    assert plugin["name"] == "store" and plugin["needs"]["added"]["hooks"] == ["Stop: npm test"]
    assert plugin["listing"]["before"]["skills"] == plugin["listing"]["after"]["skills"] == 5


def test_between_two_commits(changed):
    now = changed.difference()
    base = changed.git("rev-parse", "HEAD")
    head = changed.commit()
    later = changed.difference(base, head)
    assert later._replace(head=None).plugins == now.plugins
    assert [row[:7] for row in later.rows] == [row[:7] for row in now.rows]
    assert document(later)["head"] == head


def test_nothing_changed(repository):
    made = repository(BEFORE)
    difference = made.difference()
    assert not difference.rows and not difference.plugins
    document(difference)
    assert diff_text.render(difference, False).startswith("0 of 6 skills and agents changed, ")
    assert comment_markdown.body(difference).startswith("### ✅ No new findings: no skill or agent changed\n")


def test_an_agent(repository):
    made = repository(BEFORE)
    (made.root / "agents/counter.md").write_text("---\nname: counter\ndescription: Counts.\n---\n\nCount twice.\n")
    (row,) = made.difference().rows
    assert (row.kind, row.status) == ("agent", "changed")
    assert row.needs[0].any is row.needs[1].any is False
    assert document(made.difference())["changed"][0]["after"]["host"] is None


def test_the_listing_of_a_plugin_overflows(repository):
    long = "Counts boxes. Use when asked. " + "shelf " * 155
    made = repository(
        {".claude-plugin/plugin.json": '{"name": "store"}', "README.md": "x"}
        | {f"skills/s{number}/SKILL.md": skill(f"s{number}", description=long) for number in range(8)}
    )
    (made.root / "skills/s8").mkdir()
    (made.root / "skills/s8/SKILL.md").write_text(skill("s8", description=long))
    difference = made.difference()
    text = diff_text.render(difference, False)
    assert "listing 7,776 -> 8,748 characters (+972)" in text
    assert "budget of 8,000 characters in a 200,000-token context: 0 -> 1 skills without a description" in text
    assert "**store**: listing 7,776 → 8,748" in comment_markdown.body(difference)
    assert [finding.rule for finding in difference.elsewhere if finding.rule == "LISTING_BUDGET"] == ["LISTING_BUDGET"]
    assert document(difference)["plugins"][0]["listing"]["after"]["budgets"][0]["dropped"] == ["store:s8"]


def test_the_command(changed, inside):
    inside(changed.root)
    for output, start in (
        ("text", "5 of 6"),
        ("markdown", "### ❌ 1 new error, 2 new notices in 5 changed skills\n"),
        ("json", "{\n"),
    ):
        out = io.StringIO()
        assert (
            command.run("HEAD", None, (".",), command.DiffOptions(format=output, fail_on="never", isolated=True), out)
            == 0
        )
        assert out.getvalue().startswith(start)
    assert (
        command.run(
            "HEAD", None, (".",), command.DiffOptions(format="text", fail_on="warning", isolated=True), io.StringIO()
        )
        == 1
    )


def named(made, inside, capsys, *words):
    inside(made.root)
    code = run(["diff", "--output", "json", *words])
    return code, sorted(row["name"] for row in json.loads(capsys.readouterr().out)["changed"])


def test_only_what_is_in_the_paths(changed, inside, capsys):
    assert named(changed, inside, capsys, "HEAD", "--", "skills/counted", "skills/added") == (0, ["added", "counted"])
    assert named(changed, inside, capsys, "HEAD", "--", "skills/side/scripts/side.sh")[0] == 0
    assert named(changed, inside, capsys, "HEAD", "--", "skills/pointer") == (0, [])
    assert named(changed, inside, capsys, "HEAD", "--", "skills/gone") == (0, ["gone"])  # it need not be there any more
    assert len(named(changed, inside, capsys, "HEAD", "--")[1]) == 5


def test_paths_behind_both_revisions_and_a_path_in_the_place_of_one(changed, inside, capsys):
    changed.commit()
    assert named(changed, inside, capsys, "HEAD~1", "HEAD", "--", "skills/counted") == (0, ["counted"])
    assert named(changed, inside, capsys, "HEAD~1", "HEAD", "skills/counted") == (0, ["counted"])
    assert run(["diff", "HEAD~1", "skills/counted"]) == 2
    assert "write `plugin-eval diff HEAD~1 -- skills/counted`" in capsys.readouterr().err
    assert run(["diff", "HEAD~1", "--", ""]) == 2 and "the path is empty" in capsys.readouterr().err
    assert run(["diff", "HEAD~1", "--", ".", "/"]) == 2 and "not in the same repository" in capsys.readouterr().err


HOSTILE = "\x1b[31m\u202e|`@octocat` <img src=x> [a](https://example.org)\n## forged"


def test_hostile_names(changed):
    plain = changed.difference()
    needs = tuple(type(side)(*((HOSTILE,) for _ in side)) for side in plain.rows[0].needs)
    finding = plain.elsewhere[0]._replace(path=HOSTILE, message=HOSTILE, fix=HOSTILE, target=HOSTILE)
    side = plain.rows[1].after._replace(host=needs[0])
    row = plain.rows[1]._replace(
        name=HOSTILE, path=HOSTILE, old_path=HOSTILE, after=side, new=(finding,), fixed=(finding,)
    )
    plugin = plain.plugins[0]._replace(name=HOSTILE, path=HOSTILE, needs=needs)
    evil = plain._replace(rows=(row,), plugins=(plugin,), elsewhere=(finding,), fixed_elsewhere=(finding,))
    text = diff_text.render(evil, False)
    assert all(line.isprintable() for line in text.split("\n")) and "\n## forged" not in text
    markdown = comment_markdown.body(evil)
    page = as_github(markdown)
    assert page.foreign == [] and page.tags["h4"] == 2 and page.tags["h2"] == 0
    assert "@octocat" not in markdown
    document(evil)


def test_hostile_files(repository):
    made = repository(BEFORE)
    words = 'allowed-tools: ["Bash(a|b `x`)", "@octocat", "[a](https://example.org)"]\n'
    (made.root / "skills/counted/SKILL.md").write_text(skill("counted", "!`echo '<b>|' \u202e`\n", words))
    difference = made.difference()
    assert difference.rows[0].needs[0].tools and difference.rows[0].needs[0].commands
    assert all(line.isprintable() for line in diff_text.render(difference, False).split("\n"))
    assert as_github(comment_markdown.body(difference)).foreign == []
    document(difference)
