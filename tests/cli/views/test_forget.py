"""What was forgotten is named, with how to bring it back."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_one_forgotten_memory_names_the_command_that_restores_it(shell: Shell) -> None:
    id = shell.remember("The port is 9090")
    done = shell.say("forget", id)
    assert (done.out, done.err) == (f"forgot {id}  The port is 9090\n", "")


def test_a_preview_says_would(shell: Shell) -> None:
    id = shell.remember("The port is 9090")
    assert shell.say("forget", id, "--dry-run").out == f"would forget {id}  The port is 9090\n"
