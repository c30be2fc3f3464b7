"""Pictures for the documents: the badge of our own plugin as SVG, the report's page in both themes and a comment as PNG.

Usage: python tools/images.py [--check]

The examples are scored twice, once with one skill's description cut short, so that the page has an earlier report to compare with. The pixels differ from one
version of Chromium to the next, so ``--check`` compares what the pictures show: the badges themselves, and digests of the page and the comment in shown.sha256.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HERE))

import click  # noqa: E402

from plugin_eval_ci.cli import cli  # noqa: E402

IMAGES = HERE / "docs" / "images"
NPM = HERE / "tests" / "outside" / "npm"
SHOWN = IMAGES / "shown.sha256"
BADGES = {"badge": "plugin"}  # the README shows this repository's own
LIKE_GITHUB = """
body { font: 14px/1.5 "Liberation Sans", sans-serif; color: #1f2328; background: #fff; margin: 20px; max-width: 830px }
table { border-collapse: collapse } th, td { border: 1px solid #d1d9e0; padding: 6px 13px }
code { background: #eff1f3; border-radius: 6px; padding: 2px 5px; font-size: 85% } a { color: #0969da } sub { font-size: 12px }
"""
WORSE = "exemplary/skills/release-notes/SKILL.md"


def plugin_eval(folder: Path, *words: str) -> str:
    command = [sys.executable, "-P", "-m", "plugin_eval_ci", *words]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def as_format(command: str, value: str) -> tuple[str, str]:
    """The option that makes a command print this format."""
    known = {
        name for option in getattr(cli.get_command(click.Context(cli), command), "params", ()) for name in option.opts
    }
    return ("--format" if "--format" in known else "--output", value)


def page(folder: Path) -> Path:
    """The report of the examples, a week after one that was worse."""
    shutil.copytree(HERE / "examples", folder / "plugins")
    skill = folder / "plugins" / WORSE
    text = skill.read_text(encoding="utf-8")
    lines = [
        line if not line.startswith("description:") else "description: Writes release notes."
        for line in text.split("\n")
    ]
    skill.write_text("\n".join(lines), encoding="utf-8")
    name = ("--name", "acme/plugins")
    (folder / "last.json").write_text(
        plugin_eval(folder, "report", "plugins", *name, *as_format("report", "json"), "--date", "2026-11-23")
    )
    skill.write_text(text, encoding="utf-8")
    html = plugin_eval(
        folder,
        "report",
        "plugins",
        *name,
        *as_format("report", "html"),
        "--date",
        "2026-11-30",
        "--previous",
        "last.json",
    )
    (folder / "report.html").write_text(html, encoding="utf-8")
    return folder / "report.html"


def comment(folder: Path) -> Path:
    """The comment on a pull request that makes one skill worse and fixes another, as GitHub's own parser reads its Markdown."""
    import cmarkgfm

    def git(*words: str) -> None:
        day = {
            "GIT_AUTHOR_DATE": "2026-11-30T00:00:00Z",
            "GIT_COMMITTER_DATE": "2026-11-30T00:00:00Z",
        }  # the same commit each time
        author = ("-c", "user.name=t", "-c", "user.email=t@example.org")
        subprocess.run(["git", "-C", str(folder), *author, *words], check=True, env={**os.environ, **day})

    shutil.copytree(HERE / "examples" / "exemplary", folder, dirs_exist_ok=True)
    shutil.copytree(HERE / "examples" / "every-anti-pattern" / "skills", folder / "skills", dirs_exist_ok=True)
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "base")
    for path, old, new in (
        ("skills/release-notes/SKILL.md", "Use when", "For when"),
        ("skills/release-notes/SKILL.md", "references/audiences.md", "references/audience.md"),
        ("skills/payments-api/SKILL.md", "references/errors.md", "references/error-codes.md"),
    ):
        text = (folder / path).read_text(encoding="utf-8")
        (folder / path).write_text(text.replace(old, new), encoding="utf-8")
    (folder / "change.json").write_text(
        plugin_eval(folder, "diff", "HEAD", *as_format("diff", "json")), encoding="utf-8"
    )
    body = cmarkgfm.github_flavored_markdown_to_html(
        plugin_eval(folder, "comment", "change.json"),
        options=cmarkgfm.cmark.Options.CMARK_OPT_UNSAFE,  # its own tags
    )
    (folder / "comment.html").write_text(
        f"<!doctype html><meta charset=utf-8><style>{LIKE_GITHUB}</style>{body}", encoding="utf-8"
    )
    return folder / "comment.html"


def badges() -> dict[str, str]:
    """Name -> SVG."""
    words = ("--depth", "quick", *as_format("score", "badge"), "--date", "2026-11-30")
    return {name: plugin_eval(HERE, "score", folder, *words) for name, folder in BADGES.items()}


def digests(pages: Iterable[Path]) -> str:
    """What the pictures show, as lines of sha256sum."""
    return "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in pages)


def check() -> int:
    """Name each picture that shows something else than the program does now; 1 when there is one."""
    stale = [
        f"{name}.svg" for name, text in badges().items() if (IMAGES / f"{name}.svg").read_text(encoding="utf-8") != text
    ]
    with tempfile.TemporaryDirectory() as name:
        fresh = digests((page(Path(name)), comment(Path(name) / "pull")))
    if fresh != SHOWN.read_text(encoding="utf-8"):
        old = set(SHOWN.read_text(encoding="utf-8").splitlines())
        stale += [line.split()[1] for line in fresh.splitlines() if line not in old]
    for file in stale:
        print(f"docs/images: the picture of {file} shows something older; run `make images`")
    return 1 if stale else 0


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    for name, text in badges().items():
        (IMAGES / f"{name}.svg").write_text(text, encoding="utf-8")
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None or shutil.which("npm") is None:
        sys.exit("the badges are made; for the page's pictures, Chromium and npm are needed")
    if not (NPM / "node_modules" / "playwright-core").exists():
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=NPM, check=True)
    with tempfile.TemporaryDirectory() as name:
        report, pull = page(Path(name)), comment(Path(name) / "pull")
        look = {"name": "picture", "page": str(report), "width": 1120, "height": 1380, "unfold": 1}
        jobs = [
            {**look, "colorScheme": theme, "path": str(IMAGES / f"report-{theme}.png")} for theme in ("light", "dark")
        ]
        talk = {
            **look,
            "page": str(pull),
            "width": 900,
            "height": 540,
            "unfold": 0,
        }
        jobs.append({**talk, "colorScheme": "light", "path": str(IMAGES / "comment.png")})
        request = Path(name) / "request.json"
        request.write_text(json.dumps({"browser": browser, "jobs": jobs}))
        subprocess.run(
            ["node", str(NPM / "page.mjs"), str(NPM / "node_modules"), str(request)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        SHOWN.write_text(digests((report, pull)), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(check() if "--check" in sys.argv[1:] else main())
