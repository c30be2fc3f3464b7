"""The shape of a language: one table holds every phrase the measures look for.

A phrase is a regular expression over *folded* text (lower case, no accents, straight apostrophes), so tables are
written that way. Three marks keep them readable: a blank stands for any white space or emphasis asterisks, ``@`` for
the beginning of a sentence, a bracket or the like, and ``§`` for the beginning of a sentence, a bullet or a part after
a colon, a semicolon or a dash and nothing else. Gaps are bounded and a repeated group starts with a blank, which keeps matching linear.
"""

from typing import NamedTuple

Phrases = tuple[str, ...]


class Language(NamedTuple):
    """One language. A field left empty never matches."""

    code: str  # BCP 47 primary tag
    opening: str  # what to advise: how a sentence that says when begins; … stands for the situation where it comes before the verb
    letters: str  # character class that a text in this language must hold; empty for an alphabet shared with English
    common_words: frozenset[str]  # for Latin scripts but English: the table is read only when a text has one of these

    triggers: Phrases  # what tells the model to pick the skill; the contexts follow: "use when"
    clauses: (
        Phrases  # a condition without that verb, whose denial may stand elsewhere in the sentence: "when the user asks"
    )
    trailing: Phrases  # the verb closes the sentence and the contexts stand before it: 時に使用
    negation: str  # ends right before a trigger that it denies: "do not"
    denial: str  # anywhere in the sentence before a clause or a trailing trigger that it denies: "don't use"
    denied_after: str  # denies a clause or a trailing trigger, read from its end on: ", do not use this", 使用しない
    refusal: Phrases  # makes its sentence one that says when not to use the skill

    first_person: Phrases  # a sentence that begins with the speaker: "I can help you"
    separators: Phrases  # words between list items; punctuation is shared by all languages
    proactive: Phrases  # "proactively"
    agent_proactive: Phrases  # "use this agent proactively"
    automatic: Phrases  # "automatically", "invoke", "always use"
    context: Phrases  # when, for or during + doing something
    capital_nouns: bool  # every noun has a capital, so a capital is no sign of a product name

    examples: Phrases  # titles of an examples section
    troubleshooting: Phrases  # titles of a troubleshooting section
    related: Phrases  # "related", "see also", "companion"
    output_format: Phrases  # "output ... format", "returns ... JSON" in one line
    returns: Phrases  # "returns", "produces"
    takes: Phrases  # "input", "accepts"
    conduct_stems: Phrases  # plain substrings, one of which every line below holds: cheaper than a pattern a line
    orchestrates: Phrases  # conducts agents or skills
    orchestrates_tasks: Phrases  # conducts tasks or workers, which scheduling software does as well
    compares: Phrases  # "when to use", "trade-off"
