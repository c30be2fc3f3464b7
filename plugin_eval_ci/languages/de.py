"""German. Umlauts are folded to the bare vowel; the spelling with an e (fuer) is listed beside it."""

from plugin_eval_ci.languages.table import Language

_USE = (
    r"(?:verwende[nt]?|verwenden sie|nutze[nt]?|nutzen sie|benutze[nt]?|gebrauchen|anwenden|eingesetzt"
    r"|einsetzen|einzusetzen|heranziehen|angewendet)"
)
_CALL = (
    r"(?:aktiviere[nt]?|aktiviert|aufrufen|aufgerufen|lade[nt]?|geladen|ausgelost|ausfuhren|starte[nt]?|greift|greife)"
)
_FILL = (
    r"(?: (?:diese[nrs]?|den|die|das|dies|ihn|sie|es|skill|agent|agenten|werkzeug|befehl|fahigkeit|faehigkeit|nur"
    r"|immer|auch|stets"
    r"|ausschliesslich|ausschließlich|vor allem|insbesondere|proaktiv|sofort|automatisch|unbedingt)){0,5}"
)
_TIME = r"(?:wenn|sobald|falls|immer wenn|jedes mal|bevor|nachdem|wahrend|waehrend|bei|beim|vor|nach|im fall|ehe|sooft)"
_FOR = r"(?:fur|fuer|um|zum|zur|als)"
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
    "sobald falls im oder stehen siehe ausloser ausloeser stichworter verwandte orchestriert koordiniert"
)

GERMAN = Language(
    code="de",
    letters="",
    common_words=frozenset(_WORDS.split()),
    triggers=(
        rf"{_USE}{_FILL},? (?:{_TIME}|{_FOR})",
        rf"{_CALL}{_FILL},? {_TIME}",
        r"(?:ideal|geeignet|nutzlich|nuetzlich|hilfreich|perfekt|empfohlen|gedacht|sinnvoll)(?: ist)?,? (?:fur"
        r"|fuer|wenn|bei|beim|zum|zur)",
        r"(?:ausloser|ausloeser|trigger|stichworter|stichwoerter)(?=\W{0,3}:)",
        r"@wann (?:zu )?(?:verwenden|nutzen|einsetzen|benutzen)(?=\W{0,3}:)",
    ),
    clauses=(
        rf"(?:wenn|sobald|falls|immer wenn) {_WHO}\b[^.\n!?]{{1,80}}? (?:fragt|bittet|erwahnt|erwaehnt|mochte"
        rf"|moechte|will|braucht|benotigt"
        r"|benoetigt|sagt|verlangt|wunscht|wuenscht|sucht|fordert|nennt|meldet)",
        r"(?:wenn|sobald|falls) nach [^.\n!?]{1,60}? gefragt wird",
    ),
    trailing=(
        # The verb may close the clause: "Bei Fragen zur Miete verwenden."
        rf"@(?:{_TIME}|fur|fuer|zum|zur) [^.\n!?]{{1,100}}? (?<!nicht\s)(?<!nie\s)(?<!niemals\s)"
        r"(?:verwenden|einsetzen|nutzen|benutzen|anwenden|aktivieren|aufrufen|heranziehen|verwendet|genutzt"
        r"|eingesetzt)",
    ),
    negation=(
        r"(?:\bnicht|\bnie|\bniemals|\bkeinesfalls|\bkaum|\bweniger|\bkeine|\bkein|\bohne)(?: (?:zu|fur|fuer"
        r"|mehr|zum)){0,2}"
    ),
    denial=r"\b(?:nicht|nie|niemals|keinesfalls)\b",
    denied_after=(
        r"\b(?:nicht|nie|niemals|keinesfalls) (?:verwenden|nutzen|benutzen|einsetzen|anwenden|aktivieren"
        r"|aufrufen)"
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
