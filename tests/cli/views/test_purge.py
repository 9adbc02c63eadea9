"""What was purged is named by its id alone."""

from __future__ import annotations

from tests.cli.shell import Shell
from tests.operations.sandbox import give_code


def test_a_purged_memory_is_not_shown_with_its_text(shell: Shell) -> None:
    id = shell.remember("The port is 9090")
    done = shell.say("purge", id, "--yes", "--code", give_code(shell.home, "purge"))
    assert (done.code, done.out) == (0, f"purged {id}\n")
