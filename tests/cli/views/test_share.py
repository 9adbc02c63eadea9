"""The list of what is shared is shown first, and the person is asked."""

from __future__ import annotations

from tests.cli.shell import Shell
from tests.operations.sandbox import give_code


def test_a_dry_run_lists_what_would_be_written(shell: Shell) -> None:
    id = shell.remember("The port is 9090")
    done = shell.say("share", "--dry-run")
    assert done.code == 0
    assert done.out.startswith(f"{id}  ") and "The port is 9090" in done.out
    assert "1 memory would be written to" in done.err


def test_what_was_written_is_counted(shell: Shell) -> None:
    shell.remember("The port is 9090")
    done = shell.say("share", "--yes", "--code", give_code(shell.home, "share"))
    assert (done.code, done.out) == (0, "wrote 1 file\n")
    assert "commit" in done.err
