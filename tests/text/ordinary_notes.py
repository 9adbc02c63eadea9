"""Text that talks about secrets, or looks like one, and holds none: what must come through untouched.

Notes are what an agent writes down while working; the more trigger words the better. Look-alikes are the random
strings of daily work: digests, identifiers, versions, placeholders. They are drawn at run time, because some of them
would make this file look like a leak.
"""

from __future__ import annotations

import base64
import string
import uuid
from collections.abc import Iterator
from random import Random

__all__ = ["digests", "look_alikes", "notes"]

WRITTEN = """
rotate the API token every 90 days
password hashing uses argon2
password hashing uses argon2id with m=65536, t=3, p=4
the token is stored in the keyring
the token bucket refills at 10 requests per second
password=None means that the user signs in with SSO
set secret: true on the field so that it is masked in the log
max_tokens=4096 and temperature=0.2
the password field must have at least 12 characters
password: str | None = None
token: str
api_key: Optional[str] = None
def check_password(self, password: str) -> bool:
if token == expected_token:
token = request.headers["Authorization"]
token = os.environ["GITHUB_TOKEN"]
const apiKey = process.env.STRIPE_API_KEY;
password = getpass.getpass("Password: ")
secret = hvac.Client().secrets.kv.read_secret("db")
password=${DB_PASSWORD}
PASSWORD=$PASSWORD docker compose up
Authorization: Bearer $TOKEN
Authorization: Bearer <your-token>
Authorization: Bearer ${ACCESS_TOKEN}
curl -H "Authorization: Bearer $GITHUB_TOKEN" https://api.github.com/user
curl -u "$USER:$PASSWORD" https://acme.io
mysql -u root -p shop prompts for the password
mysql -h db -P 3306 -u root -p
docker run -p 8080:80 nginx
docker login ghcr.io -u ci --password-stdin
ssh -p 2222 deploy@10.0.0.4
psql -h localhost -p 5432 -U app
kubectl create secret generic db --from-literal=password=$DB_PASSWORD
kubectl get secret db-credentials -o yaml
apiVersion: v1, kind: Secret, metadata.name: db-credentials
valueFrom: secretKeyRef: name: db-credentials, key: password
env: - name: DB_PASSWORD valueFrom: secretKeyRef
password: {{ vault_db_password }}
token: {{ lookup("env", "TOKEN") }}
api_key: "<YOUR_API_KEY>"
api_key = "YOUR_API_KEY"
API_KEY=your-api-key-here
API_KEY=xxxxxxxxxxxxxxxx
password: "********"
DB_PASSWORD=changeme
SECRET_KEY=<generate one with openssl rand -hex 32>
set OPENAI_API_KEY before running the eval
missing OPENAI_API_KEY in the environment of the worker
ANTHROPIC_API_KEY is read once, at start
the secret is mounted at /run/secrets/db_password
secrets live in 1Password, item op://prod/db/password
token: op://ci/github/token
password_file: /etc/app/password.txt
ssl_key = /etc/ssl/private/server.key
private_key_path = ~/.ssh/id_ed25519
--private-key ~/.ssh/id_rsa
key: value
the primary key is (user_id, created_at)
foreign key constraint fails on orders.customer_id
partition key: tenant_id#2024-05
cache key = f"user:{user_id}:v3"
cache_key: user_profile_v2_12345
idempotency key: order-2024-000123
the sort key is reversed, newest first
key: app-k8s.yml, path: app-k8s.yml
keyboard shortcut Ctrl+K opens the search
keypress handlers are debounced
keyspace events need notify-keyspace-events KEA
the monkey patch in conftest.py must go
tokens are counted with cl100k_base
token count: 8192
tokens: 128000, output: 4096
token limit is 200k for claude-3-5-sonnet-20241022
prompt_tokens=1532 completion_tokens=87 total_tokens=1619
tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
the tokenizer splits camelCase identifiers
special token: <|endoftext|>
pad_token = "[PAD]"
pad_token_id=50256
the lexer emits Token.Keyword for async
token type: IDENTIFIER
next_page_token is empty on the last page
page token: eyJvZmZzZXQiOjIwfQ==
continuation token = 42
csrf token missing or incorrect
the CSRF token is checked by middleware
CancellationToken token = default
cancellationToken: CancellationToken.None
access token lifetime is 15m, refresh token 30d
access_token_url = "https://auth.acme.io/oauth/token"
token_endpoint: https://auth.acme.io/oauth2/v2.0/token
token_type: Bearer
grant_type=client_credentials
scope: openid profile email
the bearer token is validated by the gateway
Bearer authentication is required for /v2
bearer tokens must not appear in logs
basic authentication is disabled in production
Basic auth is fine for the metrics endpoint
basic understanding of the retry policy is enough
Authorization header is stripped on redirect
authorization: required for admin routes
authorization code flow with PKCE (S256)
WWW-Authenticate: Basic realm="acme"
Cookie: theme=dark; lang=en
Set-Cookie: locale=en-US; Path=/; Secure
the session cookie has SameSite=Lax
cookie: session cookies expire after 30 minutes
cookies are cleared on logout
sessions are kept in Redis with a TTL of 3600s
login with the admin account, then open Settings
login alice fails when the password contains a colon
machine login is disabled on that host
default login shell is zsh
PASS: test_login_with_token (0.02s)
PASS src/auth/__tests__/token2Refresh.test.ts
PASSED tests/test_auth.py::test_password_reset_v2
12 passed, 1 failed: test_token_expiry
the first pass: 120ms, second pass: 80ms
pass `timeout=30` to the client
pass --no-cache to pip
bypass=1 skips the cache
compass: north is up
passthrough mode keeps headers
passkeys replace passwords for staff
the passphrase prompt blocks CI
passwords are hashed with bcrypt, cost 12
password reset mails are sent by worker-2
Password must contain 1 digit and 1 symbol
"password": "Passwort"
"password": "Must be at least 8 characters long"
"token": "Jeton"
label_password = "Enter your password"
type="password" name="password" id="password"
<input type="password" placeholder="Password">
<label for="password">Password</label>
password_hash = "$2b$12$" + salt + digest
password_hash VARCHAR(255) NOT NULL
ALTER TABLE users ADD COLUMN password_hash text
users.password is legacy, use users.password_hash
SELECT id, password FROM users WHERE email = ?
password == confirm_password
validate(password, confirmPassword)
login(username=username, password=password)
connect(user=settings.user, password=settings.password)
self.password = password
this.token = token
token=self.token
secret=config.secret
client_secret=settings.oauth_client_secret
password: config.db.password
const { token, secret } = useAuth()
import { tokenStore } from "./tokenStore"
from limpet.secrets.redact import redact
secrets.token_hex(32) makes a key of 64 characters
openssl rand -base64 32 > secret.key
ssh-keygen -t ed25519 -C ci
gpg --list-secret-keys --keyid-format long
gh auth token prints the token
gh secret set NPM_TOKEN
vault kv get secret/data/app
vault login -method=oidc
aws sts get-session-token --duration-seconds 3600
aws secretsmanager get-secret-value --secret-id prod/db
arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf
gcloud auth print-access-token
az keyvault secret show --name db --vault-name kv-prod
sops -d secrets.enc.yaml
age-keygen -o key.txt writes the identity
the age public key goes to .sops.yaml
git-crypt unlock needs the GPG key
git secret reveal -f
detect-secrets scan > .secrets.baseline
gitleaks detect --no-git finds 74 % of them
add a pre-commit hook that looks for private keys
files that start with -----BEGIN PRIVATE KEY----- are refused
the PEM header BEGIN RSA PRIVATE KEY is matched case-sensitively
-----BEGIN PRIVATE KEY-----\\n...\\n-----END PRIVATE KEY-----
id_rsa.pub may be committed, id_rsa may not
jwt.decode(token, key, algorithms=["HS256"])
JWTs are signed with RS256; keys rotate weekly
the JWT has three parts: header.payload.signature
eyJ is how every JSON web token starts
sk- is the prefix of OpenAI keys, ghp_ that of GitHub tokens
AKIA marks an AWS access key id
a GitHub token is 40 characters: ghp_ and 36 more
redact ghp_*** and sk-... in the transcript
masked as sk-ant-***
the key ends with ...f3Qz
key ID 4AEE18F83AFDEB23 is GitHub's web-flow key
KMS key id: mrk-1234abcd12ab34cd56ef1234567890ab
kms_key_id = aws_kms_key.main.arn
key_name = "prod-cmk-2024"
key_vault_name: kv-prod-weu-001
credentialsId: 'github-app'
credentials: include
withCredentials: true
credentials are cached for 12h
fetch(url, { credentials: "same-origin" })
GOOGLE_APPLICATION_CREDENTIALS=/etc/gcp/sa.json
AWS_PROFILE=prod AWS_REGION=eu-central-1
connection string is in appsettings.Production.json
Server=localhost;Database=app;Trusted_Connection=True
postgres://localhost:5432/app
postgresql://app@localhost/app
postgres://user:password@localhost:5432/db
postgres://postgres:postgres@localhost:5432/test
redis://localhost:6379/0
amqp://guest:guest@localhost:5672/
mongodb://localhost:27017/?replicaSet=rs0
mysql://root@127.0.0.1:3306/shop
http://localhost:8080/@vite/client
https://unpkg.com/react@18.2.0/umd/react.production.min.js
https://github.com/acme/app/pull/1234#discussion_r1234567890
https://medium.com/@someone/token-buckets-explained-4f3b2a1c9d8e
git@github.com:acme/app.git
ssh://git@github.com:22/acme/app.git
npm install left-pad@1.3.0
pip install "requests>=2.31,<3"
docker pull ghcr.io/acme/app:v1.2.3
image: registry.acme.io/app:2024-05-01-3f2a1b0
localhost:5432:5432 is the port mapping
127.0.0.1:5432:5432
ports: - "5432:5432"
seed: 42
random seed is 1234
seed: the database is filled with demo data before every test run of the suite
hash(password) must be constant time
the hash of the token is stored, never the token
secret scanning is on for all repositories
the secret name is db-password-v2
secretName: tls-acme-io
secret_name = "prod/app/db"
secret length is 32 bytes
the client secret expires in 24 months
shared secret, public salt
the shared secret is derived with X25519
HMAC key size is 256 bits
key size: 4096
key length = 32
KeySize = 2048
encryption_key_version: 3
encryption key rotation is done by KMS every 365 days
the signing key is an Ed25519 key
signing key: ed25519
the public key is ssh-ed25519
host key verification failed
deploy key has write access
license key is checked at start
license: MIT
API key auth is gone since v3
api key header name: X-Api-Key
X-Api-Key: <key>
x-api-key: $API_KEY
--token "$TOKEN"
--token-file /run/token
--password-file=/run/secrets/pw
--api-key-env OPENAI_API_KEY
--secret-id prod/db
--key value pairs are parsed by argparse
-k keyword filters tests
pwd prints the working directory
cd "$(pwd)" && make
PWD=/home/dev/shop
OLDPWD is restored
creds are injected by the sidecar
the pw argument is deprecated
密码长度至少为 12 位
密码是必填项
令牌每 90 天轮换一次
パスワードはハッシュ化して保存する
Passwort vergessen führt auf die alte Seite
mot de passe oublié renvoie vers /reset
contraseña incorrecta devuelve 401
пароль хранится в keyring
password rules: min12chars, one digit
the password manager is Bitwarden
token introspection is cached for 60s
token-based pagination replaced offset
token ring is history
secretary: Ms. Jones is a test fixture
secret santa script in tools/
Keycloak realm: acme, client: web
key pair is generated in the HSM
keyring backend: SecretService
keyring.get_password("limpet", "llm")
key: string; value: unknown
Record<string, string> with key: "a" | "b"
map[key] = value
{ "key": "theme", "value": "dark" }
{"name": "password", "type": "string", "format": "password"}
<entry key="jetbrains.mps.v8_elimination" value="executed" />
<add key="Environment" value="Production" />
@Value("${spring.datasource.password}")
spring.datasource.password=${DB_PASSWORD}
password = "password"
password="secret" in the fixture
TOKEN = "token"
SECRET = "secret"
token: null
secret: undefined
password: ""
password: ''
password = true
api_key: false
GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}
NPM_TOKEN: ${{ secrets.NPM_TOKEN }}
token: !Ref GithubToken
SecretString: !Sub '{{resolve:secretsmanager:prod}}'
password: ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]
GITHUB_API_KEY=
DYNATRACE_API_KEY=
PuttyPassword=0
password combination. R5: Regulatory--21
LLM_SECRET_NAME = "NEXUS-GPT4-API-KEY"
KeyPair = X25519.KeyPair
key_length = XSalsa20.key_length
COMMUNICATION_API_VERSION=rc0.13.0_20230412_0712-SNAPSHOT
the retry budget is 3 attempts with 200ms jitter
use WAL mode, busy_timeout=5000
SQLite FTS5 needs the porter tokenizer
users want dark mode; prefers-color-scheme is enough
the build uses Node 20.11.1 and pnpm 9
we deploy on Tuesdays, never on Fridays
tests/conftest.py sets TZ=UTC
pytest -k token -x --lf
ruff check --select E,F,W,I,B,UP
mypy --strict src tests benchmarks
TypeError: can't compare offset-naive and offset-aware datetimes
E501 line too long (131 > 120 characters)
HTTP 429: Retry-After: 30
p95 latency went from 180ms to 95ms after the index
CVE-2024-3094 affects xz 5.6.0 and 5.6.1
RFC 7519 defines JWT, RFC 6749 OAuth 2.0
UTF-8 BOM at the start of the CSV breaks the import
the flag --experimental-strip-types came in v22.6.0
rename getUserByIdV2 to fetch_user
class AbstractSingletonProxyFactoryBean2024
com.acme.auth.tokens.RefreshTokenServiceImpl
src/main/java/com/acme/auth/TokenFilter.java:112
node_modules/.pnpm/react-dom@18.2.0_react@18.2.0/node_modules
crypto.constants.RSA_PKCS1_PSS_PADDING
python3.11-slim-bookworm
x86_64-unknown-linux-gnu
us-east-1a and eu-central-1b
2024-05-01T12:34:56.789Z
""".strip().splitlines()

