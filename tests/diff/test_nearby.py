"""Who is not read in full against a base says nothing that a full reading of both sides would say."""

import random
import shutil

import pytest

from plugin_eval_ci.commands import since
from plugin_eval_ci.commands.load_config import read_config
from plugin_eval_ci.diff import changes, neighbours
from plugin_eval_ci.diff.changes import open_revision
from plugin_eval_ci.git import layout

SAYINGS = (
    "Read [the other](../{other}/SKILL.md).",
    "Read [its part](../{other}/SKILL.md#part-two) first.",
    "Follow [more](../{other}/references/more.md).",
    "Read `references/more.md` of the {other} skill.",
    "Read `references/extra.md` of the {other} skill before you start.",
    "Then use the `{other}` skill.",
    "Then use the **{other}** skill, and `books:{other}`.",
    "Read skills/{other}/SKILL.md next.",
    "Look into `../{other}/scripts/`.",
    "Run `python ../{other}/scripts/run.py`.",
    "Read [ours](references/more.md) and [gone](references/gone.md).",
    "Read [the guide](../../docs/guide.md).",
    "Read `docs/guide.md`, then [notes](../../docs/deep/notes.md).",
    "Ask agents/keeper.md, or `agents/clerk.md`.",
    "Nothing to see here.",
    "See [gone](references/gone.md). <!-- plugin-eval: ignore[REF_DEAD] on purpose -->",
    "It needs {other}/references/more.md and {other}/assets/logo.txt.",
)


def skill(name, picker, names, words=None):
    said = "\n\n".join(picker.choice(SAYINGS).format(other=picker.choice(names)) for _ in range(picker.randint(1, 3)))
    about = words or picker.choice(
        ("ledgers and their yearly balance sheets", "letters to late customers", f"work of kind {name}")
    )
    return (
        f"---\nname: {name}\ndescription: Handles {about}. Use when somebody asks about {about}.\n---\n\n# About {name}\n\n"
        f"{said}\n\n## Part two\n\nKeep the order of the steps.\n"
    )


def files_of(picker, names):
    files = {"docs/guide.md": "# Guide\n", "README.md": "# Books\n", "agents/keeper.md": "---\nname: keeper\ndescription: Keeps books.\nskills: alpha\n---\n\nKeep them, with the `beta` skill.\n"}  # fmt: skip
    layout = picker.choice(("flat", "plugin", "plugins"))
    if layout == "plugin":
        files[".claude-plugin/plugin.json"] = '{"name": "books", "version": "1.0.0"}\n'
    folders = []
    for number, name in enumerate(names):
        folder = f"plugins/p{number % 2}/skills/{name}" if layout == "plugins" else f"skills/{name}"
        folders.append(folder)
        files[f"{folder}/SKILL.md"] = skill(name, picker, names)
        for more in ("references/more.md", "scripts/run.py", "assets/logo.txt"):
            if picker.random() < 0.5:
                files[f"{folder}/{more}"] = f"See {picker.choice(names)}/references/more.md\n"
    if layout == "plugins":
        files |= {f"plugins/p{number}/.claude-plugin/plugin.json": f'{{"name": "p{number}"}}\n' for number in (0, 1)}
    return files, folders


def edit(root, picker, names, folders):
    """One or two of the things that people do to a repository."""
    for _ in range(picker.randint(1, 2)):
        place = root / picker.choice(folders)
        if not (place / "SKILL.md").exists():
            continue
        match picker.randrange(9):
            case 0:
                shutil.rmtree(place)
            case 1:
                place.rename(place.with_name(f"{place.name}-new"))
            case 2:
                shutil.rmtree(place / "references", ignore_errors=True)
            case 3:
                (place / "references").mkdir(exist_ok=True)
                (place / "references" / picker.choice(("more.md", "extra.md", "gone.md"))).write_text("# More\n")
            case 4:
                (place / "SKILL.md").write_text(skill(picker.choice(names), picker, names))
            case 5:
                text = (place / "SKILL.md").read_text()
                (place / "SKILL.md").write_text(text.replace("## Part two", "## Part the second"))
            case 6:
                (root / "docs" / "deep").mkdir(exist_ok=True)
                (root / "docs" / "deep" / "notes.md").write_text("# Notes\n")
                (root / "docs" / "guide.md").unlink(missing_ok=True)
            case 7:
                for manifest in root.rglob("plugin.json"):
                    manifest.write_text(manifest.read_text().replace('"name"', '"skills": ["./skills/alpha"], "name"'))
            case 8 if (root / "agents" / "keeper.md").exists():
                (root / "agents" / "keeper.md").rename(root / "agents" / "clerk.md")


