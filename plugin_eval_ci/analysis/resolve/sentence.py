"""What the words around a path say: use it, or that it is made, missing, an example, or somebody else's.

One table a language, each by the same headings; both the references to other skills and those to bundled files are judged by them. The
word that governs a path is the last one before it (behind it, in Japanese, Korean and at the end of a German sentence).
"""

from typing import NamedTuple

from plugin_eval_ci.util.lazy import Lazy

SIGN = "\ufffc"  # stands for a link, inline code or another path

# Tells the reader to open, run or go to what comes next.
_READ = {
    "en": r"see(?: also)?|read(?:ing)?|uses?|using|follow(?:s|ing)?|load(?:s|ing)?|invok(?:e|es|ing)|call(?:s"
    r"|ing)?(?! it\b)|open|consult"
    r"|refer(?:s|ring)? (?:back )?to|run(?:s|ning)?|execut(?:e|es|ing)|apply|activate|check|review|study|learn"
    r"|(?:continue|continues|go on|proceed|carry on)(?: on)? (?:with|in|at|to)|go to|switch to|jump to"
    r"|start (?:with|from)|begin with"
    r"|hand(?:s|ing|ed)?(?: \w+){0,3}?(?: over| off| back)?(?: \w+){0,2}? (?:to|with)|(?:delegat(?:e|es|ing)"
    r"|pass(?:es|ing)?|escalate|route|forward|dispatch|defer|chain)"
    r"(?: [\w-]+){0,3}? to|launch|spawn|(?:described|documented|listed|defined|explained|covered|detailed"
    r"|given|found|provided|included|bundled|available|shown|details?|examples?|more) in|according to"
    r"|depend(?:s|ing)? on|requires|based on",
    "de": r"siehe(?: auch)?|lies|lesen sie|nutzen?|nutze|benutzen?|verwenden?|verwende|folge[nt]?|lade[n]?|öffne[n]?"
    r"|rufe|konsultiere|weiter (?:mit|in)|fahre(?: sie)? (?:mit|fort mit)"
    r"|übergib(?: \w+){0,3}? an|übergeben sie(?: \w+){0,3}? an|delegiere[n]?(?: \w+){0,3}? an|führe|gemäß|laut"
    r"|beschrieben in",
    "fr": r"voir(?: aussi)?|voyez|lis(?:ez)?|lire|utilise[rz]?|suis|suivez|suivre|charge[rz]?|ouvre[rz]?|ouvrir"
    r"|invoque[rz]?|consulte[rz]?|exécute[rz]?|lance[rz]?|continue[rz]? avec"
    r"|délègue[rz]? à|confie[rz]?(?: \w+){0,3}? à|passe[rz]?(?: \w+){0,3}? à|reporte[rz]?[- ]vous à|selon"
    r"|décrite?s? dans",
    "es": r"véase|vea|ver|consult[ae]r?|lee|lea|leer|us[ae]r?|utili[cz][ea]r?|sig[ua]e?|siga|seguir|carg(?:a|ue|ar)"
    r"|abre|abra|invo(?:ca|que|car)|ejecut[ae]r?|continú[ae] (?:con|en)"
    r"|deleg(?:a|ue)(?: \w+){0,3}? (?:en|a)|pas[ae](?: \w+){0,3}? a|según|descrit[oa]s? en",
    "pt": r"veja(?: também)?|ver|consulte|leia|ler|us[ae]r?|utilize|siga|carregue|abra|invoque|execute|rode"
    r"|continue (?:com|em)|delegue(?: \w+){0,3}? (?:a|ao|à|para)"
    r"|passe(?: \w+){0,3}? (?:a|ao|à|para)|segundo|conforme|descrit[oa]s? em",
}
_READ_CJK = {
    "zh": "使用|采用|阅读|閱讀|读取|讀取|请读|參閱|参阅|参考|參考|参见|參見|参照|查看|加载|載入|调用|調用|遵循"
    "|按照|依照|详见|詳見|请见|請見|(?<![常意看])见|运行|運行|执行|執行|打开|打開|转到|转入|继续|交给"
    "|交給|委托给|委派给|通过|依赖于",
    "ja": "参照[:：]|詳細は|関連[:：]|読む[:：]",
    "ko": "참조[:：]|참고[:：]|관련[:：]",
}
# The same, but only right before the path.
_NEAR = {
    "en": r"then|next|afterwards|required|requires?|related|via|with|from|through|per|in|prerequisites?|sub-?skill",
    "de": r"dann|danach|anschließend|erforderlich|verwandt|über|mit|aus|in",
    "fr": r"puis|ensuite|requis|associée?s?|liée?s?|via|avec|dans",
    "es": r"luego|después|requerid[oa]s?|relacionad[oa]s?|mediante|vía|con|en",
    "pt": r"então|depois|em seguida|requerid[oa]s?|necessári[oa]s?|relacionad[oa]s?|via|com|em",
}
_NEAR_CJK = {
    "zh": "然后|然後|接着|接下来|相关技能|相关|必需|需要|用",
    "ja": "次に|その後|関連スキル|必須|続いて",
    "ko": "다음으로|그다음|이후|관련 스킬|필수",
}
INSTRUMENT = frozenset(
    {"from", "aus", "via", "through", "per", "mediante", "vía", "über"}
)  # what these name is used, whatever else is made
ONLY_FILES = frozenset({"in", "from", "en", "em", "dans", "aus", "per"})  # too weak for what need not be a file

