"""A related memory is a row with the reason."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_a_row_says_why_a_memory_is_related(shell: Shell) -> None:
    first = shell.remember("The default port of the API is 8080")
    second = shell.remember("The default port of the API is 9090")
    id, _, why, _, text = shell.say("related", first).out.splitlines()[0].split("\t")
    assert (id, text) == (second, "The default port of the API is 9090")
    assert why


def test_a_memory_that_stands_alone_has_none(shell: Shell) -> None:
    assert "no related memories" in shell.say("related", shell.remember("The port is 9090")).err