def said(root, monkeypatch, full):
    """What a comparison with HEAD says: findings with their state, and what is fixed; and how many were not read in full."""
    light = []

    def watched(sides, unchanged, changed):
        known = real(sides, () if full else unchanged, changed)
        light.append(len(known.after))
        return known

    real = neighbours.nearby
    with monkeypatch.context() as patch:
        patch.setattr(changes.neighbours, "nearby", watched)
        told = since.settings_of(read_config((str(root),), None, True, ()), str(root), None, True, ())
        with open_revision((str(root),), told, "HEAD") as revision:
            return (revision.after.checked.findings, revision.fixed), sum(light)


NAMES = ("alpha", "beta", "gamma-ray", "delta", "run", "long-road", "zeta")


@pytest.mark.parametrize("seed", range(30))
def test_as_a_full_reading_says(committed, monkeypatch, seed):
    picker = random.Random(seed)
    files, folders = files_of(picker, NAMES)
    root = committed(files)
    edit(root, picker, NAMES, folders)
    assert said(root, monkeypatch, full=False)[0] == said(root, monkeypatch, full=True)[0]


def test_some_are_not_read_in_full(committed, monkeypatch, skill_text):
    """Without this the comparison above would hold for a tool that saves nothing."""
    root = committed({f"skills/{name}/SKILL.md": skill_text(name) for name in NAMES})
    (root / "skills/beta/SKILL.md").write_text(skill_text("beta", body="Read [it](gone.md)."))
    assert said(root, monkeypatch, full=False)[1] == len(NAMES) - 1
    assert said(root, monkeypatch, full=True)[1] == 0


@pytest.mark.parametrize(
    ("text", "meets"),
    [
        ("Read ../beta/SKILL.md.", True),
        ("Read [it](../BETA/x.md)", True),
        ("[it](../b%65ta)", True),
        ("the beta skill's `references/more.md`", True),
        ("the beta skill", False),
        ("a beta version, and references/other.md", False),
        ("../beta-two/SKILL.md", False),
        ("docs/guide.md", True),
        ("guidance", False),
    ],
)
def test_what_leads_to_a_change(text, meets):
    assert neighbours.Reach({"beta": frozenset({"more"})}, ("guide",)).meets(text) is meets


def test_a_changed_text_that_names_a_file_of_a_neighbour(committed, since, skill_text):
    """REF_UNUSED of one skill looks into the texts beside it."""
    caller = "skills/caller/SKILL.md"
    root = committed(
        {
            caller: skill_text("caller", body="Read owner/references/table.md."),
            "skills/owner/SKILL.md": skill_text("owner"),
            "skills/owner/references/table.md": "# Numbers\n",
        }
    )
    assert since(root)[1] == []
    (root / caller).write_text(skill_text("caller", body="Nothing."))
    assert [(one["rule"], one["path"]) for one in since(root)[1]] == [("REF_UNUSED", "skills/owner/SKILL.md")]


@pytest.mark.parametrize(("size", "place"), [(1, True), (1 << 60, False)])
def test_a_base_lies_in_memory_where_there_is_room(monkeypatch, tmp_path, size, place):
    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.setattr(layout, "_MEMORY", str(tmp_path))
    monkeypatch.setattr(layout.os.path, "ismount", lambda path: True)
    assert layout._in_memory(size, 1) == (str(tmp_path) if place else None)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert layout._in_memory(1, 1) is None
