"""Episodes are headed by their day."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_an_episode_has_its_day_and_a_line_for_each_memory(shell: Shell) -> None:
    id = shell.remember("The port is 9090")
    head, row = shell.say("timeline").out.splitlines()
    assert head[:4].isdigit() and head.count("-") == 2
    assert id in row and row.endswith("The port is 9090")


def test_without_memories_it_says_so(shell: Shell) -> None:
    assert "no memories here" in shell.say("timeline").err
