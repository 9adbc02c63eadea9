"""What a person sees of a stash."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_the_path_is_printed_and_the_folder_announced_once(shell: Shell) -> None:
    done = shell.start("stash", "lunch", "--text", "-", stdin=b"# Lunch\n\n- the test is open\n")
    path = shell.cwd / ".claude" / "stash" / "lunch.md"
    assert done.code == 0, done.err
    assert path.read_text("utf-8") == "# Lunch\n\n- the test is open\n"
    assert f"stashed {path}" in done.out and "keeps it out of git" in done.out
    again = shell.say("stash", "lunch", "--text", "more")
    assert "lunch-2.md" in again.out and "keeps it out of git" not in again.out


def test_many_stashes_are_mentioned_once(shell: Shell) -> None:
    said = [shell.say("stash", f"s{number}", "--text", "x").err for number in range(7)]
    assert ["5 stashes wait" in each for each in said] == [False] * 4 + [True] + [False] * 2