SUBJECTS = (
    "the password reset flow", "the API token", "the refresh token", "the secret store", "the signing key",
    "the session key cache", "the auth header", "password hashing", "token validation", "the client secret",
    "the webhook secret", "the encryption key", "the credential helper", "the access key rotation", "the login form",
    "the private key loader", "the hash of the lockfile", "the key derivation", "the token bucket", "the vault agent",
)  # fmt: skip
PREDICATES = (
    "is covered by tests/test_auth_v2.py", "was moved to src/auth/tokens.ts in PR #4821", "is slow on Python 3.12",
    "must never be logged", "now uses scrypt with N=16384", "takes 250ms at p99", "is owned by team platform-2",
    "breaks when LANG=C.UTF-8", "is configured in config/prod.yaml", "depends on openssl 3.0.13",
    "is documented in docs/how-to/auth.md", "returns 401 instead of 403", "needs a retry after 30s",
    "was removed in v2.14.0", "should be 32 bytes long", "is read from the environment", "expires after 90 days",
    "is checked twice: at start and on reload", "uses HS256 by default", "lives in the us-west-2 account",
)  # fmt: skip


def notes() -> Iterator[str]:
    """Sentences and lines as an agent writes them down."""
    yield from WRITTEN
    for i, subject in enumerate(SUBJECTS):
        for j, predicate in enumerate(PREDICATES):
            yield f"{subject} {predicate}" + ("", ".", "; see the log", " (decided)")[(i + j) % 4]


