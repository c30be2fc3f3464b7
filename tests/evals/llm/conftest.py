"""A service of our own, and a run against it that is over at once."""

import asyncio

import pytest
from claude_runs import everything
from fake_messages import KEY, FakeMessages

from plugin_eval_ci.evals.llm.anthropic import Options


@pytest.fixture
def fake():
    with FakeMessages() as running:
        yield running


@pytest.fixture
def options(fake, tmp_path):
    return Options(key=KEY, base_url=fake.url, cache=str(tmp_path / "cache"), retries=0, timeout=2)


@pytest.fixture
def run(options):
    """``run((request, 0), …)``: the outcomes; options by name; ``look=`` is given the client at the end."""

    def go(*requests, look=None, **changed):
        return asyncio.run(everything(options._replace(**changed), requests, look))

    return go
