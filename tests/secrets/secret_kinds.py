"""Fake secrets by kind, drawn at random and set in the sentences, files and commands where real ones leak.

Every value is random and every vendor prefix is put together at run time, so that this file holds nothing a scanner
could take for a real secret. The value is known exactly, so a test can look for it in what comes out.
"""

from __future__ import annotations

import base64
import json
import string
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

__all__ = ["KNOWN", "UNSEEN", "Fake", "fakes"]

LOWER, UPPER, DIGIT = string.ascii_lowercase, string.ascii_uppercase, string.digits
ALNUM, HEX, BASE32 = LOWER + UPPER + DIGIT, "0123456789abcdef", UPPER + "234567"
URLSAFE, BASE64 = ALNUM + "-_", ALNUM + "+/"
HOSTS = ("db.internal", "10.0.4.17", "localhost", "cache-3.prod.svc", "mail.acme.io")
USERS = ("admin", "deploy", "svc_app", "alice", "root")


class Fake(NamedTuple):
    kind: str
    value: str
    text: str


def _pick(rng: Random, alphabet: str, least: int, most: int = 0) -> str:
    return "".join(rng.choices(alphabet, k=rng.randint(least, most or least)))


def _token(*prefix: str, alphabet: str = ALNUM, least: int = 36, most: int = 0) -> Callable[[Random], str]:
    return lambda rng: "".join(prefix) + _pick(rng, alphabet, least, most)


def _one_of(*makers: Callable[[Random], str]) -> Callable[[Random], str]:
    return lambda rng: rng.choice(makers)(rng)


def _password(rng: Random) -> str:
    """As people and generators write them: letters, a digit, often a mark."""
    word = "".join(rng.choice("bcdfghklmnprstvz") + rng.choice("aeiou") for _ in range(rng.randint(2, 4)))
    match rng.randrange(4):
        case 0:
            return word.capitalize() + _pick(rng, DIGIT, 2, 4) + rng.choice("!#%*?")
        case 1:
            return word + _pick(rng, DIGIT, 1, 3) + _pick(rng, UPPER + LOWER, 2, 3) + rng.choice("!$&")
        case 2:
            return _pick(rng, UPPER, 2) + _pick(rng, ALNUM, 8, 14) + _pick(rng, DIGIT, 2)
        case _:
            return _pick(rng, ALNUM, 4, 6) + rng.choice("!@#%^*_-+") + _pick(rng, ALNUM, 5, 8) + rng.choice(DIGIT)


def _url_password(rng: Random) -> str:
    return _pick(rng, ALNUM + "-_.!~*", 10, 20) + rng.choice(DIGIT)


def _jwt(rng: Random) -> str:
    def part(claims: dict[str, object]) -> str:
        return base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")

    head = part({"alg": rng.choice(("HS256", "RS256", "ES384")), "typ": "JWT"})
    body = part({"sub": _pick(rng, DIGIT, 8), "exp": rng.randrange(10**9), "role": rng.choice(USERS)})
    return f"{head}.{body}.{_pick(rng, URLSAFE, 43, 86)}"


def _pem(rng: Random) -> str:
    label = rng.choice(("RSA ", "EC ", "", "OPENSSH ", "ENCRYPTED ", "DSA ")) + "PRIVATE " + "KEY"
    lines = [_pick(rng, BASE64, 64) for _ in range(rng.randint(3, 20))]
    lines.append(_pick(rng, BASE64, 10, 60) + rng.choice(("", "=", "==")))
    dashes = "-" * 5
    text = f"{dashes}BEGIN {label}{dashes}\n" + "\n".join(lines)
    match rng.randrange(4):
        case 0:
            return text  # the end was cut off
        case 1:
            return f"{text}\n{dashes}END {label}{dashes}".replace("\n", "\\n")
        case _:
            return f"{text}\n{dashes}END {label}{dashes}"


