"""On the first day the best notes are offered for a decision, and the block of the next session is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.notes import FIRST, SECOND, THIRD, capture, kept, waiting
from tests.cli.shell import Done, Shell, plain
from tests.learning.sessions import make

BLOCK = "The next session in shop is told:\n[LTM:Anima@shop]\n"


@pytest.fixture
def you(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the home folder of a user of Claude Code whose program is not on the path."""
    monkeypatch.setenv("PATH", str(shell.nobody / "bin"))
    (shell.nobody / ".claude").mkdir()
    return shell.nobody


@pytest.mark.usefixtures("you")
def test_setup_ends_with_the_best_notes_and_the_block(notes: Shell) -> None:
    done = notes.on_a_terminal("setup", typed="nkdn")
    shown = plain(done.out)
    assert done.code == 0
    assert "The best of 3 notes." in shown and "1 kept, 1 dropped; 1 note left" in shown
    assert f"{BLOCK}~ARCH:MED| {FIRST}\n[/LTM]\n" in shown
    assert (kept(notes), waiting(notes)) == ([FIRST], [THIRD])


@pytest.mark.usefixtures("you")
@pytest.mark.parametrize("key", ["\x1b", "\x03"])
def test_ending_it_early_loses_nothing_and_still_shows_the_block(notes: Shell, key: str) -> None:
    done = notes.on_a_terminal("setup", answers=[("y yes", "n"), (FIRST, "k"), (SECOND, key)])
    assert done.code == 0
    assert BLOCK in plain(done.out)
    assert (kept(notes), waiting(notes)) == ([FIRST], [SECOND, THIRD])


@pytest.mark.usefixtures("you")
def test_ten_notes_are_enough(shell: Shell) -> None:
    capture(shell, *(f"Rule number {number} about part {number}" for number in range(12)))
    done = shell.on_a_terminal("setup", typed="n" * 11)
    assert "10 of 10" in plain(done.out) and "12 notes left" in plain(done.out)


@pytest.mark.usefixtures("you")
def test_without_a_terminal_there_is_the_block_and_one_line(notes: Shell) -> None:
    notes.remember("The API speaks JSON")
    for done in (notes.say("setup"), notes.start("setup", stdin=b"kkk")):
        assert BLOCK in done.out and "The API speaks JSON" in done.out
        assert done.err == "limpet: 3 notes wait for a decision: limpet inbox\n"
    assert len(waiting(notes)) == 3


@pytest.mark.usefixtures("you")
@pytest.mark.parametrize("words", [("--dry-run",), ("--json",)])
def test_a_dry_run_and_json_show_neither(notes: Shell, words: tuple[str, ...]) -> None:
    done = notes.on_a_terminal("setup", *words)
    assert "next session" not in done.out.replace("from its next session", "") and FIRST not in done.out


@pytest.mark.usefixtures("you")
def test_inside_an_agent_nobody_is_asked(notes: Shell) -> None:
    done = notes.on_a_terminal("setup", env={"CLAUDECODE": "1"})
    assert FIRST not in done.out and len(waiting(notes)) == 3


@pytest.mark.usefixtures("you")
def test_an_empty_memory_has_nothing_to_show(shell: Shell) -> None:
    done = shell.on_a_terminal("setup", typed="n")
    assert done.code == 0 and "is told" not in done.out
    assert not (shell.home / "index.db").exists()


def backfill(shell: Shell, **options: str) -> Done:
    make(shell.nobody / ".claude", [shell.cwd], 2)
    return shell.on_a_terminal("backfill", **options)  # type: ignore[arg-type]


def test_backfill_ends_with_them_too(shell: Shell) -> None:
    done = backfill(shell, typed="kq")
    assert "1 kept; " in plain(done.out) and BLOCK in plain(done.out)
    assert "At the next session, ask your agent: review the notes." in plain(done.out)
    again = shell.on_a_terminal("backfill")
    assert plain(again.out) == "nothing new: all sessions on disk have been read\n"


def test_in_a_folder_without_memories_all_projects_are_shown(shell: Shell) -> None:
    elsewhere = shell.folder / "elsewhere"
    elsewhere.mkdir()
    home, shell.cwd = shell.cwd, elsewhere
    make(shell.nobody / ".claude", [home], 2)
    done = shell.on_a_terminal("backfill", typed="kq")
    assert "1 kept; " in plain(done.out) and BLOCK in plain(done.out)
