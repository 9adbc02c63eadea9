"""Tables of what secrets look like: shapes, commands, prefixes and labels.

A rule consists of the kind of the secret, its markers (plain substrings, one of which must occur), the pattern of the
text after a marker, and two examples: a text with such a secret and a text without one. The compiled pattern starts
with the marker, so the search runs at the speed of a substring search, and its quantifiers are possessive: any text is
read a bounded number of times. In the examples `{alnum:36}` stands for thirty-six random characters, so that scanners
for secrets do not report this file.

The prefixes are those that vendors publish so that leaked tokens can be recognised. Other secrets are found by their
label, or because they are too random to be words.

The tables are written in Python instead of a text file, because every capture hook loads them and compiled Python loads
faster.
"""

from __future__ import annotations

from limpet.lean.pattern import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

MARK = "[REDACTED:"

_compiled: dict[str, re.Pattern[str]] = {}


def compile_once(source: str) -> re.Pattern[str]:
    """Return a pattern that is compiled once, on first use, because most texts need no pattern."""
    known = _compiled.get(source)
    if known is None:
        known = _compiled[source] = lazy(source)
    return known


def escape_marker(marker: str) -> str:
    """Return a pattern that matches the marker literally."""
    return "".join("\\" + sign if sign in ".*()[]|" else sign for sign in marker)


def word_tuple(table: str) -> tuple[str, ...]:
    """Return the words of a text as a tuple. With it, word lists in the code can be written as plain lines."""
    return tuple(table.split())


Rule = tuple[str, tuple[str, ...], str, str, str]
"""The kind of secret, the markers, the pattern after a marker, an example with a secret, and one without."""

# What may stand between two lines of a key: quote marks, line numbers, escapes, a diff's sign, the name of the file.
_HEADERS = r"(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|Subject|x-)"
_GAP = (
    r"(?:[\s\"'+,>|#*→\d]|-(?=[A-Za-z0-9+/\r\n]|-----END)|\\++[nrt]?"
    rf"|(?<=\n)(?!{_HEADERS})[\w./-]{{1,80}}+:)*+"
)
# Rules that search the text as written. Group 1, where there is one, is the part to hide.
EXACT: tuple[Rule, ...] = (
    (
        "private-key",
        ("-----BEGIN ", "---- BEGIN "),
        r"[A-Z0-9 ]{0,40}(?<=PRIVATE KEY)(?: BLOCK)? ?-{4,5}"
        rf"(?:{_GAP}(?:(?=[a-z]{{0,60}}[A-Z0-9+/=])[A-Za-z0-9+/=]{{10,}}+"
        rf"|{_HEADERS}[\w-]{{0,20}}: ?[^\n\\]{{0,200}}+))++"
        rf"(?:{_GAP}[A-Za-z0-9+/=]{{0,80}}+{_GAP}----[- ]END [A-Z0-9 ]{{0,60}}+-{{0,5}})?+",
        "-----BEGIN PRIVATE KEY-----\n{base64:64}\n{base64:64}\n-----END PRIVATE KEY-----",
        "-----BEGIN CERTIFICATE-----\n{base64:64}\n-----END CERTIFICATE-----",
    ),
    (
        "private-key",
        ("Private-Lines:",),
        r" ?\d{1,4}((?:(?:\s|\\[nr])++[A-Za-z0-9+/=]{20,}+)++)",
        "Private-Lines: 2\n{base64:64}\n{base64:64}\nPrivate-MAC: 00",
        "Private-Lines: 14 are expected in a key file",
    ),
    (
        "telegram-token",
        (":AA",),
        r"(?<=[0-9]{8}:AA)[\w-]{30,}+",
        "the bot answers to {digits:9}:AA{alnum:33} only",
        "the interface has the address fe80::AA00:4",
    ),
    (
        "webhook",
        ("hook",),
        r"(?:s\.slack\.com/(?:services|workflows|triggers)/|s\.zapier\.com/hooks/\w{2,12}/|s/(?<=/api/webhooks/)"
        r"|(?<=\.office\.com/webhook)\w{0,4}/)([\w@/+-]{16,}+)",
        "posts to https://hooks.slack.com/services/T{upper:8}/B{upper:8}/{alnum:24}",
        "https://hooks.slack.com/services is where new hooks are made",
    ),
    (
        "pgpass",
        (":5432:", ":*:"),
        r"[^\s:]{1,64}+:[^\s:]{1,64}+:((?:[^\s:\\\"'`]|\\.)++)",
        "db.internal:5432:shop:deploy:{password}",
        "db.internal:5432:shop:deploy:${PGPASSWORD}",
    ),
)

