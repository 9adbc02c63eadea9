"""Memories are drawn by kind, with their links."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_memories_hang_below_their_kind_and_links_below_their_memory(shell: Shell) -> None:
    shell.remember("The default port of the API is 8080", "--kind", "LEARNINGS")
    shell.remember("The default port of the API is 9090", "--kind", "LEARNINGS")
    rows = shell.say("graph").out.splitlines()
    assert rows[0] == "LEARNINGS"
    assert rows[1].startswith("├─● mem_") and rows[1].endswith("The default port of the API is 9090")
    assert any("─contradicts→" in row for row in rows)
    assert any(row.startswith("└─● mem_") for row in rows)


def test_without_memories_it_says_so(shell: Shell) -> None:
    assert "no memories here yet" in shell.say("graph").err
