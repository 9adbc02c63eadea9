"""Word lists about software projects: values that exclude each other, opposites, units, synonyms and technologies.

`read_value` and `stem` return what a word stands for, `is_name` and `is_adjective` what sort of word it is.
"""

from __future__ import annotations

from functools import lru_cache

from limpet.lean.pattern import lazy
from limpet.text.words import split_words, word_set

# Families of values of which a thing usually has one. Two statements about the same thing with different words of one
# family contradict each other.
_FAMILIES = """
weekday: monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays
  sunday sundays weekday weekdays weekend weekends
period: hourly daily nightly weekly monthly quarterly yearly
tests: pytest unittest nose nose2 tox nox jest vitest mocha jasmine ava junit testng rspec minitest phpunit
browser-tests: playwright cypress selenium puppeteer webdriverio testcafe
database: postgresql postgres mysql mariadb sqlite mongodb cockroachdb dynamodb oracle mssql cassandra couchdb
cache: redis memcached valkey keydb dragonfly
queue: rabbitmq kafka sqs nats celery rq sidekiq pulsar
packages: npm pnpm yarn bun pip poetry uv pipenv pdm conda cargo
indentation: tab tabs space spaces
quotes: single double
case: snake_case camelcase pascalcase kebab-case screaming_snake_case
merging: squash rebase merge
licence: mit apache-2.0 apache gpl gplv3 gpl-3.0 agpl agpl-3.0 bsd bsd-3-clause mpl mpl-2.0 isc lgpl
  unlicense proprietary
ci: gitlab circleci jenkins github-actions travis buildkite teamcity drone azure-pipelines
cloud: aws gcp azure heroku fly.io netlify vercel render digitalocean hetzner railway cloudflare
language: python typescript javascript rust go golang java kotlin swift ruby php c c++ c# scala elixir haskell dart zig
format: json yaml toml ini xml csv protobuf msgpack avro parquet flatbuffers
web: react vue svelte angular solidjs preact htmx
error-tracking: sentry glitchtip rollbar bugsnag
server: django flask fastapi starlette express koa fastify rails laravel spring gin actix axum
bundler: webpack vite rollup esbuild parcel turbopack
lint: eslint biome ruff flake8 pylint black prettier
spelling: british american
theme: dark light
transport: rest graphql grpc soap websocket websockets
auth: jwt cookies sessions oauth saml
http: requests httpx aiohttp urllib3 axios
orm: sqlalchemy prisma drizzle typeorm sequelize peewee hibernate
logging: loguru structlog winston pino log4j
state: redux zustand mobx pinia vuex
docs: sphinx mkdocs docusaurus vitepress
containers: docker podman
infrastructure: terraform pulumi cloudformation
types: mypy pyright
search: elasticsearch opensearch meilisearch algolia typesense
shell: bash zsh fish powershell
hash: bcrypt argon2 argon2id scrypt pbkdf2 md5 sha-1 sha-256 sha-512
numeric: integer integers float floats decimal decimals
ids: uuid uuids ulid ulids
tongue: english german french spanish italian dutch portuguese russian chinese japanese korean polish
"""
_ALIASES = {
    "postgres": "postgresql",
    "golang": "go",
    "gplv3": "gpl-3.0",
    "websockets": "websocket",
    "tab": "tabs",
    "integers": "integer",
    "floats": "float",
    "decimals": "decimal",
}

RIVALS: dict[str, tuple[str, str]] = {}
for _line in _FAMILIES.replace("\n  ", " ").strip().splitlines():
    _family, _, _members = _line.partition(": ")
    for _word in _members.split():
        _value = _ALIASES.get(_word, _word)
        if _family == "weekday":
            _value = _value.removesuffix("s")
        RIVALS[_word] = (_family, "spaces" if _word == "space" else _value)

# Families of which a project usually has only one value, so that "we use X" contradicts "we use Y". Of other families,
# such as languages, a project may have several.
EXCLUSIVE = frozenset({"packages", "indentation", "quotes", "case", "merging", "licence"})

# The language of each tool. Tools of different languages do not exclude each other, as npm and pip.
ECOSYSTEMS = {
    word: name
    for name, words in {
        "javascript": "npm pnpm yarn bun jest vitest mocha jasmine ava eslint biome prettier axios prisma drizzle "
        "typeorm sequelize winston pino express koa fastify",
        "python": "pip poetry uv pipenv pdm conda pytest unittest nose2 ruff flake8 pylint black django flask fastapi "
        "starlette requests httpx aiohttp urllib3 sqlalchemy peewee loguru structlog mypy pyright sphinx mkdocs",
        "java": "junit testng spring hibernate log4j",
        "ruby": "rspec minitest rails sidekiq",
        "php": "phpunit laravel",
        "rust": "cargo actix axum",
    }.items()
    for word in words.split()
}

