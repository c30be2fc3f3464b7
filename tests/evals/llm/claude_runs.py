"""What tests of the client share: a request, a schema, a whole run."""

import asyncio

from plugin_eval_ci.evals.llm.anthropic import open_ask
from plugin_eval_ci.evals.llm.request import Block, Request

SCHEMA = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "score": {"type": "number", "enum": [0, 0.25, 0.5, 0.75, 1]}},
    "required": ["reason", "score"],
    "additionalProperties": False,
}
GOOD = '{"reason": "so", "score": 0.5}'


def request(text="hello", model="haiku", purpose="test", **more):
    return Request(purpose, model, (), (Block(text),), **more)


async def everything(options, requests, look=None):
    async with open_ask(options) as client:
        outcomes = await asyncio.gather(*(client.ask(one, sample) for one, sample in requests))
        if look is not None:
            look(client)
    return outcomes
