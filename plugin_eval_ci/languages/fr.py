"""French."""

from plugin_eval_ci.languages.table import Language

_USE = r"(?:utilise[rz]?|utilisee?s?|employe[rz]?|sert)"
_CALL = (
    r"(?:invoque[rz]?|active[rz]?|applique[rz]?|charge[rz]?|declenche[rz]?|lance[rz]?|appele[rz]?"
    r"|consulte[rz]?|recour(?:ir|ez)|lire|lisez|fai(?:re|s|tes) appel)(?:-l[ae])?"
)
# "se déclenche quand", "idéal pour" are said of many things: they count of the skill, or where a sentence begins.
_OF_SKILL = (
    r"(?:@(?:c'est |elle est |il est )?(?:tres )?|(?<=\bcompetence\s)|(?<=\bskill\s)|(?<=\bagent\s)"
    r"|(?<=\bcompetence\sest\s)|(?<=\bskill\sest\s)|(?<=,\s))"
)
_ORDER = r"(?:@|(?<=\ba\s)|(?<=\bet\s)|(?<=\bou\s)|(?<=\bfaut\s)|(?<=\bdoit\s)|(?<=\btoujours\s)|(?<=,\s))"
_FILL = (
    r"(?: (?:a|cette|cet|ce|la|le|l'|d'abord|competence|skill|agent|outil|commande|guide|uniquement|seulement|toujours|aussi"
    r"|egalement"
    r"|de (?:maniere|facon) proactive|proactivement|immediatement|automatiquement|surtout|notamment|competences)){0,5}"
)
_TIME = (
    r"(?:quand|lorsque|lorsqu(?=')|avant|apres|pendant|lors|durant|des que|des qu(?=')|en cas|chaque fois"
    r"|a chaque|au moment|aussitot que|une fois)"
)
_AGENTS = r"(?:sous-)?agents?|skills?|competences?"
_CONDUCT = (
    r"(?:orchestre[rz]?|coordonne[rz]?|repartit|repartir|dirige[rz]?|delegue[rz]?)(?: (?:a|aux|les|des"
    r"|plusieurs|d'autres|le|la|un|une)){0,3}"
)
_WORDS = (
    "le la les l' des une un du de pour quand lorsque "
    "utiliser utilisez utilise avec dans et en au aux est sur ou "
    "si lors ce cette plusieurs voir declencheurs orchestre coordonne mots-cles"
)

