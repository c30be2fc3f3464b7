"""Every example of the documentation is a configuration, and every comment in it is one that the tool reads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plugin_eval_ci.config.read import KEYS, load
from plugin_eval_ci.rules import all_names

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/configuration.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8").partition("## Configuration")[2].partition("\n## ")[0]
YAML = [
    text
    for page in (PAGE.partition("## Comments")[0], README)
    for text in re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
]
TOML = re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("text", YAML)
def test_yaml_examples(tmp_path: Path, text: str) -> None:
    (tmp_path / ".plugin-eval.yaml").write_text(text)
    found = load(str(tmp_path / ".plugin-eval.yaml"), all_names())
    assert found is not None and found.origins


@pytest.mark.parametrize("text", TOML)
def test_toml_examples(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    found = load(str(tmp_path / "pyproject.toml"), all_names())
    assert found is not None and {key for key, _ in found.origins} == {"exclude", "fail_on", "severity", "per_path"}


def test_every_key_has_an_example() -> None:
    assert len(YAML) == len(KEYS) + 1 and len(TOML) == 1
    assert [key for key in KEYS if f"\n### `{key}`\n" not in PAGE] == []


def test_rules_in_comments_exist() -> None:
    named = [name for some in re.findall(r"ignore(?:-file)?\[([A-Z_, ]+)\]", PAGE) for name in some.split(", ")]
    assert len(named) > 4 and set(named) <= all_names()
