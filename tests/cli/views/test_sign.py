"""Signing names the new key and counts the memories."""

from __future__ import annotations

from tests.cli.shell import Shell
from tests.operations.sandbox import give_code


def test_the_new_key_is_named_and_the_memories_are_counted(shell: Shell) -> None:
    shell.remember("The port is 9090")
    rows = shell.say("sign", "--code", give_code(shell.home, "sign")).out.splitlines()
    assert rows[0].startswith("created key ")
    assert rows[1] == "signed 1 memory"
