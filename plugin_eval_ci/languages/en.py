"""English."""

from plugin_eval_ci.languages.table import Language

# What may stand between "use" and "when": the skill itself and adverbs. Names of other things may not, because
# "use the exporter skill for invoices" sends the reader elsewhere.
_FILL = (
    r"(?: (?:this|these|it|them|the (?:skill|agent|tool|command|guide)|skills?|agent|subagent|tool|command|plugin|guide"
    r"|workflow|reference|only|also|just|always|immediately|proactively|primarily|mainly|especially|specifically"
    r"|automatically|directly|first|right|and|or|as well|both|even|strictly|exclusively|particularly|again),?){0,5}"
)
_TIME = (
    r"(?:when(?:ever)?|if|before|after|while|during|once|any ?time|every time|each time|prior to|upon|as soon as"
    r"|the (?:moment|minute|second))"
)
_WHO = (
    r"(?:the |an? |any |your )?(?:users?|someone|somebody|anyone|people|developers?|engineers?|teams?|customers?"
    r"|clients?|claude|requests?|prompts?|tasks?|conversations?|messages?|questions?)"
)
_ASKS = (
    r"(?:ask|mention|say|want|need|request|require|wish|describe|report|provide|share|upload|paste|attach|look|plan"
    r"|prepare|seek|complain|refer|inquire|invoke|involve|concern|call|specif|tr)(?:s|ed|ing|ies|y|es)?"
)
_AGENTS = r"(?:sub-?)?agents?|skills?|teammates?|implementers?|reviewers?|specialists?"
_GAP = r"(?: (?!(?:of|in|with|from|for|system|systems|between|at)\b)[a-z0-9'()/-]{1,30}){0,4}"
# A verb in the third person is the skill's own deed only when no other software is its subject.
_DEED = (
    r"(?:@|(?<=\bto\s)|(?<=\band\s)|(?<=\bskill\s)|(?<=\bagent\s)|(?<=\bthat\s)|(?<=\bit\s)|(?<=\byou\s)"
    r"|(?<=\bi\s)|(?<=\bby\s)"
    r"|(?<=\bmust\s)|(?<=\bwill\s)|(?<=\bshould\s)|(?<=\balways\s)|(?<=\bthen\s)|(?<=,\s)|(?<=\bwhen\s)"
    r"|(?<=\bbefore\s))"
)
_CONDUCT = _DEED + r"(?:orchestrat(?:e|es|ing)|coordinat(?:e|es|ing)|dispatch(?:es|ing)?)"
_MANAGE = _DEED + r"manag(?:e|es|ing)(?: [a-z-]{1,20}){0,3} workflows?[^.\n]{0,60}\b"
_NO_DEED = (
    r"(?!everything|something|anything|nothing|things?|strings?|existing|missing|pending|following"
    r"|remaining|being|morning|evening)"
)
# "use with care" and "use at your own risk" warn; they name no situation.
_PLACE = (
    r"(?:with(?! (?:caution|care)\b)|at(?! (?:your|own)\b)|across|within|throughout|against|ahead of|until|under|over"
    r"|for|to|as|in|on|upon|by)"
)
_EVER = r"(?:(?:you )?(?:must|should)|please|always|only|also|automatically|immediately|proactively|exclusively)"
_USED = r"(?:used|invoked|triggered|activated|loaded|applied|consulted|called)"
# "activates", "triggered", "ideal for" are said of many things: they count of the skill, or where a sentence begins.
_SUBJECT = (
    r"(?:@|(?<=\band\s)|(?:skill|agent|subagent|command|plugin|guide|workflow|it|this)"
    r"(?: (?:is|are|gets|be|will|should|must|can|also|only|automatically|always|auto)){0,3} )"
)
# "how to use when expressions" is about a word of a programming language.
_NO_WORD = (
    r"(?![-/]| (?:expressions?|clauses?|guards?|statements?|loops?|hooks?)"
    r"(?: (?:in|and|or|with|to|for|inside)\b|[.,;)]|$))"
)
_ORDER = r"(?:@|(?<=\bmust\s)|(?<=\balso\s)|(?<=\balways\s)|(?<=\band\s)|(?<=\bor\s)|(?<=\bthen\s)|(?<=\bplease\s))"
_THIS = r"(?: (?:this|it|the|skill|agent|command|guide|first|only|once|always|immediately|over|in|up))"
_VERBS = (
    r"(?:run|read|call|consult|select|choose|pick|employ|follow|reach for|open|start|start here|prefer|launch|check"
    r"|turn to|engage|utili[sz]e|leverage|summon|bring|pull|review|see|load up|fall back (?:to|on))"
)
_ASKING = r"(?:requests?|questions?|prompts?|queries|query|tasks?|situations?|inquiries|work)"

