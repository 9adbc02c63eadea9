"""What was removed is counted, and it is said that no memory is forgotten."""

from __future__ import annotations

from tests.cli.shell import Shell
from tests.operations.sandbox import give_code


def test_the_files_go_and_the_memories_stay(shell: Shell) -> None:
    shell.remember("The port is 9090")
    shell.say("share", "--yes", "--code", give_code(shell.home, "share"))
    assert "1 file would be removed" in shell.say("unshare", "--dry-run").err
    done = shell.say("unshare", "--yes", "--code", give_code(shell.home, "unshare"))
    assert done.code == 0 and done.out.startswith("removed 1 file from") and "no memory was forgotten" in done.out
    assert "The port is 9090" in shell.say("list").out
