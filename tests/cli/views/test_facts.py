"""Each fact is a row; a fact that a newer one has ended is shown as no longer valid."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_a_new_value_says_what_no_longer_holds(shell: Shell) -> None:
    shell.say("facts", "add", "api", "port", "8080")
    done = shell.say("facts", "add", "api", "port", "9090")
    row, closed = done.out.splitlines()
    assert row.split("\t")[1:4] == ["api", "port", "9090"]
    assert closed == "no longer holds: api port 8080"


def test_without_facts_it_says_so(shell: Shell) -> None:
    assert "no facts" in shell.say("facts").err
