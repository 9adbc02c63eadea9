"""A sync says what it has done, and names each file that it could not read."""

from __future__ import annotations

from tests.cli.shell import Shell
from tests.operations.sandbox import give_code


def test_what_came_in_and_what_was_refused_is_said(shell: Shell) -> None:
    shell.say("share", "--yes", "--code", give_code(shell.home, "share"))
    folder = shell.cwd / ".claude" / "ltm" / "memories"
    (folder / "a.md").write_text("The port is 9090.\n")
    (folder / "b.md").write_bytes(b"\xff\xfe")
    done = shell.say("sync")
    assert (done.code, done.out) == (1, "took in 1 new file\n")
    assert "b.md was not read: it is not UTF-8" in done.err
    assert "limpet confirm --project" in done.err


def test_when_all_agrees_that_is_said(shell: Shell) -> None:
    shell.say("share", "--yes", "--code", give_code(shell.home, "share"))
    done = shell.say("sync")
    assert (done.code, done.out) == (0, "")
    assert "agree" in done.err
