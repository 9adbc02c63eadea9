"""A correction is shown like a new memory."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_a_correction_shows_its_version_and_what_it_corrects(shell: Shell) -> None:
    id = shell.remember("The port is 8080")
    rows = shell.say("correct", id, "The port is 9090").out.splitlines()
    assert rows[0].startswith("remembered mem_")
    assert rows[2] == f"  version 2, corrects {id}"


def test_a_memory_is_moved_without_its_text(shell: Shell) -> None:
    id = shell.remember("The port is 8080", "--region", "AGENT")
    rows = shell.say("correct", id, "--region", "PROJECT").out.splitlines()
    assert (rows[0].split()[-1], rows[1]) == ("PROJECT", "  The port is 8080")
    rows = shell.say("correct", id, "--region", "AGENT", "The port is 9090").out.splitlines()
    assert (rows[0].split()[-1], rows[1]) == ("AGENT", "  The port is 9090")
