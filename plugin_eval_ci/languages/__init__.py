"""The wording of skills in the supported languages: pure functions over text, one table a language.

A new language is a new table listed in ``LANGUAGES``. Patterns are compiled on first use; tables of languages that a
text cannot be in are not read at all.
"""

from plugin_eval_ci.languages.cues import Trigger, only_denies, says_when, trigger
from plugin_eval_ci.languages.description import (
    contexts,
    first_person,
    has_agent_proactive,
    has_automatic,
    has_proactive,
    has_specific_context,
)
from plugin_eval_ci.languages.prose import (
    compares,
    declares_orchestrator,
    documents_output_format,
    is_examples_heading,
    is_troubleshooting_heading,
    may_conduct,
    mentions_related,
    says_returns,
    says_takes,
)
from plugin_eval_ci.languages.reading import LANGUAGES, count_cjk, weighted_length
from plugin_eval_ci.languages.support import is_supported, language_of
from plugin_eval_ci.languages.table import Language

__all__ = [
    "LANGUAGES",
    "Language",
    "Trigger",
    "compares",
    "contexts",
    "count_cjk",
    "declares_orchestrator",
    "documents_output_format",
    "first_person",
    "has_agent_proactive",
    "has_automatic",
    "has_proactive",
    "has_specific_context",
    "is_examples_heading",
    "is_supported",
    "is_troubleshooting_heading",
    "language_of",
    "may_conduct",
    "mentions_related",
    "only_denies",
    "says_returns",
    "says_takes",
    "says_when",
    "trigger",
    "weighted_length",
]
