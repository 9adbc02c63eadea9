"""The demo is a transcript: comments, commands, what they print, and what to do next."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_commands_stand_behind_a_prompt_and_the_next_steps_at_the_end(shell: Shell) -> None:
    rows = shell.say("demo").out.splitlines()
    assert rows[0].startswith("# ")
    assert any(row.startswith("$ limpet recall") for row in rows)
    ending = rows[rows.index("That was a temporary home, deleted now. Yours is ~/.limpet. Next:") :]
    assert any(row.split()[:2] == ["limpet", "setup"] for row in ending)


def test_no_line_is_wider_than_can_be_read(shell: Shell) -> None:
    words = [row for row in shell.say("demo").out.splitlines() if row.startswith(("# ", "user ", "agent"))]
    assert words and max(map(len, words)) <= 88
