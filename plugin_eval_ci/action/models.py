"""Whether a step may ask models: never for a stranger's text, and only with a key or a server that needs none."""

from __future__ import annotations

from collections.abc import Mapping

from plugin_eval_ci.action.context import Mode
from plugin_eval_ci.action.inputs import Inputs
from plugin_eval_ci.action.runner import Runner
from plugin_eval_ci.errors import UsageError
from plugin_eval_ci.github.actions import Keys, Step

# Events whose text was written, or let in, by somebody who may write to the repository. On others, as issue_comment or workflow_run, a
# workflow may have checked out a stranger's branch, which no event tells.
_OWN = ("pull_request", "push", "merge_group", "schedule", "workflow_dispatch")
_DEPENDABOT = "dependabot[bot]"
_WHY = "a model would read a stranger's text at your expense, and whoever writes it could try to steer what is asked with your key"


def model_access(
    mode: Mode, inputs: Inputs, step: Step, environ: Mapping[str, str], runner: Runner
) -> tuple[Step, str, bool]:
    """The step, without its keys where they are not to be used, the depth to work at, and whether there is a gate. What is refused is
    said in a notice.

    Raises ``UsageError`` for a key that no header can hold.
    """
    keys = [secret.value for secret in step.keys if secret]
    for key in keys:
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise UsageError("input anthropic-api-key: it holds signs that no key has, such as a line break")
    without = step._replace(keys=Keys())
    if stranger := _stranger(step):
        if keys or inputs.depth != "quick" or inputs.gate:
            runner.say("notice", "no model is asked", f"{_refused(inputs, bool(keys))}: {stranger}: {_WHY}")
        return without, "quick", False
    gate = inputs.gate and mode == "lint" and step.event.pull is not None
    if (inputs.depth == "quick" and not gate) or mode == "comment":
        return without, "quick", False
    if not keys and not environ.get("ANTHROPIC_BASE_URL", "").strip():
        said = "the input anthropic-api-key is empty, so the step goes on at depth quick; give it a secret of the repository"
        what = _asked(inputs)
        runner.say(
            "notice", "no model is asked", f"{' and '.join(what)} {'need' if len(what) > 1 else 'needs'} a key: {said}"
        )
        return without, "quick", False
    for key in keys:  # a secret is masked already; this is for one that comes from elsewhere, such as a vault's step
        runner.mask(key)
    return step, inputs.depth, gate


def _stranger(step: Step) -> str:
    """Why the text is a stranger's; empty where it is not."""
    event = step.event
    if event.name not in _OWN:
        return f"on the event {event.name[:60] or '(none)'} the text may be a stranger's"
    if _DEPENDABOT in (step.actor, event.pull.author if event.pull else ""):
        return "this run is Dependabot's"
    if event.name == "pull_request" and (event.pull is None or event.pull.foreign):
        return "this pull request comes from a fork"
    return ""


def _refused(inputs: Inputs, key: bool) -> str:
    what = [*_asked(inputs), *(["the key"] if key else [])]
    return f"{' and '.join(what)} {'are' if len(what) > 1 else 'is'} refused, and the step goes on at depth quick"


def _asked(inputs: Inputs) -> list[str]:
    """What asks models."""
    return [*([f"depth {inputs.depth}"] if inputs.depth != "quick" else []), *(["the gate"] if inputs.gate else [])]
