"""What secrets look like: the tables of shapes, commands, prefixes and labels.

A rule is a kind, the plain substrings without which it cannot match, and what has to follow such a marker. The
pattern that is compiled from both starts with the marker, so the search for it runs at the speed of a substring
search, and its quantifiers cannot give characters back: a text is read a bounded number of times whatever is in it.
Prefixes are those that vendors publish so that a leaked token can be found; a kind that nobody published is caught by
its label, or by being too random for a word.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

__all__ = [
    "ABOUT",
    "BENIGN",
    "COMMANDS",
    "DEFAULTS",
    "DOTTED",
    "EXACT",
    "FOLDED",
    "FOREIGN_JOIN",
    "FOREIGN_LABELS",
    "HEADS",
    "ID_PARTS",
    "INSIDE",
    "JOIN",
    "LABELS",
    "LAST",
    "LAST_SIGN",
    "MARK",
    "PUBLIC_BLOCK",
    "RUN",
    "SECRET_PARTS",
    "STARTS",
    "TELLING",
    "escaped",
    "inside",
    "listed",
    "pattern",
]

MARK = "[REDACTED:"

_compiled: dict[str, re.Pattern[str]] = {}


def pattern(source: str) -> re.Pattern[str]:
    """`source` compiled, once: most texts need none of the patterns, and `re` itself takes longer to load than this."""
    known = _compiled.get(source)
    if known is None:
        import re

        known = _compiled[source] = re.compile(source)
    return known


def escaped(marker: str) -> str:
    """A marker as a pattern."""
    return "".join("\\" + sign if sign in ".*()|" else sign for sign in marker)


def listed(table: str) -> tuple[str, ...]:
    """Words written as one line of text: tables stay readable and short."""
    return tuple(table.split())


Rule = tuple[str, tuple[str, ...], str]

# What may stand between two lines of a key: quote marks, line numbers, escapes, a diff's sign, the name of the file.
_HEADERS = r"(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|Subject|x-)"
_GAP = (
    r"(?:[\s\"'+,>|#*→\d]|-(?=[A-Za-z0-9+/\r\n]|-----END)|\\++[nrt]?"
    rf"|(?<=\n)(?!{_HEADERS})[\w./-]{{1,80}}+:)*+"
)
# On the text as written. Group 1, where there is one, is the part to hide.
EXACT: tuple[Rule, ...] = (
    (
        "private-key",
        ("-----BEGIN ", "---- BEGIN "),
        r"[A-Z0-9 ]{0,40}(?<=PRIVATE KEY)(?: BLOCK)? ?-{4,5}"
        rf"(?:{_GAP}(?:(?=[a-z]{{0,60}}[A-Z0-9+/=])[A-Za-z0-9+/=]{{10,}}+"
        rf"|{_HEADERS}[\w-]{{0,20}}: ?[^\n\\]{{0,200}}+))++"
        rf"(?:{_GAP}[A-Za-z0-9+/=]{{0,80}}+{_GAP}----[- ]END [A-Z0-9 ]{{0,60}}+-{{0,5}})?+",
    ),
    ("private-key", ("Private-Lines:",), r" ?\d{1,4}((?:(?:\s|\\[nr])++[A-Za-z0-9+/=]{20,}+)++)"),
    ("telegram-token", (":AA",), r"(?<=[0-9]{8}:AA)[\w-]{30,}+"),
    (
        "webhook",
        ("hook",),
        r"(?:s\.slack\.com/(?:services|workflows|triggers)/|s\.zapier\.com/hooks/\w{2,12}/|s/(?<=/api/webhooks/)"
        r"|(?<=\.office\.com/webhook)\w{0,4}/)([\w@/+-]{16,}+)",
    ),
    ("pgpass", (":5432:", ":*:"), r"[^\s:]{1,64}+:[^\s:]{1,64}+:((?:[^\s:\\\"'`]|\\.)++)"),
)

# On the text in lower case.
FOLDED: tuple[Rule, ...] = (
    (
        "authorization",
        ("authorization",),
        r"[\"'`\\\])]{0,4}+[ \t]{0,3}+[:=,][ \t]{0,3}+[fb]?[\"'`\\]{0,4}+"
        r"(?:(?:bearer|basic|token|digest|api-?key|key|negotiate|ntlm|hmac|splunk|geniekey|bot|ssws|oauth|pat)"
        r"(?: token)?[ :=]{1,2}+)?+[\"'\\]{0,3}+([^\s\"'`<>,;\\(){}]{6,}+)",
    ),
    ("authorization", ("bearer",), r"(?: token)?[ :=]{1,3}+[\"'`\\]{0,3}+([a-z0-9._~+/=-]{12,}+)"),
    ("authorization", ("basic ",), r"(?<![a-z]basic ) ?([a-z0-9+/]{8,}+={0,2})"),
    (
        "signed-url",
        ("sig",),
        r"(?:(?<=[?&]sig)(?:nature)?|(?<=amz-sig)nature|(?<=goog-sig)nature)=([a-z0-9%/+_=-]{30,}+)",
    ),
    ("basic-auth", ("auth",), r"(?:token)?(?:\\{0,3}\"[ \t]?:|[ \t]?=)[ \t]?\\{0,3}[\"']?([a-z0-9+/=_.-]{8,}+)"),
    (
        "login",
        ("auth=(", "auth(", "login(", "credentials=(", "credentials = ("),
        r"\s?[\"'][^\"'\n]{1,80}+[\"'],\s?[\"']([^\"'\n]{4,}+)",
    ),
    ("cookie", ("sess",), r"(?:ion)?id=([a-z0-9._%-]{16,}+)"),
    ("password", ("identified by",), r" (?:password )?[\"']([^\"'\n]{4,}+)"),
    ("password", ("securestring ",), r"(?:-string )?[\"']([^\"'\n]{4,}+)"),
    (
        "netrc",
        ("login",),
        r"[ \t]{1,4}+[^\s]{1,100}+\s{1,40}+(?:account\s\S{1,100}+\s{1,40}+)?password\s{1,4}+([^\s\"'`\\]{4,}+)",
    ),
    ("oracle-login", ("oracle:thin:",), r"[^\s/@\"']{1,64}+/([^\s@\"']{1,200}+)@"),
    (
        "wallet-phrase",
        ("seed", "mnemonic", "recovery "),
        r"(?:[ _-]?(?:phrase|words?))?+[\"'`\\]{0,3}+[ \t]?(?:is|[:=]|=>)[ \t]{0,3}+[\"'`\\]{0,3}+"
        r"((?:[a-z]{3,8}+[ ,]{1,2}+){11,23}+[a-z]{3,8}+)",
    ),
)  # fmt: skip

# Commands, and the option that carries the secret; options are looked for up to the end of the line.
_ARGUMENT = r"(?:\"([^\"\n]{3,}+)\"|'([^'\n]{3,}+)'|([^\s\"'`|;<>]{3,}+))"
_LOGINS = tuple(f"{name} login" for name in listed("docker podman buildah skopeo oc az"))
COMMANDS: tuple[Rule, ...] = (
    (
        "login",
        ("curl ", "wget ", "http ", "https ", "xh "),
        r"(?<=\s)(?:-u|--user|-a|--auth|--proxy-user|-U)[ =]?[\"']?[^\s:\"'/]{1,80}+:([^\s\"'`]{3,}+)",
    ),
    ("password", ("sshpass ",), rf"(?<=\s)-p[ =]?{_ARGUMENT}"),
    (
        "password",
        ("mysql ", "mysqldump ", "mysqladmin ", "mysqlimport ", "mariadb "),
        r"(?<=\s)-p(?!ort\b)[\"']?([^\s\"'`|;<>]{4,}+)",
    ),
    (
        "password",
        (*_LOGINS, "registry login", "mongosh ", "mongo ", "mongodump ", "twine upload", "snowsql "),
        rf"(?<=\s)-p[ =]{_ARGUMENT}",
    ),
    ("password", ("redis-cli ",), rf"(?<=\s)(?:-a|--pass)[ =]{_ARGUMENT}"),
    ("password", ("ldapsearch ", "ldapadd ", "ldapmodify ", "add-generic-password"), rf"(?<=\s)-w[ =]{_ARGUMENT}"),
    ("password", ("smbclient ", "rpcclient "), r"(?<=\s)-U[ =]?[\"']?[^\s%\"']{1,80}+%([^\s\"'`]{3,}+)"),
    ("password", ("openssl ",), r"(?:(?<=pass:)|(?<=\s-k\s))([^\s\"'`|;<>]{3,}+)"),
    ("login", ("lftp ",), r"(?<=\s)-u [^\s,]{1,80}+,([^\s\"'`|;<>]{3,}+)"),
    ("password", ("htpasswd ",), r"(?<=\s)-\w*b\w*\s+(?:\S+\s+)?\S+\s+[\"']?([^\s\"'`|;<>]{3,}+)[\"']?\s*(?:$|[|;&>])"),
    ("password", ("zip ", "unzip ", "mosquitto_pub ", "mosquitto_sub "), rf"(?<=\s)-P[ =]?{_ARGUMENT}"),
    ("password", ("7z ", "7za "), r"(?<=\s)-p([^\s\"'`|;<>]{3,}+)"),
    ("password", ("net use ",), r"/user:\S{1,80}+\s+([^\s\"'`/*]{3,}+)"),
    ("password", ("net user ",), r"user \S{1,80}+\s+([^\s\"'`/*]{3,}+)\s+/"),
    (
        "password",
        ("echo ", "printf "),
        r"\s[\"']?([^\s\"'`|]{3,}+)[\"']?\s?\|\s?(?:sudo -S|[^|\n]{0,60}?--password-stdin)",
    ),
    ("password", ("echo ", "printf "), r"\s[\"']?[^\s\"'`|:]{1,60}+:([^\s\"'`|]{3,}+)[\"']?\s?\|\s?(?:sudo )?chpasswd"),
    ("secret", ("aws configure set",), r"(?:secret_access_key|session_token)\s([^\s\"'`]{16,}+)"),
    ("secret", ("secret set",), rf"(?<=\s)(?:--body|-b|--value)[ =]{_ARGUMENT}"),
    ("token", ("vault login", "gh auth login"), r"\s([\w.-]{24,}+)"),
)  # fmt: skip

# A token that starts with one of these is what the pattern says, whole.
STARTS = {
    start: (kind, rest)
    for kind, starts, rest in (
        ("aws-key", "AKI ASI ABI ACC", r"A[A-Z]{3}[A-Z0-9]{16}"),
        ("github-token", "git", r"github_pat_\w{16,}+"),
        ("cloud-token", "ops", r"ops_ey[\w-]{40,}+"),
        ("aws-key", "ABS", r"ABSK[A-Za-z0-9+/]{90,}+={0,2}"),
        *(("twilio-key", f"SK{digit}", "SK[0-9a-f]{32}") for digit in "0123456789abcdef"),
        ("google-key", "AIz", r"AIza[\w-]{30,}+"),
        ("google-key", "ya2 1//", r"(?:ya29\.|1//0)[\w.-]{20,}+"),
        ("alibaba-key", "LTA", r"LTAI[A-Za-z0-9]{12,}+"),
        ("jwt", "eyJ", r"eyJ[\w-]{8,}+\.[\w-]{8,}+(?:\.[\w-]*+)*+"),
        ("databricks-token", "dap", r"dapi[0-9a-f]{32}(?:-\d)?"),
        ("atlassian-token", "ATA ATC ATB", r"AT(?:ATT3|CTT3|BB)[\w=+/.-]{20,}+"),
        ("facebook-token", "EAA", r"EAA[\w-]{56,}+"),
        ("nuget-key", "oy2", r"oy2[a-z0-9]{43}"),
        ("artifactory-key", "AKC", r"AKCp[A-Za-z0-9]{60,}+"),
    )
    for start in starts.split()
}
# A token that holds one of these is that vendor's.
INSIDE = (
    ("Q~", "azure-secret", r"[\w.~-]{3}[0-9]Q~[\w.~-]{28,}+"),
    ("-us", "mailchimp-key", r"[0-9a-f]{32}-us[0-9]{1,2}"),
    (".atlasv1.", "terraform-token", r"\w{10,}+\.atlasv1\.[\w-]{40,}+"),
)
# The first part of a token, up to its first "_", "-" or ".", names the vendor.
HEADS = {
    head: kind
    for kind, heads in (
        ("github-token", "ghp gho ghu ghs ghr"),
        ("gitlab-token", "glpat gldt glft glrt glrtr glcbt glptt glsoat glimt glagent gloas glffct glwt"),
        ("slack-token", "xoxb xoxp xoxa xoxr xoxs xoxo xoxc xoxd xoxe xapp"),
        ("npm-token", "npm"),
        ("pypi-token", "pypi"),
        ("registry-token", "rubygems CLOJARS dckr"),
        ("sendgrid-key", "SG"),
        ("mail-key", "xkeysib xsmtpsib mlsn"),
        ("google-key", "GOCSPX AQ"),
        ("digitalocean-token", "dop doo dor"),
        ("vault-token", "hvs hvb hvr"),
        ("shopify-token", "shpat shpca shppa shpss shptka"),
        ("stripe-key", "whsec rk"),
        ("age-key", "AGE"),
        ("model-key", "hf gsk xai pplx nvapi tvly lsv2 pcsk r8 fw csk jina rpa"),
        ("cloud-token", "fo1 fm1 fm1a fm1r fm2 tskey nfp pscale sbp HRKU vcp rnd dp pul dt0c01 dt0s01 CFPAT t1"),
        (
            "service-token",
            "lin ntn figd figo figu figdr PMAK PMAT rdme glsa glc NRAK NRJS NRII NRRA sntrys sntryu sqp squ sqa sgp "
            "slk phx tfp duffel shippo FLWSECK fio ico p8e pnu dnkey bkua bkaj CCIPAT CCIPRJ sq0atp sq0csp sq0idp "
            "apify cfut cfat svix signkey sk",
        ),
    )
    for head in heads.split()
}
DOTTED = listed("SG hvs hvb hvr dp mlsn dt0c01 dt0s01 AQ t1 xoxe sk")
# Parts of a token's name that say what it is for, whoever issued it.
SECRET_PARTS = listed("sk key apikey token tok secret pat live auth oauth priv pw pwd cred signing")
# Prefixes of public identifiers, which are as random as keys.
ID_PARTS = listed(
    "cus pi price prod sub si in ch evt acct txn seti pm card src cs re po tr ba msg req toolu call run thread asst "
    "file resp chatcmpl cmpl batch step vs org proj user usr team dpl prj srv id img job task node pod build rev "
    "trace span event obj doc page item order inv pk pub public client app usage session sess mem"
)

# Words that label a value, and what makes each a label: it ends the name, or something harmless follows. What a
# bracket ends is the name of a secret that was hidden before.
_AFTER = (
    r"(?:[_-]?(?:[0-9]{1,3}|value|val|str|string|raw|plain|plaintext|prod|production|dev|staging|stage|test|live|old|new"
    r"|current|primary|secondary|base|base64|b64|default|admin|root|data))?+(?![a-z0-9\]])"
)
LABELS: tuple[Rule, ...] = (
    ("password", ("pass",), r"(?<!bypass)(?<!compass)(?<!trespass)(?:word|wort|wd|phrase|code|w|e)?s?" + _AFTER),
    ("password", ("psk",), "(?<![a-z]psk)" + _AFTER),
    ("password", ("pw",), "(?<![a-z0-9]pw)d?" + _AFTER),
    ("secret", ("secret",), r"s?(?:[ _-]?(?:access[ _-]?)?key)?+" + _AFTER),
    ("login", ("cred",), "(?:ential)?s?" + _AFTER),
    ("token", ("token",), "s?" + _AFTER),
    ("api-key", ("key",), "s?" + _AFTER),
)
FOREIGN_LABELS: tuple[Rule, ...] = (
    ("password", listed("contraseña kennwort hasło lösenord şifre пароль 密码 密碼 口令 パスワード 비밀번호"), ""),
    ("token", listed("令牌 トークン 토큰 密钥 密鑰 токен"), ""),
)
# Words of every log that hold a label and are none; its rule would not match them.
HARMLESS = {
    "pass": listed("passed passes passing passive passage passenger bypass compass surpass"),
    "key": listed("keyboard keyword keyerror monkey turkey hotkey keystroke"),
    "token": listed("tokenize tokenise tokeniza tokenisa"),
    "cred": listed("credit incredib sacred accredit"),
}
# Labels that may come last, as in "hunter2 is the password".
LAST = listed("password passphrase passwort token secret key")
# What stands between a label and its value: an assignment in some language, a call or a pair, a sentence, a space.
# Classes with characters beyond Latin take long to compile, so only text that has some is read with them.
_VERBS = (
    r"is|was|are|be|becomes|to|as|equals|now|currently|set|still|just|simply|from|changed|updated|rotated|reset"
    r"|ist|est|es|lautet"
)
_ASSIGN = r"=>|:=|={1,3}+|!=|:{1,2}+|->|>(?!@)"


def _join(assign: str, copula: str, quotes: str) -> str:
    return (
        rf"(?:['’]s(?=[ \t])|(?:\\{{0,3}}[{quotes}]|[\])*]){{0,4}}+)"
        r"(?:(?P<call>\([ \t]?(?=[\"'])|[ \t]?,[ \t]?(?=[\"'])|[ \t]?:?=[ \t]?(?:new )?[\w.:]{1,40}+\((?=[\"']))"
        r"|(?P<assign>"
        r"(?:(?:[ \t]?:)?[ \t]?&?(?:'static )?(?:str|string|bytes|text|secretstr|optional\[str\])"
        r"(?: ?\| ?\w{4,9})?(?=[ \t]?=))?+"
        rf"[ \t]{{0,12}}+(?:{assign})(?:[ \t]{{0,12}}+|(?=\s)\s{{1,12}}+(?![\w.-]{{1,60}}+[=:]))"
        r"|[\"']?[ \t]?[,{]?\s{0,12}+\\{0,3}[\"']?(?:value|default)\\{0,3}[\"']?[ \t]{0,3}+[:=][ \t]{0,4}+)"
        rf"|(?P<prose>(?:(?:[ \t]++(?:{_VERBS})(?!\w)){{1,4}}+|[ \t]?(?:{copula})|[ \t]\|)[ \t:]*+)"
        r"|(?P<space>[ \t]++\(?))"
        rf"(?P<open>[fbru@]?(?P<escape>\\{{0,3}})(?P<quote>[{quotes}]))?+(?!\[redacted:)"
    )


JOIN = _join(_ASSIGN, r"-(?=[ \t])", r"\"'`")
FOREIGN_JOIN = _join(_ASSIGN + "|→|：|＝", r"-(?=[ \t])|是|为|為|は|는|은|가|が|это|—|–", r"\"'`“”‘’「«")
# The sentence between a label and the verb before its value.
ABOUT = r"(?:for|of|on|in|at|from|to)[ \t][^\n.;!?=]{1,60}?(?:[ \t](?:is|was)[ \t]|:[ \t]|=)([\"'`])?"
# A comma or semicolon belongs to a value unless a space or another name follows; so does a backslash before no escape.
_BARE = r"[^\s\"'`,;<>\\|]"
_BARE_VALUE = rf"{_BARE}*+(?:(?:[,;](?![\s\"'\\]|$|[\w ]{{1,30}}+[=:])|\\(?![nrt\"'\\])){_BARE}*+)*+"
# Latin, Greek and Cyrillic letters may be part of a password; typographic marks and East Asian text end it.
LAST_SIGN = "\u200f"
_CLOSING = {"“": "”", "‘": "’", "「": "」", "«": "»"}


def inside(quote: str | None, escaped: bool) -> str:
    """The pattern of a value between quotes of this kind, or without any."""
    if quote is None:
        return _BARE_VALUE
    if escaped:
        return rf"(?:[^{quote}\\\n]|\\(?!{quote})[^\n])++"
    return rf"(?:[^{_CLOSING.get(quote, quote)}\\\n]|\\[^\n])++"


# A run of the characters tokens are made of; one that is all hex digits is a digest and nothing to look at.
_TOKEN = "A-Za-z0-9_.~+/-"
RUN = rf"[{_TOKEN}](?<![{_TOKEN}].)(?![0-9a-f]{{19,}}+(?![{_TOKEN}]))[{_TOKEN}]{{19,}}+={{0,2}}"
PUBLIC_BLOCK = r"-----BEGIN (?![A-Z0-9 ]{0,40}PRIVATE)[A-Z0-9 ]{1,40}-----[^-]*+"
# Words before a random run that explain it, and words near a short one that give it away.
BENIGN = (
    r"sha[-_:0-9]|hash|digest|integrity|checksum|fingerprint|ssh-|etag|certificate|public|pubkey|challenge"
    r"|(?<![a-z])(?:[a-z]+[_-])?u?u?ids?(?![a-z])"
)
TELLING = ("token", "secret", "password", "credential", "api key", "api_key", "apikey")
# Passwords of examples and of containers nobody reaches.
DEFAULTS = listed("password passwd pass pwd secret changeme admin root guest postgres user test token pw")
