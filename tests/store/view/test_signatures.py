"""A record that the key does not prove is kept, and never told unasked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.inject.injecting import inject
from tests.operations.sandbox import Sandbox
from tests.store.forging import forge, read_records, unsigned, with_unsigned, write_records
from tests.store.homes import remove_index

TEXT = "Migrations run with alembic"


def segment(sandbox: Sandbox) -> Path:
    return next((sandbox.home / "journal").rglob("0*.jsonl"))


@pytest.mark.parametrize("verb", ["confirm", "supersede", "pin"])
def test_a_memory_with_a_forged_change_is_not_told_and_recall_warns(sandbox: Sandbox, verb: str) -> None:
    memory = sandbox.ask("sign") and sandbox.remember(TEXT)
    assert "alembic" in inject(sandbox)
    forge(sandbox.home, with_unsigned("feedback" if verb == "supersede" else verb))
    assert "alembic" not in inject(sandbox)
    (hit,) = sandbox.ask("recall", query="alembic migrations").items
    assert hit.memory.id == memory.id
    assert hit.stored.failed


def test_a_forged_change_is_not_made_good_by_a_later_write(sandbox: Sandbox) -> None:
    sandbox.ask("sign")
    sandbox.remember(TEXT)
    path = segment(sandbox)
    write_records(path, with_unsigned("pin")(read_records(path)))
    sandbox.remember("Deploys go through the job")
    sandbox.ask("sign")
    sandbox.ask("sign", new_key=True)
    for _ in range(2):
        assert not sandbox.json("verify")["ok"]
        assert "alembic" not in inject(sandbox)
        remove_index(sandbox.home)
        sandbox.ask("list")


def test_what_was_written_before_the_key_is_vouched_for_and_nothing_can_be_added_to_it(sandbox: Sandbox) -> None:
    memory = sandbox.remember(TEXT)
    path = segment(sandbox)
    sandbox.ask("sign")
    remove_index(sandbox.home)
    sandbox.ask("list")
    assert sandbox.json("verify")["ok"]
    assert "alembic" in inject(sandbox)
    # A segment of its own, with the date of the unsigned past.
    write_records(path.with_name("000002.jsonl"), [unsigned(record) for record in read_records(path)[:3]][:1])
    header, body = unsigned(read_records(path)[-1])
    write_records(path.with_name("000003.jsonl"), [({**header, "id": "0" * 26, "verb": "pin", "sub": memory.id}, body)])
    found = sandbox.json("verify")
    assert {problem["subject"] for problem in found["problems"]} == {memory.id}
    assert "alembic" not in inject(sandbox)
