"""Every way in which a skill names a file of its own, and the paths that are files of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from plugin_eval_ci.analysis import resolve
from plugin_eval_ci.config import Config
from plugin_eval_ci.lint.evaluate import evaluate
from plugin_eval_ci.model import Finding

Repo = Callable[[Mapping[str, str]], Path]
S = "---\nname: n\ndescription: Use when x.\n---\n"
FILES = {
    "skills/label-print/SKILL.md": S + "paper.md\n",
    "skills/label-print/references/paper.md": "# P\n",
    "skills/stock/references/fields.md": "# F\n",
    "skills/stock/references/units.md": "# U\n",
    "skills/stock/references/rates.md": "# R\n",
    "skills/stock/scripts/run.py": "x",
    "skills/stock/workflows/weekly.md": "# W\n",
}
HELD = "references/ has fields.md, units.md and rates.md, workflows/ has weekly.md, scripts/ has run.py.\n\n"
RULES = ("REF_DEAD", "DEAD_CROSS_REF", "ORPHAN_REFERENCE", "REF_BACKSLASH", "REF_ESCAPE", "REF_UNUSED", "REF_ANCHOR")


def findings(repo: Repo, body: str, files: Mapping[str, str] = FILES) -> list[Finding]:
    resolve.forget()
    text = f"---\nname: stock\ndescription: Use when stock is low.\n---\n{body}\n"
    root = repo({**files, "skills/stock/SKILL.md": text})
    return [hit for hit in evaluate((str(root),), Config()).checked.findings if hit.rule in RULES]


SPEAKS = {
    "- **references/limits.md**: what may be ordered": "references/limits.md",
    "- `scripts/convert.py`: converts the export": "scripts/convert.py",
    "| Task | File |\n|---|---|\n| limits | `references/limits.md` |": "references/limits.md",
    "| Task | File |\n|---|---|\n| limits | references/limits.md |": "references/limits.md",
    'Read "references/limits.md" first.': "references/limits.md",
    "@references/limits.md": "references/limits.md",
    "Details: references/limits.md": "references/limits.md",
    "Limits (details: `references/limits.md`).": "references/limits.md",
    "See `references/limits.md#small-orders` before you order.": "references/limits.md",
    "Follow `workflows/monthly.md`.": "workflows/monthly.md",
    "- `workflows/monthly.md` — once a month": "workflows/monthly.md",
    "Run `{baseDir}/scripts/convert.py`.": "scripts/convert.py",
    "```bash\npython {baseDir}/scripts/convert.py --all\n```": "scripts/convert.py",
    "```bash\nuv run --with pyyaml python scripts/convert.py\n```": "scripts/convert.py",
    "```bash\nscripts/convert.sh --all\n```": "scripts/convert.sh",
    "```bash\ncd ${CLAUDE_SKILL_DIR}\npython scripts/convert.py\n```": "scripts/convert.py",
    "## References\n\n- `fields.md` — fields\n- `units.md` — units\n- `limits.md` — limits": "limits.md",
    "```text\nstock/\n├── SKILL.md\n├── references/\n│   ├── fields.md\n│   ├── units.md\n│   └── limits.md\n"
    "└── scripts/\n    └── run.py\n```": "references/limits.md",
    "`scripts/convert.py` is shown below:\n\nRun `scripts/convert.py` now.": "scripts/convert.py",
    "1. Read `references/limits.md`, then use the `label-print` skill.": "references/limits.md",
}


@pytest.mark.parametrize("body", SPEAKS)
def test_a_file_that_is_not_there(repo: Repo, body: str) -> None:
    hits = findings(repo, HELD + body)
    assert [(hit.rule, hit.target, hit.severity.word) for hit in hits] == [("REF_DEAD", SPEAKS[body], "warning")]


SILENT = [
    "```bash\ngit clone https://example.org/rye/rye\ncd rye\n```\n\nThen:\n\n```bash\nbash scripts/setup.sh\n```",
    "```bash\ncd rye-project && python scripts/setup.py\n```",
    '```bash\nssh big "cd ~/rye && ./scripts/setup.sh"\n```',
    "On the other host: `ssh big 'python scripts/setup.py'`.",
    "```bash\ndocker exec rye python scripts/setup.py\n```",
    '```bash\n# scripts/verbose.sh\nset -x\ncurl -v "$URL"\n```\n\nThen run `scripts/verbose.sh`.',
    '`scripts/verbose.sh`:\n\n```bash\nset -x\ncurl -v "$URL"\n```\n\n```bash\nbash scripts/verbose.sh\n```',
    '### scripts/verbose.sh\n\n```bash\nset -x\ncurl -v "$URL"\n```\n\nRun `scripts/verbose.sh`.',
    "Read the list in the `label-print` skill\n(`references/paper.md`).",
    "It is documented in the `far-away` skill (`references/far.md`): read it.",
    "Run `python scripts/perf.py` from the root of the rye checkout.",
    "Run `scripts/perf.py` in the repository root.",
    "```bash\nuv run --project scripts/perf perf\n```",
    "When building a hooks skill, the analysis shows:\n\n1. People test again and again\n2. `references/patterns.md`: patterns",
    "Use `scripts/`, `pipelines/`, etc., never an absolute path.",
    "Write links as [the page](internal-link) or [title](url).",
    "## Files to create\n\n- `references/out.md`: the result\n- `scripts/new.py`: the script",
    "## Output\n\n| File | What |\n|---|---|\n| `references/out.md` | the result |",
    "Read `references/phaseN.md` for phase N.",
    "`python scripts/script_name.py --help` explains each.",
    "```text\nyour-app/\n├── package.json\n├── references/\n│   └── limits.md\n└── src/\n    └── index.ts\n```",
    "- `package.json` — the packages\n- `README.md` — for people\n- `config.yaml` — settings",
    "In `references/`:\n\n1. `fields.md`\n2. `units.md`\n3. `rates.md`",
]


@pytest.mark.parametrize("body", SILENT)
def test_a_file_of_somebody_else(repo: Repo, body: str) -> None:
    assert findings(repo, HELD + body) == []


def test_a_project_has_scripts_of_its_own(repo: Repo) -> None:
    files = {name: text for name, text in FILES.items() if "/scripts/" not in name}
    body = (
        "fields.md units.md rates.md weekly.md\n\n```bash\n./scripts/restore.sh --all\npython scripts/train/run.py\n```"
    )
    assert findings(repo, body, files) == []


def test_steps_by_bare_names(repo: Repo) -> None:
    body = "weekly.md and run.py\n\n## Steps\n\n1. `fields.md` - the fields\n2. `units.md` - the units\n3. `rates.md` - the rates"
    (hit,) = findings(repo, body)
    assert (hit.rule, hit.target, hit.line, hit.severity.word) == ("REF_DEAD", "fields.md", 9, "notice")
    assert "'references/fields.md'" in hit.fix


@pytest.mark.parametrize("body", ["Read `references\\limits.md` first.", "Read references\\limits.md first."])
def test_backslashes(repo: Repo, body: str) -> None:
    hits = findings(repo, HELD + body)
    assert {hit.rule for hit in hits} == {"REF_BACKSLASH", "REF_DEAD"}


def test_backslashes_of_a_file_that_is_there(repo: Repo) -> None:
    (hit,) = findings(repo, HELD + "Read `references\\fields.md` first.")
    assert (hit.rule, hit.fix) == ("REF_BACKSLASH", "Write 'references/fields.md'.")


def test_links_are_errors_and_words_are_warnings(repo: Repo) -> None:
    body = "[a](references/gone.md) [b](assets/gone.md) [c](../gone-skill/SKILL.md)\n\nSee `skills/gone-two/SKILL.md` and `assets/gone2.md`."
    found = {hit.target: (hit.rule, hit.severity.word) for hit in findings(repo, HELD + body)}
    assert found == {
        "references/gone.md": ("ORPHAN_REFERENCE", "error"),
        "assets/gone.md": ("REF_DEAD", "error"),
        "../gone-skill/SKILL.md": ("DEAD_CROSS_REF", "error"),
        "skills/gone-two/SKILL.md": ("DEAD_CROSS_REF", "warning"),
        "assets/gone2.md": ("REF_DEAD", "warning"),
    }


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("../label-printer/SKILL.md", "../label-print/SKILL.md"),
        ("../../label-print/SKILL.md", "../label-print/SKILL.md"),
        ("../label-prin/SKILL.md", "../label-print/SKILL.md"),
    ],
)
def test_the_skill_that_a_dead_link_means(repo: Repo, written: str, meant: str) -> None:
    (hit,) = findings(repo, f"{HELD}[labels]({written})")
    assert (hit.rule, hit.fix) == ("DEAD_CROSS_REF", f"Did you mean '{meant}'?")


def test_a_hyphen_behind_a_path_is_punctuation(repo: Repo) -> None:
    assert findings(repo, HELD + "Continue with skills/label-print- it prints.") == []
    (hit,) = findings(repo, HELD + "Continue with skills/label-peel- it peels.")
    assert hit.target == "skills/label-peel"


def test_only_the_root_has_it(repo: Repo) -> None:
    files = {**FILES, "scripts/all.py": "x"}
    (hit,) = findings(repo, HELD + "```bash\npython scripts/all.py\n```", files)
    assert (hit.rule, hit.severity.word, hit.target) == ("REF_ESCAPE", "notice", "scripts/all.py")


UNUSED = {
    "Pick a typeface from `assets/fonts` and embed it.": [],
    "Pick a typeface from assets/fonts and embed it.": [],
    "All files are in `assets`.": [],
    "Pick one from `assets/fonts-old`.": ["assets/fonts/sans.ttf"],
    "Use the redeploy.shell workflow.": ["assets/fonts/sans.ttf", "scripts/deploy.sh"],
    "Read [sans.ttf](assets/fonts/sans.ttf) and run deploy.": [],
}


@pytest.mark.parametrize("body", UNUSED)
def test_what_counts_as_a_mention(repo: Repo, body: str) -> None:
    files = {"skills/stock/assets/fonts/sans.ttf": "x"}
    if "deploy" in body:
        files["skills/stock/scripts/deploy.sh"] = "echo"
    assert [hit.target for hit in findings(repo, body, files) if hit.rule == "REF_UNUSED"] == UNUSED[body]


def test_files_beside_skill_md(repo: Repo) -> None:
    files = {f"skills/stock/{name}": "x" for name in ("limits.md", "units.md", "README.md", "CHANGELOG.md", "x.json")}
    hits = findings(repo, "Read units.md first.", files)
    assert [(hit.rule, hit.target) for hit in hits] == [("REF_UNUSED", "limits.md")]


def test_anchors_keep_the_marks_of_emoji(repo: Repo) -> None:
    body = "[a](#\ufe0f-development) [b](#-development)\n\n## 🛠\ufe0f Development\n\n[c](#-develop)"
    assert [(hit.rule, hit.target) for hit in findings(repo, HELD + body)] == [("REF_ANCHOR", "#-develop")]
