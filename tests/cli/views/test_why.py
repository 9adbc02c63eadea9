"""A receipt says when, how and what was given."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_a_memory_that_was_recalled_is_shown_with_its_receipt(shell: Shell) -> None:
    id = shell.remember("Migrations run with alembic")
    assert "it has not been given to an agent yet" in shell.say("why", id).err
    shell.say("recall", "alembic")
    first, row, *_ = shell.say("why", id, "--asked").out.splitlines()
    assert "recalled" in first and first.endswith(" tokens")
    assert row == f"  {id[:18]}  Migrations run with alembic"
