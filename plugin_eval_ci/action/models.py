"""Whether a step may call models: never on untrusted text, and only with a key or a server that does not need one."""

from __future__ import annotations

from collections.abc import Mapping

from plugin_eval_ci.action.context import Mode
from plugin_eval_ci.action.inputs import Inputs
from plugin_eval_ci.action.runner import Runner
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.github.actions import Keys, Step

# Events whose text was written or merged by somebody with write access. On others, such as issue_comment or workflow_run, the
# workflow may have checked out a branch of a fork, and the event does not show it.
_OWN = ("pull_request", "push", "merge_group", "schedule", "workflow_dispatch")
_DEPENDABOT = "dependabot[bot]"
_WHY = "a model would read untrusted text at your expense, and its author could try to influence the calls made with your key"


def model_access(
    mode: Mode, inputs: Inputs, step: Step, environ: Mapping[str, str], runner: Runner
) -> tuple[Step, str, bool]:
    """The step (without its keys if they must not be used), the depth, and whether the gate runs. A notice explains what was
    switched off.

    Raises ``UsageError`` for a key that is not valid in an HTTP header.
    """
    keys = [secret.value for secret in step.keys if secret]
    for key in keys:
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise UsageError(
                "input anthropic-api-key: contains characters that are not valid in a key, such as a space or a line break"
            )
    without = step._replace(keys=Keys())
    if stranger := _stranger(step):
        if keys or inputs.depth != "quick" or inputs.gate:
            runner.say("notice", "no model calls", f"{_refusal_text(inputs, bool(keys))}: {stranger}: {_WHY}")
        return without, "quick", False
    gate = inputs.gate and mode == "lint" and step.event.pull is not None
    if (inputs.depth == "quick" and not gate) or mode == "comment":
        return without, "quick", False
    if not keys and not environ.get("ANTHROPIC_BASE_URL", "").strip():
        said = "the input anthropic-api-key is empty, so the step continues at depth quick; set it from a repository secret"
        what = _model_inputs(inputs)
        runner.say(
            "notice", "no model calls", f"{' and '.join(what)} {'need' if len(what) > 1 else 'needs'} a key: {said}"
        )
        return without, "quick", False
    for key in keys:  # GitHub masks its own secrets; this covers a key from elsewhere, such as a vault step
        runner.mask(key)
    return step, inputs.depth, gate


def _stranger(step: Step) -> str:
    """Why the text is untrusted; empty if it is trusted."""
    event = step.event
    if event.name not in _OWN:
        return f"on the event {event.name[:60] or '(none)'} the text may be untrusted"
    if _DEPENDABOT in (step.actor, event.pull.author if event.pull else ""):
        return "this run was triggered by Dependabot"
    if event.name == "pull_request" and (event.pull is None or event.pull.foreign):
        return "this pull request comes from a fork"
    return ""


def _refusal_text(inputs: Inputs, key: bool) -> str:
    what = [*_model_inputs(inputs), *(["the key"] if key else [])]
    return f"{' and '.join(what)} {'are' if len(what) > 1 else 'is'} not used, and the step continues at depth quick"


def _model_inputs(inputs: Inputs) -> list[str]:
    """The inputs that need models."""
    return [*([f"depth {inputs.depth}"] if inputs.depth != "quick" else []), *(["the gate"] if inputs.gate else [])]
