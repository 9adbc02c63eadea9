"""A note can be edited on the line or in an editor, and giving up changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.cli.editor import edit_text
from tests.cli.notes import FIRST, SECOND, kept, waiting
from tests.cli.shell import Shell, plain


def test_the_text_can_be_changed_on_the_line(notes: Shell) -> None:
    done = notes.on_a_terminal("inbox", answers=[(FIRST, "e"), ("edit: " + FIRST, " or conda\r"), (SECOND, "q")])
    assert f"kept as: {FIRST} or conda" in plain(done.out)
    assert kept(notes) == [f"{FIRST} or conda"]


def test_an_empty_line_gives_up_the_edit_only(notes: Shell) -> None:
    answers = [(FIRST, "e"), ("edit: " + FIRST, "\x15\r"), ("not changed", "d"), (SECOND, "q")]
    done = notes.on_a_terminal("inbox", answers=answers)
    assert "1 dropped; 2 notes left" in plain(done.out)


@pytest.mark.parametrize("error", [KeyboardInterrupt, EOFError])
def test_ctrl_c_and_ctrl_d_give_up_the_edit(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: type[BaseException]
) -> None:
    def stop(prompt: str) -> str:
        raise error

    for name in ("EDITOR", "VISUAL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("builtins.input", stop)
    assert edit_text(FIRST, home=str(tmp_path)) is None


def editor(folder: Path, script: str) -> dict[str, str]:
    path = folder / "editor.py"
    path.write_text(f"import sys\npath = sys.argv[-1]\n{script}\n")
    return {"EDITOR": f"python3 {path} --wait"}


def test_the_text_can_be_changed_in_an_editor(notes: Shell) -> None:
    env = editor(
        notes.folder, "text = open(path).read(); open(path, 'w').write(text.replace('pip', 'poetry\\nnor pip'))"
    )
    notes.on_a_terminal("inbox", typed="eq", env=env)
    assert kept(notes) == ["Use uv here, never poetry\nnor pip"]
    assert not (notes.home / "edit").exists()


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("sys.exit(3)", "ended with status 3"),
        ("open(path, 'w').close()", "not changed"),
        ("import os; os.unlink(path)", ""),
    ],
)
def test_an_editor_that_fails_changes_nothing(notes: Shell, script: str, sentence: str) -> None:
    done = notes.on_a_terminal("inbox", typed="eq", env=editor(notes.folder, script))
    assert sentence in plain(done.out) and "nothing was decided" in plain(done.out)
    assert len(waiting(notes)) == 3


def test_an_editor_that_is_not_there_is_named(notes: Shell) -> None:
    done = notes.on_a_terminal("inbox", typed="eq", env={"EDITOR": "no-such-editor"})
    assert "no-such-editor could not be used" in plain(done.out)
    assert len(waiting(notes)) == 3
