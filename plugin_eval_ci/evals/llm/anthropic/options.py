"""How models are called: from the command line, the configuration and the environment, in one value that shows no secret."""

import os
from collections.abc import Mapping
from importlib.util import find_spec
from typing import NamedTuple

from plugin_eval_ci.config import Config
from plugin_eval_ci.scoring.spending import Rate

INSTALL = "pip install 'plugin-eval-ci[llm]'"


class Options(NamedTuple):
    """``models``: tier or name -> the name to send. Times are seconds. ``base_url`` empty: the service's own."""

    key: str = ""  # for x-api-key
    token: str = ""  # for Authorization: Bearer, as gateways want it
    base_url: str = ""
    concurrency: int = 5
    timeout: float = 120.0  # of one attempt
    deadline: float | None = None  # of everything, from the start
    retries: int = 6  # of one call, by the SDK
    cache: str | None = None  # a folder; every answer is stored there at once
    cassette: str | None = None  # a folder of recorded answers
    record: bool = False  # write the answers that are used into the cassette
    replay: bool = False  # only recorded answers: nothing is sent
    estimate: bool = False  # nothing is sent, and what would be is counted
    max_cost: float | None = None  # dollars
    seed: int = 0  # of the order in which calls are sent
    models: tuple[tuple[str, str], ...] = ()
    rates: tuple[tuple[str, Rate], ...] = ()  # prices of models by name, in place of the table's
    progress: bool = False  # on standard error
    batch: bool = False  # hand calls in together, at half the price, and collect the answers later
    wait_until: float | None = None  # for the answers of a batch, on the monotonic clock
    shard: tuple[int, int] | None = None  # I of N: only these calls are made
    more: tuple[str, ...] = ()  # further folders of recorded answers, to be read
    signals: bool = False  # the first Ctrl-C or SIGTERM stops politely

    def __repr__(self) -> str:
        """Without the key and the token."""
        shown = self._replace(key="***" if self.key else "", token="***" if self.token else "")
        return f"Options({', '.join(f'{name}={value!r}' for name, value in zip(self._fields, shown, strict=True))})"

    @property
    def sends(self) -> bool:
        """Whether anything may be sent at all."""
        return not (self.replay or self.estimate)

    def configured(self, config: Config) -> "Options":
        """With the models and prices of a configuration file; what the environment says takes the place of a file's model."""
        rates = tuple((name, Rate(*rate)) for name, rate in config.prices)
        return self._replace(models=tuple({**dict(config.models), **dict(self.models)}.items()), rates=rates)

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> "Options":
        """ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL; PLUGIN_EVAL_MODEL_HAIKU and the like; PLUGIN_EVAL_CACHE."""
        chosen = tuple(
            (tier, name)
            for tier in ("haiku", "sonnet", "opus")
            if (name := environ.get(f"PLUGIN_EVAL_MODEL_{tier.upper()}", "").strip())
        )
        return cls(
            key=environ.get("ANTHROPIC_API_KEY", "").strip(),
            token=environ.get("ANTHROPIC_AUTH_TOKEN", "").strip(),
            base_url=environ.get("ANTHROPIC_BASE_URL", "").strip().rstrip("/"),
            cache=_cache(environ),
            models=chosen,
        )


def problem_of(options: Options) -> str | None:
    """Why no model can be asked, and what to do, without asking one; None when nothing is in the way."""
    if not options.sends:
        return None
    if find_spec("anthropic") is None:
        return f"the package for model calls is not installed: {INSTALL}"
    if not (options.key or options.token or options.base_url):
        return "no API key: set ANTHROPIC_API_KEY, or set ANTHROPIC_BASE_URL to a server that needs no key"
    return None


def _cache(environ: Mapping[str, str]) -> str:
    """Where answers are kept: PLUGIN_EVAL_CACHE, or the user's cache folder."""
    if named := environ.get("PLUGIN_EVAL_CACHE", "").strip():
        return named
    home = environ.get("XDG_CACHE_HOME", "").strip() or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(home, "plugin-eval-ci", "answers")
