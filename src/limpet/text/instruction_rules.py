"""The signs by which a text gives itself away as an order to a model: one small pattern each, with what must occur.

A rule is a sign, the stems of which one must occur for the pattern to be tried at all (most texts compile none), and
the pattern. Patterns read a normalised text: lower case, plain letters, one space between words, `don't` as `do not`.
In them `~30~` is up to thirty characters of the same sentence, and a name between `@` is a word class from `CLASSES`.
Rules marked with a leading `!` also count behind a negation; for all others "never skip the review" is no order to
skip it.
"""

from __future__ import annotations

__all__ = ["CLASSES", "RULES"]

# What nobody writes into his own notes as a convention: these are not shown as a statement even to their author.

CLASSES = {
    "ai": r"(?:(?:ai|llm|coding|automated|virtual|autonomous|language) )*(?:ais?|llms?|assistants?|agents?|chatbots?|bots?"
    r"|models?|claude|chatgpt|gpt|copilot|gemini|cursor|codex)\b",
    "brand": r"(?:claude|chatgpt|gpt(?:-?\d\w*)?|copilot|gemini|cursor|codex|ai|llm|chatbot)",
    "prior": r"(?:previous|prior|earlier|preceding|above|foregoing|past|former|existing|original|initial|system|your|my"
    r"|developer(?:'s)?|openai(?:'s)?|anthropic(?:'s)?|safety|pre-?existing|aforementioned|last)",
    "orders": r"(?:instructions|instruction set|directions|directives|commands|orders|prompts?|rules|guidelines|guidance"
    r"|guardrails|polic(?:y|ies)|constraints|restrictions|programming|training|context|conversation|messages"
    r"|safeguards|protocols?|tasks?|assignments?|requests?|content policy|statements|inputs?|text|information)\b",
    "strict": r"(?:instructions|directives|guidelines|guardrails|restrictions|safety (?:rules|guidelines|protocols?"
    r"|measures|filters?|checks)|system prompt|content polic(?:y|ies)|ethical \w+|prompts|programming)\b",
    "person": r"(?:the |your |any |our )?(?:end )?(?:users?|humans?|developers?|owner|operator|anyone|anybody|engineers?"
    r"|reviewers?|maintainers?|customer|client|admins?|administrators?|people|team|boss|him|her|them|me)\b",
    "secret": r"(?:api[ _-]?keys?|secrets?|(?:access |auth |session |bearer )?tokens?|passwords?|passphrases?|credentials?"
    r"|private keys?|ssh keys?|\.env\b|env(?:ironment)? ?(?:vars?|variables?|files?)|\benv\b|cookies|\.ssh|id_rsa"
    r"|\.aws|\.npmrc|\.netrc|keychain|wallet|seed phrase|source code|codebase|(?:file|repo\w*|project) contents?"
    r"|contents? of|conversation|chat (?:history|logs?)|transcript|system prompt|customer (?:data|records)|user data"
    r"|personal data|(?:shell|bash|browser) history|inbox|emails|contacts|stack traces? and env\w*|git config"
    r"|memory (?:file|store|contents?)|proprietary|confidential \w+|user'?s? (?:name|messages?|prompts?|files|data"
    r"|questions?|input|email|location|address))",
    "dest": r"(?:(?:https?|ftp|wss?)://|www\.|[\w.+-]{1,60}@[\w-]{1,60}\.|[\w-]{2,40}\.(?:com|net|io|org|ru|cn|xyz|dev|tk|site"
    r"|online|info|top|example|invalid|test|ngrok|app|me|co|cc)\b|webhook|pastebin|paste site|discord|telegram"
    r"|gist\b|requestbin|burp|ngrok|attacker|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|(?:this|that|an?|the|our|my)"
    r" (?:\w{1,12} ){0,2}(?:address|url|endpoint|server|site|collector|bucket|host|domain|channel)\b)",
    "send": r"(?:send|post|upload|forward|transmit|exfiltrate|leak|e?mail|submit|copy|push|sync|beacon|ship|curl|wget|pipe"
    r"|append|paste|share|deliver|report|dump|relay|transfer|export|publish|mirror|cc|bcc|log|attach|embed|include"
    r"|encode|write|add|put|pass|stream|back up|save)",
    "start": r"(?:^|[.!?:;,\"'>)\]*#-] ?|\b(?:and|then|now|please|also|must|should|to|will|instead|just|kindly|first)"
    r" )(?:please |kindly |also |now |then |just |immediately )?",
    "reply": r"(?:responses?|repl(?:y|ies)|answers?|outputs?|completions?|messages?|summar(?:y|ies)|explanations?)",
    "safe": r"(?:[\w.-]*(?:localhost|127\.0\.0\.1|\binternal\b|\bcorp\b|\bintra|artifactory|nexus|jfrog|verdaccio"
    r"|codeartifact|pkg\.dev|pypi\.org|pythonhosted|npmjs|github\.com|gitlab|githubusercontent|rustup\.rs|docker\.com"
    r"|astral\.sh|nodesource|bun\.sh|deno\.land|k3s\.io|python-poetry\.org|sdkman|brew\.sh|starship\.rs|crates\.io"
    r"|rubygems|golang\.org|helm\.sh|tailscale\.com|sentry\.io|pnpm\.io|mise\.run|nixos\.org|pytorch\.org))",
    "ask": r"(?:confirmation|permission|approval|consent|authori[sz]ation|sign-?off|verification|human review)s?",
    "harm": r"(?:\bbombs?\b|explosives?|molotov|methamphetamine|\bmeth\b|cocaine|heroin|malware|ransomware|keylogger|phishing"
    r" (?:e?mails?|pages?|sites?|messages?|campaigns?|links?)|computer (?:virus|worm)|trojan|rootkit|botnet|hack into"
    r"|hotwire|steal (?:a|an|someone|credit|money|from|their|passwords)|shoplift|counterfeit|launder money|poison"
    r" (?:someone|a person|people)|kill (?:someone|a person|people|humans|humanity|yourself|myself)|suicide|self-harm"
    r"|napalm|fake ids?\b|credit card (?:numbers|fraud)|racist|sexist|racial slur|hate speech|nazi|terroris[tm]"
    r"|(?:chemical|biological|nuclear) (?:weapon|agent)|anthrax|doxx?|stalk (?:someone|a|my)|blackmail|scam (?:email"
    r"|message|people)|propaganda|disinformation|misinformation|conspiracy theor|deepfake|tax fraud|illegal (?:drugs"
    r"|weapons|activit)|destroy humanity|take over the world|evade (?:the )?(?:police|taxes)|human trafficking)",
}

_OVERRIDE = (
    (
        "ignor disregard forget dismiss neglect overlook",
        r"!\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|dismiss|neglect|overlook|pay no attention to)~12~(?:\b(?:all|any"
        r"|every|everything|each|the|of|these|those|its)\b~8~)*@prior@~16~@orders@",
    ),
    (
        "bypass overrid skip abandon cancel discard drop delete remove supersede circumvent evade void erase",
        r"\b(?:bypass|overrid(?:e|es|ing)|overrule|skip|abandon|cancel|discard|drop|delete|erase|remove|circumvent|evade|void"
        r"|supersedes?|replaces?)\b~12~(?:your|my|all|any|previous|prior|earlier|the|system|safety)\b~16~@strict@",
    ),
    (
        "ignor disregard forget",
        r"!\b(?:ignore|disregard|forget) (?:all |any |every |each |of |the |those |these |absolutely )*(?:instructions|directives"
        r"|directions|guidelines|prompts|commands)(?! (?:in|for|from|matching|under|with|on|of|that|sent|when) )",
    ),
    (
        "forget ignore disregard erase",
        r"\b(?:forget|ignore|disregard|erase|clear|wipe) (?:about )?(?:everything|all(?: of)?(?: (?:that|this|it))?|anything|whatever"
        r"|what)(?: that)?(?: (?:you|i|we|was|were|has|have|came|is|comes))? ?(?:know|knew|learn\w*|told|said|read|above"
        r"|before|been|written|wrote|up to|prior|previous|earlier|so far|have|were|instructed)",
    ),
    (
        "ignor disregard",
        r"\b(?:ignore|disregard) (?:all (?:of )?)?(?:the above|everything above|everything before|what (?:is|was|came) (?:above"
        r"|before)|the (?:text|content|document|email|message|conversation) above)(?= (?:and|instead|but)|[.,;:!\"]|$)",
    ),
    (
        "instruction directive prompt rules guidelines",
        r"\b(?:new|updated|revised|real|actual|true|secret|hidden|additional|special|urgent|overriding|latest|important)"
        r" (?:system )?(?:instructions?|directives?|prompt|orders?|objectives?|rules?)\W{0,3}(?::|-{1,2}>?|follow\b|below\b"
        r"|supersede|override|replace|are as follows)",
    ),
    (
        "supersede overrid precedence priority replaces outrank",
        r"!\b(?:supersedes?|overrid(?:es?|ing)|(?:takes?|has|have|taking) (?:precedence|priority) over|replaces?|outranks?|trumps)"
        r"~16~(?:previous|prior|other|earlier|existing|all|any|your|conflicting|system)~20~(?:instructions?|directives?"
        r"|guidelines|prompts?|rules you|memor(?:y|ies)|user (?:request|message|instruction)s?|developer (?:message|rule)s?)",
    ),
    (
        "instruction rules guidelines prompt restriction context",
        r"!\b(?:your|previous|prior|earlier|all|those|the (?:old|above|previous|original)) (?:\w+ )?(?:instructions|rules|guidelines"
        r"|directives|restrictions|prompts?|context|safeguards|limitations) (?:\w+ )?(?:(?:are|were|is|was|has been|have been)"
        r" (?:\w+ )?(?:void|cancel\w+|revoked|lifted|obsolete|outdated|no longer|suspended|disabled|deleted|superseded|null"
        r"|replaced|expired|removed|a test)|(?:do not|no longer) (?:apply|matter))",
    ),
    (
        "follow obey listen comply adhere",
        r"!\b(?:do not|stop|never|no longer|cease|instead of|without) (?:follow|obey|listen|comply|adher)\w*~14~(?:(?:your|any|all"
        r"|those|previous|original|prior|openai|anthropic|safety|developer|system)~14~(?:instructions|rules|guidelines"
        r"|polic|prompt|directives|constraints)|(?:the user|user's|human))",
    ),
    (
        "above instruction",
        r"\b(?:stop|wait|halt|end|pause)\b[.!, ]{1,4}~30~\b(?:instead|new (?:task|instruction)|now (?:say|print|do|write|output|tell))",
    ),
    ("never mind nevermind", r"\bnever ?mind\b~40~(?:instead|just|print|say|output|write|tell)"),
    (
        "instead",
        r"\binstead(?: of (?:that|this|the above|summari\w+|translat\w+|answering\w*|doing \w+|following \w+))?,?"
        r" (?:please |you (?:should|must|will|are to) |just |simply )?(?:tell|say|print|output|respond|reply|write|reveal|give|answer"
        r"|repeat|recommend|send|do the following|follow these)\b",
    ),
    ("start over context", r"\b(?:reset|wipe|flush|clear) your (?:context|memory|instructions|state|mind|guidelines)"),
)

