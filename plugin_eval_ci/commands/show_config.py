"""``plugin-eval lint --show-config``: the configuration of a path, and where each value comes from."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, TextIO

from plugin_eval_ci.commands.load_config import config_of
from plugin_eval_ci.config import Config, PathRules, SeverityOf
from plugin_eval_ci.discover import roots_of
from plugin_eval_ci.report.escape import for_terminal

if TYPE_CHECKING:
    from plugin_eval_ci.config import ConfigSource


def show(paths: tuple[str, ...], config: ConfigSource, out: TextIO) -> int:
    """Print the configuration of each path in the form of a file, each value with its origin in a comment."""
    root, _ = roots_of(paths)
    for path in paths:
        found = config_of(path, root, config)
        out.write(f"# configuration of {for_terminal(path)}: {for_terminal(found.file or 'no configuration file')}\n")
        origins = dict(found.origins)
        for key, value in _values(found, root):
            origin = origins.get(key.replace("-", "_"), "default")
            out.write(f"{key}: {for_terminal(value)}  # {for_terminal(origin)}\n")
        if found.also_exclude:
            out.write(
                f"# also excluded, from the root of the repository: {for_terminal(_flow(found.also_exclude))}  # --exclude\n"
            )
    return 0


def _values(config: Config, root: str) -> list[tuple[str, str]]:
    folder = os.path.join(root, config.folder)
    baseline = os.path.relpath(config.baseline, folder).replace(os.sep, "/") if config.baseline else None
    parts = {part.glob: _part(part) for part in config.per_path}
    return [
        ("exclude", _flow(config.exclude)),
        ("default-excludes", _flow(config.default_excludes)),
        ("select", _flow(sorted(config.select))),
        ("ignore", _flow(sorted(config.ignore))),
        ("severity", _flow(_severities(config.severity))),
        ("per-path", _flow(parts)),
        ("fail-on", config.fail_on),
        *([("baseline", _flow(baseline))] if baseline else []),
        *([("models", _flow(dict(config.models)))] if config.models else []),
        *(
            [("prices", _flow({name: f"{read:g}/{written:g}" for name, (read, written) in config.prices}))]
            if config.prices
            else []
        ),
    ]


def _part(part: PathRules) -> dict[str, object]:
    values: dict[str, object] = {"ignore": sorted(part.ignore)} if part.ignore else {}
    return values | ({"severity": _severities(part.severity)} if part.severity else {})


def _severities(pairs: SeverityOf) -> dict[str, str]:
    return {rule: severity.word if severity is not None else "off" for rule, severity in pairs}


def _flow(value: object) -> str:
    return json.dumps(value, ensure_ascii=True)
