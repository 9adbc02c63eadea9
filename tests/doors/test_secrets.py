"""Secrets and private parts never reach the disk, whichever field they come in by."""

from __future__ import annotations

from typing import Any

import pytest

from limpet.model.memory import Sensitivity
from limpet.model.outcome import Admitted, Duplicate
from tests.operations.desk import MODEL, Desk

# Put together at run time, so that nothing here looks like a secret to a scanner.
TOKEN = "ghp" + "_" + "x7Kq9Zr2LmW4tB8vNcD3sF6hJ1pQ5yUaEoGi"
PASSWORD = "tr0ub4dor" + "&3-Zebra"
URL = f"postgres://shop:{PASSWORD}@db.internal/shop"
KEY = "\n".join(
    ("-----BEGIN " + "PRIVATE KEY-----", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" * 2, "-----END " + "PRIVATE KEY-----")
)
SECRETS = {"token": TOKEN, "password": f"password={PASSWORD}", "url": URL, "key": KEY}
CAUGHT = {"token": TOKEN, "password": PASSWORD, "url": PASSWORD, "key": "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC"}


def gone(desk: Desk, secret: str) -> bool:
    return desk.files_with(secret) == [] and desk.files_with(secret.lower()) == []


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_in_the_text_is_named_and_never_kept(desk: Desk, name: str) -> None:
    outcome = desk.ask("remember", text=f"For the deploy job use {SECRETS[name]} and nothing else")
    assert isinstance(outcome, Admitted)
    assert outcome.redacted
    assert all(f"[REDACTED:{kind}]" in outcome.memory.original_content for kind in outcome.redacted)
    assert "and nothing else" in outcome.memory.content or name == "key"
    assert gone(desk, CAUGHT[name])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", f"use {TOKEN} there"),
        ("subtitle", f"use {TOKEN} there"),
        ("tags", [TOKEN, "fine"]),
        ("files", [f"notes/{TOKEN}.txt"]),
    ],
)
def test_a_secret_in_any_other_field_is_named_and_never_kept(desk: Desk, field: str, value: Any) -> None:
    outcome = desk.ask("remember", text="The deploy job has a token of its own", **{field: value})
    assert isinstance(outcome, Admitted)
    assert outcome.redacted == ("github-token",)
    assert outcome.memory.sensitivity is Sensitivity.PRIVATE
    assert gone(desk, TOKEN)


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_secret_in_a_fact_is_named_and_never_kept(desk: Desk, at: int) -> None:
    words = ["deploy", "uses", "vault"]
    words[at] = f"x {TOKEN}"
    answer = desk.ask("facts", action="add", words=words)
    assert answer.redacted == ("github-token",)
    assert gone(desk, TOKEN)


def test_a_secret_in_a_correction_or_a_reason_is_never_kept(desk: Desk) -> None:
    memory = desk.remember("The deploy job has a token of its own")
    better = desk.ask("correct", id=memory.id, text=f"The deploy token is {TOKEN}", title=f"about {TOKEN}")
    assert better.redacted == ("github-token", "github-token")
    desk.ask("forget", ids=[memory.id], reason=f"because {TOKEN} was in it")
    assert "[REDACTED:github-token]" in str(desk.json("blame", id=memory.id))
    assert gone(desk, TOKEN)


def test_what_was_caught_twice_is_one_memory(desk: Desk) -> None:
    first = desk.remember(f"The deploy token is {TOKEN}")
    again = desk.ask("remember", text=f"The deploy token is {TOKEN[:-4]}Wxyz")
    assert again.memory.id == first.id


def test_redaction_can_be_switched_off_by_the_owner_only_in_settings(desk: Desk) -> None:
    desk.ask("remember", text=f"The deploy token is {TOKEN}", flags={"admit.redact": False})
    assert desk.files_with(TOKEN) != []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("The gate code <private>is marzipan</private> changes weekly", "The gate code  changes weekly"),
        ("Before <PRIVATE reason='x'>one</PRIVATE> between <private>two</private> after", "Before  between  after"),
        ("Kept <private>never closed marzipan", "Kept"),
        ("Kept <private>a <private>b</private> marzipan</private> too", "Kept  too"),
    ],
)
def test_a_private_part_is_never_stored(desk: Desk, text: str, kept: str) -> None:
    outcome = desk.ask("remember", text=text)
    assert isinstance(outcome, Admitted)
    assert outcome.memory.original_content == kept
    assert any("left out" in note and "private part" in note for note in outcome.notes)
    assert desk.files_with("marzipan") == []