def _pgp(rng: Random) -> str:
    lines = [_pick(rng, BASE64, 64) for _ in range(rng.randint(4, 12))]
    dashes, name = "-" * 5, "PGP PRIVATE " + "KEY BLOCK"
    head = rng.choice(("", "Version: GnuPG v2\n", "Comment: exported\n"))
    body = "\n".join(lines)
    return f"{dashes}BEGIN {name}{dashes}\n{head}\n{body}\n={_pick(rng, BASE64, 4)}\n{dashes}END {name}{dashes}"


def _discord(rng: Random) -> str:
    first = base64.b64encode(_pick(rng, DIGIT, 18).encode()).decode()
    return f"{first}.{_pick(rng, URLSAFE, 6)}.{_pick(rng, URLSAFE, 27, 38)}"


def _basic(rng: Random) -> str:
    return base64.b64encode(f"{rng.choice(USERS)}:{_password(rng)}".encode()).decode()


def _uuid(rng: Random) -> str:
    return "-".join(_pick(rng, HEX, n) for n in (8, 4, 4, 4, 12))


TOKEN_TEXTS = (
    "TOKEN={}",
    'export {NAME}_TOKEN="{}"',
    "the deploy uses {} for now",
    "I pasted {} into the settings page.",
    'client = Client("{}")',
    '{{"token": "{}", "retries": 3}}',
    '"env": {{\\"{NAME}_KEY\\": \\"{}\\"}}',
    "auth:\n  {name}_token: {}\n  timeout: 30",
    "curl -H 'Authorization: Bearer {}' https://api.acme.io/v1/items",
    "error: 401 for key {}, see the log",
    "令牌是{}，请不要泄露",
    "- set `{}` in CI\n- rerun",
    "git clone https://x-access-token:{}@git.acme.io/team/app.git",
    "https://api.acme.io/v1/items?access_token={}&page=2",
    "(old key: {})",
    "step 1\\nKEY={}\\nstep 2",
    "[{}]",
    "{name}.token={};debug=1",
)
PASSWORD_TEXTS = (
    "the password is {}",
    "The password for the staging database is {}.",
    "DB_PASSWORD={}",
    "export PGPASSWORD='{}'",
    'password = "{}"',
    "password: {}",
    "spring.datasource.password={}",
    '{{"user": "alice", "password": "{}"}}',
    '{{\\"passwd\\": \\"{}\\"}}',
    "login with user admin and password {}",
    "connect(host, user='alice', password='{}')",
    "<password>{}</password>",
    "root pwd: {}\nthen reboot",
    "I changed the admin password to {} yesterday",
    "mydb --password={} --host db",
    "mydb --user x --password {} --host db",
    "ADMIN_PASS: '{}'",
    "パスワードは {} です",
    "der Login ist alice, das Passwort ist {}",
    'const dbPassword = "{}";',
    "passphrase: `{}`",
    "- name: MYSQL_ROOT_PASSWORD\n  value: {}",
    '<add key="SmtpPassword" value="{}" />',
)
SECRET_TEXTS = (
    "{NAME}_SECRET={}",
    "client_secret: {}",
    '"clientSecret": "{}"',
    "{NAME}_API_KEY='{}'",
    "api_key = {}",
    "the {name} api key is {}",
    "secret key {} was rotated",
    'headers = {{"X-Api-Key": "{}"}}',
    "--api-key {} --verbose",
    "x-api-key: {}",
    "{name}:\n    secret: {}\n",
    "apiKey: '{}',",
    '{{\\"secret_key\\": \\"{}\\", \\"id\\": 4}}',
    "https://api.acme.io/v2?api_key={}&q=1",
    'os.environ["{NAME}_SECRET_KEY"] = "{}"',
    "set {NAME}_ACCESS_TOKEN to {} in the pipeline",
)

