"""The shape of the package, read from its source: rooms, arrows between them, circles, arrows that lead up.

    python tools/house.py              the figures
    python tools/house.py --check      exit 1 where a limit of [tool.house] in pyproject.toml is passed, or the diagram is out of date
    python tools/house.py --diagram    draw the rooms into docs/architecture.md, between the markers

A room is what stands at the top of the package: a folder, or a module by itself. Imports inside functions and under TYPE_CHECKING count.
"""

from __future__ import annotations

import argparse
import ast
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

PROJECT = Path(__file__).parent.parent
PACKAGE = "plugin_eval_ci"
PAGE = PROJECT / "docs" / "architecture.md"
BEGIN, END = "<!-- house: begin -->", "<!-- house: end -->"
LIMITS = ("rooms", "arrows", "circles", "upward", "modules")


class House(NamedTuple):
    """``imports``: by module those it imports; ``arrows``: pairs of rooms; ``upward``: the arrows against the order of the layers."""

    imports: dict[str, set[str]]
    lines: int
    rooms: set[str]
    arrows: set[tuple[str, str]]
    circles: list[list[str]]
    upward: set[tuple[str, str]]
    single: list[str]  # modules that one module imports

    @property
    def figures(self) -> dict[str, int]:
        """What can have a limit."""
        counted = (self.rooms, self.arrows, self.circles, self.upward, self.imports)
        return {name: len(found) for name, found in zip(LIMITS, counted, strict=True)}


def main(arguments: list[str] | None = None) -> int:
    """Print the figures; 1 where a check fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--diagram", action="store_true")
    options = parser.parse_args(arguments)
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    house = read(PROJECT / PACKAGE, layers_of(settings))
    show(house)
    page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    drawn = with_diagram(page, diagram(house))
    if options.diagram:
        if drawn is None:
            print(f"{PAGE.relative_to(PROJECT)}: the markers {BEGIN} and {END} are missing")
            return 1
        PAGE.write_text(drawn, encoding="utf-8")
    if not options.check:
        return 0
    wrong = list(passed(house.figures, settings.get("house", {})))
    if drawn != page:
        wrong.append(
            f"{PAGE.relative_to(PROJECT)}: the diagram is missing or out of date: run python tools/house.py --diagram"
        )
    print(*wrong, sep="\n")
    return int(bool(wrong))


def passed(figures: Mapping[str, int], limits: Mapping[str, int]) -> Iterator[str]:
    """What is above its limit, and what has none."""
    for name, count in figures.items():
        if name not in limits:
            yield f"[tool.house] in pyproject.toml has no limit for {name}"
        elif count > limits[name]:
            yield f"{name}: {count:,}, at most {limits[name]:,} are allowed"


def layers_of(settings: Mapping[str, Any]) -> dict[str, int]:
    """By room its floor, the highest first, from the contract of import-linter."""
    contracts = settings["importlinter"]["contracts"]
    layers: list[str] = next(one["layers"] for one in contracts if one["type"] == "layers")
    return {
        name.strip().removeprefix(f"{PACKAGE}."): floor
        for floor, layer in enumerate(layers)
        for name in layer.split("|")
    }


def read(package: Path, floors: Mapping[str, int]) -> House:
    """The house that stands in a folder."""
    files = {_name(file, package): file for file in package.rglob("*.py")}
    sources = {name: file.read_text(encoding="utf-8") for name, file in files.items()}
    imports = {name: set(_imports(ast.parse(text), files)) - {name} for name, text in sources.items()}
    arrows = {(room_of(one), room_of(other)) for one, found in imports.items() for other in found}
    arrows = {(one, other) for one, other in arrows if one != other and package.name not in (one, other)}
    upward = {
        (one, other) for one, other in arrows if one in floors and other in floors and floors[one] > floors[other]
    }
    importers = Counter(name for found in imports.values() for name in found)
    return House(
        imports,
        sum(text.count("\n") for text in sources.values()),
        {room_of(name) for name in files} - {package.name},
        arrows,
        circles_in(imports),
        upward,
        sorted(name for name, count in importers.items() if count == 1),
    )


def room_of(module: str) -> str:
    """The folder or the module at the top of the package; the package itself for its own file."""
    return module.split(".")[1] if "." in module else module


def _name(file: Path, package: Path) -> str:
    parts = [package.name, *file.relative_to(package).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(tree: ast.AST, modules: Mapping[str, Path]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for one in node.names:
                whole = f"{node.module}.{one.name}"
                if whole in modules or node.module in modules:
                    yield whole if whole in modules else node.module


def circles_in(imports: Mapping[str, set[str]]) -> list[list[str]]:
    """Modules that import each other, however long the way round (Tarjan's strongly connected components)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_: list[str] = []
    found: list[list[str]] = []

    def visit(one: str) -> None:
        number[one] = lowest[one] = len(number)
        open_.append(one)
        for other in sorted(imports[one]):
            if other not in number:
                visit(other)
                lowest[one] = min(lowest[one], lowest[other])
            elif other in open_:
                lowest[one] = min(lowest[one], number[other])
        if lowest[one] == number[one]:
            at = open_.index(one)
            circle = open_[at:]
            del open_[at:]
            if len(circle) > 1:
                found.append(sorted(circle))

    for one in sorted(imports):
        if one not in number:
            visit(one)
    return found


def show(house: House) -> None:
    """The figures, then what they count where a reader has to act."""
    print(
        f"modules {len(house.imports):,}, lines {house.lines:,}, rooms {len(house.rooms)}, arrows {len(house.arrows)}"
    )
    print(f"modules with exactly one importer {len(house.single)}")
    print(f"circles {len(house.circles)}, upward arrows {len(house.upward)}")
    for circle in house.circles:
        print(f"  circle: {', '.join(circle)}")
    for one, other in sorted(house.upward):
        print(f"  upward: {one} -> {other}")


def diagram(house: House) -> str:
    """The rooms as a Mermaid flowchart; what can be reached through another room gets no arrow of its own, to keep it readable."""
    below = {room: {to for one, to in house.arrows if one == room} for room in house.rooms}
    reached = {room: _reached(room, below) for room in below}
    drawn = {
        (room, to)
        for room, found in below.items()
        for to in found
        if not any(to in reached[other] for other in found - {to})
    }
    alone = house.rooms - {room for arrow in drawn for room in arrow}
    lines = [*(f"  {one} --> {to}" for one, to in sorted(drawn)), *(f"  {room}" for room in sorted(alone))]
    return "\n".join([BEGIN, "```mermaid", "flowchart TD", *lines, "```", END])


def _reached(room: str, below: Mapping[str, set[str]]) -> set[str]:
    """The rooms below a room, however far."""
    found: set[str] = set()
    waiting = list(below[room])
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += below[one]
    return found


def with_diagram(page: str, drawn: str) -> str | None:
    """The page with the diagram between its markers, None without markers."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    return f"{before}{drawn}{after}" if begin and end else None


if __name__ == "__main__":
    raise SystemExit(main())