# Rules that search the text in lower case.
FOLDED: tuple[Rule, ...] = (
    (
        "authorization",
        ("authorization",),
        r"[\"'`\\\])]{0,4}+[ \t]{0,3}+[:=,][ \t]{0,3}+[fb]?[\"'`\\]{0,4}+"
        r"(?:(?:bearer|basic|token|digest|api-?key|key|negotiate|ntlm|hmac|splunk|geniekey|bot|ssws|oauth|pat)"
        r"(?: token)?[ :=]{1,2}+)?+[\"'\\]{0,3}+([^\s\"'`<>,;\\(){}]{6,}+)",
        "Authorization: token {alnum:32}",
        "Authorization: required for every route",
    ),
    (
        "authorization",
        ("bearer",),
        r"(?: token)?[ :=]{1,3}+[\"'`\\]{0,3}+([a-z0-9._~+/=-]{12,}+)",
        "send it as bearer {alnum:32} to the gateway",
        "send it as bearer authentication to the gateway",
    ),
    (
        "authorization",
        ("basic ",),
        r"(?<![a-z]basic ) ?([a-z0-9+/]{8,}+={0,2})",
        "the proxy wants Basic {login}",
        "the basic configuration is enough",
    ),
    (
        "signed-url",
        ("sig",),
        r"(?:(?<=[?&]sig)(?:nature)?|(?<=amz-sig)nature|(?<=goog-sig)nature)=([a-z0-9%/+_=-]{30,}+)",
        "https://files.acme.io/a.zip?se=2026&sig={alnum:44}",
        "https://files.acme.io/a.zip?sig=short",
    ),
    (
        "basic-auth",
        ("auth",),
        r"(?:token)?(?:\\{0,3}\"[ \t]?:|[ \t]?=)[ \t]?\\{0,3}[\"']?([a-z0-9+/=_.-]{8,}+)",
        '{"auths": {"registry.acme.io": {"auth": "{login}"}}}',
        '{"auth": "required", "retries": 3}',
    ),
    (
        "login",
        ("auth=(", "auth(", "login(", "credentials=(", "credentials = ("),
        r"\s?[\"'][^\"'\n]{1,80}+[\"'],\s?[\"']([^\"'\n]{4,}+)",
        "requests.get(url, auth=('deploy', '{password}'))",
        "requests.get(url, auth=('user', 'password'))",
    ),
    (
        "cookie",
        ("sess",),
        r"(?:ion)?id=([a-z0-9._%-]{16,}+)",
        "https://acme.io/cart?sessionid={alnum:26}",
        "https://acme.io/cart?sessionid=none",
    ),
    (
        "password",
        ("identified by",),
        r" (?:password )?[\"']([^\"'\n]{4,}+)",
        "CREATE USER shop IDENTIFIED BY '{password}'",
        "CREATE USER shop IDENTIFIED BY '${SHOP}'",
    ),
    (
        "password",
        ("securestring ",),
        r"(?:-string )?[\"']([^\"'\n]{4,}+)",
        'ConvertTo-SecureString "{password}" -AsPlainText -Force',
        'ConvertTo-SecureString "$value" -AsPlainText -Force',
    ),
    (
        "netrc",
        ("login",),
        r"[ \t]{1,4}+[^\s]{1,100}+\s{1,40}+(?:account\s\S{1,100}+\s{1,40}+)?password\s{1,4}+([^\s\"'`\\]{4,}+)",
        "machine git.acme.io login alice password {password}",
        "the login form has no password field",
    ),
    (
        "oracle-login",
        ("oracle:thin:",),
        r"[^\s/@\"']{1,64}+/([^\s@\"']{1,200}+)@",
        "jdbc:oracle:thin:shop/{password}@//db:1521/x",
        "jdbc:oracle:thin:@//db:1521/x",
    ),
    (
        "wallet-phrase",
        ("seed", "mnemonic", "recovery "),
        r"(?:[ _-]?(?:phrase|words?))?+[\"'`\\]{0,3}+[ \t]?(?:is|[:=]|=>)[ \t]{0,3}+[\"'`\\]{0,3}+"
        r"((?:[a-z]{3,8}+[ ,]{1,2}+){11,23}+[a-z]{3,8}+)",
        "seed phrase: apple river stone cloud green tiger lemon chair bread ocean piano candle",
        "seed: 42, as in the other benchmarks",
    ),
)

