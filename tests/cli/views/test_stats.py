"""Counts are shown by every property, and the size on disk."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_each_property_has_a_line_of_counts(shell: Shell) -> None:
    shell.remember("The port is 9090")
    rows = shell.say("stats").out.splitlines()
    assert rows[0] == "Anima in shop: 1 memory"
    assert "  status      live 1" in rows and "  phase       full 1" in rows
    assert any(row.startswith("  on disk") and str(shell.home) in row for row in rows)
