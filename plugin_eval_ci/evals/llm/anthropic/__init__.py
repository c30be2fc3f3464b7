"""The models of the judge and the Monte Carlo layer, behind one function.

::

    async with open_ask(options) as client:
        outcome = await client.ask(request, 0)
        client.usage()    # calls, tokens and cost by model
        client.stale()    # what a replay had no answer for

The only place that knows the vendor's SDK, which is loaded when the first call is sent and not before.
"""

from plugin_eval_ci.evals.llm.anthropic.batches import CollectedError as CollectedError
from plugin_eval_ci.evals.llm.anthropic.cache import ShardedError as ShardedError
from plugin_eval_ci.evals.llm.anthropic.client import Client as Client
from plugin_eval_ci.evals.llm.anthropic.client import open_ask as open_ask
from plugin_eval_ci.evals.llm.anthropic.options import Options as Options
from plugin_eval_ci.evals.llm.anthropic.options import problem_of as problem_of
