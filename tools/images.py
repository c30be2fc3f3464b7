"""Pictures for the documents, of our own examples: badges as SVG, the report's page in both themes as PNG.

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
        request = Path(name) / "request.json"
        request.write_text(json.dumps({"browser": browser, "jobs": jobs}))
        subprocess.run(
            ["node", str(NPM / "page.mjs"), str(NPM / "node_modules"), str(request)],
            check=True,
            stdout=subprocess.DEVNULL,
        )


if __name__ == "__main__":
    main()
