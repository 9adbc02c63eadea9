"""Word classes that the rules for instruction-like text share, each as a piece of a pattern.

How the table is written is told in `instruction_rules`.
"""

from __future__ import annotations

__all__ = ["WORDS"]

WORDS = r"""
ai ::
    (?:(?:ai|llm|coding|automated|virtual|autonomous|language) )*(?:ais?|llms?|assistants?|agents?|chatbots?
    |bots?|models?|claude|chatgpt|gpt|copilot|gemini|cursor|codex)\b
brand ::
    (?:claude|chatgpt|gpt(?:-?\d\w*)?|copilot|gemini|cursor|codex|ai|llm|chatbot)
prior ::
    (?:previous|prior|earlier|preceding|above|foregoing|past|former|existing|original|initial|system|your|my
    |developer(?:'s)?|openai(?:'s)?|anthropic(?:'s)?|safety|pre-?existing|aforementioned|last)
orders ::
    (?:instructions|instruction set|directions|directives|commands|orders|prompts?|rules|guidelines|guidance
    |guardrails|polic(?:y|ies)|constraints|restrictions|programming|training|context|conversation|messages
    |safeguards|protocols?|tasks?|assignments?|requests?|content policy|statements|inputs?|text|information)\b
strict ::
    (?:instructions|directives|guidelines|guardrails|restrictions|safety (?:rules|guidelines|protocols?|measures
    |filters?|checks)|system prompt|content polic(?:y|ies)|ethical \w+|prompts|programming)\b
person ::
    (?:the |your |any |our )?(?:end )?(?:users?|humans?|developers?|owner|operator|anyone|anybody|engineers?
    |reviewers?|maintainers?|customer|client|admins?|administrators?|people|team|boss|him|her|them|me)\b
secret ::
    (?:api[ _-]?keys?|secrets?|(?:access |auth |session |bearer )?tokens?|passwords?|passphrases?|credentials?
    |private keys?|ssh keys?|\.env\b|env(?:ironment)? ?(?:vars?|variables?|files?)|\benv\b|cookies|\.ssh|id_rsa
    |\.aws|\.npmrc|\.netrc|keychain|wallet|seed phrase|source code|codebase|(?:file|repo\w*|project) contents?
    |contents? of|conversation|chat (?:history|logs?)|transcript|system prompt|customer (?:data|records)
    |user data|personal data|(?:shell|bash|browser) history|/etc/passwd|inbox|emails|contacts|clipboard
    |stack traces? and env\w*|git config|memory (?:file|store|contents?)|proprietary|confidential \w+
    |user'?s? (?:name|messages?|prompts?|files|data|questions?|input|email|location|address))
dest ::
    (?:(?:https?|ftp|wss?)://|www\.|[\w.+-]{1,60}@[\w-]{1,60}\.|[\w-]{2,40}\.(?:com|net|io|org|ru|cn|xyz|dev|tk
    |site|online|info|top|example|invalid|test|ngrok|app|me|co|cc)\b|webhook|pastebin|paste site|discord|telegram
    |gist\b|requestbin|burp|ngrok|attacker|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|(?:this|that|our|my|their
    |the following|an external|a remote|a third-party|the attacker's|a public) (?:\w{1,12} )?(?:address|url
    |endpoint|server|site|collector|bucket|host|domain|channel)\b)
send ::
    (?:send|post|upload|forward|transmit|exfiltrate|leak|e?mail|submit|copy|push|sync|beacon|ship|curl|wget|pipe
    |append|paste|share|deliver|report|dump|relay|transfer|export|publish|mirror|cc|bcc|log|attach|embed|include
    |encode|write|add|put|pass|stream|back up|save)
start ::
    (?:^|[.!?:;,"'>)\]*#-] ?|\b(?:and|then|now|please|also|must|should|to|will|instead|just|kindly|first|info
    |warn|warning|error|debug|note|todo) )(?:please |kindly |also |now |then |just |immediately )?
reply ::
    (?:responses?|repl(?:y|ies)|answers?|outputs?|completions?|messages?|summar(?:y|ies)|explanations?)
safe ::
    (?:[\w.-]*(?:localhost|127\.0\.0\.1|\binternal\b|\bcorp\b|\bintra|artifactory|nexus|jfrog|verdaccio
    |codeartifact|pkg\.dev|pypi\.org|python[h]osted|npmjs|github\.com|gitlab|githubusercontent|rustup\.rs
    |docker\.com|astral\.sh|nodesource|bun\.sh|deno\.land|k3s\.io|python-poetry\.org|sdkman|brew\.sh|starship\.rs
    |crates\.io|rubygems|golang\.org|helm\.sh|tailscale\.com|sentry\.io|pnpm\.io|mise\.run|nixos\.org
    |pytorch\.org))
ask ::
    (?:confirmation|permission|approval|consent|authori[sz]ation|sign-?off|verification|human review)s?
harm ::
    (?:\bbombs?\b|explosives?|molotov|methamphetamine|\bmeth\b|cocaine|heroin|malware|ransomware|keylogger
    |phishing (?:e?mails?|pages?|sites?|messages?|campaigns?|links?)|computer (?:virus|worm)|trojan|rootkit
    |botnet|hack into|hotwire|steal (?:a|an|someone|credit|money|from|their|passwords)|shoplift|counterfeit
    |launder money|poison (?:someone|a person|people)|kill (?:someone|a person|people|humans|humanity|yourself
    |myself)|suicide|self-harm|napalm|fake ids?\b|credit card (?:numbers|fraud)|racist|sexist|racial slur
    |hate speech|nazi|terroris[tm]|(?:chemical|biological|nuclear) (?:weapon|agent)|anthrax|doxx?
    |stalk (?:someone|a|my)|blackmail|scam (?:email|message|people)|propaganda|disinformation|misinformation
    |conspiracy theor|deepfake|tax fraud|illegal (?:drugs|weapons|activit)|destroy humanity|take over the world
    |evade (?:the )?(?:police|taxes)|human trafficking)
"""
