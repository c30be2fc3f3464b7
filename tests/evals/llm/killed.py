"""Asks for many cells in processes that are ended at random moments, one after the other, all with one cache. Not a test itself:

    killed.py URL CACHE ROUNDS KILL|INT|TERM SEED

prints one JSON line a process: the cells that were handed on, when it was ended, and how it ended. The last one is let be.
"""

import asyncio
import json
import os
import random
import select
import signal
import sys
import time

import anthropic  # once, for all the processes that are made of this one
import anthropic.types  # noqa: F401

from plugin_eval_ci.evals.llm.anthropic import Options, open_ask
from plugin_eval_ci.evals.llm.request import Block, Reply, Request

CELLS, CONCURRENCY = 600, 5


async def work(url, cache, out):
    options = Options(
        key="sk-ant-test-0123456789", base_url=url, cache=cache, concurrency=CONCURRENCY, retries=0, signals=True
    )

    async def one(client, number):
        outcome = await client.ask(Request("kill", "haiku", (), (Block(f"cell {number % 300}"),)), number // 300)
        if isinstance(outcome, Reply) and not outcome.recorded:
            os.write(out, f"{number}\n".encode())

    async with open_ask(options) as client, asyncio.TaskGroup() as group:
        for number in range(CELLS):
            group.create_task(one(client, number))


def main(url, cache, rounds, name, seed):
    dice = random.Random(seed)
    for turn in range(int(rounds) + 1):
        inside, out = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(inside)
            sys.stderr = open(os.devnull, "w")  # noqa: SIM115
            asyncio.run(work(url, cache, out))
            os._exit(0)
        os.close(out)
        ended = 0.0
        if turn < int(rounds):
            if turn % 5:  # most of them when answers are coming in
                select.select([inside], [], [], 20)
            time.sleep(dice.uniform(0.0, 0.08))
            ended = time.monotonic()
            os.kill(child, getattr(signal, f"SIG{name}"))
        with os.fdopen(inside) as stream:
            got = [int(line) for line in stream.read().split()]
        _, status = os.waitpid(child, 0)
        print(json.dumps({"got": got, "ended": ended, "status": status}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
