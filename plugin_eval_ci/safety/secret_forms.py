"""How keys and tokens look: what precedes them, how long they are, of which characters, and how random."""

import re
from typing import NamedTuple

from plugin_eval_ci.lazy import Lazy


class Form(NamedTuple):
    """One kind of secret."""

    kind: str
    needles: tuple[str, ...]  # one of them is in a text that holds such a secret
    pattern: Lazy  # group 1 is what was drawn at random
    entropy: float  # least bits a character of group 1


_END = r"(?![A-Za-z0-9_-])"
_START = r"(?<![A-Za-z0-9_-])"
FORMS = (
    Form(
        "an AWS access key",
        ("AKIA", "ASIA"),
        Lazy(r"(?<![A-Za-z0-9])(?:AKIA|ASIA)([A-Z2-7]{16})(?![A-Za-z0-9])"),
        2.9,
    ),
    Form(
        "an AWS secret key",
        ("_access_key", "_ACCESS_KEY", "retAccessKey"),
        Lazy(
            r"(?:aws_secret_access_key|SecretAccessKey)[\"']?\s{0,3}[=:]\s{0,3}[\"']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
            re.IGNORECASE,
        ),
        4.1,
    ),
    Form(
        "a GitHub token",
        ("ghp_", "gho_", "ghs_", "ghu_"),
        Lazy(rf"{_START}gh[pous]_([A-Za-z0-9]{{36}}){_END}"),
        3.9,
    ),
    Form(
        "a GitHub token",
        ("github_pat_",),
        Lazy(rf"{_START}github_pat_([A-Za-z0-9]{{22}}_[A-Za-z0-9]{{59}}){_END}"),
        4.3,
    ),
    Form("a GitLab token", ("glpat-",), Lazy(rf"{_START}glpat-([A-Za-z0-9_-]{{20}}){_END}"), 3.4),
    Form(
        "a Slack token",
        ("xox",),
        Lazy(rf"{_START}xox[abeoprs]-(?:\d{{8,14}}-){{1,3}}([A-Za-z0-9]{{20,64}}){_END}"),
        3.4,
    ),
    Form(
        "a Slack token", ("xapp-",), Lazy(rf"{_START}xapp-\d-[A-Z0-9]{{8,14}}-\d{{8,14}}-([a-f0-9]{{64}}){_END}"), 3.3
    ),
    Form(
        "a Slack webhook",
        ("hooks.slack.com",),
        Lazy(rf"hooks\.slack\.com/services/T[A-Z0-9]{{7,12}}/B[A-Z0-9]{{7,12}}/([A-Za-z0-9]{{24}}){_END}"),
        3.5,
    ),
    Form("a Google API key", ("AIza",), Lazy(rf"{_START}AIza([A-Za-z0-9_-]{{35}}){_END}"), 3.9),
    Form("a Google client secret", ("GOCSPX-",), Lazy(rf"{_START}GOCSPX-([A-Za-z0-9_-]{{28}}){_END}"), 3.7),
    Form(
        "an OpenAI key",
        ("sk-",),
        Lazy(rf"{_START}sk-(?:proj-|svcacct-|admin-)?([A-Za-z0-9_-]{{20,90}}T3BlbkFJ[A-Za-z0-9_-]{{20,90}}){_END}"),
        4.0,
    ),
    Form(
        "an OpenAI key",
        ("sk-",),
        Lazy(rf"{_START}sk-(?:proj|svcacct|admin)-([A-Za-z0-9_-]{{40,200}}){_END}"),
        4.3,
    ),
    Form("an OpenAI key", ("sk-",), Lazy(rf"{_START}sk-([A-Za-z0-9]{{48}}){_END}"), 4.4),
    Form("an Anthropic key", ("sk-",), Lazy(rf"{_START}sk-ant-[a-z]{{3,8}}\d\d-([A-Za-z0-9_-]{{80,120}}){_END}"), 4.4),
    Form("a Stripe live key", ("_live_",), Lazy(rf"{_START}[sr]k_live_([A-Za-z0-9]{{24,120}}){_END}"), 3.6),
    Form("an npm token", ("npm_",), Lazy(rf"{_START}npm_([A-Za-z0-9]{{36}}){_END}"), 3.9),
    Form(
        "a PyPI token",
        ("pypi-Ag",),
        Lazy(rf"{_START}pypi-AgE(?:IcHlwaS5vcmc|NdGVzdC5weXBpLm9yZw)([A-Za-z0-9_-]{{60,250}}){_END}"),
        4.2,
    ),
    Form("a Hugging Face token", ("hf_",), Lazy(rf"{_START}hf_([A-Za-z]{{34}}){_END}"), 3.9),
)
JWT = Lazy(rf"{_START}(eyJ[A-Za-z0-9_-]{{10,400}})\.(eyJ[A-Za-z0-9_-]{{16,4000}})\.([A-Za-z0-9_-]{{32,1400}}){_END}")
KEY_BEGINS = Lazy(r"-----BEGIN (?:(?:RSA|EC|DSA|OPENSSH|ENCRYPTED|PGP) )?PRIVATE KEY(?: BLOCK)?-----")
