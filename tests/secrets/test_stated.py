"""A secret that a sentence states or hands over is hidden, also an ordinary word, and talk about secrets is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from limpet.queue.tidy import tidy_payload
from limpet.secrets.redact import redact
from limpet.secrets.scan import Scan
from limpet.secrets.stated import NO_LIMIT, find_candidates
from limpet.secrets.stated_words import TABLE
from limpet.text.tables import read_table


class Sentence(NamedTuple):
    language: str
    secret: str
    text: str


def read_sentences() -> list[Sentence]:
    lines = (Path(__file__).parent / "stated.tsv").read_text("utf-8").splitlines()
    return [Sentence(*line.split("\t")) for line in lines if not line.startswith("#")]


SENTENCES = read_sentences()
STATING = [each for each in SENTENCES if each.secret]
TALKING = [each for each in SENTENCES if not each.secret]


def is_hidden(each: Sentence) -> bool:
    hidden, kinds = redact(each.text)
    return bool(kinds) and each.secret not in hidden


def test_nearly_every_stated_secret_is_hidden_in_each_language() -> None:
    assert len(STATING) >= 150
    missed = [each for each in STATING if not is_hidden(each)]
    assert len(missed) <= 0.06 * len(STATING), missed
    for language in ("en", "de", "fr", "es", "ru", "zh", "ja"):
        own = [each for each in STATING if each.language == language]
        assert sum(map(is_hidden, own)) >= 0.85 * len(own), language


def test_talk_about_secrets_is_kept() -> None:
    assert len(TALKING) >= 150
    assert [each.text for each in TALKING if redact(each.text) != (each.text, ())] == []


def test_only_the_secret_is_hidden_and_hiding_it_twice_changes_nothing() -> None:
    assert redact("My password is hunter2hunter, tell nobody") == (
        "My password is [REDACTED:password], tell nobody",
        ("password",),
    )
    assert redact("Login for staging is admin / sommer2024.")[0] == "Login for staging is admin / [REDACTED:login]."
    for each in SENTENCES:
        once, _ = redact(each.text)
        assert redact(once) == (once, ()), each.text


def test_a_sentence_is_found_among_others_and_inside_json() -> None:
    for each in STATING:
        if not is_hidden(each) or '"' in each.text:
            continue
        for text in (f"First line.\n{each.text}\nLast line.", f'{{"prompt": "{each.text}"}}'):
            hidden, kinds = redact(text)
            assert kinds and each.secret not in hidden, text


def test_a_hook_keeps_no_stated_secret() -> None:
    payload = {"hook_event_name": "UserPromptSubmit", "prompt": "The wifi password is sunflower", "session_id": "s"}
    tidied = tidy_payload(payload)
    assert "sunflower" not in json.dumps(tidied) and "[REDACTED:password]" in json.dumps(tidied)


LABELS = [
    word
    for row in read_table(f"secrets/{TABLE}")
    if row.name == "pass"
    for word in row.contents.split()
    if "*" not in word
]


@pytest.mark.parametrize("label", LABELS)
def test_a_word_beside_a_label_is_looked_at(label: str) -> None:
    """Otherwise its sentences would be read only if something else causes it."""
    text = f"{label} is sunflower, {label}は「sunflower」"
    found = find_candidates(Scan(text), text.split(), NO_LIMIT)
    assert "sunflower" in {text[each.start : each.end] for each in found}


def test_a_sentence_without_a_label_states_an_odd_value_only() -> None:
    assert redact("the guest wifi takes Schn3ckenhaus, and the heating takes long")[0] == (
        "the guest wifi takes [REDACTED:password], and the heating takes long"
    )


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("Log in to the test shop as admin with otter-lamp-7, then check the cart", "otter-lamp-7"),
        ("the guest wifi takes Schn3ckenhaus when you are on the second floor", "Schn3ckenhaus"),
        ("sudo on that box? type copperkettle88", "copperkettle88"),
        ("the backup vault opens with Gl0ckenblume", "Gl0ckenblume"),
        ("ssh into the pi as pi, if it asks you say rhubarb-Cannon-4", "rhubarb-Cannon-4"),
        ("grafana wants a user, enter viewer plus Moss&Granite", "Moss&Granite"),
        ("melde dich an: anmelden mit Regenwurm_12", "Regenwurm_12"),
        ("entra en el panel con Tiburon2018", "Tiburon2018"),
        ("she locked the zip, it's been locked with Marzipan#3", "Marzipan#3"),
        ("my vpn client still uses t4ngerine-Hill", "t4ngerine-Hill"),
    ],
)
def test_a_secret_that_is_handed_over_is_hidden(text: str, secret: str) -> None:
    hidden, kinds = redact(text)
    assert kinds == ("password",) and secret not in hidden
    assert redact(hidden) == (hidden, ())


@pytest.mark.parametrize(
    "text",
    [
        "log in to staging with your own account",
        "log in with OAuth2 and then open the page",
        "the vault is encrypted with AES-256-GCM",
        "sign in using python3.11 as the client",
        "the admin panel is built with react18",
        "ssh into build-farm-3 and restart the worker",
        "password reset mails are sent by worker-2",
        "the login test runs with node-22 and postgres-16",
        "the account service talks to the queue with grpc",
        "unlock the screen, then run `make test-fast`",
        "the token is signed with RS256",
        "use ed25519 for the ssh key of the admin",
        "login fails with E4012 after the update",
        "the vpn config is in ops/vpn-2.yaml",
        "admin users are kept with uuid4 ids",
    ],
)
def test_the_names_of_things_are_kept(text: str) -> None:
    assert redact(text) == (text, ())


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("the passphrase is correct horse battery staple", "horse"),
        ('the passphrase is "correct horse battery staple"', "horse"),
        ("the password is tiramisu", "tiramisu"),
        ("the password is “Kq7 zT9” on staging", "zT9"),
        ("das Passwort für staging lautet „Kq7 zT9“", "Kq7"),
        ("the password is “must have 12 characters”", ""),
        ("Log in to kestrel-2 as deploy, then run make restart", ""),
        ("the login page uses bootstrap5 and jquery3", ""),
        ("Login goes through auth0 and okta2", ""),
        ("the deploy key is named gh-deploy-prod1", ""),
    ],
)
def test_words_need_less_evidence_than_names_with_a_digit(text: str, secret: str) -> None:
    hidden, _ = redact(text)
    assert hidden == text if not secret else secret not in hidden
