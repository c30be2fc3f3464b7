"""The shape of a package as tools/house.py reads it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

_SPEC = importlib.util.spec_from_file_location("house", Path(__file__).parent.parent / "tools" / "house.py")
house = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(house)

FILES = {
    "__init__.py": "",
    "top.py": "from p.middle import one\nimport p.low\n",
    "middle/__init__.py": "",
    "middle/one.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from p.middle import two\nimport os\n",
    "middle/two.py": "def late():\n    from p.middle.three import x\n",
    "middle/three.py": "from p.middle import one\nimport p.low\nx = 1\n",
    "low.py": "def late():\n    from p import top\n",
}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        file = tmp_path / "p" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path / "p"


def test_imports_in_functions_and_for_types_count(package: Path) -> None:
    found = house.read(package, {"top": 0, "middle": 1, "low": 2})
    assert found.rooms == {"top", "middle", "low"}
    assert found.arrows == {("top", "middle"), ("top", "low"), ("middle", "low"), ("low", "top")}
    assert found.upward == {("low", "top")}
    assert sorted(found.circles) == [["p.low", "p.middle.one", "p.middle.three", "p.middle.two", "p.top"]]
    assert found.single == ["p.middle.three", "p.middle.two", "p.top"]


def test_a_chain_is_no_circle() -> None:
    assert house.circles_in({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []
    assert house.circles_in({"a": {"b"}, "b": {"a"}, "c": {"a"}}) == [["a", "b"]]


def test_what_is_above_its_limit_is_named() -> None:
    figures = dict.fromkeys(house.LIMITS, 5)
    assert list(house.passed(figures, figures)) == []
    assert list(house.passed(figures, {**figures, "rooms": 4})) == ["rooms: 5, at most 4 are allowed"]
    assert len(list(house.passed(figures, {}))) == len(house.LIMITS)


def test_the_diagram_leaves_out_what_another_way_shows(package: Path) -> None:
    (package / "low.py").write_text("")
    drawn = house.diagram(house.read(package, {}))
    assert [line.strip() for line in drawn.split("\n")[3:-2]] == ["middle --> low", "top --> middle"]
    page = f"before {house.BEGIN} old {house.END} after"
    assert house.with_diagram(page, drawn) == f"before {drawn} after"
    assert house.with_diagram("no markers", drawn) is None


def test_the_layers_are_those_of_the_import_contract() -> None:
    contract = {"type": "layers", "layers": ["plugin_eval_ci.a | plugin_eval_ci.b", "plugin_eval_ci.c"]}
    assert house.layers_of({"importlinter": {"contracts": [contract]}}) == {"a": 0, "b": 0, "c": 1}


def test_our_own_house_has_no_circle_and_no_arrow_up() -> None:
    settings = house.tomllib.loads((house.PROJECT / "pyproject.toml").read_text())["tool"]
    found = house.read(house.PROJECT / house.PACKAGE, house.layers_of(settings))
    assert (found.circles, found.upward) == ([], set())