# What comes to be, moves or goes.
_MAKE = {
    "en": r"creat(?:e|es|ed|ing)|writ(?:e|es|ing|ten)|sav(?:e|es|ed|ing)|generat(?:e|es|ed|ing)|produc(?:e|es|ed"
    r"|ing)|scaffold\w*|outputs?|outputting|add(?:s|ed|ing)?|puts?|putting"
    r"|plac(?:e|es|ed|ing)|install\w*|cop(?:y|ies|ied|ying)|mov(?:e|es|ed|ing)|renam(?:e|es|ed|ing)|delet(?:e"
    r"|es|ed|ing)|remov(?:e|es|ed|ing)|stor(?:e|es|ed|ing)|append\w*|emit\w*|record(?:s|ed|ing)?"
    r"|exports?|exporting|updat(?:e|es|ed|ing)|commit(?:s|ted|ting)?|edit(?:s|ed|ing)?|import(?:s|ed|ing)?"
    r"|fork\w*|build(?:s|ing)?|mkdir|into|new|make|makes|making",
    "de": r"erstell\w*|erzeug\w*|schreib\w*|speicher\w*|leg(?:e|en|t)|generier\w*|anleg\w*|füg\w*|verschieb\w*"
    r"|kopier\w*|lösch\w*|neue[rsn]?",
    "fr": r"cré(?:e[rz]?|ez)|écri[rstvez]\w*|enregistre[rz]?|génère[rz]?|générez|générer|ajoute[rz]?|place[rz]?"
    r"|déplace[rz]?|renomme[rz]?|supprime[rz]?|copie[rz]?|nouve(?:au|lle)s?",
    "es": r"cre(?:a|e|ar|ando)|escrib[aei]r?\w*|guard(?:a|e|ar)|gener(?:a|e|ar)|añad[aei]r?|coloc?(?:a|ar)|coloque"
    r"|copi(?:a|e|ar)|muev[ae]|renombr[ae]r?|elimin[ae]r?|nuev[oa]s?",
    "pt": r"cri(?:a|e|ar|ando)|escrev[ae]r?|salv(?:a|e|ar)|guard(?:a|e|ar)|ger(?:a|e|ar)|adicion(?:a|e|ar)|coloque"
    r"|copi(?:a|e|ar)|mov[ae]r?|renomei[ae]|remov[ae]r?|nov[oa]s?",
}
_MAKE_CJK = {
    "zh": "创建|新建|建立|生成|写入|写到|保存|输出|添加|放入|放到|存入|存到|复制到|移动到|重命名|删除|創建|新增"
    "|寫入|寫到|儲存|輸出|刪除|产生",
    "ja": "作成|生成|書き込|保存|出力|追加|新規|削除|移動|配置",
    "ko": "생성|만들|작성|저장|출력|추가|삭제|이동",
}
# What is copied is there already; where it is copied to is not.
COPIED = Lazy(
    r"(?<![\w-])(?:cop(?:y|ies|ying)|duplicate|kopier(?:e|en|t)|copie[rz]?|copia[r]?)"
    r"(?:\s+(?:the|this|our|both|file|script|template|starter|example|die|das|Datei|Vorlage|Skript"
    r"|l[ae]|el|o|a|fichier|modèle|archivo|plantilla|arquivo|modelo))*[\s:：*_(\[“\"']*\Z",
    2,
)
READ_BEHIND = (
    rf"(?:{SIGN}[\s、,，/]*+(?:(?:と|や|及び|および|와|과|및)\s*+)?)*(?:スキル|ファイル|エージェント|스킬|파일|에이전트|の\w{{1,8}})?"
    r"\s*(?:を|に|へ|で|も|을|를|로|으로|에게|에|도)\s?[^。、.,]{0,10}?"
    r"(?:参照|読|使|従|呼び出|実行|ロード|開|確認|引き継|委譲|委任|渡|ご覧|見て|続け|進|참조|참고|사용|읽"
    r"|따르|따라|호출|실행|로드|열|확인|위임|넘기|넘겨|전달|이어)"
)


def _latin(table: dict[str, str]) -> str:
    return r"(?<![\w-])(?:" + "|".join(table.values()) + r")(?![\w-])"