# In each pair, the second word is the negation of the first.
OPPOSITES: dict[str, str] = {}
for _pair in (
    """
enable disable|enabled disabled|enables disables|allow forbid|allow prohibit|allow ban|allow disallow|allowed forbidden
allowed prohibited|allowed banned|allowed disallowed|required optional|public private
automatic manual|automatically manually|case-sensitive case-insensitive|sensitive insensitive|long short|lengthy brief
synchronous asynchronous|sync async|include exclude|included excluded|includes excludes|safe unsafe|stable unstable
mutable immutable|fast slow|verbose terse|verbose concise|formal informal|formal casual|possible impossible
valid invalid|true false|correct incorrect|correct wrong|like dislike|likes dislikes|likes hates|like hate
strict lenient|deterministic nondeterministic|deterministic non-deterministic|blocking non-blocking
""".replace("\n", "|")
    .strip("|")
    .split("|")
):
    _positive, _negative = _pair.split()
    OPPOSITES[_negative] = _positive

UNITS = {
    "ms": ("time", 1), "millisecond": ("time", 1), "s": ("time", 1000), "sec": ("time", 1000),
    "second": ("time", 1000), "m": ("time", 60_000), "min": ("time", 60_000), "minute": ("time", 60_000),
    "h": ("time", 3_600_000), "hour": ("time", 3_600_000), "day": ("time", 86_400_000), "d": ("time", 86_400_000),
    "week": ("time", 604_800_000), "month": ("time", 2_592_000_000),
    "year": ("time", 31_536_000_000), "kb": ("size", 1), "mb": ("size", 1_000), "gb": ("size", 1_000_000),
    "tb": ("size", 1_000_000_000), "%": ("share", 1), "percent": ("share", 1),
}  # fmt: skip

NUMERALS = {word: str(at) for at, word in enumerate(("zero", "one", "two", "three", "four", "five", "six"))}

# Stems that mean the same in software projects, with the stem that replaces them.
SYNONYMS = {
    "mandatori": "requir", "db": "databas", "repo": "repository", "repositori": "repository", "doc": "documentation",
    "prod": "production", "dev": "development", "env": "environment", "config": "configuration",
    "deps": "dependency", "dependenci": "dependency",
    "owner": "own", "ownership": "own", "maintainer": "maintain", "built": "build",
}  # fmt: skip

# The tag of each spelling of a technology, except for spellings that are also English words. The first word of a group
# is the tag and a spelling; before a colon it is only the tag.
TECHNOLOGIES: dict[str, str] = {}
for _row in (
    """
python py cpython|javascript js ecmascript|typescript ts|go: golang|kotlin|php|c++ cpp|c# csharp|haskell|elixir
clojure|scala|java|perl|lua|html|css|sass scss|sql|bash|zsh|powershell|wasm webassembly|json|yaml yml|toml|xml
csv|markdown|protobuf|postgresql postgres psql pg|mysql|mariadb|sqlite sqlite3 apsw|mongodb mongo|redis
memcached|elasticsearch|opensearch|dynamodb|cassandra|clickhouse|duckdb|bigquery|kafka|rabbitmq|nats
sqs|docker dockerfile docker-compose|podman|kubernetes k8s kubectl|terraform|pulumi|ansible|nginx|caddy|traefik
aws|gcp|azure|s3|ec2|cloudflare|heroku|vercel|netlify|fly.io|linux|debian|ubuntu|alpine|macos osx
android|ios|git|github|gitlab|bitbucket|github-actions|jenkins|circleci|node: nodejs node.js|deno|npm|pnpm|yarn|pip|uv
conda|pipenv|cargo|maven|gradle|webpack|vite|esbuild|rollup|react: reactjs react.js|vue: vuejs vue.js|svelte|angular
nextjs next.js|nuxt|tailwind tailwindcss|htmx|django|flask|fastapi|starlette|uvicorn|gunicorn|pydantic
sqlalchemy|alembic|celery|numpy|pandas|pytorch torch|tensorflow|scikit-learn sklearn|jupyter|rails|laravel
symfony|graphql|grpc|oauth oauth2|jwt|websocket websockets|openapi swagger|pytest|unittest|vitest
playwright|cypress|selenium|eslint|ruff|mypy|pyright|flake8|pylint|sentry|grafana|prometheus|datadog
opentelemetry|twilio|openai|anthropic|claude|mcp|llm llms|langchain|huggingface|ffmpeg|openssl
vim neovim nvim|emacs|vscode|systemd|tls ssl|ssh|fts5|pgvector|faiss|tantivy
""".replace("\n", "|")
    .strip("|")
    .split("|")
):
    _names = _row.split()
    _tag = _names.pop(0)[:-1] if _names[0].endswith(":") else _names[0]
    TECHNOLOGIES.update(dict.fromkeys(_names, _tag))

# Names of technologies that are also English words. They give a tag only inside a sentence with this spelling, or as
# code.
NAMES = word_set(
    "Go Rust Swift Dart React Vue Express Spring Ruby Node Bun Jest Mocha Next Remix Astro Nest Helm Consul Vault "
    "Puppet Chef Salt Poetry Black Click Rich Flutter Electron Phoenix Ember Backbone Julia Zig Elm R C Make Ant "
    "Chrome Firefox Safari Slack Jira Notion Linear Windows Hypothesis Lambda Stripe Prettier Snowflake"
)