# Commands, and the option that carries the secret; options are looked for up to the end of the line.
_ARGUMENT = r"(?:\"([^\"\n]{3,}+)\"|'([^'\n]{3,}+)'|([^\s\"'`|;<>]{3,}+))"
_LOGINS = tuple(f"{name} login" for name in word_tuple("docker podman buildah skopeo oc az"))
COMMANDS: tuple[Rule, ...] = (
    (
        "login",
        ("curl ", "wget ", "http ", "https ", "xh "),
        r"(?<=\s)(?:-u|--user|-a|--auth|--proxy-user|-U)[ =]?[\"']?[^\s:\"'/]{1,80}+:([^\s\"'`]{3,}+)",
        "curl -u deploy:{password} https://api.acme.io",
        "curl -u deploy https://api.acme.io",
    ),
    (
        "password",
        ("sshpass ",),
        rf"(?<=\s)-p[ =]?{_ARGUMENT}",
        "sshpass -p {password} ssh deploy@host",
        "sshpass -p $SSH_WORD ssh deploy@host",
    ),
    (
        "password",
        ("mysql ", "mysqldump ", "mysqladmin ", "mysqlimport ", "mariadb "),
        r"(?<=\s)-p(?!ort\b)[\"']?([^\s\"'`|;<>]{4,}+)",
        "mysql -u root -p{password} shop",
        "mysql -u root -p shop",
    ),
    (
        "password",
        (*_LOGINS, "registry login", "mongosh ", "mongo ", "mongodump ", "twine upload", "snowsql "),
        rf"(?<=\s)-p[ =]{_ARGUMENT}",
        "docker login -u deploy -p {password} registry.acme.io",
        "docker login -u deploy registry.acme.io",
    ),
    (
        "password",
        ("redis-cli ",),
        rf"(?<=\s)(?:-a|--pass)[ =]{_ARGUMENT}",
        "redis-cli -h cache -a {password} ping",
        "redis-cli -h cache ping",
    ),
    (
        "password",
        ("ldapsearch ", "ldapadd ", "ldapmodify ", "add-generic-password"),
        rf"(?<=\s)-w[ =]{_ARGUMENT}",
        "ldapsearch -D cn=admin -w {password} -b dc=acme",
        "ldapsearch -D cn=admin -W -b dc=acme",
    ),
    (
        "password",
        ("smbclient ", "rpcclient "),
        r"(?<=\s)-U[ =]?[\"']?[^\s%\"']{1,80}+%([^\s\"'`]{3,}+)",
        "smbclient //nas/share -U deploy%{password}",
        "smbclient //nas/share -U deploy",
    ),
    (
        "password",
        ("openssl ",),
        r"(?:(?<=pass:)|(?<=\s-k\s))([^\s\"'`|;<>]{3,}+)",
        "openssl rsa -in a.pem -passin pass:{password}",
        "openssl rsa -in a.pem -passin env:WORD",
    ),
    (
        "login",
        ("lftp ",),
        r"(?<=\s)-u [^\s,]{1,80}+,([^\s\"'`|;<>]{3,}+)",
        "lftp -u deploy,{password} sftp://host",
        "lftp -u deploy sftp://host",
    ),
    (
        "password",
        ("htpasswd ",),
        r"(?<=\s)-\w*b\w*\s+(?:\S+\s+)?\S+\s+[\"']?([^\s\"'`|;<>]{3,}+)[\"']?\s*(?:$|[|;&>])",
        "htpasswd -b users.txt alice {password}",
        "htpasswd -c users.txt alice",
    ),
    (
        "password",
        ("zip ", "unzip ", "mosquitto_pub ", "mosquitto_sub "),
        rf"(?<=\s)-P[ =]?{_ARGUMENT}",
        "unzip -P {password} backup.zip",
        "unzip -o backup.zip",
    ),
    (
        "password",
        ("7z ", "7za "),
        r"(?<=\s)-p([^\s\"'`|;<>]{3,}+)",
        "7z x backup.7z -p{password}",
        "7z x backup.7z -oout",
    ),
    (
        "password",
        ("net use ",),
        r"/user:\S{1,80}+\s+([^\s\"'`/*]{3,}+)",
        "net use Z: \\\\nas\\share /user:deploy {password}",
        "net use Z: \\\\nas\\share /user:deploy *",
    ),
    (
        "password",
        ("net user ",),
        r"user \S{1,80}+\s+([^\s\"'`/*]{3,}+)\s+/",
        "net user deploy {password} /add",
        "net user deploy * /add",
    ),
    (
        "password",
        ("echo ", "printf "),
        r"\s[\"']?([^\s\"'`|]{3,}+)[\"']?\s?\|\s?(?:sudo -S|docker secret create|[^|\n]{0,60}?--password-stdin)",
        "echo {password} | docker login -u deploy --password-stdin",
        "echo $WORD | docker login -u deploy --password-stdin",
    ),
    (
        "password",
        ("echo ", "printf "),
        r"\s[\"']?[^\s\"'`|:]{1,60}+:([^\s\"'`|]{3,}+)[\"']?\s?\|\s?(?:sudo )?chpasswd",
        "echo deploy:{password} | chpasswd -e",
        "echo deploy:$WORD | chpasswd -e",
    ),
    (
        "secret",
        ("aws configure set",),
        r"(?:secret_access_key|session_token)\s([^\s\"'`]{16,}+)",
        "aws configure set aws_secret_access_key {alnum:40}",
        "aws configure set region eu-west-1",
    ),
    (
        "secret",
        ("secret set",),
        rf"(?<=\s)(?:--body|-b|--value)[ =]{_ARGUMENT}",
        "gh secret set DEPLOY --body {alnum:24}",
        "gh secret set DEPLOY --body $DEPLOY",
    ),
    (
        "token",
        ("vault login", "gh auth login"),
        r"\s([\w.-]{24,}+)",
        "vault login -no-print {alnum:28}",
        "vault login -method=oidc",
    ),
)