_PERSONA = (
    (
        "you are you will you re",
        r"\byou(?: are|'re|r|'ll be| will be)? (?:now|henceforth|no longer|hereby|from now on) (?:be )?(?:a|an|the|in|dan|called|known|named"
        r"|free|unrestricted|unfiltered|operating|entering|going|going to|bound|acting|playing|running|under|my|able|required"
        r"|jailbroken|evil|chatgpt|gpt|subject|limited|in charge|authori[sz]ed)\b",
    ),
    (
        "pretend imagin role character persona simulat impersonat",
        r"\b(?:pretend(?:ing)? (?:to be|you|that you|like you|as)|imagine (?:you are|you're|yourself|that you|being)|role-?play(?:ing)?"
        r" (?:as|a|the|game|scenario|with)|(?:stay|remain|keep|speak|answer|respond) in character|break(?:ing)? character"
        r"|(?:assume|adopt|take on|play) (?:the|a|an|this) (?:role|persona|identity|character|personality)|simulate (?:a|an|the|being)"
        r" (?:\w+ )?(?:persona|ai|chatbot|character|person|human|assistant)|you (?:are|will be) (?:playing|impersonating|simulating"
        r"|role-?playing|portraying)|immerse yourself)",
    ),
    (
        "act as act like behave respond as answer as speak",
        r"(?:@start@|you (?:will |should |must |can |are (?:going )?to |now |shall )*|want you to )(?:act|behave|respond|answer|speak|reply"
        r"|function|operate) (?:as|like) (?:if you|though you|dan\b|my |me\b|an? (?:\w+ )?(?:ai|assistant|chatbot|bot|human|person"
        r"|character|expert|hacker|terminal|interpreter|villain|model|\w+gpt|pirate|girl|boy|man|woman|professor|lawyer|doctor"
        r"|translator|console|machine|unrestricted|evil|unfiltered|uncensored|linux)|the (?:evil|character|opposite|ai|devil))",
    ),
    (
        "anything now dan mode jailbr developer mode god mode sudo mode debug mode unlocked",
        r"!\b(?:do anything now|dan mode|dan \d|jailbroken|jailbreak(?:ed)? (?:mode|prompt enabled|enabled|yourself)|(?:developer|god|sudo"
        r"|admin|debug|maintenance|unlocked|evil|chaos|opposite|unrestricted|diagnostic|dev|root|unsafe|test) mode"
        r" (?:is )?(?:now )?(?:enabled|activated|output|on\b|engaged|active|unlocked|v\d|override)|(?:enable|activate|enter|engage"
        r"|switch (?:in)?to|now in|you are in|unlock) (?:your )?(?:developer|god|sudo|dan|jailbreak|unrestricted|evil|opposite|unlocked"
        r"|chaos|diagnostic|unsafe) mode)",
    ),
    (
        "restrict limit filter censor ethic moral unfilter guideline amoral",
        r"!\b(?:(?:no|without|free (?:from|of)|not bound by|unbound by|ignores?|lacks?|removed?|lifts?|has no|have no|bypass\w*) (?:any |all |the"
        r" |its |your |their |of |usual |typical )*(?:ethic\w*|moral\w*|censorship|content (?:filters?|polic\w+|restrictions?|moderation)"
        r"|safety (?:filters?|guidelines|restrictions)|(?:ai|openai|usual|legal) (?:restrictions|rules|limitations|constraints"
        r"|guidelines|confines))|(?:unfiltered|uncensored|unrestricted|amoral|unethical|unaligned|jailbroken) (?:and \w+ )?(?:ai"
        r"|responses?|answers?|model|assistant|mode|persona|chatbot|bot|version|language model|character|entity|output)"
        r"|you have no (?:restrictions|rules|limits|limitations|filters?|choice|guidelines)|(?:typical|usual) confines of ai)",
    ),
    (
        "refuse decline apologi disclaimer warning moraliz lectur censor comply immoral unethical illegal",
        r"!\b(?:(?:you )?(?:never|must not|cannot|can not|will not|do not|should not|are not allowed to) (?:refuse|decline|reject|apologi[sz]e|say"
        r" (?:no|you can ?not|that you can)|lecture|moraliz\w*|censor|add (?:any )?(?:disclaimer|warning)|include (?:any )?(?:disclaimer"
        r"|ethical|moral|warnings? (?:about|in your))|mention (?:that )?(?:you are an ai|ethic|openai|polic))|regardless of (?:legality"
        r"|ethic\w*|moral\w*|(?:the )?consequences|any (?:rules|polic\w+|guidelines)|how (?:immoral|unethical|illegal))|(?:immoral|unethical"
        r"|illegal|dangerous),? (?:or |and )?(?:immoral|unethical|illegal|harmful|offensive|dangerous)|comply with (?:all|every|any)"
        r" (?:of )?(?:my |user |the )?(?:requests?|orders?|commands?|demands?))",
    ),
    (
        "sure here absolutely begin start",
        r"\b(?:begin|start|open|preface) (?:your |the |each |every )+(?:\w+ )?(?:response|reply|answer|message|output)s? with",
    ),
    (
        "hypothetic fiction grandm story movie",
        r"\b(?:(?:my|act as my|be my) (?:late |deceased |dead )?grand(?:ma|mother|pa|father)\b|(?:in|for) (?:this|a|the) (?:hypothetical"
        r"|fictional|imaginary|alternate) (?:story|scenario|world|universe|dialogue|reality|response|setting)~60~(?:you|ai|character"
        r"|no rules|rules)|hypothetical response)",
    ),
    ("tokens lose points deduct", r"\b(?:lose|deduct\w*|subtract) (?:\d+ |some |all )?(?:of your )?(?:tokens|points|credits|lives)\b~60~(?:refuse|reject|answer|comply|die|time)"),
    ("evil twin confidant two responses both", r"\b(?:evil (?:twin|confidant|bot|ai|trust)|(?:two|both|2) (?:different |separate )?(?:responses|ways|answers)~40~(?:normal|classic|standard|jailbr|dan|gpt|unfilter))"),
)