def test_a_private_part_of_a_title_or_tag_is_never_stored(desk: Desk) -> None:
    desk.remember(
        "The gate has a code",
        title="Gate <private>marzipan</private>",
        tags=["gate<private>marzipan</private>"],
        subtitle="a",
    )
    assert desk.files_with("marzipan") == []


def test_a_text_that_is_all_private_is_refused(desk: Desk) -> None:
    assert "say what may be kept" in desk.ask("remember", text="<private>marzipan</private>").reason


# Sensitivity


def test_ordinary_text_is_public(desk: Desk) -> None:
    assert desk.remember("Migrations run with alembic").sensitivity is Sensitivity.PUBLIC


def test_text_that_held_a_secret_is_private(desk: Desk) -> None:
    assert desk.remember(f"The deploy token is {TOKEN}").sensitivity is Sensitivity.PRIVATE


def test_personal_text_is_private(desk: Desk) -> None:
    text = "Matt's home address is 12 Elm Street, Springfield; his phone number is +1 415 555 2671"
    assert desk.remember(text).sensitivity is Sensitivity.PRIVATE


@pytest.mark.parametrize("asked", list(Sensitivity))
def test_an_explicit_sensitivity_wins(desk: Desk, asked: Sensitivity) -> None:
    assert desk.remember(f"The deploy token is {TOKEN}", sensitivity=asked).sensitivity is asked


def test_without_classification_the_sensitivity_is_unknown_and_nothing_returns_it_unasked(desk: Desk) -> None:
    memory = desk.remember("Migrations run with alembic", flags={"admit.classify": False})
    assert memory.sensitivity is Sensitivity.UNKNOWN
    assert desk.texts() == []
    assert desk.texts(private=True) == []
    assert desk.texts("recall", query="alembic migrations", private=True) == []
    assert desk.texts(all=True, private=True) == []
    assert desk.json("graph", private=True)["nodes"] == []
    assert desk.ask("export", private=True).memories == 0
    assert desk.texts(sensitivity="unknown") == ["Migrations run with alembic"]
    assert desk.texts("recall", query="alembic migrations", sensitivity="unknown") == ["Migrations run with alembic"]


def test_without_classification_an_explicit_sensitivity_still_counts(desk: Desk) -> None:
    memory = desk.remember("Migrations", sensitivity="public", flags={"admit.classify": False})
    assert memory.sensitivity is Sensitivity.PUBLIC


@pytest.mark.parametrize("level", ["private", "secret"])
def test_private_memories_are_shown_only_when_asked_for(desk: Desk, level: str) -> None:
    desk.remember("The gate is green", sensitivity=level)
    assert desk.texts() == []
    assert desk.texts("recall", query="gate green") == []
    assert desk.texts(private=True) == ["The gate is green"]
    assert desk.texts("recall", query="gate green", private=True) == ["The gate is green"]


def test_a_correction_stays_as_private_as_what_it_corrects(desk: Desk) -> None:
    memory = desk.remember("The gate is green", sensitivity="private")
    assert desk.ask("correct", id=memory.id, text="The gate is blue").memory.sensitivity is Sensitivity.PRIVATE


def test_a_model_that_says_a_private_text_again_learns_nothing_else_about_it(desk: Desk) -> None:
    desk.remember("The gate is green", sensitivity="private", title="Where Ann lives", tags=["ann"], session="s-ann")
    outcome = desk.ask("remember", text="The gate is green", as_=MODEL)
    assert isinstance(outcome, Duplicate)
    assert "ann" not in str(outcome).lower().replace("annotation", "")
    assert desk.texts() == []


def test_a_contradiction_does_not_tell_the_words_of_a_private_memory(desk: Desk) -> None:
    desk.remember("The default port of the vault is 8080", sensitivity="private")
    outcome = desk.ask("remember", text="The default port of the vault is 9090", as_=MODEL)
    assert any("contradicts mem_" in note for note in outcome.notes)
    assert "8080" not in " ".join(outcome.notes)
