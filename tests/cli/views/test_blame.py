"""The history of a memory is shown with one line per change."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_each_change_is_a_line_with_its_actor_and_device(shell: Shell) -> None:
    id = shell.remember("The port is 9090")
    shell.ask("pin", id)
    title, made, pinned = shell.say("blame", id).out.splitlines()
    assert title == f"{id}  The port is 9090"
    assert "admit" in made and " on d" in made
    assert "pin" in pinned and " by " in pinned
