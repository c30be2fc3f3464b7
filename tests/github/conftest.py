"""A GitHub of our own, and a client that waits for nothing."""

import pytest
from contract import breaches
from github_stub import TOKEN, Stub

from plugin_eval_ci.github.client import GitHub
from plugin_eval_ci.github.transport import Http, address_of


@pytest.fixture
def stub():
    """Whatever a test is about: each request must be one that GitHub has, and each of our own answers one that it gives."""
    with Stub() as running:
        yield running
        wrong = [
            breach for one in running.asked
            for breach in breaches(one.method, one.path, one.query, one.body, one.status, one.answer if one.status else None)
            if not isinstance(one.answer, bytes)
        ]  # fmt: skip
    assert wrong == []


class Patient:
    """Notes how long it was asked to sleep."""

    def __init__(self):
        self.slept = []

    def __call__(self, seconds):
        self.slept.append(seconds)


@pytest.fixture
def naps():
    return Patient()


@pytest.fixture
def http(stub, naps):
    where = address_of(stub.environ())
    return Http(where.api, where.graphql, TOKEN, sleep=naps)


@pytest.fixture
def github(http):
    return GitHub(http, "shop/store")