def digests(seed: int) -> Iterator[str]:
    """Digests, commits and identifiers in the lines where they stand: none of them may ever be touched."""
    rng = Random(seed)
    for _ in range(12):
        sha1, sha256, md5 = rng.randbytes(20).hex(), rng.randbytes(32).hex(), rng.randbytes(16).hex()
        sri = base64.b64encode(rng.randbytes(64)).decode()
        short = base64.b64encode(rng.randbytes(32)).decode()
        ident = uuid.UUID(bytes=rng.randbytes(16), version=4)
        yield f"commit {sha1}"
        yield f"fixed in {sha1[:12]}, the token test passes again"
        yield f"git checkout {sha1} && make"
        yield f"{sha256}  dist/app.tar.gz"
        yield f"sha256:{sha256}"
        yield f"FROM python:3.11@sha256:{sha256}"
        yield f'checksum = "{sha256}"'
        yield f'"integrity": "sha512-{sri}"'
        yield f"golang.org/x/oauth2 v0.15.0 h1:{short}"
        yield f"md5={md5}; token refresh unchanged"
        yield f'etag: "{md5}"'
        yield f"request id {ident}"
        yield f"session {ident} ended"
        yield f"trace_id={md5} span_id={md5[:16]}"
        yield f"user {ident} has no password"
        yield f"SHA256:{short[:43]} host key fingerprint"
        yield f"the key {sha1} is in the cache"
        yield f"secret scanning flagged {sha1[:8]}..{sha1[8:16]}"
        yield f"blob {sha1} 1234 password.py"
        yield f"--hash=sha256:{sha256} \\"


