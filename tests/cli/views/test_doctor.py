"""The doctor ends with a verdict."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_a_healthy_home_is_well(shell: Shell) -> None:
    shell.remember("The port is 9090")
    rows = shell.say("doctor").out.splitlines()
    assert rows[-1] == "all is well" or rows[-1].startswith("nothing is damaged")
    assert any(row.startswith("home ") for row in rows)


def test_damage_is_a_marked_line_that_says_what_mends_it(shell: Shell) -> None:
    shell.remember("The port is 9090")
    (shell.home / "index.db").unlink()
    assert any(
        row.startswith("⚠ ") and row.endswith("(--fix repairs it)") for row in shell.say("doctor").out.splitlines()
    )
