"""Which language a text is in, and whether it has a table: rules about wording stay silent for the others."""

from plugin_eval_ci.languages.en import ENGLISH
from plugin_eval_ci.languages.reading import count_cjk, fold, languages_of, raw
from plugin_eval_ci.languages.table import Language

# Letters of Latin alphabets that no supported language has (Turkish, Polish, Czech, Hungarian, Romanian, Vietnamese …).
_OTHER_LETTERS = "[ğĞışİŞłŁżŻźŹąĄęĘśŚćĆńőŐűŰđĐơƠưƯăĂěĚřŘůŮťŤďĎčČšŠžŽțȚșȘåÅøØæÆạảấầậắặếềệịọốộớợụứừựỳỹ]"
_OTHER_SCRIPTS = (
    r"[\u0370-\u03ff\u0400-\u052f\u0530-\u058f\u0590-\u077f\u0900-\u0dff\u0e00-\u0eff\u10a0-\u10ff\u1780-\u17ff]"
)
_LATIN = "[A-Za-zÀ-ɏ]"
# Very common words that tell a language; those shared by both sides are left out.
_OURS = (
    "the and for with of to when use this that from or el y los las para "
    "cuando por uma dos das não ao les des pour une dans avec et lorsque "
    "du der die und für mit wenn bei zum oder ein eine"
)
_ENGLISH = "the and for with of to when this that from or is are it in on by an"
_THEIRS = (
    "ve için ile bir olarak veya bu gibi olan kullanılır oraz jest dla lub gdy nie och att "
    "för är som när eller til av når het een voor wanneer van niet gli della delle che "
    "sono nel degli questa questo di nella nei nelle sugli negli dello dai "
    "lo và của cho khi untuk dan dengan yang atau ketika jestli pokud "
    "nebo která és az hogy și pentru când sau "
    "amb els quan aquest aquesta seva mitjançant ja kun tai sekä että ovat käytä varten jos kanssa "
    "bij deze wordt worden zijn naar gebruik om dat vanuit och med den eller som fra ikke brug bruk på av"
)


def is_supported(text: str) -> bool:
    """Whether the text is, as far as script and common words tell, in a language with a table; True when in doubt."""
    if text.isascii() and not _foreign_words(text):
        return True
    others = len(raw(_OTHER_SCRIPTS).findall(text))
    latin = len(raw(_LATIN).findall(text))
    cjk = count_cjk(text)
    if others > cjk and others * 3 > latin:
        return False
    if cjk * 5 > latin:
        return True
    letters = len(raw(_OTHER_LETTERS).findall(text))
    ours = _count(text, frozenset(_OURS.split()))
    return not (_foreign_words(text) or (letters >= 2 and ours * 2 <= letters))


def language_of(text: str) -> Language:
    """The language that most of the text is in; English when in doubt."""
    folded = fold(text)
    words = [word.strip("*,.;:()\"'") for word in folded.split()]
    english = _ENGLISH.split()
    best, most = ENGLISH, max(1, sum(word in english for word in words))
    mostly_cjk = count_cjk(text) * 5 > len(raw(_LATIN).findall(text))
    for language in languages_of(folded):
        if language.letters and mostly_cjk:
            return language
        count = 0 if language.letters else sum(word in language.common_words for word in words)
        if count > most:
            best, most = language, count
    return best


def _foreign_words(text: str) -> bool:
    theirs = _count(text, frozenset(_THEIRS.split()))
    return theirs > 0 and theirs > _count(text, frozenset(_OURS.split()))


def _count(text: str, words: frozenset[str]) -> int:
    return sum(word.strip(",.;:()'\"") in words for word in text.lower().split())
