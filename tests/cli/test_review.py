"""Notes are shown one after the other on a terminal, and one key decides about each."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from limpet.cli.keypress import QUIT
from limpet.cli.review import review_notes
from limpet.curating.waiting import read_inbox
from limpet.forms.terminal import Output
from limpet.model.memory import Draft, Origin, Sensitivity
from tests.cli.notes import FIRST, SECOND, THIRD, capture, kept, waiting
from tests.cli.shell import Shell, controls, plain
from tests.learning.sessions import Session, write
from tests.operations.sandbox import Sandbox

KEYS = "k keep   e edit   d drop   n next   u undo   a all the rest   q quit"


def test_each_note_is_shown_whole_with_kind_source_and_date(notes: Shell) -> None:
    done = notes.on_a_terminal("inbox", typed="q")
    shown = plain(done.out)
    assert KEYS in shown
    assert "1 of 3   ARCH:MED   you said it, 20" in shown and "session 4f2a9c01" in shown
    assert f"\n  {FIRST}\n" in shown
    assert SECOND not in shown
    assert "nothing was decided; 3 notes left" in shown


def test_one_key_decides_and_each_decision_is_written(notes: Shell) -> None:
    done = notes.on_a_terminal("inbox", typed="kdn")
    assert done.code == 0
    assert "1 kept, 1 dropped; 1 note left" in plain(done.out)
    assert (kept(notes), waiting(notes)) == ([FIRST], [THIRD])


def test_undo_brings_the_last_decision_back_and_asks_again(notes: Shell) -> None:
    done = notes.on_a_terminal("inbox", typed="dnukq")
    shown = plain(done.out)
    assert shown.count(f"  {FIRST}\n") == 2
    assert "undone" in shown and "1 kept; 2 notes left" in shown
    assert kept(notes) == [FIRST]


def test_undo_without_a_decision_says_so(notes: Shell) -> None:
    assert "there is nothing to undo" in notes.on_a_terminal("inbox", typed="uq").out


def test_an_undo_that_is_refused_says_why_and_not_that_it_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox = Sandbox(tmp_path)

    def press() -> str:
        if (key := keys.pop(0)) == "u":
            # Another process forgets the words of the note meanwhile.
            sandbox.ask("forget", ids=[sandbox.remember(FIRST).id])
        return key

    keys, stream = ["e", "u", QUIT], io.StringIO()
    monkeypatch.setattr("limpet.cli.review.read_letter", press)
    monkeypatch.setattr("limpet.cli.editor.edit_text", lambda text, home: f"{text} or conda")
    with sandbox.open() as runtime:
        for text, importance in ((FIRST, 0.5), (SECOND, 0.4)):
            door = runtime.admission(actor="capture:anima")
            door.admit(Draft(text=text, origin=Origin.TOOL, importance=importance))
            runtime.write(door.changes)
        review_notes(runtime, read_inbox(runtime, limit=2), Output(stream))
    shown = stream.getvalue()
    assert "\nnot undone: this was forgotten" in shown and "\nundone" not in shown
    assert "1 edited; 1 note left" in shown


@pytest.mark.parametrize("key", ["k", "d", "e"])
def test_a_note_that_was_dropped_elsewhere_meanwhile_is_not_decided_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    sandbox, stream = Sandbox(tmp_path), io.StringIO()

    def press() -> str:
        sandbox.ask("inbox", drop=[sandbox.json("inbox")["memories"][0]["id"]])
        return key

    monkeypatch.setattr("limpet.cli.review.read_letter", press)
    with sandbox.open() as runtime:
        door = runtime.admission(actor="capture:anima")
        door.admit(Draft(text=FIRST, origin=Origin.USER))
        runtime.write(door.changes)
        review_notes(runtime, read_inbox(runtime, limit=2), Output(stream))
    shown = stream.getvalue()
    assert "decided elsewhere meanwhile" in shown and "nothing was decided; no notes left" in shown


def test_the_notes_that_are_left_are_counted_as_they_were_asked_for(shell: Shell) -> None:
    capture(shell, FIRST)
    here, shell.cwd = shell.cwd, shell.folder / "other"
    shell.cwd.mkdir()
    done = shell.on_a_terminal("inbox", "--all-projects", typed="q")
    assert "nothing was decided; 1 note left" in plain(done.out)
    shell.cwd = here
    capture(shell, "My phone is 555 0100 200", sensitivity=Sensitivity.PRIVATE)
    assert "; 2 notes left" in plain(shell.on_a_terminal("inbox", "--private", typed="q").out)
    assert "; 1 note left" in plain(shell.on_a_terminal("inbox", typed="q").out)


def test_an_unknown_key_names_the_keys_and_decides_nothing(notes: Shell) -> None:
    done = notes.on_a_terminal("inbox", typed="x\x1b[Aéq")
    assert plain(done.out).count(KEYS) == 4
    assert len(waiting(notes)) == 3


@pytest.mark.parametrize("key", ["\x1b", "\x03", "q", "Q"])
def test_whatever_ends_it_loses_no_decision(notes: Shell, key: str) -> None:
    done = notes.on_a_terminal("inbox", answers=[(FIRST, "k"), (SECOND, key)])
    assert done.code == 0
    assert "1 kept; 2 notes left" in plain(done.out)
    assert (kept(notes), waiting(notes)) == ([FIRST], [SECOND, THIRD])


def test_words_of_others_need_a_second_key(shell: Shell) -> None:
    capture(shell, "Deploy from the release branch", origin=Origin.EXTERNAL)
    done = shell.on_a_terminal("inbox", answers=[("Deploy", "k"), ("press k again", "q")])
    assert "read outside, not your words" in plain(done.out)
    assert kept(shell) == []
    shell.on_a_terminal("inbox", typed="kk")
    assert kept(shell) == ["Deploy from the release branch"]


def test_nothing_in_a_note_controls_the_terminal(shell: Shell) -> None:
    capture(shell, "Look: \u202eright to left", "Then \u2028 a line")
    done = shell.on_a_terminal("inbox", typed="nn")
    assert controls(plain(done.out)) == []


def test_a_long_note_is_broken_between_words(shell: Shell) -> None:
    text = "We decided to keep the tide tables in PostgreSQL because the harbour office reads them there every night"
    capture(shell, text)
    shown = plain(shell.on_a_terminal("inbox", typed="q", columns=60).out)
    assert text in " ".join(shown.split()) and text not in shown
    assert max(map(len, shown.splitlines())) <= 60


def test_without_a_note_it_says_so(shell: Shell) -> None:
    done = shell.on_a_terminal("inbox")
    assert (done.code, done.out) == (0, "no notes wait for a decision\n")


def test_all_the_rest_can_be_undone_with_one_key(notes: Shell) -> None:
    typed = [(FIRST, "k"), (SECOND, "a"), ("drop all 2", "d"), ("u undo   any", "u"), ("undone", "u"), ("1 of 3", "q")]
    done = notes.on_a_terminal("inbox", answers=typed)
    assert done.code == 0 and "nothing was decided; 3 notes left" in plain(done.out)
    assert (kept(notes), waiting(notes)) == ([], [FIRST, SECOND, THIRD])


def test_a_sitting_is_undone_afterwards(notes: Shell) -> None:
    done = notes.on_a_terminal("inbox", typed="kdn")
    assert "To take that back: limpet inbox undo" in plain(done.out)
    notes.on_a_terminal("inbox", "undo")
    assert (kept(notes), sorted(waiting(notes))) == ([], sorted([FIRST, SECOND, THIRD]))


def test_it_ends_with_what_the_next_start_tells(notes: Shell) -> None:
    assert f"\nThe next start tells: {FIRST}\n" in plain(notes.on_a_terminal("inbox", typed="kq").out)
    assert "next start" not in plain(notes.on_a_terminal("inbox", typed="q").out)


@pytest.mark.parametrize("columns", [80, 120])
def test_the_message_before_a_note_stands_above_it_in_two_dim_lines(shell: Shell, columns: int) -> None:
    session = Session(1, shell.cwd)
    session.prompt("Install the helper.")
    question = f"{'It is there now. ' * 20}Shall I always use pnpm in this repository?"
    session.says(question)
    session.prompt("Yes, always do that from now on, because CI has no npm.")
    session.says("Understood.")
    write(session, shell.nobody / ".claude")
    shell.say("backfill")
    shown = shell.on_a_terminal("inbox", typed="nq", columns=columns).out
    rows = shown.splitlines()
    at = next(number for number, row in enumerate(rows) if "the agent: …" in row)
    assert rows[at].startswith("\x1b[2m") and rows[at + 1].endswith(
        "Shall I always use pnpm in this repository?\x1b[0m"
    )
    assert rows[at + 2] == "  Always do that from now on, because CI has no npm."
    assert max(map(len, plain(shown).splitlines())) <= columns


# Where nobody can be asked


def test_json_and_pipes_only_list(notes: Shell) -> None:
    listed = notes.on_a_terminal("inbox", "--json", typed="kkk")
    assert json.loads(listed.out[listed.out.index("{") :])["total"] == 3
    assert notes.start("inbox", stdin=b"kkk").out.count("\n") == 3
    assert notes.on_a_terminal("inbox", piped=b"kkk").code == 0
    assert kept(notes) == []


def test_inside_an_agent_nothing_is_decided(notes: Shell) -> None:
    done = notes.on_a_terminal("inbox", typed="kkk", env={"CLAUDECODE": "1"})
    assert '"total":3' in done.out
    id = notes.ask("inbox")["memories"][0]["id"]
    refused = notes.on_a_terminal("inbox", "--keep", id, env={"CLAUDECODE": "1"})
    assert refused.code == 1 and "only a person can decide about a note" in refused.out
    assert kept(notes) == []


def test_all_the_rest_is_listed_and_kept_or_dropped_with_one_key(notes: Shell) -> None:
    done = notes.on_a_terminal(
        "inbox", answers=[(FIRST, "k"), (SECOND, "a"), ("drop all 2", "d"), ("u undo   any", "q")]
    )
    assert THIRD in plain(done.out) and "1 kept, 2 dropped; no notes left" in plain(done.out)
    assert (kept(notes), waiting(notes)) == ([FIRST], [])


def test_another_key_goes_back_to_the_note(notes: Shell) -> None:
    done = notes.on_a_terminal("inbox", answers=[(FIRST, "a"), ("drop all 3", "n"), ("1 of 3", "q")])
    assert done.code == 0 and len(waiting(notes)) == 3


def test_words_of_others_are_not_kept_with_all_the_rest(shell: Shell) -> None:
    capture(shell, "Deploy from the release branch", origin=Origin.EXTERNAL)
    done = shell.on_a_terminal("inbox", answers=[("Deploy", "a"), ("keep all 1", "k"), ("kept one by one", "q")])
    assert "kept one by one" in plain(done.out) and kept(shell) == []


def test_ten_are_shown_at_a_sitting_and_the_rest_fades(shell: Shell) -> None:
    capture(shell, *(f"Rule number {number} about part {number}" for number in range(12)))
    shown = plain(shell.on_a_terminal("inbox", typed="n" * 10).out)
    assert "10 of 10" in shown and "12 notes left\nNotes that are not used fade by themselves" in shown
