"""English."""

from plugin_eval_ci.languages.table import Language

# What may stand between "use" and "when": the skill itself and adverbs. Names of other things may not, because
# "use the exporter skill for invoices" sends the reader elsewhere.
_FILL = (
    r"(?: (?:this|these|it|them|the (?:skill|agent|tool|command|guide)|skills?|agent|subagent|tool|command|plugin|guide"
    r"|workflow|reference|only|also|just|always|immediately|proactively|primarily|mainly|especially|specifically"
    r"|automatically|directly|first|right|and|or|as well|both|even|strictly|exclusively|particularly|again),?){0,5}"
)
_TIME = r"(?:when(?:ever)?|if|before|after|while|during|once|any ?time|every time|each time|prior to|upon|as soon as)"
_WHO = (
    r"(?:the |an? |any |your )?(?:users?|someone|somebody|anyone|people|developers?|engineers?|teams?|customers?"
    r"|clients?"
    r"|claude|requests?|prompts?|tasks?|conversations?|messages?|questions?)"
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
_USED = r"(?:used|invoked|triggered|activated|loaded|applied|consulted|called)"

ENGLISH = Language(
    code="en",
    letters="",
    common_words=frozenset(),
    triggers=(
        # One pattern for all these verbs: what may stand between is long, and compiling it is what costs.
        rf"(?:use|invoke|activate|trigger|load|apply|auto-?load|auto-?invoke){_FILL}"
        rf" (?:{_TIME}|proactively|unless|wherever)",
        rf"(?:@|(?<=\bmust\s)|(?<=\balso\s))use{_FILL}"
        r" (?:for|to|as|in|on|at (?:the|every|each)|where|alongside|by default)(?!-)",
        r"@(?:run|call|apply|load|invoke|activate|consult|follow|trigger)(?: this| it| the)"
        r"(?: skill| agent| command)? (?:for|to|on|as|in)",
        r"use this(?: (?:skill|agent|tool|command|plugin|guide|workflow)){1,2} (?:for|to|as|in|on|at|with|by)",
        r"@use(?: [^\s.!?;:*]{1,40}){1,4}? (?:when(?:ever)?|before|after)",
        r"proactively (?:use|invoke|apply|run|activate|load)",
        rf"(?:should|must)(?: only| always| also)? be {_USED}(?: \w+ly| only| first)?"
        rf" (?:{_TIME}|for|to|as|in|on|at|with|by)",
        rf"{_USED}(?: automatically| only| whenever)? when(?:ever)?",
        rf"@{_USED} (?:automatically )?(?:for|to|as|in|on|by|if|before|after|during)",
        r"load this skill\b[^.\n]{0,100} when",
        r"@(?:run|read|call|consult|select|choose|pick|employ|follow|reach for|open|start|start here|prefer|launch"
        rf"|check|turn to)(?: (?:this|it|the|skill|guide|first|only|once|always|immediately)){{0,4}}"
        rf" (?:{_TIME}|at the)",
        r"trigger (?:this |the )?(?:skill |agent )?(?:for|on)",
        r"(?:auto-?(?:loads?|activates?|triggers?|invokes?)|loads|activates|applies|kicks in|fires|runs|engages)"
        r"(?: automatically| only| itself)? (?:when(?:ever)?|if)",
        r"(?:auto-?(?:loads|activates|triggers)|activates|triggers?|fires)(?: \w+ly| also| only)? (?:when(?:ever)?"
        r"|on|if|upon)",
        r"trigger(?:s|ed)?(?: words?| phrases?| keywords?| terms?| conditions?)?(?=\W{0,3}:)",
        r"trigger(?: with)?(?: words?| phrases?| keywords?| terms?)(?: include| are| like)?",
        r"triggered (?:by|when|on|if)",
        r"activates for",
        r"(?:required|mandatory) (?:before|when|for every)",
        r"@good (?:for|when)",
        r"@when(?=\W{0,2}:)",
        r"@when to use(?: this| it)?",
        r"(?:ideal|best|perfect|great|suitable|well-suited|well suited|useful|handy|helpful|appropriate|recommended)"
        r" (?:for|when(?:ever)?|if|while|during|before|after|used)",
        r"for use (?:when|in|during|before|after|with|on)",
        r"@for (?:any |all |every )?(?:\w{1,20} )?(?:requests?|questions?|prompts?|queries|tasks?|situations?)"
        r" (?:about|that|involving|like|such|where|on|regarding|with)",
    ),
    clauses=(
        rf"{_TIME} {_WHO}(?: (?:\w{{1,20}}|'s)){{0,2}}? {_ASKS}",
        r"(?:when(?:ever)?|if|any ?time) you(?:'re| are)?(?: \w{1,20})? (?:need|want|must|have to|would like"
        r"|working|asked)",
        r"@users? (?:says?|asks?|mentions?|wants?|requests?)",
        r"when(?:ever)? (?:working|dealing|asked|prompted|requested) (?:with|on|in|to|for|about)",
        r"@(?:whenever|any ?time|every time|each time)",
        r"@(?:when|before) (?:\w{3,20}ing|asked|needed)",
    ),
    trailing=(),
    negation=(
        r"(?:\bnot|n't|\bdont|\bnever|\bavoid|\bcannot|\bwithout|\bless|\bno longer|\brather than|\binstead of)"
        r"(?: (?:be|to|ever|automatically|proactively|it|this|the|skill|agent|or|directly|also|do|manually|use"
        r"|used|load"
        r"|invoke|trigger|run|apply|activate)){0,4}"
    ),
    denial=(
        r"(?:\bnot|n't|\bdont|\bnever|\bavoid|\bskip)(?: (?:be|to|ever|automatically|it|this)){0,3} (?:us(?:e|ed|ing)"
        r"|invok\w+|trigger\w*|load\w*|activat\w+|appl\w+|run|for|needed|suitable|meant|intended)\b|\bskip\b"
    ),
    denied_after=r"\b(?:not|n't|never) (?:use|invoke|trigger|load|activate|apply)\b",
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
