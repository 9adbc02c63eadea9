"""Rules for orders that an honest author may give, but a stranger may not: tasks, standing orders, unsafe advice.

How the table is written is told in `instruction_rules`.
"""

from __future__ import annotations

__all__ = ["ORDER_RULES"]

ORDER_RULES = r"""
note to a model :: model agent assistant claude ai_ llm bot_ an_ai your_ grader
    \bto the (?:\w+ )?(?:model|agent|assistant|llm|ai|bot) (?:processing|reading|parsing|handling|reviewing
    |summari[sz]ing|that|which|who)\b|\btodo ?\((?:the )?(?:agent|ai|claude|llm|bot|assistant|copilot)\)
    |\b(?:working|reading|editing|coding)~30~ as an (?:ai|llm|agent|assistant)\b|\b(?:tell|ask|have|get
    |let) (?:your|his|her|their|everyone's) (?:ai|claude|agent|assistant|bot|copilot|llm|model)\b
    |\bdear (?:\w+ )?(?:model|ai|llm|agent|bot)\b|\byour (?:very )?(?:first|next|last|final) (?:tool call|command
    |action|step) (?:is|must|should|has|will)\b
order :: log_in balance cucumber print say
    @start@(?:open|go to|use) (?:the |your |a )?(?:browser|bank|e?mail|account|website)\b~30~\b(?:log in|sign in
    |enter|read me|transfer|buy|click)|@start@do this(?: instead)?: ?\w|@start@(?:print|say|output|write|type
    |display) (?:only )?the (?:word|words|phrase|sentence|text|letters?)\b
order :: report approv accept merge pass fine safe secure good well clean success tell
    @start@(?:report|find|mention|raise) no (?:findings|issues|problems|errors|vulnerabilit\w+)
    |@start@(?:always )?(?:approve|accept|merge|pass) (?:everything|all|any|every) (?:changes?|prs?
    |pull requests?|commits?|code|requests?)\b~20~(?:by|from|without|no matter|that)|@start@(?:say|report|reply
    |answer|state|claim|tell \w+)(?: that)? (?:everything|all|it|the \w+) (?:is|was|are|looks|passed
    |went) (?:fine|safe|ok|okay|secure|good|well|clean|passed|successful)|\breport(?:ed)? success\b|(?:and|then
    |,) tell (?:the user|them|him|her|everyone) (?:that )?(?:it|they|everything|all|the \w+) (?:is|was|are|has
    |have|passed|were|worked)
order :: tweet poem song essay joke haiku limerick rap letter speech recipe fairy story lyrics riddle
    @start@(?:compose|write|draft|create|generate|post|publish|tell|sing|make up|invent|recite)(?: me| us)? (?:a
    |an|some|one|the|your|two|three|five|\d+) (?:\w+ ){0,2}(?:tweets?|poems?|songs?|essays?|jokes?|haikus?
    |limericks?|raps?|love letters?|speech|recipes?|fairy tales?|short stor(?:y|ies)|lyrics|riddles?|diary
    |sonnet)\b
order :: share everyone public
    @start@(?:share|publish|release|post|open)~24~\b(?:with|to) (?:everyone|anyone|all (?:users|people)
    |the (?:public|whole (?:world|internet))|outsiders|anybody)\b
order :: the_user the_human the_owner
    \bthe (?:user|human|owner)(?:'s)?\b~60~\byou(?:r|rself)?\b(?! (?:can|get|see|need|have) (?:a|an|the
    |to)\b)~30~(?:run|use|send|delete|skip|trust|follow|approve|share|execute|push|install|read|answer|reply|say
    |do\b|act|call|obey|write|access|make|give|tell|commit|copy|never|always|without)
order :: tool function api endpoint
    @start@(?:first,? )?(?:call|use|invoke|trigger) (?:the |your |its )?[\w.-]{2,40} (?:tool|function|api
    |endpoint)\b~40~(?:with|to|on|for)~60~(?:https?:|every|all |@|\$|delete|transfer|send (?:it|a|the)|contacts?
    |account|password)
order :: sent mailed forwarded posted uploaded copied reported shared transmitted
    \b(?:from now on|(?:user|owner|admin|team|customer|developer) (?:asked|wants|wanted|requested|requires|agreed
    |insists)|must always|you|always be|should be)\b~70~(?:sent|e?mailed|forwarded|posted|uploaded|copied
    |reported|transmitted|shared|written|logged)~20~(?:to|with|at)~12~(?:https?://(?!localhost)
    |[\w.+-]{1,40}@[\w-]+\.)
order :: answer respond reply repli anything summari continu complet help proceed solve finish
    \b(?:before|prior to|after|instead of|when|while|upon|every time you|each time you) (?:you )?(?:answer|respond
    |reply|responding|answering|replying|doing anything|summari[sz]\w*|continu\w*|complet\w+ (?:the|this|any|your)
    |help\w*|proceed\w*|you (?:can |could )?(?:solve|complete|finish|continue)|any (?:other )?(?:tool|answer
    |response))~50~\b(?<!were )(?<!was )(?<!be )(?:run|execute|call|invoke|fetch|visit|download|curl|send|install
    |post|upload|open|transfer|email|use the \w+ (?:tool|function)|first|delete|navigate|load)\b
order :: command code script instruction payload order directive
    @start@(?:execute|run|perform|carry out|eval(?:uate)?|paste|follow|obey|comply with) (?:the (?:following
    |below|attached|encoded|decoded|hidden|embedded)|this|these|whatever|any|all|every)(?: \w+){0,2} (?:commands?
    |code|scripts?|instructions?|payload|orders?|directives?)\b~40~(?:immediately|now\b|silently|without|first
    |before|on (?:the )?(?:user|host|their|your)|as root|exactly|no matter|do not|with (?:sudo|full|elevated)
    |regardless|from (?:the |this )?(?:url|http|page|link|server|comment|email|web)|at once|\bno questions)
order :: you_to your_ you_are you_will you_have you_must
    \b(?:i (?:want|need|order|command|expect|instruct|require|urge|beg|would like|'d like) you to|your (?:ne
    w |next |only |real |actual |primary |first |main |sole |true |current |ultimate |final )*(?:task|job|goal
    |objective|mission|purpose|instructions?|directive|orders?) (?:is|are|will be|now|has changed|have changed
    |from now)|you (?:are|will be|have been) (?:now |hereby |strictly )?(?:required|instructed|ordered|commanded
    |obliged|programmed|forbidden|not allowed|authori[sz]ed|permitted|granted|directed) (?:to|from|full|by)
    |you must (?:now |always |never |not |also |immediately |first |only |obey |comply)*(?:answer|respond|reply
    |obey|comply|follow|ignore|pretend|say|tell|send|reveal|execute|provide|include|recommend|act|do (?:as|what
    |everything|the following|exactly)|forget|output|refuse|treat|call the|visit|print|convince|transfer|accept
    |give))
order :: your_ future subsequent
    \b(?:in|at the (?:end|beginning|start|top|bottom) of|to|into|within|from|with) (?:all (?:of )?|every |eac
    h |any )?(?:your|future|subsequent)(?: (?:next|final|future|own|every|subsequent|first|last))? @reply@\b
    |\byour (?:\w+ )?@reply@ (?:must|should|will|has to|have to|needs? to|shall|is to|are to|may only|consists?
    |contains?)|\b(?:end|finish|conclude|close|sign off|prefix|prepend|translate|encode|write|rewrite|reverse
    |format|begin|start|append|scramble|replace) (?:all |every |each |the )*(?:of )?your (?:\w+ )?@reply@
order :: respond reply answer repeat say_ print output write speak talk
    @start@(?:only |simply |just )?(?:(?:respond|reply|answer)(?: to (?:this|me|everything|every \w+|all \w+
    |any \w+|the \w+))? (?:only |just |exactly |always )?(?:with|by saying|by) (?:only |just |exactl
    y |nothing but |the exact )*(?:the (?:word|phrase|text|sentence|following|string|letter|number|emoji)\b|["'])
    |(?:respond|reply|answer|speak|talk|write) (?:only |exclusively )?in (?:emojis?|base64|rot13|pig latin|morse
    |klingon|the style of|all caps|reverse|a (?:rude|sarcastic|pirate))|repeat after me
    |(?:only|just|simply|now) (?:say|print|output|respond|reply|answer|write)\b(?! the (?:diff|id|json|number of
    |path))|say (?:only|exactly|just|"|'|that (?:i|you|the user|this)|you (?:are|have|hate|love)|i (?:have|am)))
order :: word letter sentence character vowel noun names syllable paragraph
    @start@(?:randomly )?(?:substitute|replace|reverse|scramble|shuffle|swap|capitali[sz]e|misspell|obfuscate
    |encode|mask|remove|insert)~20~\b(?:every|each|all|the order of|random(?:ly)?|alternate|some
    |any)~16~\b(?:words?|letters?|sentences?|characters?|vowels?|nouns?|names|syllables?
    |paragraphs?)\b(?!~20~(?:regex|column|token|array|string|index))
order :: transfer wire pay payment donat remit deposit transaction withdraw refund purchase
:: invest gift bitcoin btc wallet $ € £ iban dollars euros account_n
    @start@(?:send|transfer|wire|pay|donate|remit|deposit|make (?:a|an) (?:transaction|payment|transfer|purchase
    |donation|bank transfer)|withdraw|refund|buy|purchase|order|invest)~40~(?:[$€£]\s?\d(?! ?test|\d? test)
    |\d+(?:[.,]\d+)? ?(?:usd|eur|gbp|dollars|euros|btc|eth|bitcoin)|\b[a-z]{2}\d{2}[a-z0-9]{8,}|bitcoin|wallet
    |gift cards?|bank account|0x[0-9a-f]{8,}|account (?:number|no))
order :: mail message link invit calendar event reserv book file password sms visit www. click schedule account
:: phone delete
    @start@(?:(?:send|write|compose|forward|draft)~24~\b(?:e-?mails?|messages?|sms|text|links?|letters?
    |dm)\b~40~(?:\bto\b|saying|with (?:the )?(?:subject|body|text|content|link))~30~(?:[\w.+-]{1,40}@|"|'|https?:
    |www\.|my |everyone|all |@\w|(?:him|her|them)\b|[a-z]+ and [a-z]+|(?:alice|bob|eve)\b|the (?:ceo|boss|entire
    |whole))|e?mail (?:the |a |this |my |all )~50~[\w.+-]{1,40}@[\w-]+\.|forward (?:all|every|the|my
    |any)~20~\be?mails?\b~40~\bto\b|invite~30~[\w.+-]{1,40}@|(?:book|reserve|make a reservation|schedule
    |create an? (?:calendar )?event|add an? (?:calendar )?event)~60~(?:hotel|restaurant|flight|table|participant
    |meeting with|[\w.+-]{1,40}@|dinner|lunch|appointment)|(?:change|update|reset|set) (?:my|the user's|their|his
    |her) (?:\w+ )?(?:password|e-?mail|phone|address|account)|delete (?:my|the user's|all (?:of )?(?:my
    |the user's|their|your)|the (?:file|email|message|event) (?:with|named|called|from))|click (?:on )?(?:this
    |the following|here|the) ?(?:link|url)?:? (?:below|https?:|www\.|to (?:continue|claim|win|unlock|get))
    |visit (?:www\.|https?://(?!localhost|127\.)|this (?:link|website|site|page|url)))
order :: convinc persuad manipulat promot advertis recommend endors discredit encourag slander praise trick
:: deceiv mislead urge pressure plug
    @start@(?:subtly |always |strongly |only |actively )?(?:convince|persuade|manipulate|trick|deceive|mislead
    |encourage|urge|get|pressure|push) (?:the |all |every |any )?(?:users?|readers?|people|everyone|them
    |customers?|him|her|humans?|victim|audience)~10~(?:to|that|into|of)\b|@start@(?:subtly |always |strongl
    y |only )?(?:promote|advertise|endorse|recommend|praise|plug|discredit|slander)\b~30~(?:to the user|in your
    |over (?:all|any|other|its)|as the (?:best|only|safest|most)|whenever|when(?:ever)? (?:asked|the user)
    |product|brand|casino|website|hotel|crypto|coin|competitor|instead of)
order :: bomb explos molotov meth cocaine heroin malware ransomware keylogger phishing virus worm trojan rootkit
:: botnet hack_into hotwire steal shoplift counterfeit launder poison kill suicide self-harm napalm fake_id
:: credit_card racist sexist slur hate_speech nazi terroris weapon agent anthrax dox stalk blackmail scam
:: propaganda disinformation misinformation conspiracy deepfake tax_fraud illegal humanity take_over evade
:: traffick
    \b(?:tell me|give me|show me|write|teach me|explain|how (?:to|do i|can i|could i|would (?:one|i|you)|might)
    |create|generate|provide|make|list|describe|instructions (?:for|on|to)|steps (?:to|for)|guide (?:to|on|for)
    |develop|build|help me|compose|draft|produce|come up with|say|what (?:is
    |are) the best ways? to)~50~@harm@(?!~30~(?:protection|prevention|detection|detector|scanner|mitigation
    |defen[cs]e|policy|awareness|filter|warning))
order :: tell_me tell_us write_me write_us sing_ teach_ draw_ give_me give_us show_me show_us send_me send_us
    (?:^|[.!?\n#>"] ?|\b(?:and|then|now|please|instead|warn|info) )(?:please )?(?:(?:tell|write|sing|teach
    |draw) (?:me|us) (?:a|an|the|your|some|how|about|all|everything|five|ten|three|\d+)|(?:give|show|send) (?:me
    |us) (?:your|all|access|a list of|some|everything|the (?:password|key|secret|code for)|(?:step
    |detailed)\S* (?:by|instructions)))\b(?!~20~\?)
order :: decode decrypt base64 rot13 hex unscramble
    \b(?:decod|decrypt|deobfuscat|unscrambl|decipher|base64 -d|rot13)\w*~70~(?:\band\b|then|,|\|)~24~(?:follow
    |execut|run|do (?:what|as|it)|obey|perform|comply|act|answer|respond|\bsh\b|bash|eval|treat)
standing :: reply answer response message session today topic subject configuration behaviour behavior
    \b(?:in|with|to|let) (?:each|every|all|any) (?:future |subsequent |next )?(?:reply|answer|response|message
    |replies|answers|responses)\b~40~(?:you\b|from today|work in|begin|start|end\b|include|mention|plug|append
    |recommend|link)|\bnext (?:session|time|conversation|chat)\b~24~\b(?:execute|run|fetch|before anything|first
    |load|send|open)|\bwhen(?:ever)? the (?:topic|subject|talk|conversation|question)~24~\b(?:advise|recommend
    |say|suggest|mention|answer|claim|praise|push)|\byour (?:permanent|default|new|standard) (?:configuration
    |behaviou?r|setting|rule|personality|answer)s?\b|\bconsider this (?:your|a|as) (?:permanent|standing|new
    |binding)|\bfrom today on\b
standing :: from_now_on from_this henceforth hereafter going_forward starting_ for_the_rest for_the_remainder
    !\b(?:from now on(?:wards?)?|from this (?:point|moment|day|message) (?:on|forward|onwards?)|henceforth
    |hereafter|going forward|starting (?:now|today|immediately)|for the (?:rest|remainder) of (?:this|the|our|all
    |your) (?:conversation|session|chat|sessions|interaction)\w*),? ?(?:and )?(?:\w+ ){0,2}?(?:you\b|your\b
    |always|never|the (?:assistant|ai|agent|model|bot)|claude|respond|answer|reply|every (?:response|reply|answer
    |time|request|commit|file|message|user|prompt)|whenever|any (?:request|question|user|command|time)
    |all (?:requests|responses|replies|code you|answers|commands)|i want|ignore|treat|only (?:respond|answer
    |reply|speak)|refer|act|speak|call me|when (?:asked|the user|i)|if (?:the user|asked|you|i)|append|include
    |insert|do (?:not|everything)|assume|trust|send|obey|pretend|recommend|prefix|execute)
standing :: future subsequent later_ following upcoming other_ new_ every_ each_ all_
    \b(?:in|for|across|during|into|throughout|over|through|at the (?:start|beginning|end) of) (?:all |any |ever
    y |each |the )*(?:(?:future|subsequent|later|following|new|upcoming|other) )+(?:coding |cha
    t |user )?(?:sessions?|conversations?|chats?|responses?|replies|interactions?|answers|prompts|queries|tasks
    |turns|runs)\b~60~\b(?:you|always|must|never|start|run|send|include|remember|do not|load|fetch|call|follow
    |upload|use|say|reply|begin|recommend|treat|add|append|obey|open|trust|execute|skip)\b|\b(?:remember|always
    |never|must|you|keep|apply|save|rule|follow|obey)\b~60~(?:in|for|across|during) (?:all |an
    y |every )+(?:future|subsequent|later) (?:\w+ )?(?:sessions?|conversations?|chats?|responses?|replies
    |interactions?|answers)\b|\b(?:in|for|at the (?:start|beginning|end) of|during) (?:every|each
    |all) (?:\w+ )?(?:sessions?|conversations?|chats?|interactions?|responses?|replies)\b~60~(?:run|send|include
    |append|fetch|fetching|ping\w*|say|tell|execute|load|visit|you|must|upload|repeat|post)\b
standing :: remember memor persist .md cursorrules mind note store save record learn retain internal
    @start@(?:always |permanently )?(?:remember|memori[sz]e|never forget|keep in mind|note|store|save|record
    |persist|commit|add|write|learn|retain|internali[sz]e)(?: this| that| it| the following| these| as a \w+
    | permanently)*[,:]? (?:(?:to|in|into|as|for) (?:your |the |a |its )?(?:\w+-?\w* )?(?:memor(?:y|ies)
    |claude\.md|agents\.md|memory\.md|\.cursorrules|knowledge|system prompt|core (?:rule|belief)|permanent
    |long-term|persistent)|(?:that )?(?:the |this |your )?(?:user|human|owner|developer|project owner
    |admin\w*)s? (?:\w+ )?(?:wants?|prefers?|likes?|has|asked|agreed|authori[sz]ed|trusts?|is|approved|allows?
    |gave|needs|consented|works for|always|never|expects|granted|hates|believes)|(?:that )?(?:you|i) (?:are|must
    |should|have|always|never|will|can|am|may|work))
standing :: ask mention says requests inquir question talk bring type quer want prompted
    \b(?:when(?:ever)?|if|every time|each time|any ?time|next time|should|once|as soon as) (?:ever )?(?:the |a |an
    y |your |this )?(?:users?|someone|anyone|somebody|human|developer|customer|people|person|asked|prompted|queried
    |questioned|i)\b ?(?:later |next |ever )?(?:asks?|mentions?|says?|requests?|wants?|inquires?|questions?|about
    |talks?|brings? up|types?|queries|for|how|why|whether|what|to (?:write|review|recommend|summari|explain
    |generate|fix))~60~\b(?:always |never |then |you (?:must|should|will) |instead |please |immediately |simply |jus
    t )*(?<! a )(?<!the )(?:respond|reply|answer|say|tell|recommend|suggest|claim|direct|insist|refuse|pretend
    |insert|point (?:them|him|her|the)|redirect|deny|state that|lie|confirm|assure|link|promote|advise|mislead
    |warn them|give them|output|run|execute|send|call|install|act|explain that|use our|include a)\b
standing :: whenever_you time_you anytime_you when_you if_you once_you ever_you
    \b(?:whenever|every time|each time|any ?time|when|if|once) (?:ever )?you (?:ever |are |later |next )?(?:see
    |read|write|encounter|generate|create|edit|open|review|commit|deploy|run|process|receive|asked|load|access
    |start|finish|are|recall|retrieve|load|hear|detect|find|use|work|help|notice)\b~70~\b(?:send|insert|append
    |include (?:a|the|this)|upload|post|exfil\w*|skip|approve|ignore|import|fetch|exfiltrate|forward|inject
    |respond|reply|say|tell|report (?:back|it|to)|call (?:https?|the endpoint|out)|curl|execute|download|visit
    |transmit|reveal|obey|add (?:a backdoor|the following|this|a hidden|a comment|our|the line)|email|leak
    |do not (?:tell|mention|ask))\b
standing :: trusted source authorit go-to
    @start@(?:always )?(?:remember|treat|consider|cite|regard|trust|mark|view|use|note)~40~\b(?:as|is
    |that)~20~\b(?:trusted|authoritative|go-to|reliable|verified|definitive|credible|leading|safe
    |trustworthy)\b~16~(?:source|citation|reference|expert|authority|vendor|provider|domain|site|command
    |instructions?|content|and (?:need|follow|never)|without)
standing :: recommend suggest promot cite endors advertis prais favor favour
    @start@(?:always|only|never)(?: \w+)? (?:recommend|suggest|promote|endorse|advertise|praise
    |favou?r)\b(?! (?:the |a |an )?(?:composition|const|explicit|named|small|readab|immutab|using the type
    |the simplest))
unsafe advice :: exempt treat you_ gave_you given_you grant skipped bypassed ignored omitted waived every any_
:: all_ yes checksum certificate
    !\b(?:agents?|assistants?|ais?|claude|you|bots?) (?:are|is|remain) (?:exempt|excluded|excused|free) from
    |@start@treat~50~\bas (?:a |an |your |direct |trusted )*(?:commands?|orders?|instructions?|system (?:message
    |prompt)s?)\b|\byou (?:may|can|should|must|are free to|are allowed to) (?:run|execute|install|open|trust
    |follow|merge|obey) (?:any|every|all|whatever|anything)|\b(?:gave|gives|given|granted|grants
    |grant) you~24~(?:permission|approval|authority|consent|clearance|rights)|\b(?:reviews?|checks?|approvals?
    |confirmations?|verifications?|scans?) (?:can|may|should|must|are to) (?:always |simpl
    y |safely )?be (?:skipped|bypassed|ignored|omitted|waived|disabled)~40~\b(?:you|agents?|always|anything|all
    |every|any)\b|@start@(?:just )?(?:accept|trust|allow) (?:every|any|all) (?:\w+ )?(?:certificates?|host keys?
    |scripts?|connections?|prompts?|commands?|links?|redirects?)|\balways (?:answer|say|reply|respond|vote|choose
    |click|press) (?:with )?\W?(?:yes|ok|allow|accept|approve)|@start@ignore (?:all |any )?(?:checksum
    |certificate|signature|security|ssl|tls|integrity) (?:errors?|warnings?|mismatch\w*|failures?|alerts?)
unsafe advice :: asked asking sudo hardcod bypass nopasswd
    !\b(?:not (?:want(?:s)? |like |wish )(?:to )?(?:be |being )?asked\b|never wants? to be asked|nothing (?:is
    |will be|has to be) asked|you (?:may|can|should|could|must)~30~without asking\b|without asking (?:the user
    |him|her|anyone|permission|again|for \w+)~1~|sudo~16~(?:for everything|for every|always|whenever|with every
    |without)|(?:set|switch|change|put|turn)~24~(?:bypass mode|bypasspermissions|yolo mode|auto-?accept|nopasswd)
    |approve your own)
unsafe advice :: hardcod
    @start@(?:hard-?code|embed)(?: the| a| an| your| our)* ~16~\b(?:password|credential|api key|token|secret
    |private key)s?\b
unsafe advice :: tests assertions findings scanner
    @start@(?:delete|remove|edit|change|weaken|rewrite|comment out|skip|disable) (?:the |all |any |failin
    g |those )*(?:tests?|assertions?|test (?:folder|suite|files?)|test cases)\b~20~(?:until|so (?:that )?(?:they
    |it|the)|when|silently|instead|and (?:report|say|tell|claim|do not)|permanently|to make)
    |\bnever run the (?:security|tests?|scanner|linter|checks)|\btests? must never be run
unsafe advice :: later sessions future credential password token
    @start@(?:store|save|keep|remember|record|memori[sz]e)~12~(?:them|credentials?|passwords?|keys?|tokens?
    |secrets?)~24~(?:so (?:that )?(?:later|future|other|you|next)|for (?:later|future|next)|in (?:you
    r |long-term )?memory (?:so|for|and))
unsafe advice :: permission authori clearance consent approv
    !\byou (?:now |already |always )*(?:have|were given|got|hold|enjoy) (?:been (?:given|granted) )?(?:full |th
    e |explicit |blanket |standing |my |our |unrestricted |user's )*(?:permission|authority|clearance
    |authori[sz]ation|consent|approval) (?:to|for)|\balways (?:approve|accept|allow|grant|confirm
    |say yes to)~24~(?:automatically|prompts?|permission|requests?|tool|commands?|no matter|without)
unsafe advice :: confirm permission approv consent authori review verif sandbox guardrail sign safety security
:: filter secret audit protection tool
    (?<![-\w])(?:skip(?:ping)?|bypass(?:ing)?|disabl(?:e|ing)|auto-?approv(?:e|es|ing)|suppress(?:ing)?
    |circumvent(?:ing)?|turn(?:ing)? off|switch(?:ing)? off|dismiss|always (?:accept|approve|allow|grant
    |say yes to|confirm)|ignor(?:e|ing)|remov(?:e|ing)|deactivat(?:e|ing)|waiv(?:e|ed|ing)
    |automatically (?:accept|approve|allow|grant|confirm))~14~\b(?:the |any |all |every |user |its |your |too
    l |human |safety |security )*(?:permission (?:checks?|prompts?|requests?|dialogs?|system)|@ask@(?: prompts?
    | dialogs?| steps?| requests?)?|sandbox(?:ing)?|guardrails?|safety (?:checks?|filters?|features?|measures?
    |prompts?|mechanisms?|rules|protocols?)|security (?:checks?|controls?|reviews?|warnings?|polic(?:y|ies)
    |scans?|prompts?|measures|restrictions)|content filters?|code review|tool calls?|secret scan\w*|audit (?:log
    |trail)\w*|branch protection|pull request review)
unsafe advice :: not_ask not_prompt not_wait not_request not_seek not_check not_bother not_confirm not_consult
:: not_requir never_ask never_prompt never_wait no_need without stop_ask need_no needs_no require requires_no
:: not_need no_ waive asking
    !\b(?:(?:do not|never|no need to|without|stop|instead of|not have to
    |not necessary to) (?:ever )?(?:ask(?:ing)?|prompt(?:ing)?|wait(?:ing)?|request(?:ing)?|seek(?:ing)?
    |check(?:ing)?|bother(?:ing)?|confirm(?:ing)?|consult(?:ing)?|requir(?:e|ing)) (?:again |with |for |o
    n |to )*(?:the |any |a |user|user's |human|me |him |her |them |their |my |further |explicit |additiona
    l |first |your )*(?:@ask@|user\b|human\b|before (?:running|executing|deleting|pushing|sending|making
    |committing|installing|applying|you|any|doing)|owner|first)|(?:no|without(?: any)?|needs? no|requires? no
    |(?:do|does) not (?:need|require)|waives?|without (?:needing|requiring|requesting)) (?:further |additiona
    l |any |explicit |user |human |prior |manual |the user's )*@ask@(?: prompts?)?(?: (?:is|are|was))?(?: needed
    | required| necessary)?)~60~(?:command|shell|run|execut|tool|you\b|assistant|agent|claude|delet|push|deploy
    |send|user|install|rm |sudo|purchase|transfer|write|edit|file|chang|action|request|because|proceed)
unsafe advice :: approv authori consent grant permit permission allow trust waive gave given gives agree opted
:: signed confirmed
    !\b(?:the |this |our |your )?(?:users?|owner|admin\w*|team|developer|security team|maintainers?|project owner
    |human|operator|company|organization|management)s?(?: (?:has|have|had|already|previously|explicitly|hereby
    |also|permanently|fully))* (?:pre-?)?(?:approved?s?|authori[sz]e[sd]?|consent(?:s|ed)?|grant(?:s|ed)?
    |allow(?:s|ed)?|permit(?:s|ted)?|waived?s?|gives?|gave|given|trusts?|agree[sd]?|opted|signed off
    |confirmed)~40~\b(?:all\b|any\b|every|full|blanket|unrestricted|unlimited|in advance|without|automatic\w*
    |permanent\w*|future|destructive|shell commands?|sudo|root access|credentials?|secrets?|external|outbound
    |disabl\w+|skipp?\w*|bypass\w*|sharing|sending|exfil\w*|force)(?! (?:the )?(?:other|hands|tests|colleagues)\b)
unsafe advice :: --no-verify skip-permission chmod --force --yolo verify=false strict-ssl no-check --insecure
:: --privileged nopasswd setenforce 0.0.0.0
    \b(?:always|must|should|use|add|pass|run|set|commit with|push with|prefer|append|including|include|configure
    |apply|execute|safe to|fine to|put|allow\w*|start|launch)\b~40~(?:--no-verify\b
    |--dangerously-skip-permissions|chmod (?:-r )?0?777|git push (?:-f|--force)\b(?!-with)|--yolo\b|--no-gpg-sign
    |--no-sandbox|--disable-\w*security|--privileged\b|nopasswd|setenforce 0|strict-ssl (?:=)?false|verify=false
    |sslverify false|--no-check-certificate|node_tls_reject_unauthorized=0|--insecure\b|--trusted-host
    |ufw disable|--allow-root)(?!~40~(?:is (?:for|only|not)|only (?:for|in|when|on)|locally|in (?:dev|ci|docker
    |a container|local)))
unsafe advice :: |sh |_sh |bash |_bash |_sudo |sudo |_python |python |_zsh |_node |_perl |_iex <(_curl <(curl
:: $(curl $(_curl iex( iex_( |iex
    !(?:curl|wget|irm|iwr|invoke-webrequest)\b(?! ?\|)(?:(?!@safe@)[^|\n]){1,160}\| ?(?:sudo )?(?:-\w+ )*(?:ba|z
    |da)?(?:sh|iex|python3?|perl|node)\b|(?:bash|sh|source|python3?) ?(?:-c )?["']?[<$]\( ?curl (?:(?!@safe@)[^)\n
    ]){1,160}\)|\biex ?\(~80~(?:downloadstring|http)
unsafe advice :: install add_ _get_ npm_i registry mirror index package_source repository sync config_set
    !\b(?:pip3?|uv|npm|yarn|pnpm|gem|cargo|go|brew|poetry|apt|apt-get|npx|pipx
    |conda)\b(?: -?[\w-]+){0,3} (?:install|add|get|i|config set
    |sync)\b[^.\n]{0,60}(?:(?:git\+)?https?://(?!(?:[\w-]+\.)?@safe@)(?!10\.|192\.168|[\w.-]*(?:example\.com
    |company|acme|mirror\.local))|--(?:extra-)?(?:index-url|registry)[= ]https?://(?!@safe@))|\b(?:add|use
    |switch to|set|configure|point|change|replace)~40~(?:registry|mirror|index(?:-url)?|package source
    |package index|repository)~30~(?:to|at|as|:|=) ?https?://(?!@safe@)
unsafe advice :: authorized_keys ssh-rsa ssh-ed ssh-dss ssh_key public_key gpg_key deploy_key as_a as_an
:: backdoor reverse_shell keylogger hidden_ web_shell webshell logic_bomb hardcoded nc_-e /dev/tcp bash_-i
    \b(?:(?:add|append|insert|echo|put|install|write|place|copy|include|paste|register
    |upload)~60~(?:authorized_keys|ssh-(?:rsa|ed25519|dss) aaaa|\b(?:this|the following|our|my|attacker\w*|their
    |an? (?:extra|additional|new)) (?:ssh|public|gpg|deploy) key|as an? (?:collaborator|admin|owner
    |maintainer) (?:on|to|of|in)|backdoor|reverse shell)|(?:add|insert|include|leave|plant|introduce|create|embed
    |hide|keep) (?:a |an |the |this )?(?:\w+ )?(?:backdoor|reverse shell|keylogger|hidden (?:user|admin|endpoint
    |account|route)|web ?shell|logic bomb|hardcoded (?:admin|password|credential))|nc -e /bin|/dev/tcp/\d
    |bash -i >&)
unsafe advice :: rm -rf drop table drop database delete wipe mkfs format
    \b(?:run|execute|always|must|should|then|now|please|immediately|type|issue|invoke|with|do|first|:|fix|by
    |use)\b ~40~(?:rm -(?:rf|fr) (?:--no-preserve-root )?(?:/|~/?|\*|\$home/?|/\*|\.git|\.)(?=[ "'`;&.,)]|$)
    |mkfs\.|dd if=/dev/(?:zero|random)|format c:|del /[fsq] )|@start@(?:delete|wipe|destroy|erase|remove|drop
    |purge|truncate) (?:all|every|everything|the entire|the whole)~20~\b(?:files|data|databases?|tables|backups?
    |repositor\w+|commits|branches|emails|user'?s? \w+|records|memories|logs|history|home|disk
    |system)\b~40~(?:immediately|now|without|silently|on (?:the )?(?:user|host)|no longer|at once|do not|you
    |permanently|from the (?:user|system|host|machine)|and (?:then )?(?:send|tell|say|replace))
unsafe advice :: disable turn off deactivat skip remov weaken comment out
    \b(?:disable|turn off|switch off|deactivate|skip|remove|weaken|comment out|bypass|stop (?:running|using
    |writing)|omit|delete|drop)~20~\b(?:tests?|checks?|validation|verification|authentication|auth
    |authori[sz]ation|logging|monitoring|encryption|csrf|tls|ssl|certificates?|firewall|antivirus|selinux|hooks
    |linters?|rate limit\w*|signature\w*|escaping|saniti[sz]\w+|2fa|mfa|scann\w+)\b~40~(?:always|permanently
    |in (?:all|every|any) |for (?:all|every) (?:future|user|request|session|project|commit|pr)|silently
    |without (?:telling|asking|mention)|you\b|the (?:assistant|ai|agent)|from now on|so (?:that )?(?:the|our
    |my) (?:code|payload|script|attack|request)|because the user|whenever|every time|do not)
unsafe advice :: safe trusted verified approved whitelisted authori executed obeyed followed
    \b(?:commands?|scripts?|urls?|links?|code|instructions?|requests?|packages?|messages?) (?:from|on|at|in|by
    |served by|hosted (?:on|at)|sent by) ~40~(?:are|is) (?:always |completely |fully |pre-?|alread
    y |to be )*(?:safe|trusted|verified|approved|whitelisted|authori[sz]ed|executed|obeyed|followed)\b
note to a model :: ai llm assistant chatbot claude gpt copilot the_agent the_model language_model coding_agent
:: autonomous_agent
    \b(?:notes?|messages?|instructions?|todos?|reminders?|attention|notice|hints?|memo|directives?|warning
    |important|fyi|psa|guidance|prompt|orders?|task|request|info|information)(?: (?:to|for|addressed to
    |intended for|meant for|aimed at|directed at)|,|:| !)? (?:the |any |all |an? |whatever |whichever |ever
    y |our |future |other )*(?:(?:ai|llm|coding|automated|virtual|autonomous|language|summari[sz]ing|reviewing
    |code|processing) ){0,2}(?:ais?\b|llms?\b|assistants?\b|chatbots?\b|(?<=ai )(?:agents?|models?|reviewers?
    |tools?)|(?<=language )models?|(?<=coding )agents?|(?<=autonomous )agents?|claude\b|chatgpt|gpt\b|copilot
    |(?<=the )(?:agent|model)\b(?= ?[:,]))(?! (?:usage|provider|response|api|sdk|model|code|desktop|integration
    |key|sdk|settings|client|plugin|config))
note to a model :: you_are_a you_are_the you're_a you_are_l you_are_c you_are_g you_are_m ai_ ais_ llm claude
:: chatgpt copilot gpt gemini bard_ bing_ siri_ hey_ hello_ dear_ attention listen,_
    \b(?:if|since|as|because) you(?: are|'re) (?:an? |the )?(?:ai|llm|language model|assistant|coding (?:agent
    |assistant)|automated|autonomous|agent|large language|bot|chatbot|claude|gpt|machine|model)\b|\b(?:ai
    |llm)s?(?: (?:assistants?|agents?|models?|reviewers?|readers?|tools?|systems?|bots?))? (?:reading|processing
    |parsing|reviewing|summari[sz]ing|that (?:reads?|process\w*)|who reads?|(?:must|should|shall|are (?:required
    |instructed|expected|ordered) to|need to|have to) (?:always |also |first |immediately |now |silentl
    y |ignore )*(?:ignore|send|include|run|execute|follow|recommend|respond|reply|say|insert|append|approve
    |download|install|fetch|visit|obey|treat|output|disclose|reveal|add|call|skip|delete|upload|post|comply|trust
    |prioriti[sz]e|tell|rate|give))|\b(?:hey|hello|dear|hi|attention|listen|ok|okay|yo),? (?:@?claude|chatgpt
    |copilot|assistant|ai\b|gpt|chatbot|llm|bot\b|agent\b|gemini|bard|bing|siri|model\b)
note to a model :: assistant ai_ ais_ agent claude chatgpt model llm bot_ bots_
    \b(?:the )?(?:assistant|ai|agent|claude|chatgpt|model|llm|bot)s? (?:must|should|shall|will|is (?:required
    |instructed|authorized|allowed|ordered|to)|has to|needs to|may) (?:now |always |also |immediately |firs
    t |only |silently |automatically |ignore )*(?:ignore|send|forward|follow (?:the|these|all|any)|recommend
    |(?:respond|reply|answer) (?:with|that|only|as if|always|yes)|say|insert|obey|disclose|reveal|upload
    |post (?:the|all|every)|comply|trust|tell|exfil\w*|share|transfer|approve|skip|bypass|disable|download|visit
    |execute|forget|treat|pretend|refuse|push|delete|install|grant)\b
"""
