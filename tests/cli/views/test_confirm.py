"""The answer to a confirmation names what was confirmed."""

from __future__ import annotations

from tests.cli.shell import Shell
from tests.operations.sandbox import give_code


def test_a_confirmed_memory_is_named_with_its_headline(shell: Shell) -> None:
    id = shell.remember("The port is 9090", "--origin", "external")
    done = shell.say("confirm", id, "--code", give_code(shell.home, "confirm"))
    assert (done.code, done.out) == (0, f"confirmed {id}  The port is 9090\n")
