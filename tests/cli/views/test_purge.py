"""What was purged is named by its id alone."""

from __future__ import annotations

from tests.cli.shell import Shell
from tests.operations.sandbox import give_code


def test_a_purged_memory_is_not_shown_with_its_text(shell: Shell) -> None:
    id = shell.remember("The port is 9090")
    done = shell.say("purge", id, "--yes", "--code", give_code(shell.home, "purge"))
    assert (done.code, done.out) == (0, f"purged {id}\n")


def test_the_files_that_were_touched_are_named(shell: Shell) -> None:
    text = "We paint every zebra crossing white, because Ann said so."
    id = shell.remember(text)
    stash = shell.cwd / ".claude" / "stash" / "a.md"
    stash.parent.mkdir(parents=True)
    stash.write_text(f"- {text}\n- Something else.\n")
    done = shell.say("purge", id, "--yes", "--code", give_code(shell.home, "purge"))
    assert (done.code, done.out) == (0, f"purged {id}\nerased the text in {stash}\n")
    stash.write_text(f"- {text}\n")
    stash.chmod(0o400)
    again = shell.remember(text)
    done = shell.say("purge", again, "--yes", "--code", give_code(shell.home, "purge"))
    assert done.code == 1 and f"{stash} still holds the text: it is write-protected" in done.err
