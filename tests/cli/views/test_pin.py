"""The answer to pinning shows the headline of the memory."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_a_memory_is_pinned_and_unpinned(shell: Shell) -> None:
    id = shell.remember("The port is 9090")
    assert shell.say("pin", id).out == f"pinned {id}  The port is 9090\n"
    assert shell.say("pin", id, "--off").out == f"unpinned {id}  The port is 9090\n"
