"""A person can type the command that fills a status line."""

from __future__ import annotations

from tests.cli.notes import capture
from tests.cli.shell import Shell


def test_without_a_session_it_counts_the_notes_that_wait(shell: Shell) -> None:
    assert shell.on_a_terminal("statusline").out == ""
    capture(shell, "Use uv here, never pip")
    done = shell.on_a_terminal("statusline")
    assert (done.code, done.out) == (0, "Limpet: 1 waits")


def test_a_wrong_option_does_not_fail(shell: Shell) -> None:
    done = shell.start("statusline", "--bogus")
    assert (done.code, done.out) == (0, "") and "--bogus" in done.err
