"""A secret that a sentence states is hidden, also if it is an ordinary word, and talk about secrets is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from limpet.queue.tidy import tidy_payload
from limpet.secrets.redact import redact
from limpet.secrets.rules import FOREIGN_STATED, STATED
from limpet.secrets.stated_words import LABELS


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


@pytest.mark.parametrize("label", LABELS)
def test_a_label_has_a_part_by_which_the_search_is_begun(label: str) -> None:
    """Otherwise its sentences would be read only if something else causes it."""
    parts = [part for short, parts in STATED.items() for part in parts if short in part]
    assert len(parts) == sum(map(len, STATED.values()))
    forms = [f" {label} {word} " for word in ("", "is", "for")]
    assert any(part in " ".join(form.split()).join("  ") for part in (*parts, *FOREIGN_STATED) for form in forms)
