"""Portuguese of Brazil and Portugal."""

from plugin_eval_ci.languages.table import Language

_USE = (
    r"(?:use|usar|usa|usado|usada|use-o|use-a|usa-o|usa-a|usem|utilize|utiliza|utilizar|utilize-o|utilize-a|utilizado"
    r"|utilizada|empregue|empregar)"
)
_CALL = (
    r"(?:invoque|invocar|ative|ativar|active|activar|aplique|aplicar|carregue|carregar|acione|acionar|execute|executar"
    r"|invoca|activa|aplica|recorra a|recorrer a|consulte|consultar|leia|ler|chame|siga)(?:-[ao])?"
)
# "ativa quando", "ideal para" are said of many things: they count of the skill, or where a sentence begins.
_OF_SKILL = (
    r"(?:@(?:e |esta )?(?:muito )?|(?<=\bhabilidade\s)|(?<=\bskill\s)|(?<=\bagente\s)|(?<=\bhabilidade\se\s)"
    r"|(?<=\bskill\se\s)|(?<=,\s))"
)
_ORDER = r"(?:@|(?<=\be\s)|(?<=\bou\s)|(?<=\bdeve\s)|(?<=\bsempre\s)|(?<=,\s))"
_FILL = (
    r"(?: (?:est[ae]|isto|isso|ess[ae]|a|o|habilidade|skill|agente|ferramenta|comando|guia|so|apenas|somente"
    r"|sempre|tambem"
    r"|primeiro|proativamente|pro-ativamente|de forma proativa|imediatamente|automaticamente|principalmente)){0,5}"
)
_TIME = r"(?:quando|sempre que|antes de|depois de|apos|durante|toda vez que|caso|assim que|logo que|uma vez que|diante de|ao)"
_AGENTS = r"(?:sub)?-?agentes?|skills?|habilidades"
_CONDUCT = (
    r"(?:orquestra|orquestrar|coordena|coordenar|despacha|despachar|dirige|dirigir)(?: (?:os|as|varios"
    r"|varias|multiplos|multiplas|outros|outras|o|a|um|uma)){0,3}"
)
_WORDS = (
    "o os as um uma de do da dos das em com para "
    "quando como se ao nao e sempre que por usar use-o utilize utilizar "
    "usado usada tem este esta gatilho gatilhos "
    "acionador acionadores diga digite responde reage produz retorna orquestra coordena veja palavras-chave"
)

