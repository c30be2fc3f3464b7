"""Trim GitHub's own OpenAPI description to what github asks and reads: tests/github/github-openapi.json.

    npm pack @octokit/openapi@23.0.2 && tar xzf octokit-openapi-23.0.2.tgz package/generated/api.github.com.json
    python tools/github_contract.py package/generated/api.github.com.json

Requests stay whole but for their words; of answers only the keys stay that are read, for 13 MB would be too much to keep.
"""

import json
import sys
from pathlib import Path

TARGET = Path(__file__).parents[1] / "tests" / "edges" / "github-openapi.json"
SOURCE = (
    "npm @octokit/openapi 23.0.2 (MIT, Copyright (c) 2020 Octokit contributors), trimmed by tools/github_contract.py"
)
REPO = "/repos/{owner}/{repo}"
OPERATIONS = {
    f"{REPO}/issues/{{issue_number}}/comments": ("get", "post"),
    f"{REPO}/issues/comments/{{comment_id}}": ("patch", "delete"),
    f"{REPO}/issues": ("get", "post"),
    f"{REPO}/issues/{{issue_number}}": ("patch",),
    f"{REPO}/pulls/{{pull_number}}/files": ("get",),
    f"{REPO}/pulls": ("get",),
    f"{REPO}/actions/artifacts": ("get",),
    f"{REPO}/actions/runs/{{run_id}}/artifacts": ("get",),
    f"{REPO}/actions/artifacts/{{artifact_id}}/{{archive_format}}": ("get",),
    "/user": ("get",),
}
READ = {
    "id", "number", "body", "user", "login", "type", "html_url", "state", "state_reason", "labels", "name", "pull_request", "title",
    "filename", "previous_filename", "status", "head", "base", "sha", "ref", "artifacts", "total_count", "size_in_bytes",
    "created_at", "expired", "workflow_run", "repository_id", "head_repository_id", "head_branch", "head_sha", "url",
}  # fmt: skip
WORDS = {"description", "title", "example", "examples", "default", "externalDocs", "deprecated", "x-github"}


def schema(value, whole, answers, depth=0):
    """A schema without words, references put in place, ``nullable`` in the words of JSON Schema."""
    if "$ref" in value:
        at = whole
        for part in value["$ref"].removeprefix("#/").split("/"):
            at = at[part]
        return schema(at, whole, answers, depth)
    if depth > 12:
        return {}
    made = {}
    for key, inner in value.items():
        if key in ("nullable", "format", "discriminator", "xml") or (key in WORDS and not isinstance(inner, dict)):
            continue
        if key == "properties":
            keep = {name: one for name, one in inner.items() if not answers or name in READ}
            made[key] = {name: schema(one, whole, answers, depth + 1) for name, one in keep.items()}
        elif key in ("items", "additionalProperties", "not") and isinstance(inner, dict):
            made[key] = schema(inner, whole, answers, depth + 1)
        elif key in ("oneOf", "anyOf", "allOf"):
            kind = "anyOf" if key == "oneOf" and answers else key  # with keys taken out, several may hold
            made[kind] = [schema(one, whole, answers, depth + 1) for one in inner]
        elif key == "required" and answers:
            made[key] = [name for name in inner if name in READ]
        elif key not in WORDS and not key.startswith("x-"):
            made[key] = inner
    return {"anyOf": [made, {"type": "null"}]} if value.get("nullable") else made


def resolved(value, whole):
    while "$ref" in value:
        at = whole
        for part in value["$ref"].removeprefix("#/").split("/"):
            at = at[part]
        value = at
    return value


def operation(value, whole):
    parameters = [resolved(one, whole) for one in value.get("parameters", [])]
    body = resolved(value.get("requestBody", {}), whole).get("content", {}).get("application/json", {}).get("schema")
    answers = {}
    for status, answer in value["responses"].items():
        content = resolved(answer, whole).get("content", {}).get("application/json", {}).get("schema")
        if status.startswith(("2", "3")):
            answers[status] = schema(content, whole, True) if content else None
    return {
        "query": {one["name"]: schema(one["schema"], whole, False) for one in parameters if one["in"] == "query"},
        "body": schema(body, whole, False) if body else None,
        "answers": answers,
    }


def main(source, target=TARGET):
    whole = json.loads(Path(source).read_text("utf-8"))
    paths = {
        path: {method: operation(whole["paths"][path][method], whole) for method in methods}
        for path, methods in OPERATIONS.items()
    }
    made = {"source": SOURCE, "version": whole["info"]["version"], "paths": paths}
    Path(target).write_text(json.dumps(made, indent=1, sort_keys=True, ensure_ascii=True) + "\n", "utf-8")
    print(f"{target}: {Path(target).stat().st_size:,} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
