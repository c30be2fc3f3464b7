"""Names that a change takes away, where a text still uses them."""

import pytest

STEPS = "\n\n".join(f"Step {number} stays as it is." for number in range(12))
OLD, NEW = "skills/ledger-merge/SKILL.md", "skills/combine-books/SKILL.md"


@pytest.fixture
def base(committed, skill_text):
    """A plugin whose skill ``caller`` says ``words``."""

    def build(words, **more):
        return committed(
            {
                ".claude-plugin/plugin.json": '{"name": "books"}\n',
                OLD: skill_text("ledger-merge", body=STEPS),
                "skills/caller/SKILL.md": skill_text("caller", body=words),
                "agents/book-keeper.md": "---\nname: book-keeper\ndescription: Keeps books.\n---\n\nKeep them.\n",
                "commands/close-year.md": "Close the year.\n",
                **more,
            }
        )

    return build


@pytest.fixture
def stale(since):
    """What NAME_STALE says that is new, as (path, message, fix)."""

    def call(root):
        _, found = since(root, "--select", "NAME_STALE")
        return [(f["path"], f["message"], f["fix"]) for f in found if f["state"] == "new"]

    return call


def rename(root, git, old=OLD, new=NEW):
    git(root, "mv", old.removesuffix("/SKILL.md"), new.removesuffix("/SKILL.md"))
    text = (root / new).read_text()
    (root / new).write_text(text.replace("name: ledger-merge", "name: combine-books"))
    git(root, "add", "-A")


@pytest.mark.parametrize(
    "words",
    [
        "Then use the `ledger-merge` skill.",
        "Then use the **ledger-merge** skill.",
        "Then use `books:ledger-merge`.",
        "Then run `/books:ledger-merge` on it.",
    ],
)
def test_a_renamed_skill(base, git, stale, words):
    root = base(words)
    assert stale(root) == []
    rename(root, git)
    ((path, message, fix),) = stale(root)
    assert path == "skills/caller/SKILL.md" and "no longer exists: this change renames it" in message
    assert fix == "Did you mean 'combine-books', as it is called now?"


@pytest.mark.parametrize(
    "words",
    [
        "Then use the `combine-books` skill.",
        "The `ledger-merge` skill was renamed to the `combine-books` skill.",
        "The former `ledger-merge` skill is gone.",
        "```\nuse the `ledger-merge` skill\n```",
        "A ledger-merge is what accountants call it.",
        "Then use the `ledger-sort` skill of another vendor.",
    ],
)
def test_what_stays_silent_after_a_rename(base, git, stale, words):
    root = base(words)
    rename(root, git)
    assert stale(root) == []


def test_a_skill_that_was_rewritten_as_it_moved(base, git, stale, skill_text):
    root = base(
        "Then use the `ledger-merge` skill.",
        **{"skills/ledger-merge/references/a.md": STEPS, "skills/ledger-merge/references/b.md": STEPS + "\n\nMore.\n"},
    )
    rename(root, git)
    (root / NEW).write_text(skill_text("combine-books", description="Joins. Use when two are there.", body="Other."))
    git(root, "add", "-A")
    assert [fix for _, _, fix in stale(root)] == ["Did you mean 'combine-books', as it is called now?"]


def test_a_removed_skill(base, git, stale):
    root = base("Then use the `ledger-merge` skill.")
    git(root, "rm", "-rq", "skills/ledger-merge")
    assert [(message, fix) for _, message, fix in stale(root)] == [
        ("the skill 'ledger-merge' no longer exists: this change removes it", "Name another one, or remove it.")
    ]


def test_a_skill_of_that_name_elsewhere(base, git, stale, skill_text):
    root = base(
        "Then use the `ledger-merge` skill.", **{"other/skills/ledger-merge/SKILL.md": skill_text("ledger-merge")}
    )
    git(root, "rm", "-rq", "skills/ledger-merge")
    assert stale(root) == []


def test_an_agent_a_command_and_the_skills_an_agent_asks_for(base, git, stale):
    asks = "---\nname: helper\ndescription: Helps.\nskills: ledger-merge\n---\n\nHelp.\n"
    root = base("Ask the `book-keeper` agent, then run `/books:close-year`.", **{"agents/helper.md": asks})
    rename(root, git)
    git(root, "mv", "agents/book-keeper.md", "agents/clerk-of-books.md")
    git(root, "mv", "commands/close-year.md", "commands/end-of-year.md")
    text = (root / "agents/clerk-of-books.md").read_text()
    (root / "agents/clerk-of-books.md").write_text(text.replace("name: book-keeper", "name: clerk-of-books"))
    git(root, "add", "-A")
    found = {(path, fix) for path, _, fix in stale(root)}
    assert found == {
        ("skills/caller/SKILL.md", "Did you mean 'clerk-of-books', as it is called now?"),
        ("skills/caller/SKILL.md", "Did you mean 'end-of-year', as it is called now?"),
        ("agents/helper.md", "Did you mean 'combine-books', as it is called now?"),
    }


def test_a_renamed_plugin(base, git, stale):
    root = base("Then use `books:ledger-merge`.")
    (root / ".claude-plugin/plugin.json").write_text('{"name": "ledgers"}\n')
    ((_, message, fix),) = stale(root)
    assert message == "the plugin 'books' is called 'ledgers' since this change"
    assert fix == "Did you mean 'ledgers:ledger-merge'?"


def test_what_was_stale_before_is_old(base, git, stale, since):
    root = base("Then use `books:no-such-thing`.")
    rename(root, git)
    assert stale(root) == []