# The tag of each file name extension.
EXTENSIONS = {
    "py": "python", "pyi": "python", "ipynb": "jupyter", "js": "javascript", "mjs": "javascript",
    "cjs": "javascript", "jsx": "react", "ts": "typescript", "tsx": "react", "rs": "rust", "go": "go",
    "java": "java", "kt": "kotlin", "rb": "ruby", "php": "php", "cs": "c#", "cpp": "c++", "cc": "c++", "hpp": "c++",
    "c": "c", "h": "c", "swift": "swift", "sh": "bash", "sql": "sql", "html": "html", "css": "css", "scss": "sass",
    "vue": "vue", "svelte": "svelte", "md": "markdown", "json": "json", "jsonl": "json", "yaml": "yaml",
    "yml": "yaml", "toml": "toml", "xml": "xml", "csv": "csv", "tf": "terraform", "proto": "protobuf",
    "ex": "elixir", "hs": "haskell", "lua": "lua", "dart": "dart",
}  # fmt: skip

_NUMBER = lazy(r"[v$€]?\d++(?:[.:,]\d++)*+(%|[a-z]{0,3})\+?")
_DATE = lazy(r"\d{4}-\d\d(?:-\d\d)?")
# Nouns after which a number is a name, not a value: "step 3".
_NUMBERED = word_set(
    "issue pr ticket bug step phase chapter section line commit task story number no build job sprint "
    "milestone release iteration attempt page rule adr rfc week case figure table error status code http "
    "version option"
)
# Words after "is" that are no value: "the linter is slow".
_ADJECTIVES = word_set(
    "fast slow big small large long short good bad warm cold full stable frozen flaky strict closed broken "
    "down up off on fine great stale dead alive done safe wrong right required optional empty busy public "
    "private shared only based free side time case first call ready end date"
)


@lru_cache(maxsize=16)
def _list_values(text: str) -> dict[str, set[str]]:
    """Return the values that a text names, by family."""
    found: dict[str, set[str]] = {}
    for word in split_words(text):
        if word in RIVALS:
            family, value = RIVALS[word]
            found.setdefault(family, set()).add(value)
    return found


def names_rival(newer: str, older: str) -> bool:
    """Tell whether the older text names a value of a family of which the newer one names another."""
    values, others = _list_values(newer), _list_values(older)
    return any(not others[family] <= values[family] for family in values.keys() & others.keys())


def read_value(low: list[str], at: int) -> tuple[str, str, bool]:
    """Return the kind of the word at `at`, the item that it stands for, and whether the next word is its unit.

    The kind is an empty string if the word belongs to no family, and for a number that only names a thing: "step 3".
    """
    word = low[at]
    match = _NUMBER.fullmatch(word)
    if match is None or _DATE.fullmatch(word):
        return (*RIVALS[word], False) if word in RIVALS else ("", stem(word), False)
    word = word.rstrip("+").lstrip("v$€")
    if at and low[at - 1] in _NUMBERED:
        return "", f"#{word}", False
    unit = match.group(1)
    digits = word.removesuffix(unit)
    name = unit or (low[at + 1] if at + 1 < len(low) else "")
    # The whole word is tried first, because "ms" is not the plural of "m".
    known = UNITS.get(name) or UNITS.get(name.removesuffix("s"))
    if known is None or digits.count(".") + digits.count(":") > 1:
        return ("clock" if ":" in digits else "number"), word, False
    family, factor = known
    return family, f"{float(digits.replace(',', '').replace(':', '.')) * factor:g}", not unit


def stem(word: str) -> str:
    """Return the stem of a word, or the value that the word stands for."""
    if word in RIVALS:
        return RIVALS[word][1]
    word = word.strip("`").removesuffix("'s")
    for ending in ("ies", "ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith(("ss", "us", "is")):
            word = word[: -len(ending)] + ("i" if ending == "ies" else "")
            if ending in {"ing", "ed"} and len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    word = word[:-1] + "i" if word.endswith("y") and len(word) > 3 else word.removesuffix("e")
    return SYNONYMS.get(word, word)


def is_name(token: str, at: int) -> bool:
    """Tell whether the token at the position `at` is a name: of a technology, or a proper name, code or a path."""
    if (
        token[0] == "`"
        or token in NAMES
        or token.lower() in TECHNOLOGIES
        or token.lower() in RIVALS
        or any(mark in token for mark in "./@_:#")
        or any(char.isdigit() for char in token)
    ):
        return True
    is_compound = "-" in token and not is_adjective(token)
    return is_compound or any(char.isupper() for char in (token if at > 0 else token[1:]))


def is_adjective(word: str) -> bool:
    """Tell whether a word looks like an adjective or a participle, which is no value."""
    low = word.lower()
    if "-" in low:
        return low.rpartition("-")[2] in _ADJECTIVES or low.endswith(("able", "ed", "ing"))
    endings = ("able", "ible", "ful", "less", "ous", "ive", "ed", "ing", "ly")
    return low in _ADJECTIVES or low.endswith(endings)