Kind = tuple[Callable[[Random], str], tuple[str, ...]]
KNOWN: dict[str, Kind] = {
    "aws access key": (_token("AK", "IA", alphabet=BASE32, least=16), (*TOKEN_TEXTS, "aws_access_key_id = {}")),
    "aws secret key": (
        _token(alphabet=BASE64, least=40),
        (
            "aws_secret_access_key = {}",
            "AWS_SECRET_ACCESS_KEY={}",
            '"SecretAccessKey": "{}",',
            "secret access key: {}",
            "export AWS_SECRET_ACCESS_KEY='{}'",
            "aws configure set aws_secret_access_key {}",
        ),
    ),
    "gcp api key": (_token("AI", "za", alphabet=URLSAFE, least=35), (*TOKEN_TEXTS, "https://maps.acme.io/js?key={}")),
    "gcp service account": (
        lambda rng: _pem(rng).replace("\\n", "\n").replace("\n", "\\n"),
        ('{{"type": "service_account", "private_key": "{}\\n"}}', 'GOOGLE_CREDENTIALS=\'{{"private_key":"{}"}}\''),
    ),
    "azure storage": (
        lambda rng: base64.b64encode(rng.randbytes(64)).decode(),
        (
            "DefaultEndpointsProtocol=https;AccountName=app;AccountKey={};EndpointSuffix=core.windows.net",
            "AZURE_STORAGE_KEY={}",
            "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=root;SharedAccessKey={}",
        ),
    ),
    "azure client secret": (
        lambda rng: _pick(rng, ALNUM, 3) + rng.choice(DIGIT) + "Q" + "~" + _pick(rng, ALNUM + "_.~", 31) + "aB3",
        (*TOKEN_TEXTS, *SECRET_TEXTS),
    ),
    "github": (
        _one_of(*(_token("gh", f"{c}_") for c in "pousr"), _token("github", "_pat_", alphabet=ALNUM + "_", least=82)),
        TOKEN_TEXTS,
    ),
    "gitlab": (_token("gl", "pat-", alphabet=URLSAFE, least=20), TOKEN_TEXTS),
    "npm": (_one_of(_token("np", "m_")), (*TOKEN_TEXTS, "//registry.npmjs.org/:_authToken={}")),
    "pypi": (_token("py", "pi-AgEIcHlwaS5vcmc", alphabet=URLSAFE, least=70, most=100), TOKEN_TEXTS),
    "slack": (
        lambda rng: f"xo{rng.choice(('xb', 'xp', 'xa', 'xs'))}-{_pick(rng, DIGIT, 12)}-{_pick(rng, ALNUM, 24)}",
        TOKEN_TEXTS,
    ),
    "slack webhook": (
        lambda rng: f"T{_pick(rng, UPPER + DIGIT, 8)}/B{_pick(rng, UPPER + DIGIT, 8)}/{_pick(rng, ALNUM, 24)}",
        ("https://hooks.slack.com/services/{}", 'url: "https://hooks.slack.com/services/{}"'),
    ),
    "discord": (_discord, (*TOKEN_TEXTS, "bot.run('{}')")),
    "discord webhook": (
        lambda rng: f"{_pick(rng, DIGIT, 18)}/{_pick(rng, URLSAFE, 68)}",
        ("https://discord.com/api/webhooks/{}", "posts to https://discord.com/api/webhooks/{} on failure"),
    ),
    "telegram": (
        lambda rng: f"{rng.randint(10**8, 10**10 - 1)}:AA{_pick(rng, URLSAFE, 33)}",
        ("bot token {}", "TELEGRAM_TOKEN={}", "https://api.telegram.org/bot{}/getMe", '"token": "{}"', "use {} here"),
    ),
    "stripe": (
        _one_of(*(_token(f"{p}_", f"{m}_", least=24, most=99) for p in ("sk", "rk") for m in ("live", "test"))),
        TOKEN_TEXTS,
    ),
    "twilio": (_token("S", "K", alphabet=HEX, least=32), TOKEN_TEXTS),
    "sendgrid": (
        lambda rng: "S" + f"G.{_pick(rng, URLSAFE, 22)}.{_pick(rng, URLSAFE, 43)}",
        TOKEN_TEXTS,
    ),
    "openai": (
        _one_of(_token("sk", "-", least=48), _token("sk", "-proj-", alphabet=URLSAFE, least=80, most=150)),
        TOKEN_TEXTS,
    ),
    "anthropic": (_token("sk", "-ant-", "api03-", alphabet=URLSAFE, least=93), TOKEN_TEXTS),
    "hugging face": (_token("h", "f_", least=34), TOKEN_TEXTS),
    "digitalocean": (_token("do", "p_v1_", alphabet=HEX, least=64), TOKEN_TEXTS),
    "vault": (_token("hv", "s.", alphabet=URLSAFE, least=90), TOKEN_TEXTS),
    "shopify": (_token("shp", "at_", alphabet=HEX, least=32), TOKEN_TEXTS),
    "age": (_token("AGE-", "SECRET-", "KEY-1", alphabet=UPPER + DIGIT, least=58), TOKEN_TEXTS),
    "jwt": (_jwt, TOKEN_TEXTS),
    "private key": (_pem, ("{}", "here is the key:\n{}\n", '"key": "{}"', "cat id_rsa\n{}\n$ ", "KEY='{}'")),
    "pgp key": (_pgp, ("{}", "gpg --export-secret-keys\n{}\ndone")),
    "putty key": (
        lambda rng: "\n".join(_pick(rng, BASE64, 64) for _ in range(5)),
        ("PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nPrivate-Lines: 5\n{}\nPrivate-MAC: 00",),
    ),
    "url password": (
        _url_password,
        (
            "postgres://alice:{}@db.internal:5432/app",
            "DATABASE_URL=mysql://root:{}@localhost/shop",
            "redis://:{}@cache-3:6379/0",
            "mongodb+srv://svc:{}@cluster0.acme.io/?retryWrites=true",
            '"amqp://guest:{}@mq.internal:5672/%2f"',
            "clone https://alice:{}@git.acme.io/app.git first",
            "数据库 postgresql://app:{}@10.0.0.5/x 已迁移",
            "smtp://mailer:{}@mail.acme.io:587",
        ),
    ),
    "authorization": (
        _one_of(_token(least=24, most=60), _token(alphabet=URLSAFE, least=40)),
        (
            "Authorization: Bearer {}",
            'headers = {{"Authorization": "Bearer {}"}}',
            "curl -H 'Authorization: token {}' https://git.acme.io/api",
            'requests.get(url, headers={{\\"Authorization\\": \\"Bearer {}\\"}})',
            "sent Authorization: Bearer {}, got 403",
        ),
    ),
    "basic auth": (_basic, ("Authorization: Basic {}", '"Authorization": "Basic {}"', "-H 'Authorization: Basic {}'")),
    "cookie": (
        _one_of(_token(least=26, most=40), _token(alphabet=HEX, least=32)),
        (
            "Cookie: theme=dark; sessionid={}; lang=en",
            "Set-Cookie: connect.sid={}; Path=/; HttpOnly",
            "curl -H 'Cookie: session={}' https://acme.io",
            '"Cookie": "auth_token={}"',
        ),
    ),
    "connection string": (
        _password,
        (
            "Server=db.internal;Database=app;User Id=sa;Password={};Encrypt=true",
            "Data Source=sql;User ID=app;Pwd={};",
            "host=db user=app password={} dbname=x",
            "jdbc:postgresql://db/app?user=app&password={}",
        ),
    ),
    "netrc": (
        _password,
        (
            "machine git.acme.io login alice password {}",
            "machine api.acme.io\n  login svc\n  password {}\n",
            "default login alice password {}",
        ),
    ),
    "pgpass": (_url_password, ("db.internal:5432:app:alice:{}", "localhost:5432:*:postgres:{}\n")),
    "command line": (
        _password,
        (
            "curl -u alice:{} https://acme.io/api",
            "curl --user 'svc:{}' https://acme.io",
            "sshpass -p '{}' ssh root@10.0.0.4",
            "sshpass -p {} scp a b:",
            "mysql -u root -p{} shop",
            "mysqldump -h db -uapp -p'{}' shop > d.sql",
            "docker login -u ci -p {} registry.acme.io",
            "redis-cli -h cache -a {} ping",
            "PGPASSWORD={} psql -h db",
            "mongosh --username a --password {} db",
            "openssl rsa -in k.pem -passin pass:{}",
        ),
    ),
    "otpauth": (
        _token(alphabet=BASE32, least=16, most=32),
        ("otpauth://totp/acme:alice?secret={}&issuer=acme", "scan otpauth://hotp/x?issuer=a&secret={}"),
    ),
    "password": (_password, PASSWORD_TEXTS),
    "labelled secret": (
        _one_of(_token(least=20, most=48), _token(alphabet=HEX, least=32, most=64), _token(alphabet=URLSAFE, least=24)),
        SECRET_TEXTS,
    ),
}
# No rule knows these: what catches them is a label or their randomness.
UNSEEN: dict[str, Kind] = {
    "unknown prefix": (_token("zq", "k_", "live_", least=32), TOKEN_TEXTS),
    "unknown dashed": (_token("vor", "tex-", alphabet=URLSAFE, least=40), TOKEN_TEXTS),
    "hex app key": (_token(alphabet=HEX, least=32, most=40), SECRET_TEXTS),
    "uuid api key": (_uuid, SECRET_TEXTS[:2] + SECRET_TEXTS[3:6] + SECRET_TEXTS[7:14]),
    "base64 key": (lambda rng: base64.b64encode(rng.randbytes(rng.choice((24, 32, 48)))).decode(), SECRET_TEXTS),
    "bare random": (
        _token(least=36, most=64),
        ("use {} for the sandbox", "it answered once I sent {}", "`{}` works on staging", "key pair: a / {}"),
    ),
    "license key": (
        lambda rng: "-".join(_pick(rng, UPPER + DIGIT, 5) for _ in range(5)),
        ("license key: {}", "LICENSE_KEY={}", '"license_key": "{}"', "the license key is {}"),
    ),
    "chosen password": (
        _password,
        (
            "wifi password: {}",
            "my password was {} before the reset",
            "user bob, pass {}",
            "SMTP_PASS={}",
            "vpn passcode is {}",
            "contraseña: {}",
            "mot de passe : {}",
            "密码：{}",
            "пароль: {}",
            "pw={}",
            "admin_pw: '{}'",
            "sudo password = {}",
        ),
    ),
    "header": (
        _token(least=32),
        ("X-Acme-Token: {}", "X-Auth-Key: {}", '-H "PRIVATE-TOKEN: {}"', "x-functions-key: {}", "X-Service-Secret: {}"),
    ),
    "signed url": (
        lambda rng: base64.b64encode(rng.randbytes(32)).decode().replace("+", "%2B").replace("=", "%3D"),
        ("https://x.blob.core.windows.net/c/f?sv=2023&se=2024-01-01&sig={}", "…/f.zip?sp=r&sig={} expires soon"),
    ),
}


def fakes(kinds: dict[str, Kind], each: int, seed: int) -> Iterator[Fake]:
    """`each` fakes of every kind: the texts of a kind in turn, the values at random."""
    for kind, (make, texts) in kinds.items():
        rng = Random(f"{seed}/{kind}")
        order = rng.sample(texts, len(texts))
        for i in range(each):
            value = make(rng)
            name = rng.choice(("acme", "orbit", "mail", "billing", "ci"))
            filled = order[i % len(order)].replace("{NAME}", name.upper()).replace("{name}", name)
            text = filled.replace("{{", "{").replace("}}", "}").replace("{}", value)
            yield Fake(kind, value, text)
