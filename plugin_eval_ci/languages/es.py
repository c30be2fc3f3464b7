"""Spanish."""

from plugin_eval_ci.languages.table import Language

_USE = (
    r"(?:usa|usar|use|usese|usarse|usalo|usala|uselo|usela|usarlo|usarla|utiliza|utilice|utilizar|utilizarse|utilizalo"
    r"|utilizala|utilicelo|utilizarlo|emplea|emplear|empleese|emplealo)"
)
_CALL = (
    r"(?:invoca|invocar|invoque|activa|activar|active|aplica|aplicar|aplique|carga|cargar|cargue|ejecuta|ejecutar"
    r"|consulta|consultar|consulte|recurre a|recurrir a|recurra a|acude a|llama a|lee|leer)(?:l[ao]s?|se)?"
)
# "se activa cuando", "ideal para" are said of many things: they count of the skill, or where a sentence begins.
_OF_SKILL = (
    r"(?:@(?:es |esta )?(?:muy )?|(?<=\bhabilidad\s)|(?<=\bskill\s)|(?<=\bagente\s)|(?<=\bhabilidad\ses\s)"
    r"|(?<=\bskill\ses\s)|(?<=,\s))"
)
_ORDER = r"(?:@|(?<=\by\s)|(?<=\bo\s)|(?<=\bdebes\s)|(?<=\bdebe\s)|(?<=\bsiempre\s)|(?<=,\s))"
_FILL = (
    r"(?: (?:est[ae]|esto|la|el|habilidad|skill|agente|herramienta|comando|guia|solo|siempre|tambien|unicamente"
    r"|primero|aqui|proactivamente|de forma proactiva|de manera proactiva|inmediatamente|automaticamente|sobre todo)){0,5}"
)
_TIME = r"(?:cuando|siempre que|antes de|despues de|durante|tras|cada vez que|en caso de|en cuanto|tan pronto como|apenas|una vez que|ante)"
_AGENTS = r"(?:sub)?agentes?|skills?|habilidades"
_CONDUCT = (
    r"(?:orquesta|orquestar|coordina|coordinar|despacha|despachar|dirige|dirigir)(?: (?:a|los|las|varios"
    r"|varias|multiples|otros|otras|el|la|un|una)){0,3}"
)
_WORDS = (
    "el la los las lo un una de del en con para cuando como "
    "se su si al por y es que no usa usar usalo utiliza utilizar "
    "utilice emplea uselo varios ver este esta activadores disparadores orquesta coordina palabras"
)

