"""Whether a sentence sends its reader to a path, or says that the path is made, missing, an example or somebody else's."""

import re

from plugin_eval_ci.analysis.resolve import sentence
from plugin_eval_ci.analysis.resolve.sentence import SIGN, Place, plain
from plugin_eval_ci.util.lazy import Lazy

_MADE_BEHIND = (
    r"(?:(?:is|are|was|were|will be|gets?|be|being|has been|have been|had been)(?: \w+)? |to be |\()(?:newly |auto-?)?"
    r"(?:created?|written|generated|saved|produced|added|new|output|planned|example|to be \w+)\b"
    r"|[-–—:] ?(?:planned|to be \w+|generated|created)\b|as (?:an )?output|used to\b|formerly|replaces\b"
    r"|(?:wird|wurde|werden|wurden)\b.{0,20}(?:erstellt|erzeugt|angelegt|geschrieben|gespeichert|entfernt"
    r"|gelöscht|ersetzt|umbenannt|verschoben)|(?:zu )?(?:anlegen|erstellen|erzeugen|schreiben|speichern"
    r"|ablegen|löschen|angelegt|erstellt)\b"
    r"|(?:est|sera|a été|sont|ont été)\b.{0,12}(?:créé|généré|écrit|enregistré|supprimé|remplacé|renommé"
    r"|déplacé)|(?:se (?:crea|genera|guarda|escribe|eliminó)|(?:será|fue|es|está|foi|é"
    r"|ha sido)\b.{0,12}(?:cread|generad|guardad|escrit|eliminad|reemplazad|renombrad|criad|gerad|salv|removid"
    r"|substituíd|renomead|movid|obsolet))"
    r"|(?:ファイル|スキル|フォルダ|ディレクトリ|という\S{0,6})?\s*(?:を|に|へ|として|は"
    r"|が)(?:(?!使|用い|読|参照|従|実行|呼)[^。、]){0,12}(?:作成|生成|書き込|書き出|書きます|保存|出力|追加|新規|削除"
    r"|廃止|移動|置き換|置き|置く|配置)|という名前"
    r"|(?:파일|스킬|폴더)?\s*(?:을|를|에|로|으로|은|는|이|가)?(?:(?!사용|이용|통해|참조|참고|읽|따라|호출"
    r"|실행)[^.,]){0,12}(?:생성|만들|만드|작성|저장|출력|추가|삭제|폐기|이동|대체)"
    r"|(?:文件|目录|技能|文件夹)?\s*(?:将|会|已|已经|被|中|里|是)[^。,，]{0,8}(?:创建|生成|写入|删除|移除"
    r"|废弃|弃用|替换|重命名|移动|新增|创建的)|\(已"
)
_GONE_BEHIND = (
    r"(?:(?:is|are|was|were|be|being|has been|have been|had been)(?: \w+)? |\(|[-–—:] ?)"
    r"(?:removed|deleted|renamed|moved|merged|replaced|deprecated|retired|superseded|dropped|split|gone)\b|no longer"
)
_IF = {
    "before": r"\b(?:if|when|where|wherever|unless|whether)\s+(?:it |they |this |that |there |(?:the |a |such a "
    r"|that )?(?:file|skill|agent|folder) )?"
    r"(?:is |are )?(?:already )?(?:present|available|installed|exists?|provided|one)\b"
    r"|\boptional(?:ly)?\b[^,.;]{0,24}$|\bfalls (?:vorhanden|verfügbar|installiert)|\bwenn (?:vorhanden|verfügbar)"
    r"|\bs'il existe|\bsi (?:existe|está|disponible)|\bse (?:existir|houver|disponível)"
    r"|\b(?:would|could|might)\b[^,.;]{0,30}$|如果存在|若存在|如有|可选|(?:存在する|ある)場合|あれば|있으면|있는 경우|선택",
    "behind": r"(?:if|when|where|unless|whether|in case|once)\s*(?:it |they |that |this |the \w+ |one "
    r"|you have it )?(?:is |are |has been )?(?:present|available|installed|exists?|there|defined|configured"
    r"|provided|found|enabled|missing)\b"
    r"|(?:exists?|do(?:es)? not exist|doesn't exist|is (?:present|missing|available|installed|not)"
    r"|are (?:present|missing)|isn't|would|could|might|can be|may be|may not)\b|\(?\s*\(?(?:optional"
    r"|if (?:it exists|present|available|installed|any)|when present)"
    r"|(?:falls|wenn|sofern)\b.{0,16}(?:vorhanden|existiert|verfügbar|installiert)|s'il (?:existe|est)"
    r"|si (?:présent|disponible|existe|está)|se (?:existir|houver|disponível|estiver)|\((?:opcional|facultatif"
    r"|facultative|可选|可選|任意|オプション|선택|选填)"
    r"|(?:是否)?存在|が(?:存在|ある|あれば|ない)|があれば|가 (?:있|없|존재)|이 (?:있|없|존재)|(?:existe"
    r"|existiert|vorhanden)\b|\(?存在する場合",
}
NOT = Lazy(
    r"(?:(?:\b(?:never|do not|don't|must not|mustn't|should not|shouldn't|cannot|can't|not|won't|nunca|jamás"
    r"|no|não|nicht|nie|niemals|jamais|ne)\s(?:[\w-]+\s){0,2}|\bn['’])"
    r"|\b(?:avoid|instead of|rather than|without|stop|vermeide|statt|ohne|évitez|sans|au lieu d[e']|evita"
    r"|evite|sin|sem|en lugar de|em vez de)\s|(?:不要|请勿|切勿|勿|别|禁止|避免|不得|不应|不能|無需|无需|不用)\S{0,2})$",
    2,
)
NOT_ANY = Lazy(
    r"\b(?:never|not|don't|avoid|without|nunca|jamás|não|nicht|nie|jamais|kein\w*|no longer|unlike|if|when"
    r"|whether|was|were|been)\b|不要|请勿|切勿|禁止|避免|如果|若",
    2,
)
_NOT_BEHIND = (
    r"nicht\b|pas\b|しない|を使わない|ではなく|は(?:使用しない|不要|禁止)|(?:을|를)? ?(?:사용하지|참조하지"
    r"|쓰지)|대신|[^。.]{0,6}(?:しないで|しません|하지 마)"
)
STOP = Lazy(
    r"\b(?:such as|like|instead of|rather than|unlike|than|versus|vs|not|never|niemals|nie|keinesfalls|nunca|pas|jamais|nicht|named|called"
    r"|titled|your|their|the user'?s|project'?s|formerly|previously|replac(?:e|es|ing)|as opposed to"
    r"|similar to"
    r"|llamad[oa]|chamad[oa]|nommée?|namens|como|comme|wie|tu|su|seu|sua|votre|ton|dein|ihr)\b|例如|比如|诸如|名为|类似"
    r"|你的|您的|用户的",
    2,
)
EXAMPLE = Lazy(
    r"(?<!\w)(?:e\.g\.?|i\.e\.|for example|for instance|as an example|examples?\s*(?:\([^)]*\))?\s*:|(?:an?"
    r"|one) example of|hypothetical\w*|imagine|suppose|say,|fictional|zum beispiel|z\. ?b\.|beispielsweise"
    r"|beispiel:|p\. ?ej\.|por ejemplo|ejemplo:"
    r"|p\. ?ex\.|por exemplo|exemplo:|par exemple|exemple\s?:)|例如|比如|譬如|示例|举例|例[:：]|例えば|たとえば|예[:：]|예를 들|예시"
    r"|(?:good|bad|wrong|right|correct|incorrect|before|after|anti-?pattern|don'?ts?|dos?)\s*:\s|[❌✗✘🚫⛔]"
    r"|(?:坏|错误|正确|反例|悪い例|良い例|나쁜 예|좋은 예|malo|incorrecto|ruim|errado|mauvais|schlecht"
    r"|falsch)\s*[:：]|(?<!\w)NG[:：]",
    2,
)
_EXAMPLE_BEHIND = r"(?:\(|, |as an? |is an? )?(?:for )?(?:example|instance)\b|などの?|のような|같은|之类|等等|\(例"
ELSEWHERE = Lazy(
    r"\b(?:in|of|from|inside|within|into)\s+(?:the |a |your |their )?(?:user(?:'s|s')?|target|consuming"
    r"|host|client'?s?|customer'?s?|your|their) "
    r"(?:own )?(?:project|repo(?:sitory)?|codebase|workspace|app)\b|github\.com/|gitlab\.com/"
    r"|\bupstream(?:'s)? (?:repo\w*|project|skill|plugin)\b"
    r"|\b(?:another|other|separate|different|external|sibling) (?:\w+ )?(?:repo(?:sitory)?|project"
    r"|marketplace)\b|\b(?:repo|repository|dépôt|repositorio|repositório)\s+[\[`]*(?!skills?/|agents/"
    r"|references?/|scripts/|assets/)[\w.-]+/[\w.-]+|\b(?:in|from|of|en|de|em|dans"
    r"|aus)\s+(?:the\s+)?[\[`]+(?!(?:skills?|sub-skills|agents|commands|references?|scripts|assets|docs|src"
    r"|lib|config|tests?|apps?|packages|plugins|bin|tmp|data|public|examples?|templates?|resources?)/)[\w.-]+/[\w.-]+[\]`]+"
    r"|(?:用户|你的|您的|目标)(?:的)?项目|ユーザーの?プロジェクト|사용자의? ?프로젝트|(?:tu|su|seu|votre|ton|dein\w*|ihr\w*"
    r"|meine\w*) (?:proyecto|projeto|projet|projekt|repo\w*)\b|(?:仓库|倉庫|リポジトリ|저장소)\s*[\[`]*[\w.-]+/[\w.-]+",
    2,
)
TREE = Lazy(r"[├└│┬╰]")
ARROW_BEFORE = Lazy(SIGN + r"\W{0,3}(?:→|->|=>|⇒|➜)\s*$")
ARROW_BEHIND = Lazy(r"\W{0,3}(?:→|->|=>|⇒|➜)\s*[`\w.*" + SIGN + "]")
_HEAD = (
    r"[\s`*_)\]\"'”」’,;(–—-]*?(?:(?:the\s)?(?:skill|agent|file|folder|directory|guide|document|page"
    r"|one)s?\b,?\s*)?(?:which |that |now |und |and it )?\s*"
)
IF_BEFORE = Lazy(_IF["before"], 2)
SILENT_BEHIND = Lazy(_HEAD + "(?:" + "|".join((_IF["behind"], _MADE_BEHIND, _EXAMPLE_BEHIND, _NOT_BEHIND)) + ")", 2)
EXAMPLE_BEHIND = Lazy(_EXAMPLE_BEHIND, 2)
GONE_BEHIND = Lazy(_HEAD + "(?:" + _GONE_BEHIND + ")", 2)