PORTUGUESE = Language(
    code="pt",
    opening="Use quando",
    letters="",
    common_words=frozenset(_WORDS.split()),
    triggers=(
        rf"{_USE}{_FILL} {_TIME}",
        rf"(?:@|(?<=\bdeve\sser\s))(?:{_USE}){_FILL} (?:para|se|como|em)",
        rf"(?:usar|utilizar|utilize){_FILL} (?:para|se)",
        rf"{_ORDER}{_CALL}{_FILL} (?:{_TIME}|se)",
        rf"@{_USE}{_FILL} com(?! (?:cuidado|cautela)\b)",
        rf"@(?:sempre|so|somente|apenas|exclusivamente)(?: deve)? (?:{_CALL}|{_USE}){_FILL} (?:{_TIME}|com|para|em|no|na|se)",
        rf"(?:@|e |uso )(?:obrigatori[oa]|imprescindivel|necessari[oa]) (?:{_TIME}|se|em (?:todo|toda|cada)"
        rf"|para (?:todo|toda|cada|qualquer))",
        r"@(?:diga|digite|escreva|responde a|reage a|ativa-se com)(?= [\"“«'])",
        r"@(?:gatilhos?|acionador(?:es)?|palavras-chave)(?=\W{0,3}:|\s{1,3}[-–—]{1,2}\s)",
        rf"{_OF_SKILL}(?:serve|aplica-se) (?:para|quando|se|a)",
        rf"{_OF_SKILL}(?:pensad[oa]|projetad[oa]|feit[oa]|concebid[oa]|relevante|aplicavel|destinad[oa]"
        rf"|pertinente) (?:{_TIME}|se|para|a|em)",
        rf"{_OF_SKILL}(?:ideal|util|adequad[oa]|perfeit[oa]|recomendad[oa]|indicad[oa]|apropriad[oa]) (?:para|quando|se|ao)",
        rf"(?:{_OF_SKILL}|(?<=\bser\s))(?:acionad[oa]|ativad[oa]|carregad[oa])(?: automaticamente)? (?:quando|por|ao|se)",
        rf"{_OF_SKILL}(?:se )?(?:ativa-se|ativa|aciona|dispara)(?: automaticamente)? (?:quando|com|ao|se)",
        r"(?:gatilhos|acionadores|frases de ativacao|palavras de ativacao|@palavras-chave|@casos de uso)(?=\W{0,3}:)",
        r"@quando usar(?=\W{0,3}:)",
    ),
    clauses=(
        r"(?:quando|se|sempre que|caso) (?:o |a |um |uma |os )?(?:usuari[oa]s?|utilizador(?:es)?|alguem|equipe"
        r"|cliente)(?: \w{1,15}){0,2}?"
        r" (?:ped|perg|mencion|quis|quer|precis|diss|diz|solicit|desej|requer|busc|fal)\w{0,10}",
        r"quando (?:voce |se )?(?:precis|quis|quer|for necessario|pedirem|solicit|trabalh)\w{0,10}",
        # A sentence that begins with a situation.
        r"§(?:quando|se|sempre que|toda vez que|cada vez que|assim que|logo que|caso(?! de\b)|em caso de|durante|apos"
        r"|antes d[eoa]s?|depois d[eoa]s?|ao \w{2,20}[aeio]r(?:-\w{1,4})?)(?= [\w\"'(`])",
    ),
    trailing=(),
    # Spanish words as well: the two languages share verbs, and either table may read the other's text.
    negation=r"(?:\bnao|\bno|\bnunca|\bjamais|\bevit[ae]r?|\bsem)(?: (?:se|o|a|deve|debe|deveria|ser|e|de|muito)){0,3}",
    denial=(
        r"(?<!usuario\s)(?<!cliente\s)(?<!equipe\s)\b(?:nao|nunca|jamais|evite|evitar)(?: (?:se|o|a|deve|ser|e)){0,3}"
        r" (?:us|utili|empreg|invo|ativ|acion|aplic|serve|indicad)\w*"
    ),
    # The order is a subjunctive or an infinitive: "não use"; "não usa" tells of the user.
    denied_after=(
        r"[^.!?\n]{0,199}?, (?:por favor |entao )?(?:(?:nao|nunca|jamais) (?:a |o |se )?(?:deve(?:ria)? )?(?:ser )?"
        r"(?:us(?:es?|ad[oa]|ar)|utili(?:zes?|zad[oa]|zar)|empreg(?:ue|ar)|invo(?:que|car)|ati(?:ve|var)|acion(?:e|ar)"
        r"|apli(?:que|car)|serve)\b|evite\b)"
    ),
    refusal=(
        r"(?:@|§)(?:por favor )?(?:nao|nunca|jamais|evit(?:e|ar)|tampouco)",
        r", (?:nao|nunca|jamais) (?:a |o |se )?(?:us|utili|empreg|invo|ativ|acion|apli)\w{1,10}",
    ),
    first_person=(
        r"(?:(?<![\s\S])|(?<=[.!?]\s)|(?<=\n))(?:eu [a-z]{2,20}|(?:te|lhe|vos) (?:ajudo|ajudamos)|posso|podemos|sou|somos|ajudo"
        r"|ajudamos)",
    ),
    separators=("ou",),
    proactive=(r"pro-?a(?:c)?tivamente", r"de (?:forma|maneira|modo) pro-?a(?:c)?tiv[ao]"),
    agent_proactive=(
        rf"{_USE}{_FILL} (?:pro-?ativamente|de (?:forma|maneira) proativa)",
        rf"{_USE} pro-?ativamente",
        rf"pro-?ativamente {_USE}",
    ),
    automatic=(
        r"automatic(?:amente|[oa]s?)",
        r"(?:acionad|ativad|invocad)[oa]",
        r"invo(?:que|car)",
        r"sempre us(?:e|ar)",
        r"use sempre",
    ),
    context=(
        r"(?:ao|para|antes de|depois de|apos) [a-z]{2,20}[aeio]r(?:-\w{1,4})?",
        r"durante (?:o|a|os|as|um|uma)? ?\w{3,20}",
        r"quando (?:se |o |a |um |uma )?\w{3,20}",
    ),
    capital_nouns=False,
    examples=(r"exemplos?", r"(?<!casos\sde\s)(?<!caso\sde\s)uso", r"utilizacao"),
    troubleshooting=(
        r"(?:re)?solucao de (?:problemas|erros)",
        r"problemas (?:comuns|frequentes)",
        r"perguntas frequentes",
        r"erros (?:comuns|frequentes)",
        r"duvidas frequentes",
    ),
    related=(r"relacionad[oa]s?(?! (?:a|ao|com)\b)", r"(?:veja|ver) tambem", r"complement(?:a|am|ar|ares)"),
    output_format=(
        r"saidas?\b[^.\n]{0,60}\bformato",
        r"formato (?:de|da) (?:saida|resposta)",
        r"(?:retorna|devolve)\b[^.\n]{0,60}\bjson",
    ),
    returns=(r"retornam?", r"devolvem?", r"produz(?:em|ir)?", r"gera[mr]?", r"retornar"),
    takes=(r"entradas?", r"receb(?:e|em|er)", r"aceita[mr]?", r"parametros?", r"argumentos?"),
    conduct_stems=("orquestra", "coordena", "despacha", "dirig"),
    orchestrates=(rf"(?<!nao\s){_CONDUCT} (?:\w{{1,20}} )?(?:{_AGENTS})",),
    orchestrates_tasks=(rf"(?:@|(?<=\be\s)|(?<=\bskill\s)|(?<=\bhabilidade\s)){_CONDUCT} (?:sub)?tarefas",),
    compares=(
        r"quando (?:usar|utilizar)",
        r"decis(?:ao|oes)",
        r"comparac(?:ao|oes)",
        r"comparativos?",
        r"vantagens e desvantagens",
        r"pros e contras",
    ),
)
