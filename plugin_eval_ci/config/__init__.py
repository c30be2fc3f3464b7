"""One frozen ``Config``; an unknown key is an error with its place."""

import os
from typing import NamedTuple

from plugin_eval_ci.errors import UsageError

FILE_NAME = ".plugin-eval.yaml"


class Config(NamedTuple):
    """What a run may be told. ``select`` empty means every rule; ``exclude`` holds globs from the repository root."""

    exclude: tuple[str, ...] = ()
    default_excludes: bool = True
    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()


class _Entry(NamedTuple):
    line: int
    items: list[str] | None  # of a list, or of a single word
    flag: bool | None


def find_file(root: str) -> str | None:
    """The configuration file of a repository, if there is one."""
    file = os.path.join(root, FILE_NAME)
    return file if os.path.isfile(file) else None


def load(file: str, rules: frozenset[str]) -> Config:
    """Read a configuration file.

    ``rules`` are the names that ``select`` and ``ignore`` may hold. Raises ``UsageError`` with file and line for anything unknown.
    """
    config = Config()
    for key, entry in _entries(file).items():
        where = f"{file}:{entry.line}"
        if key == "exclude":
            config = config._replace(exclude=tuple(_list(where, key, entry)))
        elif key == "default-excludes":
            if entry.flag is None:
                raise UsageError(f"{where}: default-excludes must be true or false")
            config = config._replace(default_excludes=entry.flag)
        elif key in ("select", "ignore"):
            names = frozenset(_list(where, key, entry))
            unknown = sorted(names - rules)
            if unknown:
                raise UsageError(f"{where}: {key}: there is no rule {unknown[0]!r}; `plugin-eval rules` lists them")
            config = config._replace(select=names) if key == "select" else config._replace(ignore=names)
        else:
            raise UsageError(f"{where}: unknown key {key!r}; known: default-excludes, exclude, ignore, select")
    return config


def _list(where: str, key: str, entry: _Entry) -> list[str]:
    if entry.items is None:
        raise UsageError(f"{where}: {key} must be a list of words")
    return entry.items


def _entries(file: str) -> dict[str, _Entry]:
    import yaml

    try:
        with open(file, encoding="utf-8-sig") as stream:
            node = yaml.compose(stream, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise UsageError(f"{file}:{line}: invalid YAML: {error.problem}") from error
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise UsageError(f"{file}:1: cannot be read: {error}") from error
    if node is None:
        return {}
    if not isinstance(node, yaml.MappingNode):
        raise UsageError(f"{file}:1: must be a mapping of key: value lines")
    entries: dict[str, _Entry] = {}
    for key, value in node.value:
        line = key.start_mark.line + 1
        name = str(key.value) if isinstance(key, yaml.ScalarNode) else "?"
        if name in entries:
            raise UsageError(f"{file}:{line}: {name!r} is given twice")
        entries[name] = _Entry(line, _items(value), _flag(value))
    return entries


def _items(node: object) -> list[str] | None:
    import yaml

    if isinstance(node, yaml.SequenceNode):
        scalars = [item.value for item in node.value if isinstance(item, yaml.ScalarNode)]
        return scalars if len(scalars) == len(node.value) else None
    if isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:str":
        return [node.value]
    return None


def _flag(node: object) -> bool | None:
    import yaml

    if isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:bool":
        return str(node.value).lower() in ("true", "yes", "on")
    return None