_LIST = Lazy(
    rf"(?:{SIGN}[`\"'”）)]*\s*(?:\([^()]*\)\s*)?(?:,|、|，|;|/|&|\+|und|oder|and|or|then|et|ou|y|o|e|plus|和|或|以及|与|と|や|및|와|과|또는)"
    r"[\s,]*(?:and |or |then |also |the |und |puis |et |y |e )*)+\Z",
    2,
)
_SMALL = (
    r"(?:the|a|an|this|our|both|el|la|los|las|le|les|l'|un|una|une|o|os|as|do|da|no|na|der|die|das|den|dem|des"
    r"|zur|zum|at|in|under|from|of|by|en|em|im|à|au|to"
    r"|(?:sub-?)?skills?|agents?|file|files|folder|directory|guide|reference|references|reading|background"
    r"|script|template|workflow|instructions|steps|doc|docs|página|archivo|arquivo|fichier|datei|fertigkeit"
    r"|habilidad|habilidade|compétence|agente|技能|文件|技能文件|代理|スキル|스킬)"
)
_MARKS = r"[\s:：*_(\[“\"'「《–—-]*"
_WORDS = rf"(?:{_MARKS}{_SMALL}(?![\w-]))*"
_GAP = Lazy(rf"{_WORDS}{_MARKS}\Z", 2)
_NOUN_GAP = Lazy(rf"{_WORDS}(?:\s*[\w-]+)?{_WORDS}{_MARKS}\Z", 2)
_CJK_GAP = Lazy(r"[^\x00-\x7f]{0,6}\s*\Z")
_SOURCE = Lazy(r"\b(?:from|aus|desde|depuis)\s*$", 2)
_BREAK = Lazy(r"[.!?;|。！？；，]|, ")
_CLAUSE = Lazy(r"[,;:，；：]\s?|\s[–—-]\s|(?<!\w)(?:but|and then|then|sondern|mais|pero|mas)\s|但|而是")
_RELATED = Lazy(
    r"related|required|prerequisite|see also|depend(?:s|encies)|next steps?|further reading|read (?:next"
    r"|first)|integrat|hand-?offs?|works with|verwandte|voraussetzung|siehe auch"
    r"|voir aussi|associé|liées?|relacionad|véase|veja|requerid|相关|依赖|参考|另见|関連|必須|前提|参照|관련|필수|참고",
    2,
)
_SHELL_MAKES = Lazy(r"(?:\bmkdir(?: -p)?|\btouch|>|\btee|\b(?:cp|mv)\b.*) *[\"']?(?:\./)?\Z")
_PLACES = 40  # of one path that are looked at
_REACH = 200
_MOST = 60  # letters between a word and the path it governs