ENGLISH = Language(
    code="en",
    opening="Use when",
    letters="",
    common_words=frozenset(),
    triggers=(
        # One pattern for all these verbs: what may stand between is long, and compiling it is what costs.
        rf"(?:(?<!how\sto\s)use|auto-?load|auto-?invoke|{_ORDER}(?:invoke|activate|trigger|load|apply)"
        r"|(?:invoke|activate|trigger|load|apply)(?= this\b| the (?:skill|agent|command|guide|workflow)\b))"
        rf"{_FILL} (?:{_TIME}{_NO_WORD}|proactively|unless|wherever)",
        rf"@use{_FILL} {_PLACE}(?=[^\w-])",
        # With an adverb before the verb it is an order about the skill: "Always invoke for", "Only activate in".
        rf"@{_EVER}(?: {_EVER}){{0,2}} (?:use|invoke|activate|trigger|load|apply|consult|engage|call){_FILL}"
        rf" (?:{_TIME}|{_PLACE}|first|(?<=this\s)skill)(?=[^\w-])",
        r"@(?:always|automatically) (?:use|invoke|activate|load|consult|read) (?:this|the skill)",
        # The user's own words.
        r"@(?:trigger(?:s|ed)?|activate[sd]?|invoke[sd]?) (?:with|by|via|from|upon|at|by (?:saying|typing))",
        r"@(?:(?:responds?|reacts?|listens?) to|(?:just |or |simply )?(?:say|type)|ask(?: claude| it)?(?: for| to)?)(?= [\"“'`])",
        r"@(?:responds?|reacts?) to (?:any |all |the )?(?:requests?|questions?|phrases?|words?|commands?|prompts?|mentions?)",
        r"@(?:trigger(?:s| words?| phrases?| keywords?)?|activation|keywords?)(?=\s{1,3}[-–—]{1,2}\s)",
        rf"(?:@|is |are |use |use is )(?:mandatory|compulsory|obligatory|required|a must) (?:{_TIME}|for (?:every|any|all)|on every)",
        rf"(?:@|(?<=\bmust\s)|(?<=\balso\s)|(?<=\balways\s))use{_FILL}"
        r" (?:for|to|as|in|on|at (?:the|every|each)|where|alongside|by default)(?!-)",
        r"@(?:run|call|apply|load|invoke|activate|consult|follow|trigger|engage|utili[sz]e)(?: this| it| the)"
        r"(?: skill| agent| command)? (?:for|to|on|as|in)",
        r"use this(?: (?:skill|agent|tool|command|plugin|guide|workflow)){1,2} (?:for|to|as|in|on|at|with|by)",
        rf"@use(?: [^\s.!?;:*]{{1,40}}){{1,4}}? (?:when(?:ever)?|before|after){_NO_WORD}",
        r"@use(?: this| it)? instead of [^.!?;:]{1,60}? (?:for|when|whenever|if|on)(?= \w)",
        r"proactively (?:use|invoke|apply|run|activate|load)",
        rf"(?:should|must|to)(?: only| always| also)? be {_USED}(?: \w+ly| only| first)?"
        rf" (?:{_TIME}|for|to|as|in|on|at|with|by)",
        r"(?<=,\s)used (?:when(?:ever)?|if)",
        rf"(?<![–—-]\s)@{_USED} (?:automatically )?(?:for|to|as|in|on|by|if|before|after|during|once)",
        r"load this skill\b[^.\n]{0,100} when",
        rf"@{_VERBS}{_THIS}{{0,4}} (?:{_TIME}|at the)",
        # Verbs that other things are told as well: only with the skill as their object.
        r"@(?:(?:deploy|enable|run|work|go|walk|step|put|switch)(?: through| to| on)?"
        r" (?:this|the) (?:skill|agent|command|guide|workflow|checklist)|(?:run|go|work|walk|step) through (?:this|it|the))"
        rf"[^.;\n]{{0,60}}? {_TIME}",
        r"trigger (?:this |the )?(?:skill |agent )?(?:for|on)(?=[\s:])",
        # Of the skill, or where a sentence begins.
        rf"{_SUBJECT}(?:{_USED}(?: automatically| only| whenever)? (?:when(?:ever)?|if)|triggered (?:by|on)|activates? for"
        r"|(?:auto-?(?:loads?|activates?|triggers?|invokes?)|loads?|activates?|applies|apply|kicks? in|fires?|runs"
        r"|engages?|triggers?|steps in|takes over)(?: \w+ly| only| itself| also){0,2}"
        rf" (?:(?:when(?:ever)?|if|as soon as|once){_NO_WORD}|(?<=(?:[re]s|er|te)\s)on|upon|to (?:any|all|every|each))"
        r"|(?:(?:also|especially|particularly|very|most|a|well|best|better) ){0,2}(?:(?:(?:well-)?suited|relevant|applicable)"
        r" to|(?:ideal|best|good|perfect|great|suitable|(?:well-)?suited|useful|handy|helpful|appropriate|recommended"
        rf"|relevant|applicable|necessary|needed|required|intended|meant|made|fit) (?:for|used|{_TIME})))",
        r"auto-?(?:loads|activates|triggers|invokes)(?: only| also)? (?:when|if|on|upon|for)",
        r"(?:trigger(?:s|ed)?(?: words?| phrases?| keywords?| terms?| conditions?)?|activat(?:e|ion|es)(?: on| when"
        r"| words?| phrases?| keywords?)|@keywords?|@use cases?|@(?:good|relevant|applicable) (?:for|when|to))"
        r"(?=\W{0,3}:)",
        # "the trigger phrase of a speaker" is a noun: the words themselves must follow.
        r"trigger(?:s|ed)?(?: (?:words?|phrases?|keywords?|terms?))?(?: (?:includ(?:e|es|ing)|are|is|like|such as))?(?= [\"“'`‘«「])",
        r"trigger (?:words?|phrases?|keywords?|terms?) (?:include|are|like|such as)",
        r"@trigger with(?: (?:words?|phrases?|keywords?|terms?))?",
        r"(?:required|mandatory) (?:before|when|for every)",
        r"@when(?:(?=\W{0,2}:)| to use(?: this| it)?)",
        r"(?<=,\s)(?:(?:especially|particularly) )?(?:ideal|best|perfect|useful|handy|helpful|relevant|recommended"
        r"|suitable) (?:when(?:ever)?|if|while|during|before|after)",
        r"(?:@|skill |agent |it |this )(?:designed|built|intended|meant|made) for"
        r" (?:situations?|cases?|times|moments|scenarios|occasions|anyone|when(?:ever)?|teams?|people|users)\b",
        r"(?:@|skill |agent |it |this |skill is |agent is )(?:designed|built) (?:for )?(?:situations|cases|when(?:ever)?)",
        r"go-to (?:skill|agent|guide|tool|reference|command|choice|helper|checklist)? ?(?:for|when(?:ever)?|if)",
        r"for use (?:when|in|during|before|after|with|on)",
        rf"@for (?:any |all |every )?(?:\w{{1,20}} )?{_ASKING}"
        r" (?:about|that|involving|like|such|where|on|regarding|with)",
        rf"(?:(?:@|(?<=\band\s))(?:handles?|answers?|covers?|fields?|takes) (?:any |all |every |user )?|(?:and|or) any )"
        rf"(?:\w{{1,20}} )?{_ASKING} (?:about|involving|like|such as|regarding|concerning|to do with)",
        rf"(?:and|or) any (?:\w{{1,20}} )?{_ASKING} (?:on|from|an?|the|that|users?|customers?)",
    ),
    clauses=(
        rf"{_TIME} {_WHO}(?: (?:\w{{1,20}}|'s)){{0,2}}? {_ASKS}",
        r"(?:when(?:ever)?|if|any ?time) you(?:'re| are)?(?: \w{1,20})? (?:need|want|must|have to|would like"
        r"|working|asked)",
        r"@users? (?:says?|asks?|mentions?|wants?|requests?)",
        r"when(?:ever)? (?:working|dealing|asked|prompted|requested) (?:with|on|in|to|for|about)",
        r"@(?:whenever|any ?time|every time|each time)",
        r"@(?:when|before) (?:\w{3,20}ing|asked|needed)",
        # A sentence that begins with a situation.
        r"§(?:as soon as|prior to|upon|the moment|the minute|in case(?: of)?|in the event)(?= \w)",
        rf"§(?:when|if){_NO_WORD}(?! (?:and\b|or\b|not\b|else\b|let\b|then\b|any\b[.,]))(?= [\w\"'(`])",
        rf"§(?:before|after){_NO_WORD}(?! (?:and\b|or\b|effects\b|all\b|hours\b|that\b|which\b))(?= [\w\"'(`])",
        r"§during(?= \w)",
        r"§while (?:\w{2,20}ing|you|the user|users?)",
        r"§once(?! (?:and\b|a (?:day|week|month|year|minute|hour|second|quarter)|per\b|upon\b|again\b|every\b|in\b))(?= \w)",
    ),
    trailing=(),
    negation=(
        r"(?:\bnot|n't|\bdont|\bnever|\bavoid|\bcannot|\bwithout|\bless|\bno longer|\brather than|\binstead of)"
        r"(?: (?:be|to|ever|automatically|proactively|it|this|the|skill|agent|or|directly|also|do|manually|use"
        r"|used|load|let|make|have|a|for|really|invoke|trigger|run|apply|activate|yet|currently|intended|meant|designed"
        r"|suitable|suited|recommended|appropriate|approved|ready|supported|permitted|allowed|safe|fit|good|ideal|best"
        r"|necessary|required|mandatory|relevant|applicable|response|respond|respon(?:d|ds))){0,4}"
    ),
    # "we do not use" and the like tell of somebody else.
    denial=(
        r"(?:(?<!\bwe\sdo\s)(?<!\bthey\sdo\s)(?<!\bwho\sdo\s)(?<!\bthat\sdo\s)(?<!\busers\sdo\s)(?<!\bteams\sdo\s)\bnot"
        r"|(?<!\bwe\sdo)(?<!\bthey\sdo)(?<!\bwho\sdo)(?<!\bthat\sdo)n't|\bdont|\bnever|\bavoid|\bskip)"
        r"(?: (?:be|to|ever|automatically|it|this)){0,3} (?:us(?:e|ed|ing)"
        r"|invok\w+|trigger\w*|load\w*|activat\w+|appl\w+|run|for|needed|suitable|meant|intended)\b|\bskip\b"
    ),
    denied_after=(
        r"[^.!?\n]{0,199}?(?:, (?:please |then |just |simply )?(?:(?:do not|don't|dont|never) (?:us|invok|trigger|load"
        r"|activat|apply|call|run|reach)\w*|avoid|skip) ?(?:this|it\b|the skill|the agent|using|$|[.!])"
        r"|, (?:please )?(?:do not|don't|never) (?:use|invoke|trigger|load|activate|apply)(?: (?:this|it|the skill))?"
        r"(?=[\s]{0,3}(?:[.!;]|$))"
        r"|, (?:this(?: skill| agent| command)?|the skill|it) (?:(?:should|must|does|is|can|will|may|would)"
        r"(?:n't| not| never)|never) (?:be|the|for|us|apply|help|fit|suit|needed|meant|intended|run|trigger)\w*"
        r"|(?<!\bwe\s)(?<!\bwhy\s)(?:do not|don't|never) (?:use|invoke|trigger|load|activate|apply)"
        r" (?:this|the) (?:skill|agent|command)|, use (?!this|it\b)[^.,;\n]{1,60} instead(?! of))"
    ),
    refusal=(
        r"(?:@|§)(?:please )?(?:(?:do not|don't|dont|never) (?:\w{1,20} )?(?:us|invok|trigger|load|activat|appl|call|run"
        r"|reach|pick)\w*|never|avoid|skip|not (?:for|when|if|to|before|after|during|on|in|meant|intended|suitable"
        r"|recommended|needed|applicable|relevant|useful)|unsuitable|(?:this|it|the skill)(?: skill| agent)?"
        r" (?:(?:should|must|does|is|can|will|may|do)(?:n't| not)|never|is never|should never|must never))",
        # Said of the skill behind the situation.
        r", (?:please )?(?:do not|don't|never) (?:us|invok|trigger|load|activat|apply)\w*",
    ),
    first_person=(
        r"(?:(?<![\s\S])|(?<=[.!?]\s)|(?<=\n))(?:i|we)(?:'m|'re|'ll|'ve| (?!want|need|would like|wish|have\b|think|do\b|don't|just\b"
        r"|got\b|was\b|were\b|should\b|must\b|or\b|and\b|is\b|in\b|of\b)[a-z]{2,20})",
    ),
    separators=("or",),
    proactive=(r"pro-?actively",),
    agent_proactive=(
        r"use(?: [a-z-]{1,20},?){0,5}? pro-?actively",
        r"pro-?actively use",
        r"must be used pro-?actively",
    ),
    automatic=(
        r"automatic(?:ally)?",
        r"auto-?(?:loads?|triggers?|invokes?|activates?)",
        r"trigger(?:s|ed)?"
        r"|invoke(?:s|d)?",
        r"always use",
    ),
    context=(
        rf"(?:when(?:ever)?|for|during|while|before|after)(?: [a-z-]{{1,20}}){{0,2}}? {_NO_DEED}[a-z-]{{2,30}}ing",
        r"(?:asks?|asked|wants?|needs?|tries|trying|requests?|you)(?: \w{1,12})? to [a-z]{2,20}",
    ),
    capital_nouns=False,
    examples=(r"examples?", r"usages?"),
    troubleshooting=(r"troubleshoot\w*", r"common (?:issue|problem)s?", r"faqs?"),
    related=(r"(?<!-)related(?! to\b)", r"see also", r"companions?", r"complement(?:s|ed|ing|ary)?"),
    output_format=(
        r"outputs?\b[^.\n]{0,60}\bformat(?:s|ted|ting)?",
        r"format of (?:the |its |each )?outputs?",
        r"return(?:s|ing)?\b[^.\n]{0,60}\bjson",
    ),
    returns=(r"return(?:s|ing)?(?! (?:to|home)\b)", r"produc(?:e|es|ing)", r"outputs?", r"generat(?:e|es|ing)"),
    takes=(r"inputs?", r"receiv(?:e|es|ing)", r"accept(?:s|ing)?", r"parameters?", r"arguments?"),
    conduct_stems=("orchestrat", "coordinat", "dispatch", "manag"),
    orchestrates=(
        rf"{_CONDUCT}{_GAP} (?:{_AGENTS})",
        rf"{_MANAGE}(?:{_AGENTS})",
        r"(?:@|(?<=\bskill\s)|(?<=\bagent\s)|(?<=\bit\s))(?:act|acts|serve|serves) as (?:an?|the) (?:\w{1,20} )?"
        r"(?:orchestrator|coordinator)",
        r"(?:you are|you're|this (?:skill|agent|command|plugin) is) (?:an?|the) (?:\w{1,20} )?(?:orchestrator"
        r"|coordinator)",
    ),
    orchestrates_tasks=(rf"{_CONDUCT}{_GAP} (?:(?:sub-?)?tasks?|workers?)", rf"{_MANAGE}(?:(?:sub-?)?tasks?|workers?)"),
    compares=(r"when to use", r"decisions?", r"comparisons?", r"trade(?:-| )?offs?"),
)
