"""Secrets and private passages never reach the disk, whichever field they come in by."""

from __future__ import annotations

from typing import Any

import pytest

from limpet.model.memory import Sensitivity
from limpet.model.outcome import Admitted
from tests.doors.refusals import TEXT, assert_refused
from tests.operations.sandbox import Sandbox

# Put together at run time, so that nothing here looks like a secret to a scanner.
TOKEN = "ghp" + "_" + "x7Kq9Zr2LmW4tB8vNcD3sF6hJ1pQ5yUaEoGi"
PASSWORD = "tr0ub4dor" + "&3-Zebra"
URL = f"postgres://shop:{PASSWORD}@db.internal/shop"
KEY = "\n".join(
    ("-----BEGIN " + "PRIVATE KEY-----", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" * 2, "-----END " + "PRIVATE KEY-----")
)
SECRETS = {"token": TOKEN, "password": f"password={PASSWORD}", "url": URL, "key": KEY}
CAUGHT = {"token": TOKEN, "password": PASSWORD, "url": PASSWORD, "key": "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC"}


def gone(sandbox: Sandbox, secret: str) -> bool:
    return sandbox.files_with(secret) == [] and sandbox.files_with(secret.lower()) == []


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_in_the_text_is_named_and_never_kept(sandbox: Sandbox, name: str) -> None:
    outcome = sandbox.ask("remember", text=f"For the deploy job use {SECRETS[name]} and nothing else")
    assert isinstance(outcome, Admitted)
    assert outcome.redacted
    assert all(f"[REDACTED:{kind}]" in outcome.memory.original_content for kind in outcome.redacted)
    assert "and nothing else" in outcome.memory.content or name == "key"
    assert gone(sandbox, CAUGHT[name])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", f"use {TOKEN} there"),
        ("subtitle", f"use {TOKEN} there"),
        ("tags", [TOKEN, "fine"]),
        ("files", [f"notes/{TOKEN}.txt"]),
    ],
)
def test_a_secret_in_any_other_field_is_named_and_never_kept(sandbox: Sandbox, field: str, value: Any) -> None:
    outcome = sandbox.ask("remember", text="The deploy job has a token of its own", **{field: value})
    assert isinstance(outcome, Admitted)
    assert outcome.redacted == ("github-token",)
    assert outcome.memory.sensitivity is Sensitivity.PRIVATE
    assert gone(sandbox, TOKEN)


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_secret_in_a_fact_is_named_and_never_kept(sandbox: Sandbox, at: int) -> None:
    words = ["deploy", "uses", "vault"]
    words[at] = f"x {TOKEN}"
    answer = sandbox.ask("facts", action="add", words=words)
    assert answer.redacted == ("github-token",)
    assert gone(sandbox, TOKEN)


def test_a_secret_in_a_correction_or_a_reason_is_never_kept(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The deploy job has a token of its own")
    better = sandbox.ask("correct", id=memory.id, text=f"The deploy token is {TOKEN}", title=f"about {TOKEN}")
    assert better.redacted == ("github-token", "github-token")
    sandbox.ask("forget", ids=[memory.id], reason=f"because {TOKEN} was in it")
    assert "[REDACTED:github-token]" in str(sandbox.json("blame", id=memory.id))
    assert gone(sandbox, TOKEN)


def test_what_was_caught_twice_is_one_memory(sandbox: Sandbox) -> None:
    first = sandbox.remember(f"The deploy token is {TOKEN}")
    again = sandbox.ask("remember", text=f"The deploy token is {TOKEN[:-4]}Wxyz")
    assert again.memory.id == first.id


def test_redaction_can_be_switched_off_by_the_owner_only_in_settings(sandbox: Sandbox) -> None:
    sandbox.ask("remember", text=f"The deploy token is {TOKEN}", flags={"admit.redact": False})
    assert sandbox.files_with(TOKEN) != []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("The gate code <private>is marzipan</private> changes weekly", "The gate code  changes weekly"),
        ("Before <PRIVATE reason='x'>one</PRIVATE> between <private>two</private> after", "Before  between  after"),
        ("Kept <private>never closed marzipan", "Kept"),
        ("Kept <private>a <private>b</private> marzipan</private> too", "Kept  too"),
    ],
)
def test_a_private_part_is_never_stored(sandbox: Sandbox, text: str, kept: str) -> None:
    outcome = sandbox.ask("remember", text=text)
    assert isinstance(outcome, Admitted)
    assert outcome.memory.original_content == kept
    assert any("left out" in note and "private passage" in note for note in outcome.notes)
    assert sandbox.files_with("marzipan") == []


def test_a_private_part_of_a_title_or_tag_is_never_stored(sandbox: Sandbox) -> None:
    sandbox.remember(
        "The gate has a code",
        title="Gate <private>marzipan</private>",
        tags=["gate<private>marzipan</private>"],
        subtitle="a",
    )
    assert sandbox.files_with("marzipan") == []


def test_a_text_that_is_all_private_is_refused(sandbox: Sandbox) -> None:
    assert "add text that may be kept" in sandbox.ask("remember", text="<private>marzipan</private>").reason


@pytest.mark.parametrize("name", ["importance", "difficulty", "confidence"])
@pytest.mark.parametrize("value", [-0.1, 1.01, 5, float("nan"), float("inf"), float("-inf")])
def test_a_share_must_lie_between_0_and_1(sandbox: Sandbox, name: str, value: float) -> None:
    assert_refused(sandbox, f"{name} is {value!r}; give a number between 0 and 1", **{name: value})


@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf"), 1e9])
def test_a_time_to_live_must_be_a_number_of_days(sandbox: Sandbox, value: float) -> None:
    assert_refused(sandbox, "give a number of days", ttl_days=value)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("tags", ["t" * 65], "tags has 65 characters and 64 are allowed; shorten it"),
        ("tags", ["t" * 2_000_000], "2,000,000 characters"),
        ("tags", [f"tag{n}" for n in range(33)], "33 are too many; give at most 32"),
        ("tags", ["fine", "ba\x07d"], "control character"),
        ("tags", ["nul\0"], "control character"),
        ("tags", ["half\ud800"], "save it as UTF-8"),
        ("title", "t" * 201, "title has 201 characters and 200 are allowed; shorten it"),
        ("title", "\x1b[2J", "control character"),
        ("title", "half\udfff", "save it as UTF-8"),
        ("subtitle", "s" * 301, "subtitle has 301 characters and 300 are allowed; shorten it"),
        ("subtitle", "bell\x07", "control character"),
        ("files", ["f" * 1001], "files has 1,001 characters"),
        ("files", [f"src/{n}.py" for n in range(201)], "201 are too many; give at most 200"),
        ("files", ["a\x1bb.py"], "control character"),
    ],
)
def test_an_unfit_field_is_refused_like_an_unfit_text(sandbox: Sandbox, field: str, value: Any, said: str) -> None:
    assert_refused(sandbox, said, **{field: value})


def test_fields_are_made_tidy(sandbox: Sandbox) -> None:
    memory = sandbox.remember(
        TEXT, tags=["#Deploy", "deploy", " ", "#", "Ci"], title="  two\n words ", files=["a.py", "a.py", ""]
    )
    assert memory.tags == ("deploy", "ci")
    assert memory.title == "two words"
    assert memory.files_read == ("a.py",)
