"""A backfill says what was read, or where it has looked."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_without_sessions_it_says_where_it_has_looked(shell: Shell) -> None:
    (shell.folder / "empty").mkdir()
    done = shell.say("backfill", str(shell.folder / "empty"))
    assert f"no sessions found in {shell.folder / 'empty'}" in done.out + done.err
