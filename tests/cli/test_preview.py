"""What cannot be undone is asked for first."""

from __future__ import annotations

import pytest

from tests.cli.shell import Shell
from tests.operations.sandbox import give_code


@pytest.mark.parametrize(("typed", "left"), [("n\n", 1), ("\n", 1), ("yes please\n", 1), ("y\n", 0), ("YES\n", 0)])
def test_a_purge_asks_first(shell: Shell, typed: str, left: int) -> None:
    id = shell.remember("Migrations run with alembic")
    done = shell.on_a_terminal("purge", id[:14], typed=typed)
    assert "would purge" in done.out and "Erase 1 memory for good, from every file? [y/N]" in done.out
    assert done.code == left
    assert shell.ask("list")["total"] == left
    assert ("nothing was changed" in done.out) == bool(left)


def test_a_purge_that_cannot_ask_needs_a_code(shell: Shell) -> None:
    id = shell.remember("Migrations run with alembic")
    for words in ((), ("--yes",)):
        done = shell.on_a_terminal("purge", id, *words, piped=b"y\n")
        assert done.code == 1 and "run this on a terminal" in done.out
    assert shell.ask("list")["total"] == 1
    assert shell.start("purge", id, "--code", give_code(shell.home, "purge")).code == 0
    assert shell.ask("list")["total"] == 0