SPANISH = Language(
    code="es",
    opening="Usar cuando",
    letters="",
    common_words=frozenset(_WORDS.split()),
    triggers=(
        rf"{_USE}{_FILL} (?:{_TIME}|para|si|al|como|en)",
        rf"{_ORDER}{_CALL}{_FILL} (?:{_TIME}|si)",
        rf"@{_USE}{_FILL} con(?! (?:cuidado|precaucion)\b)",
        rf"@(?:siempre|solo|unicamente|exclusivamente)(?: se)?(?: debe)? (?:{_CALL}|{_USE}"
        rf"|activad[oa]){_FILL} (?:{_TIME}|con|para|en|al|si)",
        rf"(?:@|es |uso )(?:obligatori[oa]|imprescindible|necesari[oa]) (?:{_TIME}|si|en (?:todo|toda|cada)"
        rf"|para (?:todo|toda|cada|cualquier))",
        r"@(?:di|diga|dile|escribe|responde a|reacciona a|se activa con)(?= [\"“«'])",
        r"@(?:activador(?:es)?|disparador(?:es)?|desencadenantes?|palabras clave)(?=\W{0,3}:|\s{1,3}[-–—]{1,2}\s)",
        rf"(?:@|(?<=\bser\s))(?:usad[oa]|utilizad[oa]|invocad[oa]|activad[oa]) {_TIME}",
        rf"{_OF_SKILL}sirve (?:para|cuando|si)",
        rf"{_OF_SKILL}(?:pensad[oa]|disenad[oa]|hech[oa]|concebid[oa]|relevante|aplicable|destinad[oa]"
        rf"|pertinente) (?:{_TIME}|si|para|a|en)",
        rf"{_OF_SKILL}(?:ideal|util|adecuad[oa]|perfect[oa]|recomendad[oa]|indicad[oa]|apropiad[oa]) (?:para|cuando|si|al)",
        rf"(?:{_OF_SKILL}|(?<=\by\s))se (?:activa|carga|aplica|invoca|dispara)(?: automaticamente)? (?:cuando|con|al|si|ante)",
        r"(?:activadores|disparadores|desencadenantes|frases de activacion|palabras de activacion|@palabras clave"
        r"|@casos de uso)(?=\W{0,3}:)",
        r"@cuando usar(?:lo|la)?(?=\W{0,3}:)",
    ),
    clauses=(
        r"(?:cuando|si|siempre que|cada vez que) (?:el |la |un |una |los )?(?:usuari[oa]s?|alguien|equipo"
        r"|cliente)(?: \w{1,15}){0,2}?"
        r" (?:pid|pregunt|mencion|quier|necesit|dig|dic|solicit|dese|requier|busqu|busc|habl)\w{0,10}",
        r"cuando (?:se |te |le )?(?:necesit|quier|pid|trabaj|haya que|sea necesario|solicit|pregunt|mencion)\w{0,10}",
        # A sentence that begins with a situation.
        r"§(?:cuando|si|siempre que|cada vez que|en cuanto|apenas|tan pronto como|en caso de|durante|tras|antes de"
        r"|despues de|al (?:momento|\w{2,20}[aei]r(?:l[aoe]s?|se)?))(?= [\w\"'(`])",
    ),
    trailing=(),
    negation=(
        r"(?:\bno|\bnao|\bnunca|\bjamas|\bevit[ae]r?|\bevite|\btampoco|\bsin)(?: (?:se|lo|la|debe|debes"
        r"|deberia|hay que|es|de|muy)){0,3}"
    ),
    denial=(
        r"(?<!usuario\s)(?<!cliente\s)(?<!equipo\s)\b(?:no|nunca|jamas|evita|evite|evitar)(?: (?:se|lo|la|debe|debes|es)){0,3}"
        r" (?:us|utili|emple|invo|activ|aplic|sirve|apto)\w*"
    ),
    # The order is a subjunctive or an infinitive: "no la uses"; "no usa" tells of the user.
    denied_after=(
        r"[^.!?\n]{0,199}?, (?:por favor |entonces )?(?:(?:no|nunca|jamas) (?:la |lo |se )?(?:debe(?:s|ria)? |hay que )?"
        r"(?:us(?:es?|ar\w{0,4})|utili(?:ces?|zar\w{0,4})|emple(?:es?|ar\w{0,4})|invo(?:ques?|car\w{0,4})"
        r"|acti(?:ves?|var\w{0,4})|apli(?:ques?|car\w{0,4})|sirve|aplica)\b|evit(?:a|e|ar)(?:l[ao])?\b)"
    ),
    refusal=(
        r"(?:@|§)(?:por favor )?(?:no|nunca|jamas|evit(?:a|e|ar)(?:l[ao])?|tampoco)",
        r", (?:no|nunca|jamas) (?:la |lo |se )?(?:us|utili|emple|invo|activ|apli)\w{1,10}",
    ),
    first_person=(
        r"(?:(?<![\s\S])|(?<=[.!?]\s)|(?<=\n))(?:(?:yo|nosotros) [a-z]{2,20}|(?:te|os|le|les) (?:ayudo|ayudamos|ayudare|guio)"
        r"|puedo|podemos|soy|somos|ayudamos)",
    ),
    separators=("o bien", "o", "u"),
    proactive=(r"pro-?activamente", r"de (?:forma|manera|modo) pro-?activ[ao]"),
    agent_proactive=(
        rf"{_USE}{_FILL} (?:proactivamente|de (?:forma|manera) proactiva)",
        rf"{_USE} proactivamente",
        rf"(?:proactivamente|de (?:forma|manera) proactiva) {_USE}",
        rf"{_USE} de (?:forma|manera) proactiva",
    ),
    automatic=(
        r"automatic(?:amente|[oa]s?)",
        r"se (?:activa|invoca|dispara)",
        r"invoca(?:r|do|da)?",
        r"usa(?:r)? siempre",
        r"siempre usa(?:r)?",
    ),
    context=(
        r"(?:al|para|antes de|despues de|tras) [a-z]{2,20}[aei]r(?:lo|los|la|las|se)?",
        r"durante (?:el|la|los|las|un|una)? ?\w{3,20}",
        r"cuando (?:se |el |la |un |una )?\w{3,20}",
    ),
    capital_nouns=False,
    examples=(r"ejemplos?", r"(?<!casos\sde\s)(?<!caso\sde\s)uso", r"utilizacion"),
    troubleshooting=(
        r"(?:re)?solucion de (?:problemas|errores)",
        r"problemas (?:comunes|frecuentes|habituales)",
        r"preguntas frecuentes",
        r"errores (?:comunes|frecuentes)",
        r"resolucion de problemas",
    ),
    related=(r"relacionad[oa]s?(?! con\b)", r"(?:ver|vea|vease) tambien", r"complement(?:a|an|aria|ario|arias|arios)"),
    output_format=(
        r"salidas?\b[^.\n]{0,60}\bformato",
        r"formato (?:de )?(?:la )?(?:salida|respuesta)",
        r"devuelve\b[^.\n]{0,60}\bjson",
    ),
    returns=(r"devuelven?", r"devolver", r"produce[n]?", r"genera(?:r|n)?", r"retornan?"),
    takes=(r"entradas?", r"recib(?:e|en|ir)", r"acepta[nr]?", r"parametros?", r"argumentos?"),
    conduct_stems=("orquesta", "coordina", "despacha", "dirig"),
    orchestrates=(rf"(?<!no\s){_CONDUCT} (?:\w{{1,20}} )?(?:{_AGENTS})",),
    orchestrates_tasks=(rf"(?:@|(?<=\by\s)|(?<=\bskill\s)|(?<=\bhabilidad\s)){_CONDUCT} (?:sub)?tareas",),
    compares=(
        r"cuando (?:usar|utilizar)",
        r"decision(?:es)?",
        r"comparacion(?:es)?",
        r"comparativas?",
        r"ventajas y desventajas",
        r"pros y contras",
    ),
)
