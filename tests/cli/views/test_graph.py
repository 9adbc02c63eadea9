"""Memories are drawn by kind, with their links."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_memories_hang_below_their_kind_and_links_below_their_memory(shell: Shell) -> None:
    shell.remember("Squash the commits of a branch before merging", "--kind", "LEARNINGS")
    shell.remember("Never squash the commits of a branch before merging", "--kind", "LEARNINGS")
    rows = shell.say("graph").out.splitlines()
    assert rows[0] == "LEARNINGS"
    assert rows[1].startswith("├─● mem_") and rows[1].endswith("Never squash the commits of a branch before merging")
    assert any("─contradicts→" in row for row in rows)
    assert any(row.startswith("└─● mem_") for row in rows)


def test_without_memories_it_says_so(shell: Shell) -> None:
    assert "no memories here yet" in shell.say("graph").err


def test_the_hint_shows_the_next_page(shell: Shell) -> None:
    for number in range(3):
        shell.remember(f"Thing number {number}", "--kind", "LEARNINGS")
    first = shell.say("graph", "--limit", "2")
    assert "1 more: --offset 2" in first.err
    last = shell.say("graph", "--limit", "2", "--offset", "2")
    assert (len(last.out.splitlines()), last.err) == (2, "")
    assert "there are only 3; give a lower --offset" in shell.say("graph", "--offset", "7").err
