"""How much a body says that its own headings and the phrases of any instruction do not: the difference between a skill and its outline.

English only: words of other languages count as said, so that nothing is claimed about them.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache

_WORD = re.compile(r"[^\W_][\w+#./-]*")
_CJK = "\u3040"
_ENDINGS = ("ations", "ation", "ments", "ment", "ings", "ing", "ies", "ied", "ed", "es", "ly", "s", "e", "y")

# Words that every instruction could hold whatever it is about, and the Latin of dummy text. By stem.
_GENERIC = """
a about above accept accomplish according accordingly account accurate achieve across act action actionable activity
actual actually ad add additional additionally address adequate adipiscing adjust advance advanced advice affect after
again align aligned aliqua aliquip all along already also alternative always amet an analyse analysis analyze and anim
another answer any anyone anything applicable apply approach appropriate are area arise around as ask aspect assess
assessment assist assistance assistant assume at attention audience aute available avoid aware away bar based bash basic
baz be because become been before begin behave being below benefit best better between beyond both brief bring broad
build but by call can capability care careful carefully carry case category cause center certain change characteristic
check choice choose cillum clarify clarity clean clear clearly close code collaborate collect combine come comment
commodo common communicate compare complement complementary complete complex complexity component comprehensive concept
concern concise conclude condition conduct confirm consectetur consequat consider consideration consistency consistent
constraint consult contain content context continue contribute control convey correct cost cover create creation
criteria critical crucial culpa cupidatat current custom customize data deal decide decision deep define deliver
deliverable demonstrate depend describe description deserunt design desired detail detailed determine develop did
different difficult direct directly discuss do document documentation does dolor dolore domain done draft drive duis
during ea each early easy echo edge effective effectiveness efficiency efficient effort either eiusmod element elit else
enable encounter encourage end engage enhance enim enough ensure entire especially esse essential est establish
established et eu evaluate even every everyone everything evidence ex exact example excellence excellent excepteur
execute exercitation exist existing expect expected experience expert expertise explain explanation explicit explore
express extra facilitate factor fail failure familiar feature feedback few field file final finalize finally find
finding finish first fit fix flexible flow focus follow following foo for form format found foundation framework from
fugiat full function functionality fundamental further gain gather general get give go goal good great group guarantee
guidance guide guideline had handle happen hard has have he help helpful here high highlight highly his hold how however
id idea ideal identify if ignore illustrate impact implement implementation implication important improve improvement in
incididunt include incorporate increase indicate individual industry inform information initial input insight inspect
instance instead instruction integrate intend intended interest into introduce introduction investigate invite involve
involved ipsum irure is issue it item iterate iteration its itself job json just keep key kind know knowledge labore
laboris laborum lack last later lead learn least less lesson let level leverage like likely limit limitation list little
logical long look loop lorem low made magna main maintain major make manage manner many markdown master material matter
maximize may me mean meaning meaningful measure meet mention message method methodology might mind minim minimize minor
miss mistake mode modern mollit monitor more most move much multiple must my name natural necessary need never new next
nisi no non none nor normal nostrud not note nothing notice now nulla number objective observe obtain obvious occaecat
of off offer officia official often ok okay old on once one only open operate operation opportunity optimal optimise
optimize option or order organize other otherwise our out outcome output over overall overview own pariatur part
particular party pass path people per perfect perform performance person perspective phase piece place plan planning
please point possible potential practical practice precise prefer preference prepare present previous principle prior
prioritize priority proactive proactively probably problem procedure proceed process produce product professional
progress proident project proper properly propose prove provide pull purpose put python quality question qui quick
quickly quis quite raise range rather reach read ready real reason reasonable recap receive recent recommend
recommendation refer reference refine regular relate related relationship relevant reliable remain remember repeat
report reprehenderit represent request require requirement research resolve resource respect respond response
responsibility result return review revise right risk robust role root routine rule run safe same sample satisfactory
satisfied satisfy save say scenario scope second section sed see seem select send sense separate serve set setup several
shape share short should show significant similar simple simplify simply since single sint sit situation size skill
small smart so solid solution solve some someone something sometimes soon source speak special specific specify stage
stakeholder standard start state statement status stay step still stop strategy strength strong structure structured
study style subject submit success successful such sufficient suggest suggestion suit suitable summarize summary sunt
support sure system systematic tailor take target task team technical technique tell template tempor term text than that
the their them then there these they thing think third this thorough those though through throughout time timeline
timely tip to together too tool top topic total toward track transparent treat trigger troubleshoot true try turn two
txt type typical typically ullamco unclear under understand understanding unexpected unless until up update upon us
usage use useful user usual usually ut valid validate valuable value variety various velit veniam verify version very
via view voluptate want was way we well were what when whenever where wherever whether which while who whole whom whose
why wide will wish with within without word work workflow world would write wrong yaml yes yet you your yourself
"""


def said(lines: Iterable[str], known: Iterable[str], enough: int) -> int:
    """How many different words the lines hold that are neither generic nor in ``known`` texts; counting ends at ``enough``."""
    words, stems = _generic()
    own = set(map(stem, _words("\n".join(known)).difference(words)))
    met: set[str] = set()
    seen: set[str] = set()
    for line in lines:
        # Sets of whole lines first: most words are generic or were met, and a look at each of them is what costs.
        fresh = _words(line).difference(words, met)
        met |= fresh
        for word in fresh:
            if word[0] >= _CJK:  # no spaces between words there: two characters stand for one
                seen.update(word[place : place + 2] for place in range(0, len(word), 2))
                continue
            form = stem(word.strip("./-"))
            if len(form) > 1 and form not in stems and form not in own:
                seen.add(form)
        if len(seen) >= enough:
            return enough
    return len(seen)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


@cache
def _generic() -> tuple[frozenset[str], frozenset[str]]:
    """The words that every instruction could hold, and their stems."""
    words = frozenset(_GENERIC.split())
    return words, frozenset(map(stem, words))


@lru_cache(maxsize=16_384)  # bodies share most of their words
def stem(word: str) -> str:
    """A word without its commonest endings: rough, and the same for both sides of a comparison."""
    if not word.endswith(_ENDINGS):
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
