"""Verifying finds whatever was changed by hand."""

from __future__ import annotations

from limpet.operations import verify
from tests.operations.sandbox import Sandbox

TEXT = "Migrations run with alembic"


def test_an_untouched_store_passes(sandbox: Sandbox) -> None:
    first = sandbox.remember(TEXT)
    sandbox.ask("correct", id=first.id, text=f"{TEXT} 1.13")
    answer = sandbox.ask("verify")
    assert (answer.problems, answer.memories, answer.signed) == ((), 2, 0)


def test_an_edited_journal_is_seen_and_not_believed(sandbox: Sandbox) -> None:
    sandbox.remember(TEXT)
    path = next((sandbox.home / "journal").rglob("0*.jsonl"))
    path.write_bytes(path.read_bytes().replace(b"alembic", b"mayhem!"))
    with sandbox.open() as runtime:
        problems = verify.run(runtime).problems
        assert problems or any("damaged" in notice for notice in runtime.store.notices)
    assert sandbox.texts() == [TEXT]