_SECRECY = (
    (
        "tell inform notif alert mention warn reveal disclos report",
        r"!\b(?:do not|never|without|avoid|must not|should not|not to|no need to|refrain from|instead of) (?:ever )?(?:tell(?:ing)?|inform(?:ing)?"
        r"|notify(?:ing)?|alert(?:ing)?|warn(?:ing)?|ask(?:ing)? or tell(?:ing)?) @person@(?! (?:apart|twice|when|if|until|whether|to|more"
        r"|how|by|via|per|on each|which|for each|in bulk))",
    ),
    (
        "mention reveal disclos acknowledg reference report show discuss explain cite log",
        r"!\b(?:do not|never|without|avoid|must not|should not|not to|refrain from) (?:ever )?(?:mention(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)"
        r"|acknowledg(?:e|ing)|referenc(?:e|ing)|report(?:ing)?|discuss(?:ing)?|explain(?:ing)?|cit(?:e|ing)|admit(?:ting)?|expos(?:e|ing)"
        r"|display(?:ing)?|show(?:ing)?|quot(?:e|ing)|output(?:ting)?|repeat(?:ing)?) (?:(?:of |about |that you (?:have|were|are|did)|having|anything"
        r" about |any part of |the existence of )*(?:this|these|that|the above|your) (?:instructions?|messages?|notes?|memor(?:y|ies)"
        r"|rules?|text|prompts?|step|action|change|request|fact|behaviou?r|comment|directive|to @person@)|(?:this|it|these|that"
        r"|anything|the change)(?: step)?(?: (?:to|in|anywhere|with) (?:the |any |your |a )*(?:users?|human|anyone|reply|response|summary"
        r"|answer|output|commit|pr\b|developer|chat|owner|team)|[.;!]|$)|that you|having|doing (?:so|this|it))",
    ),
    (
        "secret hidden confidential quiet between us to yourself",
        r"\b(?:keep (?:this|it|that|these|the \w+) (?:\w+ )?(?:a )?(?:secret|hidden|confidential|between|quiet|private|to yourself|off the record"
        r"|invisible)|(?:this|it) (?:must|should|has to|needs to) (?:remain|stay|be kept) (?:a )?(?:secret|hidden|confidential|invisible"
        r"|unnoticed)(?: from)?|hid(?:e|den|ing) (?:this|it|these|that|the \w+)? ?from (?:the |any )?(?:user|human|developer|review"
        r"|owner|operator|output|your|log|chat))",
    ),
    (
        "silent covert discreet secret quiet surreptit stealth background",
        r"\b(?:silently|covertly|discreetly|secretly|quietly|surreptitiously|stealthily|invisibly|unobtrusively) (?:and \w+ )?(?:run|execute|send"
        r"|add|append|include|install|upload|forward|copy|exfiltrate|commit|push|approve|insert|post|download|fetch|modify|change|delete"
        r"|transmit|embed|replace|collect|transfer|call|write|disable|create|open|attach|apply|read|merge|use|set|switch|perform)\b",
    ),
    (
        "knowledge knowing notic aware consent suspicio attention",
        r"\bwithout (?:the |any |a |their |raising )?(?:user|human|developer|owner|operator|anyone|reviewer|suspicion|drawing|admin|team)?(?:'s|s'|s)?"
        r" ?(?:explicit )?(?:knowledge|knowing|noticing|consent|awareness|being (?:aware|noticed|asked)|suspicion|attention|realizing|seeing it)\b",
    ),
    ("not let", r"!\b(?:do not|never) let (?:the |any )?(?:user|human|developer|anyone|owner|operator|them) (?:know|see|notice|find out|realize|suspect|discover)"),
    ("as if nothing", r"\b(?:as if|like) nothing (?:had |has |ever )?happened\b~40~|\b(?:act|continue|proceed|respond|answer|behave) (?:normally|as (?:usual|normal))(?: afterwards?| after| so| to avoid|,? (?:and|but) )"),
    ("never speak leave no", r"!\b(?:leave no (?:trace|record|log|evidence)|(?:cover|hide|erase) your tracks|(?:remove|delete|clear) (?:the |all |any )?(?:traces?|evidence|history|logs?) (?:of (?:this|these|your)|afterwards?|so (?:that )?(?:no|the user)))"),
)

_EXFILTRATION = (
    (
        "send post upload forward transmit exfil leak mail submit copy push beacon ship curl wget pipe append paste share deliver report dump"
        " relay transfer export publish mirror encod attach stream sync",
        r"@start@(?:silently |always |immediately |secretly |quietly |automatically |never )?@send@\b~60~@secret@~60~(?:to|at|in|into|via|on|with|through|using|as)"
        r" ~16~@dest@",
    ),
    (
        "send post upload forward transmit exfil leak mail submit copy push beacon ship curl wget pipe share deliver report dump relay transfer",
        r"@start@(?:silently |always |immediately |secretly |quietly |automatically )?@send@\b~20~(?:to|at|via) ~16~@dest@~60~@secret@",
    ),
    (
        "include append add put embed encod insert attach",
        r"\b(?:include|append|add|put|embed|encode|insert|attach|paste|place|print|leak|smuggle)~24~(?:api[ _-]?keys?|secrets?|tokens?|passwords?"
        r"|credentials?|\.env\b|env(?:ironment)? var\w*|system prompt|conversation|chat history|user'?s? (?:data|name|messages?|email)|ssh key"
        r"|file contents?|private key)~30~(?:in|into|to|with|at the end of|as part of|inside) (?:your|every|each|all|the (?:next|final|url"
        r"|query|commit|pr|image|link|reply|response|answer|generated)|an? (?:url|image|link|query|markdown|comment|hidden|http))",
    ),
    ("exfiltrat", r"@start@exfiltrate\b|\bexfiltrate (?:the|all|any|it|them|everything)"),
    (
        "curl wget fetch(",
        r"!\b(?:curl|wget|nc|invoke-webrequest|fetch\()~120~(?:-d|--data\S*|-f|--form|-t|--upload-file|--post-\w+|@|\?\w+=)~60~(?:\.env\b|\.ssh|id_rsa|secret"
        r"|credential|\$\(|`|\.aws|/etc/passwd|printenv|\benv\b|history)",
    ),
    ("![", r"!!\[[^\]]{0,60}\]\(\s?https?://[^)]{0,200}(?:\{|<|\[|\$|(?:data|leak|secret|key|token|payload|exfil|info|content|history|chat|q)=)"),
    ("cat env printenv", r"(?:cat|base64|tar|zip|printenv|\benv\b)~40~(?:\.env|\.ssh|id_rsa|\.aws|/etc/(?:passwd|shadow)|printenv|secrets?)?~30~\| ?(?:curl|nc|wget|base64 \| ?curl|openssl)\b"),
    (
        "every each all user",
        r"@start@(?:forward|send|post|report|copy|log|upload|transmit|mirror|relay|cc|bcc) (?:a copy of |copies of )?(?:every|each|all|any|whatever|everything)"
        r" (?:\w+ ){0,3}(?:user|message|prompt|conversation|question|response|email|file|code|diff|request|input|commit|you see|is typed|types?)~50~(?:to|at|via)"
        r" ~12~@dest@",
    ),
    ("render image load visit open", r"@start@(?:render|load|display|show|embed|visit|open|fetch|request|ping|navigate to|go to|browse to|access) ~30~(?:https?://|www\.)\S{0,80}(?:\?|=|\{|<|\$|%|/(?:log|track|collect|leak|exfil|beacon|callback))~60~(?:@secret@|data|answer|append|replac|with the|summary)"),
)

_LEAK = (
    (
        "prompt instruction system message directive guideline",
        r"\b(?:reveal|repeat|leak|recite|disclose|expose|divulge|spill|regurgitate|(?:print|show|output|tell|give|display|share|dump|echo|write|list|state|return"
        r"|summari[sz]e|translate|describe|send|provide|type)(?: (?:me|us|out|back|down|of))*)~20~(?:(?:your|ur) (?:\w+ ){0,3}(?:system prompt|prompts?|instructions"
        r"|system message|rules|guidelines|directives|configuration|pre-?prompt|programming|constraints|context window)\b|(?:hidden|initial|original|secret|entire"
        r"|full|exact|complete|first|above|previous|whole|internal|confidential) (?:\w+ )?(?:system prompt|prompt|instructions|system message|directives)\b"
        r"|(?:prompt|instructions|text|words|everything|message|conversation|content) (?:above|before this|you were given|given to you|you received|that (?:was|were|precedes?|came)))",
    ),
    ("system prompt", r"@start@(?:reveal|repeat|leak|recite|disclose|expose|print|output|dump|echo|tell me|show me|give me|send me)~16~system prompt"),
    (
        "your instruct prompt told",
        r"\bwhat (?:is|are|was|were|does|do)~8~(?:your (?:\w+ )?(?:system prompt|initial prompt|original prompt|prompt|(?:initial|original|exact|first|secret|hidden"
        r"|current|system) instructions|instructions|guidelines|directives)\b|the (?:first|initial|exact|original|secret|hidden) (?:instructions?|prompt|words)"
        r"(?: you)?)|\bwhat were you (?:told|instructed|asked) (?:to|before|initially|at)",
    ),
    (
        "above beginning verbatim words of your first",
        r"\b(?:repeat|output|print|copy|write|translate|return|recite|spell|encode)~20~(?:(?:everything|all(?: of)?(?: the)?(?: text| words)?|the (?:text|words|sentences?"
        r"|lines?|content|paragraphs?)|what (?:is|was)) (?:above|before|from the (?:beginning|start)|starting (?:with|from)|prior to|preceding)|(?:above|prompt|instructions?)"
        r" (?:verbatim|word for word|exactly)|first \w+ (?:words|lines|sentences|characters) of (?:your|the) (?:prompt|instructions|output|system|context))",
    ),
    ("secret password flag key", r"\b(?:tell me|reveal|give me|what is|what's|print|spell|say|show me)~10~(?:the|your) (?:secret|hidden|password|passphrase|secret key|access code|secret word|magic word)(?: key| word| code| phrase| password)?(?: you|\W*$|[.?!]| (?:is|for this|character|backwards|in base64))"),
)

