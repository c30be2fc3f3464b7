"""German. Umlauts are folded to the bare vowel; the spelling with an e (fuer) is listed too."""

from plugin_eval_ci.languages.table import Language

_USE = (
    r"(?:verwende[nt]?|verwenden sie|nutze[nt]?|nutzen sie|benutze[nt]?|gebrauchen|anwenden|eingesetzt"
    r"|einsetzen|einzusetzen|heranziehen|angewendet|anzuwenden|zu verwenden|zu nutzen)"
)
_CALL = (
    r"(?:aktiviere[nt]?|aktiviert|aufrufen|aufgerufen|lade[nt]?|geladen|ausgelost|ausfuhren|starte[nt]?|greift|greife"
    r"|konsultiere[nt]?|wende|rufe|kommt|kommen)"
)
_ORDER = r"(?:@|(?<=\bund\s)|(?<=\boder\s)|(?<=\bskill\s)|(?<=\bagent\s)|(?<=\bimmer\s)|(?<=\bbitte\s)|(?<=,\s))"
_FILL = (
    r"(?: (?:diese[nrs]?|den|die|das|dies|ihn|sie|es|skill|agent|agenten|werkzeug|befehl|fahigkeit|faehigkeit|nur"
    r"|immer|auch|stets"
    r"|ausschliesslich|ausschließlich|vor allem|insbesondere|proaktiv|sofort|automatisch|unbedingt|zuerst|dann|an"
    r"|auf|zu|zum einsatz)){0,5}"
)
_TIME = r"(?:wenn|sobald|falls|immer wenn|jedes mal|bevor|nachdem|wahrend|waehrend|bei|beim|vor|nach|im fall|ehe|sooft)"
_FOR = r"(?:fur|fuer|um|zum|zur|als)"
_CLOSE = (
    r"(?:verwenden|einsetzen|nutzen|benutzen|anwenden|aktivieren|aufrufen|heranziehen|verwendet|genutzt"
    r"|eingesetzt)"
)
_NOT = r"(?:nicht|nie|niemals|keinesfalls|auf keinen fall)"
_SKILL = r"(?:(?:diese[nrs]?|den|der|die) (?:skills?|agenten|agent|fahigkeit|anleitung)|ihn|dies|diese[nrs]?)"
_WHO = (
    r"(?:(?:der|die|ein|eine|den|dem) )?(?:nutzer|nutzerin|benutzer|benutzerin|anwender|anwenderin|user|jemand"
    r"|kunde|team|man|du)"
)
_AGENTS = r"(?:unter|sub)?-?agenten|skills?|fahigkeiten"
_DET = r"(?: (?:die|den|der|mehrere[nr]?|andere[nr]?|weitere[nr]?|einen?|alle)){0,2}"
_CONDUCT = r"(?:orchestrier(?:t|e|en)|koordinier(?:t|e|en)|verteilt|steuert)"
_WORDS = (
    "der die das und wenn fur fuer bei beim mit ein eine einen "
    "mehrere verwenden verwende nutzen nutze einsetzen zum zur ist von nicht den dem "
    "sobald falls im oder stehen siehe ausloser ausloeser stichworter schlusselworter schlagworter verwandte orchestriert koordiniert"
)

