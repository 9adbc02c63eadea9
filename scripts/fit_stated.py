"""Fit the weights of `limpet/secrets/stated.bin`, and print how well they find secrets that others have stated.

    python -m scripts.fit_stated --stated SENTENCES.tsv… --own TEXTS.txt… --ordinary TEXTS.txt… [--kept TEXTS.txt…]
        [--write]

A line of SENTENCES is a label (1 if a secret is stated, else 0), the secret and the text, between tabs; each file is
from one hand. A line of TEXTS states none: `--own` are texts such as Limpet stores, which count more, `--kept` are only
measured. The invented sentences of `stated_secrets.txt` and those of the tests are added. Every value of a sentence
that is not its secret is an example of a value that is none. The common words are those of the texts.

Each file of sentences is also measured with weights that were fitted without it. The sentences and texts belong to
others and are not in the repository. numpy is needed here, and only here.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from tests.text.ordinary_notes import digests, look_alikes, notes

from limpet.secrets import stated_score
from limpet.secrets.rules import word_tuple
from limpet.secrets.scan import Scan
from limpet.secrets.stated import NO_LIMIT, find_candidates, find_stated
from limpet.secrets.stated_score import FORMS, WEIGHTS, hash_word, load_model

Array = np.ndarray[Any, np.dtype[Any]]

INVENTED = Path(__file__).with_name("stated_secrets.txt")
TESTS = Path(__file__).parent.parent / "tests/secrets/stated.tsv"
COPIES = 5
"""How many sentences are made of an invented one, each with other values."""
SEED = 100
"""The seed of invented digests and look-alikes, which the tests do not use."""
STEPS, RATE, PENALTY = 300, 0.1, 0.5
LEAST = 0.2
"""Weights below this are left out, and the others are fitted again."""
ORDINARY, OWN, MOST = 0.3, 1.5, 60_000
"""The weights of a value of an ordinary text and of one like those that are stored, and the most lines of a file."""
BITS, COMMON = 65_536, 6_000
"""The size of the Bloom filter, and how many words are in it."""
BAR = -0.4
"""How many points a value must have more than the fit asks for."""


@dataclass(frozen=True)
class Row:
    """A value as it is fitted to."""

    form: str
    features: tuple[str, ...]
    is_secret: bool
    weight: float
    hand: str


NOUNS = word_tuple(
    "otter lamp marmalade tulip walnut pelican biscuit copper kettle rhubarb cannon heron velvet barrel pepper "
    "donkey lantern cactus piano saddle turnip falcon blanket hammer ginger pirate wizard noodle banjo muffin "
    "cricket sparrow thunder harbor meadow garlic button teapot zeppelin yogurt penguin orchard mustard violin "
    "hedgehog squirrel pumpkin sunflower dragonfly moonlight chocolate elephant breakfast umbrella strawberry "
    "butterfly crocodile blueberry pancake Hagebutte Lakritze Seestern Regenwurm Bergziege Zimtstern Apfelbaum "
    "Schneemann Kastanie Bratwurst Sonnenblume noisette chaussette grenouille citrouille papillon baleine fromage "
    "avellana mariposa tortuga naranja golondrina girassol jabuticaba abacaxi borboleta girasole farfalla vlinder "
    "podsolnuh oreshek cherepaha himawari kurumi tanuki huli xiongmao monday friday purple crimson silent crooked "
    "happy seven lucky angry little frozen golden"
)
ORDINARY_WORDS = word_tuple("the my our and of in on with a to is never only every")
USERS = word_tuple(
    "admin root deploy ops bob lena guest svc_app app_rw postgres backup viewer operator test demo kim pi"
)
PLACES = word_tuple(
    "wifi router nas vault zip vpn server staging box printer door laptop tablet phone grafana jenkins database "
    "keystore mailbox shop wiki camera backup drive safe panel registry cluster account alarm sim dashboard portal "
    "tunnel switch keychain archive wallet scanner kiosk plotter intranet mongo redis ftp smtp ldap gitea"
)
TECH = word_tuple(
    "postgres16 node-22 python3.11 sha256 AES-256-GCM argon2id bcrypt OAuth2 build-farm-3 worker-2 heron-7 k8s-prod "
    "eu-west-1 v2.14.0 RS256 ed25519 uuid4 base64 utf-8 ipv6 react18 es2022 WPA3 TLS1.3 ISO-8601 RFC6238 user_id "
    "db-2 app-server-01 staging-2 m5.large gpt-4o claude-3 vite5 HTTP/2 keycloak Vault 1Password Bitwarden auth0 "
    "pgbouncer order_no DB_PASS PROJ-123 session-store login-v2 s3 ec2 x86_64 arm64 win11 h264 md5 kms ldap3 jose4j "
    "jwt-decode token-service auth-proxy-2 main.py config.yaml /etc/vault/config src/auth/login.ts qwen3-8b utf8mb4 "
    "int64 3DES pkcs12 9f3c2ab 4b825dc 2fa-service redis7 feature/login-2 pull-4411 issue-77 sprint-14 build-1182 "
    "commit-hash web-03"
)
TECH_WORDS = word_tuple(
    "api app auth batch billing build cache claims client cluster config core cron data db dev edge eu export front "
    "gate host image import index job kafka lib load log mail main node orders parser pool prod proxy queue report "
    "rest role schema search server session shop site staging store svc sync task team test tool uat us user view "
    "web worker zone"
)
LEET = str.maketrans({"a": "4", "e": "3", "i": "1", "o": "0", "s": "5"})


def invent(form: str, rng: Random) -> str:
    """Return an invented value of a form."""

    def word() -> str:
        return rng.choice(NOUNS)

    def draw(signs: str, count: int) -> str:
        return "".join(rng.choices(signs, k=count))

    low, digits = "abcdefghijklmnopqrstuvwxyz", "0123456789"
    match form:
        case "user":
            return rng.choice(USERS)
        case "place":
            return rng.choice(PLACES)
        case "tech":
            if rng.random() < 0.5:
                return rng.choice(TECH)
            parts = rng.sample(TECH_WORDS, rng.choice((1, 2, 2, 3)))
            made = rng.choice("--_.").join([*parts, *rng.choice([[], [draw(digits, 1)], [draw(digits, 2)], ["v2"]])])
            return rng.choice(
                [made, made, made, made.upper(), f"{parts[0]}{draw(digits, rng.choice((1, 2)))}", made.title()]
            )
        case "hex":
            return draw("0123456789abcdef", rng.choice((7, 8, 12, 16, 32, 40)))
        case "host":
            return rng.choice(["10.0.4.17", "heron-7", "db.internal", "192.168.1.20", "build-farm-3", "nas.local"])
        case "date":
            return rng.choice(["2024-05-01", "2025-11-30", "Friday", "March", "2031-01-01", "Q3", "01.06.2025"])
        case "errno":
            return rng.choice(
                ["404", "1045", "E4012", "137", "4041", "ERR-1045", "13", "0x80070005", "503", "ORA-01017"]
            )
        case "port":
            return rng.choice(["5432", "6379", "8080", "4096", "1200", "250", "30000", "128000", "4711", "72"])
        case "word":
            made = word()
            return rng.choice(
                [made, made, made, made.lower(), made.capitalize(), made + word().lower(), f"{made}-{word()}"]
            )
        case "phrase":
            count = rng.choice((2, 2, 3, 3, 4, 4, 5, 6, 12))
            if rng.random() < 0.3 and count > 2:
                return " ".join(rng.choice([word(), word(), rng.choice(ORDINARY_WORDS)]).lower() for _ in range(count))
            made = " ".join(word() for _ in range(count))
            return made.title() if rng.random() < 0.2 else made.lower()
        case "number":
            made = draw(digits, rng.choice((4, 4, 4, 5, 6, 6, 6, 8)))
            odd = made + rng.choice("#*"), f"{made[:3]} {draw(digits, 3)}", f"{made[:4]}-{draw(digits, 4)}"
            return rng.choice([made, made, made, *odd])
        case "code":
            signs = rng.choice(["ABCDEFGHJKLMNPQRSTUVWXYZ23456789", low + digits, digits])
            size = rng.choice((4, 4, 5))
            return "-".join(draw(signs, size) for _ in range(rng.choice((2, 3, 4))))
        case "key":
            signs = rng.choice([low.upper() + low + digits, low.upper() + low + digits, "0123456789abcdef"])
            made = draw(signs, rng.choice((12, 16, 20, 24, 32)))
            return rng.choice(
                [made, rng.choice(["tok_", "sk-demo-", "xx_live_", "pat-", "key-", "whs_", "demo_"]) + made]
            )
        case _:
            return invent_odd(rng, word, draw)


def invent_odd(rng: Random, word: Callable[[], str], draw: Callable[[str, int], str]) -> str:
    """Return a password of words with digits or signs, as people choose them."""
    first, second = word().lower(), word().lower()
    digits = draw("0123456789", rng.choice((1, 1, 2, 2, 2, 3, 4)))
    sign, joint = rng.choice("!!$#%&*?@+"), rng.choice("-_.-")
    made = rng.choice([
        first + digits, first.capitalize() + digits, first.capitalize() + digits + sign, first + sign + digits,
        first.capitalize() + joint + digits, first + joint + digits, f"{first}{joint}{second}{joint}{digits}",
        f"{first.capitalize()}{joint}{second.capitalize()}{joint}{digits}", f"{digits}{joint}{first}",
        f"{first}{joint}{digits}{joint}{second}", first.translate(LEET), first.capitalize().translate(LEET) + digits,
        first.translate(LEET) + joint + second.capitalize(), first.capitalize() + sign + second.capitalize(),
        first.capitalize() + second.capitalize() + digits, digits + first.capitalize() + digits + second.capitalize(),
        first.capitalize() + "_on_" + second.capitalize() + digits, first.capitalize() + second.capitalize() + sign,
        draw("abcdefghijkmnpqrstuvwxyz0123456789", rng.choice((6, 8, 9))) + "7q",
        first[:4] + digits + second[:3].upper(),
        f"{first}{sign}{second}", f"{first.capitalize()}{joint}4{joint}{second}", first + "4" + second.capitalize(),
    ])  # fmt: skip
    return made if any(not each.isalpha() for each in made) else made + "7"


def invent_sentences(copies: int = COPIES) -> Iterator[tuple[str, list[str]]]:
    """Yield the invented sentences with invented values, each with its secrets."""
    for line in INVENTED.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line:
            continue
        for copy in range(copies if "{" in line else 1):
            rng = Random(f"{copy} {line}")
            secrets: list[str] = []

            def fill(found: re.Match[str], rng: Random = rng, secrets: list[str] = secrets) -> str:
                form = rng.choice(found[1].split("|"))
                value = invent(form, rng)
                if form in ("odd", "word", "number", "phrase", "key", "code"):
                    secrets.append(value)
                return value

            text = re.sub(r"\{([a-z|]+)\}", fill, line[2:])
            yield (text.capitalize() if rng.random() < 0.1 and not secrets else text), secrets


def read_stated(path: Path) -> Iterator[tuple[str, list[str]]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            _, secret, text = line.split("\t")
            pair = re.fullmatch(r"[\w.@-]+ ?[/:] ?(\S+)", secret)
            secret = pair[1] if pair and text.count(pair[1]) == 1 else secret
            yield text, [secret] if secret else []


def vary(texts: list[tuple[str, list[str]]]) -> Iterator[tuple[str, list[str]]]:
    """Yield the sentences, and each that states a secret also with invented secrets of the same form."""
    for text, secrets in texts:
        yield text, secrets
        for copy in range(COPIES if len(secrets) == 1 else 0):
            rng, secret = Random(f"{copy} {text}"), secrets[0]
            form = "phrase" if " " in secret and not secret.replace(" ", "").isdigit() else "odd"
            if secret.strip("#*").replace("-", "").replace(" ", "").isdigit():
                form = "number"
            elif secret.isalpha():
                form = rng.choice(("word", "odd"))
            elif len(secret) > 14 and not any(sign in secret for sign in "-_.#$!&"):
                form = "key"
            value = invent(form, rng)
            yield text.replace(secret, value), [value]


def find_spans(text: str, secrets: list[str]) -> list[tuple[int, int]]:
    spans, at = [], 0
    for secret in secrets:
        at = text.find(secret, at)
        if at < 0:
            at = text.find(secret)
        spans.append((at, at + len(secret)))
    return spans


def make_rows(texts: Iterable[tuple[str, list[str]]], hand: str, weight: float) -> Iterator[Row]:
    """Yield the values of texts. One that holds a secret and is no phrase is left out."""
    for text, secrets in texts:
        spans = find_spans(text, secrets)
        for each in find_candidates(Scan(text), text.split(), NO_LIMIT):
            is_secret = (each.start, each.end) in spans
            holds = any(each.start <= first and last <= each.end for first, last in spans)
            if holds and not is_secret and each.form != "phrase":
                continue
            yield Row(each.form, tuple(each.features), is_secret, weight * (2.0 if is_secret else 1.5), hand)


def read_ordinary(paths: Iterable[Path], most: int) -> Iterator[tuple[str, list[str]]]:
    for path in paths:
        lines = path.read_text(encoding="utf-8").splitlines()
        Random(1).shuffle(lines)
        for line in lines[:most]:
            yield line, []


def count_words(paths: Iterable[Path]) -> bytes:
    """Return a Bloom filter of the words that are in most of the ordinary texts."""
    spread: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for path in paths:
        counts: Counter[str] = Counter()
        for line in path.read_text(encoding="utf-8").splitlines():
            counts.update(set(re.findall(r"[^\W\d_]{3,}", line.lower())))
        for word, count in counts.items():
            spread[word] += count > 1
            total[word] += min(count, 200)
    bits = bytearray(BITS // 8)
    for word in sorted(total, key=lambda each: (-spread[each], -total[each], each))[:COMMON]:
        for at in hash_word(word):
            bits[at >> 3] |= 1 << (at & 7)
    return bytes(bits)


def write(weights: dict[str, dict[str, float]], bits: bytes, figures: dict[str, str]) -> None:
    header = {
        "what": "weights of the features of each form, and a Bloom filter of common words",
        "fitted by": "python -m scripts.fit_stated",
        "figures": figures,
        "weights": {
            form: {name: round(each, 1) for name, each in sorted(table.items()) if abs(each) >= 0.1}
            for form, table in weights.items()
        },
    }
    Path(WEIGHTS).write_bytes(json.dumps(header).encode() + b"\n" + bits)


def fit(rows: list[Row]) -> dict[str, dict[str, float]]:
    """Return the weights of the features for each form."""
    found = {}
    for form in FORMS:
        chosen = [row for row in rows if row.form == form]
        counts = Counter(name for row in chosen for name in row.features)
        first = fit_form(chosen, [name for name, count in counts.items() if count >= 5])
        found[form] = fit_form(chosen, [name for name, each in first.items() if abs(each) >= LEAST or name == "bias"])
        found[form]["bias"] -= BAR
    return found


def fit_form(rows: list[Row], names: list[str]) -> dict[str, float]:
    number = {name: at for at, name in enumerate(names)}
    places = [[number[name] for name in row.features if name in number] for row in rows]
    owners = np.repeat(np.arange(len(rows)), [len(each) for each in places])
    flat = np.array([at for each in places for at in each])
    wanted = np.array([float(row.is_secret) for row in rows])
    importance = np.array([row.weight for row in rows])
    penalty = np.array([0.0 if name == "bias" else PENALTY for name in names])
    weights = np.zeros(len(names))
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        points = np.bincount(owners, weights=weights[flat], minlength=len(rows))
        error = (1 / (1 + np.exp(-points)) - wanted) * importance
        slope = np.bincount(flat, weights=error[owners], minlength=len(names)) + penalty * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        rate = RATE * (1 - 0.9 * step / STEPS) / (1 - 0.9**step) * (1 - 0.99**step) ** 0.5
        weights -= rate * mean / (np.sqrt(square) + 1e-9)
    return {name: float(weight) for name, weight in zip(names, weights, strict=True)}


def measure(texts: Iterable[tuple[str, list[str]]], weights: dict[str, dict[str, float]]) -> str:
    """Return how many secrets are found, how many exactly, and how many sentences without one are hit."""
    kept = load_model()[0]
    total = found = exact = others = false = 0
    kept_all = dict(kept)
    kept.update(weights)
    for text, secrets in texts:
        spans = find_spans(text, secrets)
        hits = [(first, last) for first, last, _ in find_stated(Scan(text), text.split())]
        total += len(spans)
        found += sum(any(a <= first and last <= b for a, b in hits) for first, last in spans)
        exact += sum(span in hits for span in spans)
        others += not spans
        false += bool(hits) and not spans
    kept.update(kept_all)
    return f"{found} of {total} secrets, {exact} exactly, {false} of {others} others"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stated", type=Path, nargs="+", default=[], help="files of sentences, each from one hand")
    parser.add_argument("--own", type=Path, nargs="+", default=[], help="notes, messages and prompts without secrets")
    parser.add_argument("--ordinary", type=Path, nargs="+", default=[], help="other texts without secrets")
    parser.add_argument("--kept", type=Path, nargs="+", default=[], help="texts without secrets that are only measured")
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    given = parser.parse_args()
    if given.write and given.ordinary:
        write({form: {} for form in FORMS}, count_words([*given.own, *given.ordinary]), {})
        stated_score._model.clear()
    rows = list(make_rows(invent_sentences(), "invented", 1.0))
    tests = list(read_stated(TESTS))
    rows += make_rows(tests, "tests", 4.0)
    rows += make_rows([(json.dumps({"prompt": text}, ensure_ascii=False), each) for text, each in tests], "tests", 2.0)
    plain = [*notes(), *look_alikes(SEED), *digests(SEED), *digests(SEED + 1)]
    rows += make_rows([(text, []) for text in plain], "tests", 2.0)
    hands = {f"hand {number}": list(read_stated(path)) for number, path in enumerate(given.stated, 1)}
    for name, sentences in hands.items():
        rows += make_rows(vary(sentences), name, 0.7)
    rows += make_rows(read_ordinary(given.own, MOST), "ordinary", OWN)
    rows += make_rows(read_ordinary(given.ordinary, MOST), "ordinary", ORDINARY)
    figures = {}
    for name, sentences in hands.items():
        found = measure(sentences, fit([row for row in rows if row.hand != name]))
        figures[f"{name}, fitted without it"] = found
        sys.stdout.write(f"{name}: {found}\n")
    weights = fit(rows)
    kept: list[tuple[str, list[str]]] = [
        (line, []) for path in given.kept for line in path.read_text(encoding="utf-8").splitlines()
    ]
    figures["kept"] = measure(kept, weights)
    sys.stdout.write(f"kept: {figures['kept']}\n")
    if given.write:
        write(weights, load_model()[1], figures)


if __name__ == "__main__":
    main()
