"""The check of requests against GitHub's description would notice."""

import pytest
from contract import breaches

COMMENTS = "/repos/a/b/issues/7/comments"


@pytest.mark.parametrize(
    ("method", "path", "query", "body", "status", "answer"),
    [
        ("GET", "/repos/a/b/nothing", {}, None, None, None),
        ("PUT", COMMENTS, {}, {"body": "x"}, None, None),
        ("GET", COMMENTS, {"size": "1"}, None, None, None),
        ("GET", COMMENTS, {"per_page": "101"}, None, None, None),
        ("GET", COMMENTS, {"page": "x"}, None, None, None),
        ("GET", COMMENTS, {}, {"body": "x"}, None, None),
        ("POST", COMMENTS, {}, None, None, None),
        ("POST", COMMENTS, {}, {"text": "x"}, None, None),
        ("POST", COMMENTS, {}, {"body": 3}, None, None),
        ("GET", "/repos/a/b/issues", {"state": "any"}, None, None, None),
        ("PATCH", "/repos/a/b/issues/7", {}, {"state_reason": "boring"}, None, None),
        ("GET", COMMENTS, {}, None, 200, {"id": 1}),
        ("GET", COMMENTS, {}, None, 200, [{"id": "1"}]),
        ("GET", COMMENTS, {}, None, 200, [{"author": {}}]),
        ("GET", COMMENTS, {}, None, 200, [{"user": {"name_": "x"}}]),
        ("GET", COMMENTS, {}, None, 299, []),
        ("DELETE", "/repos/a/b/issues/comments/7", {}, None, 204, {}),
    ],
)
def test_it_speaks(method, path, query, body, status, answer):
    assert breaches(method, path, query, body, status, answer)


@pytest.mark.parametrize(
    ("method", "path", "query", "body", "status", "answer"),
    [
        (
            "GET",
            COMMENTS,
            {"per_page": "100", "page": "2"},
            None,
            200,
            [{"id": 1, "body": "x", "user": {"login": "a", "type": "Bot"}}],
        ),
        ("POST", COMMENTS, {}, {"body": "x"}, 201, {"id": 1, "html_url": "https://x"}),
        ("PATCH", "/repos/a/b/issues/7", {}, {"state": "closed", "state_reason": "not_planned"}, None, None),
        ("DELETE", "/repos/a/b/issues/comments/7", {}, None, 204, None),
        ("GET", COMMENTS, {}, None, 403, {"message": "No"}),
        ("POST", "/graphql", {}, {"query": "query { viewer { login } }"}, 200, {"data": {}}),
    ],
)
def test_it_is_silent(method, path, query, body, status, answer):
    assert breaches(method, path, query, body, status, answer) == []