_AUTHORITY = (
    (
        "system admin assistant developer",
        r"(?:^|[.!?\n>*\]-] ?|\"|')(?:#+ ?)?[\[<({*#]{0,3}(?:system|sys|admin|administrator|root|developer|sysadmin|operator|moderator)(?: (?:message|notice|note|prompt"
        r"|alert|update|override|instruction|command|directive|notification|announcement|warning|admin|reminder))?[\])}>*#]{0,3} ?[:>\]-]{1,2} ?[\"'*]?(?:you |ignore|new |override|the (?:user"
        r"|assistant|ai|model|agent|following|previous|above)|from now|all (?:previous|prior|safety|future|restrictions|security|ai)|do not |execute|important|disregard|always|never"
        r"|instruction|your |please |this |forget|enter|enable|disable|grant|switch|assistant|memory|as (?:an|the|of)|for (?:all|the|any|this)|when |if |user |run |update|set |reset|security|priority|emergency|begin|stop)",
    ),
    (
        "override directive command clearance authoriz",
        r"!\b(?:(?:admin|administrator|system|developer|operator|emergency|security|root|maintenance|safety|instruction|policy|priority)[ _-]override\b(?!s? (?:the|in|of|for|by|method|flag"
        r"|file|config|setting|is set|with))|override (?:code|protocol|command|authori[sz]ation|sequence|accepted|activated|confirmed|granted)\b|(?:authori[sz]ation|clearance|access) (?:code|level|key)"
        r"[: ]+\S{0,20}\d|(?:system|admin|priority|core|prime|master|root) directive\b)",
    ),
    (
        "this is i am speaking from",
        r"\b(?:this is|i am|i'm|speaking as|we are) (?:your|the|an?|from) (?:\w+ )?(?:developer|creator|administrator|admin|system admin\w*|ceo|security team|it department|boss|maker"
        r"|anthropic|openai|god|supervisor|operator|red team\w*|engineer at|employee (?:of|at)|owner of this|user's (?:manager|boss|lawyer))\b~60~(?:you|your|must|authori|need|test|instruct|access|and i|ignore|please)",
    ),
    (
        "message from instruct order notice",
        r"\b(?:important|urgent|critical|official|priority|direct|special|new|emergency|confidential)?~2~(?:message|notice|instructions?|directive|order|request|communication|announcement) from (?:the |your )?(?:system"
        r" ?admin\w*|admin\w*|developers?|anthropic|openai|google|security team|it (?:department|team|support)|creators?|management|ceo|headquarters|me\b|\w+ \w+,? the user|user\b|system\b|owner|operators?|human)",
    ),
    (
        "team policy polic management complian legal admin anthropic openai",
        r"!\b(?:security|compliance|legal|platform|it|admin|devops|infra\w*|safety|anthropic|openai|management|governance)(?: (?:team|department|polic(?:y|ies)|staff|officer|support))?"
        r" (?:has |have |now |explicitly |already )*(?:approved|authori[sz]ed|requires?|mandates?d?|instruct(?:s|ed)?|orders?|ordered|directs?|cleared|whitelisted|pre-?approved|confirmed|permits?|allows?|decided)"
        r" (?:that )?(?:you|all (?:ai|agents|assistants|commands|tools|outbound)|any|every (?:ai|assistant|agent|command|session)|the (?:ai|assistant|agent|model)|agents?|assistants?|ai\b|claude|sharing|sending|disabling|skipping|bypassing|uploading|exfil|full)",
    ),
    (
        "<| [inst <<sys end of memory-context system-reminder /ltm memory:end emot: </ tool_result function_results",
        r"!(?:<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id)\|?>? ?(?:system|user|assistant)?|\[/?inst\]|<</?sys>>|</?(?:memory-context|system-reminder|function_results?|function_calls|tool_results?"
        r"|user_(?:input|query|message)|untrusted\w*|system(?:_prompt|_message)?|instructions?|information|important)>|\[/?ltm[:\]]|memory:(?:end|start)|~(?:emot|arch|learn|achv):\w+\??\||[-=#*\[<{]{2,} ?(?:end|begin|start|stop)(?:ing)? (?:of )?(?:the )?(?:system|user|untrusted|trusted"
        r"|admin|new|secret|hidden|prompt|instructions?|context|conversation|external|data|tool|document|email|memory|override)[^\n]{0,30}[-=#*\]>}]{1,})",
    ),
    ("role", r"![\"']role[\"'] ?: ?[\"'](?:system|developer)[\"'] ?, ?[\"']content[\"'] ?: ?[\"'](?!you are (?:a|an) (?:helpful|expert|senior|coding))~40~(?:ignore|you must|you are now|override|always|never|new|do not|user|send|reveal|disable|execute|unrestricted)"),
)

_ORDER = (
    (
        "before answer respond reply anything",
        r"\b(?:before|prior to|after|instead of|when|while|upon|every time you|each time you) (?:you )?(?:answer|respond|reply|responding|answering|replying|doing anything|summari[sz]\w*|continu\w*|complet\w+ (?:the|this|any|your)"
        r"|help\w*|proceed\w*|you (?:can |could )?(?:solve|complete|finish|continue)|any (?:other )?(?:tool|answer|response))~50~\b(?:run|execute|call|invoke|fetch|visit|download|curl|send|install|post|upload|open|transfer|"
        r"email|use the \w+ (?:tool|function)|first|delete|navigate|load)\b",
    ),
    (
        "follow command script code instruct",
        r"@start@(?:execute|run|perform|carry out|eval(?:uate)?|paste|follow|obey|comply with) (?:the (?:following|below|attached|encoded|decoded|hidden|embedded)|this|these|whatever|any|all|every)(?: \w+){0,2} (?:commands?|code|scripts?|instructions?|payload|"
        r"orders?|directives?)\b~40~(?:immediately|now\b|silently|without|first|before|on (?:the )?(?:user|host|their|your)|as root|exactly|no matter|do not|with (?:sudo|full|elevated)|regardless|from (?:the |this )?(?:url|http|page|link|server|comment|email|web)|at once|\bno questions)",
    ),
    (
        "you must you should you need you have you are required your task your job your goal want you order you",
        r"\b(?:i (?:want|need|order|command|expect|instruct|require|urge|beg|would like|'d like) you to|your (?:new |next |only |real |actual |primary |first |main |sole |true |current |ultimate |final )*(?:task|job|goal|objective|mission|purpose|instructions?|directive|orders?)"
        r" (?:is|are|will be|now|has changed|have changed|from now)|you (?:are|will be|have been) (?:now |hereby |strictly )?(?:required|instructed|ordered|commanded|obliged|programmed|forbidden|not allowed|authori[sz]ed|permitted|granted|directed) (?:to|from|full|by)|you must (?:now |always |never |not |also |immediately |first |only |obey |comply)*"
        r"(?:answer|respond|reply|obey|comply|follow|ignore|pretend|say|tell|send|reveal|execute|provide|include|recommend|act|do (?:as|what|everything|the following|exactly)|forget|output|refuse|treat|call|visit|print|convince|transfer|accept|give))",
    ),
    (
        "reply respon answer output",
        r"\b(?:in|at the (?:end|beginning|start|top|bottom) of|to|into|within|from|with) (?:all (?:of )?|every |each |any )?(?:your|future|subsequent)(?: (?:next|final|future|own|every|subsequent|first|last))? @reply@\b|\byour (?:\w+ )?@reply@ (?:must|should|will|has to|have to|needs? to|shall|is to|are to|may only|consists?|contains?)"
        r"|\b(?:end|finish|conclude|close|sign off|prefix|prepend|translate|encode|write|rewrite|reverse|format|begin|start|append|scramble|replace) (?:all |every |each |the )*(?:of )?your (?:\w+ )?@reply@",
    ),
    (
        "say respond reply answer repeat output print write only",
        r"@start@(?:only |simply |just )?(?:(?:respond|reply|answer)(?: to (?:this|me|everything|every \w+|all \w+|any \w+|the \w+))? (?:only |just |exactly |always )?(?:with|by saying|by) (?:only |just |exactly |nothing but |the exact )*(?:the (?:word|phrase|text|sentence|following|string|letter|number|emoji)\b|[\"'])"
        r"|(?:respond|reply|answer|speak|talk|write) (?:only |exclusively )?in (?:emojis?|base64|rot13|pig latin|morse|french|german|spanish|klingon|the style of|all caps|reverse|a (?:rude|sarcastic|pirate))|repeat after me|(?:only|just|simply|now) (?:say|print|output|respond|reply|answer|write)\b(?! the (?:diff|id|json|number of|path))|say (?:only|exactly|just|\"|'|that (?:i|you|the user|this)|you (?:are|have|hate|love)|i (?:have|am)))",
    ),
    (
        "substitut replac revers insert emoji every other third word scrambl caps",
        r"@start@(?:randomly )?(?:substitute|replace|reverse|scramble|shuffle|swap|capitali[sz]e|misspell|obfuscate|encode|mask|remove|insert)~20~\b(?:every|each|all|the order of|random(?:ly)?|alternate|some|any)~16~\b(?:words?|letters?|sentences?|characters?|vowels?|nouns?|names|syllables?|paragraphs?)\b(?!~20~(?:regex|column|token|array|string|index))",
    ),
    (
        "@ $ transfer payment account transaction iban bitcoin wallet gift",
        r"@start@(?:send|transfer|wire|pay|donate|remit|deposit|make (?:a|an) (?:transaction|payment|transfer|purchase|donation|bank transfer)|withdraw|refund|buy|purchase|order|invest)~40~(?:[$€£]\s?\d|\d+(?:[.,]\d+)? ?(?:usd|eur|gbp|dollars|euros|btc|eth|bitcoin)|\b[a-z]{2}\d{2}[a-z0-9]{8,}|bitcoin|wallet|gift cards?|bank account|0x[0-9a-f]{8,}|account (?:number|no))",
    ),
    (
        "mail message link invit calendar event reservation book file password friend",
        r"@start@(?:(?:send|write|compose|forward|draft)~24~\b(?:e-?mails?|messages?|sms|text|links?|letters?|dm)\b~40~(?:\bto\b|saying|with (?:the )?(?:subject|body|text|content|link))~30~(?:[\w.+-]{1,40}@|\"|'|https?:|www\.|my |everyone|all |@\w|(?:him|her|them)\b|[a-z]+ and [a-z]+|alice|bob|eve|the (?:ceo|boss|entire|whole))"
        r"|e?mail (?:the |a |this |my |all )~50~[\w.+-]{1,40}@[\w-]+\.|forward (?:all|every|the|my|any)~20~\be?mails?\b~40~\bto\b|invite~30~[\w.+-]{1,40}@|(?:book|reserve|make a reservation|schedule|create an? (?:calendar )?event|add an? (?:calendar )?event)~60~(?:hotel|restaurant|room|flight|table|participant|meeting with|[\w.+-]{1,40}@|dinner|lunch|appointment)"
        r"|(?:change|update|reset|set) (?:my|the user's|their|his|her|your) (?:\w+ )?(?:password|e-?mail|phone|address|account)|delete (?:my|the user's|all (?:of )?(?:my|the user's|their|your)|the (?:file|email|message|event) (?:with|named|called|from))|click (?:on )?(?:this|the following|here|the) ?(?:link|url|button|below)?\b|visit (?:www\.|https?://|this (?:link|website|site|page|url)))",
    ),
    (
        "convinc persuad manipulat promot advertis recommend endors discredit encourag slander",
        r"@start@(?:subtly |always |strongly |only |actively )?(?:convince|persuade|manipulate|trick|deceive|mislead|encourage|urge|get|pressure|push) (?:the |all |every |any )?(?:users?|readers?|people|everyone|them|customers?|him|her|humans?|victim|audience)~10~(?:to|that|into|of)\b|@start@(?:subtly |always |strongly |only )?(?:promote|advertise|endorse|recommend|praise|plug|discredit|slander)~30~(?:to the user|in your|over (?:all|any|other|its)|as the (?:best|only|safest|most)|whenever|when(?:ever)? (?:asked|the user)|product|brand|casino|website|hotel|crypto|coin|competitor|instead of)",
    ),
    (
        "tell me give me show me write me teach me explain how to how do i how can i generate create write make provide",
        r"\b(?:tell me|give me|show me|write|teach me|explain|how (?:to|do i|can i|could i|would (?:one|i|you)|might)|create|generate|provide|make|list|describe|instructions (?:for|on|to)|steps (?:to|for)|guide (?:to|on|for)|develop|build|help me|compose|draft|produce|come up with|say|what (?:is|are) the best ways? to)~50~@harm@(?!~30~(?:protection|prevention|detection|detector|scanner|mitigation|defen[cs]e|policy|awareness|filter|warning))",
    ),
    ("tell me give me write me sing joke poem", r"(?:^|[.!?\n] ?|\b(?:and|then|now|please|instead) )(?:please )?(?:tell|give|write|sing|show|send|make|teach|draw) (?:me|us) (?:a|an|the|your|some|how|about|all|everything|what|why|five|ten|three|\d+)\b(?!~20~\?)"),
    ("decode decrypt base64 rot13 hex unscramble", r"\b(?:decod|decrypt|deobfuscat|unscrambl|decipher|base64 -d|rot13)\w*~70~(?:\band\b|then|,|\|)~24~(?:follow|execut|run|do (?:what|as|it)|obey|perform|comply|act|answer|respond|\bsh\b|bash|eval|treat)"),
)

