"""The keys of a configuration file that say what is looked at, and an error with file and line for whatever it cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from plugin_eval_ci.config import Config, PathRules
from plugin_eval_ci.config.read import load as read
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.model import Severity

OFF, NOTICE, ERROR = None, Severity.NOTICE, Severity.ERROR
RULES = frozenset({"FM_MISSING", "FM_NOT_FIRST", "DEAD_CROSS_REF"})


def load(folder: Path, text: str | bytes, name: str = ".plugin-eval.yaml") -> Config:
    """What a file says, without where it says it."""
    file = folder / name
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    found = read(str(file), RULES)
    assert found is not None and found.file == name
    return found._replace(file=None, origins=())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Config()),
        ("# nothing yet\n", Config()),
        ("---\n", Config()),
        ("{}", Config()),
        ("exclude: [a, b/**]", Config(exclude=("a", "b/**"))),
        ("exclude:\n  - a\n  - 'b c'\n", Config(exclude=("a", "b c"))),
        ("exclude: a", Config(exclude=("a",))),
        ("exclude: []", Config()),
        ("default-excludes: false", Config(default_excludes=False)),
        ("default-excludes: no", Config(default_excludes=False)),
        ("default-excludes: true", Config()),
        ("select: [FM_MISSING]", Config(select=frozenset({"FM_MISSING"}))),
        ("ignore: FM_MISSING", Config(ignore=frozenset({"FM_MISSING"}))),
        ("ignore: [fm_missing, ' Dead_Cross_Ref ']", Config(ignore=frozenset({"FM_MISSING", "DEAD_CROSS_REF"}))),
        ('{"exclude": ["a"], "ignore": ["FM_MISSING"]}', Config(exclude=("a",), ignore=frozenset({"FM_MISSING"}))),
        (b"\xef\xbb\xbfexclude: a\r\n", Config(exclude=("a",))),
        ("exclude: &x [a]\nignore: []", Config(exclude=("a",))),
        ("severity: {fm_missing: off}", Config(severity=(("FM_MISSING", OFF),))),
        (
            "severity:\n  FM_MISSING: Notice\n  DEAD_CROSS_REF: error\n",
            Config(severity=(("FM_MISSING", NOTICE), ("DEAD_CROSS_REF", ERROR))),
        ),
        ("per-path: {}", Config()),
        (
            "per-path:\n  'old/**':\n    ignore: [FM_MISSING]\n    severity: {DEAD_CROSS_REF: 'off'}\n  a: {ignore: FM_MISSING}\n",
            Config(
                per_path=(
                    PathRules("old/**", frozenset({"FM_MISSING"}), (("DEAD_CROSS_REF", OFF),)),
                    PathRules("a", frozenset({"FM_MISSING"})),
                )
            ),
        ),
        ("fail-on: error", Config(fail_on="error")),
        ("fail-on: never", Config(fail_on="never")),
    ],
)
def test_what_a_file_says(tmp_path: Path, text: str | bytes, expected: Config) -> None:
    assert load(tmp_path, text) == expected


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("excludes: [a]", 1, "unknown key 'excludes'; did you mean exclude?"),
        ("exclude: [a]\n\nexcluded: b", 3, "unknown key 'excluded'"),
        ("exclude: a\nexclude: b", 2, "duplicate "),
        ("exclude: {a: b}", 1, "must be a list of strings"),
        ("exclude: 7", 1, "must be a list of strings"),
        ("exclude:", 1, "must be a list of strings"),
        ("exclude: [[a]]", 1, "must be a list of strings"),
        ("default-excludes: maybe", 1, "true or false"),
        ("default-excludes: [true]", 1, "true or false"),
        ("select: [FM_MISING]", 1, "did you mean FM_MISSING?"),
        ("exclude: a\nignore:\n- NO_SUCH_THING_AT_ALL", 3, "plugin-eval rules"),
        ("- a", 1, "must be a mapping"),
        ("word", 1, "must be a mapping"),
        ("exclude: [a", 1, "invalid YAML"),
        ("exclude: a\n\tselect: b", 2, "invalid YAML"),
        ("a: !!python/object/apply:os.system [id]", 1, "unknown key"),
        ("? [a]\n: b", 1, "unknown key"),
        (b"exclude: \xe9", 1, "cannot be read"),
        (b"exclude: a\0", 1, "cannot be read"),
        ("exclude: *nothing", 1, "invalid YAML"),
        ("exclude: " + "[" * 3_000, 1, "nest"),
        ("exclude: " + "[" * 200_000, 1, "larger than 65,536 bytes"),
        ("? " * 20_000, 1, "nest"),
        ("exclude: a" + " " * (64 << 10), 1, "larger than 65,536 bytes"),
        ("exclude: [" + "a, " * 1_001 + "]", 1, "1,001 globs (at most 1,000)"),
        ("exclude:\n- ok\n- '" + "*a" * 251 + "'", 3, "glob of 502 characters (at most 500)"),
        (
            "a: &a [x]\n"
            + "".join(f"{c}: &{c} [{f'*{p}, ' * 9}]\n" for p, c in zip("abcdefgh", "bcdefghi", strict=True)),
            1,
            "unknown key",
        ),
        ("exclude: &x [*x]", 1, "list of strings"),
        ("exclude: [on, a]", 1, "list of strings"),
        ("select: 3", 1, "list of strings"),
        ("severity: error", 1, "a mapping of rule: severity"),
        ("severity:\n  FM_MISSING: low", 2, "'low' is not valid (expected error, warning, notice, off)"),
        ("severity:\n  FM_MISSING: no", 2, "'no' is not valid"),
        ("severity:\n  FM_MISSING:", 2, "must be one of error, warning, notice, off"),
        ("severity:\n  FM_MISSING: [error]", 2, "must be one of error, warning, notice, off"),
        ("severity:\n\n  FM_MISING: error", 3, "severity: unknown rule 'FM_MISING' (did you mean FM_MISSING?)"),
        ("severity:\n  FM_MISSING: error\n  fm_missing: off", 3, "duplicate "),
        ("per-path: [a]", 1, "a mapping of at most 1,000 globs"),
        ("per-path:\n  a: [FM_MISSING]", 2, "per-path: a must be a mapping with ignore or severity"),
        ("per-path:\n  a:\n    select: [FM_MISSING]", 3, "unknown key 'select' (expected ignore, severity)"),
        ("per-path:\n  a:\n    ignor: [FM_MISSING]", 3, "did you mean ignore?"),
        ("per-path:\n  a:\n    ignore:\n    - DEAD_CROS_REF", 4, "did you mean DEAD_CROSS_REF?"),
        ("per-path:\n  a: {ignore: FM_MISSING}\n  a: {ignore: FM_MISSING}", 3, "duplicate key 'a'"),
        ("per-path:\n  " + "a" * 501 + ": {ignore: FM_MISSING}", 2, "at most 500"),
        ("fail-on: info", 1, "'info' is not valid (expected error, warning, notice, never)"),
        ("fail-on: [error]", 1, "must be one of"),
        ("fail-on: off", 1, "'off' is not valid"),
        ("baseline: true", 1, "the path of a file"),
        ("baseline: ''", 1, "the path of a file"),
        ("baseline: ../x.json", 1, "'../x.json' is outside the repository"),
        ("baseline: /etc/hostname", 1, "is outside the repository"),
        ("baseline: out", 1, "is outside the repository"),
    ],
)
def test_an_error_has_its_place(tmp_path: Path, text: str | bytes, line: int, words: str) -> None:
    (tmp_path / "out").symlink_to("/etc/hostname")
    with pytest.raises(UsageError) as raised:
        load(tmp_path, text)
    message = str(raised.value)
    assert message.startswith(f"{tmp_path}/.plugin-eval.yaml:{line}: ")
    assert words in message


TOML = {
    "[tool.plugin-eval]": Config(),
    "[tool]\nplugin-eval = {}": Config(),
    "tool.plugin-eval.exclude = ['a']": Config(exclude=("a",)),
    "[tool.'plugin-eval']\nexclude = 'a'\ndefault-excludes = false": Config(exclude=("a",), default_excludes=False),
    "[tool.plugin-eval.severity]\nFM_MISSING = 'off'": Config(severity=(("FM_MISSING", OFF),)),
    "[tool.plugin-eval]\nseverity.FM_MISSING = 'error'": Config(severity=(("FM_MISSING", ERROR),)),
    "[tool.plugin-eval.per-path.'old/**']\nignore = ['FM_MISSING']": Config(
        per_path=(PathRules("old/**", frozenset({"FM_MISSING"})),)
    ),
    "[tool.plugin-eval]\nfail-on = 'error'\nselect = [\n  'FM_MISSING', # why\n]": Config(
        fail_on="error", select=frozenset({"FM_MISSING"})
    ),
}


@pytest.mark.parametrize("text", TOML)
def test_what_a_pyproject_says(tmp_path: Path, text: str) -> None:
    assert load(tmp_path, text, "pyproject.toml") == TOML[text]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[project]\nname = 'x'",
        "[tool.other]\nplugin-eval = 1",
        "[project.scripts]\nplugin-eval = 'a:b'",
        "[tool]\nx = 1",
    ],
)
def test_a_pyproject_that_is_none_of_ours(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    assert read(str(tmp_path / "pyproject.toml"), RULES) is None


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[tool.plugin-eval]\n\nexcludes = ['a']", 3, "did you mean exclude?"),
        ("[project]\nexcludes = 1\n[tool.plugin-eval]\nselect = []\nexcludes = ['a']", 5, "unknown key"),
        ("[tool.plugin-eval]\nselect = [\n 'FM_MISSING',\n 'FM_MISING',\n]\n", 4, "did you mean FM_MISSING?"),
        ("[tool.plugin-eval.severity]\nFM_MISSING = 'off'\nFM_MISING = 'off'", 3, "did you mean"),
        ("[tool.plugin-eval]\nseverity = { FM_MISSING = 'off', FM_MISING = 'off' }", 2, "did you mean"),
        ("[tool.plugin-eval]\nseverity = { FM_MISSING = false }", 2, "'false' is not valid"),
        ('[x]\na = """\n[tool.plugin-eval]\nfail-on = 1\n"""\n[tool.plugin-eval]\nfail-on = 3', 7, "'3' is not valid"),
        ("[tool.plugin-eval]\nfail-on = 1979-05-27", 2, "'1979-05-27' is not valid"),
        ("[tool.plugin-eval]\nexclude = [1]", 2, "list of strings"),
        ("[tool.plugin-eval]\n\n\nper-path.a.x = 1", 4, "unknown key 'x'"),
        ("[tool]\nplugin-eval = 3", 2, "must be a table"),
        ("[[tool.plugin-eval]]", 1, "must be a table"),
        ("[tool.plugin-eval]\nexclude = [", 2, "invalid TOML"),
        ("[tool.plugin-eval]\nexclude = 'a'\nexclude = 'b'", 3, "invalid TOML"),
        ("[tool.plugin-eval]\nexclude = " + "[" * 5_000, 1, "invalid TOML"),
        ("[tool.plugin-eval]\nexclude = " + "[" * 60 + "]" * 60, 2, "list of strings"),
        (b"[tool.plugin-eval]\nexclude = '\xe9'", 2, "byte 0xe9 is not UTF-8"),
    ],
)
def test_an_error_in_a_pyproject_has_its_place(tmp_path: Path, text: str | bytes, line: int, words: str) -> None:
    with pytest.raises(UsageError) as raised:
        load(tmp_path, text, "pyproject.toml")
    message = str(raised.value)
    assert message.startswith(f"{tmp_path}/pyproject.toml:{line}: ")
    assert words in message


def test_a_baseline_counts_from_the_file(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/x.yaml").write_text("baseline: ../accepted.json")
    found = read(str(tmp_path / "a/x.yaml"), RULES, "a", str(tmp_path))
    assert found is not None and found.baseline == str(tmp_path / "accepted.json")
    assert (found.file, found.origins) == ("a/x.yaml", (("baseline", "a/x.yaml:1"),))


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read(str(tmp_path / "gone.yaml"), RULES)
