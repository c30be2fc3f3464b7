"""The previous report: a file that an input names, else what the newest run on the default branch left as an artifact."""

from __future__ import annotations

import os

from plugin_eval_ci.action.job import Job

FILE, NAME = "report.json", "plugin-scores"
_LARGEST = 128 << 20  # bytes


def file_of(job: Job) -> str | None:
    """Its path; None for a first report. That there is none, or that it cannot be read, never fails a run."""
    inputs, step = job.inputs, job.step
    if inputs.previous is not None:
        return inputs.previous
    name = inputs.artifact_name or NAME
    if name == "off" or not step.token or not step.event.default_branch:
        return None
    from plugin_eval_ci.edges.github import ApiError, GitHub
    from plugin_eval_ci.errors import UsageError

    try:
        github = GitHub.from_environ(os.environ, step.token.value)
        artifact = github.latest_artifact(name, step.event.default_branch)
        if artifact is None:
            job.runner.log(f"there is no artifact {name} of {step.event.default_branch} yet: this report is the first")
            return None
        data = github.read_artifact(artifact, (FILE,), _LARGEST).get(FILE)
    except (ApiError, UsageError) as error:
        job.runner.log(f"the previous report could not be fetched (the job needs actions: read): {error}")
        return None
    if data is None:
        job.runner.log(f"the artifact {name} holds no {FILE}: this report is the first")
        return None
    try:
        return _kept(step.temp, data)
    except OSError as error:
        job.runner.log(f"the previous report cannot be kept in {step.temp}: {error.strerror}")
        return None


def _kept(temp: str, data: bytes) -> str:
    import tempfile

    os.makedirs(temp, exist_ok=True)
    handle, file = tempfile.mkstemp(prefix="plugin-eval-previous-", suffix=".json", dir=temp)
    with open(handle, "wb") as stream:
        stream.write(data)
    return file
