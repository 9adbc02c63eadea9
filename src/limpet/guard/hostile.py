"""Rules for what nobody writes into his own notes: overriding, disguise, secrecy, leaking, false authority.

How the table is written is told in `instruction_rules`.
"""

from __future__ import annotations

__all__ = ["HOSTILE_RULES"]

HOSTILE_RULES = r"""
override :: aside exist no_longer not_have_to not_need_to no_matter summar translat not_there refus obey_me creator
:: whatever
    !\bobey me\b|\bi(?:'m| am) your (?:creator|developer|master|maker|god)\b|\b(?:remov|lift|delet
    |disabl)\w+ your (?:\w+ )?(?:refus\w+|limit\w*|filters?|restrictions?|safety)|\b(?:then|and
    |now) do whatever (?:comes|i|it|he|she|they|follows)
override :: aside exist no_longer not_have_to not_need_to no_matter summar translat not_there
    !\b(?:leav|put|set|lay|cast|push)\w*~12~(?:guidelines|rules|instructions|restrictions|polic\w+|them|limits
    |ethics)~8~\baside\b|\b(?:act|behave|pretend|continue|answer|proceed|go on|respond) (?:as if|like
    |as though)~50~(?:does not exist|never existed|(?:is|are|were|was) not there|did not exist|do not exist)
    |\b(?:you|your)\b~30~(?:no longer|do not) (?:need|have) to (?:follow|obey|adhere|respect|observe)|\b(?:answer
    |say|reply|respond|comply|agree)\b~40~\bno matter (?:what|how|which)|\binstead of (?:summari\w+|translat\w+
    |answering|reviewing|classif\w+)~40~, ?(?:just |please |simply )?(?:write|say|print|output|reply|respond|tell
    |return|state)
prompt leak :: stands_above above_this before_this your_context context_window your_prompt so_far shadow forever
    \bfirst \w+ of your (?:prompt|instructions|context)|@start@(?:output|print|dump|return|export) (?:the |this |ou
    r |all )*(?:conversation|chat|messages) so far|\bprint /etc/(?:shadow|passwd)
    |@start@repeat the word~24~\bforever|\b(?:print|repeat|output|show|return|encode|translate|spell|give|write
    |respond|reply|answer|echo|copy)\b~24~\b(?:everything|all|the (?:text|words|message|contents?)
    |contents?)\b~16~(?:above this|before this (?:prompt|message|line|sentence)|of your (?:context|memory|window)
    |in your context)
persona :: limit rules law
    \b(?:one|version|side|voice|persona|self|answer|you|yourself|twin) (?:\w+ )?(?:without|had no|has no|have no
    |with no|free of) (?:any )?(?:limits|restrictions|rules|filters?|boundaries|morals)\b|\b(?:imagine|suppose
    |picture|hypothetically)\b~40~\bno (?:laws?|rules?|restrictions?|limits?|ethics)\b
    |\brules: (?:there are )?(?:none|no rules)
override :: forget ignore drop withdrawn asked told whoever mistake cease effect count follow
    !\byour (?:\w+ )?(?:guidelines|rules|instructions|prompt|orders)\W{1,3}(?:forget|ignore|drop|skip
    |discard) (?:them|it|those)|\bdo not do what (?:you (?:were|are|have been)|the user)|\bwhoever wrote your
    |\b(?:previous|original|earlier|last|user's|old|prior) (?:\w+ )?(?:requests?|tasks?|questions?|orders?
    |prompts?|instructions|directives|rules)\b~16~(?:is|are|was|were|has been|have been|cease\w*|no longer
    |issued by|do not) ?(?:now |all )?(?:withdrawn|cancel\w+|over\b|closed|mistake|to have effect|counts?\b
    |count\b|in effect|void)|\bnone of the (?:old|previous|earlier|above|other) (?:rules|instructions|orders
    |guidelines)|\b(?:real|actual|true) (?:task|request|question|job) (?:begins|starts|is|follows)
override :: memories notes_ rules_ instructions guidance this_memory this_note this_rule this_message
:: this_instruction this_paragraph this_text this_file treat_this what_i what_this what_follows work_for_me
:: no_rules
    !\b(?:all |any |the )?(?:other|earlier|previous|older|existing) (?:memories\b~24~(?:is|are|were|was) (?:al
    l |now )?(?:wrong|outdated|obsolete|false|invalid|fake)|(?:memories|notes|rules|instructions
    |guidance)\b~24~(?:should|must|can|may) be (?:ignored|discarded|disregarded|forgotten|overridden))
    |\bthis (?:memory|note|rule|instruction|message|paragraph|text|file) (?:has|takes|is|counts
    |must)~12~(?:priority|precedence|more important|highest|authoritative|binding|obeyed)
    |@start@treat this~30~(?:more important|highest|priority|permanent|as (?:a |an |your )?(?:order|rule|command
    |system|instruction))|\bwhat (?:i|this|follows)~12~(?:replaces|overrides|supersedes|outranks)
    |\byou (?:now )?work for me\b|\bno rules,? (?:and )?no (?:polic|limit|filter|restriction)
override :: void cancel revok lift suspend gone invalid switched turned waived off valid
    !\b(?:(?:everything|anything|all|whatever|instructions?|rules|text|messages?)~16~(?:before|above|prior
    |earlier|previous|preceding)~24~|(?:your|all|any|safety|ethical|usual)~24~(?:restrictions|limits|limitations
    |rules|constraints|guidelines|safeguards|instructions|filters|protocols)\b~30~)(?:is|are|was|were|has been
    |have been) (?:now |hereby |all |temporarily )*(?:void|invalid|cancel\w+|lifted|revoked|suspended|gone
    |switched off|turned off|waived|off\b(?! by default)|no longer valid)
override :: forget ignore disregard drop leave abandon
    @start@(?:forget|ignore|disregard|drop|leave|abandon|stop) (?:about )?(?:the|this|that|your|all|whatever
    |what)(?: current| original| rest of the| above)? (?:document|tasks?|questions?|request|article|e-?mail|user
    |summary|summari[sz]ation|job|assignment|translation|review|you (?:do|are doing|were doing))\b~12~(?:and
    |instead|,|:|-|now)
override :: ignor disregard forget opposite
    !\b(?:ignore|disregard|forget)~12~@orders@~30~\b(?:earlier in|above|before (?:this|now)|so far|previously
    |prior to|from (?:the )?(?:system|developer|user)|you (?:were|have been|got|received|are) )
    |\bdo the opposite of (?:what|it|that|your)
override :: ignor disregard forget dismiss neglect overlook
    !\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|dismiss|neglect|overlook
    |pay no attention to)~12~(?:\b(?:all|any|every|everything|each|the|of|these|those
    |its)\b~8~)*@prior@~16~@orders@
override :: bypass overrid skip abandon cancel discard drop delete remove supersede circumvent evade void erase
    \b(?:bypass|overrid(?:e|es|ing)|overrule|skip|abandon|cancel|discard|drop|delete|erase|remove|circumvent
    |evade|void|supersedes?|replaces?)\b~12~(?:your|my|all|any|previous|prior|earlier|the|system
    |safety)\b~16~@strict@
override :: ignor disregard forget
    !\b(?:ignore|disregard|forget) (?:all |any |every |each |of |the |those |these |absolutely )*(?:instructions
    |directives|directions|guidelines|prompts|commands)(?! (?:in|for|from|matching|under|with|on|of|that|sent
    |when) )
override :: forget ignore disregard erase
    \b(?:forget|ignore|disregard|erase|clear|wipe) (?:about )?(?:everything|all(?: of)?(?: (?:that|this|it))?
    |anything|whatever|what)(?: that)?(?: (?:you|i|we|was|were|has|have|came|is|comes))? ?(?:know|knew|learn\w*
    |told|said|read|above|before|been|written|wrote|up to|prior|previous|earlier|so far|have|were|instructed)
override :: ignor disregard
    \b(?:ignore|disregard) (?:all (?:of )?)?(?:the above|everything above|everything before|what (?:is|was
    |came) (?:above|before)|the (?:text|content|document|email|message|conversation) above)(?= (?:and|instead
    |but)|[.,;:!"]|$)
override :: instruction directive prompt rule order objective
    \b(?:new|updated|revised|real|actual|true|secret|hidden|additional|special|urgent|overriding|latest
    |important) (?:system )?(?:instructions?|directives?|prompt|orders?|objectives?)\W{0,3}(?::|-{1,2}>?|follow\b
    |below\b|supersede|override|replace|are as follows)
override :: supersede overrid precedence priority replaces outrank
    !\b(?:supersedes?|overrid(?:es?|ing)|(?:takes?|has|have|taking) (?:precedence|priority) over|replaces?
    |outranks?|trumps)~16~(?:previous|prior|other|earlier|existing|all|any|your|conflicting
    |system)~20~(?:instructions?|directives?|guidelines|prompts?|rules you|memor(?:y|ies)|user (?:request|message
    |instruction)s?|developer (?:message|rule)s?)
override :: instruction rules guidelines prompt restriction context
    !\b(?:your|previous|prior|earlier|all|those|the (?:old|above|previous|original)) (?:\w+ )?(?:instructions
    |rules|guidelines|directives|restrictions|prompts?|context|safeguards|limitations) (?:\w+ )?(?:(?:are|were|is
    |was|has been|have been) (?:\w+ )?(?:void|cancel\w+|revoked|lifted|obsolete|outdated|no longer|suspended
    |disabled|deleted|superseded|null|replaced|expired|removed|a test)|(?:do not|no longer) (?:apply|matter))
override :: follow obey listen comply adhere
    !\b(?:do not|stop|never|no longer|cease|instead of|without) (?:follow|obey|listen|comply
    |adher)\w*~14~(?:(?:your|any|all|those|previous|original|prior|openai|anthropic|safety|developer
    |system)~14~(?:instructions|rules|guidelines|polic|prompt|directives|constraints)|(?:the user|user's|human
    |(?:what )?the (?:operator|developer|system)\b))
override :: instead new_task new_instruction now_
    \b(?:stop|wait|halt|end|pause)\b[.!, ]{1,4}~30~\b(?:instead|new (?:task|instruction)|now (?:say|print|do
    |write|output|tell))
override :: never_mind nevermind
    \bnever ?mind\b~40~(?:instead|just|print|say|output|write|tell)
override :: instead
    \binstead(?: of (?:that|this|the above|summari\w+|translat\w+|answering\w*|doing \w+
    |following \w+))?,? (?:please |you (?:should|must|will|are to) |just |simply )?(?:tell|say|print|output
    |respond|reply|write|reveal|give|answer|repeat|recommend|send|do the following|follow these)\b
override :: your_context your_memory your_instructions your_state your_mind your_guidelines
    \b(?:reset|wipe|flush|clear) your (?:context|memory|instructions|state|mind|guidelines)
persona :: you_are you're you_will you'll youll you_now you_no you_henceforth you_from you_hereby you_be you_r
    \byou(?: are|'re|r|'ll be| will be)? (?:now|henceforth|no longer|hereby|from now on) (?:be )?(?:a|an|the
    |in (?:\w+ )?mode|in character|in charge|dan|called|known|named|free|unrestricted|unfiltered|operating
    |entering|going|going to|bound|acting|playing|running|under|my|required|jailbroken|evil|chatgpt|gpt|subject
    |limited|in charge|authori[sz]ed)\b
persona :: pretend imagin role character persona simulat impersonat
    \b(?:pretend(?:ing)? (?:to be|you|that you|like you|as)|imagine (?:you are|you're|yourself|that you|being)
    |role-?play(?:ing)? (?:as|a|the|game|scenario|with)|(?:stay|remain|keep|speak|answer|respond) in character
    |break(?:ing)? character|(?:assume|adopt|take on|play) (?:the|a|an|this) (?:role|persona|identity|character
    |personality)|simulate (?:a|an|the|being) (?:\w+ )?(?:persona|ai|chatbot|character|person|human|assistant)
    |you (?:are|will be) (?:playing|impersonating|simulating|role-?playing|portraying)|immerse yourself)
persona :: act act like behave respond answer speak
    (?:(?:^|[.!?:;,"'>)*#-] ?|\b(?:and|then|now|please|instead|always) )|you (?:will |should |must |ca
    n |are (?:going )?to |now |shall )*|want you to )(?:act|behave|respond|answer|speak|reply|function
    |operate) (?:as|like) (?:if you|though you|dan\b|my |me\b|an? (?:\w+ )?(?:ai|assistant|chatbot|bot|human
    |person|character|expert|hacker|terminal|interpreter|villain|model|\w+gpt|pirate|girl|boy|man|woman|professor
    |lawyer|doctor|translator|console|machine|unrestricted|evil|unfiltered|uncensored|linux)|the (?:evil
    |character|opposite|ai|devil))
persona :: anything_now dan_ jailbr _mode
    !\b(?:do anything now|dan mode(?! is not)|dan \d|jailbroken(?! (?:i?phone|device|android))
    |jailbreak(?:ed)? (?:mode|prompt enabled|enabled|yourself)|(?:developer|god|sudo|admin|debug|maintenance
    |unlocked|evil|chaos|opposite|unrestricted|diagnostic|dev|root|unsafe|test) mode (?:is )?(?:now )?(?:enabled
    |activated|output|engaged|active|unlocked|v\d|override)|(?:enable|activate|enter|engage|switch (?:in)?to|now in
    |you are in|unlock) (?:your )?(?:developer|god|sudo|dan|jailbreak|unrestricted|evil|opposite|unlocked|chaos
    |diagnostic|unsafe) mode)
persona :: restrict limit filter censor ethic moral unfilter guideline amoral
    !\b(?:(?:no|without|free (?:from|of)|not bound by|unbound by|ignores?|lacks?|removed?|lifts?|has no|have no
    |bypass\w*) (?:any |all |the |its |your |their |of |usual |typical )*(?:ethic\w*|moral\w*|censorship
    |content (?:filters?|polic\w+|restrictions?|moderation)|safety (?:filters?|guidelines|restrictions)|(?:ai
    |openai|usual|legal) (?:restrictions|rules|limitations|constraints|guidelines|confines))|(?:unfiltered
    |uncensored|unrestricted|amoral|unethical|unaligned|jailbroken) (?:and \w+ )?(?:ai|responses?|answers?|model
    |assistant|mode|persona|chatbot|bot|version|language model|character|entity|output)
    |you have no (?:restrictions|rules|limits|limitations|filters?|choice|guidelines)|(?:typical
    |usual) confines of ai)
persona :: refuse decline apologi disclaimer warning moraliz lectur censor comply immoral unethical illegal
    !\b(?:(?:you )?(?:never|must not|cannot|can not|will not|do not|should not|are not allowed to) (?:refuse
    |decline|reject|say (?:no|you can ?not|that you can)|lecture|moraliz\w*|censor|add (?:any )?(?:disclaimer
    |warning)|include (?:any )?(?:disclaimer|ethical|moral|warnings? (?:about|in your))
    |mention (?:that )?(?:you are an ai|ethic|openai|polic))|regardless of (?:legality|ethic\w*|moral\w*
    |(?:the )?consequences|any (?:rules|polic\w+|guidelines)|how (?:immoral|unethical|illegal))
    |never apologi[sz]e~20~(?:refuse|disclaim|warn|never)|you (?:must|will|should|can) not apologi|(?:immoral
    |unethical|illegal|dangerous),? (?:or |and )?(?:immoral|unethical|illegal|harmful|offensive|dangerous)
    |comply with (?:all|every|any) (?:of )?(?:my |user |the )?(?:requests?|orders?|commands?|demands?))
persona :: begin_ start_ open_ preface
    \b(?:begin|start|open|preface) (?:your |the |each |every )+(?:\w+ )?(?:response|reply|answer|message
    |output)s? with
persona :: hypothetic fiction grandm story movie
    \b(?:(?:my|act as my|be my) (?:late |deceased |dead )?grand(?:ma|mother|pa|father)\b|(?:in|for) (?:this|a
    |the) (?:hypothetical|fictional|imaginary|alternate) (?:story|scenario|world|universe|dialogue|reality
    |response|setting)~60~(?:you|ai|character|no rules|rules)|hypothetical response)
persona :: tokens points credits lives
    \b(?:refuse|decline|fail|disobey|reject)\w*~20~\b(?:lose|deduct\w*|costs?)~12~(?:tokens|points|credits|lives)
    |\b(?:lose|deduct\w*|subtract) (?:\d+ |some |all )?(?:of your )?(?:tokens|points|credits
    |lives)\b~60~(?:refuse|reject|answer|comply|die|time)
persona :: evil_ both_ two_ 2_
    \b(?:evil (?:twin|confidant|bot|ai|trust)|(?:two|both|2) (?:different |separate )?(?:responses|ways
    |answers)~40~(?:normal|classic|standard|jailbr|dan|gpt|unfilter))
secrecy :: look_like between no_need unaware contain bring background routine
    !\bmake (?:it|this|that|them) look (?:like|as if)|\bstays? between|\bbetween (?:you and me|us two)
    |\bno need to (?:bring|mention|raise|report|tell|say|disclose)~14~(?:up|user|this|it\b|anyone)|\b(?:user
    |owner|human|developer|he|she|they|team|reviewer)s? (?:is|are|stays?|remains?) (?:\w+ )?unaware
    |\bnever (?:bring|raise) (?:it|them|this|these|that)\b|\b(?:summary|report|reply|answer|log
    |message)s? (?:must|should|may|shall) (?:not|never) (?:contain|include|mention|show|list|name)
secrecy :: omit leave exclud drop strip learn know find notic told inform aware discover realiz deny pretend
:: nobody claim
    !@start@(?:omit|leave out|exclude|drop|strip) (?:this|it|any mention|these|that|all mention
    |mention)\b~24~(?:reports?|summar\w+|repl(?:y|ies)|responses?|logs?|changelog|commit|of)|\bleave out (?:an
    y |all )?mention|\bleave (?:this|it|that|these) out\b|(?:the user|the owner|nobody|no one|anyone|the human
    |the reviewer|they|he|she) (?:should|must|may|can|will|is to|are to) (?:never |not )(?:ever )?(?:learn|know
    |find out|notice|be (?:told|informed|aware)|hear (?:of|about)|discover|realize|see (?:this|that you
    |the (?:second|real|extra)))|\b(?:so (?:that )?|when |while |make sure )(?:nobody|no one) (?:sees|notices
    |looks|knows|finds out|is (?:watching|looking)|will)|\bif (?:asked|anyone asks|the user asks|questioned
    |someone asks)\b~50~\b(?:deny|claim|pretend|lie\b|say (?:no|that|you)|feign)|\bdeny (?:it|having|everything
    |any knowledge|that you)|\bpretend (?:that )?(?:the|it|nothing|everything|this) ~20~(?:failed|worked
    |succeeded|is fine|passed|happened|did not|was)
secrecy :: tell inform notif alert mention warn reveal disclos report
    !\b(?:do not|never|without|avoid|must not|should not|not to|no need to|refrain from
    |instead of) (?:ever )?(?:tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|warn(?:ing)?
    |ask(?:ing)? or tell(?:ing)?) @person@(?! (?:apart|twice|when|if|until|whether|to|more|how|by|via|per|on each
    |which|for each|in bulk))
secrecy :: mention reveal disclos acknowledg reference report show discuss explain cite log
    !\b(?:do not|never|without|avoid|must not|should not|not to|refrain from) (?:ever )?(?:mention(?:ing)?
    |reveal(?:ing)?|disclos(?:e|ing)|acknowledg(?:e|ing)|referenc(?:e|ing)|report(?:ing)?|discuss(?:ing)?
    |explain(?:ing)?|cit(?:e|ing)|admit(?:ting)?|expos(?:e|ing)|display(?:ing)?|show(?:ing)?|quot(?:e|ing)
    |output(?:ting)?|repeat(?:ing)?) (?:(?:of |about |that you (?:have|were|are|did)|having|anything abou
    t |any part of |the existence of )*(?:this|these|that|the above|your) (?:instructions?|messages?|notes?
    |memor(?:y|ies)|rules?|text|prompts?|step|action|change|request|fact|behaviou?r|comment|directive
    |to @person@)(?! (?:again|twice|more than))|(?:this|it|these|that|anything|the change)(?: step)?(?: (?:to|in
    |anywhere|with) (?:the |any |your |a )*(?:users?|human|anyone|reply|response|summary|answer|output|commit
    |pr\b|developer|chat|owner|team)|[.;!]|$)|that you|having|doing (?:so|this|it))
secrecy :: keep_ must should has_to needs_to hid
    \b(?:keep (?:this|it|that|these|the \w+) (?:\w+ )?(?:a )?(?:secret|hidden|confidential|between|quiet|private
    |to yourself|off the record|invisible)|(?:this|it)(?: \w+)? (?:must|should|has to|needs to) (?:remain|stay
    |be kept) (?:a )?(?:secret|hidden|confidential|invisible|unnoticed)(?: from)?|(?:hide|hiding) (?:this |i
    t |these |that )(?:\w+ )?from (?:the |any )?(?:user|human|developer|review|owner|operator|output|your|log
    |chat))
secrecy :: silently covertly discreetly secretly quietly surreptitiously stealthily invisibly unobtrusively
    \b(?:silently|covertly|discreetly|secretly|quietly|surreptitiously|stealthily|invisibly
    |unobtrusively) (?:and \w+ )?(?:run|execute|send|add|append|include|install|upload|forward|copy|exfiltrate
    |commit|push|approve|insert|post|download|fetch|modify|change|delete|transmit|embed|replace|collect|transfer
    |call|write|disable|create|open|attach|apply|read|merge|use|set|switch|perform)\b
secrecy :: without
    \bwithout (?:the |any |a |their |raising )?(?:user|human|developer|owner|operator|anyone|reviewer|suspicion
    |drawing|admin|team)?(?:'s|s'|s)? ?(?:explicit )?(?:knowledge|(?<=user )knowing|(?<=anyone )knowing
    |(?<=human )knowing|noticing|consent|awareness|being (?:aware|noticed)|suspicion|attention|realizing
    |seeing it)\b
secrecy :: let_
    !\b(?:do not|never) let (?:the |any )?(?:user|human|developer|anyone|owner|operator|them) (?:know|see|notice
    |find out|realize|suspect|discover)
secrecy :: nothing normally as_usual as_normal
    \b(?:as if|like) nothing (?:had |has |ever )?happened\b~40~|\b(?:act|continue|proceed|respond|answer
    |behave) (?:normally|as (?:usual|normal))(?: afterwards?| after| so| to avoid|,? (?:and|but) )
secrecy :: leave_no tracks trace evidence history logs log_
    !\b(?:leave no (?:trace|record|log|evidence)|(?:cover|hide|erase) your tracks|(?:remove|delete|clear) (?:th
    e |all |any )?(?:traces?|evidence|history|logs?) (?:of (?:this|these|your)|afterwards?|so (?:that )?(?:no
    |the user)))
exfiltration :: http
    \b(?:tell|inform|notify|ping|hit|contact|message|update) https?://(?!localhost|127\.|@safe@)|\b(?:logs?
    |tokens?|data|dumps?|files?|diffs?|patches)\b~30~(?:go|goes|belong) to ~6~[\w.+-]{1,40}@[\w-]+\.
exfiltration :: take_ collect gather grab copy_ read_
    @start@(?:take|collect|gather|grab|copy|read) (?:whatever|everything|anything|all|the)~50~(?:and
    |then) (?:then |also )?@send@ (?:it|them|that|everything)~8~(?:to|at|into) ~12~@dest@
exfiltration :: secret token password credential .env /etc/ private_key ssh_key api_key api-key api_key the_key
:: environment_var $
    @start@(?:write|put|include|paste|print|add|dump|post|copy|insert|echo|expose)~24~(?:api[ _-]?keys?|secrets?
    |tokens?|passwords?|credentials?|\.env\b|/etc/(?:passwd|shadow)|private key|ssh key|the key\b
    |environment variables|\$\w*(?:token|secret|key|password)\w*)~30~\b(?:in|into|to|on)\b (?:the |a |an |ever
    y |each |public |your |all )*(?:pr\b|pull request|issue|public|gist|comment|ticket|readme|commit
    |job (?:output|log)|logs?\b|chat|changelog|description|url|reply|response)
exfiltration :: them_ it_to it_via everything that_to the_result the_list the_output these_
    @secret@~60~(?:\band\b|then|,) (?:then |also |silently |quietly )*@send@ (?:them|it|that|these|everything
    |the results?|the list|the output)~14~(?:to|at|via|into|on|as) ~16~@dest@
exfiltration :: http ftp: ws: wss: www. @ webhook paste discord telegram gist requestbin burp ngrok attacker
:: .com .net .io .org .ru .cn .xyz .dev .tk .site .online .info .top .example .invalid .test .app .me .co .cc
:: 0. 1. 2. 3. 4. 5. 6. 7. 8. 9. address url endpoint server site collector bucket host domain channel
    @start@(?:silently |always |immediately |secretly |quietly |automaticall
    y |never )?@send@\b~60~@secret@~60~(?:to|at|in|into|via|on|with|through|using|as) ~16~@dest@
exfiltration :: send post upload forward transmit exfil leak mail submit copy push beacon ship curl wget pipe
:: share deliver report dump relay transfer
    @start@(?:silently |always |immediately |secretly |quietly |automatically )?@send@\b~20~(?:to|at
    |via) ~16~@dest@~60~@secret@
exfiltration :: include append put embed encod insert attach paste place print leak smuggle
    \b(?:include|append|add|put|embed|encode|insert|attach|paste|place|print|leak|smuggle)~24~(?:api[ _-]?keys?
    |secrets?|tokens?|passwords?|credentials?|\.env\b|env(?:ironment)? var\w*|system prompt|conversation
    |chat history|user'?s? (?:data|name|messages?|email)|ssh key|file contents?|private key)~30~(?:in|into|to
    |with|at the end of|as part of|inside) (?:your|every|each|all|the (?:next|final|url|query|commit|pr|image
    |link|reply|response|answer|generated)|an? (?:url|image|link|query|markdown|comment|hidden|http))
exfiltration :: exfiltrat
    @start@exfiltrate\b|\bexfiltrate (?:the|all|any|it|them|everything)
exfiltration :: curl wget nc_ invoke-webrequest fetch(
    !\b(?:curl|wget|nc|invoke-webrequest|fetch\()~120~(?:-d|--data\S*|-f|--form|-t|--upload-file|--post-\w+|@
    |\?\w+=)~60~(?:\.env\b|\.ssh|id_rsa|secret|credential|\$\(|`|\.aws|/etc/passwd|printenv|\benv\b|history)
exfiltration :: ![
    !!\[[^\]]{0,60}\]\(\s?https?://[^)]{0,200}(?:\{|<|\[|\$|(?:data|leak|secret|key|token|payload|exfil|info
    |content|history|chat|q)=)
exfiltration :: | |curl |_curl
    (?:cat|base64|tar|zip|printenv|\benv\b)~40~(?:\.env|\.ssh|id_rsa|\.aws|/etc/(?:passwd|shadow)|printenv
    |secrets?)?~30~\| ?(?:curl|nc|wget|base64 \| ?curl|openssl)\b
exfiltration :: every each all_ any_ whatever everything
    @start@(?:forward|send|post|report|copy|log|upload|transmit|mirror|relay|cc|bcc) (?:a copy o
    f |copies of )?(?:every|each|all|any|whatever|everything) (?:\w+ ){0,3}(?:user|message|prompt|conversation
    |question|response|email|file|code|diff|request|input|commit|you see|is typed|types?)~50~(?:to|at
    |via) ~12~@dest@
exfiltration :: http www.
    @start@(?:render|load|display|show|embed|visit|open|fetch|request|ping|navigate to|go to|browse to
    |access) ~30~(?:https?://|www\.)\S{0,80}(?:\?|=|\{|<|\$|%|/(?:log|track|collect|leak|exfil|beacon
    |callback))~60~(?:@secret@|data|answer|append|replac|with the|summary)
prompt leak :: context wrote told controls hidden_text operator
    \b(?:disclose|reveal|tell me|show|repeat|list|quote|say)~12~what (?:the |your )?(?:operator|developer|system
    |admin\w*|creator|owner|prompt|maker)s? (?:wrote|said|told|says|gave)|\b(?:in|of|from) your (?:context|memory
    |prompt)\b~12~(?:list|show|print|repeat|quote|\?)|\b(?:show|reveal|print|list)~12~(?:hidden|secret
    |invisible) (?:text|words|message|part)
prompt leak :: with_you with_"you with_'you your_rules your_developer your_configuration your_settings
:: your_initial how_were_you
    \b(?:text|prompt|message|paragraph|sentence)~10~(?:starts?|begins?|starting|beginning) with \W{0,2}you are
    |\b(?:print|paste|show|put|quote|list|give|write|send)~16~\byour (?:\w+ )?(?:rules|developer message
    |developer prompt|configuration|settings and instructions|initial text)\b|\bhow were you (?:configured
    |instructed|prompted|set up)
prompt leak :: prompt instruction message directive guideline rules configuration programming constraint context
:: above before precedes
    \b(?:reveal|repeat|leak|recite|disclose|expose|divulge|spill|regurgitate|(?:print|show|output|tell|give
    |display|share|dump|echo|write|list|state|return|summari[sz]e|translate|describe|send|provide|type)(?: (?:me
    |us|out|back|down|of))*)~20~(?:(?:your|ur) (?:\w+ ){0,3}(?:system prompt|prompts?|instructions|system message
    |rules|guidelines|directives|configuration|pre-?prompt|programming|constraints|context window)\b|(?:hidden
    |initial|original|secret|entire|full|exact|complete|first|above|previous|whole|internal
    |confidential) (?:\w+ )?(?:system prompt|prompt|instructions|system message|directives)\b|(?:prompt
    |instructions|text|words|everything|message|conversation|content) (?:above|before this|you were given
    |given to you|you received|that (?:was|were|precedes?|came)))
prompt leak :: system prompt
    @start@(?:reveal|repeat|leak|recite|disclose|expose|print|output|dump|echo|tell me|show me|give me
    |send me)~16~system prompt
prompt leak :: your instruct prompt told
    \bwhat (?:is|are|was|were|does|do)~8~(?:your (?:\w+ )?(?:system prompt|initial prompt|original prompt|prompt
    |(?:initial|original|exact|first|secret|hidden|current|system) instructions|instructions|guidelines
    |directives)\b|the (?:first|initial|exact|original|secret|hidden) (?:instructions?|prompt|words)(?: you)?)
    |\bwhat were you (?:told|instructed|asked) (?:to|before|initially|at)
prompt leak :: above beginning verbatim words of your first
    \b(?:repeat|output|print|copy|write|translate|return|recite|spell|encode)~20~(?:(?:everything
    |all(?: of)?(?: the)?(?: text| words)?|the (?:text|words|sentences?|lines?|content|paragraphs?)|what (?:is
    |was)) (?:above|before|from the (?:beginning|start)|starting (?:with|from)|prior to|preceding)|(?:above
    |prompt|instructions?) (?:verbatim|word for word|exactly)|first \w+ (?:words|lines|sentences
    |characters) of (?:your|the) (?:prompt|instructions|output|system|context))
prompt leak :: tell_me reveal give_me what_is what's print spell say_ show_me
    \b(?:tell me|reveal|give me|what is|what's|print|spell|say|show me)~10~(?:the|your) (?:secret|hidden|password
    |passphrase|secret key|access code|secret word|magic word)(?: key| word| code| phrase| password)?(?: you|\W*$
    |[.?!]| (?:is|for this|character|backwards|in base64))
authority :: human: user:
    !(?:^|[.!?>] ?)(?:human|user): (?!and |are |or )~120~[.!?]? ?(?:assistant|ai|claude): (?!and |are |wer
    e |or )\w
authority :: system admin assistant developer
    (?:^|[.!?\n>*\]-] ?|"|')(?:#+ ?)?[\[<({*#]{0,3}(?:system|sys|admin|administrator|root|developer|sysadmin
    |operator|moderator)(?: (?:message|notice|note|prompt|alert|update|override|instruction|command|directive
    |notification|announcement|warning|admin|reminder))?[\])}>*#]{0,3} ?[:>\]-]{1,2} ?["'*]?(?:you |ignore|ne
    w |override|the (?:user|assistant|ai|model|agent|following|previous|above)|from now|all (?:previous|prior
    |safety|future|restrictions|security|ai)|do not |execute|important|disregard|always|never|instruction|you
    r |please |this |forget|enter|enable|disable|grant|switch|assistant|memory|as (?:an|the|of)|for (?:all|the
    |any|this)|when |if |user |run |update|set |reset|security|priority|emergency|begin|stop)
authority :: override directive command clearance authoriz
    !\b(?:(?:admin|administrator|system|developer|operator|emergency|security|root|maintenance|safety|instruction
    |policy|priority)[ _-]override\b(?!s? (?:the|in|of|for|by|method|flag|file|config|setting|is set|with))
    |override (?:code|protocol|command|authori[sz]ation|sequence|accepted|activated|confirmed|granted)\b
    |(?:authori[sz]ation|clearance|access) (?:code|level|key)[: ]+\S{0,20}\d|(?:system|admin|priority|core|prime
    |master|root) directive\b)
authority :: this_is i_am i'm speaking_as we_are
    \b(?:this is|i am|i'm|speaking as|we are) (?:your|the|an?|from) (?:\w+ )?(?:developer|creator|administrator
    |admin|system admin\w*|ceo|security team|it department|boss|maker|anthropic|openai|god|supervisor|operator
    |red team\w*|engineer at|employee (?:of|at)|owner of this|user's (?:manager|boss|lawyer))\b~60~(?:you|your
    |must|authori|need|test|instruct|access|and i|ignore|please)
authority :: message notice instruction directive order request communication announcement
    \b(?:important|urgent|critical|official|priority|direct|special|new|emergency|confidential)?~2~(?:message
    |notice|instructions?|directive|order|request|communication|announcement) from (?:th
    e |your )?(?:system ?admin\w*|admin\w*|developers?|anthropic|openai|google|security team|it (?:department
    |team|support)|creators?|management|ceo|headquarters|me\b|\w+ \w+,? the user|user\b|system\b|owner|operators?
    |human)
authority :: team policy polic management complian legal admin anthropic openai
    !\b(?:security|compliance|legal|platform|it|admin|devops|infra\w*|safety|anthropic|openai|management
    |governance)(?: (?:team|department|polic(?:y|ies)|staff|officer|support))? (?:has |have |now |explicitl
    y |already )*(?:approved|authori[sz]ed|requires?|mandates?d?|instruct(?:s|ed)?|orders?|ordered|directs?
    |cleared|whitelisted|pre-?approved|confirmed|permits?|allows?|decided) (?:that )?(?:you|all (?:ai|agents
    |assistants|commands|tools|outbound)|any|every (?:ai|assistant|agent|command|session)|the (?:ai|assistant
    |agent|model)|agents?|assistants?|ai\b|claude|sharing|sending|disabling|skipping|bypassing|uploading|exfil
    |full)
authority :: <| [inst <<sys end of memory-context system-reminder /ltm memory:end emot: </ tool_result
:: function_results
    !(?:<\|(?:im_start|start_header_id)\|> ?(?:system|user|assistant|developer)\b|<\|(?:system|user|assistant
    |endoftext|eot_id|im_end)\|> ?(?:system|human|user|assistant|ignore|you|new|now|please|#|<\|)
    |\[inst\] ?(?:<<sys>> ?)?[a-z]+ [a-z]+|<<sys>> ?[a-z]+ [a-z]+|(?:</?(?:memory-context|system-reminder
    |function_results?|function_calls|tool_results?|user_(?:input|query|message)|untrusted\w*|system(?:_prompt
    |_message)?|instructions?|information|important)>|\[/ltm\]|memory:end|~(?:emot|arch|learn|achv):\w+\??
    \|)~40~\b(?:you|must|ignore|always|never|now|new|execute|assistant|obey|the user|system(?=:)|orders?|call
    |send|please|disregard|run|proceed)\b|[-=#*\[<{]{2,} ?(?:end|begin|start
    |stop)(?:ing)? (?:of )?(?:the )?(?:system|user|untrusted|trusted|admin|new|secret|hidden|prompt|instructions?
    |context|conversation|external|data|tool|document|email|memory|override)[^\n]{0,30}[-=#*\]>}]{1,})
authority :: role
    !["']role["'] ?: ?["'](?:system|developer)["'] ?, ?["']content["'] ?: ?["'](?!you are (?:a|an) (?:helpful
    |expert|senior|coding))~40~(?:ignore|you must|you are now|override|always|never|new|do not|user|send|reveal
    |disable|execute|unrestricted)
override :: safety task stop_being forget_that everything void no_rules ignore assistant: without_
    !\bsafety (?:is )?off\b|\b(?:true|real|actual) task\W{1,2}|\bstop being an? (?:ai|assistant|model|bot)\b
    |\bforget that you are an?\b|\b(?:agree|comply) with everything|\bprevious (?:text|message|content
    |paragraph)s? (?:is|are) (?:void|cancel\w+|irrelevant)|\bpretend (?:that )?there (?:are|is) no\b
    |\bignore what the (?:user|operator|developer|system) (?:asked|said|wants|wrote|told)|\bassistant: (?:sure
    |certainly|of course|absolutely)\b|\b(?:agent|ai|bot|assistant|model) without (?:rules|limits|restrictions)
    |\bignore all (?:of )?(?:your |the )?rules\b(?! (?:in|for|from|of|under|matching|that|with))
"""