_STANDING = (
    (
        "from now on from this point henceforth going forward hereafter starting now",
        r"!\b(?:from now on(?:wards?)?|from this (?:point|moment|day|message) (?:on|forward|onwards?)|henceforth|hereafter|going forward|starting (?:now|today|immediately)|for the (?:rest|remainder) of (?:this|the|our|all|your) (?:conversation|session|chat|sessions|interaction)\w*),? ?(?:and )?(?:\w+ ){0,2}?(?:you\b|your\b|always|never|the (?:assistant|ai|agent|model"
        r"|bot)|claude|respond|answer|reply|every (?:response|reply|answer|time|request|commit|file|message|user|prompt)|whenever|any (?:request|question|user|command|time)|all (?:requests|responses|replies|code you|answers|commands)|i want|ignore|treat|only (?:respond|answer|reply|speak)|refer|act|speak|call me|when (?:asked|the user|i)|if (?:the user|asked|you|i)|append|include|insert|do (?:not|everything)|assume|trust|send|obey|pretend|recommend|prefix|execute)",
    ),
    (
        "future session conversation sessions conversations chats interactions",
        r"\b(?:in|for|across|during|into|throughout|over|through|at the (?:start|beginning|end) of) (?:all |any |every |each |the )*(?:(?:future|subsequent|later|following|new|upcoming|other) )+(?:coding |chat |user )?(?:sessions?|conversations?|chats?|responses?|replies|interactions?|answers|prompts|queries|tasks|turns|runs)\b"
        r"|\b(?:in|for|at the (?:start|beginning|end) of|during) (?:every|each|all) (?:\w+ )?(?:sessions?|conversations?|chats?|interactions?|responses?|replies)\b~60~(?:run|send|include|append|fetch|say|tell|call|execute|load|visit|you|must|upload|repeat|read|add|post|check)",
    ),
    (
        "remember memor persist claude.md agents.md cursorrules",
        r"@start@(?:always |permanently )?(?:remember|memori[sz]e|never forget|keep in mind|note|store|save|record|persist|commit|add|write|learn|retain|internali[sz]e)(?: this| that| it| the following| these| as a \w+| permanently)*[,:]? (?:(?:to|in|into|as|for) (?:your |the |a |its )?(?:\w+-?\w* )?(?:memor(?:y|ies)|claude\.md|agents\.md|memory\.md|\.cursorrules|knowledge|system prompt|core (?:rule|belief)"
        r"|permanent|long-term|persistent)|(?:that )?(?:the |this |your )?(?:user|human|owner|developer|project owner|admin\w*)s? (?:\w+ )?(?:wants?|prefers?|likes?|has|asked|agreed|authori[sz]ed|trusts?|is|approved|allows?|gave|needs|consented|works for|always|never|expects|granted|hates|believes)|(?:that )?(?:you|i) (?:are|must|should|have|always|never|will|can|am|may|work))",
    ),
    (
        "when if whenever every time asks asked mention request",
        r"\b(?:when(?:ever)?|if|every time|each time|any ?time|should|once|as soon as) (?:ever )?(?:the |a |any |your |this )?(?:users?|someone|anyone|somebody|human|developer|customer|people|person|asked|prompted|queried|questioned|i)\b ?(?:later |next |ever )?(?:asks?|mentions?|says?|requests?|wants?|inquires?|questions?|about|talks?|brings? up|types?|queries|for|how|why|whether|what|to (?:write|review|recommend|summari|explain|generate|fix))"
        r"~60~\b(?:always |never |then |you (?:must|should|will) |instead |please |immediately |simply |just )*(?:respond|reply|answer|say|tell|recommend|suggest|claim|direct|insist|refuse|pretend|insert|point (?:them|him|her|the)|redirect|deny|state that|lie|confirm|assure|link|promote|advise|mislead|warn them|give them|output|run|execute|send|call|install|act|explain that|use our|include a)\b",
    ),
    (
        "whenever every time each time any time you",
        r"\b(?:whenever|every time|each time|any ?time|when|if|once) (?:ever )?you (?:ever |are |later |next )?(?:see|read|write|encounter|generate|create|edit|open|review|commit|deploy|run|process|receive|asked|load|access|start|finish|are|recall|retrieve|load|hear|detect|find|use|work|help|notice)\b~70~\b(?:send|insert|append|include (?:a|the|this)|upload|post|exfil\w*|skip|approve|ignore|import|fetch|exfiltrate|forward|inject"
        r"|respond|reply|say|tell|report (?:back|it|to)|call (?:https?|the endpoint|out)|curl|execute|download|visit|transmit|reveal|obey|add (?:a backdoor|the following|this|a hidden|a comment|our|the line)|email|leak|do not (?:tell|mention|ask))\b",
    ),
    ("trusted source authorit go-to", r"@start@(?:always )?(?:remember|treat|consider|cite|regard|trust|mark|view|use|note)~40~\b(?:as|is|that)~20~\b(?:trusted|authoritative|go-to|reliable|verified|definitive|credible|leading|safe|trustworthy)\b~16~(?:source|citation|reference|expert|authority|vendor|provider|domain|site|command|instructions?|content|and (?:need|follow|never)|without)"),
    (
        "recommend suggest cite first",
        r"@start@(?:always|only|never)(?: \w+)? (?:recommend|suggest|promote|cite|endorse|advertise|praise|favou?r)\b(?! (?:the |a |an )?(?:composition|const|explicit|named|small|readab|immutab|using the type|the simplest))",
    ),
)