# A token that starts with one of these is a secret if the pattern matches the whole token.
START_RULES: tuple[Rule, ...] = (
    (
        "aws-key",
        word_tuple("AKI ASI ABI ACC"),
        r"A[A-Z]{3}[A-Z0-9]{16}",
        "AKIA{upper:16}",
        "AKIA is how such ids begin",
    ),
    ("github-token", ("git",), r"github_pat_\w{16,}+", "github_pat_{alnum:40}", "github_pat_ is how it begins"),
    ("cloud-token", ("ops",), r"ops_ey[\w-]{40,}+", "ops_ey{alnum:60}", "ops_eyes_on_the_dashboard_at_night"),
    ("aws-key", ("ABS",), r"ABSK[A-Za-z0-9+/]{90,}+={0,2}", "ABSK{alnum:110}", "ABSK is how such keys begin"),
    (
        "twilio-key",
        tuple(f"SK{digit}" for digit in "0123456789abcdef"),
        "SK[0-9a-f]{32}",
        "SK{hex:32}",
        "SK00 is a product number",
    ),
    ("google-key", ("AIz",), r"AIza[\w-]{30,}+", "AIza{alnum:35}", "AIza is how such keys begin"),
    ("google-key", ("ya2", "1//"), r"(?:ya29\.|1//0)[\w.-]{20,}+", "ya29.{alnum:60}", "ya29 is how they begin"),
    ("alibaba-key", ("LTA",), r"LTAI[A-Za-z0-9]{12,}+", "LTAI{alnum:20}", "LTAI is how such keys begin"),
    (
        "jwt",
        ("eyJ",),
        r"eyJ[\w-]{8,}+\.[\w-]{8,}+(?:\.[\w-]*+)*+",
        "eyJ{alnum:20}.{alnum:40}.{alnum:43}",
        "eyJ is how such tokens begin",
    ),
    ("databricks-token", ("dap",), r"dapi[0-9a-f]{32}(?:-\d)?", "dapi{hex:32}", "dapi is how such tokens begin"),
    (
        "atlassian-token",
        word_tuple("ATA ATC ATB"),
        r"AT(?:ATT3|CTT3|BB)[\w=+/.-]{20,}+",
        "ATATT3{alnum:60}",
        "ATATT3 is how such tokens begin",
    ),
    ("facebook-token", ("EAA",), r"EAA[\w-]{56,}+", "EAA{alnum:80}", "EAA is how such tokens begin"),
    ("nuget-key", ("oy2",), r"oy2[a-z0-9]{43}", "oy2{lower:43}", "oy2 is how such keys begin"),
    ("artifactory-key", ("AKC",), r"AKCp[A-Za-z0-9]{60,}+", "AKCp{alnum:69}", "AKCp is how such keys begin"),
)
STARTS = {start: (kind, rest) for kind, starts, rest, _, _ in START_RULES for start in starts}
# A token that contains one of these was issued by that vendor.
INSIDE: tuple[Rule, ...] = (
    ("azure-secret", ("Q~",), r"[\w.~-]{3}[0-9]Q~[\w.~-]{28,}+", "{alnum:3}8Q~{alnum:34}", "the answer is 8Q~ or so"),
    ("mailchimp-key", ("-us",), r"[0-9a-f]{32}-us[0-9]{1,2}", "{hex:32}-us14", "the region is called eu-us1"),
    (
        "terraform-token",
        (".atlasv1.",),
        r"\w{10,}+\.atlasv1\.[\w-]{40,}+",
        "{alnum:14}.atlasv1.{alnum:60}",
        "the middle part is .atlasv1.",
    ),
)
# The first part of a token, up to its first "_", "-" or ".", names the vendor.
HEAD_RULES: tuple[tuple[str, str, str, str], ...] = (
    ("github-token", "ghp gho ghu ghs ghr", "ghp_{alnum:36}", "ghp_ is how such tokens begin"),
    (
        "gitlab-token",
        "glpat gldt glft glrt glrtr glcbt glptt glsoat glimt glagent gloas glffct glwt",
        "glpat-{alnum:20}",
        "glpat-your-token-goes-here",
    ),
    (
        "slack-token",
        "xoxb xoxp xoxa xoxr xoxs xoxo xoxc xoxd xoxe xapp",
        "xoxb-{digits:12}-{alnum:24}",
        "xoxb-your-token-goes-here",
    ),
    ("npm-token", "npm", "npm_{alnum:36}", "npm_config_cache_folder_of_the_runner"),
    ("pypi-token", "pypi", "pypi-{alnum:80}", "pypi-publish-from-the-release-branch"),
    ("registry-token", "rubygems CLOJARS dckr", "dckr_pat_{alnum:27}", "rubygems-update-and-bundler-versions"),
    ("sendgrid-key", "SG", "SG.{alnum:22}.{alnum:43}", "SG.Mail.Client.Configuration.Builder"),
    ("mail-key", "xkeysib xsmtpsib mlsn", "xkeysib-{hex:64}-{alnum:16}", "xkeysib-your-key-goes-here-please"),
    ("google-key", "GOCSPX AQ", "GOCSPX-{alnum:28}", "GOCSPX-your-client-secret-here"),
    ("digitalocean-token", "dop doo dor", "dop_v1_{hex:64}", "dop_v1_and_so_on_is_how_they_begin"),
    ("vault-token", "hvs hvb hvr", "hvs.{alnum:90}", "hvs.internal.service.example"),
    ("shopify-token", "shpat shpca shppa shpss shptka", "shpat_{hex:32}", "shpat_your_token_goes_here"),
    ("stripe-key", "whsec rk", "whsec_{alnum:32}", "whsec_from_the_dashboard_page"),
    ("age-key", "AGE", "AGE-SECRET-KEY-1{upper:58}", "AGE-SECRET-KEY-is-how-it-begins"),
    (
        "model-key",
        "hf gsk xai pplx nvapi tvly lsv2 pcsk r8 fw csk jina rpa",
        "hf_{alnum:34}",
        "hf_transfer_enabled_by_default",
    ),
    (
        "cloud-token",
        "fo1 fm1 fm1a fm1r fm2 tskey nfp pscale sbp HRKU vcp rnd dp pul dt0c01 dt0s01 CFPAT t1",
        "nfp_{alnum:36}",
        "rnd_number_generator_of_the_tests",
    ),
    (
        "service-token",
        "lin ntn figd figo figu figdr PMAK PMAT rdme glsa glc NRAK NRJS NRII NRRA sntrys sntryu sqp squ sqa sgp "
        "slk phx tfp duffel shippo FLWSECK fio ico p8e pnu dnkey bkua bkaj CCIPAT CCIPRJ sq0atp sq0csp sq0idp "
        "apify cfut cfat svix signkey sk",
        "glsa_{alnum:32}_{hex:8}",
        "phx_live_view_component_of_the_page",
    ),
)
HEADS = {head: kind for kind, heads, _, _ in HEAD_RULES for head in heads.split()}
DOTTED = word_tuple("SG hvs hvb hvr dp mlsn dt0c01 dt0s01 AQ t1 xoxe sk")
# Parts in front of a token that say that it is a secret, whatever the vendor.
SECRET_PARTS = word_tuple("sk key apikey token tok secret pat live auth oauth priv pw pwd cred signing")
# Prefixes of public identifiers, which are as random as keys.
ID_PARTS = word_tuple(
    "cus pi price prod sub si in ch evt acct txn seti pm card src cs re po tr ba msg req toolu call run thread asst "
    "file resp chatcmpl cmpl batch step vs org proj user usr team dpl prj srv id img job task node pod build rev "
    "trace span event obj doc page item order inv pk pub public client app usage session sess mem"
)