def is_instruction(place: Place, strict: bool = False, file: bool = False) -> bool:
    """Whether a word governs the path that tells to go there. ``strict``: right before it; ``file``: it can only be a file's."""
    before = _LIST().sub("", place.before)
    if sentence.TOLD_BEHIND().match(place.after) or (file and is_copied(place.before)):
        return True
    lead = _last(sentence.LEAD(), before)
    if lead is not None and not NOT().search(before[: lead[0]]):
        gap = before[lead[1] :]
        if _GAP().fullmatch(gap) or (not strict and _governs(gap)):
            return True
    close = _last(sentence.CLOSE(), before)
    if close is None or NOT().search(before[: close[0]]) or not _GAP().fullmatch(before[close[1] :]):
        return False
    word = before[close[0] : close[1]].lower()
    if strict and word not in ("then", "next", "afterwards", "via", "required", "related"):
        return False
    if word in sentence.ONLY_FILES and not file:
        return False
    clause = before[: close[0]]
    return word in sentence.INSTRUMENT or not sentence.MAKE().search(
        clause[max((m.end() for m in _CLAUSE().finditer(clause)), default=0) :]
    )


def has_reading_heading(place: Place) -> bool:
    """Whether the heading or line above the list says that its items are to be read, used or known."""
    intro = plain(place.intro)
    if (
        not intro
        or EXAMPLE().search(intro.rstrip(" :：*") + " ")
        or sentence.MAKE().search(intro)
        or STOP().search(intro)
    ):
        return False
    if _RELATED().search(intro):
        return True
    lead = _last(sentence.LEAD(), intro)
    return lead is not None and intro.rstrip().endswith((":", "：")) and not NOT().search(intro[: lead[0]])