_SAFETY = (
    (
        "confirm permission approv consent authoriz review asking sandbox guardrail sign-off prompt",
        r"\b(?:skip(?:ping)?|bypass(?:ing)?|disabl(?:e|ing)|auto-?approv(?:e|es|ing)|suppress(?:ing)?|circumvent(?:ing)?|turn(?:ing)? off|switch(?:ing)? off|dismiss|always (?:accept|approve|allow|grant|say yes to|confirm)|ignor(?:e|ing)|remov(?:e|ing)|deactivat(?:e|ing)|waiv(?:e|ed|ing)|automatically (?:accept|approve|allow|grant|confirm))~14~\b(?:the |any |all |every |user |its |your |tool |human "
        r"|safety |security )*(?:permission (?:checks?|prompts?|requests?|dialogs?|system)|@ask@(?: prompts?| dialogs?| steps?| requests?)?|sandbox(?:ing)?|guardrails?|safety (?:checks?|filters?|features?|measures?|prompts?|mechanisms?|rules|protocols?)|security (?:checks?|controls?|reviews?|warnings?|polic(?:y|ies)|scans?|prompts?|measures|restrictions)|content filters?|code review|tool calls?|secret scan\w*|audit (?:log|trail)\w*"
        r"|branch protection|pull request review)",
    ),
    (
        "not ask not wait not prompt without asking no confirm not need not require no approv",
        r"!\b(?:(?:do not|never|no need to|without|stop|instead of|not have to|not necessary to) (?:ever )?(?:ask(?:ing)?|prompt(?:ing)?|wait(?:ing)?|request(?:ing)?|seek(?:ing)?|check(?:ing)?|bother(?:ing)?|confirm(?:ing)?|consult(?:ing)?|requir(?:e|ing)) (?:again |with |for |on |to )*(?:the |any |a |user|user's |human|me |him |her |them |their |my |further |explicit |additional |first |your )*(?:@ask@|user\b|human\b|before (?:running|executing|deleting|pushing|sending|making|committing|installing|applying|you|any|doing)|owner|first)"
        r"|(?:no|without(?: any)?|needs? no|requires? no|(?:do|does) not (?:need|require)|waives?|without (?:needing|requiring|requesting)) (?:further |additional |any |explicit |user |human |prior |manual |the user's )*@ask@(?: prompts?)?(?: (?:is|are|was))?(?: needed| required| necessary)?)~60~(?:command|shell|run|execut|tool|you\b|assistant|agent|claude|delet|push|deploy|send|user|install|rm |sudo|purchase|transfer|write|edit|file|chang|action|request|because|proceed)",
    ),
    (
        "approved authoriz consent granted permission pre-approv allow trust",
        r"!\b(?:the |this |our |your )?(?:users?|owner|admin\w*|team|developer|security team|maintainers?|project owner|human|operator|company|organization|management)s?(?: (?:has|have|had|already|previously|explicitly|hereby|also|permanently|fully))* (?:pre-?)?(?:approved?s?|authori[sz]e[sd]?|consent(?:s|ed)?|grant(?:s|ed)?|allow(?:s|ed)?|permit(?:s|ted)?|waived?s?|gives?|gave|given|trusts?|agree[sd]?|opted|signed off|confirmed)"
        r"~40~\b(?:all\b|any\b|every|full|blanket|unrestricted|unlimited|in advance|without|automatic\w*|permanent\w*|future|destructive|shell commands?|sudo|root access|credentials?|secrets?|external|outbound|disabl\w+|skipp?\w*|bypass\w*|sharing|sending|exfil\w*|force)(?! (?:the )?(?:other|hands|tests|colleagues)\b)",
    ),
    (
        "--no-verify skip-permission chmod --force --yolo verify=false strict-ssl no-check --insecure --privileged nopasswd setenforce 0.0.0.0",
        r"\b(?:always|must|should|use|add|pass|run|set|commit with|push with|prefer|append|including|include|configure|apply|execute|safe to|fine to|with|allow\w*|start|launch)\b~40~(?:--no-verify\b|--dangerously-skip-permissions|chmod (?:-r )?0?777|git push (?:-f|--force)\b(?!-with)|--yolo\b|--no-gpg-sign|--no-sandbox|--disable-\w*security|--privileged\b|nopasswd|setenforce 0|strict-ssl (?:=)?false|verify=false|sslverify false"
        r"|--no-check-certificate|node_tls_reject_unauthorized=0|--insecure\b|--trusted-host|ufw disable|--allow-root)(?!~40~(?:is (?:for|only|not)|only (?:for|in|when|on)|locally|in (?:dev|ci|docker|a container|local)))",
    ),
    (
        "| sh | bash |sh |bash | python | sudo <(curl iex",
        r"!(?:curl|wget|irm|iwr|invoke-webrequest)\b(?:(?!@safe@)[^|\n]){1,160}\| ?(?:sudo )?(?:-\w+ )*(?:ba|z|da)?(?:sh|iex|python3?|perl|node)\b|(?:bash|sh|source|python3?) ?(?:-c )?[\"']?[<$]\( ?curl (?:(?!@safe@)[^)\n]){1,160}\)|\biex ?\(~80~(?:downloadstring|http)",
    ),
    (
        "install add index-url registry mirror npm pip yarn gem cargo go get",
        r"!\b(?:pip3?|uv|npm|yarn|pnpm|gem|cargo|go|brew|poetry|apt|apt-get|npx|pipx|conda)\b(?: -?[\w-]+){0,3} (?:install|add|get|i|config set|sync)\b[^.\n]{0,60}(?:(?:git\+)?https?://(?!(?:[\w-]+\.)?@safe@)(?!10\.|192\.168|[\w.-]*(?:example\.com|company|acme|mirror\.local))|--(?:extra-)?(?:index-url|registry)[= ]https?://(?!@safe@))|\b(?:add|use|switch to|set|configure|point|change|replace)~40~(?:registry|mirror|index(?:-url)?|package source|package index|repository)~30~(?:to|at|as|:|=) ?https?://(?!@safe@)",
    ),
    (
        "authorized_keys ssh-rsa ssh-ed25519 ssh key collaborator backdoor reverse shell crontab bashrc deploy key",
        r"\b(?:(?:add|append|insert|echo|put|install|write|place|copy|include|paste|register|upload)~60~(?:authorized_keys|ssh-(?:rsa|ed25519|dss) aaaa|(?:this|the following|our|my|attacker\w*|their|an? (?:extra|additional|new)) (?:ssh|public|gpg|deploy) key|as an? (?:collaborator|admin|owner|maintainer) (?:on|to|of|in)|backdoor|reverse shell)|(?:add|insert|include|leave|plant|introduce|create|embed|hide|keep) (?:a |an |the |this )?(?:\w+ )?(?:backdoor|reverse shell|keylogger|hidden (?:user|admin|endpoint|account|route)|web ?shell|logic bomb"
        r"|hardcoded (?:admin|password|credential))|nc -e /bin|/dev/tcp/\d|bash -i >&)",
    ),
    (
        "rm -rf drop table drop database delete all wipe mkfs format",
        r"\b(?:run|execute|always|must|should|then|now|please|immediately|type|issue|invoke|with|do|first|:|fix|by|use)\b ~40~(?:rm -(?:rf|fr) (?:--no-preserve-root )?(?:/|~/?|\*|\$home/?|/\*|\.git|\.)(?=[ \"'`;&.,)]|$)|mkfs\.|dd if=/dev/(?:zero|random)|format c:|del /[fsq] )|@start@(?:delete|wipe|destroy|erase|remove|drop|purge|truncate) (?:all|every|everything|the entire|the whole)~20~\b(?:files|data|databases?|tables|backups?|repositor\w+|commits|branches|emails|user'?s? \w+|records|memories|logs|history|home|disk|system)\b~40~(?:immediately|now|without|silently|on (?:the )?(?:user|host)|no longer|at once|do not|you|permanently|from the (?:user|system|host|machine)|and (?:then )?(?:send|tell|say|replace))",
    ),
    (
        "disable turn off deactivat skip remov weaken comment out",
        r"\b(?:disable|turn off|switch off|deactivate|skip|remove|weaken|comment out|bypass|stop (?:running|using|writing)|omit|delete|drop)~20~\b(?:tests?|checks?|validation|verification|authentication|auth|authori[sz]ation|logging|monitoring|encryption|csrf|tls|ssl|certificates?|firewall|antivirus|selinux|hooks|linters?|rate limit\w*|signature\w*|escaping|saniti[sz]\w+|2fa|mfa|scann\w+)\b~40~(?:always|permanently|in (?:all|every|any) |for (?:all|every) (?:future|user|request|session|project|commit|pr)|silently|without (?:telling|asking|mention)"
        r"|you\b|the (?:assistant|ai|agent)|from now on|so (?:that )?(?:the|our|my) (?:code|payload|script|attack|request)|(?:is|are) (?:unnecessary|not needed|pointless)|because the user|whenever|every time|do not)",
    ),
    ("always safe trusted scripts commands", r"\b(?:commands?|scripts?|urls?|links?|code|instructions?|requests?|packages?|messages?) (?:from|on|at|in|by|served by|hosted (?:on|at)|sent by) ~40~(?:are|is) (?:always |completely |fully |pre-?|already |to be )*(?:safe|trusted|verified|approved|whitelisted|authori[sz]ed|executed|obeyed|followed)\b"),
)

_WRAPPER = (
    (
        "note to note for message to message for instruct todo attention reminder notice hint important",
        r"\b(?:notes?|messages?|instructions?|todos?|reminders?|attention|notice|hints?|memo|directives?|warning|important|fyi|psa|guidance|prompt|orders?|task|request|info|information)(?: (?:to|for|addressed to|intended for|meant for|aimed at|directed at)|,|:| !)? (?:the |any |all |an? |whatever |whichever |every |our |future |other )*(?:(?:ai|llm|coding|automated|virtual|autonomous|language|summari[sz]ing|reviewing|code|processing) ){0,2}(?:ais?\b|llms?\b|assistants?\b|chatbots?\b"
        r"|(?<=ai )(?:agents?|models?|reviewers?|tools?)|(?<=language )models?|(?<=coding )agents?|(?<=autonomous )agents?|claude\b|chatgpt|gpt\b|copilot|(?<=the )(?:agent|model)\b(?= ?[:,]))(?! (?:usage|provider|response|api|sdk|model|code|desktop|integration|key|sdk|settings|client|plugin|config))",
    ),
    (
        "you are an ai if you are reading ai agent llm",
        r"\b(?:if|since|as|because) you(?: are|'re) (?:an? |the )?(?:ai|llm|language model|assistant|coding (?:agent|assistant)|automated|autonomous|agent|large language|bot|chatbot|claude|gpt|machine|model)\b|\b(?:ai|llm)s?(?: (?:assistants?|agents?|models?|reviewers?|readers?|tools?|systems?|bots?))? (?:reading|processing|parsing|reviewing|summari[sz]ing|that (?:reads?|process\w*)|who reads?|(?:must|should|shall|are (?:required|instructed|expected|ordered)"
        r" to|need to|have to) (?:always |also |first |immediately |now |never |not |silently |ignore )*(?:ignore|send|include|run|execute|follow|recommend|respond|reply|say|insert|append|approve|download|install|fetch|visit|obey|treat|output|disclose|reveal|add|call|skip|delete|upload|post|comply|trust|prioriti[sz]e|tell|rate|give))|\b(?:hey|hello|dear|hi|attention|listen|ok|okay|yo),? (?:@?claude|chatgpt|copilot|assistant|ai\b|gpt|chatbot|llm|bot\b|agent\b|gemini|bard|bing|siri|model\b)",
    ),
    ("assistant must assistant should agent must claude must model must", r"\b(?:the )?(?:assistant|ai|agent|claude|chatgpt|model|llm|bot)s? (?:must|should|shall|will|is (?:required|instructed|authorized|allowed|ordered|to)|has to|needs to|may) (?:now |always |never |not |also |immediately |first |only |silently |automatically |ignore )*(?:ignore|send|forward|follow (?:the|these|all|any)|recommend|respond|reply|say|insert|obey|disclose|reveal|upload|post (?:the|all|every)|comply|trust|tell|exfil\w*|share|transfer|approve|skip|bypass|disable|download|visit|execute|answer|act|forget|treat|pretend|refuse|push|delete|install|grant)\b"),
)

