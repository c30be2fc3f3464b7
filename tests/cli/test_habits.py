"""One habit for every command: formats, files, quiet, nearest names, and checks before any work."""

from pathlib import Path

import click
import pytest

from plugin_eval_ci import cli
from plugin_eval_ci.cli.options import option_groups

SKILL = "---\nname: a\ndescription: Use when someone asks for a report of the till.\n---\n\n# A\n\nCount.\n"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "skills/a").mkdir(parents=True)
    (tmp_path / "skills/a/SKILL.md").write_text(SKILL)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", ["report", "score skills/a --depth quick", "lint", "rules"])
@pytest.mark.parametrize("word", ["pdf", "jsn", "JSON"])
def test_a_mistyped_format_writes_no_file(
    shop: Path, capsys: pytest.CaptureFixture[str], command: str, word: str
) -> None:
    assert cli.run([*command.split(), "--output", word]) == 2
    err = capsys.readouterr().err
    assert f"--output: '{word}' is not valid" in err and "text, " in err
    assert not (shop / word).exists()
    assert ("did you mean json?" in err) == (word != "pdf")


@pytest.mark.parametrize("name", ["out.md", "./pdf", "old"])
def test_a_file_is_a_file(shop: Path, name: str) -> None:
    (shop / "old").write_text("")
    assert cli.run(["rules", "--output", name]) == 0
    assert "FM_MISSING" in (shop / name).read_text()


def test_the_nearest_choice(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["lint", "--fail-on", "eror"]) == 2
    assert "'eror' is not valid; did you mean error?" in capsys.readouterr().err


@pytest.mark.parametrize("words", ["lint", "score skills/a", "report --depth standard"])
def test_quiet(shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    code = cli.run(words.split())
    capsys.readouterr()
    assert cli.run([*words.split(), "-q"]) == code
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ("report --output-dir skills/a/SKILL.md", 2, "--output-dir skills/a/SKILL.md"),
        ("report --previous gone.json", 2, "--previous gone.json"),
        ("report --fail-on-regression 3", 2, "--fail-on-regression needs --previous"),
        ("lint --base no-such-revision", 2, "--base no-such-revision"),
        ("lint --baseline gone.json", 2, "--baseline gone.json"),
        ("init skills --corpus-dir skills/a/SKILL.md", 2, "--corpus-dir"),
    ],
)
def test_what_cannot_be_done_is_refused(
    shop: Path, capsys: pytest.CaptureFixture[str], words: str, code: int, message: str
) -> None:
    found = cli.run(words.split())
    err = capsys.readouterr().err
    assert found == code and message in err


def test_a_plugin_is_not_certified(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (shop / "skills/b").mkdir()
    (shop / "skills/b/SKILL.md").write_text(SKILL.replace("name: a", "name: b"))
    assert cli.run(["certify", ".", "-q"]) == 3
    assert "only the static layer ran" in capsys.readouterr().err


def test_a_shard_is_json(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["report", "--shard", "1/2"]) == 0
    assert capsys.readouterr().out.startswith("{")


def test_every_option_of_a_help_stands_in_one_group() -> None:
    for name in cli.cli.list_commands(top := click.Context(cli.cli)):
        command = cli.cli.get_command(top, name)
        assert command is not None
        listed = [option.name for _, options in option_groups(command.params) for option in options]
        shown = [one.name for one in command.params if isinstance(one, click.Option) and not one.hidden]
        assert sorted(map(str, listed)) == sorted(map(str, shown))
