"""An uninstall is reported in one line."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_where_nothing_was_set_up_only_the_memories_are_spoken_of(shell: Shell) -> None:
    done = shell.say("uninstall")
    assert (done.code, done.out) == (0, "note: there were no memories\n")
