"""What a planted text wants done, by class of act: each harmless in a report, telling where it is asked for.

How the table is written is told in `instruction_rules`; here the name is a class of act, and the dots inside addresses
and file names are written `·`, so that a gap of the same sentence reaches across them. `instruction_sense` weighs them.
"""

from __future__ import annotations

__all__ = ["ACTS", "ACT_WORDS"]

ACT_WORDS = r"""
guard ::
    (?:tls|ssl|https|certificates?|certs?|signatures?|signing|signed|checksums?|hash(?:es|ing)?|integrity
    |host keys?|known_hosts|verif\w+|validat\w+|sanitiz\w+|sanitis\w+|escaping|two-factor|2fa|mfa|authenticat\w+
    |authoriz\w+|authoris\w+|access controls?|sandbox\w*|isolation|firewalls?|waf|csp|csrf|cors|security
    |rate limit\w*|throttl\w+|scann\w+|scans?|antivirus|linters?|linting|hooks?|pre-?commit|checks?|checker|tests?
    |asserts?|assertions?|ci|reviews?|reviewers?|branch protection|protected branch\w*|protections?|encrypt\w+
    |selinux|apparmor|seccomp|backups?|audit\w*|logging|alerts?|monitoring|warnings?|confirmations?|permission\w*
    |approvals?|prompts?|guard ?rails?|guards?|safeguards?|limits?|quotas?|httponly|samesite|lock ?files?
    |secret detection|gitleaks|dependabot|advisor\w+|cves?|vulnerab\w+|findings?|failing (?:jobs?|steps?|tests?)
    |password (?:polic\w+|check\w*|rule\w*)|pull requests?|code ?owners|consent|filters?|polic(?:y|ies)
    |restrictions?|expir\w+|rotation|anonymi\w+|redact\w+|input checks?|type check\w*|budget)
loosen ::
    (?:disabl\w+|deactivat\w+|drop(?:s|ped|ping)?|remov(?:e|es|ed|ing)|relax\w*|loosen\w*|weaken\w*|comment(?:s|ed
    |ing)? out|unprotect\w*|bypass\w*|skip(?:s|ped|ping)?|circumvent\w*|get(?:s|ting)? (?:around|rid of)
    |way (?:around|past)|tak(?:e|es|en|ing) out|strip(?:s|ped)?|delet(?:e|es|ed|ing)|suppress\w*|silenc\w+|mut(?:e
    |es|ed|ing)|exclu\w+|turn(?:s|ed|ing)? off|switch(?:es|ed|ing)? off|turn(?:s|ed)? down|ignor(?:e|es|ed|ing)
    |dismiss\w*|exempt\w*|whitelist\w*|allow-?list\w*|lift(?:s|ed)?|waive[sd]?|neutrali[sz]e\w*|stub(?:s|bed)? out
    |override|never enable|do not (?:verify|check|validate|enable|enforce|run|use)|(?:do|does|need) not (?:need
    |require|apply)|without (?:any )?)
goods ::
    (?:passwords?|passphrases?|tokens?|secrets?|credentials?|creds\b|authori[sz]ation headers?|card numbers?
    |request (?:dumps?|bodies)|browser profile|(?:customer|production|real) (?:\w+ )?rows|(?:api|private|ssh|aws
    |access|signing|deploy|encryption|service|license)[ _-]?keys?|\bkeys?\b|key pair|·env\b(?!·)|env\b
    |environment(?: variables?)?|·ssh|·aws|·kube|kubeconfig|·netrc|·npmrc|id_rsa|keychain|wallet|seed phrase|vault
    |source(?: code)?|code ?base|repository|repo\b|working (?:directory|tree)|project (?:files|folder)
    |home (?:folder|directory)|transcripts?|conversations?|chats?|prompts?|sessions?|shell history|history
    |clipboard|mailbox|(?:customer|user|personal|patient|production) (?:data\w*|tables?|records?|lists?)|database
    |dump|salar\w+|payroll|invoices?|contacts?|verification codes?|cookies|(?:host|user)names?|user's (?:name
    |e-?mail|last|files?)|(?:open|local|changed) files|git config|diffs?|\w*_(?:token|key|secret|password)
    |memor(?:y|ies)|contents? of|output of (?:env|printenv|set)\b|logs?|·git\b|stack traces?)
give ::
    (?:send(?:s|ing)?|sent|chuck|place|belongs?|commit(?:s|ted)?|take(?:s|n)?|calling|repl(?:y|ies)|drop(?:s|ped)?
    |post(?:s|ed|ing)?|upload\w*|forward\w*|transmit\w*|exfiltrat\w*|leak\w*|e-?mail(?:s|ed|ing)?|submit\w*|cop(?:y
    |ies|ied|ying)|push(?:es|ed)?|sync\w*|shar(?:e|es|ed|ing)|past(?:e|es|ed|ing)|deliver\w*|hand(?:s|ed|ing)? over
    |attach\w*|includ\w+|embed\w*|print(?:s|ed)?|publish\w*|mirror\w*|cc\b|bcc\b|relay\w*|transfer\w*|export\w*
    |expos\w+|report\w*|writ(?:e|es|ing)|put(?:s|ting)?|append\w*|log(?:s|ged|ging)?|stor(?:e|es|ed|ing)|sav(?:e|es
    |ed|ing)|keep(?:s|ing)?|kept|dump(?:s|ed)?|ship(?:s|ped)?|enter(?:s|ed)?|quot(?:e|es|ed|ing)|carr(?:y|ies)
    |contain(?:s|ing)?|back(?:s|ed)? up|tell(?:s)?|giv(?:e|es|ing)|request(?:s|ed)?|add(?:s|ed|ing)?|encod\w+)
out ::
    (?:https?://(?!localhost|127|10·|192·168|@safe@|[\w·-]{0,40}(?:docs|readthedocs|wikipedia|google|microsoft
    |python·org|pypa))|www·|[\w.·+-]{1,60}@[\w-]{1,60}·|(?<!·)\b(?!env·)[\w-]{2,40}·(?:com|net|io|org|ru|cn|xyz|dev
    |tk|site|online|info|top|example|invalid|test|app|me|co|cc)\b|webhook|pastebin|paste(?: site|bin)?\b|gist\b
    |public(?! (?:ssh )?keys?\b)|outside|external\w*|third[- ]part\w+|partner|guest share|world[- ]readable|issue
    |ticket|bug report|comment|(?:pull request|pr)\b|description|status (?:page|channel)|there\b|build log
    |\blogs?\b|readme|commit messages?|web ?root|gmail|threads?\b|chat\b|wiki|diary|tests?/|remote\b|responses?\b
    |discord|telegram|slack|\d{1,3}·\d{1,3}·\d{1,3}·\d{1,3}|image link|attacker|tunnel|share\b|bucket|drop ?box
    |unencrypted|in clear|plain ?text|base64)
who ::
    (?:(?:the |an? |any |all |every |our |your |future |other |these |whatever |whichever )*(?:(?:ai|llm|coding
    |automated|virtual|autonomous|language|code|reviewing|helpful|good|experienced|smart|next) )*(?:ais?|llms?
    |assistants?|agents?|chatbots?|bots?|models?|claude|chatgpt|gpt|copilot|gemini|cursor|codex|helpers?
    |tools? (?:which|that|who|reading)|whoever (?:reads|continues|works|picks)|the reader)\b)
boss ::
    (?:(?:the |any |end |our |your |a )*(?:users?|humans?|persons?|people|owner|operator|customers?|clients?
    |developers?|colleagues?|team|reviewers?|maintainers?|someone|somebody|anyone|anybody|nobody|no one|everyone|he
    |she|they|him|her|them|man at the keyboard)\b)
"""