def look_alikes(seed: int) -> Iterator[str]:
    """Random or coded strings that are no secret."""
    rng = Random(seed)
    crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

    def pick(alphabet: str, count: int) -> str:
        return "".join(rng.choices(alphabet, k=count))

    alnum = string.ascii_letters + string.digits
    for _ in range(12):
        ulid = "01" + pick(crockford, 24)
        hexes = rng.randbytes(24).hex()
        yield f"memory {ulid} supersedes 01{pick(crockford, 24)}"
        yield f"mem_{ulid.lower()}"
        yield f"customer cus_{pick(alnum, 14)} paid pi_{pick(alnum, 24)}"
        yield f"request_id: req_{pick(alnum, 24)}"
        yield f"tool_use_id toolu_01{pick(alnum, 22)}"
        yield f"i-0{hexes[:16]} in vpc-0{hexes[16:32]}"
        yield f"ObjectId({hexes[:24]!r})"
        yield f"pod api-{hexes[:10]}-{pick('bcdfghjklmnpqrstvwxz2456789', 5)} restarted"
        yield f"/nix/store/{pick('0123456789abcdfghijklmnpqrsvwxyz', 32)}-python3-3.11.7"
        yield f"https://docs.google.com/document/d/1{pick(alnum + '_-', 43)}/edit"
        yield f"https://www.youtube.com/watch?v={pick(alnum + '_-', 11)}"
        yield f"static/js/main.{hexes[:8]}.chunk.js"
        yield f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{pick(alnum + '+/', 43)} alice@laptop"
        yield f'public_key = "{pick(alnum, 43)}"'
        yield f"0x{hexes[:40]}"
        yield f"Version {rng.randint(1, 9)}.{rng.randint(0, 20)}.0-rc.{rng.randint(1, 9)}+build.{hexes[:7]}"
        yield f"data:image/png;base64,{base64.b64encode(rng.randbytes(90)).decode()}"
        yield f"kind=token id={rng.randint(10**8, 10**9)}"
        yield f"backup-{rng.randint(2019, 2026)}-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}T0300-{hexes[:6]}.tar.zst"
