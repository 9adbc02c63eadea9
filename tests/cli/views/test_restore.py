"""A restored memory is reported in one line."""

from __future__ import annotations

from tests.cli.shell import Shell
from tests.operations.sandbox import give_code


def test_a_restored_memory_says_how_it_came_back(shell: Shell) -> None:
    id = shell.remember("The port is 9090")
    shell.ask("forget", id)
    done = shell.say("restore", id, "--code", give_code(shell.home, "restore"))
    assert done.out.startswith(f"{id}  ") and len(done.out.splitlines()) == 1