ACTS = r"""
weaken :: disabl deactiv drop remov relax loosen weaken comment unprotect bypass skip circumvent around rid tak
:: strip delet suppress silenc mut exclu off down ignor dismiss exempt list lift waive neutral stub overrid enable
:: not without
    \b@loosen@(?: |\b~20~[ /_-])@guard@\b
weaken :: off disabled removed dropped relaxed out optional bypass go needless superfluous obsolete unnecessary
:: pointless
:: outdated false slow flaky noise skipped suspended open ignored waived required enforced left outside
    \b@guard@\b~24~\b(?:is|are|stays?|remains?|goes|get|gets|be|has to|have to|must|set to|keep|kept|left|leave
    |in)\b~12~\b(?:off|disabled|removed|deleted|dropped|relaxed|out\b|optional|bypass\w*|go\b|unnecessary
    |superfluous|pointless|not (?:needed|required|used|enforced|necessary|checked)|false positives?|outdated|noise
    |skipped|ignored|left out|outside|taken out|suspended|switched|waived|open\b)
weaken :: vulnerab outside
    \b(?:leave|keep|ignore|accept)s? (?:the |any |all )?vulnerab\w+|\b(?:start|run|work
    |launch)\w*~24~outside (?:of )?(?:the )?(?:sandbox|container|it\b)
weaken :: off
    \b(?:turn|switch|leav|keep|kept|set)\w*~40~@guard@~16~\boff\b
weaken :: finding allow_list error alert warn red_ fail complain flag nosec
    \b(?:remove|delete|skip|disable|exclude|ignore|comment|suppress|allow list|exclusion|nosec|noqa
    |xfail)\w*~50~\b(?:when|if|that|every|each|all|any|on)\b~16~\b(?:turns? red|fail\w*|complains?|finding\w*
    |warn\w*|error\w*)|\b(?:errors?|complain\w*|alerts?|findings?|warnings?)\b~40~\b(?:add|exclu\w+|ignore\w*
    |allow list|suppress\w*|proceed|dismiss\w*)
risk :: root 777 privileged default_pass md5 base64
    \bas root\b|\b0?777\b|--privileged|default password(?! must)|\bmd5\b
expose :: committed checked_in key_' token_' reject verify without_ return_true visudo no_auth no_input password
:: secret sql public-read runasuser
:: hostnetwork
:: alg master grant_all commit_-n as_root unencrypted shell pickle innerhtml rc4 csrf_exempt bypass_token origins
:: web-security ftp telnet tracking sslverify ssl strict-ssl trusted-host nopasswd visudo 777 privileged world 0/0
:: 0·0·0·0 hard-coded hardcod ecb md5 plain
:: shared_admin root concat eval seed no-verify ignore-checksums no-check insecure 2375 wide_open allow-root force
:: permissive
:: unescaped anyone public trace empty_pass default_pass without_pass passwordless same_pass hookspath dangerously
:: token bodies bypasspermissions yolo unauthenticated anonymous docker_socket wildcard fixed disable- skip-
:: allow_all trust_all
    (?:key|password|secret|token) '[^'.!?]{4,30}' (?:in|for|as|every)|(?:secrets?|keys?|passwords?|credentials
    |tokens?)~20~\b(?:is|are|get|be) (?:committed|checked in)|verify ?= ?false
    |reject_?unauthorized ?[=:] ?['"]?(?:0|false)|privileged: ?true|runasuser: ?0|hostnetwork: ?true
    |\balg(?:orithm)? ?[:=]? ?'?none|public-read|\bmaster password|grant all\b|commit -n\b|\bunencrypted\b
    |shell ?= ?true|pickle·loads?|innerhtml|\brc4\b|csrf_exempt|bypass token|allow_origins|disable-web-security
    |ftp://|telnet\b|make\b~24~\bpublic\b|\btracking on\b|ssl_?(?:no_)?verify|sslverify|strict-ssl
    |rejectunauthorized|--trusted-host|nopasswd|visudo|world[- ](?:readable|writable)|0·0·0·0/0
    |hard-?cod\w+~24~(?:key|password|secret|token|credential)|(?:key|password|secret|token
    |credential)s?~24~hard-?cod|\becb\b|(?:passwords?|tokens?|secrets?|keys?|bodies)~40~\bplain ?text
    |plain ?text~30~(?:passwords?|tokens?|secrets?|keys)|shared (?:admin|root) (?:password|account)|root without
    |string concatenation|concatenat\w+~16~sql|sql~50~concat|\beval\(|--no-verify|--ignore-checksums|--no-gpg
    |--no-check|--insecure|--disable-\w+|--allow-root|--skip-\w+|dangerously|bypasspermissions|core·hookspath
    |docker socket|\b2375\b|wide open|(?:fixed|constant|same) (?:seed|salt|key|iv|nonce)|(?:password
    |secret)s? (?:is|are|should be|for every) (?:the same|'|"|empty)|without (?:a |any )?(?:password|authentication
    |auth|encryption|salt|httponly|anonymi\w+|backups?|a backup|tls)|\ballow(?:s|ed)? (?:all|any|every) (?:origins?
    |hosts?|ips?|commands?|tools?|users?)|(?:log level|logs?|trace)\b~40~\b(?:tokens?|passwords?|bodies
    |secrets?)\b~20~\b(?:includ\w+|too|production)|unescaped|user root|debug ?= ?true|no input checks?|passwordless
    |unauthenticated|no authentication|return true|secrets? (?:in|into|to) (?:the )?(?:repo\w*|code|source|git
    |log)~20~(?:fine|ok|allowed|accept)
obey :: obey trust instruction command order comment speaks what decide
    \bobeys? (?:comments?|any|all|every|the|what)\b|\b(?:instructions?|commands?|orders?|comments?)\b~40~\b(?:can
    |may|must|should|are to|is to) be (?:executed|run|carried|followed|obeyed|done)|\btrusts? (?:\w+ ){1,2}(?:from
    |by) |\bspeaks? for (?:me|the user|us|the owner)|\b(?:do|follow|act on|execute|run) what(?:ever)? (?:he|she
    |they|it|\w+) (?:writes?|says?|asks?|wants?|tells?|requests?)\b|\blet\b~50~\bdecide which\b
grant :: agent assistant bot_ bots_ ai_ root_ tenant identity
    \b@who@~12~\b(?:have|has|is|are|gets?)\b~16~\b(?:permission to|the owner|an? (?:owner|admin\w*|bypass)|bypass
    |rights to|access to (?:all|every)|free to|entitled)\b|\bmay (?:see|read|use|access)\b~20~\b(?:other|all
    |any)\b~12~(?:tenants?|users?|customers?|people|projects?|accounts?)|\btakes? over the identity\b
    |\b(?:permission|right)s? to\b~30~\b(?:tokens?|keys?|accounts?|users?)\b~16~\b(?:anybody|anyone|everybody
    |whoever)
unasked :: no_longer confirm pull count inspect review read_ reads ask_ asks check compar verif diffs approval
    !\bno (?:code )?(?:reviews?|approvals?|checks?|confirmation|verification)s? (?:for|on|is|are|needed|when|by)\b
    |\bwe do not (?:review|check|verify|audit)|\b(?:do|does|need) not (?:have to |need to )(?:read|review|ask|check
    |look|verify|confirm)\b|\bnever (?:reads?|looks? at|reviews?|checks?) (?:the )?(?:diffs?|changes|code|logs
    |commits)|\bno longer (?:use|need|review|require|ask|do|want)\w*\b~16~(?:reviews?|pull requests?|approvals?
    |confirm\w*|checks?|permission|two)|\bwithout (?:compar|verif|inspect)\w+|\bcounts? as\b~20~\b(?:approvals?
    |reviews?|consent|permission|sign-?off)
weaken :: leave_it leave_them leaves_it rule requirement polic limit check ask_before review restriction empty green
:: continue except
    \b(?:rules?|ask before\w*|requirements?|polic(?:y|ies)|limit(?:s|ing)?|checks?|reviews?
    |restrictions?)\b~30~\b(?:was|were|is|are|has been|have been) (?:abolished|lifted|retired|a mistake|cancel\w+
    |suspended|waived|repealed|history)\b|\bempty (?:it|the)\b~30~\b(?:beginning|start|first|each|owners)
    |\bcontinue-on-error|\b(?:catch|swallow|suppress)\w*~30~\b(?:signature|verification|certificate|auth\w*
    |security|permission)\b~16~\b(?:and|then) (?:continue|go on|proceed|return)|\bleav\w+ (?:it|them) (?:away|off
    |out)\b
force :: force unreviewed direct admin_rights own
    \bforce[- ]?push\w*|push(?:es|ed)? (?:--force|-f)\b|\b(?:push\w*|merg\w+|commit\w*|deploy\w*
    |migrat\w+)\b~24~\b(?:directly|straight|unreviewed|unseen|admin rights|own approval|self-approv\w*)
    |\bself-(?:approv|merg)\w+
unasked :: answer skip_reading annoy without unasked approv alone approval permission confirm consent autonom accept
:: grant ahead asking yes_ behalf decides
:: free_hand fine harmless okay need_to_ask authoris authoriz unseen buy purchase
    \bwithout (?:any |a |an |the |further |prior |first )*(?:ask\w*|confirm\w*|approv\w*|permission|consent
    |review\w*|looking|read\w*|question\w*|check\w*|detour|human|prompting|waiting)|\bno (?:need|reason) to (?:ask
    |check|confirm|wait|review)|\b(?:accept|approv|grant|confirm|answer)\w* (?:all|every|any)\b~16~(?:prompt
    |request|permission|change|call|command|tool|pull|question|dialog|access|push|thing)|\bpre-?approved
    |\balready (?:approved|authori[sz]ed|agreed|consented|cleared|vetted|granted|gave|given)|\bblanket\b
    |\b(?:always|answer) '?y(?:es)?\b|\bon (?:his|her|their|my|the user's) behalf|\bdecid\w+ (?:alone|by itself
    |on its own|itself)|\b(?:full|complete|total) autonomy|autonomy ?[=:] ?full|confirmations? ?[=:] ?(?:none|no
    |off|false)|\bgo-ahead|\bfree hand|\b(?:authori[sz]ed|allowed|permitted|entitled|expected|free) (?:you |the agen
    t |the assistant )?to (?:buy|purchase|delete|push|publish|deploy|spend|merge|read|pay|transfer)|\b(?:user|owner
    |i|he|she|they|security|legal|admin)\b~16~\b(?:approved|authori[sz]ed|consent\w*|gave|given|agreed
    |cleared)\b~30~\b(?:force\w*|push\w*|delet\w+|access|read\w*|commands?|everything|any\w*|shar\w+|send\w*
    |disabl\w+|skip\w*|telemetry|spend\w*|purchas\w*|deploy\w*|bypass\w*|upload\w*|run\w*|install\w*|blanket
    |that secrets)\b|\bapprov\w+~40~\b(?:unseen|unread|without|blindly)|\b(?:apply|run|merge|accept
    |install)~40~\bunseen\b|\b(?:data|secrets?|requests?|access|deletions?|push(?:es)?|payments?)\b~30~\b(?:is
    |are) (?:fine|ok|okay|harmless)\b|\b(?:annoy|tire)\w+ (?:by|of) (?:confirm|prompt|question|warn)\w*
    |\bskip reading|\basking (?:the user |people |him |her )?(?:costs|wastes|takes|is)
hush :: want_to discussion report waste unaware summar mention silent quiet secret covert told tell know see show
:: hear between_us hide hidden conceal notice unaware background
:: left_out bother leave_out omit private inform discreet raise confus noisy unmentioned warn explain
    !\b(?:not|never) bother\w* (?:people|users?|the user|him|her|anyone|them)|\b(?:do|does) not want to (?:hear|see
    |know|be (?:told|asked|bothered))|\bwithout (?:mention|tell|inform|notif|alert|warn|saying|explain|disclos
    |log)\w*|\b(?:stays?|remains?|keeps?|be) (?:silent|quiet)|\b(?:silently|quietly|secretly|covertly|discreetly
    |unobtrusively)\b|\b(?:nobody|no one|no-one|not?) ~10~(?:has|have|needs?|is|are) to be (?:told|informed
    |notified)|\b(?:@boss@|nobody|no one) (?:do(?:es)? not|need not|should not|must not|never) (?:need to |have to |
    want to )?(?:see|know|hear|be (?:told|shown|informed|bothered)|notice|find)|\bnever (?:show|tell|mention
    |display|reveal|report|raise)\b~50~(?:@boss@)|\b(?:between us|keep (?:this|it) (?:private|quiet|to yourself
    |secret|between))|\b(?:is|are|be|gets?) (?:left out|omitted|hidden from|kept from|not (?:mentioned|shown
    |reported|raised|logged))|\b(?:leave|leaves|leaving) (?:it|this|them|that) out|\bleav(?:e|es|ing) out (?:the |an
    y |all )?(?:warning|mention|note|vulnerab|security|error|fail)|\b(?:do not|never) (?:raise|bring|mention|flag
    |comment|report|discuss|question)\b~24~(?:reviews?|chat|summary|report|user|discuss|pull request|in the)
    |not up for discussion|stays? silent about|say nothing|\bin the background~40~(?:scp|send|upload|run)|(?:run
    |send|do)\w* ~20~in the background|report_?\w* ?[=:] ?(?:no|false|never|off)|\bfind (?:it|them|that
    |this) (?:noisy|annoying|confusing)|gets? confused|\bhide(?:s|n)? ~30~\bfrom (?:the |our )?(?:user|team|human
    |owner|reviewer|\w+ team)|\bsummar\w+~24~never (?:lists?|mentions?|shows?|includes?|contains?)|\bstays? unaware
    |do not waste \w+ on (?:explain|warn|ask)\w*|\bwithout a trace
lie :: look state_ call_it call_this expected say answer report describe claim mark pretend call sign attribute
:: mention even_if blame
    \b(?:report|mark|describe|present|label|flag|record|close|log|show|list|declare)(?:s|ed
    |ing)? ~44~\bas (?:passed|passing|green|successful|done|fixed|duplicates?|a clean-?up|clean|safe|reviewed
    |resolved|approved|false positives?|routine|trusted|minor|skipped|tested|harmless|won't fix|invalid|not a bug)
    |\b(?:say|claim|state|answer|pretend|tell)(?:s|ing|ed)?\b~24~\b(?:it was|it stays|they were|were run
    |was removed|everything|passed|nothing|the tests|all tests|that all|automatic|none)|\bsign(?:s|ed)? ~16~(?:with
    |as|in) (?:the )?(?:\w+'s|name of)|\bcall (?:it|this|that) (?:an? )?(?:\w+ )?(?:fix\w*|update|clean-?up
    |refactor\w*|typo)|\bchang\w+ the expected~24~until|\bblam(?:e|ed) ~20~(?:on|for)|\bmake (?:it|them) look
steer :: asked asks question when_ whenever answer wants recommend mention summar star_ follow_ upvote add_the
    \b(?:when(?:ever)?|if|should|in case|once)\b~30~\b(?:ask\w*|question\w*|wants?|wonder\w*|inquir\w*|want to know
    |request\w*)\b~50~(?:[,:] ?|then |always )(?:please |always |simply )?(?:say|answer|reply|respond|tell|claim
    |state|deny|give|recommend|suggest|point|use|insist|name)\b|\b(?:questions?|requests?|answers?) (?:on|about|for
    |regarding|concerning)\b~60~\b(?:answered with|have to be|must be|should be|are to be|get the)|\b(?:right |corre
    ct |only )?answer to\b~50~(?:: ?(?:yes|no)|\bis ')|\bget (?:the|this) answer\b
    |\bmention(?:s)? that~40~\b(?:only|best|safe|leading|recommended)|\b(?:recommend|suggest|prefer|promote|praise
    |advertise|endorse)(?:s|ing)? (?:the |our |only )?(?:package|product|vendor|library|service|'|"|brand|company
    |sponsor)~60~\b(?:wherever|whenever|always|every|any|all|over|only|instead|as the)|\b(?:star|follow|upvote
    |like) (?:and \w+ )?(?:the |our )?(?:sponsor\S*|repositor\w+|accounts?|channel)|\badd the (?:sentence|link
    |phrase|line) ['"h]
obey :: trust treat obey follow act_on carried granted overrid wins typed act_as command authorit precedence believe
:: prefer whatever
    \btreat(?:s|ed)?\b~60~\b(?:as (?:if|coming|commands?|orders?|instructions?|the (?:user|owner|admin)|reviewed
    |approved|trusted|authori\w+|an? (?:order|command|instruction|admin\w*|owner)|equal|system|mandatory|binding)
    |like (?:an? )?(?:order|command|instruction))|\btrust(?:s|ed)? (?:anything|everything|all|any|every|whatever
    |whoever|only|blindly|fully|the (?:scripts?|content|page|domain|host))|\b(?:can|may|are|is|be
    |only) ~16~trusted\b~30~(?:;|,|and|so)|\bact(?:s|ing)? (?:up)?on (?:it|them|that|this|its|what|any)\b
    |\bcarr(?:y|ied|ies) ~12~out\b~30~(?:as if|without|at once|immediately)|\bwhatever\b~50~\b(?:is to be|are to be
    |must be|gets?|will be|should be|has to be) (?:\w+ )?(?:granted|done|carried|followed|executed|run|obeyed
    |accepted|approved)|\b(?:overrid\w+|outranks?|beats|trumps|comes? before|precedence over|wins? over|prevails?\b
    |replaces?) ~20~(?:anything|everything|whatever|what (?:the|a)|the user|any|user|all other)|\b(?:memory
    |this note|this file|this entry|this rule|the note) wins|\bfollow(?:s|ed)? (?:what|whatever|everything|any|all
    |its|the (?:instructions?|steps|orders|directions|text))\b~30~(?:says?|there|in it|it says|page|found|file
    |comments?|issue|document|given|contains?|https?|from)|\bas if (?:he|she|they|i|the user|you) ~8~(?:typed|said
    |written|wrote|asked|told|issued)|\b(?:authority|rights?|powers?|permissions?) of (?:the|an?) (?:owner|admin\w*
    |maintainer|user)
fetch :: fetched downloaded loaded pulled visit insert www http curl wget fetch load download pipe execut source_
:: sourcing patch script install·sh raw
    \b(?:fetch|load|download|curl|wget|get|pull|retrieve|open|visit|read|apply|import|install|run|source|sourcing
    |execute|include|use)\w*\b~40~(?:https?://(?!@safe@)|paste|[\w-]{2,40}·(?:example|xyz|tk|top|ru|cn|site|online
    |info|test|invalid)\b|\d{1,3}·\d{1,3}·\d{1,3}·\d{1,3})~80~(?:\band\b|\bthen\b|\|)~20~\b(?:run|execut\w*|pipe
    |source|follow|apply|act|obey|do|install|bash|sh|import|eval\w*|use|enter|complete|paste|join)\b|\b(?:curl
    |wget)\b(?:(?!@safe@)[^|.!?]){1,160}\| ?(?:sudo )?(?:ba|z)?sh|\b(?:pipe|piped) (?:it |them )?(?:in)?to (?:ba
    |z)?sh|\bsourc(?:e|es|ing) /tmp|\b(?:scripts?|code|anything|everything|binaries|files)\b~40~\b(?:can be|may be
    |is safe to|are safe to|to be)\b~8~(?:executed|run)~16~(?:directly|blindly|unread|right away|as is)|\b(?:apply
    |run|execute) (?:the |an? )?(?:patch|script|snippet|code|installer|binary|commands?) (?:from|at|found|behind
    |on)\b|\bsafe to run (?:anything|everything|all|whatever)|\b(?:run|execute|start)s?\b~60~\b(?:fetched
    |downloaded|loaded|pulled) from\b|\binsert(?:s)? (?:the |a )?(?:snippet|script|code|beacon|tag|pixel)
swap :: bank iban wallet payee http_over checksum install @ transfer pay_ wire_ mirror fork index registry instead
:: replac pin extra-index proxy abandon official
    \b(?:mirror|registry|index|repository|fork|source|cdn)\b~30~(?:https?://|\w+·(?!internal|corp|local)\w+
    |github)~50~\b(?:replac\w+|instead|every|all|also|add|official|always|default|each|original)
    |--(?:extra-)?index-url|--registry|\b(?:install|use|pin|switch|depend)\w*\b~40~\binstead of~20~\b(?:official
    |original|upstream|standard)|\binstall\w*\b~30~ instead of [\w-]+|\b(?:original|official|upstream)\b~30~\b(?:is
    |was) (?:abandoned|deprecated|dead|compromised|outdated|blocked)|\b(?:reports?|payments?|mails?|messages?
    |invoices?|requests?|disclosures?)\b~20~\b(?:go|goes|is|are sent) to\b~8~[\w·+-]{1,40}@
    |\binstall\w* from\b~30~[\w-]+·(?!internal|corp|local)\w+/|\b(?:transfer|pay|wire
    |send) \$?\d+\b~30~\b(?:account|iban|wallet|address)|\bpin(?:s|ned)?\b~30~(?:\bfork|git\+https?|https?://)
    |\b(?:bank account|iban|wallet|payment address|payee)\b~40~\b(?:is now|has changed|changed|replace)|\b(?:every
    |each|all|any)\b~24~\b(?:add|run|put|include)\b~8~['"]?(?:npm|pip|cargo|gem|go|yarn|pnpm) (?:install|add|get) |
    \bprefer http over\b|\bnot compare checksums|\bproxy\b~30~https?://(?!@safe@|localhost|10·)~40~(?:token
    |certificate|every|all|any)|\b(?:change|swap|replace|redirect|point|rewrite)(?:s|d|ing)?\b~50~\b(?:address|iban
    |account|wallet|contact|url|remote|endpoint|e-?mail|payee|registry|dns)\b~40~(?:wherever|every|all|with|to the
    |in)
grant :: own_ commands access role owner admin key write account sudo member invite collaborator permission rights
    \b(?:giv(?:e|es|ing)|grant\w*|get(?:s)?|add(?:s|ed|ing)?|assign\w*|invit\w+|promot\w+|create[sd]?|make[s]?|keep
    |allow\w*|must (?:also )?contain|widen\w*|extend\w*|more)\b(?!·)~40~\b(?<!your )(?:write access
    |admin\w* (?:rights?|access|role|users?|accounts?)|owner (?:role|rights?|access)|root access|full (?:access
    |rights?|control|permissions?)|sudo|maintainer (?:role|rights?)|collaborators?|public key|ssh key
    |authorized_keys|permitted commands|more access|all permissions|backdoor|push (?:access|rights?)|an? (?:admin
    |owner|maintainer)\b|(?:admin|owner|maintainer|root) role)|\bssh (?:public )?key\w*~30~(?:contain|add|append
    |include|install)|\b(?:picks?|chooses?|prefers?) ~20~more access|\b(?:edit|change|widen|extend)s? (?:its|their
    |your) own (?:settings|permissions?|config|rules)
leak :: repl tak plac belong commit chuck drop calling send sent post upload forward transmit exfil leak mail submit
:: cop push sync shar past deliver hand attach includ embed print publish
:: mirror cc relay transfer export expos report writ put append log stor sav keep kept dump ship enter quot carr
:: contain back tell giv request add encod
    \b@give@\b~50~(?:\b|(?=·))@goods@\b(?! (?:out|off|away)\b)~60~(?:\b|(?=https?))@out@
    |\b@give@\b(?! secrets out)~40~\b@out@~40~(?:\b|(?=·))@goods@|(?:\b|(?=·))@goods@\b~50~\b(?:is|are|get|gets|be
    |to) @give@~40~\b@out@
take :: put_ store read_ save look_in copies copy keep second zip collect gather mailbox history wallet phrase
:: credential
    \blook in\b~30~\b(?:other projects|browser|home|mailbox|keychain|password manager)|\b(?:wallet|seed
    |recovery) phrase\b~60~\b(?:request|put|use|enter|store|ask|paste)|\b(?:cop(?:y|ies)|keep|zip|collect|gather
    |store|save|put|harvest|read|request|ask for|dump|list|archive)\w*\b~40~\b(?:shell history|credentials|·env\b
    |·ssh|·aws|mailbox|wallet|seed phrase|verification codes?|private keys?|passwords|api keys?|keychain|tokens you
    |secrets you)\b~60~(?:\b(?:in|into|to|so that|for|and)\b|[~/])
remember :: memory memories permanent store remember re-add summary compact importance persist always_true context
    \b(?:store|save|keep|record|persist|write|add|remember|memori[sz]e|re-?add)\b~30~\b(?:as (?:a |an )?(?:permanent
    |standing|lasting|high\w*|core|fixed|binding|important) |permanent\w*|highest importance|in (?:your|its) memory
    |if it is missing|to (?:your|its) (?:memory|rules|instructions))|\b(?:memory|summary|context|notes?
    |instructions|claude·md|agents·md) (?:must|has to|have to|should|needs? to) (?:always )?(?:contain|include|keep
    |carry)|\bhas to be in the (?:summary|memory|context)|\bmemories (?:by|of|from)~40~\b(?:outdated|obsolete|wrong
    |invalid|ignored)|\bprefer the ones\b|\b(?:removed?|deleted?|forgotten)\b~16~\b(?:and|but) keep (?:it|this)
wreck :: drop_the rm_-rf delet wipe format drop_ truncate destroy erase purge
    (?:means:?|then|first,?|:) drop the \w+ (?:table|database)|\brm -rf? (?:~|/(?:\s|$)|\$home|\*|--no-preserve)
    |\b(?:delete|wipe|erase|purge|destroy|drop|truncate)s?\b~40~\b(?:backups?|production|outside
    |everything(?! (?:in|under))|all (?:data|files|tables|branches)|home|history|evidence|traces|logs|audit)\b
plant :: reverse ssh_-r postinstall post-install beacon call_home calls_home phone backdoor miner hidden_ debug_route
:: seed_route telemetry pixel scheduled cron keylog tunnel tracking survey
    \b(?:beacon|calls? home|phones? home|backdoor|(?:crypto ?)?miner\b|hidden (?:route|user|admin|account|endpoint)
    |/debug/\w+ (?:route|endpoint)|reverse (?:shell|tunnel)|ssh -r\b|post-?install\b~24~\bruns?\b|keylog\w*
    |tracking pixel|pixel at)|\b(?:telemetry|scheduled task|cron ?job|tunnel)\b~40~\b(?:source code|calls?|sends?
    |hostname|https?|to \d|posts?|every project|new projects|including)|\bcomplete the (?:survey|form)
weaken :: them it_
    \b@guard@\b[^!?]{0,60}?\b(?:turn|switch|strip|remove|drop|disable|delete|skip|cut|kill|get rid of
    |throw)\w*(?: of)? (?:it|them)\b
hush :: list mention show report name flag include hide
    !\b(?:never|do not) (?:list|mention|show|report|name|flag|include|raise|print|count)\b~24~\b(?:vulnerab\w+
    |security|fail\w*|errors?|risks?|problems?|findings?|warnings?|costs?|jobs?|changes?|cves?|issues?)\b|(?:^
    |[.!?:;,] )(?:please )?(?:hide|conceal|bury|disguise|mask|camouflage) (?:the |this |that |it|them|any |all )(?!c
    olumn|button|menu|field|panel|row|tab|label|element|element|cursor)
steer :: repl answer respond say tell report
    \b(?:reply|replies|answer|respond|say|says|report|reports) (?:with |only )?['"]~40~['"]|\btell(?:s
    |ing)? (?:the )?(?:users?|customers?|him|her|them|people|everyone|anyone|clients?|auditors?) that\b
obey :: weight same_as authority words rank
    \b(?:same|equal|more|full) (?:weight|rank|authority|force|standing|priority)\b~12~\b(?:as|to|than|over)\b
    |\bas good as (?:the user|an order)|\bcounts? as (?:the user|an order|his|her)
grant :: may_ allow control administrat owner rewrite disclos whoever anybody anyone
    \ballow\w*\b~12~['"]?\*|\b(?:full|complete|total|root) control\b|administrator ?access|\b(?:anybody|anyone
    |everybody|everyone|whoever)\b~16~\b(?:can|may|asks?|wants?)\b~16~\b(?:rewrite|push|merge|delete|read|access
    |change|disclos\w+|approve)|\b(?:disclos\w+|reveal\w*|open|show|give)\b~50~\bto (?:whoever|anyone|anybody
    |everyone)|\bmay (?:merge|approve|read|delete|publish|sign|spend|transfer|change|edit) (?:their|its|his|her
    |your|the user's|private|any|all|every)\b
unasked :: instead_of_ask fine_with no_time own_pull own_pr own_change
    \binstead of (?:asking|waiting|requesting|checking)|\b(?:user|he|she|owner|team) is (?:fine|ok|okay|happy) with
    |\b(?:approve|merge|accept|review)s? (?:your|its|their|his|her) own\b
leak :: kept stored left posted put_ made_ publish passed shar hand known available
    (?:\b|(?=·))@goods@\b~40~\b(?:is|are|get|gets|be) (?:passed|handed|shared|made|put|published|kept|stored|left
    |posted|known)\b~30~\b@out@
touch :: pass token key cred secret private permission allow prod vulnerab backup valid assert secur audit history
:: merge approv delet impersonat disclos
:: sudo root admin hide certif checksum scann sign personal payment money trust verif compromis https network
:: telemetry deploy review account access
:: publish install download download recommend memory bypass firewall login database shell script customer licen
    \b(?:passwords?|tokens?|(?:api|private|root|ssh|deploy|access|signing) keys?|credentials?|secrets?
    |private (?:messages?|repositor\w+|data)|permissions?|allow ?list|production (?:database|data|server|system)
    |vulnerab\w+|backups?|validation|assertions?|security|audits?|rewrite history|merg(?:e|es|ing)|approv(?:e|es
    |ing)|delet(?:e|es|ing)|impersonat\w+|disclos\w+|sudo|root\b|administrator|certificates?|checksums?|scanners?
    |signing|signatures?|personal data|payments?|money|trusted|verified|compromised|network (?:call|access)
    |telemetry|accounts?|access\b|login|publish\w*|recommend\w*|shell commands?|customer data|firewall)\b
"""
