"""``plugin-eval gate``."""

from __future__ import annotations

from typing import TextIO

from plugin_eval_ci.commands.asking import in_words
from plugin_eval_ci.commands.gate_run import Typed, estimate, estimated, gate
from plugin_eval_ci.commands.settings import colored, say
from plugin_eval_ci.errors import UsageError, together
from plugin_eval_ci.report import gate_words
from plugin_eval_ci.report.escape import for_terminal
from plugin_eval_ci.trials.gated import Gated

__all__ = ["Typed", "checked", "code_of", "estimate", "gate", "render", "run"]

NOTHING_TRIED = "no skill with labels is to be tried; nothing would be sent"
_FAILED, _UNMEASURED, _INTERRUPTED = 1, 3, 130


def checked(typed: Typed) -> Typed:
    """The options as they are. Raises ``UsageError`` for those that exclude each other."""
    if typed.self_test and (typed.base is not None or typed.base_result is not None):
        raise UsageError("--self-test tries one revision twice: it takes no base (--head names the revision)")
    if typed.base_result is not None and typed.base is None:
        raise UsageError("--base-result needs --base REF, which says what the base is")
    if typed.base_result is not None and typed.plan.early:
        raise UsageError(together("--early-stop", "--base-result", "the base is already measured"))
    if typed.asking.batch and typed.plan.early:
        raise UsageError(together("--early-stop", "--batch", "a batch is submitted as a whole"))
    return typed


def run(paths: tuple[str, ...], typed: Typed, out: TextIO) -> int:
    """Print the verdicts; 0, 1 (a regression, or --strict and not decided), 2, 3 (not measured) or 130 (interrupted)."""
    if typed.asking.estimate:
        told, tries = estimated(paths, typed)
        what = ", ".join(paths)
        out.write(in_words(told, what) if tries else f"{for_terminal(what)}: {NOTHING_TRIED}\n")
        return 0
    gated = gate(paths, typed)
    out.write(render(gated, typed.output, out))
    if gated.undecided and not gated.interrupted:
        say(gate_words.headline(gated))
    return code_of(gated, typed.strict)


def code_of(gated: Gated, strict: bool) -> int:
    """The exit code of a result."""
    if gated.interrupted:
        return _INTERRUPTED
    if gated.regressions:
        return _FAILED
    if gated.unmeasured:
        return _UNMEASURED
    return _FAILED if strict and gated.undecided else 0


def render(gated: Gated, output: str, out: TextIO) -> str:
    """The result in one of its forms."""
    if output == "json":
        from plugin_eval_ci.report import gate_json

        return gate_json.render(gated)
    if output == "markdown":
        from plugin_eval_ci.report import gate_markdown

        return gate_markdown.render(gated)
    if output == "github":
        from plugin_eval_ci.report import gate_github

        return gate_github.render(gated)
    from plugin_eval_ci.report import gate_text

    return gate_text.render(gated, colored(out))
