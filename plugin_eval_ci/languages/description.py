"""What a description tells the model about when to pick the skill (contract 3.1, 3.8 and MISSING_TRIGGER)."""

from plugin_eval_ci.languages.cues import QUOTED, affirmed, negated, unquoted
from plugin_eval_ci.languages.reading import compiled, fold, languages_of, marked, mask_abbreviations, raw
from plugin_eval_ci.languages.table import Language

_PUNCTUATION = r"[;；，、؛]|,(?!\d)|(?<!\d),|\n\s{0,20}[-*•]\s"
_NO_ITEM = frozenset({"etc", "usw", "and", "and more", "or", "等", "など", "_____"})
# A file type or a name: an extension, a glob, an acronym, a capital within a word.
_FILE = (
    r"(?:(?<![\w.])|\*)\.[a-z][a-z0-9]{1,5}\b|\b[A-Z][A-Z0-9]{1,7}s?\b|\b[A-Za-z]{1,20}[a-z0-9][A-Z]\w{0,20}"
    r"|\b\w{1,20}\.(?:js|py|md|io|ai|json|ya?ml)\b"
)
_CAPITAL = r"(?<=[a-z,][ \n])[A-Z][a-z]{2,20}\b"
_LATIN_NAME = r"[A-Za-z][A-Za-z0-9.+#-]{1,30}"
_SHOUTED = (
    "ANY ALL ALWAYS AND BEFORE AFTER DO FIRST IF IN IS IT MUST NEVER NOT NO ON ONLY OR "
    "PROACTIVELY THE THIS TO USE  WHEN"
)


def contexts(text: str) -> int:
    """The items after the first one in each sentence with a trigger phrase.

    They are counted from the trigger on, or from the sentence's start when the trigger closes it. Items in brackets
    and bullets count; a quotation is one item whatever it holds.
    """
    folded = mask_abbreviations(fold(text))
    scopes = ((folded[match.listed_from : match.listed_to], match.language) for match in affirmed(text))
    return sum(max(0, _count_items(scope, language) - 1) for scope, language in scopes)


def has_proactive(text: str) -> bool:
    """Whether it says "proactively"."""
    return _says("proactive", text)


def has_agent_proactive(text: str) -> bool:
    """Whether it says "use proactively", as an agent's description does."""
    return _says("agent_proactive", text)


def first_person(text: str) -> str:
    """The words with which a sentence speaks as "I" or "we", such as "I can"; empty when none does."""
    folded = fold(text)
    calm = unquoted(mask_abbreviations(folded))
    for language in languages_of(folded):
        pattern = compiled(language.code, "first_person")
        match = pattern.search(calm) if pattern else None
        if match is not None:
            return text[match.start() : match.end()]
    return ""


def has_automatic(text: str) -> bool:
    """Whether it says that the skill comes by itself or is always used."""
    return _says("automatic", text)


def has_specific_context(text: str) -> bool:
    """Whether it says when doing what, or names a file type or a product after the trigger phrase."""
    if _says("context", text, negatable=False):
        return True
    return any(_names(text[match.listed_from : match.listed_to], match.language) for match in affirmed(text))


def _says(field: str, text: str, negatable: bool = True) -> bool:
    folded = fold(text)
    for language in languages_of(folded):
        pattern = compiled(language.code, field)
        for match in pattern.finditer(folded) if pattern else ():
            if not (negatable and negated(language, folded, match.start())):
                return True
    return False


def _count_items(scope: str, language: Language) -> int:
    unquoted = raw(QUOTED).sub("_____quoted", scope)
    words = "|".join(language.separators)
    words = f"(?:{words})" if language.letters else rf"\b(?:{words})(?!\w)"
    items = raw(f"{_PUNCTUATION}|{words}").split(unquoted)
    denial = marked(f"(?:{language.denial})|not for")
    return sum(_is_item(item) and not denial.match(item.strip()) for item in items)


def _is_item(item: str) -> bool:
    bare = item.strip(" \t\n.:()[]*\"'-")
    return any(map(str.isalnum, bare)) and bare not in _NO_ITEM


def _names(scope: str, language: Language) -> bool:
    if language.letters:
        return raw(_LATIN_NAME).search(scope) is not None
    shouted = frozenset(_SHOUTED.split())
    if any(word not in shouted for word in raw(_FILE).findall(scope)):
        return True
    return not language.capital_nouns and raw(_CAPITAL).search(scope) is not None