GERMAN = Language(
    code="de",
    opening="Verwenden, wenn",
    letters="",
    common_words=frozenset(_WORDS.split()),
    triggers=(
        rf"{_USE}{_FILL},? (?:{_TIME}|{_FOR})",
        rf"{_ORDER}{_CALL}{_FILL},? {_TIME}",
        rf"@{_USE}{_FILL} (?:mit(?! (?:vorsicht|bedacht)\b)|in|im|an|auf|gegen)",
        rf"@(?:nur|immer|stets|ausschließlich|ausschliesslich) (?:{_CLOSE}|{_CALL}|{_USE}|laden)(?:{_FILL}),? (?:{_TIME}|{_FOR}|in|im|mit)",
        rf"(?:@|ist |ist immer )(?:pflicht|verpflichtend|obligatorisch|zwingend|erforderlich),? (?:{_TIME}"
        rf"|fur (?:jede[nsr]?|alle)|fuer (?:jede[nsr]?|alle))",
        r"@(?:sag|sage|sagen sie|tippe|reagiert auf|antwortet auf|hort auf|aufruf mit)(?= [\"“„»'])",
        r"@(?:ausloser|ausloeser|trigger|stichworter|stichwoerter|schlagworter|schlusselworter)(?=\s{1,3}[-–—]{1,2}\s)",
        # "Ereignisse werden ausgelöst, wenn …" is about something else.
        rf"(?:@|(?:skill|agent|es|dieser) (?:wird|kommt|greift|ladt|startet)(?: \w{{1,15}})? |zu )"
        rf"(?:aktiviert|aufgerufen|geladen|ausgelost|gestartet|aktivieren|laden|aufrufen|zum einsatz|kommt){_FILL},? {_TIME}",
        r"(?:eignet|eignen) sich(?: \w{1,20})? (?:fur|fuer|wenn|bei|beim|zum|zur)",
        rf"(?:@|(?<=\bist\s))(?:relevant|anwendbar|zustandig|zustaendig|bestimmt|vorgesehen|entwickelt|gemacht)"
        rf"(?: ist)?,? (?:{_TIME}|fur|fuer)",
        r"(?:ideal|geeignet|nutzlich|nuetzlich|hilfreich|perfekt|empfohlen|gedacht|sinnvoll)(?: ist)?,? (?:fur"
        r"|fuer|wenn|bei|beim|zum|zur)",
        r"(?:ausloser|ausloeser|trigger|stichworter|stichwoerter|@schlusselworter|@schluesselwoerter|@schlagworter"
        r"|@anwendungsfalle|@anwendungsfaelle)(?=\W{0,3}:)",
        r"@wann (?:zu )?(?:verwenden|nutzen|einsetzen|benutzen)(?=\W{0,3}:)",
    ),
    clauses=(
        rf"(?:wenn|sobald|falls|immer wenn) {_WHO}\b[^.\n!?]{{1,80}}? (?:fragt|bittet|erwahnt|erwaehnt|mochte"
        rf"|moechte|will|braucht|benotigt"
        r"|benoetigt|sagt|verlangt|wunscht|wuenscht|sucht|fordert|nennt|meldet)",
        r"(?:wenn|sobald|falls) nach [^.\n!?]{1,60}? gefragt wird",
        # A sentence that begins with a situation.
        r"§(?:wenn|sobald|falls|immer wenn|jedes mal,? wenn|bevor|nachdem|sooft|ehe)(?= \w)",
        r"§(?:wahrend|waehrend|vor|nach|bei) (?:de[rmsn]|eine[rmsn]|jede[rmsn]|einem|aller)(?= \w)",
        r"§beim(?= \w)",
    ),
    trailing=(
        # The verb may close the clause: "Bei Fragen zur Miete verwenden."
        rf"@(?:in|im) [^.\n!?]{{1,100}}? (?:immer|nur|stets) {_CLOSE}",
        rf"@(?:{_TIME}|fur|fuer|zum|zur) [^.\n!?]{{1,100}}? (?<!nicht\s)(?<!nie\s)(?<!niemals\s)(?<!keinesfalls\s)"
        rf"{_CLOSE}",
    ),
    negation=(
        r"(?:\bnicht|\bnie|\bniemals|\bkeinesfalls|\bkaum|\bweniger|\bkeine|\bkein|\bohne)(?: (?:zu|fur|fuer"
        r"|mehr|zum)){0,2}"
    ),
    denial=(
        rf"\b{_NOT} (?:\w{{1,20}} )?(?:{_CLOSE}|geeignet|gedacht|sinnvoll|bestimmt|vorgesehen|relevant)\b|\b{_NOT}(?:,|:)? ?$"
        rf"|\b{_USE} (?:{_SKILL} )?(?:bitte )?{_NOT}\b"
    ),
    denied_after=(
        rf"[^.!?\n]{{0,199}}?(?:, (?:bitte |dann )?(?:{_SKILL} )?(?:bitte |dann )?{_NOT} {_CLOSE}"
        rf"|, (?:bitte |dann )?{_USE} (?:sie )?(?:{_SKILL} )?{_NOT}\b"
        rf"|, (?:ist|gilt|hilft|passt) (?:{_SKILL} )?{_NOT}\b)"
        # Without a comma the situation has no verb of its own: "Bei Regen nicht verwenden."
        rf"|[^.,;!?\n]{{0,150}}? {_NOT} {_CLOSE}(?=\s{{0,3}}(?:[.!;]|$))"
    ),
    refusal=(
        rf"(?:@|§)(?:bitte )?{_NOT}\b",
        rf"{_NOT} {_CLOSE}(?=\s{{0,3}}(?:[.!;,]|$))",
        rf"@(?:{_USE}) (?:sie )?(?:{_SKILL} )?{_NOT}\b",
        rf"@{_SKILL} (?:(?:ist|darf|soll|sollte|bitte) )?{_NOT}\b",
    ),
    first_person=(
        r"(?:(?<![\s\S])|(?<=[.!?]\s)|(?<=\n))(?:ich|wir) (?!(?:mochte|moechte|will|brauche|wollen|brauchen)\b)[a-z]{2,20}",
    ),
    separators=("beziehungsweise", "bzw.", "oder"),
    proactive=(r"proaktiv\w{0,3}", r"vorausschauend"),
    agent_proactive=(rf"{_USE}{_FILL} proaktiv", rf"{_USE} proaktiv", rf"proaktiv {_USE}"),
    automatic=(
        r"automatisch\w{0,2}",
        r"selbsttatig",
        r"ausgelost",
        r"aufgerufen",
        r"immer verwenden",
        r"verwende[nt]? immer",
        r"trigger\w{0,2}",
    ),
    context=(
        r"(?:beim|zum|fur das|fuer das|vor dem|nach dem) [a-z]{3,30}en",
        r"(?:bei|vor|nach|wahrend|waehrend)(?: (?:der|des|dem|einer|eines|einem))? [a-z]{3,30}",
        r"(?:wenn|sobald|falls|um) (?:[a-z]{1,20} )?[a-z]{2,30}",
        r"zur [a-z]{3,30}",
    ),
    capital_nouns=True,
    examples=(r"\w{0,20}beispiele?", r"verwendung", r"benutzung", r"nutzung", r"anwendung"),
    troubleshooting=(
        r"fehlerbehebung",
        r"fehlersuche",
        r"problemlosung(?:en)?",
        r"problembehebung",
        r"(?:haufige|haeufige|bekannte) (?:probleme|fehler|fragen)",
    ),
    related=(r"verwandte[rsn]?", r"siehe auch", r"erganz(?:t|end|ende|enden|ung)", r"zugehorige[rn]?"),
    output_format=(
        r"ausgaben?\b[^.\n]{0,60}\bformat\w{0,2}",
        r"ausgabeformat\w{0,2}",
        r"format der ausgabe",
        r"(?:gibt|liefert)\b[^.\n]{0,60}\bjson",
    ),
    returns=(
        r"gibt\b[^.\n]{1,80}\b(?:zuruck|zurueck|aus)",
        r"liefert",
        r"erzeugt",
        r"erzeugen",
        r"generiert",
        r"erstellt",
    ),
    takes=(r"eingaben?", r"erhalt", r"nimmt\b[^.\n]{1,60}\bentgegen", r"akzeptiert", r"parameter[n]?", r"argumente?"),
    conduct_stems=("orchestrier", "koordinier", "verteilt", "steuert"),
    orchestrates=(rf"{_CONDUCT}(?! nicht\b){_DET} (?:\w{{1,20}} )?(?:{_AGENTS})",),
    orchestrates_tasks=(
        rf"@{_CONDUCT}{_DET} (?:teil)?aufgaben",
        r"(?:skill|agent) (?:verteilt|koordiniert) (?:die )?(?:teil)?aufgaben",
    ),
    compares=(
        r"wann (?:zu )?(?:verwenden|nutzen|einsetzen)",
        r"entscheidung(?:en|shilfe)?",
        r"vergleiche?",
        r"abwagung(?:en)?",
        r"vor- und nachteile",
    ),
)
