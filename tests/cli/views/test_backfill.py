"""A backfill says what was read, or where it has looked."""

from __future__ import annotations

from tests.cli.shell import Shell
from tests.hosts.recorded import entry, write_lines


def test_without_sessions_it_says_where_it_has_looked(shell: Shell) -> None:
    (shell.folder / "empty").mkdir()
    done = shell.say("backfill", str(shell.folder / "empty"))
    assert f"no sessions found in {shell.folder / 'empty'}" in done.out + done.err


def test_one_unread_line_is_spoken_of_as_one(shell: Shell) -> None:
    lines = [
        entry("user", "add a retry to the client", cwd=str(shell.cwd)),
        '{"type":"user","message":',
        entry("user", "thanks", second=9),
    ]
    write_lines(shell.nobody / ".claude" / "projects" / "-p" / "s-1.jsonl", lines)
    assert "1 line could not be read and was skipped" in shell.say("backfill").out