FRENCH = Language(
    code="fr",
    opening="À utiliser quand",
    letters="",
    common_words=frozenset(_WORDS.split()),
    triggers=(
        rf"{_USE}{_FILL} (?:{_TIME}|si|s'il|s'ils)",
        rf"(?:@|(?<=\ba\s))utilise[rz]?{_FILL} (?:pour|afin|comme|dans|en)",
        rf"{_ORDER}{_CALL}{_FILL} (?:{_TIME}|si)",
        r"(?:@|(?<=\ba\s))utilise[rz]?" + _FILL + r" (?:avec(?! (?:prudence|precaution)\b)|sur|face)",
        rf"@(?:toujours|seulement|uniquement|n')? ?(?:toujours )?(?:{_CALL}|utilise[rz]?) (?:toujours|uniquement|seulement|que)"
        rf" (?:{_TIME}|si|pour|dans|avec|en|sur)",
        rf"@(?:toujours|uniquement|seulement) (?:{_CALL}|utilise[rz]?){_FILL} (?:{_TIME}|si|pour|dans|avec|en|sur)",
        rf"(?:@|est |usage )(?:obligatoire|indispensable|imperati(?:f|ve)|requise?) (?:{_TIME}|si|pour (?:tout|toute|chaque))",
        r"@(?:dites|dis|tapez|repond a|reagit a|se declenche avec)(?= [\"“«'])",
        r"@(?:declencheurs?|mots-cles|mots cles)(?=\s{1,3}[-–—]{1,2}\s)",
        rf"{_OF_SKILL}(?:convient|s'applique|sert) (?:pour|a|aux|au|si|{_TIME})",
        rf"{_OF_SKILL}(?:concue?|pensee?|faite?|destinee?|prevue?|pertinente?|applicable|necessaire)"
        rf" (?:pour|a|aux|au|si|{_TIME})",
        rf"{_OF_SKILL}(?:ideale?|utile|adaptee?|parfaite?|recommandee?|indiquee?|appropriee?) (?:pour|quand|lorsque|lors|si)",
        r"(?:@|(?<=\bcompetence\s)|(?<=\bskill\s)|(?<=\bagent\s)|(?<=\belle\s)|(?<=\bil\s)|(?<=\bet\s))"
        r"se (?:declenche|charge|lance)(?: automatiquement)? (?:quand|lorsque|lorsqu(?=')|lors|des|sur|si)",
        rf"(?:{_OF_SKILL}|(?<=\bet\s))s'active(?: automatiquement)? (?:quand|lorsque|lorsqu(?=')|lors|des|sur|si)",
        r"(?:declencheurs?|phrases de declenchement|mots declencheurs|@mots-cles|@mots cles|@cas d'usage|@cas d'utilisation)"
        r"(?=\W{0,3}:)",
        r"@quand (?:l')?utiliser(?=\W{0,3}:)",
        r"doit etre (?:utilise|invoque|declenche|active)e? (?:quand|lorsque|lorsqu(?=')|pour|avant|apres|lors|si|des)",
    ),
    clauses=(
        r"(?:quand|lorsque|si|des que|chaque fois que) (?:l'|un |une |les |des |le |la )?(?:utilisat(?:eur|rice)s?"
        r"|quelqu'un|client|equipe)"
        r"(?: \w{1,15}){0,2}? (?:demand|mentionn|veut|veulent|voudr|souhait|a besoin|dit|parl|evoqu|cherch"
        r"|pos)\w{0,10}",
        r"lorsqu'(?:un |une |on |il )(?:utilisat(?:eur|rice) )?(?:demand|mentionn|veut|souhait|a besoin|dit|parl"
        r"|evoqu|cherch|faut)\w{0,10}",
        r"(?:quand|lorsque) (?:on |vous |tu )(?:demand|avez besoin|voul|veu|souhait|travaill|as besoin)\w{0,10}",
        # A sentence that begins with a situation.
        r"§(?:quand|lorsque|si|des que|chaque fois que|pendant|durant|apres|avant(?: de)?|lors d[eu]s?|en cas de"
        r"|au moment de)(?= [\w\"'(`])|§(?:lorsqu'|s'i|des qu'|avant d'|lors d'|chaque fois qu'|en cas d')\w{1,20}",
    ),
    trailing=(),
    negation=(
        r"(?:\bpas|\bjamais|\bne|\bn'|\beviter de|\beviter d'|\bevitez de|\bevitez d'|\bplutot que d'|\bsans"
        r"|\bau lieu d')"
        r"(?: ?(?:l'|etre|s'|l'|a|d'|tres|pas)){0,3}"
    ),
    denial=(
        r"(?:\bne pas|\bne jamais|\bevite[rz]? (?:de |d')) ?(?:l')?(?:utilis|employ|invoqu|activ|appliqu|declench)\w*"
        r"|(?<!')\bn'(?:utilise[rz]|employe[rz]|invoque[rz]|active[rz]|applique[rz])\w* (?:pas|jamais)"
        r"|\bpas (?:pour|adapte|destine)\w*"
    ),
    # "n'utilisez pas" orders, "n'utilise pas" tells of the user.
    denied_after=(
        r"[^.!?\n]{0,199}?, (?:alors |merci de )?(?:ne (?:pas|jamais) (?:l')?(?:utilis|employ|invoqu|activ|appliqu)\w*"
        r"|(?:n'|ne (?:l'|la |le )?)(?:utilis|employ|invoqu|activ|appliqu|declench)\w* (?:pas|jamais)"
        r"|evite[rz]? )"
    ),
    refusal=(
        r"(?:@|§)(?:ne (?:pas|jamais)|n'\w{2,20} (?:pas|jamais)|ne \w{2,20} (?:pas|jamais)|a eviter|evite[rz]?|jamais"
        r"|pas (?:pour|quand|lorsque|si|adapte|destine)\w*|inadapte\w*)",
        r", (?:ne (?:pas|jamais)|n'\w{2,20} (?:pas|jamais)|ne l'\w{2,20} (?:pas|jamais))",
    ),
    first_person=(
        r"(?:(?<![\s\S])|(?<=[.!?]\s)|(?<=\n))(?:(?:je|nous) (?!(?:veux|voudrais|voulons|dois)\b)[a-z']{2,20}|j'[a-z]{2,20})",
    ),
    separators=("ou bien", "ou"),
    proactive=(r"proactivement", r"de (?:maniere|facon) pro-?active"),
    agent_proactive=(
        rf"{_USE}{_FILL} (?:proactivement|de (?:maniere|facon) proactive)",
        rf"{_USE} proactivement",
        rf"{_USE} de (?:maniere|facon) proactive",
        rf"proactivement {_USE}",
    ),
    automatic=(
        r"automatique(?:ment|s)?",
        r"se declenche",
        r"s'active",
        r"invoque[rz]?",
        r"toujours utiliser",
        r"utilise[rz]? toujours",
    ),
    context=(
        r"(?:pour|avant de|avant d'|afin de|lors de|en vue de) ?(?:l'|les |la |le )?[a-z]{2,20}(?:er|ir|re|oir)",
        r"(?:lors|pendant|durant) (?:de |du |des )?(?:la |le |les |l'|une |un )?\w{3,20}",
        r"(?:quand|lorsque|lorsqu') ?(?:on |l'|un |une |le |la )?\w{2,20}",
        r"en [a-z]{3,20}ant",
    ),
    capital_nouns=False,
    examples=(r"exemples?", r"utilisation", r"usages?"),
    troubleshooting=(
        r"depannage",
        r"(?:re)?solution de problemes",
        r"resolution (?:de|des) problemes",
        r"problemes (?:courants|frequents)",
        r"questions frequentes",
        r"foire aux questions",
        r"erreurs (?:courantes|frequentes)",
    ),
    related=(
        r"(?:competences?|skills?|agents?|ressources?) (?:associe|connexe|lie)e?s?",
        r"voir aussi",
        r"complementaires?",
        r"complete(?:nt)?",
    ),
    output_format=(
        r"sorties?\b[^.\n]{0,60}\bformats?",
        r"format (?:de|du|des) (?:la )?(?:sortie|resultat|reponse)s?",
        r"(?:renvoie|retourne)\b[^.\n]{0,60}\bjson",
    ),
    returns=(
        r"renvoie(?:nt)?",
        r"retourne(?:nt)?",
        r"produit (?:un|une|le|la|les|des)",
        r"produire",
        r"gener(?:e|ent|er)",
    ),
    takes=(r"entrees?", r"recoi(?:t|vent)", r"recevoir", r"accepte(?:nt)?", r"parametres?", r"arguments?"),
    conduct_stems=("orchestre", "coordonne", "reparti", "dirige", "delegue"),
    orchestrates=(rf"(?<!ne\s){_CONDUCT} (?:\w{{1,20}} )?(?:{_AGENTS})",),
    orchestrates_tasks=(rf"(?:@|(?<=\bet\s)|(?<=\bskill\s)|(?<=\bcompetence\s)){_CONDUCT} (?:sous-)?taches",),
    compares=(
        r"quand (?:l')?utiliser",
        r"decisions?",
        r"comparaisons?",
        r"comparatifs?",
        r"compromis",
        r"avantages et inconvenients",
    ),
)
