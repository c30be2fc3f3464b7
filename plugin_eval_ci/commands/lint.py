"""``plugin-eval lint``."""

from typing import NamedTuple, TextIO

from plugin_eval_ci.commands.settings import colored, known, read_config, say_left_out
from plugin_eval_ci.config import Config
from plugin_eval_ci.evaluate import Evaluation, evaluate, evaluate_text
from plugin_eval_ci.model import Severity


class Options(NamedTuple):
    """The options of the command."""

    output: str
    fail_on: str
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    hook: bool
    exclude: tuple[str, ...]
    config_file: str | None
    isolated: bool


def run(paths: tuple[str, ...], options: Options, out: TextIO) -> int:
    """Lint ``paths``: print findings, return 0, 1 (findings at the fail level) or 2 (a path is missing or holds nothing)."""
    evaluation = evaluate(paths, _config(paths[0], options))
    _print(evaluation, options, out)
    wrong = say_left_out(evaluation.found, options.hook)
    return 2 if wrong else _code(evaluation, options)


def run_text(data: bytes, file: str, options: Options, out: TextIO) -> int:
    """Lint the bytes an editor passed for ``file``."""
    evaluation = evaluate_text(data, file, _config(file, options))
    _print(evaluation, options, out)
    return _code(evaluation, options)


def _config(path: str, options: Options) -> Config:
    config = read_config(path, options.config_file, options.isolated, options.exclude)
    select = known(options.select, "--select") or config.select
    return config._replace(select=select, ignore=config.ignore | known(options.ignore, "--ignore"))


def _print(evaluation: Evaluation, options: Options, out: TextIO) -> None:
    if options.output == "json":
        from plugin_eval_ci.report import lint_json

        out.write(lint_json.render(evaluation))
    else:
        from plugin_eval_ci.report import lint_text

        out.write(lint_text.render(evaluation, colored(out), options.hook))


def _code(evaluation: Evaluation, options: Options) -> int:
    if options.fail_on == "never":
        return 0
    level = Severity[options.fail_on.upper()]
    return int(any(finding.severity >= level for finding in evaluation.checked.findings))
