"""A list has one row per memory."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_a_row_has_id_kind_date_status_and_headline(shell: Shell) -> None:
    id = shell.remember("The port is 9090")
    row = shell.say("list").out.rstrip("\n").split("\t")
    assert (row[0], row[3], row[4]) == (id, "", "The port is 9090")
    assert ":" in row[1]
    shell.ask("forget", id)
    assert shell.say("list", "--all").out.split("\t")[3] == "forgotten"


def test_beyond_the_end_it_says_how_many_there_are(shell: Shell) -> None:
    shell.remember("The port is 9090")
    assert "no more: there are only 1" in shell.say("list", "--offset", "5").err
