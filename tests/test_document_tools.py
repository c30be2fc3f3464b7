"""The tools that check documents: they find what they are for, and leave the rest alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[1] / "tools"
sys.path.insert(0, str(TOOLS))

import images  # noqa: E402
import screens  # noqa: E402
import words_check  # noqa: E402


@pytest.mark.parametrize(
    "text",
    [
        "it is no JSON",
        "how to mend it",
        "4 our fault",
        "Nothing was looked at.",
        "the file beside it",
        "they exclude each other",
    ],
)
def test_phrases_are_found(text: str) -> None:
    (fault,) = words_check.stumbles("page.md", 7, f"first\n{text}")
    assert fault.startswith("page.md:8: ")


@pytest.mark.parametrize(
    "text", ["there is no such file", "it is no longer there", "besides", "an amendment", "fix it"]
)
def test_other_words_are_fine(text: str) -> None:
    assert list(words_check.stumbles("page.md", 1, text)) == []


def test_code_and_generated_parts_are_not_prose() -> None:
    text = "a\n```\nmend\n```\n`mend` b\n<!-- generated: x -->\nmend\n<!-- end of generated: x -->\nc mend\n"
    assert list(words_check.stumbles("p", 1, words_check.prose(text))) == list(words_check.stumbles("p", 9, "mend"))


def test_misspelt_words_have_their_place() -> None:
    assert list(words_check.misspelt([("a.md", "fine"), ("b.md", "one\nrecieve it")])) == [
        "b.md:2: recieve ==> receive"
    ]


def test_strings_have_their_lines(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text('X = 1\nY = "it is no JSON"\nZ = "short"\n')
    assert list(words_check.strings(tmp_path / "m.py")) == [(2, "it is no JSON")]


def page(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str, *options: str) -> tuple[int, str]:
    """Exit code, and the README of a small project afterwards."""
    (folder / "example").mkdir(exist_ok=True)
    (folder / "example" / "a.txt").write_text("one\n")
    (folder / "README.md").write_text(text)
    monkeypatch.setattr(screens, "ROOT", folder)
    monkeypatch.setattr(sys, "argv", ["screens.py", *options])
    return screens.main(), (folder / "README.md").read_text()


STALE = "# A\n\n<!-- screen: example -->\n```console\n$ cat a.txt\nold\n$ echo two >> a.txt\n$ cat a.txt\n```\nend\n"
FRESH = STALE.replace("cat a.txt\nold", "cat a.txt\none").replace("$ cat a.txt\n```", "$ cat a.txt\none\ntwo\n```")


@pytest.mark.skipif(sys.platform == "win32", reason="the documents show a POSIX shell")
def test_screens_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert page(tmp_path, monkeypatch, STALE) == (0, FRESH)
    assert (tmp_path / "example" / "a.txt").read_text() == "one\n"  # the copy was changed


@pytest.mark.skipif(sys.platform == "win32", reason="the documents show a POSIX shell")
def test_a_stale_screen_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert page(tmp_path, monkeypatch, STALE, "--check") == (1, STALE)
    assert "README.md" in capsys.readouterr().out
    assert page(tmp_path, monkeypatch, FRESH, "--check") == (0, FRESH)


def test_only_some_paragraphs() -> None:
    assert screens.part("first\n\nsecond\n\nthird 1\n2\n\nfourth", "third, fourth") == "first\n\nthird 1\n2\n\nfourth"


def test_unknown_commands_and_options_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.md").write_text(
        "`plugin-eval lint --nothing`\n```\n$ plugin-eval lnt x\n$ plugin-eval lint --fix a\n$ plugin-eval triggers init --force p\n```\n"
    )
    monkeypatch.setattr(screens, "ROOT", tmp_path)
    assert list(screens.unknown(tmp_path / "x.md")) == [
        "x.md: lint has no option --nothing",
        "x.md: there is no command 'lnt'",
    ]


def test_an_old_picture_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = tmp_path / "shown.sha256"
    for name in ("report.html", "comment.html"):
        (tmp_path / name).write_text(name)
    monkeypatch.setattr(images, "IMAGES", tmp_path)
    monkeypatch.setattr(images, "SHOWN", shown)
    monkeypatch.setattr(images, "badges", lambda: {"badge": "<svg/>"})
    monkeypatch.setattr(images, "page", lambda _: tmp_path / "report.html")
    monkeypatch.setattr(images, "comment", lambda _: tmp_path / "comment.html")
    (tmp_path / "badge.svg").write_text("<svg/>")
    shown.write_text(images.digests((tmp_path / "report.html", tmp_path / "comment.html")))
    assert images.check() == 0
    (tmp_path / "comment.html").write_text("new")
    (tmp_path / "badge.svg").write_text("old")
    assert images.check() == 1
    told = capsys.readouterr().out
    assert "badge.svg" in told and "comment.html" in told and "report.html" not in told