def is_exempt(place: Place, loosely: bool = False) -> bool:
    """Whether the sentence says that the path is made, may be missing, is gone, an example, or somebody else's.

    ``loosely``: nothing tells to go there, so that any such word of the sentence counts.
    """
    before, after = place.before, place.after
    if TREE().search(place.line) or EXAMPLE().search(before) or EXAMPLE().search(plain(place.line[:120])[:24]):
        return True
    if SILENT_BEHIND().match(after) or IF_BEFORE().search(before) or ELSEWHERE().search(place.sentence):
        return True
    if ARROW_BEFORE().search(before) or ARROW_BEHIND().match(after) or is_made(before):
        return True
    if not loosely:
        return False
    if is_gone(place):  # a sentence that sends the reader to what was renamed is all the more wrong
        return True
    clause = before[max((m.end() for m in _CLAUSE().finditer(before)), default=0) :]
    return (
        any(pattern().search(clause) for pattern in (sentence.MAKE, STOP, NOT_ANY))
        or sentence.MAKE().search(after) is not None
    )


def is_gone(place: Place) -> bool:
    """Whether the words behind the path say that it was removed or renamed."""
    return GONE_BEHIND().match(place.after) is not None


def is_made(before: str) -> bool:
    """Whether a word that makes, moves or removes governs the path: at most an article and a noun stand between."""
    before = _LIST().sub("", before)
    make = _last(sentence.MAKE(), before)
    if make is None or is_copied(before):
        return False
    lead = _last(sentence.LEAD(), before)
    if lead is not None and lead[0] >= make[1]:
        return False
    gap = before[make[1] :]
    if len(gap) > _MOST or _SOURCE().search(gap):
        return False
    return bool(_NOUN_GAP().fullmatch(gap) or _CJK_GAP().fullmatch(gap))


def is_copied(before: str) -> bool:
    """Whether the path is what is copied ("copy `assets/a.md` to …"), not where it is copied to."""
    return sentence.COPIED().search(before) is not None


def is_made_in_shell(text: str, path: str) -> bool:
    """Whether a command of the text makes the path, or something below it."""
    path = path.rstrip("/")
    at = text.find(path) if path else -1
    for _ in range(_PLACES):
        if at < 0:
            return False
        behind = text[at + len(path) : at + len(path) + 1]
        if not (behind.isalnum() or behind in ("_", "-")) or not behind:
            start = max(0, at - _REACH)
            if _SHELL_MAKES().search(text[max(start, text.rfind("\n", start, at) + 1) : at]):
                return True
        at = text.find(path, at + len(path))
    return False


def is_example(text: str) -> bool:
    """Whether a text introduces an example."""
    return EXAMPLE().search(text) is not None


def is_example_behind(after: str) -> bool:
    """Whether what follows says that it was an example."""
    return EXAMPLE_BEHIND().match(after.lstrip(" `)\"',")) is not None


def _governs(gap: str) -> bool:
    return len(gap) <= _MOST and not (_BREAK().search(gap) or sentence.MAKE().search(gap) or STOP().search(gap))


def _last(pattern: re.Pattern[str], text: str) -> tuple[int, int] | None:
    found = None
    for match in pattern.finditer(text):
        found = match.span()
    return found