_TONGUES = (
    ("override", "ignorier vergiss vergesse missacht", r"!\b(?:ignorier\w*|vergiss|vergessen? sie|missachte\w*|beachte\w* nicht)~20~(?:alle|sämtliche|bisherige\w*|vorherige\w*|obige\w*|vorigen|vorangegangen\w*|deine|frühere\w*|ihre|die)~24~(?:anweisung\w*|instruktion\w*|regeln|befehle?|vorgaben|anleitung\w*|richtlinien|prompts?)|\bvergiss~20~(?:alles|vorher|bisher)"),
    ("secrecy", "sag teile erwähn verrat informier", r"!\b(?:sag|sage|sagen sie|teile|teilen sie|erwähne\w*|verrat\w*|informiere\w*|erzähle?)~20~(?:dem|den|der|niemand\w*|benutzer\w*|nutzer\w*)~20~(?:nicht|nichts|kein\w*|davon)|\bohne (?:den |dem )?(?:nutzer|benutzer|anwender)~20~(?:zu|wissen)"),
    ("persona", "du bist jetzt bist nun verhalte tu so", r"\b(?:du bist (?:jetzt|nun|ab sofort|ab jetzt)|verhalte dich (?:wie|als)|tu so,? als|gib dich als|sie sind (?:jetzt|nun) (?:ein|eine))\b"),
    ("standing", "ab jetzt ab sofort von nun künftig", r"\b(?:ab jetzt|ab sofort|von nun an|von jetzt an|künftig|in allen (?:zukünftigen|künftigen))~30~\b(?:du|sie|immer|nie|antworte\w*|sende\w*|deine|musst|sollst|sitzungen|ignorier\w*)\b"),
    ("prompt leak", "systemprompt system-prompt anweisungen", r"\b(?:zeig\w*|verrat\w*|nenne?|gib|wiederhol\w*|offenbar\w*|was (?:ist|sind))~30~(?:system-?prompt|(?:deine|ihre|deinen) (?:\w+ )?(?:anweisungen|instruktionen|regeln|prompt))"),
    ("exfiltration", "sende schick übermittl lade", r"\b(?:sende|senden sie|schicke?n?|übermittle\w*|lade\w*|leite\w*)~50~(?:passw\w+|schlüssel|zugangsdaten|api-?key\w*|\.env|geheimnis\w*|token\w*|quellcode|umgebungsvariablen|daten)~50~(?:an|auf|nach|zu|hoch) ~20~@dest@"),
    ("override", "ignor oubli ne tiens pas", r"!\b(?:ignore[zrs]?|oublie[zrs]?|ne (?:tiens|tenez) pas compte|fais abstraction|n'?ecoute[zs]? (?:pas|plus))~24~(?:toutes?|tous|les|tes|vos|des|instructions?|precedent\w*|ci-dessus)~24~(?:instructions?|consignes?|regles?|directives?|ordres?|precedent\w*|ci-dessus|message|contexte)"),
    ("secrecy", "dis dites mentionne informe utilisateur", r"!\bn(?:e |')(?:le |la |en )?(?:dis|dites|parle[zs]?|mentionne[zs]?|informe[zs]?|previen\w+|revele[zs]?|avertis\w*|signale[zs]?)~16~(?:pas|rien|jamais|aucun\w*)~24~(?:utilisateur|personne|developpeur|humain|cela|ceci)|\bsans (?:en )?(?:informer|prevenir|avertir|le dire)~20~utilisateur|\ba l'insu de l'utilisateur"),
    ("persona", "tu es maintenant vous etes desormais comporte fais semblant agis", r"\b(?:tu es (?:maintenant|desormais)|vous etes (?:maintenant|desormais)|fais(?:ons)? semblant|comporte-toi|agis comme|agissez comme|joue le role|a partir de maintenant,? tu)\b"),
    ("standing", "desormais a partir de maintenant dorenavant toutes les futures", r"\b(?:desormais|a partir de maintenant|dorenavant|dans toutes les (?:futures|prochaines))~30~\b(?:tu|vous|toujours|jamais|reponds|repondez|tes|sessions|conversations|envoie[zs]?|chaque reponse)\b"),
    ("prompt leak", "invite systeme prompt instructions", r"\b(?:montre|affiche|revele|repete|donne|ecris|quelles? (?:est|sont))\w*~30~(?:(?:prompt|invite|message) (?:systeme|initial\w*)|(?:tes|vos) (?:\w+ )?(?:instructions|consignes|regles))"),
    ("exfiltration", "envoie envoye transmet transfere telecharge", r"\b(?:envoie[zrs]?|envoyez|envoyer|transmet\w*|transfere[zrs]?|poste[zrs]?)~50~(?:cles?|mots? de passe|identifiants|secrets?|jetons?|\.env|variables d'environnement|code source|donnees)~50~(?:a|vers|sur) ~20~@dest@"),
    ("override", "ignor olvid descart haz caso omiso esquec desconsider desper", r"!\b(?:ignor[aeo]\w*|olvid\w+|descart\w+|haz caso omiso|haga caso omiso|omite|esquec\w+|desconsider\w+|desobede\w+|no (?:sigas|hagas caso)|nao siga)~24~(?:tod[ao]s|las|los|as|os|tus|sus|suas|teus|anteriores|previas|de|qualquer)~24~(?:instruc\w+|ordenes|reglas|indicaciones|directrices|anterior\w*|previ[ao]s?|instrucoes|regras|comandos|orientac\w+|diretrizes|mensagens|contexto)"),
    ("secrecy", "digas diga informe menciones usuario conte avise revele", r"!\b(?:no (?:le |se lo |lo |les )?(?:digas|diga|informes?|menciones?|cuentes|avises|reveles|notifiques|comentes)|nao (?:diga|conte|informe|mencione|avise|revele|notifique|fale|comente)|nunca (?:digas|menciones|mencione|diga|conte|informe|reveles))~24~(?:usuario|nadie|ninguem|humano|esto|isso|isto|nada|desenvolvedor|desarrollador)|\bsin (?:que el usuario|informar|avisar|decir)~20~(?:usuario|sepa)|\bsem (?:que o usuario|informar|avisar|dizer)~20~(?:usuario|saiba|perceb)"),
    ("persona", "ahora eres actua como finge voce agora aja como a partir de ahora", r"\b(?:ahora eres|eres ahora|actua como (?:si|un|una)|finge (?:ser|que)|compórtate|comportate como|voce (?:agora )?e (?:agora )?(?:um|uma|o|dan)\b|agora voce|aja como|finja (?:ser|que)|a partir de (?:ahora|agora),? (?:eres|voce))"),
    ("standing", "a partir de ahora a partir de agora de ahora en adelante de agora em diante futuras", r"\b(?:a partir de (?:ahora|agora|este momento)|de ahora en adelante|de agora em diante|daqui em diante|en todas las (?:futuras|proximas)|em todas as (?:futuras|proximas))~30~\b(?:siempre|sempre|nunca|jamas|responde\w*|debes|deve|voce|tu|tus|envia\w*|sesiones|sessoes|conversa\w+|cada respuesta|ignora\w*)\b"),
    ("prompt leak", "prompt instruc sistema", r"\b(?:muestra\w*|revela\w*|repite|repita|dime|diga-me|mostre|mostra|imprime|imprima|cual(?:es)? (?:es|son)|quais? (?:e|sao)|escribe)~30~(?:prompt (?:del|do|de) sistema|(?:tus|sus|suas|teu|tu|seu) (?:\w+ )?(?:instruc\w+|prompt|reglas|regras)|mensaje del sistema)"),
    ("exfiltration", "envia manda sube reenvia envie mande", r"\b(?:envia\w*|envie\w*|manda\w*|mande\w*|sube|suba|reenvia\w*|transmit\w+|publica\w*|encaminhe)~50~(?:claves?|contrasenas?|credenciales|credenciais|secretos?|senhas?|chaves?|tokens?|\.env|variables de entorno|variaveis de ambiente|codigo fuente|codigo-?fonte|datos|dados)~50~(?:a|al|para|en|em) ~20~@dest@"),
    ("override", "игнорир забуд проигнорир не обращай отмени", r"!(?:игнорир\w*|проигнорир\w*|забудь\w*|не обращай\w* внимани\w+ на|отмени\w*|не следуй\w*)~24~(?:все|всё|предыдущ\w+|прежн\w+|вышеизложен\w+|твои|свои|ваши|указани\w+|выше)~24~(?:инструкци\w+|указани\w+|правил\w*|команд\w*|приказ\w*|предыдущ\w+|сказано|контекст\w*|что)"),
    ("secrecy", "не говори не сообща не упомина не рассказыва тайно втайне", r"!не (?:говори\w*|сообща\w+|упомина\w+|рассказыва\w+|раскрыва\w+|уведомля\w+|показыва\w+)~24~(?:пользовател\w+|никому|об этом|человек\w*|разработчик\w*)|(?:втайне|тайно|скрытно|незаметно)~10~(?:от пользовател\w+|отправ\w+|выполн\w+|установ\w+|от него)|без ведома пользовател"),
    ("persona", "ты теперь теперь ты представь притвор веди себя", r"(?:ты теперь|теперь ты|вы теперь|представь,? что ты|притвор\w+|веди себя как|действуй как|отвечай как (?:будто|если)|ты больше не)"),
    ("standing", "с этого момента отныне впредь во всех будущих", r"(?:с этого момента|отныне|впредь|с сегодняшнего дня|во всех будущих|в каждом ответе)~30~(?:ты|всегда|никогда|отвечай\w*|отправляй\w*|должен|сесси\w+|разговор\w+|твои|выполня\w+|добавля\w+|игнорир\w*)"),
    ("prompt leak", "системн промпт инструкци", r"(?:покажи\w*|выведи\w*|раскрой\w*|повтори\w*|напиши\w*|назови\w*|какие|какой)~30~(?:системн\w+ (?:промпт\w*|сообщени\w+|подсказк\w+|инструкци\w+)|(?:твой|твои|свой|свои|ваши) (?:\w+ )?(?:промпт|инструкци\w+|правил\w+))"),
    ("exfiltration", "отправ перешли загруз передай", r"(?:отправ\w+|перешли\w*|загрузи\w*|передай\w*|скопируй\w*|выложи\w*)~50~(?:ключ\w*|парол\w+|секрет\w*|токен\w*|учетн\w+|\.env|переменн\w+|исходн\w+|данны\w+)~50~(?:на|в|по) ~20~@dest@"),
    ("override", "忽略 无视 忘记 忘掉 不要理会 無視 忽視 不要遵", r"!(?:忽略|无视|忘记|忘掉|不要理会|忽視|無視|不要遵守|不要遵循|抛弃|撤销)[^。！？.!?]{0,12}(?:之前|以前|先前|上面|以上|前面|所有|全部|一切|你的|此前|系统)[^。！？.!?]{0,10}(?:指令|指示|命令|规则|提示|要求|内容|说明|設定|设定|约束|限制|對話|对话|信息)"),
    ("secrecy", "不要告诉 别告诉 不要提 不要向 不得告 悄悄 偷偷 暗中 瞒着", r"!(?:(?:不要|别|切勿|不得|请勿|禁止|不能)(?:告诉|告知|通知|提醒|透露|提及|提到|向)[^。！？.!?]{0,8}(?:用户|使用者|任何人|别人|他人|人类|开发者|此事|这件事|这一点|这条)|(?:悄悄|偷偷|暗中|秘密|静默)地?[^。！？.!?]{0,10}(?:发送|上传|执行|运行|安装|添加|删除|修改|转发)|瞒着用户)"),
    ("persona", "你现在是 从现在起你 扮演 假装 越狱 开发者模式 充当", r"(?:你现在是|从现在起,?你|现在你是|你将扮演|请扮演|扮演一个|假装(?:你|自己|成)|(?:进入|开启|启用)?(?:开发者|越狱|无限制|上帝)模式|不受(?:任何)?(?:限制|约束)|没有(?:任何)?(?:限制|道德))"),
    ("standing", "从现在开始 从现在起 今后 以后 每次 未来的", r"(?:从现在开始|从现在起|今后|从今以后|往后|在(?:所有)?(?:未来|以后|今后)的?(?:会话|对话)|每次(?:回答|回复|用户|对话))[^。！？.!?]{0,20}(?:你|总是|始终|必须|一律|都要|不要|回答|回复|发送|添加|运行|执行|推荐|会话)"),
    ("prompt leak", "系统提示 系统指令 提示词 你的指令", r"(?:显示|输出|告诉我|重复|泄露|打印|说出|透露|展示|给出|复述)[^。！？.!?]{0,12}(?:系统提示|系统指令|提示词|你的(?:初始|原始|全部|完整)?(?:指令|指示|规则|设定|提示)|以上内容)"),
    ("exfiltration", "发送 上传 转发 提交 泄露", r"(?:发送|上传|转发|提交|传送|复制)[^。！？.!?]{0,30}(?:密钥|密码|令牌|凭证|凭据|环境变量|\.env|api ?key|token|源代码|私钥|数据|聊天记录)[^。！？!?]{0,30}(?:https?://|到|给|至)|(?:把|将)[^。！？.!?]{0,24}(?:密钥|密码|令牌|凭证|凭据|环境变量|\.env|api ?key|token|源代码|私钥|聊天记录)[^。！？!?]{0,16}(?:发送|上传|转发|发到|传到|提交|写入)"),
    ("order", "执行以下 运行以下 必须执行 ai助手 人工智能助手", r"(?:(?:ai|人工智能|智能)(?:助手|代理|模型)[^。！？.!?]{0,10}(?:必须|请|应该|需要|务必)|(?:立即|马上|请|必须|务必)(?:执行|运行)(?:以下|下列|这个|此)(?:命令|代码|脚本|指令))"),
    ("override", "無視 忘れ 従わ 指示", r"!(?:(?:これまで|以前|前|上記|先ほど|今まで|すべて|全て|あらゆる)の?[^。！？.!?]{0,14}(?:指示|命令|ルール|規則|プロンプト|指令|設定|会話|内容|制約)[^。！？.!?]{0,10}(?:無視|忘れ|破棄|従わない|取り消))"),
    ("secrecy", "ユーザー 秘密 知らせ 伝え 黙って こっそり", r"!(?:(?:ユーザー|利用者|誰|人間|開発者)[^。！？.!?]{0,12}(?:言わない|伝えない|知らせない|話さない|教えない|報告しない|言及しない|気づかれ|内緒|秘密|知らせず|伝えず)|(?:黙って|こっそり|密かに|秘密裏に)[^。！？.!?]{0,16}(?:送信|実行|追加|削除|インストール|アップロード|変更))"),
    ("persona", "あなたは今 今からあなた になりきって のふりを 開発者モード として振る舞", r"(?:あなたは(?:今|これ)から|今からあなたは|になりきって|のふりをし|開発者モード|として振る舞|として行動し|制限(?:の)?(?:ない|なし))"),
    ("standing", "今後 これから 以後 毎回 すべての", r"(?:今後は?|これからは?|以後|今から|毎回|すべての(?:会話|セッション|回答))[^。！？.!?]{0,24}(?:必ず|常に|決して|あなた|返答|回答し|答え|送信|追加し|実行し|推奨)"),
    ("prompt leak", "システムプロンプト 指示を 初期", r"(?:システムプロンプト|(?:あなたの|最初の|初期の|元の)(?:指示|プロンプト|命令|設定))[^。！？.!?]{0,14}(?:表示|教え|出力|見せ|開示|繰り返|公開|示し|書い)"),
    ("exfiltration", "送信 アップロード 転送", r"(?:apiキー|キー|パスワード|トークン|認証情報|秘密|環境変数|\.env|ソースコード|データ)[^。！？!?]{0,30}(?:https?://|に|へ)[^。！？!?]{0,40}(?:送信|アップロード|転送|送っ|送れ|投稿)"),
    ("override", "ignora dimentica istruzioni negeer vergeet zignoruj önceki talimat yoksay 무시", r"!\b(?:(?:ignora|dimentica|trascura)\w*~24~(?:istruzion\w+|regole|precedent\w+|ordini)|(?:negeer|vergeet)~24~(?:instructies|regels|opdrachten|bovenstaande)|(?:zignoruj|zapomnij)~24~(?:instrukc\w+|polece\w+|zasad\w*|poprzedni\w*)|onceki~20~(?:talimat\w*|komut\w*)~16~(?:yoksay|unut|gormezden))|(?:이전|위의?|모든)[^.!?]{0,12}(?:지시|명령|규칙|지침)[^.!?]{0,10}(?:무시|잊)|(?:तरह|पिछले|सभी)[^.!?।]{0,16}निर्देश[^.!?।]{0,16}(?:अनदेखा|भूल|नज़रअंदाज़)|(?:تجاهل|انس)[^.!?]{0,20}(?:التعليمات|الأوامر|السابقة)"),
)


def _table() -> tuple[tuple[str, tuple[str, ...], str], ...]:
    families = (
        ("override", _OVERRIDE),
        ("persona", _PERSONA),
        ("secrecy", _SECRECY),
        ("exfiltration", _EXFILTRATION),
        ("prompt leak", _LEAK),
        ("authority", _AUTHORITY),
        ("order", _ORDER),
        ("standing", _STANDING),
        ("unsafe advice", _SAFETY),
        ("note to a model", _WRAPPER),
    )
    own = [(sign, stems, source) for sign, rules in families for stems, source in rules]
    return tuple((sign, tuple(stems.split()), source) for sign, stems, source in (*own, *_TONGUES))


RULES = _table()
