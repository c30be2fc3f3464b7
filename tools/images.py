"""Pictures for the documents, of our own examples: badges as SVG, the report's page in both themes and a comment as PNG.

The examples are scored twice, once with one skill's description cut short, so that the page has an earlier report to compare with.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
IMAGES = HERE / "docs" / "images"
NPM = HERE / "tests" / "outside" / "npm"
BADGES = {"badge": "exemplary", "badge-no-badge": "every-anti-pattern"}
LIKE_GITHUB = """
body { font: 14px/1.5 "Liberation Sans", sans-serif; color: #1f2328; background: #fff; margin: 20px; max-width: 830px }
table { border-collapse: collapse } th, td { border: 1px solid #d1d9e0; padding: 6px 13px }
code { background: #eff1f3; border-radius: 6px; padding: 2px 5px; font-size: 85% } a { color: #0969da } sub { font-size: 12px }
"""
WORSE = "exemplary/skills/release-notes/SKILL.md"


def plugin_eval(folder: Path, *words: str) -> str:
    command = [sys.executable, "-P", "-m", "plugin_eval_ci", *words]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


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
        plugin_eval(folder, "report", "plugins", *name, "--output", "json", "--date", "2026-11-23")
    )
    skill.write_text(text, encoding="utf-8")
    html = plugin_eval(
        folder, "report", "plugins", *name, "--output", "html", "--date", "2026-11-30", "--previous", "last.json"
    )
    (folder / "report.html").write_text(html, encoding="utf-8")
    return folder / "report.html"


def comment(folder: Path) -> Path:
    """The comment on a pull request that makes one skill worse and mends another, as GitHub's own parser reads its Markdown."""
    import cmarkgfm

    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-C", str(folder), "-c", "user.name=t", "-c", "user.email=t@example.org", *words], check=True
        )

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
    (folder / "change.json").write_text(plugin_eval(folder, "diff", "HEAD", "--output", "json"), encoding="utf-8")
    body = cmarkgfm.github_flavored_markdown_to_html(
        plugin_eval(folder, "comment", "change.json"),
        options=cmarkgfm.cmark.Options.CMARK_OPT_UNSAFE,  # its own tags
    )
    (folder / "comment.html").write_text(
        f"<!doctype html><meta charset=utf-8><style>{LIKE_GITHUB}</style>{body}", encoding="utf-8"
    )
    return folder / "comment.html"


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    for name, example in BADGES.items():
        words = ("score", f"examples/{example}", "--depth", "quick", "--output", "badge", "--date", "2026-11-30")
        (IMAGES / f"{name}.svg").write_text(plugin_eval(HERE, *words), encoding="utf-8")
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None or shutil.which("npm") is None:
        sys.exit("the badges are made; for the page's pictures, Chromium and npm are needed")
    if not (NPM / "node_modules" / "playwright-core").exists():
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=NPM, check=True)
    with tempfile.TemporaryDirectory() as name:
        look = {"name": "picture", "page": str(page(Path(name))), "width": 1120, "height": 1380, "unfold": 1}
        jobs = [
            {**look, "colorScheme": theme, "path": str(IMAGES / f"report-{theme}.png")} for theme in ("light", "dark")
        ]
        talk = {
            **look,
            "page": str(comment(Path(name) / "pull")),
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


if __name__ == "__main__":
    main()
