"""A run of trials in processes that are killed at random moments, one after the other, all with one cache. Not a test itself:

    killed_trials.py URL CACHE ROUNDS SEED

prints one JSON line a process: the answers that were handed on and paid for, and how it ended. The last one is let be; it says what
its trials came to.
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
from skills_here import skill

from plugin_eval_ci.evals.llm.anthropic import Options, open_ask
from plugin_eval_ci.evals.llm.cassette import cell_of
from plugin_eval_ci.evals.llm.request import Reply
from plugin_eval_ci.evals.trials.catalogue import catalogue_of
from plugin_eval_ci.evals.trials.triggering.run import run
from plugin_eval_ci.evals.trials.values import Prompt, Settings

PROMPTS = [Prompt(f"p{number}", f"question {number}", "sql-tuner", ("sql-tuner",)) for number in range(40)]
SETTINGS = Settings()
CONCURRENCY = 5
FIELD = [skill("sql-tuner", "Rewrites slow SQL."), skill("pdf-forms", "Fills in forms.")]


def options(url, cache, **more):
    """Of a client that goes to ``url``."""
    return Options(key="sk-ant-test-0123456789", base_url=url, cache=cache, concurrency=CONCURRENCY, retries=0, **more)


async def trials(opened, told=lambda key: None, prompts=PROMPTS, settings=SETTINGS, look=None):
    """A whole run; ``told`` of each answer that was paid for."""
    catalogue = catalogue_of(FIELD, {}, settings)
    async with open_ask(opened) as client:

        async def ask(request, sample):
            outcome = await client.ask(request, sample)
            if isinstance(outcome, Reply) and not outcome.recorded:
                told(cell_of(request, "m", sample).key)
            return outcome

        made = await run(catalogue, prompts, settings, ask)
        if look is not None:
            look(client)
        return made


def child(url, cache, out):
    made = asyncio.run(trials(options(url, cache), lambda key: os.write(out, f"{key}\n".encode())))
    os.write(out, (json.dumps([(one.prompt.id, one.run, one.result, one.chosen) for one in made]) + "\n").encode())
    os._exit(0)


def main(url, cache, rounds, seed):
    dice = random.Random(seed)
    for turn in range(int(rounds) + 1):
        inside, out = os.pipe()
        process = os.fork()
        if process == 0:
            os.close(inside)
            sys.stderr = open(os.devnull, "w")  # noqa: SIM115
            child(url, cache, out)
        os.close(out)
        if turn < int(rounds):
            select.select([inside], [], [], 20)
            time.sleep(dice.uniform(0.0, 0.1))
            os.kill(process, signal.SIGKILL)
        with os.fdopen(inside) as stream:
            lines = stream.read().splitlines()
        _, status = os.waitpid(process, 0)
        keys = [line for line in lines if len(line) == 64]
        said = [json.loads(line) for line in lines if line.startswith("[")]
        print(json.dumps({"keys": keys, "status": status, "said": said}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