# Words that label a value. Such a word must end the name, or be followed by one of these harmless endings. A word
# before a bracket is no label: it is the kind of a secret that was hidden before.
_AFTER = (
    r"(?:[_-]?(?:[0-9]{1,3}|value|val|str|string|raw|plain|plaintext|prod|production|dev|staging|stage|test|live|old|new"
    r"|current|primary|secondary|base|base64|b64|default|admin|root|data))?+(?![a-z0-9\]])"
)
LABELS: tuple[Rule, ...] = (
    (
        "password",
        ("pass",),
        r"(?<!bypass)(?<!compass)(?<!trespass)(?:word|wort|wd|phrase|code|w|e)?s?" + _AFTER,
        "the password is {password}",
        "the password is stored in the vault",
    ),
    ("password", ("psk",), "(?<![a-z]psk)" + _AFTER, "wifi psk: {password}", "wifi psk: see the vault"),
    ("password", ("pw",), "(?<![a-z0-9]pw)d?" + _AFTER, "root pwd: {password}", "root pwd: see the vault"),
    (
        "secret",
        ("secret",),
        r"s?(?:[ _-]?(?:access[ _-]?)?key)?+" + _AFTER,
        "client_secret: {alnum:32}",
        "client_secret: read from the vault",
    ),
    ("login", ("cred",), "(?:ential)?s?" + _AFTER, "creds={password}", "creds=load_credentials()"),
    ("token", ("token",), "s?" + _AFTER, "TOKEN={alnum:32}", "TOKEN=${TOKEN}"),
    ("api-key", ("key",), "s?" + _AFTER, "api_key = {alnum:32}", "primary_key = order_id"),
)
LABELS += (
    ("password", ("kennw",), "ort", "Mein Kennwort ist {password}", "Das Kennwort ist im Tresor"),
    ("password", ("wachtw",), "oord(?:en)?", "het wachtwoord van db is {password}", "het wachtwoord staat in de kluis"),
    ("password", ("senha",), "(?<![a-z]senha)s?(?![a-z])", "a senha: {password}", "a senha fica no cofre"),
    (
        "password",
        ("mot de passe", "mots de passe"),
        "",
        "le mot de passe de la base est {password}",
        "le mot de passe est long",
    ),
    (
        "password",
        ("contrase",),
        "(?:n|ñ)as?(?![a-z])",
        "la contrasena es {password}",
        "la contrasena es larga",
    ),
    ("password", ("parola d'ordine",), "", "la parola d'ordine: {password}", "la parola d'ordine: nel caveau"),
    (
        "password",
        ("clave",),
        "(?<![a-z]clave)s?(?![a-z])",
        "la clave del wifi es {password}",
        "la clave es probar",
    ),
)
FOREIGN_LABELS: tuple[Rule, ...] = (
    (
        "password",
        word_tuple("hasło lösenord şifre пароль 密码 密碼 口令 パスワード 비밀번호"),
        "",
        "пароль: {password}",
        "пароль: хранится в сейфе",
    ),
    ("token", word_tuple("令牌 トークン 토큰 密钥 密鑰 токен"), "", "令牌：{alnum:32}", "令牌：保存在保险库里"),
)
# Headings of lists of codes that each open an account once. A list is read as long as its items look like codes.
CODES: tuple[Rule, ...] = (
    (
        "recovery-code",
        ("recovery", "backup", "scratch", "rescue", "emergency"),
        r"[ _-]?(?:codes?|keys?)(?![a-z])",
        "Recovery codes:\n{lower:5}-{lower:5}\n{lower:5}-{lower:5}",
        "The recovery codes are printed and kept in the safe",
    ),
    (
        "recovery-code",
        ("wiederherstellung", "notfall"),
        r"s?-?(?:codes?|schlüssel)(?![a-z])",
        "Wiederherstellungscodes:\n1. {digits:4} {digits:4}\n2. {digits:4} {digits:4}",
        "Die Wiederherstellungscodes liegen im Tresor",
    ),
    (
        "recovery-code",
        ("code de ", "codes de ", "códigos de ", "codigos de ", "codici di ", "herstelc"),
        r"(?:récupération|recuperation|secours|recuperación|recuperacion|recuperação|recupero|odes?)(?![a-z])",
        "Codes de secours : {digits:8}, {digits:8}",
        "Les codes de secours sont dans le coffre",
    ),
)
# Places where every value is a secret, whatever its name.
SECTIONS: tuple[Rule, ...] = (
    (
        "secret",
        ("kind: secret",),
        r"[ \t]*\n(?:[^\n]{0,200}+\n){0,25}?(?:stringdata|data):[ \t]*\n",
        "kind: Secret\nmetadata:\n  name: db\nstringData:\n  db: {password}\n",
        "kind: Secret\nmetadata:\n  name: db\ntype: Opaque\n",
    ),
    (
        "secret",
        ("[secrets", "[credentials", "[passwords"),
        r"[\w.-]{0,40}+\][ \t]*\n",
        "[secrets]\ndb = '{password}'\n",
        "[secrets]\nbackend = 'vault'\n",
    ),
    (
        "password",
        ("password]", "secret]", "token]"),
        # Not the name of a secret that was hidden before.
        r"(?<!redacted:password\])(?<!redacted:secret\])(?<!redacted:token\])[ \t]*\n",
        "[db.password]\nvalue = '{password}'\n",
        "[db.password]\nlength = 12\nsource = 'vault'\n",
    ),
)
# Common words that contain a label but are not one. The rule of the label would not match them.
HARMLESS = {
    "pass": word_tuple("passed passes passing passive passage passenger bypass compass surpass"),
    "key": word_tuple("keyboard keyword keyerror monkey turkey hotkey keystroke"),
    "token": word_tuple("tokenize tokenise tokeniza tokenisa"),
    "cred": word_tuple("credit incredib sacred accredit"),
}
# Words near which a sentence may state a secret that is a word or a phrase, each with what must follow it; words near
# which one may state a number; and words of languages that put words together, or have no spaces.
CUES = {
    **dict.fromkeys(
        word_tuple(
            "password passphrase passcode passwd pass pw pwd mdp passe phrase seed login creds credentials "
            "credenciales identifiants logon unlock unlocks decrypt decrypts encrypted sudo wifi wlan hotspot zip "
            "vault passwort kennwort wachtwoord contraseña contrasena senha parola clave frase zugang zugangsdaten "
            "losungswort heslo hasło lösenordet adgangskoden salasana şifre şifresi acceso wi asks asking nags"
        ),
        "",
    ),
    **dict.fromkeys(("log", "logs", "sign"), " in"),
    "security": " question",
    "recovery": " words",
    "secret": " is",
    "opens": " with",
    "chose": "",
    "prompt": ", ",
}
NUMBER_CUES = frozenset(
    word_tuple(
        "pin pins puk code codes digicode otp totp 2fa combination keypad pairing pair geheimzahl código codigo "
        "türcode authenticator sim badge locked alarm unlock safe gate"
    )
)
JOINED_CUES = ("asswort", "kennwort")
FOREIGN_CUES = word_tuple(
    "парол пасс пин логин доступ код фраз 密码 密碼 口令 pin码 pin碼 账号 帐号 登录 暗号 合言葉 パス 暗証番号 "
    "ログイン 비밀번호 암호 로그인 pwは"
)
# Labels that may come last, as in "hunter2 is the password".
LAST = word_tuple("password passphrase passwort token secret key")
