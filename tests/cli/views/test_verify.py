"""A verification ends with a verdict and its counts."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_a_healthy_store_is_well_and_a_damaged_one_counts_its_problems(shell: Shell) -> None:
    shell.remember("The port is 9090")
    assert shell.say("verify").out.startswith("all is well: ")
    (shell.home / "index.db").unlink()
    rows = shell.say("verify").out.splitlines()
    assert rows[0].startswith("⚠ ") and rows[-1].startswith("1 problem: ")
