"""Which file holds where: the nearest one, up to the repository's root and never beyond; options above all of them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from plugin_eval_ci import cli
from plugin_eval_ci.commands.load_config import read_config
from plugin_eval_ci.errors import UsageError

Repo = Callable[..., Path]
BAD = "# no frontmatter\n"
A, B, C = "skills/a/SKILL.md", "packages/b/skills/b/SKILL.md", "packages/c/skills/c/SKILL.md"
OFF = "ignore: [FM_MISSING]\n"


@pytest.fixture
def found(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """``found(root, …)``: the paths with FM_MISSING that lint reports from ``root``."""

    def run(root: Path, *words: str) -> list[str]:
        monkeypatch.chdir(root)
        capsys.readouterr()
        assert cli.run(["lint", "--format", "json", "--select", "FM_MISSING", *words]) in (0, 1)
        return [finding["path"] for finding in json.loads(capsys.readouterr().out)["findings"]]

    return run


@pytest.mark.parametrize(
    ("files", "left"),
    [
        ({}, [B, C, A]),
        ({".plugin-eval.yaml": "per-path: {'**': {ignore: FM_MISSING}}"}, []),
        ({".plugin-eval.yaml": "per-path: {'packages/*/skills/*': {ignore: FM_MISSING}}"}, [A]),
        ({".plugin-eval.yaml": "per-path: {SKILL.md: {severity: {FM_MISSING: off}}}"}, []),
        ({"packages/.plugin-eval.yaml": "severity: {FM_MISSING: off}"}, [A]),
        ({"packages/b/.plugin-eval.yaml": "severity: {FM_MISSING: off}"}, [C, A]),
        # the nearer file takes the farther one's place
        ({".plugin-eval.yaml": "severity: {FM_MISSING: off}", "packages/.plugin-eval.yaml": ""}, [B, C]),
        ({".plugin-eval.yaml": "severity: {FM_MISSING: off}", "packages/b/pyproject.toml": "[tool.plugin-eval]"}, [B]),
        (
            {
                ".plugin-eval.yaml": "severity: {FM_MISSING: off}",
                "packages/b/pyproject.toml": "[project.scripts]\nplugin-eval = 'x'",
            },
            [],
        ),
        ({"pyproject.toml": "[tool.plugin-eval.severity]\nFM_MISSING = 'off'"}, []),
        ({"skills/a/.plugin-eval.yaml": "severity: {FM_MISSING: off}"}, [B, C]),
        # excludes count from their file, and what a file above leaves out stays out
        ({"packages/b/.plugin-eval.yaml": "exclude: [skills/b]"}, [C, A]),
        ({"packages/b/.plugin-eval.yaml": "exclude: [packages/b/skills]"}, [B, C, A]),
        ({".plugin-eval.yaml": "exclude: [packages/b]", "packages/b/.plugin-eval.yaml": ""}, [C, A]),
        ({".plugin-eval.yaml": "exclude: [skills/b]", "packages/b/.plugin-eval.yaml": ""}, [B, C, A]),
        ({".plugin-eval.yaml": "exclude: [b]", "packages/b/.plugin-eval.yaml": ""}, [C, A]),
        ({"packages/b/.plugin-eval.yaml": "per-path: {'skills/**': {ignore: FM_MISSING}}"}, [C, A]),
        # a folder of that name is no project file
        ({"pyproject.toml/x": ""}, [B, C, A]),
    ],
)
def test_the_nearest_file_holds(
    repo: Repo, found: Callable[..., list[str]], files: dict[str, str], left: list[str]
) -> None:
    root = repo({A: BAD, B: BAD, C: BAD, **files})
    assert found(root) == left
    assert found(root, A, B, C) == left  # the same for files that a hook names
    assert found(root, C, B, A) == left
    assert found(root, "--isolated") == [B, C, A]
    if any(path.startswith("packages/b") for path in left):
        assert found(root / "packages/b", ".") == [B]


def test_select_and_ignore_of_a_folder(repo: Repo, found: Callable[..., list[str]]) -> None:
    root = repo(
        {
            A: BAD,
            B: BAD,
            "packages/.plugin-eval.yaml": "ignore: [FM_MISSING]",
            "skills/.plugin-eval.yaml": "select: [DESC_MISSING]",
        }
    )
    assert found(root) == [B, A]  # an option is above the file
    assert found(root, "--ignore", "FM_MISSING") == []


def test_what_lies_above_the_repository_is_not_read(
    repo: Repo, found: Callable[..., list[str]], tmp_path: Path
) -> None:
    (tmp_path / ".plugin-eval.yaml").write_text("no such key: 1")
    (tmp_path / "repo2").mkdir()
    root = repo({A: BAD})
    assert found(root) == [A]
    other = repo({A: BAD, ".plugin-eval.yaml": "severity: {FM_MISSING: off}"}, name="other")
    assert found(root, str(root), str(other)) == ["repo/" + A]  # two repositories, each with its own


@pytest.mark.parametrize("name", [".plugin-eval.yaml", "pyproject.toml"])
def test_a_link_out_of_the_repository_is_not_read(
    repo: Repo, found: Callable[..., list[str]], tmp_path: Path, name: str
) -> None:
    root = repo(
        {
            A: BAD,
            "inside.txt": "severity: {FM_MISSING: off}"
            if name != "pyproject.toml"
            else "[tool.plugin-eval]\nseverity.FM_MISSING = 'off'",
        }
    )
    (root / name).symlink_to("inside.txt")
    assert found(root) == []
    (tmp_path / "secret").write_text("[tool.plugin-eval]\nword-of-a-stranger = 1\n")
    (root / name).unlink()
    (root / name).symlink_to(tmp_path / "secret")
    if name == "pyproject.toml":
        assert found(root) == [A]
        return
    with pytest.raises(UsageError, match="leads out of the repository") as raised:
        read_config((str(root),), None, False, ()).at("")
    assert "stranger" not in str(raised.value)


@pytest.mark.parametrize("kind", ["fifo", "folder", "loop"])
def test_what_is_no_regular_file_is_said_and_not_opened(
    repo: Repo, kind: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repo({A: BAD})
    place = root / ".plugin-eval.yaml"
    if kind == "fifo":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    else:
        place.symlink_to("loop")
        (root / "loop").symlink_to(".plugin-eval.yaml")
    monkeypatch.chdir(root)
    assert cli.run(["lint"]) == 2
    assert ".plugin-eval.yaml" in capsys.readouterr().err


def test_two_in_one_folder_and_a_name_nobody_reads(repo: Repo) -> None:
    root = repo(
        {
            "x/.plugin-eval.yaml": "",
            "x/pyproject.toml": "[tool.plugin-eval]\n",
            "y/.plugin-eval.yml": "",
            "z/.plugin-eval.yaml": "",
            "z/.plugin-eval.yml": "",
        }
    )
    config = read_config((str(root),), None, False, ())
    with pytest.raises(UsageError) as raised:
        config.at("x/skills/a")
    assert f"{root}/x/.plugin-eval.yaml" in str(raised.value) and f"{root}/x/pyproject.toml" in str(raised.value)
    with pytest.raises(UsageError, match=r"rename it to \.plugin-eval\.yaml"):
        config.at("y")
    assert config.at("z").file == "z/.plugin-eval.yaml"
    assert config.at("").file is None


def test_toml_is_parsed_only_where_our_table_can_be(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    import tomllib

    text = "[project]\ndependencies = ['plugin-eval-ci==1', 'plugin-eval']\n[project.scripts]\nplugin-eval = 'a:b'\n[tool.x]\n"
    root = repo({"pyproject.toml": text})
    monkeypatch.setattr(tomllib, "loads", lambda _: pytest.fail("parsed"))
    assert read_config((str(root),), None, False, ()).at("").file is None


def test_a_named_file(repo: Repo, found: Callable[..., list[str]], tmp_path: Path) -> None:
    root = repo(
        {
            A: BAD,
            B: BAD,
            "ci/x.yaml": "exclude: [skills/a]",
            "packages/x.yaml": "exclude: [b]",
            "packages/.plugin-eval.yaml": "no: 1",
            "ci/y.toml": "[tool.plugin-eval]\nexclude = ['packages']",
        }
    )
    assert found(root, "--config", "ci/x.yaml") == [B]  # from the root, since the paths are not in its folder
    assert found(root, "--config", "ci/y.toml") == [A]
    assert found(root, "--config", "packages/x.yaml", B) == []
    (tmp_path / "shared.yaml").write_text("exclude: [skills/a]")
    assert found(root, "--config", str(tmp_path / "shared.yaml")) == [B]
    (root / "ci/z.toml").write_text("[tool.x]\n")
    with pytest.raises(UsageError, match=r"no \[tool.plugin-eval\] table"):
        read_config((str(root),), str(root / "ci/z.toml"), False, ())


@pytest.mark.parametrize(
    ("config", "words", "code"),
    [
        ("", [], 1),
        ("fail-on: never", [], 0),
        ("fail-on: never", ["--fail-on", "error"], 1),
        ("severity: {FM_MISSING: warning}\nfail-on: error", [], 0),
        ("severity: {FM_MISSING: warning}\nfail-on: error", ["--fail-on", "warning"], 1),
        ("severity: {FM_MISSING: notice}", [], 0),
        ("severity: {FM_MISSING: off}\nfail-on: notice", [], 0),
        ("per-path: {skills: {severity: {FM_MISSING: notice}}}", [], 0),
        (
            "per-path: {skills: {severity: {FM_MISSING: notice}}, '*.md': {severity: {FM_MISSING: error}}}",
            [],
            1,
        ),  # the last one that fits
    ],
)
def test_severities_and_the_fail_level(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, config: str, words: list[str], code: int
) -> None:
    monkeypatch.chdir(repo({A: BAD, ".plugin-eval.yaml": config}))
    assert cli.run(["lint", "--select", "FM_MISSING", *words]) == code


def test_each_finding_is_measured_by_its_own_file(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repo({B: BAD, "packages/b/.plugin-eval.yaml": "fail-on: never"}))
    assert cli.run(["lint", "--select", "FM_MISSING"]) == 0


def test_show_config(repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    import yaml

    text = "exclude: [old]\n\nignore: [DESC_MISSING]\nper-path: {x: {ignore: FM_MISSING, severity: {DESC_TYPE: off}}}\n"
    text += "severity: {DEAD_CROSS_REF: off}\nbaseline: ../accepted.json\n"
    root = repo({A: BAD, B: BAD, "packages/.plugin-eval.yaml": text})
    monkeypatch.chdir(root)
    words = ["--select", "FM_MISSING", "--ignore", "DESC_TYPE", "--exclude", "y", "--fail-on", "error"]
    assert cli.run(["lint", "--show-config", *words, "packages/b", A]) == 0
    out = capsys.readouterr().out
    assert str(root) not in out
    first, _, second = out.partition(f"# configuration of {A}: no configuration file\n")
    assert yaml.safe_load(first) == {
        "exclude": ["old"], "default-excludes": True, "select": ["FM_MISSING"], "ignore": ["DESC_MISSING", "DESC_TYPE"],
        "severity": {"DEAD_CROSS_REF": "off"}, "per-path": {"x": {"ignore": ["FM_MISSING"], "severity": {"DESC_TYPE": "off"}}},
        "fail-on": "error", "baseline": "../accepted.json",
    }  # fmt: skip
    for line in (
        "# configuration of packages/b: packages/.plugin-eval.yaml",
        'exclude: ["old"]  # packages/.plugin-eval.yaml:1',
        "default-excludes: true  # default",
        'select: ["FM_MISSING"]  # --select',
        'ignore: ["DESC_MISSING", "DESC_TYPE"]  # packages/.plugin-eval.yaml:3 and --ignore',
        "fail-on: error  # --fail-on",
        'baseline: "../accepted.json"  # packages/.plugin-eval.yaml:6',
        '# also excluded, from the root of the repository: ["y"]  # --exclude',
    ):
        assert line in first.splitlines()
    assert "exclude: []  # default" in second.splitlines()


def test_the_shown_configuration_is_one(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repo({A: BAD})
    monkeypatch.chdir(root)
    cli.run(["lint", "--show-config"])
    shown = capsys.readouterr().out
    (root / ".plugin-eval.yaml").write_text(shown)
    assert cli.run(["lint", "--show-config"]) == 0


def test_a_score_counts_what_is_ignored(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "---\nname: a\ndescription: Builds the weekly stock report from the export of the shop.\n---\n\nSee [x](references/x.md).\n"
    root = repo({A: text})
    monkeypatch.chdir(root)

    def score() -> float:
        capsys.readouterr()
        assert cli.run(["score", "skills/a", "--depth", "quick", "--output", "json"]) == 0
        return float(json.loads(capsys.readouterr().out)["composite"]["score"])

    before = score()
    (root / ".plugin-eval.yaml").write_text("ignore: [MISSING_TRIGGER]\nseverity: {ORPHAN_REFERENCE: off}\n")
    assert score() == before
    (root / ".plugin-eval.yaml").write_text("select: [FM_MISSING]\n")
    assert score() == before