LEAD = Lazy(_latin(_READ) + "|" + "|".join(_READ_CJK.values()), 2)
CLOSE = Lazy(_latin(_NEAR) + "|" + "|".join(_NEAR_CJK.values()), 2)
MAKE = Lazy(_latin(_MAKE) + "|" + "|".join(_MAKE_CJK.values()), 2)
TOLD_BEHIND = Lazy(r"[`\s」』\")）]*+" + READ_BEHIND)


_BEGINS = Lazy(r"\s*(?:[-*+•]\s|\d+[.)]\s|#|>|\||```|~~~|<)")
_ITEM = Lazy(r"\s*(?:>\s*)*(?:[-*+•]\s|\d+[.)]\s|\|)")
_BULLET = Lazy(r"^\s*(?:>\s*)*(?:[-*+•]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")
_END = Lazy(r"[.!?]['\"”)*_]*\s|[。！？]|\s\|\s|^\s*\|")
_SHORT = Lazy(r"(?:(?<!\w)\w|(?<!\w)(?:e\.g|i\.e|ej|ex|etc|vs|bzw|ca|approx|no|nr))$", 2)
_SIGNED = Lazy(
    r"!?\[[^\[\]]*\](?:\([^()\s]*\)|\[[^\[\]]*\])|(`+)[^`]+\1"
    r"|(?<![\w/@])@?(?:\$\{?\w+\}?/)?(?:\.{0,2}/)?[\w.~-]+(?:/[\w.-]+)+/?",
    256,
)
_LABEL = 48  # letters before a path that may still be the label of a list item
_BLANKS = Lazy(r"\s{2,}")
_UP = 3  # lines of a paragraph that are looked back and ahead


class Place(NamedTuple):
    """What stands around a path in its sentence; links, code and other paths are one sign each."""

    before: str
    after: str
    sentence: str  # with the path, as written
    line: str
    intro: str = ""  # what introduces the list that the path is an item of
    listed: bool = False


def sentence_around(lines: list[str], row: int, start: int, end: int) -> Place:
    """The sentence around ``lines[row][start:end]``, which may go on over the lines of its paragraph."""
    line = lines[row]
    before, after = line[:start], line[end:]
    top = row
    while top > 0 and row - top < _UP and not _BEGINS().match(lines[top]) and _text(lines[top - 1]):
        top -= 1
        before = f"{lines[top].strip()} {before}"
    low = row
    while (
        low + 1 < len(lines)
        and low - row < 2
        and not line.lstrip().startswith("|")
        and _text(lines[low])
        and _more(lines[low + 1])
    ):
        low += 1
        after = f"{after} {lines[low].strip()}"
    before = before[-400:]
    before = before[_last_end(before) :]
    after = after[: _first_end(after[:300])]
    listed = _ITEM().match(lines[top]) is not None
    head = plain(_BULLET().sub("", before).rstrip("`@"))
    intro = ""
    if listed and len(head.strip()) < _LABEL:
        intro = _intro(lines, top)
    elif not listed and not head.strip():
        intro = _above(lines, top)
    # Runs of blanks say nothing, and the patterns that judge a sentence take them to the third power.
    head, behind = (_BLANKS().sub(" ", text) for text in (head, plain(after.lstrip("`"))))
    return Place(head, behind, f"{before}{line[start:end]}{after}", line, intro, listed)


def _above(lines: list[str], row: int) -> str:
    """The line above a paragraph, if it announces it with a colon."""
    line = next((lines[at] for at in range(row - 1, max(-1, row - 4), -1) if lines[at].strip()), "").rstrip(" *_")
    return line if line.endswith((":", "：")) else ""


def _text(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith(("#", "|", "```", "~~~", "---", "***", "<"))


def _more(line: str) -> bool:
    return _text(line) and not _BEGINS().match(line)


def plain(text: str) -> str:
    """A text with one sign for each link, piece of inline code and path."""
    return _SIGNED().sub(SIGN, text).replace("*", "").replace("[", "").replace("](", " (")


def _last_end(text: str) -> int:
    at = 0
    for match in _END().finditer(text):
        if match[0][0] not in ".!?" or not _SHORT().search(text[: match.start()]):
            at = match.end()
    return at


def _first_end(text: str) -> int:
    for match in _END().finditer(f"{text} "):
        if match[0][0] not in ".!?" or not _SHORT().search(text[: match.start()]):
            return match.start() + 1
    return len(text)


def _intro(lines: list[str], row: int) -> str:
    """The heading or the line with a colon above a list; the head of a table."""
    table = lines[row].lstrip().startswith("|")
    head = ""
    for at in range(row - 1, max(-1, row - 40), -1):
        line = lines[at]
        if table and line.lstrip().startswith("|"):
            head = line
        elif line.strip() and not _ITEM().match(line) and not line.startswith((" ", "\t")):
            words_ = line.rstrip(" *_")
            return f"{words_} {head}" if words_.endswith((":", "：")) or line.startswith("#") else head
    return head
